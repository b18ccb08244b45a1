"""What secrets look like: the published forms of keys and tokens, and assignments to their names.

Every pattern starts at a literal and repeats one class of characters a bounded number of times,
so that a search is linear in any text. Forms: the services' own pages on
secret scanning (GitHub, GitLab, Stripe, Slack, Google), RFC 7519 (JWT), RFC 7468 (PEM).
"""

import bisect
import math
import re
from collections import Counter
from collections.abc import Iterator

Span = tuple[int, int]

# Not in the middle of a word; an escape before (of JSON, of an address) is no word.
_START = rb"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F]{2}))"
_WORD = rb"(?<![A-Za-z0-9_-])"
_TOKENS = (
    rb"sk-ant-[A-Za-z0-9_-]{16,4096}",
    rb"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])",
    rb"gh[pousr]_[A-Za-z0-9]{30,255}",
    rb"github_pat_[A-Za-z0-9_]{22,255}",
    rb"gl(?:pat|ptt|dt|rt|oas|cbt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.-]{20,300}",
    rb"xox[a-z]-[A-Za-z0-9-]{10,300}",
    rb"xapp-[0-9]-[A-Za-z0-9-]{10,300}",
    rb"AIza[A-Za-z0-9_-]{35}",
    rb"ya29\.[A-Za-z0-9_-]{20,2048}",
    rb"GOCSPX-[A-Za-z0-9_-]{20,100}",
    rb"[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}",
    rb"whsec_[A-Za-z0-9+/=]{24,255}",
    rb"npm_[A-Za-z0-9]{36}",
    rb"pypi-[A-Za-z0-9_-]{32,1024}",
    rb"hf_[A-Za-z0-9]{30,60}",
    rb"hvs\.[A-Za-z0-9_-]{24,300}",
    rb"dckr_pat_[A-Za-z0-9_-]{20,100}",
    rb"do[opr]_v1_[a-f0-9]{64}",
    rb"SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{30,60}",
    rb"eyJ[A-Za-z0-9_-]{8,8192}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,8192}",
)
_TOKEN = re.compile(_START + rb"(?:" + rb"|".join(_TOKENS) + rb")")
# Beginnings that say less: only where what follows is random enough.
_LIKELY = re.compile(
    _WORD + rb"sk-([A-Za-z0-9_-]{20,300})|(?:Bearer|Basic)\s{1,4}([A-Za-z0-9+/=_.~-]{16,8192})"
)
_HOOK = re.compile(rb"hooks\.slack\.com/services/([A-Za-z0-9/]{20,100})")
_URL = re.compile(rb"""://([^\s/:@"'<>`]{0,256}):([^\s/@"'<>`]{1,256})@""")
_NAME = (
    rb"(?:[Pp]ass(?:word|wd|phrase)|PASS(?:WORD|WD|PHRASE)|[Pp]wd|PWD|[Ss]ecret|SECRET|"
    rb"[Tt]oken|TOKEN|[Aa]pi[_-]?[Kk]ey|API[_-]?KEY|[Aa]ccess[_-]?[Kk]ey|ACCESS[_-]?KEY|"
    rb"[Aa]ccount[_-]?[Kk]ey|[Pp]rivate[_-]?[Kk]ey|PRIVATE[_-]?KEY|[Cc]redentials?|CREDENTIALS?|"
    rb"_authToken|[Aa]uth(?=[ \t]{0,4}[:=])|AUTH(?=[ \t]{0,4}[:=]))"
)
_ASSIGNED = re.compile(
    _NAME
    + rb"(?:[_-][A-Za-z0-9_-]{0,24}|[A-Z][A-Za-z0-9]{0,24}|s)?[\"'`]?\]?"
    + rb"(?:[ \t]{0,4}:[ \t]{0,4}[A-Za-z][A-Za-z\[\]. |]{0,24})??"
    + rb"[ \t]{0,8}(?:=>|:=|={1,3}|:|[ \t])[ \t]{0,8}\(?(?:[>|\\]?-?\r?\n[+\- \t]{0,80})?"
    + rb"(?:[bru]{0,2}[\"'`]([^\s\"'`]{8,4096})|([A-Za-z0-9+/=_~.!@%^&*-]{8,4096})(?![(\[{]))"
)
_PEM_BEGIN = re.compile(rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(rb"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(
    rb"(?:(?:\r?\n|\\[nr])[+\- \t>#]{0,80}"
    rb"(?:[A-Za-z0-9-]{1,40}: [^\r\n]{0,200}"
    rb"|[A-Za-z0-9+/]+={0,2}(?=[ \t\"',\\]{0,8}(?:[\r\n]|\\[nr]|\Z)))?"
    rb"[ \t\"',]{0,8})*"
)

_IDENTIFIERS = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*(?:(?:\.|::|->|-)[A-Za-z_][A-Za-z0-9_]*)*$")
# Regular expressions are given to names like TOKEN too.
_PATTERN = re.compile(rb"\[[^\]]{1,40}-[^\]]{1,40}\]|\\[dDsSwWb.]")
# How manuals write addresses: https://user:pass@host.
_PLACEHOLDERS = frozenset(b"pass password passwd pwd pw secret token key user".split())
_TEMPLATE = re.compile(
    rb"^(?:\$|%[({sd]|[{<(*]|\.\.\.|[xX]{4})|\$[{(]|\{\{|%\(|\{[A-Za-z_][A-Za-z0-9_.]{0,60}\}"
)


def shapes_in(data: bytes) -> Iterator[Span]:
    """Where secrets seem to be; spans may overlap."""
    for found in _TOKEN.finditer(data):
        yield found.span()
    for found in _HOOK.finditer(data):
        yield found.span(1)
    for found in _LIKELY.finditer(data):
        group = found.lastindex or 0
        if _random(found[group]):
            yield found.span() if group == 1 else found.span(group)
    yield from _addresses(data)
    yield from _assignments(data)
    yield from _private_keys(data)


def tokens_in(data: bytes) -> Iterator[Span]:
    """Only the forms that need no context: what is looked for across line breaks."""
    for found in _TOKEN.finditer(data):
        yield found.span()
    for found in _LIKELY.finditer(data):
        if found.lastindex == 1 and _random(found[1]):
            yield found.span()


def _addresses(data: bytes) -> Iterator[Span]:
    for found in _URL.finditer(data):
        if found[2].lower() not in _PLACEHOLDERS and not _TEMPLATE.search(found[2]):
            yield found.span(2)
        if len(found[1]) >= 16 and _random(found[1]):
            yield found.span(1)


def _assignments(data: bytes) -> Iterator[Span]:
    for found in _ASSIGNED.finditer(data):
        quoted = found.lastindex == 1
        value = found[1] if quoted else found[2]
        if _secretive(value, quoted):
            yield found.span(1 if quoted else 2)


def _private_keys(data: bytes) -> Iterator[Span]:
    ends = [found.end() for found in _PEM_END.finditer(data)]
    begins = list(_PEM_BEGIN.finditer(data))
    for index, found in enumerate(begins):
        limit = begins[index + 1].start() if index + 1 < len(begins) else len(data)
        place = bisect.bisect_left(ends, found.end())
        if place < len(ends) and ends[place] <= limit:
            yield found.start(), ends[place]
        else:  # The end is cut off: what looks like its body goes.
            body = _PEM_BODY.match(data, found.end(), limit)
            yield found.start(), body.end() if body else found.end()


def _secretive(value: bytes, quoted: bool) -> bool:
    if _TEMPLATE.search(value) or b"://" in value or value[:1] in b"./~":
        return False
    if _IDENTIFIERS.match(value) and not _scattered(value):
        return False
    if _PATTERN.search(value):
        return False
    classes = _classes(value)
    if quoted and len(value) >= 8 and classes >= 3:
        return True
    return len(value) >= 16 and classes >= 2 and _scattered(value) and entropy(value) >= 3.0


def _random(value: bytes) -> bool:
    return _scattered(value) and entropy(value) >= 3.0


def _scattered(value: bytes) -> bool:
    """Digits are among the letters, as they do not in names: more than one run of them."""
    return len(value) >= 12 and len(re.findall(rb"[0-9]+", value)) >= 3


def _classes(value: bytes) -> int:
    kinds = (rb"[a-z]", rb"[A-Z]", rb"[0-9]", rb"[^A-Za-z0-9_.-]")
    return sum(re.search(kind, value) is not None for kind in kinds)


def entropy(value: bytes) -> float:
    """Bits per byte (Shannon 1948)."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
