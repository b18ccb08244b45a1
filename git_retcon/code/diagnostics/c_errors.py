"""C and C++: gcc, clang and the linkers of GNU, LLVM and macOS."""

import re
from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    PlacedMessage,
    Rule,
    Severity,
    classify,
    read_number,
)
from git_retcon.code.diagnostics.line_index import index_lines
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = (
    "warning: ",
    "error: ",
    "error:",
    "undefined reference",
    "multiple definition",
    "ndefined symbol",
    "implicit declaration",
    "cannot find -l",
    "referenced from:",
)

# Each line that one of the patterns fits holds one of these.
NEEDLES = (
    *("error: ", "warning: ", "undefined ", "definition of", "cannot find -l"),
    *("duplicate symbol", "from:"),
)

_Q = "[‘’'`\"]"  # how a name is quoted depends on the locale
_TAG = "(?:struct |class |union |enum )?"
_RULES: tuple[Rule, ...] = (
    Rule(Kind.FILE, "No such file or directory", r"(?P<file>[^\s:]+): No such file or directory"),
    Rule(Kind.FILE, "file not found", rf"^{_Q}(?P<file>[^‘’'`\"]+){_Q} file not found"),
    Rule(Kind.FILE, "no such file", rf"no such file or directory: {_Q}(?P<file>[^‘’'`\"]+)"),
    Rule(
        Kind.UNDEFINED,
        "implicit declaration of",
        rf"implicit declaration of (?P<noun>function) {_Q}(?P<symbol>\w+)",
    ),
    Rule(
        Kind.UNDEFINED,
        "undeclared",
        rf"call to undeclared (?:library )?(?P<noun>function) {_Q}(?P<symbol>\w+)",
    ),
    Rule(Kind.UNDEFINED, "undeclared", rf"undeclared identifier {_Q}(?P<symbol>\w+)"),
    Rule(Kind.UNDEFINED, "undeclared", rf"^{_Q}(?P<symbol>\w+){_Q} undeclared"),
    Rule(
        Kind.UNDEFINED,
        "was not declared in this scope",
        rf"{_Q}(?P<symbol>[\w:]+){_Q} was not declared",
    ),
    Rule(Kind.UNDEFINED, "has not been declared", rf"{_Q}(?P<symbol>[\w:]+){_Q} has not been"),
    Rule(Kind.UNDEFINED, "unknown type name", rf"unknown (?P<noun>type) name {_Q}(?P<symbol>\w+)"),
    Rule(
        Kind.UNDEFINED,
        "does not name a type",
        rf"{_Q}(?P<symbol>\w+){_Q}(?: in .{{1,80}})? does not name a (?P<noun>type)",
    ),
    Rule(
        Kind.UNDEFINED,
        "undefined type",
        rf"undefined (?P<noun>type) {_Q}{_TAG}(?P<symbol>\w+)",
    ),
    Rule(
        Kind.UNDEFINED,
        "incomplete ",
        rf"incomplete (?:definition of )?(?P<noun>type) {_Q}{_TAG}(?P<symbol>[\w:]+)",
    ),
    Rule(Kind.UNDEFINED, "isn", rf"storage size of .{{1,60}} isn.t known: {_TAG}(?P<symbol>\w+)"),
    Rule(Kind.UNDEFINED, "no type named", rf"no (?P<noun>type) named {_Q}(?P<symbol>\w+)"),
    Rule(Kind.UNDEFINED, "expected type-spec", rf"specifier before {_Q}(?P<symbol>\w+)"),
    Rule(Kind.UNDEFINED, "expected class", r"^expected class[ -]name.*: (?P<symbol>[\w:]+)$"),
    Rule(
        Kind.MEMBER,
        "is not a member of",
        rf"{_Q}(?P<symbol>\w+){_Q} is not a member of {_Q}(?P<owner>[^‘’'`\"]+){_Q}",
    ),
    Rule(
        Kind.MEMBER,
        "no member named",
        rf"{_Q}(?P<owner>[^‘’'`\"]+){_Q}(?: \{{aka .{{1,400}}\}})? has no member named"
        rf" {_Q}(?P<symbol>\w+)",
    ),
    Rule(
        Kind.MEMBER,
        "no member named",
        rf"no member named {_Q}(?P<symbol>\w+){_Q} in (?:namespace )?{_Q}(?P<owner>[^‘’'`\"]+)",
    ),
    Rule(
        Kind.MEMBER,
        "does not refer to any field",
        rf"designator {_Q}(?P<symbol>\w+){_Q} .{{0,60}} type {_Q}(?P<owner>[^‘’'`\"]+)",
    ),
    Rule(
        Kind.UNDEFINED,
        "undefined reference to",
        rf"undefined reference to {_Q}(?:vtable for |typeinfo for )?(?P<symbol>[^‘’'`\"]+)",
    ),
    Rule(Kind.UNDEFINED, "undefined symbol", r"undefined symbol: (?P<symbol>.+)$"),
    Rule(Kind.UNDEFINED, "referenced from:", r'^"_?(?P<symbol>[^"]+)", referenced from:'),
    Rule(Kind.DUPLICATE, "multiple definition of", rf"definition of {_Q}(?P<symbol>[^‘’'`\"]+)"),
    Rule(Kind.DUPLICATE, "duplicate symbol", r"duplicate symbol:? '?_?(?P<symbol>[\w:~]+)"),
    Rule(Kind.DUPLICATE, "redefinition of", rf"redefinition of {_Q}(?P<symbol>[^‘’'`\"]+)"),
    Rule(Kind.DUPLICATE, "conflicting types", rf"conflicting types for {_Q}(?P<symbol>[^‘’'`\"]+)"),
    Rule(
        Kind.MISMATCH,
        "arguments to",
        rf"too (?:few|many) arguments to (?:function|method)(?: call)?,? ?{_Q}(?P<owner>[\w:]+)",
    ),
    Rule(
        Kind.MISMATCH,
        "no matching",
        r"no matching (?:member |constructor )?(?:function )?for (?:call to|initialization of)"
        rf" {_Q}(?P<owner>[\w:~]+)",
    ),
    Rule(
        Kind.MISMATCH,
        "arguments to function",
        r"too (?:few|many) arguments to function call(?:.*: (?P<owner>\w+)$)?",
    ),
    Rule(
        Kind.MISMATCH,
        "no declaration matches",
        rf"no declaration matches {_Q}(?:[^(]*[\s*&])?(?P<owner>[\w:~]+)\(",
    ),
    Rule(
        Kind.MISMATCH,
        "out-of-line definition",
        rf"definition of {_Q}(?P<owner>[\w~]+){_Q} does not match",
    ),
    Rule(
        Kind.MISMATCH,
        "declared inside",
        rf"{_Q}(?:[^(]*[\s*&])?(?P<owner>[\w:~]+)\(.{{0,200}}should have been declared inside",
    ),
    Rule(
        Kind.MISMATCH,
        "does not override",
        rf"{_Q}(?:[^(]*[\s*&])?(?P<owner>[\w:~]+)\(.{{0,200}} marked .{{1,20}} does not override",
    ),
    Rule(Kind.MISMATCH, "abstract", rf"\btype {_Q}(?P<owner>[\w:]+){_Q}"),
    Rule(
        Kind.MISMATCH,
        "private",
        rf"{_Q}(?:[^(‘’'`]*[\s*&])?(?P<owner>[\w:~]+)(?:\(.*\))?{_Q} is (?:a )?private",
    ),
    Rule(Kind.MISMATCH, "cannot ", r"^cannot (?:convert|initialize|assign)\b"),
    Rule(Kind.UNUSED, "defined but not used", rf"{_Q}(?P<symbol>\w+){_Q} defined but not used"),
    Rule(Kind.UNUSED, "unused", rf"unused (?P<noun>variable|function) {_Q}(?P<symbol>\w+)"),
    Rule(Kind.FILE, "cannot find -l", r"cannot find (?P<file>-l[\w.+-]+)"),
    Rule(Kind.SYNTAX, "expected", r"^expected |^stray |^unterminated |^extraneous "),
)

