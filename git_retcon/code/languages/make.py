"""Rules of make, and lists of commands that are read like them."""

from collections.abc import Iterator

from git_retcon.code.languages.language import Blocks, Files, Language, Proposal, Sign
from git_retcon.code.lazy_pattern import LazyPattern

_FILES = (b"GNUmakefile", b"makefile", b"Makefile")
_TESTED = rb"(?m)^test\s*::?(?!=)"
# The default goal may deploy, clean or print help, so it is named only where it is known to build:
# as .DEFAULT_GOAL, or as the first line that looks like a rule. What goes first only for make's
# eyes (a target-specific variable, a conditional with a colon) makes the goal unknown.
_RULE = rb" *[^\s.#%:=][^#%:=\n]*:(?!:?:?=)"
_DEFAULT = (
    rb"(?m)^\.DEFAULT_GOAL[ \t]*:{0,3}=[ \t]*(?:all|build)[ \t]*$(?![\s\S]*?^ *\.DEFAULT_GOAL)"
    rb"|\A(?![\s\S]*?^ *\.DEFAULT_GOAL)"
    rb"(?:(?!" + _RULE + rb"|-?s?include\b).*\n)*(?:all|build)[ \t]*::?(?![:=])[^=\n]*$"
)


def _propose_goals(file: bytes) -> Iterator[tuple[bytes, Proposal]]:
    """The first that fits is taken: make alone, or a goal that is there by name."""
    tested = Sign(file, LazyPattern(_TESTED))
    yield file, Proposal("make", "make test", Sign(file, LazyPattern(_DEFAULT)), tested)
    for goal in ("all", "build"):
        named = LazyPattern(rb"(?m)^%b[ \t]*::?(?![:=])" % goal.encode())
        yield file, Proposal(f"make {goal}", "make test", Sign(file, named), tested)


MAKE = Language(
    "make",
    Files(
        endings=b"mk cmake",
        names=b"Makefile GNUmakefile CMakeLists.txt",
        builds=rb"makefile|cmakelists\.txt|[^/]*\.(?:mk|cmake)",
        proposals=tuple(each for file in _FILES for each in _propose_goals(file)),
        tools="make cmake ninja meson",
    ),
    line_comments=(b"#",),
    blocks=Blocks.INDENT,
    brackets=b"",
    attached=LazyPattern(rb"#"),
)
