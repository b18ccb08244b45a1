"""Tokens that need no context: each begins, or is built, as only its service's do."""

import functools
import re
from collections.abc import Iterator

from git_retcon.model.secrets.randomness import is_generated, is_random
from git_retcon.model.secrets.readings import Reading, Span, select_spans
from git_retcon.model.secrets.token_forms import FORMS, Form

# All that a token may hold; a shorter run of these is none.
_RUN = rb"(?<![A-Za-z0-9_.+/=:~%|@-])[A-Za-z0-9_.+/=:~%|@-]{16,}"
# What a token may follow: no letter or digit, unless it ends an escape (of JSON, of an address).
_BEFORE = (rb"(?<![A-Za-z0-9]%s)", rb"(?<=\\[nrt]%s)", rb"(?<=%%[0-9A-F]{2}%s)")


def select_runs(source: Reading) -> Reading:
    """The parts of a text that are long enough to hold a token, each on a line of its own."""
    # Two more bytes tell whether an escape is before.
    spans = (
        (max(0, found.start() - 2), found.end()) for found in _compile_run().finditer(source.data)
    )
    return select_spans(source, spans)


def find_tokens(data: bytes) -> Iterator[Span]:
    """Where tokens of a published form are; spans may overlap."""
    for form in FORMS:
        if form.prefix not in data:
            continue
        for found in _compile_form(form).finditer(data):
            if not form.random or _looks_random(found[0][len(form.prefix) :]):
                yield found.span(found.lastindex or 0)


def _looks_random(value: bytes) -> bool:
    return is_random(value) or is_generated(value)


@functools.cache
def _compile_run() -> re.Pattern[bytes]:
    return re.compile(_RUN)


@functools.cache
def _compile_form(form: Form) -> re.Pattern[bytes]:
    if form.whole:
        before = b"|".join(part % b"" for part in _BEFORE)
        return re.compile(b"(?:" + before + b")" + form.whole)
    # What is before is looked at last, so that the search begins at fixed bytes: it is fast.
    prefix = re.escape(form.prefix)
    rest = b"(?:" + form.rest + b")"
    if not form.prefix[:1].isalnum():
        return re.compile(prefix + rest)
    before = b"|".join(part % prefix for part in _BEFORE)
    return re.compile(prefix + b"(?:" + before + b")" + rest)
