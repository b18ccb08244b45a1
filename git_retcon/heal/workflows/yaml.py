"""YAML 1.2 (the core schema), as GitHub reads workflows.

libyaml reads the syntax; what a plain scalar means is decided here, because PyYAML itself would
make ``on`` a boolean and ``0o17`` a text. Size, depth and what aliases expand to are bounded.

Importing this module imports PyYAML: import it in a function.
"""

import functools
import math
import re

import yaml
from yaml.events import Event

from git_retcon.heal.workflows.expressions.values import read_number
from git_retcon.heal.workflows.nodes import BadYaml, Mapping, Node, Scalar, Sequence

MAX_BYTES = 1 << 20
MAX_DEPTH = 50
MAX_NODES = 100_000
_TAG = "tag:yaml.org,2002:"
_CONSTANTS: dict[str, bool | float | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
}


def read_yaml(content: bytes) -> Node:
    """The one document in a file; an empty file is null. Raises BadYaml."""
    if len(content) > MAX_BYTES:
        raise BadYaml(f"the file is larger than {MAX_BYTES >> 10} KiB", 1, 1)
    return _read_text(_decode_content(content))


def _decode_content(content: bytes) -> str:
    try:
        # GitHub takes a file with a byte order mark.
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        raise BadYaml("the file is not UTF-8", before.count(b"\n") + 1, column) from None


def _read_text(text: str) -> Node:
    try:
        return _Composer(text).compose()
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        column = len(before) - before.rfind("\n")
        raise BadYaml("a character that YAML forbids", before.count("\n") + 1, column) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        # What misses its end is found at the end of the file: its beginning says more.
        if mark.index >= len(text.rstrip()) and error.context_mark is not None:
            mark = error.context_mark
        raise BadYaml(str(error.problem), mark.line + 1, mark.column + 1) from None


class _Composer:
    """Makes nodes of the parser's events. An alias is the very node it names, counted again."""

    def __init__(self, text: str) -> None:
        # Without libyaml (PyYAML built from source) the same events come from slower code.
        load = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self._next: functools.partial[Event] = functools.partial(load(text).get_event)
        self._anchors: dict[str, tuple[Node, int] | None] = {}
        self._nodes = 0

    def compose(self) -> Node:
        self._next()
        if isinstance(self._next(), yaml.StreamEndEvent):
            return Scalar(None, "", 1, 1)
        node = self._compose_node(self._next(), 1)
        self._next()
        rest = self._next()
        if not isinstance(rest, yaml.StreamEndEvent):
            raise _make_fault("a second document in the file", rest)
        return node

    def _compose_node(self, event: Event, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise _make_fault(f"nested deeper than {MAX_DEPTH} levels", event)
        if isinstance(event, yaml.AliasEvent):
            return self._resolve_alias(event)
        before = self._nodes
        anchor = getattr(event, "anchor", None)
        if anchor:
            # Until it is complete: an alias of itself would never end.
            self._anchors[anchor] = None
        node = self._compose_by_kind(event, depth)
        self._count_nodes(1, event)
        if anchor:
            self._anchors[anchor] = node, self._nodes - before
        return node

    def _compose_by_kind(self, event: Event, depth: int) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            return _read_scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._compose_sequence(event, depth)
        return self._compose_mapping(event, depth)

    def _compose_sequence(self, start: Event, depth: int) -> Sequence:
        items: list[Node] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._compose_node(event, depth + 1))
        return Sequence(tuple(items), *_find_place(start))

    def _compose_mapping(self, start: Event, depth: int) -> Mapping:
        pairs: list[tuple[Scalar, Node]] = []
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._compose_node(event, depth + 1)
            if not isinstance(key, Scalar):
                raise _make_fault("a key that is not a single value", event)
            pairs.append((key, self._compose_node(self._next(), depth + 1)))
        return Mapping(tuple(pairs), *_find_place(start))

    def _resolve_alias(self, event: Event) -> Node:
        name = str(getattr(event, "anchor", ""))
        if name not in self._anchors:
            raise _make_fault(f"the alias '*{name}' has no anchor before it", event)
        known = self._anchors[name]
        if known is None:
            raise _make_fault(f"the alias '*{name}' is inside its own anchor", event)
        self._count_nodes(known[1], event)
        return known[0]

    def _count_nodes(self, nodes: int, event: Event) -> None:
        self._nodes += nodes
        if self._nodes > MAX_NODES:
            raise _make_fault(f"more than {MAX_NODES:,} values, aliases included", event)


def _find_place(event: Event) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _make_fault(message: str, event: Event) -> BadYaml:
    return BadYaml(message, *_find_place(event))


def _read_scalar(event: Event) -> Scalar:
    """A tag decides what a scalar is; without one, only a plain scalar can be other than text."""
    text: str = event.value
    style = event.style if event.style in ("'", '"', "|", ">") else ""
    tag = (event.tag or "").removeprefix(_TAG)
    if tag in ("", "?") and style == "":
        return Scalar(_read_plain(text), style, *_find_place(event))
    if tag in ("", "!", "?", "str"):
        return Scalar(text, style, *_find_place(event))
    if tag not in ("int", "float", "bool", "null"):
        raise _make_fault(f"the tag '{event.tag}' means nothing in a workflow", event)
    value = _read_plain(text)
    kinds = {"int": float, "float": float, "bool": bool, "null": type(None)}
    if type(value) is not kinds[tag]:
        raise _make_fault(f"'{text}' is no {tag}", event)
    return Scalar(value, style, *_find_place(event))


def _read_plain(text: str) -> str | bool | float | None:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _number().fullmatch(text) is None:
        return text
    return read_number(text)


@functools.cache
def _number() -> re.Pattern[str]:
    return re.compile(
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+"
    )
