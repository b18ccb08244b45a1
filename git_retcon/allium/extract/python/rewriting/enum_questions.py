"""Questions that a state answers itself, read as what its enum says.

::

    class State(Enum):
        DONE = 1
        FAILED = 2

        @property
        def is_final(self):
            return self in (State.DONE, State.FAILED)

``if self.state.is_final`` asks whether ``self.state in (State.DONE, State.FAILED)``.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence, Set

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.rules.behaviour import list_properties
from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.state_words import is_called_state

_ASKING = ast.If | ast.Assert | ast.While


def inline_questions(classes: Iterable[ast.ClassDef]) -> None:
    """Let the methods of a file's classes say what its enums answer. The methods are changed."""
    classes = [*classes]
    enums = [each for each in classes if _is_enum(each)]
    answers = list_answers(enums) if enums else {}
    for each in classes if answers else ():
        for node in each.body if each not in enums else ():
            if isinstance(node, Function) and not _list_asked(node).isdisjoint(answers):
                answer_questions(node, answers)


def list_answers(enums: Sequence[ast.ClassDef]) -> Mapping[str, ast.expr]:
    """What enums say of a member, which is ``self``, by the name that asks for it; nothing that two
    of them say.
    """
    found: dict[str, ast.expr] = {}
    names: list[str] = []
    for each in enums:
        found |= (own := list_properties(each))
        names += own
    return {name: each for name, each in found.items() if names.count(name) == 1}


def answer_questions(node: Function, answers: Mapping[str, ast.expr]) -> None:
    """Write the answers of an enum in place of the questions of a method."""
    for each in walk_statements(node.body):
        match each:
            case ast.If() | ast.Assert() | ast.While():
                forget_text(node)
                each.test = answer_question(each.test, answers)
            case ast.Return(value=ast.expr() as value):
                forget_text(node)
                each.value = answer_question(value, answers)


def answer_question(asked: ast.expr, answers: Mapping[str, ast.expr]) -> ast.expr:
    """An expression with these answers in place of the questions."""
    found: ast.expr = _Answered(answers).visit(copy_tree(asked)) if answers else asked
    return found


def answer_in_copy(node: Function, answers: Mapping[str, ast.expr]) -> Function:
    """A function with these answers; the same where it asks none of the questions."""
    if _list_asked(node).isdisjoint(answers):
        return node
    found = copy_tree(node)
    answer_questions(found, answers)
    return found


def _is_enum(node: ast.ClassDef) -> bool:
    return any(get_last(spell_dotted(base)).endswith("Enum") for base in node.bases)


@answer_once
def _list_asked(node: Function) -> Set[str]:
    """What the conditions and answers of a method ask of something that is called a state."""
    found: set[str] = set()
    for each in walk_statements(node.body):
        asked = each.test if isinstance(each, _ASKING) else None
        asked = each.value if isinstance(each, ast.Return) else asked
        for part in walk_nodes(asked) if asked is not None else ():
            match part:
                case ast.Attribute(value=ast.Attribute(attr=state), attr=name):
                    found |= {name} if is_called_state(state) else set()
    return frozenset(found)


class _Answered(ast.NodeTransformer):
    def __init__(self, answers: Mapping[str, ast.expr]) -> None:
        self._answers = answers

    def visit_Call(self, node: ast.Call) -> ast.expr:
        is_given = bool(node.args or node.keywords)
        found = self._answer_given(node) if is_given else self._find(node.func)
        return found or self._visit_parts(node)

    def _answer_given(self, node: ast.Call) -> ast.expr | None:
        """What a member answers about what it is given, by a function that begins with itself."""
        match node.func:
            case ast.Attribute(value=ast.Attribute(attr=state) as place, attr=name):
                answer = self._answers.get(name) if is_called_state(state) else None
            case _:
                return None
        if not isinstance(answer, ast.Lambda):
            return None
        names = [each.arg for each in answer.args.args]
        given = dict(zip(names, [place, *node.args], strict=False))
        given |= {each.arg: each.value for each in node.keywords if each.arg}
        is_whole = given.keys() == {*names} and len(node.args) + len(node.keywords) < len(names)
        return replace_names(answer.body, given) if is_whole else None

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._find(node) or self._visit_parts(node)

    def _find(self, node: ast.expr) -> ast.expr | None:
        match node:
            case ast.Attribute(value=ast.Attribute(attr=state) as place, attr=name):
                is_plain = not isinstance(self._answers.get(name), ast.Lambda)
                if name in self._answers and is_plain and is_called_state(state):
                    found: ast.expr = _Placed(place).visit(copy_tree(self._answers[name]))
                    return found
        return None

    def _visit_parts(self, node: ast.expr) -> ast.expr:
        self.generic_visit(node)
        return node


class _Placed(ast.NodeTransformer):
    """What a member says of itself, of what holds it."""

    def __init__(self, place: ast.expr) -> None:
        self._place = place

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy_tree(self._place) if node.id == "self" else node
