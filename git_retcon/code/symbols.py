"""Which names lines define, use and import: lexically, in any language of the usual families.

This never parses. It errs towards naming too much, because what asks (a repair: which lines answer
an error) tries its answers before it believes them. The planner, which cannot try, asks
``definitions``: sparing, by language, and what its weights were fitted to.
"""

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.code.languages.language import Language, Symbols
from git_retcon.code.lazy_pattern import LazyPattern


class Names(NamedTuple):
    """What some lines define, hold as members, import, and mention at all.

    ``members`` are fields, keys, parameters and variants: names that mean something only with
    their owner. ``imports`` are names that an import binds; ``modules`` are the words of the
    module paths it names.
    """

    defined: frozenset[str]
    members: frozenset[str]
    imports: frozenset[str]
    modules: frozenset[str]
    used: frozenset[str]

    @property
    def bound(self) -> frozenset[str]:
        """Names that the rest of the file can use after these lines."""
        return self.defined | self.imports


_WORD = LazyPattern(r"[^\W\d][\w$]*|\$[\w$]+")
_MODIFIERS = (
    r"(?:(?:export|default|declare|pub(?:\([^)]*\))?|public|private|protected|internal|static|final"
    r"|abstract|async|unsafe|extern(?: \"C\")?|virtual|override|inline|constexpr|open|data|sealed"
    r"|template\s*<[^>]*>|suspend|readonly|partial|mut|typedef|const|volatile)\s+)*"
)
_KEYWORD = LazyPattern(
    rf"^\s*{_MODIFIERS}(?:def|class|fn|func|fun|function\*?|struct|enum|union|trait|interface|type|"
    r"mod|namespace|record|object|macro_rules!|module|protocol|extension)\s+"
    r"(?:\([^)]*\)\s*)?(?P<name>[^\W\d][\w$]*)(?![\w$]|\s*[*&]|\s+(?!map\b|func\b)\w+\s*[(;=,\[])"
)
_VALUE = LazyPattern(
    rf"^\s*{_MODIFIERS}(?:"
    r"(?:let|var|val|const)\s+(?:mut\s+)?(?P<name>[^\W\d][\w$]*)(?![\w$]|\s+[\w*&])"
    r"|(?:static|const)\s+(?:mut\s+)?(?P<constant>\w+)\s*:)"
)
_STATEMENT = (
    r"(?!(?:return|else|new|throw|case|goto|await|yield|delete|typeof|not|and|or|in|if|raise|from"
    r"|import|use|using|package|print|assert|del|elif|while|for|switch|match|with|except)\b)"
)
_GLOBAL = LazyPattern(
    rf"^{_STATEMENT}(?:[\w<>]+(?:::[\w<>]+)*[\s*&]+)+(?P<name>[^\W\d]\w*)\s*(?:\[[^\]]*\])?\s*(?:;|=[^=])"
)
_DESTRUCTURED = LazyPattern(r"^\s*(?:export\s+)?(?:const|let|var)\s*\{(?P<names>[^}]*)\}")
_MACRO = LazyPattern(r"^\s*#\s*define\s+(?P<name>\w+)")
_TYPEDEF = LazyPattern(r"^(?:\s*typedef\b.*?|\}\s*)(?P<name>\w+)\s*;")
_FUNCTION = LazyPattern(  # C, C++, Java: a type, a name, an opening parenthesis
    rf"^\s*{_STATEMENT}"
    r"(?:[\w:<>,\[\].?@]+[\s&*]+)+(?:\w+::)*(?P<name>~?[^\W\d]\w*)\s*\("
)
_ASSIGNED = LazyPattern(r"^(?P<names>[^\W\d][\w, $]*?)\s*(?::[^=]+)?=(?![=~>])")
_METHOD = LazyPattern(  # a method of a JavaScript class or object; of a Java constructor too
    r"^\s+(?:(?:static|async|get|set|public|private|protected)\s+)*\*?(?P<name>[^\W\d][\w$]*)"
    r"\s*\([^()]*\)\s*(?::\s*[^{]+)?\{\s*$"
)
_RESERVED = """if for while switch catch return else elif match with do try await new function not
    and or
    in is lambda print assert raise del pass import from as self this super None True False
    null true false void int char double float long short bool string let const var def class
    struct static pub fn func type enum public private protected export"""
_NOT_NAMES = frozenset(_RESERVED.split())

