"""Functions that only answer a question, read as the answer where a condition asks it.

``assert Status.may_follow(self.status, target)`` demands what ``may_follow`` returns, with the
arguments of the call for its parameters. Methods without arguments are read as properties are.
"""

import ast
from collections.abc import Collection, Iterable, Mapping, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.rewriting.local_answers import open_locals
from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.local_values import Function
from git_retcon.allium.extract.python.syntax.names import TABLE, get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.state_words import is_called_state

_DEEPEST = 2  # questions that ask others
_LONGEST = 30  # statements; what is longer is no question
_OWN = ("self", "cls")
_ASKING = ast.If | ast.Assert | ast.While


class _Answer(NamedTuple):
    """What a function returns, and the parameters that it is about; ``owner`` is the first of a
    method, "" for a function and a static method, ``kind`` what a class method is of.
    """

    node: Function
    returned: ast.expr
    owner: str
    asks_owner: bool
    kind: str
    owner_name: str


Answers = Mapping[tuple[str, str], _Answer]


def inline_predicates(functions: Iterable[Function], classes: Iterable[ast.ClassDef]) -> None:
    """Let the conditions of functions of a file, and of methods of its classes, say what functions
    that they ask return. The functions themselves are changed.
    """
    own = [(each, [i for i in each.body if isinstance(i, Function)]) for each in classes]
    enums = frozenset(each.name for each, _ in own if is_enum(each))
    answers = {("", each.name): found for each in functions if (found := _read_answer(each, ""))}
    for owner, methods in own:
        for each in methods:
            found = _read_answer(each, owner.name)
            answers |= {(owner.name, each.name): found} if found is not None else {}
    if not answers:
        return
    names = {name for _, name in answers}
    for each in functions:
        if not names.isdisjoint(_list_asked(each)):
            _Asked(answers, enums, "").inline(each)
    for owner, methods in own:
        for each in methods:
            if not names.isdisjoint(_list_asked(each)):
                _Asked(answers, enums, owner.name).inline(each)


def inline_own(methods: Mapping[str, Function]) -> None:
    """The same for the methods of one class, by what their bodies call them: those that answer in
    one sentence, or about nothing but what they are given. Others are followed where they are
    called.
    """
    listed = ((name, _read_answer(each, "self")) for name, each in methods.items())
    answers = {("self", name): found for name, found in listed if found and _is_short(found)}
    names = {name for _, name in answers}
    for each in methods.values() if answers else ():
        if not names.isdisjoint(_list_asked(each)):
            _Asked(answers, frozenset(), "self").inline(each)


def _is_short(answer: _Answer) -> bool:
    is_chosen = any(isinstance(each, ast.IfExp) for each in walk_nodes(answer.returned))
    return not (is_chosen and answer.asks_owner)


@answer_once
def _list_asked(node: Function) -> Collection[str]:
    """The names of what the conditions of a function call."""
    tests = (each.test for each in walk_statements(node.body) if isinstance(each, _ASKING))
    calls = (each for test in tests for each in walk_nodes(test) if isinstance(each, ast.Call))
    names = (getattr(call.func, "attr", getattr(call.func, "id", "")) for call in calls)
    return {name for name in names if name}


def is_enum(node: ast.ClassDef) -> bool:
    return any(get_last(spell_dotted(base)).endswith("Enum") for base in node.bases)


def _read_answer(node: Function, owner: str) -> _Answer | None:
    """The answer of a function that has something to be asked about, and does nothing else."""
    if not _may_answer(node):
        return None
    names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    marks = {get_last(spell_dotted(each)) for each in node.decorator_list}
    if node.args.vararg or node.args.kwarg or marks - {"staticmethod", "classmethod"}:
        return None
    first = names[0] if owner and "staticmethod" not in marks and names else ""
    if len(names) + len(node.args.kwonlyargs) <= bool(first):
        return None
    # What ends without an answer answers None.
    returned = join_returns(open_locals(node.body), ast.Constant(None))
    if returned is None:
        return None
    asks_owner = bool(first) and any(
        isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)
        and each.value.id == first and "classmethod" not in marks
        for each in walk_nodes(returned)
    )  # fmt: skip
    kind = owner if "classmethod" in marks else ""
    return _Answer(node, returned, first, asks_owner, kind, owner)


