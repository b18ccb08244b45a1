"""Style sheets."""

from git_retcon.code.languages.language import Content, Files, Language
from git_retcon.code.languages.usual import C_COMMENT, DOUBLE, SINGLE
from git_retcon.code.lazy_pattern import LazyPattern

CSS = Language(
    "css",
    Files(endings=b"css scss less", generated=rb"[^/]*\.min\.css"),
    content=Content.STYLE,
    quotes=(C_COMMENT, DOUBLE, SINGLE),
    imports=LazyPattern(rb"\s*@import\b"),
)
