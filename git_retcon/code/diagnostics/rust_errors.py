"""Rust: rustc and cargo, in the human form and with ``--error-format=short``."""

import itertools
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

HINTS = ("warning: ", "error[E", "error: ", "panicked at", "test ")

_IN = r"(?:(?:the )?(?:module|struct|enum|trait|crate|type)? ?`(?P<owner>[^`]+)`|this scope)"
_RULES: tuple[Rule, ...] = (
    Rule(Kind.FILE, "file not found for module", r"for (?P<noun>module) `(?P<file>\w+)`"),
    Rule(Kind.FILE, "couldn't read", r"couldn't read `?(?P<file>[^`:]+)`?: No such file"),
    Rule(Kind.FILE, "can't find", r"can't find .{0,60} at path `(?P<file>[^`]+)`"),
    Rule(Kind.FILE, "failed to read", r"failed to read `(?P<file>[^`]+)`"),
    Rule(Kind.FILE, "no matching package", r"no matching (?P<noun>package) named `(?P<file>\w+)`"),
    Rule(Kind.FILE, "--locked", r"update the lock file (?P<file>\S+)"),
    Rule(Kind.IMPORT, "unresolved import", r"unresolved import `(?P<symbol>[\w:]+::\w+)`"),
    Rule(Kind.FILE, "unresolved import", r"unresolved import `(?P<file>(?P<symbol>\w+))`"),
    Rule(Kind.FILE, " target named ", r"no \w+ (?P<noun>target) named `(?P<file>[\w-]+)`"),
    Rule(Kind.FILE, "can't find crate", r"can't find (?P<noun>crate) for `(?P<file>\w+)`"),
    Rule(
        Kind.FILE,
        "cannot find module or crate",
        r"cannot find (?P<noun>module or crate) `(?P<file>(?P<symbol>\w+))`",
    ),
    Rule(
        Kind.FILE,
        "unresolved module or unlinked",
        r"(?P<noun>module) or unlinked crate `(?P<file>(?P<symbol>\w+))`",
    ),
    Rule(
        Kind.FILE,
        "undeclared crate or module",
        r"undeclared crate or (?P<noun>module) `(?P<file>(?P<symbol>\w+))`",
    ),
    Rule(Kind.UNDEFINED, "undeclared type", r"undeclared (?P<noun>type) `(?P<symbol>\w+)`"),
    Rule(Kind.UNDEFINED, "could not find", rf"could not find `(?P<symbol>\w+)` in {_IN}"),
    Rule(
        Kind.UNDEFINED,
        "cannot find",
        rf"cannot find (?P<noun>[\w, /-]{{1,60}}?)? ?`(?P<symbol>\w+)!?` in {_IN}",
    ),
    Rule(
        Kind.MEMBER,
        " found for ",
        r"no (?P<noun>method|function|associated item|variant|[\w ]{1,40}?)(?: or [\w ]{1,30})?"
        r" named `(?P<symbol>\w+)` found for [^`]{1,60}`(?P<owner>[^`]+)`",
    ),
    Rule(
        Kind.MEMBER,
        "has no field named",
        r"`(?P<owner>[^`]+)` has no (?P<noun>field) named `(?P<symbol>\w+)`",
    ),
    Rule(
        Kind.MEMBER,
        "no field",
        r"no (?P<noun>field) `(?P<symbol>\w+)` on type `(?P<owner>[^`]+)`",
    ),
    Rule(
        Kind.MEMBER,
        "does not have a field",
        r"`(?P<owner>[^`]+)` does not have a (?P<noun>field) named `(?P<symbol>\w+)`",
    ),
    Rule(
        Kind.MEMBER,
        "is not a member of trait",
        r"(?P<noun>\w+) `(?P<symbol>\w+)` is not a member of trait `(?P<owner>\w+)`",
    ),
    Rule(Kind.MISMATCH, "not all trait items", r"missing: (?P<symbol>`[^:]+`)"),
    Rule(
        Kind.MISMATCH,
        "missing field",
        r"missing fields? (?P<symbol>`.+`) in initializer of `(?P<owner>[^`]+)`",
    ),
    Rule(Kind.MISMATCH, "non-exhaustive", r"non-exhaustive patterns: `&*(?P<symbol>[\w:]+)"),
    Rule(Kind.MISMATCH, "argument", r"this (?P<noun>function|method|\w+(?: \w+)?) takes \d+"),
    Rule(
        Kind.MISMATCH,
        "is private",
        r"(?P<noun>\w+) `(?P<owner>\w+)`(?: of \w+ `[^`]+`)? is private",
    ),
    Rule(Kind.MISMATCH, "but the declaration in", r"^(?P<noun>\w+) `(?P<owner>\w+)` has "),
    Rule(
        Kind.MISMATCH,
        "is not satisfied",
        r"trait bound `(?P<owner>[^`]+?): (?P<symbol>[\w:]+)[^`]*` is not satisfied",
    ),
    Rule(
        Kind.MISMATCH,
        "doesn't implement",
        r"`(?P<owner>[^`]+)` doesn't implement `(?P<symbol>[^`]+)`",
    ),
    Rule(
        Kind.MISMATCH,
        "cannot be applied to type",
        r"^binary operation .{1,10} cannot be applied to type `(?P<owner>[^`]+)`",
    ),
    Rule(Kind.UNUSED, "unused", r"unused (?P<noun>import|variable)s?: (?P<symbol>`.+`)"),
    Rule(Kind.UNUSED, "never", r"(?P<noun>\w+) `(?P<symbol>\w+)` is never (?:used|read)"),
    Rule(Kind.DUPLICATE, "defined multiple times", r"name `(?P<symbol>\w+)` is defined multiple"),
    Rule(
        Kind.DUPLICATE, "conflicting impl", r"conflicting implementations .{0,40}`(?P<symbol>\w+)"
    ),
    Rule(Kind.DUPLICATE, "duplicate definitions", r"with name `(?P<symbol>\w+)`"),
    Rule(
        Kind.SYNTAX,
        "",
        r"^(?:expected |unexpected closing|mismatched closing|this file contains an un)",
    ),
    Rule(Kind.MISMATCH, "mismatched types", r"mismatched types"),
)