_ATTRIBUTE = LazyPattern(r"\b(?:self|this|cls)(?:\.|->)(?P<name>\w+)\s*(?::[^=]*)?=(?!=)")
_FIELD = LazyPattern(
    r"^\s*(?:(?:pub(?:\([^)]*\))?|public|private|protected|readonly|static|final)\s+)*"
    r"[\"']?(?P<name>[^\W\d][\w$-]*)[\"']?\??\s*[:=](?![:=])"
)
_TYPED_FIELD = LazyPattern(
    rf"^\s+{_STATEMENT}"
    r"(?:[\w<>\[\],.]+(?:::[\w<>]+)*[\s*&]+)+(?P<name>\w+)\s*(?:=[^=].*|\[[^\]]*\])?;"
)
_GO_FIELD = LazyPattern(r"^\s+(?P<name>[A-Za-z]\w*)\s+[*\[\]\w.]+(?:\s+`.*`)?\s*$")
_VARIANT = LazyPattern(r"^\s+(?P<name>[A-Z]\w*)\s*(?:\(.*\)|=.*|\{.*)?,?\s*$")
_PARAMETERS = LazyPattern(r"\b(?:def|fn|func|fun|function)\b[^(]*\((?P<list>.*)")
_PARAMETER = LazyPattern(r"(?:^|,)\s*\**(?P<name>[^\W\d]\w*)\s*(?=[:=,)]|$|\s\w)")
_KEY = LazyPattern(
    r"[{,(]\s*[\"']?(?P<name>[^\W\d][\w$]*)[\"']?\s*[:=](?![:=])|\[[\"'](?P<key>\w+)[\"']\]"
)

_FROM = LazyPattern(r"^\s*from\s+(?P<module>[\w.]+)\s+import\s+\(?(?P<names>.*)")
_IMPORT = LazyPattern(
    r"^\s*import\s+(?P<names>[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?: as \w+)?)*)\s*;?\s*$"
)
_ECMA = LazyPattern(
    r"^\s*(?:import|export)\s+(?P<names>[^'\"]*?)\s*from\s*['\"](?P<module>[^'\"]+)"
)
_REQUIRE = LazyPattern(
    r"\brequire\(\s*['\"](?P<module>[^'\"]+)|^\s*import\s*['\"](?P<bare>[^'\"]+)"
)
_USE = LazyPattern(r"^\s*(?:pub(?:\([^)]*\))?\s+)?use\s+(?P<names>[^;]+)")
_JAVA_IMPORT = LazyPattern(r"^\s*import\s+(?:static\s+)?(?P<names>[\w.]+)(?:\.\*)?\s*;")
_INCLUDE = LazyPattern(r"^\s*#\s*include\s*[<\"](?P<module>[^>\"]+)")
_GO_IMPORT = LazyPattern(r"^\s*(?:import\s+)?(?:(?P<names>[\w.]+)\s+)?\"(?P<module>[\w./-]+)\"\s*$")

_LONGEST_LINE = 1000


def find_names(lines: Iterable[bytes], language: Language) -> Names:
    """The names in some lines of a file (which need not be the whole file)."""
    # Patterns are matched against each line; minified ones would cost seconds.
    found = [_line_names(line[:_LONGEST_LINE], language.symbols) for line in _whole_imports(lines)]
    if len(found) == 1:
        return found[0]
    return Names(
        frozenset().union(*(line.defined for line in found)),
        frozenset().union(*(line.members for line in found)),
        frozenset().union(*(line.imports for line in found)),
        frozenset().union(*(line.modules for line in found)),
        frozenset().union(*(line.used for line in found)),
    )


_OPEN_IMPORT = LazyPattern(
    rb"\s*(?:from\s+[\w.]+\s+import\s*\([^)]*$|(?:import|export)\s*(?:type\s*)?\{[^}]*$"
    rb"|(?:pub\s+)?use\s+[\w:]+::\{[^}]*$)"
)


