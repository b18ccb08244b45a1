"""Parameters that decide more than once which way a method goes.

::

    def load(self, background):
        if not background and self.state != State.IDLE:
            raise ValueError
        if not background:
            self.state = State.BUSY

Where ``BUSY`` is set, the state was ``IDLE``: the method is followed by either truth of them. One
that is never asked beside what an object holds tells nothing of its state when it is asked again.
"""

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_MOST = 2  # that are told apart


def split_flags(
    method: ast.FunctionDef | ast.AsyncFunctionDef, given: Mapping[str, ast.expr]
) -> Iterator[Mapping[str, ast.expr]]:
    """What the parameters of a method get, by each truth of those that decide on its way."""
    flags = [e for e in list_flags(method) if not isinstance(given.get(e), ast.Constant)][:_MOST]
    ways: list[Mapping[str, ast.expr]] = [given]
    for name in flags:
        ways = [{**each, name: ast.Constant(truth)} for each in ways for truth in (True, False)]
    yield from ways


@answer_once
def list_flags(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Sequence[str]:
    """Parameters that conditions of a method ask for alone, again and again, once at least beside
    what an object holds, and that it only reads: what it sets or compares is no flag.
    """
    names = [each.arg for each in (*method.args.args, *method.args.kwonlyargs)]
    if not _may_decide(method, names[1:]):
        return []  # most methods
    asked = Counter[str]()
    beside: set[str] = set()
    others: set[str] = set()
    for node in walk_nodes(method):
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                asked.update(found := {*_list_asked(test)})
                place = node if isinstance(node, ast.IfExp) else test
                if found and any(isinstance(each, ast.Attribute) for each in walk_nodes(place)):
                    beside |= found
            case ast.Compare(left=left, comparators=compared):
                others |= {each.id for each in (left, *compared) if isinstance(each, ast.Name)}
            case ast.Assign(targets=targets, value=value):
                kept = [value] if any(isinstance(e, ast.Attribute) for e in targets) else []
                others |= {e.id for e in kept if isinstance(e, ast.Name)}
                others |= {e.id for each in targets for e in _list_names(each)}
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
                others |= {each.id for each in _list_names(target)}
            case ast.For(target=target) | ast.AsyncFor(target=target):
                others |= {each.id for each in _list_names(target)}
            case ast.NamedExpr(target=target):
                others.add(target.id)
            case ast.withitem(optional_vars=ast.expr() as target):
                others |= {each.id for each in _list_names(target)}
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                others.add(name)
            case ast.arguments() if node is not method.args:
                others |= {each.arg for each in (*node.args, *node.kwonlyargs)}
    return [each for each in names if asked[each] > 1 and each in beside - others]


def _may_decide(method: ast.FunctionDef | ast.AsyncFunctionDef, names: Collection[str]) -> bool:
    """Whether a condition asks for one of these together with something else."""
    for node in walk_statements(method.body) if names else ():
        test = node.test if isinstance(node, ast.If | ast.While) else None
        for each in walk_nodes(test) if test is not None else ():
            match each:
                case ast.IfExp(test=asked) | (ast.BoolOp() as asked):
                    if not {*_list_asked(asked)}.isdisjoint(names):
                        return True
    return False


def _list_asked(test: ast.expr) -> Iterator[str]:
    """The names that a condition asks for alone."""
    match test:
        case ast.Name(id=name):
            yield name
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _list_asked(operand)
        case ast.BoolOp(values=values):
            for each in values:
                yield from _list_asked(each)


def _list_names(node: ast.expr) -> Iterator[ast.Name]:
    return (each for each in walk_nodes(node) if isinstance(each, ast.Name))
