"""The files of a job as a model reads and changes them. It gets faults in words."""

import difflib
from collections.abc import Iterator

from git_retcon.files.beneath import File
from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.heal.engine import ModelTask
from git_retcon.heal.patches import FileChange
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.never_send import LARGEST_FILE, NeverSend, hide_lines
from git_retcon.model.redaction import Redactor
from git_retcon.model.toolloop import ToolFault
from git_retcon.show.counting import count

_LARGEST_READ = 1024 * 1024  # bytes
_LARGEST_WRITTEN = 256 * 1024
_BINARY_PROBE = 8000  # bytes that git looks at, too
_NEAREST = 3  # lines that are named where a text is not found
_LIKE = 0.5  # as difflib measures it


@dataclass(frozen=True)
class Discretion:
    """What never leaves this machine."""

    redactor: Redactor
    never_send: NeverSend


class DraftFiles:
    """Reads the state with the fixes so far, and writes fixes. Raises ToolFault."""

    def __init__(self, task: ModelTask, discretion: Discretion) -> None:
        self._task = task
        self._job = task.job
        self._discretion = discretion

    def list_paths(self) -> list[bytes]:
        """All paths of the state with the fixes, in order."""
        changes = self._job.draft.changes
        gone = {change.path for change in changes if change.new is None}
        return sorted((self._job.bench.paths | {change.path for change in changes}) - gone)

    def is_withheld(self, path: bytes) -> bool:
        return self._discretion.never_send.matches(path)

    def read(self, name: str) -> str:
        """A text file, its secrets masked."""
        path = clean_name(name)
        return self.mask(self._read_plain(name, path))

    def read_listed(self, path: bytes) -> str:
        """A file that was listed, secrets masked; empty where it cannot be shown."""
        if self.is_withheld(path):
            return ""
        # From the worktree: a git process for each file of a tree would take minutes.
        changed = path in {change.path for change in self._job.draft.changes}
        try:
            file = self._job.draft.read(path) if changed else self._job.bench.files.read(path)
        except (ForbiddenPath, OSError):
            return ""
        if file is None or not is_text(file.content):
            return ""
        return self.mask(file.content)

    def edit(self, name: str, old: str, new: str) -> str:
        """Replace the one place where ``old`` is; an empty one makes a file.

        Returns what was done.
        """
        path = clean_name(name)
        if old == "":
            return self._create_file(name, path, new)
        content = self._read_plain(name, path)
        self._refuse_secrets(name, content)
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            raise ToolFault(f"'{name}' is not UTF-8, so it cannot be edited") from error
        if "\r\n" in text and "\r" not in old:
            old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")
        times = text.count(old)
        if times != 1:
            raise ToolFault(_explain_mismatch(name, text, old, times))
        if old == new:
            raise ToolFault("old_string and new_string are the same; nothing was changed")
        self._put_content(name, path, text.replace(old, new).encode("utf-8", "surrogateescape"))
        line = text[: text.index(old)].count("\n") + 1
        return f"edited '{name}' at line {line}"

    def delete(self, name: str) -> str:
        """Remove a file. Returns what was done."""
        path = clean_name(name)
        content = self._read_plain(name, path)
        self._refuse_secrets(name, content)
        self._put_content(name, path, None)
        return f"deleted '{name}'"

    def hide_withheld(self, text: str) -> str:
        """A text without lines of the files that are withheld."""
        if not self._discretion.never_send.patterns:
            return text
        return hide_lines(text, self._list_withheld_lines())

    def mask(self, data: bytes) -> str:
        return self._discretion.redactor.redact_bytes(data).decode("utf-8", "backslashreplace")

    def _create_file(self, name: str, path: bytes, new: str) -> str:
        if self._read_file(path) is not None:
            raise ToolFault(f"'{name}' exists; name the text to replace in old_string")
        if self._is_ignored(path):
            raise ToolFault(f"git ignores '{name}', so it would be no part of the fix")
        self._put_content(name, path, new.encode("utf-8", "surrogateescape"))
        return f"created '{name}'"

    def _is_ignored(self, path: bytes) -> bool:
        git = self._job.bench.worktree.git
        return git.try_run("check-ignore", "-q", "--no-index", "--", path).returncode == 0

    def _put_content(self, name: str, path: bytes, content: bytes | None) -> None:
        if content is not None and len(content) > _LARGEST_WRITTEN:
            raise ToolFault(f"that is {len(content)} bytes; at most {_LARGEST_WRITTEN} are written")
        before = self._read_file(path)
        mode = before.mode if before is not None else 0o644
        after = None if content is None else File(content, mode)
        why = self._task.explain_frozen(FileChange(path, self._job.bench.read_base(path), after))
        if why:
            raise ToolFault(f"'{name}' cannot be changed: {why}")
        original = before.content if before is not None else b""
        fault = self._discretion.redactor.find_fault(original, content) if content else None
        if fault is not None:
            raise ToolFault(f"'{name}' cannot be written: {fault}")
        try:
            self._job.draft.put(path, after)
        except (ForbiddenPath, OSError) as error:
            raise ToolFault(f"'{name}' cannot be written: {error}") from error

    def _refuse_secrets(self, name: str, content: bytes) -> None:
        if self._discretion.redactor.find_spans(content):
            raise ToolFault(f"'{name}' holds a masked secret, so it can only be read")

    def _read_plain(self, name: str, path: bytes) -> bytes:
        if self.is_withheld(path):
            raise ToolFault(f"'{name}' is withheld: its content never leaves the user's machine")
        file = self._read_file(path)
        if file is None:
            raise ToolFault(f"there is no file '{name}'; glob lists those there are")
        if not is_text(file.content):
            raise ToolFault(f"'{name}' is binary or too large to show")
        return file.content

    def _read_file(self, path: bytes) -> File | None:
        """A file of the state: what steps generate beside it is not there."""
        if path in {change.path for change in self._job.draft.changes}:
            return self._job.draft.read(path)
        return self._job.bench.read_base(path) if path in self._job.bench.paths else None

    def _list_withheld_lines(self) -> Iterator[bytes]:
        for path in self._job.bench.paths:
            if self.is_withheld(path):
                file = self._job.bench.read_base(path)
                if file is not None and len(file.content) <= LARGEST_FILE:
                    yield from file.content.split(b"\n")


def is_text(content: bytes) -> bool:
    """Whether a content can be shown to a model."""
    return len(content) <= _LARGEST_READ and b"\0" not in content[:_BINARY_PROBE]


def clean_name(name: str) -> bytes:
    """A path of the tree as git spells it. Raises ToolFault for one that no tool may reach."""
    try:
        return clean_path(name.encode("utf-8", "surrogateescape"))
    except (ForbiddenPath, UnicodeEncodeError) as error:
        raise ToolFault(f"'{name}': {error}") from error


def _explain_mismatch(name: str, text: str, old: str, times: int) -> str:
    if times > 1:
        return (
            f"old_string is {count(times, 'time')} in '{name}', so nothing was changed; "
            "give more of the lines around the one that is meant"
        )
    lines = text.split("\n")
    first = next((line for line in old.split("\n") if line.strip()), "")
    like = difflib.get_close_matches(first, dict.fromkeys(lines), _NEAREST, _LIKE)
    near = [f"{lines.index(line) + 1}|{line}" for line in like]
    said = f"old_string is 0 times in '{name}', so nothing was changed"
    if not near:
        return f"{said}; read the file again"
    return f"{said}; the nearest lines are:\n" + "\n".join(near)
