"""Python that is newer than the interpreter that runs: as the same in older words.

What only types say, and how exceptions are listed, says nothing of behaviour (PEP 695, 696, 758).
"""

import ast
import re
import warnings
from typing import NamedTuple

_BRACKETS = r"\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\]"
# Each with what is put in its place.
_NEWER = (
    (rf"(?m)^([ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+\w+){_BRACKETS}", r"\1"),
    (rf"(?m)^([ \t]*)type[ \t]+(\w+)(?:{_BRACKETS})?([ \t]*=)", r"\1\2\3"),
    (r"(?m)^([ \t]*except\*?)[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)+)[ \t]*:", r"\1 (\2):"),
)


class ParsedFile(NamedTuple):
    """A tree, and the text that its places are in."""

    tree: ast.Module
    text: bytes


def parse_python(content: bytes) -> ParsedFile:
    """The tree of a file. Raises SyntaxError, ValueError, RecursionError and MemoryError for one
    that no Python can read, as ``ast.parse`` does.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of invalid escapes, which are not ours to report
        try:
            return ParsedFile(ast.parse(content), content)
        except SyntaxError:
            text = content.decode("utf-8", "replace")
            older = text
            for pattern, replacement in _NEWER:
                older = re.sub(pattern, replacement, older)
            if older == text:
                raise
            return ParsedFile(ast.parse(older), older.encode())
