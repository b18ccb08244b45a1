"""Rules of make, and lists of commands that are read like them."""

from git_retcon.code.languages.language import Blocks, Files, Language, Proposal
from git_retcon.code.lazy_pattern import LazyPattern

MAKE = Language(
    "make",
    Files(
        endings=b"mk cmake",
        names=b"Makefile GNUmakefile CMakeLists.txt",
        builds=rb"makefile|cmakelists\.txt|[^/]*\.(?:mk|cmake)",
        proposals=((b"Makefile", Proposal("make", "make test")),),
        tools="make cmake ninja meson",
    ),
    line_comments=(b"#",),
    blocks=Blocks.INDENT,
    brackets=b"",
    attached=LazyPattern(rb"#"),
)
