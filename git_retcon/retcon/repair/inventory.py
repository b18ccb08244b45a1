"""An inventory of what is left, by the names it defines, uses, and stops defining or using."""

import bisect
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property

from git_retcon.code.filenames import find_import_name, find_same_file
from git_retcon.code.languages.known import language_of
from git_retcon.code.languages.language import Blocks
from git_retcon.code.symbols import Names, find_names, indentation_of
from git_retcon.git.atoms import Atom, Kind
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.file_heads import find_file_heads
from git_retcon.retcon.repair.nesting import Nesting


@dataclass(frozen=True)
class Beginning:
    """What is left of what a new file begins with: its head, if it has one, and its imports."""

    head: list[Atom] = field(default_factory=list)
    imports: list[Atom] = field(default_factory=list)


class Inventory:
    """The atoms of a situation that are left, but those ``withheld``, indexed once."""

    def __init__(self, situation: Situation, withheld: Collection[str] = ()) -> None:
        self.situation = situation
        self.left = tuple(atom for atom in situation.left if atom.id not in withheld)
        self.by_path: dict[bytes, list[Atom]] = defaultdict(list)
        for atom in self.left:
            self.by_path[atom.path].append(atom)
        self.ids = frozenset(atom.id for atom in self.left)
        self._added: dict[str, Names] = {}
        self._removed: dict[str, Names] = {}
        self._files: dict[bytes, Names] = {}
        self._old_files: dict[bytes, Names] = {}
        self._nestings: dict[bytes, Nesting] = {}
        self._base_lines: dict[tuple[bytes, int], int] = {}
        self.preambles: dict[bytes, frozenset[str]] = {}

    def find_added(self, atom: Atom) -> Names:
        """The names in what an atom adds."""
        if atom.id not in self._added:
            self._added[atom.id] = find_names(atom.added, language_of(atom.path))
        return self._added[atom.id]

    def find_removed(self, atom: Atom) -> Names:
        """The names in what an atom removes."""
        if atom.id not in self._removed:
            self._removed[atom.id] = find_names(atom.removed, language_of(atom.path))
        return self._removed[atom.id]

    def file(self, path: bytes) -> Names:
        """The names in a whole file as the source has it; empty where it is unknown."""
        if path not in self._files:
            text = self.situation.difference.texts.get(path)
            self._files[path] = find_names(text.new if text else (), language_of(path))
        return self._files[path]

    @cached_property
    def _index(self) -> "_Index":
        return _Index(self)

    def definers(self, name: str) -> Sequence[Atom]:
        """Atoms after which a name exists in their file: definitions and imports of it."""
        return self._index.definers.get(name, ())

    def heads(self, name: str) -> Sequence[Atom]:
        """Atoms that define a name, whether it existed before or not."""
        return self._index.heads.get(name, ())

    def holders(self, name: str) -> Sequence[Atom]:
        """Atoms that add a field, key, parameter or variant of this name."""
        return self._index.holders.get(name, ())

    def users(self, name: str) -> Sequence[Atom]:
        """Atoms that mention a name where they did not before."""
        return self._index.users.get(name, ())

    def mentioners(self, name: str) -> Sequence[Atom]:
        """Atoms whose added lines mention a name."""
        return self._index.mentioners.get(name, ())

    def stoppers(self, name: str) -> Sequence[Atom]:
        """Atoms that take away mentions of a name without mentioning it again."""
        return self._index.stoppers.get(name, ())

    def removers(self, name: str) -> Sequence[Atom]:
        """Atoms that take away a definition or an import of a name."""
        return self._index.removers.get(name, ())

    def path(self, named: bytes | None) -> bytes | None:
        """The path in the difference that a tool means, in any folder that it ran in."""
        return None if named is None else find_same_file(named, self._paths)

    @cached_property
    def _paths(self) -> frozenset[bytes]:
        return frozenset(change.path for change in self.situation.difference.changes.values())

    @cached_property
    def new_files(self) -> dict[str, list[bytes]]:
        """Files of which nothing is in the tree yet, by the name that others import them by."""
        taken = {
            atom.path for atom in self.situation.difference.atoms if atom.id in self.situation.taken
        }
        found: dict[str, list[bytes]] = defaultdict(list)
        for change in self.situation.difference.changes.values():
            if change.old is None and change.path in self.by_path and change.path not in taken:
                found[decode_name(find_import_name(change.path))].append(change.path)
        return found

    def distance(self, atom: Atom, path: bytes | None, line: int | None) -> tuple[int, int]:
        """How far an atom is from a place in the tree as it is: other files are farther."""
        if path is None or atom.path != path:
            return (1, 0)
        if line is None:
            return (0, 0)
        place = path, line - 1  # asked for every atom of a file: the nearest one is looked for
        if place not in self._base_lines:
            self._base_lines[place] = self._find_base_line(*place)
        return (0, abs(atom.old.start - self._base_lines[place]))

    def _find_base_line(self, path: bytes, line: int) -> int:
        """A line of the tree as it is (base plus what is taken) as a line of the base."""
        shift = 0
        for atom in self._taken_lines.get(path, ()):
            # Atoms are in the order of their lines; those behind the place do not move it.
            if atom.old.start + shift >= line:
                break
            shift += len(atom.new) - len(atom.old)
        return max(0, line - shift)

    @cached_property
    def _taken_lines(self) -> dict[bytes, list[Atom]]:
        found: dict[bytes, list[Atom]] = defaultdict(list)
        for atom in self.situation.difference.atoms:
            if atom.id in self.situation.taken and atom.kind is Kind.LINES:
                found[atom.path].append(atom)
        return found

    @cached_property
    def beginnings(self) -> dict[bytes, Beginning]:
        """What is left of the heads and of the imports of new files, by path."""
        difference = self.situation.difference
        # Of the whole difference: where the head is taken, what is left must not pass for one.
        facts = read_facts(difference)
        first = {at for at, _ in find_file_heads(facts, difference.texts)}
        found: dict[bytes, Beginning] = {}
        for at, one in enumerate(facts):
            text = difference.texts.get(one.atom.path)
            if text is not None and text.is_new and one.atom.id in self.ids:
                beginning = found.setdefault(one.atom.path, Beginning())
                if at in first:
                    beginning.head.append(one.atom)
                elif one.imports_only:
                    beginning.imports.append(one.atom)
        return found

    def nesting(self, path: bytes) -> Nesting:
        """What is inside what in a file as the source has it."""
        if path not in self._nestings:
            self._nestings[path] = Nesting(self.situation.difference.texts[path].new)
        return self._nestings[path]

    def definition(self, atom: Atom, name: str) -> frozenset[str]:
        """An atom with all that is left of the definition of ``name`` that it begins."""
        text = self.situation.difference.texts.get(atom.path)
        if text is None or atom.kind is not Kind.LINES:
            return frozenset((atom.id,))
        taken = {atom.id}
        language = language_of(atom.path)
        for at in range(atom.new.start, atom.new.stop):
            if name in find_names(text.new[at : at + 1], language).defined:
                first, stop = self.nesting(atom.path).block(at)
                taken.update(other.id for other in self.within(atom.path, first, stop))
        return frozenset(taken)

    def frame(self, atom: Atom) -> frozenset[str]:
        """What is left of the definitions around an atom: their heads, and what closes them."""
        text = self.situation.difference.texts.get(atom.path)
        if text is None or atom.kind is not Kind.LINES or not len(atom.new):
            return frozenset()
        inside = min(
            (at for at in range(atom.new.start, atom.new.stop) if text.new[at].strip()),
            key=lambda at: indentation_of(text.new[at]),
            default=atom.new.start,
        )
        found: set[str] = set()
        nesting = self.nesting(atom.path)
        is_indented = language_of(atom.path).blocks is Blocks.INDENT
        for head in nesting.find_enclosing(inside):
            first, stop = nesting.block(head)
            # Where indentation ends a block, its last line is not the block's own.
            last = () if is_indented else (stop - 1,)
            for at in (*range(first, head + 1), *last):
                found.update(other.id for other in self.within(atom.path, at, at + 1))
        return frozenset(found)

    def within(self, path: bytes, first: int, stop: int) -> Iterator[Atom]:
        """The line atoms left that add to, or delete inside, the source's lines [first, stop)."""
        atoms = self._lines.get(path, ())
        begin = bisect.bisect_left(atoms, first, key=lambda atom: atom.new.start)
        end = bisect.bisect_left(atoms, stop, key=lambda atom: atom.new.start)
        # The one before may reach into the range, as it is found by where it begins.
        if begin and atoms[begin - 1].new.stop > first:
            begin -= 1
        for atom in atoms[begin:end]:
            # A pure removal has no lines of its own: at the very start of the range it is before
            # it.
            if len(atom.new) or first < atom.new.start:
                yield atom

    @cached_property
    def _lines(self) -> dict[bytes, list[Atom]]:
        """The line atoms left by file, in the order of their lines in the source."""
        return {
            path: [atom for atom in atoms if atom.kind is Kind.LINES]
            for path, atoms in self.by_path.items()
        }

    def is_visible(self, path: bytes, definer: Atom, name: str) -> bool:
        """Whether the file ``path``, as the source has it, could mean ``definer`` by ``name``."""
        return self._can_see(path, definer.path, name, self.file(path))

    def was_visible(self, path: bytes, remover: Atom, name: str) -> bool:
        """Whether the file ``path``, before the source changed it, could mean ``remover``'s."""
        if path not in self._old_files:
            text = self.situation.difference.texts.get(path)
            self._old_files[path] = find_names(text.old if text else (), language_of(path))
        return self._can_see(path, remover.path, name, self._old_files[path])

    def _can_see(self, path: bytes, other: bytes, name: str, file: Names) -> bool:
        if other == path:
            return True
        files = language_of(path).files
        # Go, Java: the files of a folder see one another without an import.
        if path.endswith(files.folder_scoped) and find_folder(path) == find_folder(other):
            return True
        if path.endswith(files.header_scoped) and other.endswith(files.header_scoped):
            return True
        return (
            name in file.imports
            or decode_name(find_import_name(other)) in file.modules | file.imports
        )

    def atoms(self, ids: Collection[str]) -> tuple[Atom, ...]:
        """The atoms left of these ids, in path order."""
        return tuple(atom for atom in self.left if atom.id in ids)

    def of_paths(self, paths: Iterable[bytes]) -> frozenset[str]:
        """All that is left of some files."""
        return frozenset(atom.id for path in paths for atom in self.by_path.get(path, ()))