_COMPILER = LazyPattern(
    r"^(?P<path>(?:[A-Za-z]:)?[^\s:][^:]*):(?P<line>\d+)(?::(?P<column>\d+))?: "
    r"(?:fatal )?(?P<severity>error|warning): (?P<message>.+)$"
)
_OPTION = LazyPattern(r" \[(?P<flag>-W(?:error=)?)?(?P<rule>[a-zA-Z][\w.=+-]*)(?:,[\w.,-]+)?\]$")
_SOURCES = LazyPattern(
    r"\.(?:c|cc|cpp|cxx|c\+\+|C|h|hh|hpp|hxx|h\+\+|inl|ipp|tcc|m|mm|S|s|cu|cuh)$"
)

_NO_PLACE = LazyPattern(r"^(?:\S*(?:gcc|g\+\+|clang|clang\+\+|cc|cc1|cc1plus|c\+\+)): "
                       r"(?:fatal )?error: (?P<message>.+)$")  # fmt: skip
_LINKER = LazyPattern(
    r"^(?:\S*\bld(?:\.\w+)?(?:\S*)?: )?(?:\S+?\.(?:o|a)(?:\(\S+\))?: )?(?:in function [^:]*: ?)?"
    r"(?:(?P<path>[^\s:]+\.\w+):(?:(?P<line>\d+)|\([^)]*\)): )?"
    r"(?:error: )?(?P<message>(?:undefined reference to|multiple definition of|undefined symbol:"
    r"|duplicate symbol|cannot find -l).*)$"
)
_MAC = LazyPattern(r'^ {2}(?P<message>"[^"]+", referenced from:)$')


