"""Formats of data and configuration: JSON, TOML and INI, YAML."""

from git_retcon.code.languages.language import Blocks, Content, Files, Language
from git_retcon.code.languages.usual import (
    ASSIGNMENT,
    DOUBLE,
    HASH_ATTACHED,
    KEY,
    Definition,
    Quote,
)
from git_retcon.code.lazy_pattern import LazyPattern

JSON = Language(
    "json",
    Files(endings=b"json json5 jsonc"),
    content=Content.DATA,
    line_comments=(b"//",),
    quotes=(DOUBLE,),
    definitions=(KEY,),
    only_items=True,
    ends_with_comma=False,
)
_TABLE = Definition(LazyPattern(rb"\[\[?\s*([\w.\-\"' ]+?)\s*\]\]?\s*(?:#.*)?$"))
TOML = Language(
    "toml",
    Files(endings=b"toml ini cfg", names=b"Cargo.lock poetry.lock"),
    content=Content.DATA,
    line_comments=(b"#",),
    quotes=(
        Quote(b'"""', b'"""', many_lines=True),
        Quote(b"'''", b"'''", many_lines=True, escapes=False),
        DOUBLE,
        Quote(b"'", b"'", escapes=False),
    ),
    blocks=Blocks.WORDS,
    attached=HASH_ATTACHED,
    definitions=(_TABLE, ASSIGNMENT),
    entries=LazyPattern(rb"([ \t]*)[\w.\"'-]+[ \t]*=(?!=)"),
    has_tables=True,
)
YAML = Language(
    "yaml",
    Files(endings=b"yml yaml"),
    content=Content.DATA,
    line_comments=(b"#",),
    blocks=Blocks.INDENT,
    attached=HASH_ATTACHED,
    definitions=(KEY,),
    entries=LazyPattern(rb"([ ]*-(?=\s)|[ ]*(?=[\"']?[\w./-]+[\"']?[ ]*:(?:\s|$)))"),
)
