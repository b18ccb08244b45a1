"""Rules of make, and lists of commands that are read like them."""

from git_retcon.code.languages.language import Blocks, Files, Language, Proposal, Sign
from git_retcon.code.lazy_pattern import LazyPattern

MAKE = Language(
    "make",
    Files(
        endings=b"mk cmake",
        names=b"Makefile GNUmakefile CMakeLists.txt",
        builds=rb"makefile|cmakelists\.txt|[^/]*\.(?:mk|cmake)",
        proposals=tuple(
            (name, Proposal("make", "make test", Sign(name, LazyPattern(rb"(?m)^test\s*::?(?!=)"))))
            for name in (b"GNUmakefile", b"makefile", b"Makefile")
        ),
        tools="make cmake ninja meson",
    ),
    line_comments=(b"#",),
    blocks=Blocks.INDENT,
    brackets=b"",
    attached=LazyPattern(rb"#"),
)
