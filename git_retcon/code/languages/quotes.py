"""Strings and comments that many languages share."""

from git_retcon.code.languages.language import Quote

DOUBLE = Quote(b'"', b'"')
SINGLE = Quote(b"'", b"'")
C_COMMENT = Quote(b"/*", b"*/", many_lines=True, escapes=False)
