"""Python."""

from git_retcon.code.languages.language import Blocks, Files, Language, Proposal, Sign
from git_retcon.code.languages.usual import DOUBLE, SINGLE, Quote
from git_retcon.code.lazy_pattern import LazyPattern

_COMPILED = "python3 -m compileall -q ."
_TESTED = Sign(b"", LazyPattern(rb"(?m)^(?:tests?|test_\w+\.py|\w+_test\.py)$"))

PYTHON = Language(
    "python",
    Files(
        endings=b"py pyi pyx pxd",
        tests=rb"conftest\.py",
        builds=rb"setup\.(?:py|cfg)|pyproject\.toml|tox\.ini|noxfile\.py|requirements[^/]*",
        declarations=rb"[^/]*\.(?:pyi|pxd)",
        folder_files=rb"__init__\.pyi?",
        proposals=(
            (b"tox.ini", Proposal(_COMPILED, "tox")),
            (b"pyproject.toml", Proposal(_COMPILED, "python3 -m pytest -q", test_sign=_TESTED)),
            (b"setup.py", Proposal(_COMPILED, "python3 -m pytest -q", test_sign=_TESTED)),
            (b"*.py", Proposal(_COMPILED, "")),
        ),
        tools="python3 python pip uv tox pytest",
    ),
    line_comments=(b"#",),
    quotes=(
        Quote(b'"""', b'"""', many_lines=True),
        Quote(b"'''", b"'''", many_lines=True),
        DOUBLE,
        SINGLE,
    ),
    # Triple quotes come before single ones: the first that fits opens a string.
    blocks=Blocks.INDENT,
    imports=LazyPattern(rb"\s*(?:import|from)\s+[\w.]+"),
    attached=LazyPattern(rb"\s*(?:@|#)"),
    # A field of a class: indented, no call, perhaps with a type.
    entries=LazyPattern(rb"([ \t]+)[A-Za-z_]\w*[ \t]*(?::[^=]*)?(?:=(?!=)|$)"),
    members=LazyPattern(rb"\s*class\b.*:\s*(?:#.*)?$"),
)
