"""PHP."""

from git_retcon.code.languages.language import Files, Language
from git_retcon.code.languages.usual import C_COMMENT, SLASH_ATTACHED, Quote
from git_retcon.code.lazy_pattern import LazyPattern

PHP = Language(
    "php",
    Files(endings=b"php", tools="php composer"),
    line_comments=(b"//", b"#"),
    quotes=(
        C_COMMENT,
        Quote(b'"', b'"', many_lines=True),
        Quote(b"'", b"'", many_lines=True),
    ),
    function_heads=True,
    imports=LazyPattern(rb"\s*(?:use\s+[\w\\]+|(?:require|include)(?:_once)?\b)"),
    attached=SLASH_ATTACHED,
)
