"""The history specification on disk: reading it with errors that name file, line and remedy, and
writing its ``history`` without touching a byte of anything else.

Unknown keys, comments and layout are the person's and stay. Every write replaces the file whole
(see ``files.atomic``), after checking that nobody else wrote it meanwhile.
"""

import codecs
import contextlib
import itertools
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import tomlkit
from tomlkit.items import AoT, Array, Comment, InlineTable, Item, Table, Whitespace

from git_retcon.errors import Fatal
from git_retcon.files.atomic import save
from git_retcon.retcon.spec.history import CommitCreated, Complete, Event, Resolved, Stuck
from git_retcon.retcon.spec.lines import Lines
from git_retcon.retcon.spec.model import BranchFault, LogicalCommit, Spec
from git_retcon.retcon.spec.reader import SpecReader
from git_retcon.retcon.spec.unknown_keys import misspelled


@dataclass(frozen=True)
class SpecFile:
    """One specification file and what it said when it was read or last written.

    The parsed document is handed on from each value to the one made from it, because parsing is
    what costs time; only the newest value may be edited further.
    """

    path: Path
    content: bytes
    spec: Spec
    _document: tomlkit.TOMLDocument = field(repr=False, compare=False)

    @classmethod
    def load(cls, path: Path) -> "SpecFile":
        """Read and check a specification. Raises Fatal with file, line and remedy."""
        try:
            content = path.read_bytes()
        except FileNotFoundError as error:
            raise Fatal(
                f"no such spec file: '{path}'", hint="'git retcon prompt' says how to write one"
            ) from error
        except OSError as error:
            raise Fatal(
                f"cannot read '{path}': {error.strerror}",
                hint="name the spec file itself, and mend its permissions",
            ) from error
        return cls.parse(path, content)

    @classmethod
    def parse(cls, path: Path, content: bytes) -> "SpecFile":
        """Check a content as if it stood in the file. Raises Fatal as ``load`` does."""
        reader = SpecReader(path, content)
        document = reader.document()
        return cls(path, content, reader.spec(document), document)

    @contextlib.contextmanager
    def naming_lines(self) -> Iterator[None]:
        """Say of a branch that is at fault in this block on which line of the file it is named."""
        try:
            yield
        except BranchFault as fault:
            line = Lines(self.content.decode("utf-8", "replace")).key(fault.key)
            raise Fatal(f"{self.path}:{line}: {fault}", hint=fault.hint) from fault

    def misspelled(self) -> Iterator[str]:
        """What is to be said of keys that are not read and look like one that is."""
        lines = Lines(self.content.decode("utf-8", "replace"))
        for found in misspelled(self._document):
            yield (
                f"{self.path}:{lines.key(found.key, found.commit)}: unknown key '{found.key}' is "
                f"kept but not read; did you mean '{found.meant}'?"
            )

    def append(self, index: int, *events: Event) -> "SpecFile":
        """Add events to the history of one logical commit and save."""
        history = (*self.spec.commits[index].history, *map(_writable, events))
        return self.with_histories({index: history})

    def with_histories(self, histories: Mapping[int, Sequence[Event]]) -> "SpecFile":
        """Set the history of some logical commits (empty removes the key) and save."""
        self._check_unchanged()
        tables = _commit_tables(self._document)
        commits = list(self.spec.commits)
        for index, history in histories.items():
            _set_history(tables[index], history)
            commits[index] = replace(commits[index], history=tuple(history))
        return self._saved(replace(self.spec, commits=tuple(commits)))

    def with_commit(self, message: str) -> "SpecFile":
        """Add a ``[[commit]]`` at the end, set off by blank lines, and save."""
        self._check_unchanged()
        commits = self._document["commit"]
        assert isinstance(commits, (AoT, Array))
        table = tomlkit.table() if isinstance(commits, AoT) else tomlkit.inline_table()
        table.add("message", message)
        if isinstance(commits, AoT):
            _end_with_blank_line(commits[-1])
            if list(self._document)[-1] != "commit":
                table.add(tomlkit.nl())
        commits.append(table)
        added = (*self.spec.commits, LogicalCommit(message))
        return self._saved(replace(self.spec, commits=added))

    def restored(self, content: bytes) -> "SpecFile":
        """Put an earlier content back and save."""
        self._check_unchanged()
        save(self.path, content)
        return SpecFile.load(self.path)

    def _saved(self, spec: Spec) -> "SpecFile":
        mark = codecs.BOM_UTF8 if self.content.startswith(codecs.BOM_UTF8) else b""
        content = mark + _ends_as(self.content, self._document.as_string().encode())
        if content != self.content:
            _check_written(content, spec)
            save(self.path, content)
        return replace(self, content=content, spec=spec)

    def _check_unchanged(self) -> None:
        try:
            on_disk = self.path.read_bytes()
        except OSError as error:
            raise Fatal(
                f"'{self.path}' cannot be read any more: {error.strerror}",
                hint="put it back, then run the same command again: nothing on the branch is lost",
            ) from error
        if on_disk != self.content:
            raise Fatal(
                f"'{self.path}' was edited during this run",
                hint="run the same command again: it goes on from your edit",
            )


