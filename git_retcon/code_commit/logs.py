"""One folder of logs for each run, every byte in it redacted."""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from git_retcon.errors import Fatal
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.masked_stream import MaskedStream
from git_retcon.model.redaction import Redactor


@dataclass(frozen=True)
class Logs:
    """Writes the files of one run: ``1-initial-query-query.txt``, ``2-repair-build.txt``, ..."""

    folder: Path
    redactor: Redactor

    def path(self, attempt: int, kind: str) -> Path:
        """The file of an attempt (from 1); ``kind`` is "query", "response" or "build"."""
        name = "initial-query" if attempt == 1 else "repair"
        return self.folder / f"{attempt}-{name}-{kind}.txt"

    def write(self, attempt: int, kind: str, content: bytes) -> Path:
        """Write one file. Raises Fatal where it cannot be written."""
        path = self.path(attempt, kind)
        with _explain_errors(path):
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.redactor.redact_bytes(content))
        return path

    @contextlib.contextmanager
    def open_stream(self, attempt: int, kind: str) -> Iterator[Callable[[bytes], None]]:
        """A function that adds bytes to one file; all are written when the block ends.

        Raises Fatal, from the function too, where the file cannot be written. What goes wrong in
        the block is no fault of the log, and stays what it is.
        """
        path = self.path(attempt, kind)
        with _explain_errors(path):
            self.folder.mkdir(parents=True, exist_ok=True)
            file = path.open("wb", buffering=0)

        def write(content: bytes) -> None:
            with _explain_errors(path):
                written = 0
                while written < len(content):
                    written += file.write(content[written:])

        with file:
            stream = MaskedStream(self.redactor.redact_bytes, write)
            try:
                yield stream.add
            finally:
                stream.end()


def new_log_folder(parent: Path, now: float) -> Path:
    """Make ``<UTC yyyy-mm-dd-hh-mm-ss>-committing-code``; with a number if there is one already.

    ``now`` is seconds since the epoch.
    """
    name = time.strftime("%Y-%m-%d-%H-%M-%S", time.gmtime(now)) + "-committing-code"
    number = 1
    while True:
        folder = parent / (name if number == 1 else f"{name}-{number}")
        with _explain_errors(folder):
            parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                folder.mkdir()
                return folder
        number += 1


@contextlib.contextmanager
def _explain_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Fatal(
            f"cannot write the log '{path}': {error.strerror}",
            hint="free some space or correct its permissions, then run the same command again",
            again=(),
        ) from error