def _whole_imports(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines, where an import that runs over several is one."""
    joined: list[bytes] = []
    for line in lines:
        if joined or _OPEN_IMPORT.match(line.rstrip()):
            joined.append(line.strip())
            if not joined[1:] or not any(end in line for end in (b")", b"}")):
                continue
            line = b" ".join(joined)
            joined = []
        yield line
    if joined:
        yield b" ".join(joined)


_NOTHING: frozenset[str] = frozenset()
_NO_NAMES = Names(_NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING)


@functools.lru_cache(maxsize=1 << 15)  # the same lines are asked about again and again
def _line_names(raw: bytes, symbols: Symbols) -> Names:
    line = raw.decode("utf-8", "replace").rstrip()
    if not line or line.isspace():
        return _NO_NAMES
    imports, modules = _find_imports(line, symbols)
    bare = symbols.noise.sub(" ", line)
    used = frozenset(_WORD.findall(bare)) | modules
    # An import defines nothing, though ``import {a} from "b"`` has the look of a field.
    if imports or modules:
        return Names(_NOTHING, _NOTHING, frozenset(imports), frozenset(modules), used)
    defined = _find_defined(bare, symbols)
    return Names(
        frozenset(defined),
        frozenset(_find_members(line, symbols) | defined),
        _NOTHING,
        _NOTHING,
        used,
    )


def _find_defined(line: str, symbols: Symbols) -> set[str]:
    for pattern in symbols.definitions:
        if found := pattern.match(line):
            return {found["name"]}
    return _find_usual(line)


def _find_usual(line: str) -> set[str]:
    if found := _KEYWORD.match(line) or _MACRO.match(line):
        return {found["name"]}
    if found := _VALUE.match(line):
        return {found["name"] or found["constant"]} - _NOT_NAMES
    for pattern in (_TYPEDEF, _FUNCTION, _METHOD, _GLOBAL):
        if found := pattern.match(line):
            return {found["name"].lstrip("~")} - _NOT_NAMES
    for pattern in (_DESTRUCTURED, _ASSIGNED):
        if found := pattern.match(line):
            return set(_WORD.findall(found["names"])) - _NOT_NAMES
    return set()


def _find_members(line: str, symbols: Symbols) -> set[str]:
    found = {match["name"] for match in _ATTRIBUTE.finditer(line)}
    for pattern in (*symbols.members, _FIELD, _TYPED_FIELD, _GO_FIELD, _VARIANT):
        if match := pattern.match(line):
            found.add(match["name"])
    for match in _KEY.finditer(line):
        found.add(match["name"] or match["key"])
    if parameters := _PARAMETERS.search(line):
        found.update(match["name"] for match in _PARAMETER.finditer(parameters["list"]))
    return found


def _find_imports(line: str, symbols: Symbols) -> tuple[set[str], set[str]]:
    """The names that an import binds and the words of its module's path; empty for other lines."""
    for pattern in symbols.imports:
        if found := pattern.match(line):
            groups = found.groupdict()
            return _find_words(groups.get("names")), _find_words(groups.get("module"))
    return _find_usual_imports(line)


def _find_words(text: str | None) -> set[str]:
    return set(_WORD.findall(text or ""))


def _find_usual_imports(line: str) -> tuple[set[str], set[str]]:
    if found := _FROM.match(line) or _ECMA.match(line) or _INCLUDE.match(line):
        bound = _find_words(found.groupdict().get("names")) - {"as", "type", "import"}
        return bound, _find_words(found["module"])
    # Before Go's form, which a bare ``import "x"`` of JavaScript would match as well.
    if found := _REQUIRE.search(line):
        words = _WORD.findall(found["module"] or found["bare"])
        # require("..") names a module by no word
        bound = {word for word in _find_usual(line) if word not in words}
        return bound | {*words[-1:]}, set(words)
    if found := _GO_IMPORT.match(line):
        words = _WORD.findall(found["module"])
        bound = _find_words(found["names"]) - {"as", "type", "import"}
        return bound or {*words[-1:]}, set(words)
    return _find_dotted_imports(line)


def _find_dotted_imports(line: str) -> tuple[set[str], set[str]]:
    """Imports of a path of names, which are as much module as name."""
    if found := _JAVA_IMPORT.match(line):
        words = _without_as(found["names"])
        return {*words[-1:]}, set(words)
    if found := _USE.match(line) or _IMPORT.match(line):
        words = _without_as(found["names"])
        return set(words), set(words)
    return set(), set()


def _without_as(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word != "as"]


def find_outermost(lines: Iterable[bytes], language: Language) -> frozenset[str]:
    """The names that some lines define at their least indentation."""
    found: dict[int, set[str]] = {}
    for line in lines:
        if defined := find_names((line,), language).defined:
            found.setdefault(indentation_of(line), set()).update(defined)
    return frozenset(found[min(found)]) if found else frozenset()


def find_block(lines: Sequence[bytes], start: int) -> tuple[int, int]:
    """The lines ``[first, stop)`` of the definition whose head is line ``start``.

    It runs while lines are deeper than the head, and through the line that closes it; decorators,
    attributes and a comment right above belong to it.
    """
    depth = indentation_of(lines[start])
    stop = start + 1
    for at in range(start + 1, len(lines)):
        line = lines[at].strip()
        if not line:
            continue
        if indentation_of(lines[at]) > depth:
            stop = at + 1
        # Also an opening brace on a line of its own, as some styles have it.
        elif indentation_of(lines[at]) == depth and line[:1] in b"{})]":
            stop = at + 1
            if line[:1] in b"}" and not line.endswith(b"{"):
                break
        else:
            break
    first = start
    while first > 0 and lines[first - 1].strip()[:1] in (b"@", b"#", b"/", b"*"):
        # ``#include`` looks like an attribute of what comes after it, and is not.
        if indentation_of(lines[first - 1]) < depth or lines[first - 1].startswith(b"#include"):
            break
        first -= 1
    return first, stop


def find_enclosing(lines: Sequence[bytes], at: int) -> tuple[int, ...]:
    """The heads of the definitions around line ``at``, innermost first."""
    heads: list[int] = []
    depth = indentation_of(lines[at])
    for above in range(at - 1, -1, -1):
        if depth == 0:
            break
        line = lines[above]
        if line.strip() and indentation_of(line) < depth and line.strip()[:1] not in b"{})]#":
            depth = indentation_of(line)
            heads.append(above)
    return tuple(heads)


def indentation_of(line: bytes) -> int:
    """Columns of white space before the text; a tab counts as eight."""
    text = line.rstrip()
    return len(text[: len(text) - len(text.lstrip())].expandtabs(8))
