"""Code in which parameters mean what they are given."""

import ast

from git_retcon.allium.extract.python.syntax.replaced_names import replace_names


def test_a_copy_says_what_a_name_is_given_and_the_code_itself_stays() -> None:
    code = ast.parse("if state in allowed: self.state = state")
    given = {"state": ast.parse("State.OPEN", mode="eval").body}
    found = replace_names(code.body[0], given)
    assert ast.unparse(found) == "if State.OPEN in allowed:\n    self.state = State.OPEN"
    assert ast.unparse(code) == "if state in allowed:\n    self.state = state"
    copies = [each for each in ast.walk(found) if isinstance(each, ast.Attribute)]
    assert len({*map(id, copies)}) == len(copies)