class _Index:
    """The atoms left by each name that they define, use, or stop defining or using."""

    def __init__(self, inventory: Inventory) -> None:
        self.definers: dict[str, list[Atom]] = defaultdict(list)
        self.heads: dict[str, list[Atom]] = defaultdict(list)
        self.holders: dict[str, list[Atom]] = defaultdict(list)
        self.users: dict[str, list[Atom]] = defaultdict(list)
        self.mentioners: dict[str, list[Atom]] = defaultdict(list)
        self.stoppers: dict[str, list[Atom]] = defaultdict(list)
        self.removers: dict[str, list[Atom]] = defaultdict(list)
        for atom in inventory.left:
            added, removed = inventory.find_added(atom), inventory.find_removed(atom)
            for index, found in (
                (self.definers, added.bound - removed.bound),
                (self.heads, added.defined),
                (self.holders, added.members - removed.members),
                (self.users, added.used - removed.used),
                (self.mentioners, added.used),
                (self.stoppers, removed.used - added.used),
                (self.removers, removed.bound - added.bound),
            ):
                for name in found:
                    index[name].append(atom)


def find_depth(path: bytes, lines: Iterable[bytes], name: str) -> int:
    """The indentation of the line of a file that binds a name; 0 where none does."""
    language = language_of(path)
    for line in lines:
        if name in find_names((line,), language).bound:
            return indentation_of(line)
    return 0


def find_folder(path: bytes) -> bytes:
    """The folder that a path is in; empty at the top."""
    return path.rpartition(b"/")[0]


def decode_name(name: bytes) -> str:
    """A name or a path of the source as text; bytes that are not UTF-8 are replaced."""
    return name.decode("utf-8", "replace")
