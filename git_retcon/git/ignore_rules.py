"""What git ignores, asked of one ``git check-ignore`` that answers again and again."""

import contextlib
import itertools
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace

from git_retcon.git.process import Git, GitError

# A pipe holds at least this much, so git reads all of a request before anybody waits for it.
_LONGEST_REQUEST = 4096  # bytes
_FIELDS = 4  # of each answer: the file of the pattern, its line, the pattern, the path


class IgnoreRules:
    """The rules of one working tree, as git reads them. It remembers the files that it has read:
    ``close`` before it is asked after one of them has changed.

    Only untracked paths have an answer that matters, so the index is not looked at.
    """

    def __init__(self, git: Git) -> None:
        # A user who switches this off would have git wait for more before it answers.
        self._git = replace(git, env={**git.env, "GIT_FLUSH": "1"})
        self._process: subprocess.Popen[bytes] | None = None

    def find_ignored(self, paths: Sequence[bytes]) -> frozenset[bytes]:
        """Those of the paths that are ignored. Raises GitError where git does not answer."""
        found: set[bytes] = set()
        for request in _split_requests(paths):
            found.update(itertools.compress(request, self._ask_git(request)))
        return frozenset(found)

    def close(self) -> None:
        """Let the process end; the next question starts another."""
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None
            assert process.stdout is not None
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            process.wait()
            process.stdout.close()

    def _ask_git(self, paths: Sequence[bytes]) -> Sequence[bool]:
        if self._process is None:
            self._process = self._git.start(
                "check-ignore", "--no-index", "--verbose", "--non-matching", "-z", "--stdin",
                stderr=subprocess.DEVNULL,
            )  # fmt: skip
        pipe, answers = self._process.stdin, self._process.stdout
        assert pipe is not None
        assert answers is not None
        with contextlib.suppress(BrokenPipeError):
            # A path that begins with a colon would be read as a pattern.
            pipe.write(b"".join(b"./%b\0" % path for path in paths))
            pipe.flush()
        said = b""
        while said.count(b"\0") < _FIELDS * len(paths):
            more = answers.read1(1 << 16)  # type: ignore[attr-defined]
            if not more:
                self.close()
                raise GitError("git check-ignore ended before it had answered")
            said += more
        patterns = said.split(b"\0")[2::_FIELDS]
        return [bool(pattern) and not pattern.startswith(b"!") for pattern in patterns]


def _split_requests(paths: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    """The paths in their order, as many at a time as a request may hold."""
    request: list[bytes] = []
    length = 0
    for path in paths:
        length += len(path) + 3
        if request and length > _LONGEST_REQUEST:
            yield request
            request, length = [], len(path) + 3
        request.append(path)
    if request:
        yield request
