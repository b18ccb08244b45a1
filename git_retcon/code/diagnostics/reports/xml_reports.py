"""Reports in XML: JUnit's, as test runners of every language write it, and Checkstyle's.

A report is hostile input: a document type is refused, so there is nothing to expand.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat

from git_retcon.code.diagnostics import java_tests, javascript_tests, python_tests
from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    PlacedMessage,
    make_diagnostic,
    make_printable,
    read_number,
)
from git_retcon.code.diagnostics.severities import read_severity

_DEEPEST = 64
_LONGEST_TEXT = 256 * 1024  # of one element
_LINE = re.compile(r"^line (?P<line>\d+), col(?:umn)? (?P<column>\d+),? ?(?:(?P<level>\w+) - )?")
_LINTERS = ("org.eslint", "org.ruff", "org.stylelint")


class Element(NamedTuple):
    """An element, with those that it is in, the outermost first."""

    name: str
    attributes: dict[str, str]
    text: str
    within: "tuple[Element, ...]"


class BadReport(Exception):
    """The report is not what it says it is."""


def read_elements(data: bytes) -> Iterator[Element]:
    """Every element at its end, in order. Raises ``BadReport`` for bad XML and for a DTD."""
    reader = _Elements()
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise BadReport(f"bad XML: {error}") from error
    yield from reader.found


class _Elements:
    def __init__(self) -> None:
        self.found: list[Element] = []
        self._open: list[tuple[Element, list[str]]] = []
        self._length = 0  # of the text of the innermost element
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self._refuse_entity
        self.parser.EntityDeclHandler = self._refuse_entity
        self.parser.StartElementHandler = self._start_element
        self.parser.EndElementHandler = self._end_element
        self.parser.CharacterDataHandler = self._add_text

    def _refuse_entity(self, *_: object) -> None:
        raise BadReport("the report declares a document type")

    def _start_element(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= _DEEPEST:
            raise BadReport("the report is nested too deeply")
        within = tuple(each for each, _ in self._open)
        self._open.append((Element(name.rpartition(":")[2], attributes, "", within), []))
        self._length = 0

    def _add_text(self, text: str) -> None:
        self._length += len(text)
        if self._length <= _LONGEST_TEXT:
            self._open[-1][1].append(text)

    def _end_element(self, _: str) -> None:
        element, texts = self._open.pop()
        self.found.append(element._replace(text="".join(texts)))


def read_junit(data: bytes) -> Iterator[Diagnostic]:
    """The tests that failed or broke, in order. Raises ``BadReport``."""
    for element in read_elements(data):
        if element.name in ("failure", "error") and element.within:
            case = element.within[-1]
            if case.name in ("testcase", "test", "test-case"):
                yield _read_failure(element, case)


def _read_failure(element: Element, case: Element) -> Diagnostic:
    suite = case.within[-1] if case.within else case
    text = element.text.strip()
    message = (element.attributes.get("message") or text).strip().partition("\n")[0]
    name = case.attributes.get("name", "")
    owner = case.attributes.get("classname", "")
    located = PlacedMessage(
        _find_file(element, case),
        read_number(element.attributes.get("line") or case.attributes.get("line")),
        message or "failed",
        read_number(case.attributes.get("column")),
        category=Category.TEST,
        rule=f"{owner}.{name}" if owner else name,
        tool="junit",
    )
    package = suite.attributes.get("package", "")
    if package in _LINTERS:
        return _read_lint(located, text, suite, name.removeprefix(f"{package}."))
    # A test case is where the test begins, for pytest one line before; a failure is within it.
    if located.path is None or "line" not in element.attributes:
        located = _place_in(text, located)
    lines = text.split("\n")
    stack = tuple(make_printable(line) for line in lines[:60] if line.strip())
    return make_diagnostic(located, Kind.TEST)._replace(stack=stack)


def _find_file(element: Element, case: Element) -> str | None:
    for attributes in (element.attributes, case.attributes):
        for key in ("file", "filepath", "filename"):
            if attributes.get(key):
                return attributes[key]
    return None


def _read_lint(located: PlacedMessage, text: str, suite: Element, rule: str) -> Diagnostic:
    """Linters use this form too: the suite is the file, the case the rule."""
    located = located._replace(path=suite.attributes.get("name"), rule=rule, category=Category.LINT)
    if found := _LINE.match(text):
        level = (found["level"] or "error").lower()
        located = located._replace(
            line=read_number(found["line"]),
            column=read_number(found["column"]),
            severity=read_severity(level),
        )
    tool = suite.attributes.get("package", "").rpartition(".")[2]
    return make_diagnostic(located._replace(tool=tool))


def _place_in(text: str, located: PlacedMessage) -> PlacedMessage:
    """The place that the stack in the report names, in the words of the language."""
    lines = text.split("\n")
    for finder in (python_tests.find_place, java_tests.find_place, javascript_tests.find_place):
        if place := finder(lines):
            path, line, column = place
            return located._replace(path=path, line=line, column=column)
    return located


def read_checkstyle(data: bytes) -> Iterator[Diagnostic]:
    """The errors of every file, in order. Raises ``BadReport``."""
    for element in read_elements(data):
        if element.name != "error" or not element.within or element.within[-1].name != "file":
            continue
        given = element.attributes
        located = PlacedMessage(
            element.within[-1].attributes.get("name"),
            read_number(given.get("line")),
            given.get("message", ""),
            read_number(given.get("column")),
            read_severity(given.get("severity", "error")),
            Category.LINT,
            given.get("source", "").rpartition(".")[2],
            given.get("source", "").partition(".")[0].lower() or "checkstyle",
        )
        yield make_diagnostic(located)
