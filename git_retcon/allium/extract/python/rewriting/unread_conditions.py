"""Conditions that nobody can read here, as something that readers know for such a one."""

import ast


def leave_open() -> ast.expr:
    """A condition on the object, or a value, that may be anything."""
    return ast.parse("getattr(self, unknown)", mode="eval").body


def doubt_rest() -> ast.stmt:
    """What lets only pass what nobody can read."""
    return ast.Assert(leave_open())
