"""Which names a stretch of code binds."""

import pytest

from git_retcon.code.bindings import find_bindings


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("    total = 1\n", {"total"}),
        ("a, b = pair\n", {"a", "b"}),
        ("name: str = f(x)\n", {"name"}),
        ("if x == y:\n", set()),
        ("self.held = {}\n", {"held"}),
        ("for item in items:\n", {"item"}),
        ("with open(x) as file:\n", {"file"}),
        ("let mut count = 0;\n", {"count"}),
        ("value, err := read()\n", {"value", "err"}),
        ("const { a } = b\n", set()),
        ("def f(one, two):\n", {"one", "two"}),
        ("    proxies: Types = None,\n", {"proxies"}),
        ("    count: int,\n", {"count"}),
        ("return total\n", set()),
    ],
)
def test_a_line_binds_what_it_assigns_or_takes(text: str, names: set[str]) -> None:
    assert names <= find_bindings(text)
    if not names:
        assert not find_bindings(text)
