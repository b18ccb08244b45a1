"""Names that a rule may use: bound by its trigger, by ``let``, by loops and lambdas, by the module.

Where in a rule a name is bound is not followed: a name bound anywhere in it counts everywhere in
it, so that nothing right is called wrong.
"""

from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import Part, Scope
from git_retcon.allium.language.checks.trigger_use import list_triggers
from git_retcon.allium.language.declarations import Braced, Clause, ItemLoop
from git_retcon.allium.language.expressions import (
    Binding,
    Lambda,
    Let,
    Loop,
    Member,
    Name,
    Where,
    With,
)
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.traversal import Node, walk_tree


def list_bound_names(scope: Scope, rule: Braced, part: Part) -> frozenset[str]:
    """All names that mean something in a rule."""
    found = {name.text for trigger in list_triggers(rule) for name in trigger.names}
    found.update(name.name.text for name in part.find(Let))
    found.update(name.name.text for name in part.find(Binding))
    bindings = [loop.bindings for loop in part.find(Loop)]
    bindings += [loop.bindings for loop in part.find(ItemLoop)]
    found.update(name.text for names in bindings for name in names)
    for function in part.find(Lambda):
        found.update(node.text for node in walk_tree(function.parameter) if isinstance(node, Name))
    return frozenset(found | scope.names["given"] | scope.names["default"] | {*scope.aliases})


def check_variables(scope: Scope) -> Iterator[Finding]:
    """Paths of rules whose first name is bound nowhere, and names bound twice by ``let``."""
    for rule, part in scope.find_braced("rule"):
        bound = list_bound_names(scope, rule, part) | {"config"}
        for name in _list_roots(rule):
            if name.text not in bound and not name.text[0].isupper():
                message = f"'{name.text}' is bound by no trigger, let, loop, given or default"
                code = "allium.rule.undefinedBinding"
                yield Finding(name.start, Severity.ERROR, message, code)
        yield from _check_lets(part)


def _list_roots(rule: Braced) -> Iterator[Name]:
    """The names that paths begin with, where a name can only be a variable.

    In conditions that select from a collection, names are fields of its items.
    """
    stack: list[Node] = [item for item in reversed(rule.items) if not _is_trigger(item)]
    while stack:
        node = stack.pop()
        match node:
            case Member(target=Name() as name):
                yield name
            case Where(source=inner) | With(source=inner):
                stack.append(inner)
            case Loop() | ItemLoop():
                body = node.body if isinstance(node, Loop) else node.items
                stack.extend([body, node.collection])
            case _:
                stack.extend([child for child in reversed(node) if isinstance(child, tuple)])


def _is_trigger(item: Node) -> bool:
    return isinstance(item, Clause) and item.keyword == "when"


def _check_lets(part: Part) -> Iterator[Finding]:
    seen: set[str] = set()
    for let in part.find(Let):
        name = let.name
        if name.text in seen and name.text != "_":
            message = f"'{name.text}' is bound by 'let' twice in this rule"
            yield Finding(name.start, Severity.ERROR, message, "allium.let.duplicateBinding")
        seen.add(name.text)
