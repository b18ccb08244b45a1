"""Python files: versions that differ in prose alone declare the same, and are read once.

Prose is comments on lines of their own, and long docstrings.
"""

import ast
import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.reader import read_code
from git_retcon.allium.extract.python.syntax.newer_syntax import ParsedFile, parse_python
from git_retcon.allium.extract.python.syntax.prose_changes import SILENT, Code, differs_in_prose
from git_retcon.allium.extract.source_facts import FileFacts

# Shorter texts may be words that give something a state.
_SHORTEST = 40
_DESCRIBED = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_LONG_QUOTES = (b'"""', b"'''")
_MOST = 1 << 10  # versions
_MOST_LATEST = 1 << 8  # files
_known: dict[tuple[bytes, bytes], FileFacts | None] = {}


class _Latest(NamedTuple):
    """The version of a file that was parsed last; of its code, all but the text is kept."""

    content: bytes
    code: Code
    facts: FileFacts | None


_latest: dict[bytes, _Latest] = {}


def read_python(path: bytes, content: bytes) -> FileFacts | None:
    """What a file declares; None where it cannot be parsed."""
    latest = _latest.pop(path, None)
    if latest is None or not differs_in_prose(latest.content, latest.code, content):
        try:
            latest = _parse_version(path, content)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    if len(_latest) >= _MOST_LATEST:
        del _latest[next(iter(_latest))]
    _latest[path] = latest
    return latest.facts


def _parse_version(path: bytes, content: bytes) -> _Latest:
    parsed = parse_python(content)
    code = strip_prose(parsed)
    if parsed.text != content:
        code = code._replace(is_plain=False)  # its lines are not those of the content
    key = path, hashlib.sha256(code.text).digest()
    if key not in _known:
        if len(_known) >= _MOST:
            del _known[next(iter(_known))]
        _known[key] = _read_version(path, code.text, parsed)
    return _Latest(content, code._replace(text=b""), _known[key])


def _read_version(path: bytes, code: bytes, parsed: ParsedFile) -> FileFacts | None:
    try:
        return read_code(path, code, parsed)
    except RecursionError:
        return None  # nested beyond anything that a person writes


def strip_prose(parsed: ParsedFile) -> Code:
    """The text without prose. Lines that follow each other do so in it, and no others do.

    Docstrings that are left out are emptied in the tree, so that nothing is read of them.
    """
    lines = parsed.text.splitlines()
    docstrings = [_replace_docstring(node, lines) for node in _list_docstrings(parsed.tree)]
    left_out = [each for each in docstrings if each]
    text = b"\n".join(lines)
    # A text that goes over lines may have some that look like comments.
    if b"\\\n" in text or any(each in text for each in _LONG_QUOTES):
        return Code(text, left_out, is_plain=False)
    # Comments in front may name the encoding, by which the same bytes are other texts.
    coded = [each for each in lines[:2] if b"coding" in each]
    text = SILENT.sub(b"\n\n", b"\n".join([*coded, b"", text]))
    return Code(text, left_out, is_plain=b"\r" not in parsed.text)


def _list_docstrings(tree: ast.Module) -> Iterator[ast.Expr]:
    waiting: list[Sequence[ast.stmt]] = [tree.body]
    while waiting:
        body = waiting.pop()
        match body[:1]:
            case [ast.Expr(value=ast.Constant(value=str())) as found]:
                yield found
        waiting += (each.body for each in body if isinstance(each, _DESCRIBED))


def _replace_docstring(node: ast.Expr, lines: list[bytes]) -> range:
    """Empty a long one in the tree and in the lines, and give the numbers of these; a short one has
    other quotes in them.
    """
    first, last = node.lineno - 1, node.end_lineno or node.lineno
    is_alone = not lines[first][: node.col_offset].strip()
    if not is_alone or lines[last - 1][node.end_col_offset :].strip():
        return range(0)
    told = str(node.value.value) if isinstance(node.value, ast.Constant) else ""
    if len(told) >= _SHORTEST:
        lines[first:last] = [b'""', *[b""] * (last - first - 1)]
        node.value = ast.copy_location(ast.Constant(""), node.value)
        return range(first, last)
    if last == first + 1 and '"' not in told:
        for quotes in _LONG_QUOTES:
            lines[first] = lines[first].replace(quotes, b'"')
    return range(0)
