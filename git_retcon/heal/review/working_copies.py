"""Working files beside what git has of them: the same file may have other line ends, or another
``$Id$``, in the working tree than a checkout would write.

A fix is made of files as a checkout writes them. Here it is fitted to the files that are there.
"""

import os
from collections.abc import Sequence

from git_retcon.files.beneath import Beneath, File
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.git.lines import diff_lines, split_lines
from git_retcon.heal.check_situation import Checkout
from git_retcon.heal.patches import FileChange
from git_retcon.run.clone import list_alternates
from git_retcon.run.temporary_folder import open_temporary
from git_retcon.show.style import show_path

CHANGED = "has changed since it was checked"
_INEXACT = "differs from what git would check out, in lines of the fix"
# A conversion that the user wants a warning or an error of is undone before anything is written.
_CONVERT = ("-c", "core.safecrlf=false")


class HeldBack(Exception):
    """A change that cannot be made in the working files; the message names the file."""

    def __init__(self, path: bytes, why: str) -> None:
        super().__init__(f"'{show_path(path)}' {why}")


class WorkingCopies:
    """The working files of one checkout."""

    def __init__(self, checkout: Checkout) -> None:
        self._checkout = checkout
        self._files = Beneath(checkout.top)

    def read(self, path: bytes) -> File | None:
        """A file as it is."""
        try:
            return self._files.read(path)
        except ForbiddenPath:
            return File(b"\0a link or a folder\0")  # which no fix was made of

    def read_as_checked_out(self, path: bytes) -> File | None:
        """A file as a checkout would write it, had it been committed; as it is, where git refuses
        that.
        """
        file = self.read(path)
        return None if file is None else File(self._check_out(path, file.content), file.mode)

    def fit(self, change: FileChange) -> FileChange:
        """The same change of the working file: what it leaves alone stays as it is, byte by byte.

        Raises HeldBack where the file is neither as it was checked nor as it is to be, but for what
        git does not keep, or where such a difference is in the lines of the change itself.
        """
        path, now = change.path, self.read(change.path)
        here, before, after = map(_find_content, (now, change.old, change.new))
        if here in (before, after):
            return FileChange(path, now, _replace_content(now, change, after))
        if here is None:
            raise HeldBack(path, CHANGED)
        as_git_has_it = self._check_out(path, here)
        if as_git_has_it == after:
            return FileChange(path, now, _replace_content(now, change, here))
        if before is None or as_git_has_it != before:
            raise HeldBack(path, CHANGED)
        made = keep_line_ends(here, before, after or b"")
        if made is None:
            raise HeldBack(path, _INEXACT)
        if after is None:
            return FileChange(path, now, None)
        # The last word is git's: what it would commit is what was proved.
        if self._check_out(path, made) != self._check_out(path, after):
            raise HeldBack(path, _INEXACT)
        return FileChange(path, now, _replace_content(now, change, made))

    def _check_out(self, path: bytes, content: bytes) -> bytes:
        """What git makes of a content when it commits it and writes it again; the repository gets
        no object of it.
        """
        git = self._checkout.git
        with open_temporary("git-heal.copies-") as folder:
            (folder / "info").mkdir()
            (folder / "info/alternates").write_bytes(list_alternates(self._checkout.repository))
            env = {"GIT_OBJECT_DIRECTORY": os.fspath(folder)}
            name = b"--path=" + path
            cleaned = git.try_run(
                *_CONVERT, "hash-object", "-w", "--stdin", name, stdin=content, env=env
            )
            if cleaned.returncode != 0:
                return content
            blob = cleaned.stdout.strip()
            written = git.try_run(*_CONVERT, "cat-file", "--filters", name, blob, env=env)
            return written.stdout if written.returncode == 0 else content


def keep_line_ends(here: bytes, old: bytes, new: bytes) -> bytes | None:
    """The change from ``old`` to ``new``, made in ``here``, which has the same lines with other
    ends, or with other texts in lines that the change leaves alone. None where a line of the change
    has another text here, or where the lines are not the same number.
    """
    ours, before, after = split_lines(here), split_lines(old), split_lines(new)
    # In the lines of UTF-16, as of a binary file, an end is not what it is elsewhere.
    if len(ours) != len(before) or b"\0" in here:
        return None
    made: list[bytes] = []
    at = 0
    for hunk in diff_lines(before, after):
        start, stop = hunk.old.start, hunk.old.stop
        if any(_strip_end(ours[one]) != _strip_end(before[one]) for one in range(start, stop)):
            return None
        made += ours[at:start]
        for number, line in enumerate(after[hunk.new.start : hunk.new.stop]):
            # In the place of one of the lines, or beside the last of them, or the one before.
            place = max(min(start + number, stop - 1), 0)
            made.append(_strip_end(line) + _find_end(ours, place) if _is_ended(line) else line)
        at = stop
    return b"".join([*made, *ours[at:]])


def _find_end(lines: Sequence[bytes], place: int) -> bytes:
    """How a line ends: this one, or the nearest before it that has an end."""
    for line in reversed(lines[: place + 1]):
        if _is_ended(line):
            return b"\r\n" if line.endswith(b"\r\n") else b"\n"
    return b"\n"


def _strip_end(line: bytes) -> bytes:
    return line[:-1].removesuffix(b"\r") if _is_ended(line) else line


def _is_ended(line: bytes) -> bool:
    return line.endswith(b"\n")


def _replace_content(now: File | None, change: FileChange, content: bytes | None) -> File | None:
    """A file with the permissions that it has here, unless the fix is about them."""
    if content is None:
        return None
    if now is None:
        return File(content, change.new.mode if change.new is not None else None)
    made = File(content, now.mode)
    return made if change.new_mode is None else made.with_git_mode(change.new_mode)


def _find_content(file: File | None) -> bytes | None:
    return None if file is None else file.content
