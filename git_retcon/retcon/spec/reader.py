"""Reading a history specification: what it says, or a complaint with file, line and remedy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError
from tomlkit.items import AoT, Array, InlineTable, Item, Table

from git_retcon.errors import Fatal
from git_retcon.retcon.spec.history import CommitCreated, Complete, Event, Resolved, Stuck
from git_retcon.retcon.spec.lines import Lines
from git_retcon.retcon.spec.model import LogicalCommit, Spec

_ENTRIES = '{ commit_created = "…" }, { stuck = "…" }, { resolved = "…" } or "complete"'


@dataclass(frozen=True)
class SpecReader:
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
                    f"name a new branch: the {other} is never moved",
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
            text = self.content.decode("utf-8-sig")
            document = tomlkit.parse(text)
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
        if document.as_string() != text:
            raise self._fault(
                self._lines.between_commits(),
                "another table stands between the [[commit]] tables",
                "move it below the last of them: it would be moved when the history is written",
            )
        return document

    def _tables(self, document: tomlkit.TOMLDocument) -> Sequence[Table | InlineTable]:
        commits = document.get("commit")
        if commits is None or (isinstance(commits, (AoT, Array)) and len(commits) == 0):
            raise self._fault(
                self._lines.last,
                "no [[commit]]",
                'add at least one: a line [[commit]], and below it message = "…"',
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
        # as tomllib does, so that a file saved by another editor asks for the same commits
        return value.replace("\r\n", "\n")

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


def _is_oid(text: str) -> bool:
    return 4 <= len(text) <= 64 and all(letter in "0123456789abcdefABCDEF" for letter in text)


def _shown(entry: object) -> str:
    text = repr(entry)
    return text if len(text) <= 60 else text[:57] + "..."


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:].rstrip(".")
