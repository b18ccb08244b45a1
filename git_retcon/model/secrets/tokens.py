"""Tokens that need no context: each begins, or is built, as only its service's do."""

import functools
import re
from collections.abc import Iterator

from git_retcon.model.secrets.character_runs import (
    DIGITS,
    LETTERS,
    find_runs,
    has_run,
    make_kind,
)
from git_retcon.model.secrets.randomness import is_generated, is_random
from git_retcon.model.secrets.readings import Reading, Span, select_spans
from git_retcon.model.secrets.token_forms import FORMS, Form

# All that a token may hold; a shorter run of these is none.
_RUN = make_kind(LETTERS + DIGITS + b"_.+/=:~%|@-")
_SHORTEST_RUN = 16
# Of forms without a fixed beginning, which are searched slowly: only few runs are so long.
_SHORTEST_WHOLE = 31
# What a token may follow: no letter or digit, unless it ends an escape (of JSON, of an address).
_BEFORE = (rb"(?<![A-Za-z0-9]%s)", rb"(?<=\\[nrt]%s)", rb"(?<=%%[0-9A-F]{2}%s)")


def select_runs(source: Reading) -> Reading:
    """The parts of a text that are long enough to hold a token, each on a line of its own."""
    # Two more bytes tell whether an escape is before.
    runs = find_runs(source.data, _RUN, _SHORTEST_RUN)
    return select_spans(source, ((max(0, start - 2), end) for start, end in runs))


def find_tokens(data: bytes) -> Iterator[Span]:
    """Where tokens of a published form are; spans may overlap."""
    long_runs = list(find_runs(data, _RUN, _SHORTEST_WHOLE))
    for form in FORMS:
        if form.prefix not in data:
            continue
        for start, end in long_runs if form.whole else ((0, len(data)),):
            if data.find(form.prefix, start, end) < 0 or not _may_begin(form, data[start:end]):
                continue
            for found in _compile_form(form).finditer(data, start, end):
                if not form.random or _looks_random(found[0][len(form.prefix) :]):
                    yield found.span(found.lastindex or 0)


def _may_begin(form: Form, run: bytes) -> bool:
    """Whether the first characters of a form are there: quicker than to search for all of it."""
    return not form.least or has_run(run, _make_kind(form.begins), form.least, b"")


_make_kind = functools.cache(make_kind)


def _looks_random(value: bytes) -> bool:
    return is_random(value) or is_generated(value)


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
