"""What a method of Odoo does with its records, as it does so with each of them."""

import ast

import pytest

from git_retcon.allium.extract.python.rewriting.record_sets import RecordSets


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("for r in self:\n    r.state = 1", "self.state = 1"),
        (
            "for r in self.sudo():\n    if r.a:\n        continue\n    r.b = 1\nreturn True",
            "if self.a:\n    return\nself.b = 1\nreturn True",
        ),
        (
            "for r in self:\n    if r.a:\n        break",
            "for r in self:\n    if r.a:\n        break",
        ),
        ("for r in self.lines:\n    r.a = 1", "for r in self.lines:\n    r.a = 1"),
        ("self.filtered('a').write({'b': 1})", "if self.a:\n    self.b = 1"),
        (
            "some = self.filtered(lambda r: r.a).filtered(lambda r: r.b)\nif not some:\n    return",
            "some = self.filtered(lambda r: r.a).filtered(lambda r: r.b)\n"
            "if not (self.a and self.b):\n    return",
        ),
        ("if all((r.a for r in self)):\n    pass", "if self.a:\n    pass"),
        ("some = self\nsome = other\nsome.write({'a': 1})", ""),
    ],
)
def test_of_each_record_the_same_is_said(code: str, meant: str) -> None:
    body = "\n    ".join(code.split("\n"))
    node = ast.parse(f"def run(self):\n    {body}\n").body[0]
    assert isinstance(node, ast.FunctionDef)
    found = RecordSets(node).open(node.body)
    assert "\n".join(map(ast.unparse, found)) == (meant or code)
