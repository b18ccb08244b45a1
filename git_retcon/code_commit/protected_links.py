"""What a protected name leads to by a symbolic link: written there, it is changed by that name."""

import os
from collections.abc import Iterable
from pathlib import Path

from git_retcon.code_commit.working_tree import Checkout


def find_link_targets(checkout: Checkout, protected: Iterable[bytes]) -> frozenset[bytes]:
    """The files and folders of the working tree that links among the protected paths lead to."""
    top = os.path.realpath(checkout.root)
    found = set()
    for path in protected:
        place = checkout.root / os.fsdecode(path)
        if _leads_on(checkout.root, place):
            real = Path(os.path.realpath(place))
            if real.is_relative_to(top) and real != Path(top):
                found.add(os.fsencode(real.relative_to(top)))
    return frozenset(found)


def _leads_on(root: Path, place: Path) -> bool:
    """Whether the path, or a folder on the way to it, is a link."""
    above = (part for part in place.parents if part.is_relative_to(root) and part != root)
    return place.is_symlink() or any(part.is_symlink() for part in above)
