"""Text for people, and lists of names."""

from git_retcon.code.languages.language import Blocks, Content, Files, Headings, Language
from git_retcon.code.languages.usual import HASH_ATTACHED
from git_retcon.code.lazy_pattern import LazyPattern

_BULLET = LazyPattern(rb"([ \t]*)(?:[-*+]|\d+[.)])[ \t]+\S")

# What no other language claims is this.
TEXT = Language(
    "text",
    Files(),
    content=Content.PROSE,
    blocks=Blocks.INDENT,
    brackets=b"",
    definitions=(),
    entries=_BULLET,
)
MARKDOWN = Language(
    "markdown",
    Files(endings=b"md markdown mdx"),
    content=Content.PROSE,
    blocks=Blocks.INDENT,
    brackets=b"",
    definitions=(),
    entries=_BULLET,
    headings=Headings.MARKED,
)
RST = Language(
    "rst",
    Files(endings=b"rst"),
    content=Content.PROSE,
    blocks=Blocks.INDENT,
    brackets=b"",
    definitions=(),
    entries=_BULLET,
    headings=Headings.UNDERLINED,
)
# Requirements, patterns to ignore, names of people.
LISTING = Language(
    "list",
    Files(
        paths=(
            rb"(?:^|/)(?:(?:[^/]*[-_.])?(?:requirements|constraints)(?:[-_.][^/]*)?\.(?:txt|in)"
            rb"|\.[\w-]*ignore|CODEOWNERS|AUTHORS|CONTRIBUTORS|THANKS|MANIFEST\.in|\.mailmap"
            rb"|\.gitattributes)$|requirements/[^/]*\.txt$"
        )
    ),
    content=Content.LIST,
    blocks=Blocks.INDENT,
    brackets=b"",
    attached=HASH_ATTACHED,
    definitions=(),
    entries=LazyPattern(rb"([ \t]*)[^\s#(){}\[\]](?:[^\n]*[^\\(\[{\s])?\s*$"),
)
