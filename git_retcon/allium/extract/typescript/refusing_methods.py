"""What the methods of a class do as operations on objects whose states other files have.

They refuse by results, by calls that are there to refuse, and by questions that the class answers,
as those do whose states are known without other files.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from git_retcon.allium.extract.grammar.services import Function
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_name
from git_retcon.allium.extract.python.flow.moves import Function as Translated
from git_retcon.allium.extract.python.rewriting.predicates import inline_own
from git_retcon.allium.extract.typescript.asserting_calls import refuse_asserted
from git_retcon.allium.extract.typescript.class_functions import find_function
from git_retcon.allium.extract.typescript.class_methods import list_methods
from git_retcon.allium.extract.typescript.failed_results import raise_results


def refuse_by_methods(
    functions: Iterable[Function], classes: Collection[str]
) -> Iterator[Function]:
    """The functions of a file, of which the methods of these classes do so."""
    known: dict[str, Mapping[int, Translated]] = {}
    for each in functions:
        owner = each.symbol.rpartition(".")[0]
        body = _find_body(each.node) if owner in classes else None
        if body is None:
            yield each
            continue
        if owner not in known:
            known[owner] = _read_methods(owner, body)
        found = known[owner].get(each.node.id)
        yield each._replace(translate=_Body(found)) if found is not None else each


class _Body:
    """A body that is translated already."""

    def __init__(self, method: Translated) -> None:
        self._method = method

    def __call__(self, node: Node) -> Statements:
        return self._method.body


def _find_body(node: Node) -> Node | None:
    outer = node.parent
    while outer is not None and outer.type != "class_body":
        outer = outer.parent
    return outer


def _read_methods(owner: str, body: Node) -> Mapping[int, Translated]:
    """The methods of a class, by the nodes that are run."""
    called = {each.member: each.node for each in list_methods(body, {})}
    raise_results(called, owner, body)
    refuse_asserted(called, body)
    inline_own(called)
    nodes = ((read_name(each).lstrip("#"), find_function(each)) for each in list_children(body))
    return {
        function.id: called[f"{name}()"]
        for name, function in nodes
        if function is not None and f"{name}()" in called
    }
