"""Whether attempts at one task lead anywhere: a new verdict, or fewer errors.

Every loop that fixes and runs again asks this one measure, so that all give up at the same point.
Only verdicts are counted: fewer errors are one too, and a number that was there before is a circle.
Two failures are the same when they differ only in what differs between two runs of the same tree:
addresses, times, temporary paths, process ids. File and line count: a fix that moves an error from
line 633 to 646 has changed something.
"""

import functools
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.run.failure import Failure

IDLE_ATTEMPTS = 3

_MONTH = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_DAY = rb"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+)?"
_CLOCK = rb"\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:\s?[AP]M\b)?"
_ZONE = rb"(?:\s?(?:Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d\b))?"
_AMOUNT = rb"\d+(?:[.,]\d+)?"
_UNIT = (
    rb"(?:\s?(?:ns|us|\xc2\xb5s|\xce\xbcs|ms|s|secs?|seconds?|mins?|minutes?|hours?"
    rb"|milliseconds?)\b|[mh](?![A-Za-z_]))"
)

# What a run of the same tree may print differently, in the order in which it is looked for.
_VARIABLE = (
    # 2026-11-21T21:59:31.123+00:00, 2026/11/21
    rb"\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]" + _CLOCK + _ZONE + rb")?(?![\w/-])",
    # Sat Nov 21 21:59:31 UTC 2026, 21 Nov 2026
    rb"\b"
    + _DAY
    + _MONTH
    + rb"\s+\d{1,2}(?:,?\s+"
    + _CLOCK
    + rb")?"
    + _ZONE
    + rb"(?:,?\s\d{4})?\b",
    rb"\b" + _DAY + rb"\d{1,2}[ -]" + _MONTH + rb"[ -]\d{4}(?:\s+" + _CLOCK + _ZONE + rb")?\b",
    # A clock, but not line 12, column 30 of "a.py:12:30:00", nor "12:30" of a linter.
    rb"(?<![\w:.])" + _CLOCK + _ZONE + rb"(?![\w:])",
    # 12 ms, 1m2.5s, in 0.03 seconds, duration_ms 1.5
    rb"(?<![\w.:#-])(?<!line )(?:" + _AMOUNT + _UNIT + rb"\s?)+",
    rb"(?i:(?<=\bduration_ms)|(?<=\bduration)|(?<=\belapsed)|(?<=\btime)|(?<=\btook))"
    rb"[\"']?\s?[:=]?\s?[\"']?" + _AMOUNT + rb"(?![\w:])",
    # Seconds since 1970, of 2017 to 2033, and the same in finer units
    rb"(?<![\w.])1[5-9]\d{8}(?:\d{3}){0,3}(?:\.\d+)?(?![\w.])",
    rb"\b0x[0-9a-fA-F]+",
    rb"(?<=\w)@[0-9a-f]{5,16}\b",  # Java's Object@1b2c3d4
    rb"(?<![\w-])(?=[0-9a-f]*[0-9])[0-9a-f]{12,16}(?![\w-])",
    # pid 123, process 123, ==123==, (node:123), sshd[1234]:, thread 'main' (123), goroutine 7
    rb"(?i:(?<=\bpid)|(?<=\bprocess)|(?<=\btid)|(?<=\bgoroutine))(?:\s?[:=#]\s?|\s)\d+\b",
    rb"(?<===)\d+(?===)",
    rb"(?<=\(node:)\d+(?=\))",
    rb"(?<=\w)\[\d{3,}\](?=:)",
    rb"(?<=') \(\d+\)(?= (?:panicked|has overflowed))",
)
_BELOW_TEMPORARY = LazyPattern(rb"(?:tmp[._-]?)?\w*\d\w*|tmp[._-]?\w{6,}")


class Headway:
    """The failures of one task, in the order they came.

    ``places`` gives the directories that the command ran in (a worktree of ours may be another
    the next time); their paths do not count.
    """

    def __init__(self, places: Callable[[], Iterable[Path]] = tuple) -> None:
        self._places = places
        self._seen: set[bytes] = set()
        self._idle = 0

    def why_stalled(self, failure: Failure) -> str | None:
        """Take a failure down; why to give up after it, or None where there is headway."""
        key = failure_key(failure, self._places())
        self._idle = self._idle + 1 if key in self._seen else 0
        self._seen.add(key)
        if self._idle < IDLE_ATTEMPTS:
            return None
        return f"{IDLE_ATTEMPTS} fixes in a row brought no new verdict and no fewer errors"


def failure_key(failure: Failure, places: Iterable[Path] = ()) -> bytes:
    """A digest that two runs of one tree share, and that another file or line changes."""
    digest = hashlib.sha256(f"{failure.step}\0{failure.timed_out}\0".encode())
    digest.update(without_variable_parts(failure.output, places))
    return digest.digest()


def without_variable_parts(output: bytes, places: Iterable[Path] = ()) -> bytes:
    """The output without addresses, times, temporary paths and process ids."""
    for place in sorted(_list_spellings(places), key=len, reverse=True):
        output = output.replace(place + b"/", b"").replace(place, b".")
    output = _temporary_path(tempfile.gettempdir()).sub(_kept_name, output)
    return _variable_pattern().sub(b"#", output)


def without_durations(text: str) -> str:
    """A text for a reader without the times that a tool took ("in 3.2 s").

    Other durations stay: a test may be about them.
    """
    data = text.encode("utf-8", "surrogateescape")
    return _time_taken().sub(b"#", data).decode("utf-8", "surrogateescape")


@functools.cache
def _time_taken() -> re.Pattern[bytes]:
    return re.compile(rb"(?<=\bin )" + _AMOUNT + _UNIT)


@functools.cache
def _variable_pattern() -> re.Pattern[bytes]:
    return re.compile(b"|".join(_VARIABLE))


@functools.cache
def _temporary_path(configured: str) -> re.Pattern[bytes]:
    """Paths beneath a temporary directory of this machine, or of a sandbox."""
    tops = {os.fsencode(configured), os.fsencode(os.path.realpath(configured))}
    known = b"|".join(re.escape(top.rstrip(b"/")) for top in sorted(tops, key=len, reverse=True))
    usual = rb"/tmp|/var/tmp|/private/tmp|(?:/private)?/var/folders/\w+/\w+/T"
    return re.compile(rb"(?<![\w.~-])(?:%s|%s)((?:/[^\s/:;,\"'`()<>|*?\[\]]+)+)" % (known, usual))


def _kept_name(found: re.Match[bytes]) -> bytes:
    """A temporary path as its last name, without the part that a program made up."""
    names = found[1].split(b"/")[1:]
    if len(names) == 1:
        # Only the ending says what it is: /tmp/ccXyZ123.o is another one each time.
        return b"#" + b"".join(names[0].partition(b".")[1:])
    return b"#/" + _BELOW_TEMPORARY.sub(b"#", names[-1])


def _list_spellings(places: Iterable[Path]) -> set[bytes]:
    return {
        spelling
        for place in places
        for spelling in (os.fsencode(place), os.fsencode(os.path.realpath(place)))
        if spelling != b"/"
    }
