"""The part of a method that is for one sort of event.

``if (event instanceof OrderPlaced) { … }``, ``case 'OrderPlaced':`` and the like.
"""

import re
from collections.abc import Iterator, Sequence

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_text,
)

_ASKED = r"{0}\.(?:constructor(?:\.name)?|\w*(?:[Tt]ype|[Nn]ame|[Kk]ind)(?:\(\))?|_?tag)"
_LEAVING = frozenset(
    {"break_statement", "return_statement", "throw_statement", "continue_statement"}
)


def is_dispatching(method: Node) -> bool:
    """Whether a method does something else for each sort of what it is given first."""
    name = _name_event(method)
    return bool(name) and any(_list_parts(method, name))


def find_branch(method: Node, names: frozenset[str]) -> Sequence[Node] | None:
    """What a method does for an event by one of these names; None where that is not told, as where
    there is more than one part for it.
    """
    found = [part for asked, part in _list_parts(method, _name_event(method)) if asked & names]
    return found[0] if len(found) == 1 and not _is_named_again(method, names) else None


def names_event(method: Node, names: frozenset[str]) -> bool:
    """Whether a method names an event."""
    return any(_count_named(method, names))


def _is_named_again(method: Node, names: frozenset[str]) -> bool:
    return any(count > 1 for count in _count_named(method, names))


def _count_named(method: Node, names: frozenset[str]) -> Iterator[int]:
    """How often the body of a method asks for an event by each of its names."""
    text = read_text(method.child_by_field_name("body"))
    for each in names:
        asked = rf"(?:instanceof|===?|!==?|\bcase)\s*\(?['\"]?(?:\w+\.)*{re.escape(each)}\b"
        yield len(re.findall(asked, text))


def _name_event(method: Node) -> str:
    given = list_inner(method, "parameters")
    pattern = given[0].child_by_field_name("pattern") if given else None
    return read_text(pattern) if pattern is not None and pattern.type == "identifier" else ""


def _list_parts(method: Node, name: str) -> Iterator[tuple[frozenset[str], Sequence[Node]]]:
    """The names of events, and what is done for them."""
    for node in list_inner(method, "body"):
        if node.type == "if_statement":
            yield from _list_conditions(node, name)
        elif node.type == "switch_statement":
            yield from _list_cases(node, name)


def _list_conditions(node: Node, name: str) -> Iterator[tuple[frozenset[str], Sequence[Node]]]:
    names = _read_asked(read_text(node.child_by_field_name("condition")), name)
    branch = node.child_by_field_name("consequence")
    if names and branch is not None:
        yield names, _open_block(branch)
    for each in list_children(node.child_by_field_name("alternative")):
        if each.type == "if_statement":
            yield from _list_conditions(each, name)


def _read_asked(condition: str, name: str) -> frozenset[str]:
    """The names of the events that a condition asks for, none where it asks for more."""
    word = re.escape(name)
    asked = rf"\(?\s*(?:{word} instanceof ([A-Z]\w*)|{_ASKED.format(word)} ===? ([\w.'\"]+))\s*\)?"
    found = [re.fullmatch(asked, each.strip()) for each in condition.strip("() ").split("||")]
    if not all(found):
        return frozenset()
    return frozenset(_name(each[1] or each[2]) for each in found if each is not None)


def _list_cases(node: Node, name: str) -> Iterator[tuple[frozenset[str], Sequence[Node]]]:
    asked = read_text(node.child_by_field_name("value")).strip("() ")
    is_kind = re.fullmatch(_ASKED.format(re.escape(name)), asked) is not None
    names: frozenset[str] = frozenset()
    cases = list_inner(node, "body")
    for at, case in enumerate(cases):
        label = case.child_by_field_name("value")
        if label is None or not (is_kind or asked == "true"):
            return
        text = read_text(label)
        names |= frozenset([_name(text)]) if is_kind else _read_asked(text, name)
        body = [*case.children_by_field_name("body")]
        if body:
            yield names, [*_list_run(cases[at:])]
            names = frozenset()


def _list_run(cases: Sequence[Node]) -> Iterator[Node]:
    """What runs from the first case on: one that nothing leaves goes on with the next."""
    for case in cases:
        body = [*case.children_by_field_name("body")]
        inner = [*_open_block(body[0])] if len(body) == 1 else body
        yield from inner
        last = inner[-1] if inner else None
        if last is not None and last.type == "statement_block" and last.named_children:
            last = last.named_children[-1]
        if last is not None and last.type in _LEAVING:
            return


def _name(text: str) -> str:
    return text.strip("'\"").removesuffix(".name")


def _open_block(node: Node) -> Sequence[Node]:
    return [*node.named_children] if node.type == "statement_block" else [node]