@answer_once
def _may_answer(node: Function) -> bool:
    """Whether a function returns something, and does nothing else."""
    returns = any(isinstance(each, ast.Return) for each in walk_statements(node.body))
    return returns and join_returns(open_locals(node.body), ast.Constant(None)) is not None


def join_returns(body: Iterable[ast.stmt], rest: ast.expr | None = None) -> ast.expr | None:
    """What a body returns, as one expression; None where it may do anything else. ``rest`` is what
    is returned behind it.
    """
    found = rest
    statements = [*body]
    if len(statements) > _LONGEST:
        return None
    for each in reversed(statements):
        match each:
            case ast.Return(value=ast.expr() as value):
                found = value
            case ast.If(test=test, body=inner, orelse=orelse):
                yes, no = join_returns(inner, found), join_returns(orelse, found)
                if yes is None or no is None:
                    return None
                found = ast.IfExp(test=test, body=yes, orelse=no)
            case ast.Expr(value=ast.Constant()):
                continue
            case _:
                return None
    return found


class _Asked(ast.NodeTransformer):
    """Answers for the calls in conditions of one class, or of none."""

    def __init__(self, answers: Answers, enums: Set[str], owner: str) -> None:
        self._answers = answers
        self._enums = enums
        self._owner = owner
        self._depth = 0

    def inline(self, node: Function) -> None:
        for each in walk_statements(node.body):
            if isinstance(each, _ASKING) and self._asks(each.test):
                forget_text(node)
                each.test = self.visit(copy_tree(each.test))

    def _asks(self, test: ast.expr) -> bool:
        return any(isinstance(each, ast.Call) and self._find(each) for each in walk_nodes(test))

    def _find(self, call: ast.Call) -> _Answer | None:
        """The answer to a question about what an object has; a name alone is asked for no state."""
        found: _Answer | None = None
        match call.func:
            case ast.Name(id=name):
                found = self._answers.get(("", name))
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                found = self._answers.get((self._owner if owner in _OWN else owner, name))
            case ast.Attribute(value=ast.Attribute(attr=state), attr=name) if is_called_state(
                state
            ):
                # A state is asked itself, of the one enum of the file that answers this.
                known = [each for (owner, asked), each in self._answers.items()
                         if asked == name and owner in self._enums]  # fmt: skip
                return known[0] if len(known) == 1 else None
        if found is None or found.asks_owner:
            return found
        if self._owner in self._enums and ast.unparse(call.func).startswith("self."):
            return found  # a member asks itself
        given = (*call.args, *(each.value for each in call.keywords))
        return found if any(isinstance(each, ast.Attribute) for each in given) else None

    def visit_Call(self, node: ast.Call) -> ast.expr:
        answer = self._find(node) if self._depth < _DEEPEST else None
        given = _bind_asked(answer, node) if answer is not None else None
        if answer is None or given is None:
            return node
        self._depth += 1
        try:
            replaced: ast.expr = replace_names(answer.returned, given)
            _name_tables(replaced, answer)
            found: ast.expr = self.visit(replaced)
        finally:
            self._depth -= 1
        return found

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node


def _name_tables(asked: ast.expr, answer: _Answer) -> None:
    """Let the tables of an answer be known by the function that has them."""
    symbol = f"{answer.owner_name}.{answer.node.name}".lstrip(".")
    for each in walk_nodes(asked):
        if isinstance(each, ast.Dict) and not hasattr(each, TABLE):
            setattr(each, TABLE, symbol)


def _bind_asked(answer: _Answer, call: ast.Call) -> Mapping[str, ast.expr] | None:
    """What each parameter is; None where a call asks about what it computes, or nothing of what it
    names is known.
    """
    node = answer.node
    if answer.owner:
        given = {**bind_arguments(node, call)}
        asked = call.func.value if isinstance(call.func, ast.Attribute) else call.func
        given[answer.owner] = ast.Name(answer.kind, ast.Load()) if answer.kind else asked
    else:
        bare = copy_node(node)
        # As if it were a method: the first parameter of a method is not given by its call.
        bare.args = copy_node(node.args)
        bare.args.posonlyargs = [ast.arg(""), *node.args.posonlyargs]
        given = {**bind_arguments(bare, call)}
    names = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    if any(each.arg not in given for each in names):
        return None
    values = [value for name, value in given.items() if name != answer.owner]
    is_plain = all(isinstance(each, ast.Name | ast.Attribute | ast.Constant) for each in values)
    return given if is_plain else None
