"""An object's own methods have a name apart from its fields."""

import ast

from git_retcon.allium.extract.grammar.calls import make_call, name_call


def test_a_method_with_the_name_of_a_field_is_told_apart() -> None:
    own, other = (ast.parse(text, mode="eval").body for text in ("self.open", "door.open"))
    called = make_call(own, [ast.Constant(1)])
    assert isinstance(called, ast.Call) and isinstance(called.func, ast.Attribute)
    assert called.func.attr == name_call("open") != "open"
    assert ast.unparse(make_call(other, [ast.Constant(1)])) == "door.open(1)"
