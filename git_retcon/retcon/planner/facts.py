"""What is known of each atom before any message is read: where it is, what it defines."""

from collections.abc import Iterator, Mapping, Sequence, Set

from git_retcon.code.bindings import find_bindings
from git_retcon.code.definitions import find_definitions
from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.code.imports import may_import
from git_retcon.code.languages.known import language_of
from git_retcon.code.languages.language import Language
from git_retcon.code.versions import Version, know_version
from git_retcon.files.lockfiles import is_lock_file
from git_retcon.git.atoms import Atom, FileText, Kind, Span
from git_retcon.git.difference import Difference
from git_retcon.lazy_dataclass import dataclass

# Beyond this an atom is data, and more of it says nothing new.
_MOST_LINES = 400
_MOST_LENGTH = 400  # characters of a line: what a minified file has behind them is not read

Pair = tuple[int, int]  # two atoms, by their position in the difference
Origin = Mapping[int, int]  # of one atom: source commit (0 is the oldest) → lines that it left


@dataclass(frozen=True, slots=True)
class Facts:
    """One atom as the planner sees it.

    ``names`` are the definitions around it, innermost first, and ``headers`` the lines they begin
    on (of the new version, or of the old one for a pure removal); the first may be the atom's own.
    ``defines`` and ``undefines`` are names on added and on removed lines, ``bindings`` and
    ``unbindings`` likewise the variables and parameters.
    """

    atom: Atom
    language: Language
    classes: frozenset[FileClass]
    added: str
    removed: str
    around: str
    near: str
    names: tuple[str, ...]
    outermost: str
    defines: frozenset[str]
    undefines: frozenset[str]
    headers: tuple[int, ...]
    size: int
    traits: int
    bindings: frozenset[str]
    unbindings: frozenset[str]

    @property
    def imports_only(self) -> bool:
        """Whether it only brings names in, or lets them go."""
        return bool(self.traits >> TRAITS.index("imports") & 1)

    @property
    def weight(self) -> float:
        """How much the atom counts in an average: its lines, at most ten."""
        return float(min(self.size, 10))


# The bits of ``Facts.traits``, in order; the first is always set.
TRAITS = (
    "any", *(kind.value for kind in FileClass), "new file", "deleted file", "pure add", "pure del",
    "mixed", "imports", "comments", "blank", "short", "long", "large file", "defines",
)  # fmt: skip


def read_facts(difference: Difference) -> list[Facts]:
    """The facts of every atom, in the difference's order; linear in the text it touches."""
    found: list[Facts] = []
    reader = _Reader(difference)
    for atom in difference.atoms:
        found.append(reader.read(atom))
    return found


