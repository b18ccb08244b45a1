"""What the entries of a surface's clauses name."""

from collections.abc import Iterator

from git_retcon.allium.language.expressions import (
    Block,
    Call,
    Conditional,
    Expression,
    Guarded,
    Loop,
    Name,
    Qualified,
)


def list_entry_names(value: Expression) -> Iterator[Name | Qualified]:
    """What the entries of ``provides:``, ``related:`` or ``timeout:`` begin with, in their order.

    Guards, loops and conditions around an entry are passed.
    """
    stack = [value]
    while stack:
        match stack.pop():
            case Block(items=items):
                stack.extend(reversed(items))
            case Guarded(action=inner) | Loop(body=inner) | Call(function=inner):
                stack.append(inner)
            case Conditional(branches=branches, otherwise=otherwise):
                stack.extend([otherwise] if otherwise is not None else [])
                stack.extend(branch.body for branch in reversed(branches))
            case Name() | Qualified() as name:
                yield name
