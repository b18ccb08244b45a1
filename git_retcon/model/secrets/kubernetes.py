"""The values of a Kubernetes secret: all of them are secret."""

import re
from collections.abc import Iterator

from git_retcon.model.secrets.compiled_patterns import compile_pattern
from git_retcon.model.secrets.placeholders import is_template
from git_retcon.model.secrets.readings import Span

_KIND = rb"(?im)^[+\- \t]{0,16}kind:[ \t]{0,8}[\"']?secret[\"']?[ \t\r]{0,8}$"
_DATA = rb"(?m)^([+\- \t]{0,16})(?:data|stringData):[ \t\r]{0,8}\n"
_LINE = rb"([+\- \t]{0,80})(?:([^\n:#]{1,200}):[ \t]{0,8})?([^\n]{0,65536})(?:\n|\Z)"
_VALUE = rb"[^\s\"'|>#][^\s\"'#]{0,65536}"
# How far beside the line that names its kind the values of a document may be.
_FAR = 64 * 1024
_SHORTEST = 4


def find_kubernetes_secrets(data: bytes) -> Iterator[Span]:
    """Where the values of each document of that kind are."""
    if b"ecret" not in data or b"ata:" not in data:
        return
    done = 0
    for found in compile_pattern(_KIND).finditer(data):
        start = data.rfind(b"\n---", max(done, found.start() - _FAR), found.start()) + 1
        start = start or max(done, found.start() - _FAR)
        stop = data.find(b"\n---", found.end(), found.end() + _FAR)
        end = stop if stop >= 0 else min(len(data), found.end() + _FAR)
        for block in compile_pattern(_DATA).finditer(data, start, end):
            yield from _find_values(data, block, end)
        done = end


def _find_values(data: bytes, block: re.Match[bytes], end: int) -> Iterator[Span]:
    """The values of the lines that are indented more than the one that begins the block."""
    at = block.end()
    while at < end:
        line = compile_pattern(_LINE).match(data, at, end)
        if line is None or line.end() == at:
            return
        blank = not line[0].strip(b"+- \t\r\n")
        if not blank and len(line[1]) <= len(block[1]):
            return
        value = compile_pattern(_VALUE).search(data, line.start(3), line.end(3))
        if value and len(value[0]) >= _SHORTEST and not is_template(value[0]):
            yield value.span()
        at = line.end()
