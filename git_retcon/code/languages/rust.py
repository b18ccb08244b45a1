"""Rust."""

from git_retcon.code.languages.language import Files, Language, Proposal
from git_retcon.code.languages.usual import C_COMMENT, CHARACTER, Quote
from git_retcon.code.lazy_pattern import LazyPattern

RUST = Language(
    "rust",
    Files(
        endings=b"rs",
        builds=rb"cargo\.toml",
        folder_files=rb"mod\.rs|lib\.rs",
        root_words=b"crate self super",
        declares_files=True,  # mod token;
        proposals=((b"Cargo.toml", Proposal("cargo check --all-targets", "cargo test")),),
        tools="cargo rustc",
    ),
    line_comments=(b"//",),
    # Raw strings before plain ones, as the first that fits opens a string.
    quotes=(
        C_COMMENT,
        Quote(b'r##"', b'"##', many_lines=True, escapes=False),
        Quote(b'r#"', b'"#', many_lines=True, escapes=False),
        Quote(b'r"', b'"', many_lines=True, escapes=False),
        Quote(b'"', b'"', many_lines=True),
    ),
    literals=CHARACTER + rb"|\w+r\"",
    imports=LazyPattern(rb"\s*(?:pub(?:\([^)]*\))?\s+)?(?:use|mod|extern\s+crate)\s+[\w:]+"),
    attached=LazyPattern(rb"\s*(?://|/\*|\*|#\[)"),
)
