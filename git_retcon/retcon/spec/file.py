"""The history specification on disk: read with errors that name file, line and remedy, and
written without touching a byte of anything but ``history``.

Unknown keys, comments and layout belong to the user and stay. Every write replaces the whole file
(see ``files.atomic``), after a check that no one else wrote it meanwhile.
"""

import codecs
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from git_retcon.errors import Fatal, Reason
from git_retcon.files.atomic import save
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.spec.first_history import add_history
from git_retcon.retcon.spec.history import Event, make_writable
from git_retcon.retcon.spec.layout import Layout, UnwritableTable, divide_text
from git_retcon.retcon.spec.line_numbers import Lines
from git_retcon.retcon.spec.model import BranchFault, LogicalCommit, PinLine, Spec
from git_retcon.retcon.spec.reader import SpecReader
from git_retcon.retcon.spec.unknown_keys import find_unknown_keys

if TYPE_CHECKING:
    from git_retcon.retcon.spec.commit_order import CommitEntry


class CommitText(Protocol):
    """The text of a specification, as something whose commits can be edited one by one."""

    @property
    def text(self) -> str:
        """All of it."""

    def with_history(self, index: int, history: Sequence[Event]) -> "CommitText":
        """With another history in one commit. Raises UnwritableTable."""

    def with_pins(self, index: int, pins: Sequence[PinLine]) -> "CommitText":
        """With other pins in one commit. Raises UnwritableTable."""

    def with_commit(self, message: str) -> "CommitText":
        """With one more commit below the last."""


