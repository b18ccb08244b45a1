"""Lua."""

from git_retcon.code.languages.language import Blocks, Files, Language
from git_retcon.code.languages.usual import DOUBLE, SINGLE, Quote
from git_retcon.code.lazy_pattern import LazyPattern

LUA = Language(
    "lua",
    Files(endings=b"lua"),
    line_comments=(b"--",),
    quotes=(
        Quote(b"--[[", b"]]", many_lines=True, escapes=False),
        Quote(b"[[", b"]]", many_lines=True, escapes=False),
        DOUBLE,
        SINGLE,
    ),
    blocks=Blocks.WORDS,
    imports=LazyPattern(rb"\s*(?:local\s+)?[\w.]*\s*=?\s*require\b"),
)
