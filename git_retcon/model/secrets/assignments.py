"""Values given to a name that says secret: in programs, configuration, makefiles and XML."""

from collections.abc import Iterator

from git_retcon.model.secrets.compiled_patterns import compile_pattern
from git_retcon.model.secrets.placeholders import is_code, is_template
from git_retcon.model.secrets.randomness import count_kinds, is_generated, is_random
from git_retcon.model.secrets.readings import Span

# In a text of small letters: each begins with its own letter, so that the search is fast.
_NAME = (
    rb"passw(?:or)?d|passphrase|pwd|secret|token|"
    rb"api[_-]?key|access[_-]?key|account[_-]?key|credentials?|creds|sonar[._-]?login|"
    rb"private[_-]?key|auth(?=[ \t]{0,4}[:=])"
)
# The rest of the name, and what closes it: a quote, which may be escaped, a bracket.
_REST = rb"(?:[_-][A-Za-z0-9_-]{0,24}|[A-Z][A-Za-z0-9]{0,24}|s)?\\?[\"'`]?\]?"
_TYPE = (
    rb"(?:[ \t]{0,4}:[ \t]{0,4}[A-Za-z][A-Za-z\[\]. |]{0,24}"
    rb"|[ \t]{1,4}[a-z]{1,12}(?=[ \t]{1,4}=))??"
)
_SIGN = rb"[ \t]{0,8}(?:=>|:{1,3}=|[?.+|]{1,2}=|={1,3}|\|\||:|[ \t])[ \t]{0,8}"
_OPEN = rb"\(?(?:[>|\\]?-?\r?\n[+\- \t]{0,80})?"
_VALUE = (
    rb"(?:[bru]{0,2}\\?[\"'`]([^\s\"'`\\]{8,4096})"
    rb"|([A-Za-z0-9+/=_~.!@%^&*-]{8,4096})(?![(\[{]))"
)
_ASSIGNED = _REST + _TYPE + _SIGN + _OPEN + _VALUE
# f("NAME", "value"), and <add key="Name" value="value">
_ARGUMENT = (
    _REST + rb"(?:(?<=[\"'`])[ \t]{0,4},[ \t]{0,4}|[ \t]{1,8}value[ \t]{0,4}=[ \t]{0,4})"
    rb"[\"'`]([^\s\"'`]{8,4096})[\"'`]"
)
# <name>value</name>
_ELEMENT = _REST + rb">\s{0,80}([^\s<>]{8,4096})\s{0,80}</"


def find_assignments(data: bytes) -> Iterator[Span]:
    """Where values are that look secret and have a name that says so; spans may overlap."""
    at = 0
    for name in compile_pattern(_NAME).finditer(data.lower()):
        if name.start() < at:  # within a value
            continue
        for pattern in (_ASSIGNED, _ARGUMENT, _ELEMENT):
            found = compile_pattern(pattern).match(data, name.end())
            if found is None:
                continue
            group = found.lastindex or 0
            if _is_secret(found[group], quoted=pattern is not _ASSIGNED or group == 1):
                yield found.span(group)
            at = max(at, found.end())


def _is_secret(value: bytes, quoted: bool) -> bool:
    if is_template(value) or b"://" in value or value[:1] in b"./~":
        return False
    if is_generated(value):
        return True
    if is_code(value):
        return False
    kinds = count_kinds(value)
    return (quoted and kinds >= 3) or (kinds >= 2 and len(value) >= 16 and is_random(value))