# Where the message names nothing, the line of source or the note below it does.
_BELOW = (
    ("storage size of", LazyPattern(r"\b(?:struct|union|enum|class)\s+(?P<name>\w+)")),
    (
        "expected class",
        LazyPattern(
            r"\b(?:class|struct)\s+\w[^:]*:\s*(?:(?:public|private|protected|virtual)\s+)*"
            r"(?P<name>[\w:]+)"
        ),
    ),
    ("arguments to function call", LazyPattern(rf": note: {_Q}(?P<name>\w+){_Q} declared here$")),
)
_MOST_BELOW = 6


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the compilers and linkers of C complain of, in order."""
    for at in index_lines(lines).find_any(NEEDLES):
        line = lines[at]
        if found := _match_compiler(line) or _match_linker(line):
            groups = found.groupdict()
            message = _add_name(groups["message"], lines, at)
            option = _OPTION.search(message)
            is_source = groups.get("path") is None or _SOURCES.search(groups["path"])
            located = PlacedMessage(
                groups.get("path"),
                read_number(groups.get("line")),
                message,
                read_number(groups.get("column")),
                Severity(groups.get("severity") or "error"),
                # The form is GNU's: other tools have taken it over.
                _choose_category(option) if is_source else Category.UNKNOWN,
                option["rule"] if option else "",
                "cc" if is_source else "",
                at,
            )
            yield classify(_RULES, located)


def _choose_category(option: re.Match[str] | None) -> Category:
    """clang-tidy names its check where a compiler names the option of a warning."""
    if option is None or option["flag"] or "-" not in option["rule"]:
        return Category.COMPILE
    is_compilers = option["rule"].startswith("clang-diagnostic")
    return Category.COMPILE if is_compilers else Category.LINT


def _add_name(message: str, lines: Sequence[str], at: int) -> str:
    for needle, pattern in _BELOW:
        if needle not in message:
            continue
        for line in lines[at + 1 : at + 1 + _MOST_BELOW]:
            if found := pattern.search(line):
                return f"{message}: {found['name']}"
            if " error: " in line:
                break
    return message


def _match_compiler(line: str) -> re.Match[str] | None:
    if "error: " not in line and "warning: " not in line:
        return None
    return _COMPILER.match(line) or _NO_PLACE.match(line)


def _match_linker(line: str) -> re.Match[str] | None:
    if "undefined " in line or "definition of" in line or "cannot find -l" in line:
        return _LINKER.match(line)
    if "duplicate symbol" in line:
        return _LINKER.match(line)
    return _MAC.match(line) if line.endswith("from:") else None
