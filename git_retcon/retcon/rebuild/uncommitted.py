"""What the source's checkout holds and the source does not: named, since nothing includes it."""

import os
from pathlib import Path

from git_retcon.git.checkout import bind_checkout, list_changed
from git_retcon.git.refs import find_checkout_of
from git_retcon.git.repository import Repository, open_repository
from git_retcon.options import Output
from git_retcon.retcon.events import Warned
from git_retcon.show.counting import some_of
from git_retcon.show.notices import say
from git_retcon.show.style import show_path

_MOST_NAMED = 3


def find_uncommitted(repository: Repository, path: Path, source: str) -> Warned | None:
    """The warning about changes of the source that are not committed; None where there are none.

    ``path`` is the spec, which is not counted.
    """
    branch = source.removeprefix("refs/heads/")
    where = find_checkout_of(repository, f"refs/heads/{branch}")
    if where is None or not (where / ".git").exists():
        return None
    there = repository if where == repository.work_tree else open_repository(where)
    own = path_in_tree(there, path)
    changed = [each for each in list_changed(bind_checkout(there)) if each != own]
    if not changed:
        return None
    named = some_of([show_path(each) for each in changed], _MOST_NAMED)
    return Warned(
        f"uncommitted changes of '{source}' are not included: {named}",
        "commit them, and run the same command again",
    )


def say_uncommitted(repository: Repository, path: Path, source: str, output: Output) -> None:
    """Print that warning, for a command that has no events."""
    found = None if output.quiet else find_uncommitted(repository, path, source)
    if found is not None:
        say("warning", found.message, found.hint)


def path_in_tree(repository: Repository, path: Path) -> bytes | None:
    """A path of the working tree as git spells it; None outside of it."""
    if repository.work_tree is None:
        return None
    place = Path(os.path.realpath(path.parent)) / path.name
    top = Path(os.path.realpath(repository.work_tree))
    return os.fsencode(place.relative_to(top)) if place.is_relative_to(top) else None
