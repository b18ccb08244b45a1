"""Output that a conversation quotes again, without what it quoted before.

Builds print much the same at every attempt, and each quoted line is paid for: what was said
before is in the conversation still.
"""

from collections.abc import Iterator, Sequence

_FEWEST = 6  # lines that are worth leaving out


def shorten_repeated(text: str, before: str) -> str:
    """The text with long runs of lines that were in the text before left out, saying so.

    The first and the last line of a run stay, so that a reader finds it there.
    """
    if before and text == before:
        return "[the same output as before]"
    return "\n".join(_leave_out(text.split("\n"), before.split("\n")))


def _leave_out(lines: Sequence[str], before: Sequence[str]) -> Iterator[str]:
    places = {line: at for at, line in reversed(list(enumerate(before)))}
    at = 0
    while at < len(lines):
        length = _measure_run(lines, at, before, places.get(lines[at], len(before)))
        if length < _FEWEST:
            yield lines[at]
            at += 1
            continue
        yield lines[at]
        yield f"[{length - 2} lines as before]"
        yield lines[at + length - 1]
        at += length


def _measure_run(lines: Sequence[str], at: int, before: Sequence[str], place: int) -> int:
    """How many lines from ``at`` on are as those before from ``place`` on."""
    most = min(len(lines) - at, len(before) - place)
    return next((k for k in range(most) if lines[at + k] != before[place + k]), most)
