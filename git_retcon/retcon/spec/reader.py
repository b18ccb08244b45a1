"""Read a history specification, or complain with file, line and remedy."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from git_retcon.errors import Fatal, Reason, lower_first
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.spec.history import Event, read_event
from git_retcon.retcon.spec.hunk_parts import is_hunk_id
from git_retcon.retcon.spec.layout import find_headers
from git_retcon.retcon.spec.line_numbers import Lines
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.show.style import shorten
from git_retcon.show.suggestion import find_similar

_ENTRIES = '{ commit_created = "…" }, { stuck = "…" }, { resolved = "…" } or "complete"'


@dataclass(frozen=True)
class SpecReader:
    """Checks one content; every complaint names the line it is about."""

    path: Path
    content: bytes

    def read_spec(self, document: Mapping[str, object]) -> Spec:
        """Check the values, and make a spec of them."""
        top = {name: self._read_string(document, name) for name in ("source", "remote", "cleaned")}
        for name, value in top.items():
            if value is None:
                raise self._make_fault(1, f"'{name}' is missing", f'add a line: {name} = "…"')
        for other in ("source", "remote"):
            if top["cleaned"] == top[other]:
                raise self._make_fault(
                    self._lines.key("cleaned"),
                    f"'cleaned' is the same branch as '{other}'",
                    f"name a new branch: the {other} is never moved",
                )
        return Spec(
            source=top["source"] or "",
            remote=top["remote"] or "",
            cleaned=top["cleaned"] or "",
            commits=tuple(
                self._read_commit(index, table)
                for index, table in enumerate(self._read_tables(document))
            ),
            setup=self._read_string(document, "setup"),
            build=self._read_string(document, "build"),
            test=self._read_string(document, "test"),
            worktree=self._read_worktree(document),
        )

    def read_values(self) -> dict[str, object]:
        """The TOML as plain values."""
        try:
            text = self.content.decode("utf-8-sig")
            values = tomllib.loads(text)
        except UnicodeDecodeError as error:
            line = self.content[: error.start].count(b"\n") + 1
            raise self._make_fault(
                line, "not UTF-8", "TOML files are UTF-8: save it again"
            ) from error
        except tomllib.TOMLDecodeError as error:
            said, _, place = str(error).partition(" (at ")
            found = re.match(r"line (\d+)", place)
            line = int(found[1]) if found else self._lines.last
            raise self._make_fault(
                line, f"not TOML: {lower_first(said)}", "correct the syntax (https://toml.io)"
            ) from error
        self._refuse_stray_tables(text)
        return values

    def _refuse_stray_tables(self, text: str) -> None:
        """Refuse a table of a commit after another table, where no save would find it."""
        in_commit = False
        for header in find_headers(text):
            if header.name == "commit" and header.is_dotted and not in_commit:
                raise self._make_fault(
                    header.line,
                    "another table is between a [[commit]] and this table of it",
                    "move this table up, directly below its [[commit]]",
                )
            if not (header.name == "commit" and header.is_dotted):
                in_commit = header.begins_commit

    @property
    def _lines(self) -> Lines:
        return Lines.of(self.content)

    def _read_tables(self, document: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
        commits = document.get("commit")
        if commits is None and (wrong := find_similar("commit", document)):
            line = self._lines.key(wrong)
            raise self._make_fault(line, f"nothing reads '{wrong}'", "did you mean [[commit]]?")
        if commits is None or commits == []:
            raise self._make_fault(
                self._lines.last,
                "no [[commit]]",
                'add at least one: a line [[commit]], and below it message = "…"',
            )
        if not isinstance(commits, list) or not all(isinstance(each, dict) for each in commits):
            raise self._make_fault(
                self._lines.key("commit"), "'commit' is not a list", "write [[commit]] tables"
            )
        return commits

    def _read_commit(self, index: int, table: Mapping[str, object]) -> LogicalCommit:
        message = self._read_string(table, "message", index)
        if message is None or not message.strip():
            raise self._make_fault(
                self._lines.commit(index),
                f"commit {index + 1} has no message",
                'add a line below [[commit]]: message = "…"',
            )
        for name in ("setup", "build", "test"):
            if name in table:
                raise self._make_fault(
                    self._lines.key(name, index),
                    f"'{name}' is below a [[commit]], where it does not count",
                    "move the line above the first [[commit]]",
                )
        return LogicalCommit(
            message=message,
            hints=self._read_string(table, "hints", index) or "",
            files=self._read_strings(table, "files", index),
            exclude=self._read_strings(table, "exclude", index),
            hunks=self._read_pins(table, index),
            history=self._read_history(index, table),
        )

    def _read_history(self, index: int, table: Mapping[str, object]) -> tuple[Event, ...]:
        entries = table.get("history", [])
        if not isinstance(entries, list):
            raise self._make_fault(
                self._lines.key("history", index),
                f"'history' of commit {index + 1} is not a list",
                "write history = [ … ], or remove it to build this commit again",
            )
        return tuple(self._read_event(index, number, entry) for number, entry in enumerate(entries))

    def _read_event(self, index: int, number: int, entry: object) -> Event:
        event = read_event(entry)
        if event is None:
            raise self._make_fault(
                self._lines.history_entry(index, number),
                f"unknown history entry in commit {index + 1}: {shorten(repr(entry), 60)}",
                f"an entry is {_ENTRIES}",
            )
        return event

    def _read_string(
        self, table: Mapping[str, object], name: str, index: int | None = None
    ) -> str | None:
        value = table.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self._make_fault(
                self._lines.key(name, index), f"'{name}' is not a string", f'write {name} = "…"'
            )
        if name != "hints" and "\0" in value:
            raise self._make_fault(self._lines.key(name, index), f"'{name}' holds NUL", "remove it")
        # As tomllib does, so that a file saved by another editor means the same commits.
        return value.replace("\r\n", "\n")

    def _read_worktree(self, document: Mapping[str, object]) -> bool:
        value = document.get("worktree", False)
        if not isinstance(value, bool):
            raise self._make_fault(
                self._lines.key("worktree"),
                "'worktree' is not true or false",
                "write worktree = true to take along what is not committed on the source",
            )
        return value

    def _read_strings(
        self,
        table: Mapping[str, object],
        name: str,
        index: int,
        example: str = '"src/a.py", "docs/"',
    ) -> tuple[str, ...]:
        value = table.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._make_fault(
                self._lines.key(name, index),
                f"'{name}' is not a list of strings",
                f"write {name} = [{example}]",
            )
        return tuple(value)

    def _read_pins(self, table: Mapping[str, object], index: int) -> tuple[str, ...]:
        pins = self._read_strings(table, "hunks", index, '"1f3a9c20"')
        for pin in pins:
            if not is_hunk_id(pin):
                raise self._make_fault(
                    self._lines.item(pin, index),
                    f"not the id of a hunk: {shorten(repr(pin), 60)}",
                    "an id is at least 4 of the digits that 'git retcon -n' prints; for a part of "
                    "the hunk its lines follow, as in 1f3a:1-22",
                )
        return pins

    def _make_fault(self, line: int, message: str, hint: str) -> Fatal:
        return Fatal(f"{self.path}:{line}: {message}", hint=hint, reason=Reason.INVALID)