def _ends_as(model: bytes, content: bytes) -> bytes:
    """The content with the line ends of a model that is all CR LF; else as it is."""
    ends = model.count(b"\n")
    if not ends or model.count(b"\r\n") != ends:
        return content
    return content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _check_written(content: bytes, spec: Spec) -> None:
    """Read what is about to be written with another parser: the file is the only state there is."""
    found = tomllib.loads(content.decode("utf-8-sig"))["commit"]
    for table, commit in zip(found, spec.commits, strict=True):
        if table.get("history", []) != _values(commit.history) and commit.history:
            raise AssertionError(f"history of '{commit.subject}' would not be read back")


def _set_history(table: Table | InlineTable, history: Sequence[Event]) -> None:
    """Write one history as an inline array, kept where it was or below the commit's last key."""
    current = table.get("history")
    if not history:
        _remove_history(table)
        return
    known = len(current.unwrap()) if isinstance(current, Array) else 0
    if isinstance(current, Array) and known and _values(history[:known]) == current.unwrap():
        for event in history[known:]:
            current.add_line(_toml(event))
        _close_on_own_line(current)
        return
    array = tomlkit.array()
    for event in history:
        array.add_line(_toml(event))
    _close_on_own_line(array)
    below = _trailing(current) if isinstance(current, AoT) else []
    _remove_history(table)
    _insert_below_last_key(table, array)
    if isinstance(table, Table):
        for item in below:
            table.add(item)


def _remove_history(table: Table | InlineTable) -> None:
    # not `del`: the table itself has no record of a key that was inserted into its container
    if "history" in table.value:
        table.value.remove("history")
    dict.pop(table, "history", None)


def _trailing(tables: AoT) -> list[Comment | Whitespace]:
    """The blank lines and comments below the last table: they are about what follows."""
    found: list[Comment | Whitespace] = []
    for key, item in reversed(tables[-1].value.body):
        if key is not None or not isinstance(item, (Comment, Whitespace)):
            break
        found.append(item)
    return found[::-1]


def _end_with_blank_line(table: Table) -> None:
    text = table.as_string()
    for _ in range(2 - text[len(text.rstrip()) :].count("\n")):
        table.add(tomlkit.nl())


def _close_on_own_line(array: Array) -> None:
    text = array.as_string()
    if not text.rstrip("]").endswith("\n"):
        array.add_line(indent="")


def _insert_below_last_key(table: Table | InlineTable, array: Array) -> None:
    body = table.value.body
    # a key below [commit.some] would belong to that table
    own = itertools.takewhile(lambda pair: not isinstance(pair[1], (Table, AoT)), body)
    keys = [key for key, _ in own if key is not None]
    if isinstance(table, InlineTable) or not keys:
        table["history"] = array
        return
    # tomlkit keeps the blank lines and comments before the next header in this table; a plain
    # append would put the history below them
    table.value._insert_after(keys[-1], "history", array)


def _writable(event: Event) -> Event:
    """An event whose text can be written: bytes that are not UTF-8 are escaped."""
    match event:
        case Stuck(text):
            return Stuck(_encodable(text))
        case Resolved(text):
            return Resolved(_encodable(text))
        case _:
            return event


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _toml(event: Event) -> Item:
    value = _values([event])[0]
    if isinstance(value, str):
        return tomlkit.string(value)
    ((key, text),) = value.items()
    return tomlkit.value(f"{{ {key} = {tomlkit.string(text).as_string()} }}")


def _values(events: Sequence[Event]) -> list[str | dict[str, str]]:
    values: list[str | dict[str, str]] = []
    for event in events:
        match event:
            case CommitCreated(oid):
                values.append({"commit_created": oid})
            case Stuck(summary):
                values.append({"stuck": summary})
            case Resolved(note):
                values.append({"resolved": note})
            case Complete():
                values.append("complete")
    return values


def _commit_tables(document: tomlkit.TOMLDocument) -> Sequence[Table | InlineTable]:
    commits = document["commit"]
    assert isinstance(commits, (AoT, Array))
    return list(commits)
