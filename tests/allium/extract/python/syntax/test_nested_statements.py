"""The statements of a function, in their order."""

import ast

from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements

SOURCE = """
if a:
    one()
else:
    two()
try:
    three()
except E:
    four()
finally:
    five()
match b:
    case 1:
        six()
def inner():
    never()
for each in c:
    seven()
with d:
    eight()
"""


def test_each_is_behind_the_block_that_it_is_in() -> None:
    calls = [
        ast.unparse(each) for each in walk_statements(ast.parse(SOURCE).body)
        if isinstance(each, ast.Expr)
    ]  # fmt: skip
    names = ("one", "two", "three", "four", "five", "six", "seven", "eight")
    assert sorted(calls) == sorted(f"{each}()" for each in names)
    assert calls.index("one()") < calls.index("three()") < calls.index("eight()")
