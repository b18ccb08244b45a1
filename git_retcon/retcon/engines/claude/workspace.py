"""What a model has chosen so far in one conversation, and every check of it.

No file is touched here. Taken hunks are a set, written files are bytes, and the tree that they
make is written as git objects, so a model reaches nothing but the paths of that tree.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from git_retcon.files.protected import is_obeyed
from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.git.atoms import Atom, WholeHunks
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Entry, object_size, read_object
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.never_send import NeverSend
from git_retcon.model.redaction import Redactor
from git_retcon.model.toolloop import ToolFault
from git_retcon.retcon.branch.progress import Position, ProgressTracker, find_atoms
from git_retcon.retcon.engine import Bridge, Choice, Situation
from git_retcon.retcon.repair.claims import find_pinned
from git_retcon.retcon.spec.hunk_parts import Abbreviations, is_hunk_id, name_whole
from git_retcon.run.judges import Judges
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path

MOST_BRIDGES = 16  # a bridge is for one gap between two commits; more is a rewrite
LARGEST_BRIDGE = 128 * 1024
_LARGEST_READ = 4 * 1024 * 1024
_BINARY_PROBE = 8000  # bytes that git looks at, too
_MOST_NAMED = 10
_ANY_JUDGES = Judges()  # those that are known by their names alone


@dataclass(frozen=True)
class Ground:
    """What stays the same for a whole run."""

    repository: Repository
    redactor: Redactor
    never_send: NeverSend = field(default_factory=NeverSend)

    def tracker(self) -> ProgressTracker:
        return ProgressTracker(self.repository, WholeHunks(), self.repository.trees)


class Workspace:
    """The choice so far. Raises ToolFault with words for the model."""

    def __init__(self, ground: Ground, situation: Situation, judges: Judges = _ANY_JUDGES) -> None:
        """``judges`` are the files that decide what passes, which cannot be written."""
        self.situation = situation
        self._judges = judges
        self.taken: set[str] = set()
        self.released: set[str] = set()
        self.bridges: dict[bytes, bytes] = {}
        self.foreign: Collection[str] = frozenset()  # hunks that the spec gives to others
        self._ground = ground
        self._tracker = ground.tracker()
        self._left: Mapping[str, Atom] = {atom.id: atom for atom in situation.left}
        tree = situation.difference.tree(situation.taken)
        self._position = Position("", tree, situation.difference, situation.taken)

    @property
    def choice(self) -> Choice:
        """What goes into the commit."""
        bridges = (Bridge(path, content) for path, content in sorted(self.bridges.items()))
        return Choice(frozenset(self.taken), tuple(bridges), released=frozenset(self.released))

    @property
    def tree(self) -> str:
        """Write the tree of the branch plus what was taken and written."""
        return self._tracker.tree(self._position, self.choice)

    @property
    def is_changed(self) -> bool:
        """Whether that tree differs from the branch's."""
        return self.tree != self._position.tree

    def list_left(self) -> tuple[Atom, ...]:
        """What is neither on the branch nor taken here, in path order."""
        return tuple(atom for atom in self._left.values() if atom.id not in self.taken)

    def atoms_of(self, path: str) -> tuple[Atom, ...]:
        """The hunks of one path, as it is shown. Raises ToolFault where there are none."""
        found = tuple(
            a for a in self._left.values() if path in (show_path(a.path), _decode_path(a.path))
        )
        if not found:
            raise ToolFault(f"no hunk of '{path}' is left; read_diff lists the paths there are")
        return found

    def spell_out(self, ids: Iterable[str]) -> list[str]:
        """The whole ids for those that were abbreviated; one that names no hunk stays."""
        known = self._abbreviations
        found = [(each, known.find(each)) for each in (text.strip(" []") for text in ids)]
        return [meant[0] if len(meant) == 1 else each for each, meant in found]

    @property
    def _abbreviations(self) -> Abbreviations:
        return Abbreviations(atom.id for atom in self._position.difference.atoms)

    def divide(self, ids: Collection[str]) -> Iterator[str]:
        """Divide hunks that are left as some ids ask for; say which parts cannot be had."""
        wholes = set(map(name_whole, self._left))
        for each in ids:
            if is_hunk_id(each) and ":" in each and name_whole(each) in wholes:
                yield from self._divide_hunk(each)

    def _divide_hunk(self, part: str) -> Iterator[str]:
        # Late: few conversations name parts, and cutting reads languages.
        from git_retcon.retcon.branch.hunk_cutter import UnusablePart
        from git_retcon.retcon.branch.hunk_division import read_part

        if find_atoms(self._position.difference, part):
            return
        try:
            read_part(self._position.difference, part)
        except UnusablePart as fault:
            yield f"{fault}; {fault.hint}"
            return
        self._position = self._position.divide([part])
        divided = self._position.difference
        self.situation = replace(self.situation, difference=divided)
        self._left = {atom.id: atom for atom in self.situation.left}
        self.taken = {tile for each in self.taken for tile in find_atoms(divided, each)}

    def atoms(self, ids: Collection[str]) -> tuple[Atom, ...]:
        """The hunks of these ids that are left."""
        found = (atom for each in ids for atom in self._find_left(each))
        return tuple(self._left[atom] for atom in dict.fromkeys(found))

    def _find_left(self, hunk: str) -> Sequence[str]:
        found = find_atoms(self._position.difference, hunk)
        return [atom for atom in found if atom in self._left]

    def _is_known(self, hunk: str) -> bool:
        found = find_atoms(self._position.difference, hunk)
        return any(atom in self._left or atom in self._own for atom in found)

    def describe_unknown(self, ids: Collection[str]) -> str:
        """What is wrong with ids that no hunk has which is left; empty where nothing is."""
        unknown = [each for each in ids if not self._is_known(each)]
        known = self._abbreviations
        for each in unknown:
            if len(meant := known.find(each)) > 1:
                return f"several hunks begin with {each}: {some_of(meant, _MOST_NAMED)}"
        named = some_of(unknown, _MOST_NAMED)
        if not named:
            return ""
        return (
            f"no hunk that is left has the id {named}; ids are those that read_diff shows in "
            "brackets"
        )

    def excludes(self, path: bytes) -> bool:
        """Whether the spec keeps a path from the commit in work."""
        commit = self.situation.spec.commits[self.situation.index]
        return commit.excludes(path, self.situation.case)

    def take(self, atoms: Collection[Atom]) -> int:
        """Take the hunks that the spec lets into the commit; return how many of them are new."""
        allowed = {
            atom.id
            for atom in atoms
            if not self.excludes(atom.path) and atom.id not in self.foreign
        }
        new = allowed - self.taken
        self.taken |= new
        return len(new)

    def describe_barred(self, atoms: Collection[Atom]) -> Iterator[str]:
        """Why the spec keeps some of these from the commit."""
        if barred := _name_paths(atom for atom in atoms if self.excludes(atom.path)):
            yield f"the spec excludes {barred} from this commit"
        if foreign := _name_paths(atom for atom in atoms if atom.id in self.foreign):
            yield f"the spec's 'files' give {foreign} to another commit"

    def put_back(self, ids: Collection[str]) -> int:
        """Give hunks of the commit back; return how many there were.

        Those that are on the branch already are released to a later commit. Raises ToolFault
        where nothing of the commit would be left.
        """
        named = {atom for each in ids for atom in find_atoms(self._position.difference, each)}
        returned, released = named & self.taken, (named & self._own) - self.released
        if released and not (self._own - self.released - released | self.taken - returned):
            raise ToolFault("that would leave the commit empty; take what it lacks instead")
        self.taken -= returned
        self.released |= released
        return len(returned) + len(released)

    @property
    def _own(self) -> frozenset[str]:
        """What the commit has on the branch, and no pin holds there."""
        situation = self.situation
        pins = find_pinned(replace(situation, taken={}))
        return frozenset(
            atom
            for atom, at in situation.taken.items()
            if at == situation.index and pins.get(atom) != at
        )

    def read(self, path: str) -> str:
        """A text file as the tree has it now, secrets masked."""
        name = self._check_name(path)
        if self._ground.never_send.matches(name):
            raise ToolFault(f"'{path}' is withheld: its content never leaves the user's machine")
        entry = self._tracker.trees.find(self.tree, name)
        if entry is None:
            raise ToolFault(f"there is no file '{path}' in the tree so far")
        if entry.is_tree:
            return self._list_directory(path, entry)
        if entry.is_submodule:
            return f"'{path}' is a submodule at commit {entry.oid}"
        content = self._read_content(entry)
        if content is None or b"\0" in content[:_BINARY_PROBE]:
            raise ToolFault(f"'{path}' is binary or too large to show")
        shown = self._ground.redactor.redact_bytes(content).decode("utf-8", "backslashreplace")
        return f"'{path}' is a symbolic link to: {shown}" if entry.is_symlink else shown

    def write(self, path: str, content: str) -> None:
        """Write a bridge at a path. Raises ToolFault where that is not allowed."""
        name = writable_path(path)
        data = content.encode("utf-8", "replace")
        if len(data) > LARGEST_BRIDGE:
            raise ToolFault(f"that is {len(data)} bytes; a bridge has at most {LARGEST_BRIDGE}")
        if name not in self.bridges and len(self.bridges) >= MOST_BRIDGES:
            raise ToolFault(f"{MOST_BRIDGES} files are written already, and no more may be")
        if self.excludes(name):
            raise ToolFault(f"the spec excludes '{path}' from this commit")
        if self._ground.never_send.matches(name):
            raise ToolFault(f"'{path}' is withheld: take its hunks, it cannot be written")
        if self._judges.bars_bridge(name):
            raise ToolFault(
                f"'{path}' judges the commit (the commands name or read it, or it is a test), so "
                "it cannot be written; take its hunks instead"
            )
        tree = self.tree
        self._refuse_occupied(tree, path, name)
        # A bridge with the source's bytes would be undone by nobody, and belong to nobody.
        self._refuse_source_bytes(path, name, data)
        # Against both: a mask that was pasted into a first bridge must not pass in the second.
        for original in self._list_originals(tree, name):
            fault = self._ground.redactor.find_fault(original, data)
            if fault is not None:
                raise ToolFault(f"'{path}' cannot be written: {fault}; take its hunks instead")
        self.bridges[name] = data

    def unwrite(self, path: str) -> None:
        """Take back a bridge of this conversation."""
        if self.bridges.pop(readable_path(path), None) is None:
            raise ToolFault(f"'{path}' was not written in this conversation")

    def _refuse_occupied(self, tree: str, path: str, name: bytes) -> None:
        """Raise ToolFault unless a plain file or nothing is there, with directories above."""
        parts = name.split(b"/")
        for depth in range(1, len(parts)):
            above = self._tracker.trees.find(tree, b"/".join(parts[:depth]))
            if above is not None and not above.is_tree:
                raise ToolFault(f"'{path}' would be beneath something that is no directory")
        entry = self._tracker.trees.find(tree, name)
        if entry is not None and not entry.is_file:
            raise ToolFault(f"'{path}' is no plain file; it cannot be written")
        if any(other.startswith(name + b"/") for other in self.bridges):
            raise ToolFault(f"'{path}' is a directory of what was written already")

    def _refuse_source_bytes(self, path: str, name: bytes, data: bytes) -> None:
        entry = self._tracker.trees.find(self.situation.difference.target, name)
        if entry is not None and entry.is_file and self._read_content(entry) == data:
            raise ToolFault(
                f"those bytes of '{path}' are in the source: use take_atoms with the path instead"
            )

    def _list_originals(self, tree: str, name: bytes) -> list[bytes]:
        """The file as it is, and as it was before a bridge; one empty content for a new file."""
        plain = self._tracker.tree(self._position, replace(self.choice, bridges=()))
        entries = (self._tracker.trees.find(each, name) for each in (plain, tree))
        found = [self._read_content(entry) for entry in entries if entry is not None]
        if None in found:
            raise ToolFault("the file that is there is too large to replace")
        return [content for content in found if content is not None] or [b""]

    def _read_content(self, entry: Entry) -> bytes | None:
        odb = self._ground.repository.objects.odb
        if object_size(odb, entry.oid) > _LARGEST_READ:
            return None
        return read_object(odb, entry.oid)

    def _list_directory(self, path: str, entry: Entry) -> str:
        names = (
            show_path(name) + ("/" if child.is_tree else "")
            for name, child in self._tracker.trees.read(entry.oid).items()
        )
        return f"'{path}' is a directory:\n" + "\n".join(names)

    def _check_name(self, path: str) -> bytes:
        """A path, checked. One that is not UTF-8 is named by what ``show_path`` makes of it."""
        for atom in self._left.values():
            # The model can only name what it was shown, which for such a path is not its bytes.
            if show_path(atom.path) == path != _decode_path(atom.path):
                return atom.path
        return readable_path(path)


def readable_path(text: str) -> bytes:
    """A path of the tree as git spells it. Raises ToolFault for one that no tool may reach."""
    try:
        return clean_path(text.encode("utf-8", "surrogatepass"))
    except ForbiddenPath as error:
        raise ToolFault(f"'{text}': {error}") from error


def writable_path(text: str) -> bytes:
    """As ``readable_path``; also raises ToolFault for a file that git or a forge obeys."""
    path = readable_path(text)
    if is_obeyed(path):
        raise ToolFault(f"'{text}' changes what git or a forge does, so it cannot be written")
    return path


def _name_paths(atoms: Iterable[Atom]) -> str:
    """Some of the paths of hunks, for people."""
    return ", ".join(sorted({show_path(atom.path) for atom in atoms})[:_MOST_NAMED])


def _decode_path(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
