"""The history specification on disk: reading it with errors that name file, line and remedy, and
writing its ``history`` without touching a byte of anything else.

Unknown keys, comments and layout are the person's and stay. Every write replaces the file whole
(see ``files.atomic``), after checking that nobody else wrote it meanwhile.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError
from tomlkit.items import AoT, Array, InlineTable, Item, Table

from git_retcon.errors import Fatal
from git_retcon.files.atomic import save
from git_retcon.retcon.history import CommitCreated, Complete, Event, Resolved, Stuck
from git_retcon.retcon.spec import LogicalCommit, Spec
from git_retcon.retcon.speclines import Lines

_ENTRIES = '{ commit_created = "…" }, { stuck = "…" }, { resolved = "…" } or "complete"'


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
            raise Fatal(f"cannot read '{path}': {error.strerror}") from error
        return cls.parse(path, content)

    @classmethod
    def parse(cls, path: Path, content: bytes) -> "SpecFile":
        """Check a content as if it stood in the file. Raises Fatal as ``load`` does."""
        reader = _Reader(path, content)
        document = reader.document()
        return cls(path, content, reader.spec(document), document)

    def append(self, index: int, *events: Event) -> "SpecFile":
        """Add events to the history of one logical commit and save."""
        history = (*self.spec.commits[index].history, *events)
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
        """Add a ``[[commit]]`` at the end and save."""
        self._check_unchanged()
        commits = self._document["commit"]
        assert isinstance(commits, (AoT, Array))
        table = tomlkit.table() if isinstance(commits, AoT) else tomlkit.inline_table()
        table.add("message", message)
        if isinstance(commits, AoT):
            commits[-1].add(tomlkit.nl())
        commits.append(table)
        added = (*self.spec.commits, LogicalCommit(message))
        return self._saved(replace(self.spec, commits=added))

    def restored(self, content: bytes) -> "SpecFile":
        """Put an earlier content back and save."""
        self._check_unchanged()
        save(self.path, content)
        return SpecFile.load(self.path)

    def _saved(self, spec: Spec) -> "SpecFile":
        content = self._document.as_string().encode()
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


@dataclass(frozen=True)
class _Reader:
    """Checks one content; every complaint names the line it is about."""

    path: Path
    content: bytes

    def spec(self, document: tomlkit.TOMLDocument) -> Spec:
        """Read the document as a specification."""
        top = {name: self._string(document, name) for name in ("source", "remote", "cleaned")}
        for name, value in top.items():
            if value is None:
                raise self._fault(1, f"'{name}' is missing", f'add a line: {name} = "…"')
        for other in ("source", "remote"):
            if top["cleaned"] == top[other]:
                raise self._fault(
                    self._lines.key("cleaned"),
                    f"'cleaned' is the same branch as '{other}'",
                    "name a new branch: the source is never moved",
                )
        return Spec(
            source=top["source"] or "",
            remote=top["remote"] or "",
            cleaned=top["cleaned"] or "",
            commits=tuple(
                self._commit(index, table) for index, table in enumerate(self._tables(document))
            ),
            setup=self._string(document, "setup"),
            build=self._string(document, "build"),
            test=self._string(document, "test"),
        )

    @property
    def _lines(self) -> Lines:
        return Lines(self.content.decode("utf-8", "replace"))

    def document(self) -> tomlkit.TOMLDocument:
        """Parse the content."""
        try:
            return tomlkit.parse(self.content.decode("utf-8"))
        except UnicodeDecodeError as error:
            line = self.content[: error.start].count(b"\n") + 1
            raise self._fault(line, "not UTF-8", "TOML files are UTF-8: save it again") from error
        except ParseError as error:
            said = str(error).partition(" at line")[0]
            raise self._fault(
                error.line, f"not TOML: {_lower(said)}", "mend the syntax (https://toml.io)"
            ) from error
        except TOMLKitError as error:
            raise self._fault(1, f"not TOML: {_lower(str(error))}", "mend the syntax") from error

    def _tables(self, document: tomlkit.TOMLDocument) -> Sequence[Table | InlineTable]:
        commits = document.get("commit")
        if commits is None or (isinstance(commits, (AoT, Array)) and len(commits) == 0):
            raise self._fault(
                self._lines.last, "no [[commit]]", 'add at least one: [[commit]] message = "…"'
            )
        if not isinstance(commits, (AoT, Array)) or not all(
            isinstance(table, (Table, InlineTable)) for table in commits
        ):
            raise self._fault(
                self._lines.key("commit"), "'commit' is not a list", "write [[commit]] tables"
            )
        return list(commits)

    def _commit(self, index: int, table: Table | InlineTable) -> LogicalCommit:
        message = self._string(table, "message", index)
        if message is None or not message.strip():
            raise self._fault(
                self._lines.commit(index),
                f"commit {index + 1} has no message",
                'add a line below [[commit]]: message = "…"',
            )
        return LogicalCommit(
            message=message,
            hints=self._string(table, "hints", index) or "",
            files=self._strings(table, "files", index),
            exclude=self._strings(table, "exclude", index),
            history=self._history(index, table),
        )

    def _history(self, index: int, table: Table | InlineTable) -> tuple[Event, ...]:
        entries = table.get("history", [])
        if not isinstance(entries, (list, AoT, Array)):
            raise self._fault(
                self._lines.key("history", index),
                f"'history' of commit {index + 1} is not a list",
                "write history = [ … ], or remove it to start this commit anew",
            )
        return tuple(
            self._event(index, number, entry)
            for number, entry in enumerate(tomlkit.item(entries).unwrap())
        )

    def _event(self, index: int, number: int, entry: object) -> Event:
        match entry:
            case "complete":
                return Complete()
            case {"commit_created": str(oid), **rest} if not rest and _is_oid(oid):
                return CommitCreated(oid)
            case {"stuck": str(summary), **rest} if not rest:
                return Stuck(summary)
            case {"resolved": str(note), **rest} if not rest:
                return Resolved(note)
        raise self._fault(
            self._lines.history_entry(index, number),
            f"unknown history entry in commit {index + 1}: {_shown(entry)}",
            f"an entry is {_ENTRIES}",
        )

    def _string(self, table: Mapping[str, Item], name: str, index: int | None = None) -> str | None:
        value = table.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self._fault(
                self._lines.key(name, index), f"'{name}' is not a string", f'write {name} = "…"'
            )
        if name != "hints" and "\0" in value:
            raise self._fault(self._lines.key(name, index), f"'{name}' holds NUL", "remove it")
        return str(value)

    def _strings(self, table: Mapping[str, Item], name: str, index: int) -> tuple[str, ...]:
        value = table.get(name)
        if value is None:
            return ()
        items = tomlkit.item(value).unwrap()
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise self._fault(
                self._lines.key(name, index),
                f"'{name}' is not a list of strings",
                f'write {name} = ["src/a.py", "docs/"]',
            )
        return tuple(items)

    def _fault(self, line: int, message: str, hint: str) -> Fatal:
        return Fatal(f"{self.path}:{line}: {message}", hint=hint)


def _check_written(content: bytes, spec: Spec) -> None:
    """Read what is about to be written with another parser: the file is the only state there is."""
    found = tomllib.loads(content.decode())["commit"]
    for table, commit in zip(found, spec.commits, strict=True):
        if table.get("history", []) != _values(commit.history) and commit.history:
            raise AssertionError(f"history of '{commit.subject}' would not be read back")


def _set_history(table: Table | InlineTable, history: Sequence[Event]) -> None:
    """Write one history as an inline array, kept where it was or below the commit's last key."""
    current = table.get("history")
    if not history:
        if current is not None:
            del table["history"]
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
    blank_below = isinstance(current, AoT) and current.as_string().endswith("\n\n")
    if current is not None:
        del table["history"]
    _insert_below_last_key(table, array)
    if blank_below and isinstance(table, Table):
        table.add(tomlkit.nl())


def _close_on_own_line(array: Array) -> None:
    text = array.as_string()
    if not text.rstrip("]").endswith("\n"):
        array.add_line(indent="")


def _insert_below_last_key(table: Table | InlineTable, array: Array) -> None:
    body = table.value.body
    keys = [key for key, _ in body if key is not None]
    if isinstance(table, InlineTable) or not keys:
        table["history"] = array
        return
    # tomlkit keeps the blank lines and comments before the next header in this table; a plain
    # append would put the history below them
    table.value._insert_after(keys[-1], "history", array)


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


def _is_oid(text: str) -> bool:
    return 4 <= len(text) <= 64 and all(letter in "0123456789abcdefABCDEF" for letter in text)


def _shown(entry: object) -> str:
    text = repr(entry)
    return text if len(text) <= 60 else text[:57] + "..."


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:].rstrip(".")
