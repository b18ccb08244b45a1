"""The offline engine: what the source itself proves, declaration by declaration.

A step reads the changed files as they were and as they are, and merges the difference into the
specification: what a person, or a model, wrote beside it stays. Where both changed the same
declaration, the specification's version stays, and an open question names the source.
"""

from collections.abc import Callable, Mapping, Sequence

from git_retcon.allium.engine import Step, Update
from git_retcon.allium.store.module_layout import make_head
from git_retcon.allium.store.module_text import DeclarationText, cut_module, join_module
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.three_way import make_question, merge_modules
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Entry, object_size, read_object
from git_retcon.show.counting import count
from git_retcon.show.style import show_path

_LARGEST = 4 * 1024 * 1024  # bytes; a larger file is data
_MOST_KEPT = 4096  # files, as they were and as they are

# The declarations of a source file; None where it cannot be read, () where it has none.
Extract = Callable[[bytes, bytes], Sequence[DeclarationText] | None]


class OfflineEngine:
    """Describes steps with ``extract``, one file at a time."""

    name = "offline"
    is_slow = False

    def __init__(self, repository: Repository, extract: Extract) -> None:
        self._odb = repository.objects.odb
        self._extract = extract
        self._known: dict[tuple[bytes, str], Sequence[DeclarationText] | None] = {}
        self._read = 0
        self._unreadable = 0
        self._unplaced: set[bytes] = set()

    def update(self, step: Step) -> Update:
        store = step.store
        renamed = set(step.renames.values())
        account: list[str] = []
        for change in step.changes:
            if change.path in renamed and change.new is None:
                continue  # described at its new path
            before = self._find_before(step, change.path, change.old)
            after = self._list_declarations(change.path, change.new)
            if after is None:
                account.append(f"Not read: {show_path(change.path)}")
                continue
            if after and _find_place(store, change.path) is None:
                account.append(f"Left out: {show_path(change.path)}: no module may have its name")
                self._unplaced.add(change.path)
            store = _merge_file(store, change.path, before or (), after)
        names = store.all_modules()
        changed = {each: names.get(each) for each in names.keys() | step.store.all_modules().keys()}
        return Update(
            {p: text for p, text in changed.items() if text != step.store.module_spec(p)},
            account=account,
        )

    def summarize(self) -> Sequence[str]:
        lines = [f"{count(self._read, 'file')} read"]
        if self._unreadable:
            lines.append(f"{count(self._unreadable, 'file')} could not be read")
        if self._unplaced:
            lines.append(f"{count(len(self._unplaced), 'file')} left out: bad name for a module")
        return lines

    def _find_before(
        self, step: Step, path: bytes, old: Entry | None
    ) -> Sequence[DeclarationText] | None:
        """What the file declared before, citing the path that it has now."""
        former = step.renames.get(path)
        if old is None and former is not None:
            entry = next(each.old for each in step.changes if each.path == former)
            return self._list_declarations(path, entry)
        return self._list_declarations(path, old)

    def _list_declarations(
        self, path: bytes, entry: Entry | None
    ) -> Sequence[DeclarationText] | None:
        if entry is None or not entry.is_file:
            return ()
        key = path, entry.oid
        if key not in self._known:
            if len(self._known) >= _MOST_KEPT:
                # The oldest: a history is read forwards, and its oldest versions do not return.
                del self._known[next(iter(self._known))]
            self._known[key] = self._parse(path, entry)
        return self._known[key]

    def _parse(self, path: bytes, entry: Entry) -> Sequence[DeclarationText] | None:
        if object_size(self._odb, entry.oid) > _LARGEST:
            return None
        content = read_object(self._odb, entry.oid)
        # Git's own test of a binary file: a NUL byte in the first 8000.
        found = () if b"\0" in content[:8000] else self._extract(path, content)
        self._read += 1
        self._unreadable += found is None
        return found


def _merge_file(
    store: SpecStore,
    path: bytes,
    before: Sequence[DeclarationText],
    after: Sequence[DeclarationText],
) -> SpecStore:
    """The store with what a file declares now instead of what it declared."""
    if [declaration.text for declaration in before] == [declaration.text for declaration in after]:
        return store
    for module, declarations in _place(store, path, before, after).items():
        content = store.module_spec(module)
        text = cut_module(content) if content is not None else None
        head = text.head if text else make_head(module)
        keys = {declaration.key for side in declarations for declaration in side}
        cited = show_path(path)
        others = [
            declaration.text
            for declaration in (text.declarations if text else ())
            # The same name read in another file is another declaration; it stays.
            if declaration.key not in keys
            or (declaration.sources and cited not in declaration.sources)
        ]
        old, new = (
            join_module(head, [*others, *(declaration.text for declaration in side)])
            for side in declarations
        )
        merged = merge_modules(old, content or old, new)
        written = merged.content
        for conflict in merged.conflicts:
            question = make_question(
                f"{conflict.title} was edited here, and changed otherwise in {show_path(path)}"
            )
            written = join_module(
                cut_module(written).head,
                [
                    *(declaration.text for declaration in cut_module(written).declarations),
                    question.text,
                ],
            )
        # Nothing is declared any more, so no file needs to be there.
        if cut_module(written).is_empty:
            store = store.remove_module_spec(module)
        else:
            store = store.set_module_spec(module, written)
    return store


def _place(
    store: SpecStore,
    path: bytes,
    before: Sequence[DeclarationText],
    after: Sequence[DeclarationText],
) -> Mapping[bytes, tuple[Sequence[DeclarationText], Sequence[DeclarationText]]]:
    """The declarations of before and after by the module that holds them, or is to."""
    module = _find_place(store, path)
    return {} if module is None else {module: (before, after)}


def _find_place(store: SpecStore, path: bytes) -> bytes | None:
    """The module that is there for a file, or is to be made; None where none may have its name."""
    module = store.root.find_module(path, store.all_modules())
    if module is not None:
        return module
    named = store.root.name_module(path)
    return None if named is None else store.spell_module(named)
