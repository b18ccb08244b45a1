"""Whether a text is whole, as far as that can be told without its compiler.

Python is compiled, and nothing of it run. Of other languages with brackets it is only known that
each is closed by its like and no string is left open.
"""

import warnings
from collections.abc import Sequence

from git_retcon.code.languages.language import Blocks, Content, Language
from git_retcon.code.languages.python import PYTHON
from git_retcon.code.lexer import pairs_brackets, scan_lines


def can_judge(language: Language) -> bool:
    """Whether anything is known of the texts of a language."""
    return language is PYTHON or (
        language.content is Content.CODE and language.blocks is Blocks.BRACKETS
    )


def is_whole(lines: Sequence[bytes], language: Language) -> bool:
    """Whether a text of a language that ``can_judge`` knows may be parsed."""
    if language is PYTHON:
        return _compiles_as_python(b"".join(lines))
    if scan_lines(lines, language).is_open[-1]:
        return False
    # Not the depth alone: a "(" that "}" closes is as deep.
    return pairs_brackets(lines, language)


def _compiles_as_python(content: bytes) -> bool:
    try:
        # A text may hold what its own interpreter warns of; that is not ours to print.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Not ``ast`` alone: a "return" outside a function is found by the compiler.
            compile(content, "file", "exec", dont_inherit=True)
    # Nested too deeply, not UTF-8, or no Python.
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