class _Reader:
    """Reads the atoms of one file after the other, and keeps the outlines of the present file."""

    def __init__(self, difference: Difference) -> None:
        self._texts = difference.texts
        self._path: bytes | None = None
        self._text: FileText | None = None
        self._versions: tuple[Version, Version] | None = None
        self._language = language_of(b"")
        self._classes: frozenset[FileClass] = frozenset()

    def read(self, atom: Atom) -> Facts:
        if atom.path != self._path:
            self._open_path(atom.path)
        added, removed = _clip_lines(atom.added), _clip_lines(atom.removed)
        added_text, removed_text = _decode_lines(added), _decode_lines(removed)
        defines = frozenset(self._find_defined(added))
        headers: tuple[int, ...] = ()
        # Whole entries (a binary file, a mode, a rename) have no lines to be around.
        names: tuple[str, ...] = ()
        around, near = "", ""
        outermost = atom.path.decode("utf-8", "replace")
        if atom.kind is Kind.LINES and self._text is not None:
            headers, names, around, near = self._place_atom(self._text, atom)
            # NUL is in no path and in no name, so two files never share a key.
            outermost += "\0" + (names[-1] if names else "")
        return Facts(
            atom=atom,
            language=self._language,
            classes=self._classes,
            added=added_text,
            removed=removed_text,
            around=around,
            near=near,
            names=names,
            outermost=outermost,
            defines=defines,
            undefines=frozenset(self._find_defined(removed)),
            headers=headers,
            size=max(1, len(atom.added) + len(atom.removed)),
            traits=self._find_traits(atom, added, removed, defines),
            bindings=find_bindings(added_text),
            unbindings=find_bindings(removed_text),
        )

    def _open_path(self, path: bytes) -> None:
        self._path = path
        self._language = language_of(path)
        self._classes = file_classes(path)
        # The languages' own patterns know of generated files by their names, not of every
        # ecosystem's lock files.
        if is_lock_file(path):
            self._classes |= {FileClass.GENERATED}
        self._text = text = self._texts.get(path)
        if text is not None:
            old, new = (know_version(self._language, each) for each in (text.old, text.new))
            self._versions = old, new

    def _place_atom(
        self, text: FileText, atom: Atom
    ) -> tuple[tuple[int, ...], tuple[str, ...], str, str]:
        assert self._versions is not None
        is_new = bool(len(atom.new))
        lines, span = (text.new, atom.new) if is_new else (text.old, atom.old)
        shape = self._versions[is_new].outline
        # A cut often leaves the blank line with the block below, and a blank line is in no
        # definition.
        first = next((at for at in range(span.start, span.stop) if lines[at].strip()), span.start)
        heads = list(shape.find_enclosing(first))
        around = _decode_lines([lines[at][:_MOST_LENGTH] for at in heads[:3]])
        own = [first] if shape.names(first) else []
        headers = (*own, *heads)
        names = tuple(shape.names(at)[0] for at in headers)
        near = _decode_lines([line[:_MOST_LENGTH] for line in _list_beside(lines, span)])
        return headers, names, around, near

    def _find_defined(self, lines: Sequence[bytes]) -> Iterator[str]:
        for line in lines:
            yield from find_definitions(line, self._language)

    def _only_imports(self, atom: Atom) -> bool:
        if self._text is None or self._versions is None:
            return False
        if not all(map(may_import, (*atom.removed, *atom.added))):
            return False
        return all(
            not version.lines[at].strip() or at in version.imports
            for version, span in zip(self._versions, (atom.old, atom.new), strict=True)
            for at in range(span.start, span.stop)
        )

    def _find_traits(
        self, atom: Atom, added: Sequence[bytes], removed: Sequence[bytes], defines: Set[str]
    ) -> int:
        text = self._text
        written = [line for line in (*added, *removed) if line.strip()]
        attached = self._language.attached
        whole = atom.kind is not Kind.LINES
        total = max(len(text.old), len(text.new)) if text is not None else 0
        tests = (
            True,
            *(kind in self._classes for kind in FileClass),
            text.is_new if text is not None else atom.kind is Kind.ADD,
            atom.kind is Kind.DELETE,
            not removed and not whole,
            not added and not whole,
            bool(added) and bool(removed),
            bool(written) and not whole and self._only_imports(atom),
            bool(written) and attached is not None and all(map(attached.match, written)),
            not written,
            # The bounds are those that the weights were fitted with: change them and fit again.
            len(added) + len(removed) <= 2,
            len(added) + len(removed) > 8,
            total > 100,
            bool(defines),
        )
        return sum(1 << bit for bit, holds in enumerate(tests) if holds)


def _clip_lines(lines: Sequence[bytes]) -> list[bytes]:
    return [line[:_MOST_LENGTH] for line in lines[:_MOST_LINES]]


def _list_beside(lines: Sequence[bytes], span: Span) -> Sequence[bytes]:
    return [*lines[max(0, span.start - 2) : span.start], *lines[span.stop : span.stop + 2]]


def _decode_lines(lines: Sequence[bytes]) -> str:
    return b"".join(lines).decode("utf-8", "replace")