@dataclass(frozen=True)
class SpecFile:
    """One specification file, and its content when it was last read or written."""

    path: Path
    content: bytes
    spec: Spec
    _text: CommitText = field(repr=False, compare=False)
    _values: Mapping[str, object] = field(repr=False, compare=False)

    @classmethod
    def load(cls, path: Path) -> "SpecFile":
        """Read and check a specification. Raises Fatal with file, line and remedy."""
        try:
            content = path.read_bytes()
        except FileNotFoundError as error:
            raise _miss_file(path) from error
        except OSError as error:
            raise Fatal(
                f"cannot read '{path}': {error.strerror}",
                hint="name the spec file itself, and correct its permissions",
            ) from error
        return cls.parse(path, content)

    @classmethod
    def parse(cls, path: Path, content: bytes) -> "SpecFile":
        """Check a content as if it were in the file. Raises Fatal as ``load`` does."""
        reader = SpecReader(path, content)
        values = reader.read_values()
        spec = reader.read_spec(values)
        # Editors of Windows put a mark in front, which TOML's grammar does not know.
        text = content.decode("utf-8-sig")
        layout = divide_text(text)
        in_tables = len(layout.commits) == len(spec.commits)
        return cls(
            path, content, spec, _Sections(layout) if in_tables else _WholeText(text), values
        )

    @contextlib.contextmanager
    def naming_lines(self) -> Iterator[None]:
        """Add to the error about a branch the line of the file that names the branch."""
        try:
            yield
        except BranchFault as fault:
            raise self._place_fault(Lines.of(self.content).key(fault.key), fault) from fault

    def unknown_keys(self) -> Iterator[str]:
        """A warning about each key that is not read, with its line."""
        lines = Lines.of(self.content)
        for found in find_unknown_keys(self._values):
            line = lines.key(found.key, found.commit)
            remedy = f"; {found.remedy}" if found.remedy else ""
            yield f"{self.path}:{line}: unknown key '{found.key}' is kept but not read{remedy}"

    def pins(self, index: int) -> Sequence[PinLine]:
        """The pins of one commit, with their comments."""
        return [
            PinLine(pin, self.find_pin(index, pin)[1]) for pin in self.spec.commits[index].hunks
        ]

    def find_pin(self, index: int, pin: str) -> tuple[int, str]:
        """The line of a pin of one commit, and the comment behind it."""
        lines = Lines.of(self.content)
        line = lines.item(pin, index)
        return line, lines.comment(line)

    def find_key(self, index: int, key: str) -> int:
        """The line of a key of one commit."""
        return Lines.of(self.content).key(key, index)

    def find_item(self, index: int, text: str) -> int:
        """The line of one commit that holds an item of a list."""
        return Lines.of(self.content).item(text, index)

    def fault_at_pin(self, index: int, pin: str, message: str, hint: str) -> Fatal:
        """A fault of a pin, with its line."""
        return self._place_fault(self.find_pin(index, pin)[0], Fatal(message, hint=hint))

    def append(self, index: int, *events: Event) -> "SpecFile":
        """Add events to the history of one logical commit and save."""
        history = (*self.spec.commits[index].history, *map(make_writable, events))
        return self.with_histories({index: history})

    def with_histories(self, histories: Mapping[int, Sequence[Event]]) -> "SpecFile":
        """Set the history of some logical commits and save.

        An empty one removes the key, unless comments belong to it.
        """
        self._check_unchanged()
        text, commits = self._text, list(self.spec.commits)
        for index, history in histories.items():
            with self._naming_table(index, "history"):
                text = text.with_history(index, history)
            commits[index] = replace(commits[index], history=tuple(history))
        return self._save_text(text, replace(self.spec, commits=tuple(commits)))

    def with_pins(self, pins: Mapping[int, Sequence[PinLine]]) -> "SpecFile":
        """Set the pins of some logical commits and save. None removes the key."""
        self._check_unchanged()
        written = self.write_pins(pins)
        return self._save_text(written._text, written.spec)

    def write_pins(self, pins: Mapping[int, Sequence[PinLine]]) -> "SpecFile":
        """The file with other pins of some logical commits, unsaved."""
        from git_retcon.retcon.spec.pin_entries import merge_pins

        text, commits = self._text, list(self.spec.commits)
        for index, wanted in pins.items():
            merged = merge_pins(commits[index].hunks, wanted)
            with self._naming_table(index, "pins"):
                text = text.with_pins(index, merged)
            commits[index] = replace(commits[index], hunks=tuple(pin.id for pin in merged))
        return replace(self, spec=replace(self.spec, commits=tuple(commits)), _text=text)

    def with_worktree(self, *, wanted: bool) -> "SpecFile":
        """The file with another ``worktree``, unsaved."""
        if self.spec.worktree == wanted:
            return self
        from git_retcon.retcon.spec.table_edits import write_worktree

        try:
            text = write_worktree(self._text.text, wanted=wanted)
        except UnwritableTable as error:
            hint = f"write it yourself: worktree = {'true' if wanted else 'false'}"
            fault = Fatal("no place is found for 'worktree'", hint=hint)
            raise self._place_fault(1, fault) from error
        return SpecFile.parse(self.path, self._encode_text(text))

    def rearrange(self, wanted: Sequence["CommitEntry"]) -> "SpecFile":
        """The file with these commits alone, unsaved. Raises Fatal where its layout forbids it."""
        from git_retcon.retcon.spec.commit_order import rearrange_commits

        if not isinstance(self._text, _Sections):
            raise self._place_fault(
                1,
                Fatal(
                    "the commits are not written as [[commit]] tables",
                    hint="give each commit a [[commit]] table, then run the same command again",
                    again=(),
                ),
            )
        messages = [commit.message for commit in self.spec.commits]
        with self._naming_table(0, "message"):
            text = rearrange_commits(self._text.layout, messages, wanted)
        return SpecFile.parse(self.path, self._encode_text(text))

    def render(self) -> bytes:
        """What would be in the file if it were saved now."""
        return self._encode_text(self._text.text)

    def _encode_text(self, text: str) -> bytes:
        mark = codecs.BOM_UTF8 if self.content.startswith(codecs.BOM_UTF8) else b""
        return mark + _match_line_ends(self.content, text.encode())

    def assume_pins(self, pins: Mapping[int, Sequence[PinLine]]) -> "SpecFile":
        """The same file with other pins, unsaved: for a plan."""
        commits = list(self.spec.commits)
        for index, wanted in pins.items():
            commits[index] = replace(commits[index], hunks=tuple(pin.id for pin in wanted))
        return replace(self, spec=replace(self.spec, commits=tuple(commits)))

    @contextlib.contextmanager
    def _naming_table(self, index: int, what: str) -> Iterator[None]:
        """Say which commit's table cannot be written."""
        try:
            yield
        except UnwritableTable as error:
            raise self._place_fault(
                Lines.of(self.content).commit(index),
                Fatal(
                    f"the {what} of commit {index + 1} cannot be written without a change of "
                    "its other keys",
                    hint="lay this [[commit]] out more simply, then run the same command again",
                    again=(),
                ),
            ) from error

    def with_commit(self, message: str) -> "SpecFile":
        """Add a ``[[commit]]`` at the end, set off by blank lines, and save."""
        self._check_unchanged()
        added = (*self.spec.commits, LogicalCommit(message))
        return self._save_text(self._text.with_commit(message), replace(self.spec, commits=added))

    def restore(self, content: bytes) -> "SpecFile":
        """Put an earlier content back and save."""
        self._check_unchanged()
        save(self.path, content)
        return SpecFile.load(self.path)

    def differs_in_history_alone(self, earlier: "SpecFile") -> bool:
        """Whether nobody edited it since: runs write histories, and add commits at the end."""
        text = earlier._text
        for commit in self.spec.commits[len(earlier.spec.commits) :]:
            text = text.with_commit(commit.message)
        try:
            both = [_without_histories(each, self.spec.commits) for each in (self._text, text)]
        except (UnwritableTable, IndexError):
            return False
        return both[0] == both[1]

    def _save_text(self, text: CommitText, spec: Spec) -> "SpecFile":
        content = self._encode_text(text.text)
        # An unchanged file keeps its time, for editors and for make.
        if content != self.content:
            save(self.path, content)
        return replace(self, content=content, spec=spec, _text=text)

    def _check_unchanged(self) -> None:
        try:
            on_disk = self.path.read_bytes()
        except OSError as error:
            raise Fatal(
                f"'{self.path}' cannot be read any more: {error.strerror}",
                hint="put it back, then run the same command again: nothing on the branch is lost",
                again=(),
            ) from error
        if on_disk != self.content:
            raise Fatal(
                f"'{self.path}' was edited during this run",
                hint="run the same command again: it goes on from your edit",
                reason=Reason.STALE_PLAN,
            )

    def _place_fault(self, line: int, fault: Fatal) -> Fatal:
        return Fatal(
            f"{self.path}:{line}: {fault}",
            hint=fault.hint,
            reason=Reason.INVALID,
            again=fault.again,
            commands=fault.commands,
        )


