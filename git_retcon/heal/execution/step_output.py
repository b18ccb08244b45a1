"""What a step prints, as it comes: masked, logged, and read for commands to the runner."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from git_retcon.heal.execution.masks import Masks
from git_retcon.heal.execution.runner_commands import Command, CommandReader
from git_retcon.model.masked_stream import MaskedStream, StreamLimits

# A line beyond this is passed on in parts; a secret may be cut only where two parts meet.
_LONGEST_LINE = 64 * 1024
# People look at a log that is still being written, so little of it waits.
_LIMITS = StreamLimits(block=48 * 1024, overlap=16 * 1024)
_SHARE = 10  # a tenth of the time, at most, goes into showing the last line


class StepOutput:
    """Takes the bytes of one step. ``obey`` gets each command; ``show`` the last line, masked,
    now and then.
    """

    def __init__(
        self,
        log: Path,
        masks: Masks,
        obey: Callable[[Command], None],
        show: Callable[[str], None],
    ) -> None:
        self._path = log
        self._masks = masks
        self._obey = obey
        self._show = show
        self._reader = CommandReader()
        self._rest = b""
        self._file: IO[bytes] | None = None
        self._stream = MaskedStream(masks.redact, self._write_line, _LIMITS)
        self._show_from = 0.0

    def take(self, chunk: bytes) -> None:
        """The next bytes. Whole lines are passed on, the last one waits for its end."""
        data = self._rest + chunk
        end = data.rfind(b"\n") + 1
        if not end and len(data) < _LONGEST_LINE:
            self._rest = data
            return
        end = end or len(data)
        self._pass_on(data[:end])
        self._rest = data[end:]

    def close(self) -> str:
        """Pass on the last line; the path of the log, empty where nothing was printed."""
        if self._rest:
            self._pass_on(self._rest)
            self._rest = b""
        if self._file is None:
            return ""
        self._stream.end()
        self._file.close()
        return str(self._path)

    def say(self, text: str) -> None:
        """A line of our own, in the log too."""
        self.take(text.encode("utf-8", "surrogateescape") + b"\n")

    def _pass_on(self, lines: bytes) -> None:
        # A mask counts from the line on that asks for it: commands come before the log.
        if b"::" in lines or b"##[" in lines:
            for line in lines.splitlines():
                if b"::" in line or b"##[" in line:
                    self._obey_line(line)
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("wb")
        # A mask that comes later does not reach back, so values are masked before anything waits.
        self._stream.add(self._masks.mask_values(lines))
        self._show_last_line()

    def _write_line(self, masked: bytes) -> None:
        assert self._file is not None
        self._file.write(masked)
        self._file.flush()

    def _show_last_line(self) -> None:
        started = time.monotonic()
        if started >= self._show_from:
            shown = self._stream.peek()[-2048:].decode("utf-8", "replace")
            self._show(shown.rstrip().rpartition("\n")[2])
            now = time.monotonic()
            self._show_from = now + _SHARE * (now - started)

    def _obey_line(self, line: bytes) -> None:
        command = self._reader.read(line.decode("utf-8", "surrogateescape"))
        if command is not None:
            self._obey(command)
