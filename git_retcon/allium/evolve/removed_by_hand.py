"""Items that people took out on one side of a merge, and that the other side says otherwise: as on
one line of the history they stay out, beside a question.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from git_retcon.allium.history.spec_commit import is_as_written
from git_retcon.allium.store.contradictions import Contradiction, add_questions
from git_retcon.allium.store.declaration_block import Block
from git_retcon.allium.store.declared_facts import FactName, compare_stores
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.module_text import DeclarationText, cut_module, join_module
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.git.graph import read_commit
from git_retcon.git.repository import Repository

FindRemoved = Callable[[], AbstractSet[FactName]]


class Removal(NamedTuple):
    """An item of a declaration that somebody took out, and the file that the declaration is of."""

    module: bytes
    name: FactName
    path: str

    @property
    def question(self) -> str:
        """What is asked about it."""
        kind, name, item = self.name
        return Contradiction.ITEM_REMOVED.ask(f"{kind} {name}: {item}", self.path)


def list_removals(
    conflicts: Mapping[bytes, Sequence[Conflict]],
    keeper: SpecStore,
    find_removed: FindRemoved,
    *,
    is_ours: bool,
) -> Iterator[Removal]:
    """Those conflicts in which a person took out what the other side, ``keeper``, has otherwise.

    ``is_ours``: our side is the keeper. ``find_removed`` says what people took out on the other; it
    is asked only where something went there.
    """
    for module, found in conflicts.items():
        for each in found:
            gone = each.theirs if is_ours else each.ours
            name = (each.kind, each.name, each.item)
            if each.item and not each.why and gone is None and name in find_removed():
                path = next((d.sources[0] for d in _find(keeper, name) if d.sources), "")
                if path:
                    yield Removal(module, name, path)


class HandRemovals:
    """What people took out of the specifications of a repository; each commit is read once."""

    def __init__(self, repository: Repository, trees: SpecTrees) -> None:
        self._repository = repository
        self._trees = trees
        self._known: dict[str, AbstractSet[FactName]] = {}

    def find(self, base: object, tip: str) -> AbstractSet[FactName]:
        """What they took out between two commits of a spec branch; without ``base``, ever."""
        walker = self._repository.walks.walk(None)
        # What this run wrote is no person's, and need not be walked over.
        for saved in self._repository.new_objects.list_saved([tip]):
            walker.push(saved)
        for known in self._repository.new_objects.list_saved([] if base is None else [str(base)]):
            walker.hide(known)
        found = (self._read(str(each.id)) for each in walker if len(each.parent_ids) == 1)
        return frozenset().union(*found)

    def _read(self, oid: str) -> AbstractSet[FactName]:
        known = self._known.get(oid)
        if known is None:
            known = self._known[oid] = frozenset(self._compare(oid))
        return known

    def _compare(self, oid: str) -> Iterator[FactName]:
        commit = read_commit(self._repository, oid)
        if not is_as_written(self._repository, commit):
            before = self._trees.read(read_commit(self._repository, commit.parents[0]).tree).store
            after = self._trees.read(commit.tree).store
            yield from (each.name for each in compare_stores(before, after) if each.after is None)


def leave_out(store: SpecStore, removals: Iterable[Removal]) -> SpecStore:
    """A specification without these items."""
    for removal in removals:
        kind, name, item = removal.name
        for module, content in store.all_modules().items():
            text = cut_module(content)
            written = [
                _cut_item(each.text, item) if each.key[:2] == (kind, name) else each.text
                for each in text.declarations
            ]
            if written != [each.text for each in text.declarations]:
                store = store.set_module_spec(module, join_module(text.head, written))
    return store


def ask(store: SpecStore, removals: Iterable[Removal]) -> SpecStore:
    """The specification with a question about each."""
    for removal in removals:
        content = store.module_spec(removal.module)
        if content is not None:
            text = cut_module(content)
            asked = add_questions(text.declarations, [removal.question])
            whole = [each.text for each in (*text.declarations, *asked)]
            store = store.set_module_spec(removal.module, join_module(text.head, whole))
    return store


def _find(store: SpecStore, name: FactName) -> Iterator[DeclarationText]:
    for content in store.all_modules().values():
        yield from (d for d in cut_module(content).declarations if d.key[:2] == name[:2])


def _cut_item(text: bytes, item: str) -> bytes:
    block = Block.read(text)
    if block is None:
        return text
    kept = [said for (kind, name, _), said in block.items.items() if f"{kind} {name}" != item]
    return (block.join(kept) or text) if len(kept) < len(block.items) else text
