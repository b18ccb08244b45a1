"""The languages of shells."""

from git_retcon.code.languages.language import Blocks, Files, Language
from git_retcon.code.languages.usual import HASH_ATTACHED, Quote
from git_retcon.code.lazy_pattern import LazyPattern

SHELL = Language(
    "shell",
    Files(endings=b"sh bash zsh ksh bats", tools="bash sh"),
    quotes=(Quote(b'"', b'"', many_lines=True), Quote(b"'", b"'", many_lines=True, escapes=False)),
    blocks=Blocks.WORDS,
    brackets=b"{}",  # a "case" closes parentheses that it never opened
    literals=rb"(?:^|(?<=\s))#.*|\$\{#[^}]*\}|\\.",
    heredocs=True,
    imports=LazyPattern(rb"\s*(?:source|\.)\s+\S"),
    attached=HASH_ATTACHED,
    # The same command as the one above, with other arguments, as in a list of checks.
    entries=LazyPattern(
        rb"([ \t]*(?!(?:if|elif|else|for|while|until|case|select|function|return|exit|shift|cd|set"
        rb"|local|export|readonly|declare|break|continue|do|then)\b)[A-Za-z_][\w.-]*)"
        rb"[ \t][^\n]*[^\\|&;({\s]\s*$"
    ),
)