@dataclass(frozen=True, slots=True)
class _Sections:
    """``[[commit]]`` tables, the usual form: an edit parses and writes one of them."""

    layout: Layout

    @property
    def text(self) -> str:
        return self.layout.text

    def with_history(self, index: int, history: Sequence[Event]) -> "_Sections":
        at = self.layout.commits[index]
        before = self.layout.sections[at].body
        body = add_history(before, history)
        if body is None:
            from git_retcon.retcon.spec.history_entries import write_section

            body = write_section(before, history)
        return _Sections(self.layout.with_body(at, body))

    def with_pins(self, index: int, pins: Sequence[PinLine]) -> "_Sections":
        from git_retcon.retcon.spec.pin_entries import write_section

        at = self.layout.commits[index]
        body = write_section(self.layout.sections[at].body, pins)
        return _Sections(self.layout.with_body(at, body))

    def with_commit(self, message: str) -> "_Sections":
        from git_retcon.retcon.spec.history_entries import write_message

        return _Sections(self.layout.with_commit(write_message(message)))


@dataclass(frozen=True, slots=True)
class _WholeText:
    """``commit = [{ … }]``, and all else that TOML allows: an edit parses and writes all of it."""

    text: str

    def with_history(self, index: int, history: Sequence[Event]) -> "_WholeText":
        from git_retcon.retcon.spec.history_entries import write_inline

        return _WholeText(write_inline(self.text, index, history))

    def with_pins(self, index: int, pins: Sequence[PinLine]) -> "_WholeText":
        from git_retcon.retcon.spec.pin_entries import write_inline

        return _WholeText(write_inline(self.text, index, pins))

    def with_commit(self, message: str) -> "_WholeText":
        from git_retcon.retcon.spec.history_entries import add_inline

        return _WholeText(add_inline(self.text, message))


def _without_histories(text: CommitText, commits: Sequence[LogicalCommit]) -> str:
    for index in range(len(commits)):
        text = text.with_history(index, ())
    return text.text.replace("\r\n", "\n")


def _match_line_ends(model: bytes, content: bytes) -> bytes:
    """The content with the line ends of a model that is all CR LF; else as it is."""
    ends = model.count(b"\n")
    # A mixture has no rule to follow, and TOML takes either.
    if not ends or model.count(b"\r\n") != ends:
        return content
    return content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _miss_file(path: Path) -> Fatal:
    """A spec that is not there; with the one of nearly that name, if there is one."""
    # Late: both are for mistakes alone.
    from git_retcon.retcon.spec.discovery import is_spec
    from git_retcon.show.suggestion import find_similar

    beside = {each.name: each for each in path.parent.glob("*.toml") if is_spec(each)}
    meant = find_similar(path.name, beside)
    if meant is None:
        hint, command = "'git retcon prompt' says how to write one", ["git", "retcon", "prompt"]
    else:
        hint, command = f"did you mean '{beside[meant]}'?", ["git", "retcon", str(beside[meant])]
    return Fatal(
        f"no such spec file: '{path}'", hint=hint, reason=Reason.INVALID, commands=[command]
    )
