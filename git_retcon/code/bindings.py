"""Names that a stretch of code binds without defining them: variables, parameters, attributes."""

from git_retcon.code.lazy_pattern import LazyPattern

_HEAD = 400  # bytes of a line: what follows in a generated one is data
_ASSIGNED = LazyPattern(
    r"^(?:[\w.]+\s+|\*)*?\(?(\w+(?:\s*,\s*\w+)*)\)?\s*(?::[^=\n]{1,60})?:?=(?!=)"
)
_DECLARED = LazyPattern(r"\b(?:let|const|var|val|mut|for|as|in|catch|async for)\s*\(?\s*(\w+)")
_ATTRIBUTE = LazyPattern(r"\b(?:self|this|@)\.?(\w+)\s*(?::[^=\n]{1,60})?=(?!=)")
_FUNCTION = LazyPattern(r"^[^=\n]*?\b(?:def|fn|func|function)\b[^(\n]*\(([^)\n]*)")
_PARAMETER = LazyPattern(r"^\*{0,2}&?(\w+)\s*(?::[^=,\n]{1,80})?(?:=[^,\n]{1,60})?,\s*$")
_WORD = LazyPattern(r"[A-Za-z_]\w*")


def find_bindings(text: str) -> frozenset[str]:
    """The names that some line of a text binds."""
    found: set[str] = set()
    for full in text.split("\n"):
        line = full[:_HEAD].strip()
        if (assigned := _ASSIGNED.match(line)) is not None:
            found.update(_WORD.findall(assigned[1]))
        found.update(_DECLARED.findall(line))
        found.update(_ATTRIBUTE.findall(line))
        if (function := _FUNCTION.match(line)) is not None:
            found.update(_WORD.findall(function[1]))
        if (parameter := _PARAMETER.match(line)) is not None:
            found.add(parameter[1])
    return frozenset(found)
