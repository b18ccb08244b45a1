"""Declarations whose source is gone: every file that they cite is no longer in the tree."""

from collections.abc import Iterator
from typing import Protocol

from git_retcon.allium.engine import Finding, FindingType
from git_retcon.allium.reconcile.spec_index import SpecIndex
from git_retcon.allium.store.facts import name_fact
from git_retcon.allium.store.spec_store import SpecStore


class HasFile(Protocol):
    """Knows a source tree."""

    def has_file(self, tree: str, path: bytes) -> bool:
        """Whether something is at a path, readable or not."""


def find_orphans(store: SpecStore, source: HasFile, tree: str) -> Iterator[Finding]:
    """A removal for each of them."""
    for cited, places in SpecIndex(store).list_cited().items():
        if source.has_file(tree, cited.encode("utf-8", "surrogateescape")):
            continue
        for module, declaration in places:
            if set(declaration.sources) == {cited}:
                section = name_fact((declaration.kind, declaration.name, ""))
                description = f"{cited} is not there any more"
                yield Finding(FindingType.REMOVAL, section, description, (cited,), module)
