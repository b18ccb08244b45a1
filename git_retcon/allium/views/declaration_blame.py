"""Which source commits brought and changed what a declaration says, part by part.

A part is a fact of the declaration: a field, a state, an edge, a clause, or the declaration itself.
Like ``git blame``, this goes back from one commit to the next, and at a merge to the parent that
says the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.history.commit_graph import read_graph
from git_retcon.allium.store.declared_facts import name_fact, read_facts
from git_retcon.allium.store.module_paths import MASTER, SUFFIX
from git_retcon.allium.store.module_text import (
    MARKER,
    DeclarationText,
    cut_module,
    list_citations,
)
from git_retcon.allium.store.spec_store import FOLDER
from git_retcon.allium.store.type_names import TYPES
from git_retcon.git.graph import read_commit, tree_of
from git_retcon.git.repository import Repository
from git_retcon.git.trees import read_object

# Versions of one declaration; a long history has a few hundred of one.
_MOST_KEPT = 4096


class PlacedDeclaration(NamedTuple):
    """A declaration of one commit, the module that it is in, and its first line there, from 1."""

    module: bytes
    text: DeclarationText
    line: int

    @property
    def title(self) -> str:
        return name_fact((self.text.kind, self.text.name, ""))


class PartChange(NamedTuple):
    """A spec commit that brought a part or changed it. ``before`` is None where it is new.

    ``citations`` are the paths and symbols that the declaration cited then.
    """

    spec: str
    before: str | None
    after: str
    citations: Sequence[tuple[str, str]]


class Part(NamedTuple):
    """A part as it is now, and what made it so, the newest change first."""

    item: str
    value: str
    changes: Sequence[PartChange]


class _Version(NamedTuple):
    """A declaration at one commit, read."""

    place: PlacedDeclaration
    facts: Mapping[str, str]


class Blame:
    """Reads the history of declarations from one spec commit back."""

    def __init__(self, repository: Repository, spec: str) -> None:
        self._repository = repository
        self._spec = spec
        self._parents = read_graph(repository.git, [spec]).parents
        self._facts: dict[bytes, Mapping[str, str]] = {}
        self._modules: dict[str, Sequence[DeclarationText]] = {}

    def list_declarations(self) -> Iterator[PlacedDeclaration]:
        """Every declaration of the commit, less what it uses."""
        for module, oid in self._list_modules(self._spec).items():
            content = self._read_blob(oid)
            at = 0
            for text in cut_module(content).declarations:
                at = content.index(text.text, at)
                line = content.count(b"\n", 0, at) + 1 + _count_comments(text.text)
                if text.kind != "use":
                    yield PlacedDeclaration(module, text, line)

    def read_items(self, place: PlacedDeclaration) -> Mapping[str, str]:
        """What a declaration says, by part; "" is the declaration itself."""
        return self._read_facts(place.text)

    def trace(self, place: PlacedDeclaration, items: Sequence[str]) -> Sequence[Part]:
        """The changes of some parts of a declaration of the commit."""
        start = _Version(place, self._read_facts(place.text))
        found: dict[str, list[PartChange]] = {item: [] for item in items}
        # From children to parents: what several children pass to one commit is there in time.
        pending: dict[str, tuple[_Version, set[str]]] = {self._spec: (start, set(items))}
        for commit in reversed(list(self._parents)):
            if not pending:
                break
            if commit not in pending:
                continue
            version, wanted = pending.pop(commit)
            for item, change, parent in self._compare_versions(commit, version, wanted):
                if change is not None:
                    found[item].append(change)
                if parent is not None:
                    above, before = parent
                    pending.setdefault(above, (before, set()))[1].add(item)
        return [Part(item, start.facts[item], found[item]) for item in items]

    def _compare_versions(
        self, commit: str, version: _Version, items: set[str]
    ) -> Iterator[tuple[str, PartChange | None, tuple[str, _Version] | None]]:
        """For each part, the change that a commit made to it, if it did, and the parent where its
        history goes on, with what that says; None where it began here.
        """
        above = [
            (parent, before)
            for parent in self._parents[commit]
            if parent in self._parents
            if (before := self._find_version(parent, version.place)) is not None
        ]
        for item in sorted(items):
            value = version.facts[item]
            having = [each for each in above if item in each[1].facts]
            same = next((each for each in having if each[1].facts[item] == value), None)
            if same is not None:
                yield item, None, same
                continue
            origin = having[0] if having else None
            was = origin[1].facts[item] if origin else None
            citations = list_citations(version.place.text.text)
            yield item, PartChange(commit, was, value, citations), origin

    def _find_version(self, commit: str, after: PlacedDeclaration) -> _Version | None:
        """The declaration in a commit before: in the same module, else where it moved from."""
        tree = tree_of(self._repository, commit)
        usual = self._repository.trees.find(tree, FOLDER + after.module)
        found = self._find_in(usual.oid, after) if usual and usual.is_file else None
        if found is not None:
            return found
        # Seldom: every module is searched.
        for module, oid in self._list_modules(commit).items():
            if module != after.module and (found := self._find_in(oid, after)) is not None:
                return found._replace(place=found.place._replace(module=module))
        return None

    def _find_in(self, blob: str, after: PlacedDeclaration) -> _Version | None:
        for text in self._cut_blob(blob, after.text.name.encode()):
            if _is_same(text, after.text):
                return _Version(after._replace(text=text), self._read_facts(text))
        return None

    def _list_modules(self, commit: str) -> Mapping[bytes, str]:
        """The blob of each module, and of the master, first of all."""
        trees = self._repository.trees
        folder = trees.find(tree_of(self._repository, commit), FOLDER.rstrip(b"/"))
        if folder is None or not folder.is_tree:
            return {}
        found = {
            path: entry.oid
            for path, entry in trees.files(folder.oid)
            if entry.is_file and path.endswith(SUFFIX)
        }
        return {MASTER: found[MASTER], **found} if MASTER in found else found

    def _cut_blob(self, blob: str, name: bytes) -> Sequence[DeclarationText]:
        """The declarations of a module, if it holds a word at all."""
        found = self._modules.get(blob)
        if found is None:
            content = self._read_blob(blob)
            if name not in content:
                return ()
            if len(self._modules) > _MOST_KEPT:
                self._modules.clear()
            found = self._modules[blob] = cut_module(content).declarations
        return found

    def _read_facts(self, text: DeclarationText) -> Mapping[str, str]:
        found = self._facts.get(text.text)
        if found is None:
            if len(self._facts) > _MOST_KEPT:
                self._facts.clear()
            whole = {name[2]: value for name, value in read_facts(MARKER + text.text).items()}
            # A class that becomes a value is the same declaration, and another kind of thing.
            whole[""] = f"{text.kind} {whole.get('', '')}".strip()
            found = self._facts[text.text] = whole
        return found

    def _read_blob(self, oid: str) -> bytes:
        return read_object(self._repository.objects.odb, oid)


def select_items(place: PlacedDeclaration, items: Mapping[str, str], wanted: str) -> Sequence[str]:
    """The parts of a declaration that a name means: ``Order``, ``entity Order``, ``Order.total``,
    ``Order.status.paid``, or a section as ``git allium diff`` prints it; () for none of them.
    """
    text = place.text
    titles = {text.name or text.kind, place.title}
    if wanted in titles:
        return list(items)
    sections = {name_fact((text.kind, text.name, item)): item for item in items}
    if wanted in sections:
        return [sections[wanted]]
    declaration, dot, part = wanted.partition(".")
    if not dot or declaration not in titles:
        return ()
    return [item for item in items if _means_item(item, part)]


def find_origin(repository: Repository, spec: str) -> tuple[str | None, bool]:
    """The source commit that a spec commit describes, None for a person's own; and whether all
    before it is described by it too, as a snapshot does.
    """
    from git_retcon.allium.history.spec_commit import read_trailers
    from git_retcon.git.graph import is_commit

    commit = read_commit(repository, spec)
    source = read_trailers(commit).describes
    if source is None or not is_commit(repository, source):
        return source, False
    return source, not commit.parents and bool(read_commit(repository, source).parents)


def _means_item(item: str, part: str) -> bool:
    """Whether an item is a part of a declaration by its short name: ``status`` is the field with
    its states and its edges, ``status.paid`` one state.
    """
    kind, _, name = item.partition(" ")
    names = {"field", "value", "state", "edge", "terminal", "invariant"}
    return kind in names and (name == part or name.startswith((f"{part}.", f"{part}:")))


def _is_same(one: DeclarationText, other: DeclarationText) -> bool:
    are_types = one.kind in TYPES and other.kind in TYPES
    is_kind = one.kind == other.kind or are_types
    return is_kind and one.name == other.name and one.ordinal == other.ordinal


def _count_comments(text: bytes) -> int:
    """The comment lines above a declaration."""
    lines = text.split(b"\n")
    return next((at for at, line in enumerate(lines) if not line.startswith(b"--")), 0)
