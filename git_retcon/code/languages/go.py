"""Go."""

from git_retcon.code.languages.language import Files, Language, Proposal
from git_retcon.code.languages.usual import C_COMMENT, CHARACTER, DOUBLE, SLASH_ATTACHED, Quote
from git_retcon.code.lazy_pattern import LazyPattern

GO = Language(
    "go",
    Files(
        endings=b"go",
        builds=rb"go\.mod",
        generated=rb"[^/]*\.pb\.go",
        # All files of a folder are one package: they see one another without an import.
        folder_scoped=(b".go",),
        proposals=((b"go.mod", Proposal("go build ./...", "go test ./...")),),
        tools="go",
    ),
    line_comments=(b"//",),
    quotes=(C_COMMENT, DOUBLE, Quote(b"`", b"`", many_lines=True, escapes=False)),
    literals=CHARACTER,
    # A line of an import block is a path in quotes, perhaps with a name before it.
    imports=LazyPattern(rb'\s*import\b|\s*(?:[\w.]+\s+)?"[\w./-]+"\s*$'),
    attached=SLASH_ATTACHED,
    entries=LazyPattern(rb"([ \t]+)[A-Za-z_*][^{}=]*$"),
    members=LazyPattern(rb".*\b(?:struct|interface)\s*\{\s*$"),
)
