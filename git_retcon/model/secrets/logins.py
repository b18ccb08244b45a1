"""Passwords and tokens where they are used: in addresses, headers and the options of curl."""

from collections.abc import Iterator

from git_retcon.model.secrets.compiled_patterns import compile_pattern
from git_retcon.model.secrets.placeholders import is_template
from git_retcon.model.secrets.randomness import count_kinds, is_generated, is_random
from git_retcon.model.secrets.readings import Span

_ADDRESS = rb"""://([^\s/:@"'<>`]{0,256})(?::([^\s/@"'<>`]{1,256}))?@"""
# HTTP reads them in any case: git's own settings often have "AUTHORIZATION: basic".
_HEADER = rb"(?:[Bb]earer|BEARER|[Bb]asic|BASIC|[Tt]oken)[ \t]{1,4}([A-Za-z0-9+/=_.~-]{16,8192})"
_SCHEMES = (b"bearer", b"basic", b"token")
# Logins of Bundler for a server of gems, by its host name.
_BUNDLER = (
    rb"BUNDLE_[A-Z0-9_]{2,60}__(?:COM|ORG|NET|IO)[A-Za-z_]{0,20}[\"']?"
    rb"[ \t]{0,4}(?:[:?.]{0,3}=>?|:|,|>)\s{0,80}[\"'`]?([^\s\"':]{4,100}:[^\s\"'<&;\\]{4,100})"
)
_CURL_USER = (
    rb"(?:[ \t]-u|[ \t]--user)(?:=|[ \t]{0,5})"
    rb"(?:\"([^\"\s:]{0,200}:[^\"\s]{0,200})\"|'([^'\s:]{0,200}:[^'\s]{0,200})'"
    rb"|((?:\"[^\"\s]{1,200}\"|[^\s\"':]{1,200})"
    rb":(?:\"[^\"\s]{1,200}\"|'[^'\s]{1,200}'|[^\s\"']{3,200})))"
)
_CURL_HEADER = (
    rb"(?:-H|--header)(?:=|[ \t]{0,5})[\"']"
    rb"(?i:Authorization|(?:X-(?:[a-z]{1,20}-)?)?(?:Api-?)?(?:Key|Token))"
    rb":[ \t]{0,5}(?:(?:Basic|Bearer|(?:Api-)?Token)[ \t])?([A-Za-z0-9_=~@.+/-]{8,4096})[\"']"
)
# How manuals write addresses: https://user:pass@host.
_PLACEHOLDERS = frozenset(b"pass password passwd pwd pw secret token key user".split())
# A shorter one is an example's.
_SHORTEST = 3


def find_logins(data: bytes) -> Iterator[Span]:
    """Where secrets are given to a service; spans may overlap."""
    if b"://" in data:
        yield from _find_in_addresses(data)
    yield from _find_in_headers(data)
    if b"BUNDLE_" in data:
        yield from (found.span(1) for found in compile_pattern(_BUNDLER).finditer(data))
    if b"curl" in data:
        yield from _find_in_curl(data)


def _find_in_headers(data: bytes) -> Iterator[Span]:
    # A word is found as it is, far faster than any of several is matched at every byte.
    small = data.lower()
    for scheme in _SCHEMES:
        start = small.find(scheme)
        while start >= 0:
            found = compile_pattern(_HEADER).match(data, start)
            if found and is_random(found[1]):
                yield found.span(1)
            start = small.find(scheme, start + len(scheme))


def _find_in_addresses(data: bytes) -> Iterator[Span]:
    for found in compile_pattern(_ADDRESS).finditer(data):
        if found[2] is not None and _is_real(found[2]):
            yield found.span(2)
        if _is_made(found[1]):
            yield found.span(1)


def _find_in_curl(data: bytes) -> Iterator[Span]:
    for found in compile_pattern(_CURL_USER).finditer(data):
        start, end = found.span(found.lastindex or 0)
        user, _, password = data[start:end].partition(b":")
        if _is_real(password.strip(b"\"'<>")):
            yield end - len(password), end
        if _is_made(user.strip(b"\"'{}")) or (not password and count_kinds(user) >= 3):
            yield start, start + len(user)
    for found in compile_pattern(_CURL_HEADER).finditer(data):
        if not is_template(found[1]) and (count_kinds(found[1]) >= 2 or is_random(found[1])):
            yield found.span(1)


def _is_real(password: bytes) -> bool:
    if len(password) < _SHORTEST or password.lower() in _PLACEHOLDERS:
        return False
    return not is_template(password) or is_random(password)


def _is_made(user: bytes) -> bool:
    """Whether the name of a user is a key, as some services have it."""
    return (
        is_generated(user)
        or is_random(user)
        or compile_pattern(rb"[0-9a-f]{8,}").fullmatch(user) is not None
    )
