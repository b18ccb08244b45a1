"""What is in a worktree and not in its tree: removed as ``git clean -ffd`` does, with no process
for each time.

The files are compared with the tree object, folder by folder. git is asked only about what is not
in it, by one process for all checkouts (``git/ignore_rules``).
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from git_retcon.git.ignore_rules import IgnoreRules
from git_retcon.git.process import Git
from git_retcon.git.trees import Trees
from git_retcon.run.removal import remove
from git_retcon.run.rule_pipes import RULES, remove_rule_pipe

_GIT, _IGNORED = b".git", b".gitignore"
_DEEPEST = 200  # folders; git clean knows no such limit


class Unclear(Exception):
    """The files are not as a checkout leaves them: only git can say what is untracked."""


class _Found:
    """What a look at the tracked folders found. ``rules`` tells one set of rules from another."""

    def __init__(self, common_rules: object) -> None:
        self.folders: list[bytes] = []
        self.files: list[bytes] = []
        self.repositories: list[bytes] = []
        self.rules: dict[bytes, object] = {b"": common_rules}


# A file as it is now, or that it is not there.
_State = tuple[int, int, int, int] | None


class UntrackedFiles:
    """The untracked files of the worktree that ``git`` is bound to."""

    def __init__(self, git: Git) -> None:
        assert git.work_tree is not None
        self._top = os.fsencode(git.work_tree)
        self._git_dir = git.git_dir
        self._ignored = IgnoreRules(git)
        # What the process was started with, and the folders of untracked files that it has read.
        self._rules: Mapping[bytes, object] = {}
        self._read: dict[bytes, _State] = {}

    def close(self) -> None:
        """End the process, if there is one."""
        self._ignored.close()

    def remove(self, trees: Trees, tree: str) -> bool:
        """Remove what is neither in ``tree``, which is checked out, nor ignored; whether nothing
        else is left.

        Repositories that a build made go as a whole. Raises Unclear, Fatal, GitError or OSError
        with some of it removed; nothing is lost by another try, or by ``git clean``.
        """
        found = self._find_untracked(trees, tree)
        for path in found.repositories:
            remove(Path(os.fsdecode(self._top + b"/" + path)))
        if found.rules != self._rules:
            self._begin_again()
            self._rules = found.rules
        ignored = self._ignored.find_ignored(found.folders + found.files)
        return self._remove_found(found.folders, found.files, ignored)

    def _find_untracked(self, trees: Trees, tree: str) -> _Found:
        found = _Found(self._common_rules())
        pending = [(b"", tree)]
        while pending:
            prefix, oid = pending.pop()
            tracked = trees.read(oid)
            for name, is_folder in self._list_entries(prefix):
                path = prefix + name
                if name == _IGNORED:
                    found.rules[path] = self._read_state(path)
                if name == _GIT:
                    # In a tracked folder, where git overlooks it. The one at the top is ours.
                    found.repositories.extend([path] if prefix else [])
                elif name not in tracked:
                    (found.folders if is_folder else found.files).append(path)
                elif is_folder and not tracked[name].is_submodule:
                    if not tracked[name].is_tree:
                        raise Unclear
                    pending.append((path + b"/", tracked[name].oid))
        return found

    def _remove_found(
        self, folders: list[bytes], files: list[bytes], ignored: frozenset[bytes]
    ) -> bool:
        """Remove those that are not ignored; whether all are gone."""
        kept = False
        for folder in folders:
            kept |= folder in ignored or not self._remove_folder(folder)
        # Last: one of them may be a file of rules, which count until all is decided.
        for path in files:
            if path in ignored:
                kept = True
            else:
                os.unlink(self._top + b"/" + path)  # noqa: PTH108
        return not kept

    def _remove_folder(self, folder: bytes) -> bool:
        """Remove a folder without tracked files, but for what is ignored in it; whether it went."""
        entries = list(self._list_entries(folder + b"/"))
        if any(name == _GIT for name, _ in entries):
            remove(Path(os.fsdecode(self._top + b"/" + folder)))
            return True
        if folder.count(b"/") > _DEEPEST:
            raise Unclear
        folders = [folder + b"/" + name for name, is_folder in entries if is_folder]
        files = [folder + b"/" + name for name, is_folder in entries if not is_folder]
        self._remember_folder(folder)
        gone = self._remove_found(folders, files, self._ignored.find_ignored(folders + files))
        if gone:
            os.rmdir(self._top + b"/" + folder)  # noqa: PTH106
        return gone

    def _remember_folder(self, folder: bytes) -> None:
        """Note which rules of a folder the process reads now; other ones than before end it."""
        state = self._read_state(folder + b"/" + _IGNORED)
        if self._read.setdefault(folder, state) != state:
            self._begin_again()
            self._read[folder] = state

    def _begin_again(self) -> None:
        self._ignored.close()
        self._read.clear()

    def _common_rules(self) -> object:
        """What else the rules depend on: where the tree is, the settings, and ``info/exclude``."""
        places = (self._git_dir / "config", self._git_dir / "info/exclude")
        states = [_state_of(os.fsencode(place)) for place in places]
        return os.lstat(self._top).st_ino, states

    def _read_state(self, path: bytes) -> _State:
        return _state_of(self._top + b"/" + path)

    def _list_entries(self, prefix: bytes) -> Iterator[tuple[bytes, bool]]:
        with os.scandir(self._top + b"/" + prefix) as entries:
            for entry in entries:
                if entry.name in RULES and remove_rule_pipe(entry.path):
                    continue
                yield entry.name, entry.is_dir(follow_symlinks=False)


def _state_of(path: bytes) -> _State:
    with contextlib.suppress(FileNotFoundError):
        found = os.lstat(path)
        return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
    return None
