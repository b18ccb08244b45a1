"""The source of a reconciliation in chunks that each fit into a request: a whole tree, or what
changed since the last time.

Sizes are estimated before anything is loaded, and what is larger than allowed is never read. A tree
is kept as places in it; the text of a chunk is loaded when it is asked about.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from git_retcon.allium.reconcile.change_size import SelectSource
from git_retcon.allium.requests.diff_chunks import FileDiff, divide, find_group, group, read_diffs
from git_retcon.allium.store.spec_store import ReadSource
from git_retcon.code.definitions import find_definitions
from git_retcon.code.languages.known import language_of
from git_retcon.errors import Fatal
from git_retcon.git.graph import is_commit, tree_of
from git_retcon.git.lines import count_changed_lines
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_TREE, Entry, EntryChange, object_size, read_object
from git_retcon.model.never_send import NeverSend
from git_retcon.model.token_count import count_tokens
from git_retcon.show.counting import count
from git_retcon.show.style import show_path

_BYTES_PER_TOKEN = 4
# A changed line with its share of the lines around it.
_BYTES_PER_LINE = 60
_BINARY_HEAD = 8000  # bytes: git's own test of a binary file is a NUL byte among them


class ReadLimits(NamedTuple):
    """Tokens: of all source that is read at once, of a file before it is cut, of a chunk."""

    source: int
    file: int
    chunk: int


class TooLarge(Exception):
    """The source has more tokens than are allowed; the message says of both. Nothing was read."""


class SourceFile(NamedTuple):
    """A file of a tree, or some of its lines: the bytes from ``start`` to ``stop`` of a blob.

    ``label`` is its path for people, with the lines where it is cut: ``src/order.py:1-500``.
    """

    path: bytes
    label: str
    oid: str
    start: int
    stop: int

    @property
    def tokens(self) -> int:
        return -(-(self.stop - self.start) // _BYTES_PER_TOKEN)


SourcePart: TypeAlias = SourceFile | FileDiff


class SourceChunk(NamedTuple):
    """What is asked about at once; ``group_key`` is the folder of its first file."""

    group_key: str
    files: Sequence[SourcePart]

    @property
    def tokens(self) -> int:
        return sum(each.tokens for each in self.files)

    @property
    def paths(self) -> Sequence[bytes]:
        return list(dict.fromkeys(each.path for each in self.files))


class SourceReadResult(NamedTuple):
    """The chunks, and the files that cannot be read at all, with the reason.

    ``is_diff`` says that the chunks hold what changed; ``gone`` are the files that were removed.
    """

    chunks: Sequence[SourceChunk]
    skipped_files: Sequence[tuple[bytes, str]]
    is_diff: bool
    gone: frozenset[bytes] = frozenset()


class SourceReader:
    """Reads the source of one repository. ``select`` says which files are source."""

    def __init__(
        self,
        repository: Repository,
        select: SelectSource,
        never_send: NeverSend,
        limits: ReadLimits,
    ) -> None:
        self._repository = repository
        self._select = select
        self._never_send = never_send
        self._limits = limits

    @property
    def most_chunk_tokens(self) -> int:
        return self._limits.chunk

    def read(self, base: str | None, commit: str) -> SourceReadResult:
        """What changed since a commit, else the whole tree. Raises TooLarge for both."""
        # What a force-push took away cannot be compared with any more.
        if base is not None and is_commit(self._repository, base):
            try:
                return self.read_diff(base, commit)
            except TooLarge:
                pass  # a tree is cut by files, and may be smaller than years of changes
        return self.read_tree(commit)

    def read_tree(self, commit: str) -> SourceReadResult:
        """All source files of a commit. Raises TooLarge."""
        tree = tree_of(self._repository, commit)
        changes = self._select(self._repository.trees.changes(EMPTY_TREE, tree), tree)
        entries = [(each.path, each.new) for each in changes if each.new and each.new.is_file]
        total = sum(-(-self._find_size(entry) // _BYTES_PER_TOKEN) for _, entry in entries)
        self._check_size(total, "the source")
        skipped: list[tuple[bytes, str]] = []
        parts: list[SourceFile] = []
        for path, entry in entries:
            found = self._cut_file(path, entry)
            if isinstance(found, str):
                skipped.append((path, found))
            else:
                parts += found
        return SourceReadResult(self._make_chunks(group(parts, self._limits.chunk)), skipped, False)

    def read_diff(self, base: str, commit: str) -> SourceReadResult:
        """What changed between two commits, tree to tree. Raises TooLarge."""
        repository = self._repository
        old, new = tree_of(repository, base), tree_of(repository, commit)
        changes = self._select(repository.trees.changes(old, new), new)
        self._check_size(self._estimate_changes(changes), "what changed")
        skipped: list[tuple[bytes, str]] = []
        readable: list[EntryChange] = []
        for change in changes:
            why = self._find_reason(change)
            if why is None:
                readable.append(change)
            else:
                skipped.append((change.path, why))
        diffs = list(read_diffs(repository, readable, self._never_send))
        self._check_size(sum(diff.tokens for diff in diffs), "what changed")
        gone = frozenset(change.path for change in changes if change.new is None)
        chunks = self._make_chunks(divide(diffs, self._limits.chunk))
        return SourceReadResult(chunks, skipped, True, gone)

    def load(self, part: SourcePart) -> str:
        """The text of a part, below a line that names it."""
        if isinstance(part, FileDiff):
            return part.text
        content = read_object(self._repository.objects.odb, part.oid)[part.start : part.stop]
        text = content.decode("utf-8", "replace")
        return f"--- {part.label}\n{text}" + ("" if text.endswith("\n") else "\n")

    def has_file(self, tree: str, path: bytes) -> bool:
        """Whether something is at a path, readable or not."""
        return self._repository.trees.find(tree, path) is not None

    def read_file_of(self, tree: str) -> ReadSource:
        """A function that reads files of a tree, for their imports; None for what it withholds."""

        def read(path: bytes) -> bytes | None:
            entry = self._repository.trees.find(tree, path)
            if entry is None or not entry.is_file or self._never_send.matches(path):
                return None
            content = self._read_entry(entry)
            return None if isinstance(content, str) else content

        return read

    def _check_size(self, tokens: int, what: str) -> None:
        most = self._limits.source
        if tokens > most:
            raise TooLarge(f"{what} has {count(tokens, 'token')}, and {most:,} are allowed")

    def _find_size(self, entry: Entry) -> int:
        try:
            return object_size(self._repository.objects.odb, entry.oid)
        except Fatal:
            return 0  # it is missing, which is found out when it is read

    def _estimate_changes(self, changes: Sequence[EntryChange]) -> int:
        """At most so many tokens has a diff, by the sizes of files; where that would be too much,
        by the number of changed lines, for which one file at a time is loaded.
        """
        sizes = [
            sum(self._find_size(each) for each in (change.old, change.new) if each)
            for change in changes
        ]
        if sum(sizes) // _BYTES_PER_TOKEN <= self._limits.source:
            return sum(sizes) // _BYTES_PER_TOKEN
        return (
            sum(
                min(size, self._count_lines(change) * _BYTES_PER_LINE)
                for size, change in zip(sizes, changes, strict=True)
            )
            // _BYTES_PER_TOKEN
        )

    def _count_lines(self, change: EntryChange) -> int:
        """How many lines of a file changed; 0 where it is missing, which is found out later."""
        odb = self._repository.objects.odb
        try:
            old, new = (
                read_object(odb, each.oid) if each is not None and each.is_file else b""
                for each in (change.old, change.new)
            )
        except Fatal:
            return 0
        return count_changed_lines(old, new)

    def _find_reason(self, change: EntryChange) -> str | None:
        """Why a change cannot be read, or None."""
        if self._never_send.matches(change.path):
            return "it is withheld"
        for entry in (change.old, change.new):
            if entry is not None and isinstance(content := self._read_entry(entry), str):
                return content
        return None

    def _read_entry(self, entry: Entry) -> bytes | str:
        """The content of a text file, else why there is none."""
        if not entry.is_file:
            return "it is no file"
        try:
            content = read_object(self._repository.objects.odb, entry.oid)
        except Fatal:
            return "it is missing from the repository"
        return "it is binary" if b"\0" in content[:_BINARY_HEAD] else content

    def _cut_file(self, path: bytes, entry: Entry) -> Sequence[SourceFile] | str:
        """A file in parts of at most so many tokens, or why it cannot be read."""
        if self._never_send.matches(path):
            return "it is withheld"
        content = self._read_entry(entry)
        if isinstance(content, str):
            return content
        shown = show_path(path)
        if count_tokens(content) <= self._limits.file:
            return [SourceFile(path, shown, entry.oid, 0, len(content))]
        return [
            SourceFile(path, f"{shown}:{first}-{last}", entry.oid, start, stop)
            for first, last, start, stop in cut_lines(path, content, self._limits.file)
        ]

    def _make_chunks(self, groups: Sequence[Sequence[SourcePart]]) -> Sequence[SourceChunk]:
        return [SourceChunk(show_path(find_group(files[0].path)), files) for files in groups]


def cut_lines(path: bytes, content: bytes, most_tokens: int) -> Iterator[tuple[int, int, int, int]]:
    """Ranges of lines, from 1, and of bytes, of at most so many tokens, which together are the
    file. A range ends before a definition where one is in its second half; a line that alone is
    too large is a range.
    """
    language = language_of(path)
    most = max(1, most_tokens * _BYTES_PER_TOKEN)
    lines = content.splitlines(keepends=True)
    first = start = at = 0
    cut: tuple[int, int] | None = None  # the last good place: number of the line, its offset
    for number, line in enumerate(lines):
        if at + len(line) - start > most and at > start:
            last, stop = cut or (number, at)
            yield first + 1, last, start, stop
            first, start, cut = last, stop, None
        # A definition inside another is no better place than any line.
        is_outer = not line[:1].isspace() and bool(find_definitions(line, language))
        if is_outer and at - start > most // 2:
            cut = number, at
        at += len(line)
        if at - start > most and number > first:
            yield first + 1, number, start, at - len(line)
            first, start, cut = number, at - len(line), None
    if at > start:
        yield first + 1, len(lines), start, at
