"""The line of JavaScript that makes an ES module of a script that is none.

Node takes a file for an ES module if one line of it imports or exports in that way, and then
complains of the lines that were right before: an ES module has no ``require`` and no ``module``.
"""

from collections.abc import Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.diagnostics.typescript_errors import TREATED_AS_MODULE
from git_retcon.code.lazy_pattern import LazyPattern

_LACKS = LazyPattern(r"\b(?:require|module|exports) is not defined in ES module scope")
_MODULE_LINE = LazyPattern(r"(?:import[\s{'\"*]|export[\s{*])")
_SCRIPT_LINE = LazyPattern(r"(?:.*[^.\w])?(?:require\(|module\.exports\b|exports\.\w+ *=)")
_ALWAYS_MODULES = (b".mjs", b".mts")
_LONGEST_LINE = 500  # characters


def find_module_line(diagnostic: Diagnostic, lines: Sequence[str]) -> int | None:
    """The number of the one line that is an ES module's, among two or more of a script's.

    What package.json calls a module is one, whatever its lines are.
    """
    message, path = diagnostic.message, diagnostic.path or b""
    if not _LACKS.search(message) or TREATED_AS_MODULE in message or path.endswith(_ALWAYS_MODULES):
        return None
    short = [line[:_LONGEST_LINE] for line in lines]
    modern = [number for number, line in enumerate(short, 1) if _MODULE_LINE.match(line)]
    older = sum(_SCRIPT_LINE.match(line) is not None for line in short)
    return modern[0] if len(modern) == 1 and older > 1 else None
