"""Where a text holds secrets: every shape and every known value, in every reading of it.

Large texts are searched in windows that share more than the longest secret, so that memory stays
bounded.
"""

from collections.abc import Iterable, Iterator

from git_retcon.model.secrets.assignments import find_assignments
from git_retcon.model.secrets.encodings import decode_runs
from git_retcon.model.secrets.escapes import read_clear
from git_retcon.model.secrets.joined_text import join_lines, join_literals
from git_retcon.model.secrets.known_values import find_known, find_known_over_seams
from git_retcon.model.secrets.kubernetes import find_kubernetes_secrets
from git_retcon.model.secrets.logins import find_logins
from git_retcon.model.secrets.private_keys import find_private_keys
from git_retcon.model.secrets.readings import Reading, Span
from git_retcon.model.secrets.tokens import find_tokens, select_runs

WINDOW = 1024 * 1024  # bytes
SHARED = 128 * 1024
# A secret may be encoded, and encoded again, as a login in the data of a manifest is.
_DEPTH = 2


def find_secrets(data: bytes, known: frozenset[bytes]) -> Iterator[Span]:
    """Where secrets are, in no order; spans may overlap."""
    for start, end in list_windows(len(data)):
        window = data if end - start == len(data) else data[start:end]
        for first, last in _search_written(Reading(window), known):
            yield start + first, start + last


def list_windows(length: int) -> Iterator[Span]:
    """Parts of a text of this length, each sharing its end with the next."""
    start = 0
    while length - start > WINDOW + SHARED:
        yield start, start + WINDOW + SHARED
        start += WINDOW
    yield start, length


def _search_written(
    written: Reading, known: frozenset[bytes], depth: int = _DEPTH
) -> Iterator[Span]:
    for reading in (written, *read_clear(written)):
        lines = list(join_lines(reading))
        yield from _search_reading(reading, known)
        for joined in lines:
            # The ends of other lines are no context: only what needs none is looked for.
            yield from _search_tokens(joined)
        for text in (reading, *lines) if depth else ():
            decoded = decode_runs(text)
            if decoded.data:
                yield from _search_written(decoded, known, depth - 1)


def _search_reading(reading: Reading, known: frozenset[bytes]) -> Iterator[Span]:
    yield from _place_spans(reading, _find_shapes(reading.data))
    yield from _search_tokens(reading)
    yield from _place_spans(reading, find_known(reading.data, known))
    yield from _place_spans(reading, find_known_over_seams(reading, known))
    literals = join_literals(reading)
    if literals is not reading:
        yield from _place_spans(literals, _find_shapes(literals.data))
        yield from _search_tokens(literals)


def _search_tokens(reading: Reading) -> Iterator[Span]:
    runs = select_runs(reading)
    return _place_spans(runs, find_tokens(runs.data))


def _find_shapes(data: bytes) -> Iterator[Span]:
    yield from find_logins(data)
    yield from find_assignments(data)
    yield from find_private_keys(data)
    yield from find_kubernetes_secrets(data)


def _place_spans(reading: Reading, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans as parts of the text as written."""
    for span in spans:
        start, end = reading.find_in_text(span)
        if start < end:  # no secret: the end of one run, and the beginning of another
            yield start, end