_HUMAN = LazyPattern(
    r"^(?P<severity>error|warning)(?:\[(?P<rule>E\d{4}|[a-z][\w-]*(?:::\w+)*)\])?: (?P<message>.+)$"
)
_SHORT = LazyPattern(
    r"^(?P<path>[^\s:][^:]*\.rs):(?P<line>\d+):(?P<column>\d+): (?P<severity>error|warning)"
    r"(?:\[(?P<rule>E\d{4})\])?: (?P<message>.+)$"
)
_ARROW = LazyPattern(r"^ *(?:-->|╭▸|┌─) (?P<path>.+?):(?P<line>\d+):(?P<column>\d+)$")
_LINT = LazyPattern(r"`#\[(?:warn|deny|forbid)\((?P<rule>[\w:]+)\)\]`")
_CLIPPY = LazyPattern(r"rust-clippy/\S*#(?P<rule>\w+)")
_ADVICE = LazyPattern(r"^ *(?:= )?help: (?!for further)(?P<text>.+)$")
_CALLEE = LazyPattern(r"^ *\d+ \| .*?\bfn (?P<name>\w+)")
_SOURCE = LazyPattern(r"^ *(?P<line>\d+) +\|")
_PANIC = LazyPattern(
    r"^thread '.{1,200}'(?: \(\d+\))? panicked at (?P<path>[^\s:,']+):(?P<line>\d+)"
    r":(?P<column>\d+):?$"
)
_CLOSING = LazyPattern(
    r"^(?:could not compile|aborting due to|test failed|build failed|process didn't"
    r"|\d+ targets? failed|failed to (?:get|load)|build failed, waiting|unused manifest key)"
    r"|generated \d+ warning|\d+ warnings? emitted"
)
NEEDLES = ("error", "warning", ".rs:", "  failed", "thread ")
# The standard library of another platform, a part of the toolchain.
_NO_TARGET = "` target may not be installed"
_CAUSE = LazyPattern(r"^  (?P<message>failed to read `.+`)$")


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What rustc and cargo complain of, in order."""
    for at in index_lines(lines).find_any(NEEDLES):
        line = lines[at]
        if line.startswith(("error", "warning")) and (found := _HUMAN.match(line)):
            if _CLOSING.search(found["message"]):
                continue
            if (diagnostic := _read_human(lines, at, found)) is not None:
                yield diagnostic
        elif ".rs:" in line and (found := _SHORT.match(line)):
            located = PlacedMessage(found["path"], read_number(found["line"]), found["message"])
            located = located._replace(
                column=read_number(found["column"]),
                severity=Severity(found["severity"]),
                rule=found["rule"] or "",
            )
            yield classify(_RULES, _mark_origin(located, at))
        elif line.startswith("  failed") and (found := _CAUSE.match(line)):
            located = PlacedMessage(None, None, found["message"])
            yield classify(_RULES, _mark_origin(located, at)._replace(category=Category.CONFIG))
        elif line.startswith("thread ") and (found := _PANIC.match(line)):
            said = lines[at + 1] if at + 1 < len(lines) else "panicked"
            located = PlacedMessage(found["path"], read_number(found["line"]), said)
            located = located._replace(column=read_number(found["column"]), last=at + 1)
            located = _mark_origin(located, at)._replace(category=Category.RUNTIME)
            yield classify((), located, Kind.TEST)


def _mark_origin(located: PlacedMessage, at: int) -> PlacedMessage:
    return located._replace(category=Category.COMPILE, tool="rustc", first=at)


def _read_human(lines: Sequence[str], at: int, said: re.Match[str]) -> Diagnostic | None:
    """The message and what is below it; None for a warning that names no place."""
    located = _mark_origin(PlacedMessage(None, None, said["message"]), at)
    located = located._replace(severity=Severity(said["severity"]), rule=said["rule"] or "")
    callee, advice, noted, lacks = "", "", False, False
    for below, line in enumerate(lines[at + 1 : at + 40], at + 1):
        if not line.strip():
            break
        noted = noted or line.startswith("note: ")
        lacks = lacks or line.endswith(_NO_TARGET)
        if located.path is None and (found := _ARROW.match(line)):
            located = located._replace(
                path=found["path"],
                line=read_number(found["line"]),
                column=read_number(found["column"]),
            )
        elif noted and not callee and (found := _CALLEE.match(line)):
            callee = found["name"]
        elif not advice and "help: " in line and (found := _ADVICE.match(line)):
            advice = found["text"]
        located = _add_lint(located, line)._replace(last=below)
    if located.path is None and located.severity is Severity.WARNING:
        return None
    if located.path is None and not located.rule:
        # Any program may say "error: ".
        located = located._replace(category=Category.UNKNOWN, tool="")
    elif located.path and not located.path.endswith((".rs", ".toml")):
        # Linters of other languages print in rustc's form.
        located = located._replace(category=Category.LINT, tool="")
    if located.path and located.message.endswith("unclosed delimiter"):
        located = _find_opening(located, lines)
    diagnostic = classify(_RULES, located)._replace(suggestion=advice)
    if lacks:
        return diagnostic._replace(category=Category.INFRASTRUCTURE)
    if diagnostic.noun == "package":
        return diagnostic._replace(category=Category.DEPENDENCY, tool="cargo")
    if diagnostic.kind is Kind.MISMATCH and not diagnostic.owner and callee:
        return diagnostic._replace(owner=callee)
    return diagnostic


def _find_opening(located: PlacedMessage, lines: Sequence[str]) -> PlacedMessage:
    """The line that opens what nothing closes: rustc names the end of the file, and shows both.

    Where the indentation gives away which of several it is, rustc says so, and that one counts.
    """
    for label in ("might not be properly closed", "unclosed delim"):
        for at in range(located.first + 1, located.last + 1):
            labels = itertools.takewhile(
                lambda line: not _SOURCE.match(line), lines[at + 1 : at + 4]
            )
            if (found := _SOURCE.match(lines[at])) and any(label in line for line in labels):
                return located._replace(line=read_number(found["line"]), column=None)
    return located


def _add_lint(located: PlacedMessage, line: str) -> PlacedMessage:
    """A lint is named in a note below: rustc's own, or clippy's with the page about it."""
    if "`#[" in line and not located.rule and (found := _LINT.search(line)):
        category = Category.LINT if found["rule"].startswith("clippy::") else located.category
        return located._replace(rule=found["rule"], category=category)
    if "rust-clippy/" in line and (found := _CLIPPY.search(line)):
        return located._replace(rule=f"clippy::{found['rule']}", category=Category.LINT)
    return located
