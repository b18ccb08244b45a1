"""Which names lines define, and where lines stand."""

import pytest

from git_retcon.code.definitions import defined, outline
from git_retcon.code.languages import language_of


@pytest.mark.parametrize(
    ("path", "line", "names"),
    [
        (b"a.py", b"async def fetch(x):\n", ("fetch",)),
        (b"a.py", b"    class Inner(Base):\n", ("Inner",)),
        (b"a.py", b"LIMIT: int = 3\n", ("LIMIT",)),
        (b"a.py", b"if x == 3:\n", ()),
        (b"a.py", b"    return f(x)\n", ()),
        (b"a.py", b"# def f():\n", ()),
        (b"a.rs", b"    pub(crate) async fn run(&self) {\n", ("run",)),
        (b"a.rs", b"impl<T> Display for Token<T> {\n", ("Token",)),
        (b"a.rs", b"macro_rules! vecs {\n", ("vecs",)),
        (b"a.go", b"func (r *Reader) Next() bool {\n", ("Next",)),
        (b"a.go", b"type Reader struct {\n", ("Reader",)),
        (b"a.c", b"static int parse_token(const char *s)\n", ("parse_token",)),
        (b"a.c", b"    parse_token(s);\n", ()),
        (b"a.c", b"    else if (x) {\n", ()),
        (b"a.h", b"#define LIMIT 3\n", ("LIMIT",)),
        (b"a.java", b"    public List<String> names(int a) {\n", ("names",)),
        (b"a.js", b"export default function main() {\n", ("main",)),
        (b"a.js", b"  render(props) {\n", ("render",)),
        (b"a.js", b"app.use = function (x) {\n", ("use",)),
        (b"a.js", b"const limit = 3\n", ("limit",)),
        (b"a.rb", b"  def self.build(x)\n", ("build",)),
        (b"a.toml", b"[tool.ruff]\n", ("tool.ruff",)),
        (b"a.md", b"## Getting *started*\n", ("Getting *started*",)),
        (b"a.txt", b"def f():\n", ()),
    ],
)
def test_a_line_defines_what_it_names(path: bytes, line: bytes, names: tuple[str, ...]) -> None:
    assert defined(line, language_of(path)) == names


def scopes(path: bytes, text: bytes) -> list[str]:
    lines = text.splitlines(keepends=True)
    shape = outline(lines, language_of(path))
    return [".".join(shape.scope(at)) for at in range(len(lines))]


def test_a_line_stands_in_the_definitions_around_it() -> None:
    text = b"class A:\n    def f(self):\n        if x:\n            y()\n\n    z = 1\nw()\n"
    found = scopes(b"a.py", text)
    assert found == ["A", "A.f", "A.f", "A.f", "A.f", "A", ""]


def test_a_decorator_stands_where_its_function_does() -> None:
    text = (
        b"class A:\n    def f(self):\n        pass\n\n    @cached\n    def g(self):\n        pass\n"
    )
    assert scopes(b"a.py", text)[4] == "A"


def test_a_decorator_of_many_lines_stands_where_its_function_does() -> None:
    decorator = b'@mark.parametrize(\n    ("a", "b"),\n    [\n        (1, 2),\n    ],\n)\n'
    text = b"def f():\n    pass\n\n\n" + decorator + b"def g(a, b):\n    pass\n"
    assert scopes(b"a.py", text)[4:] == [""] * 6 + ["g", "g"]


def test_a_decorator_never_closed_ends_at_the_next_definition() -> None:
    text = b'@mark("(")\ndef f():\n    pass\n'
    assert scopes(b"a.py", text) == ["", "f", "f"]


def test_a_brace_on_its_own_line_changes_nothing() -> None:
    text = b"int f(int x)\n{\n    return x;\n}\n\nint g;\n"
    assert scopes(b"a.c", text)[2] == "f"
    assert scopes(b"a.c", text)[5] == ""


def test_headings_are_the_definitions_of_prose() -> None:
    markdown = b"# One\ntext\n## Two\ntext\n# Three\n```\n# no heading\n```\n"
    assert scopes(b"a.md", markdown) == [
        "One", "One", "One.Two", "One.Two", "Three", "Three", "Three", "Three",
    ]  # fmt: skip
    rst = b"One\n===\ntext\n\nTwo\n---\ntext\n"
    assert scopes(b"a.rst", rst)[2] == "One"
    assert scopes(b"a.rst", rst)[6] == "One.Two"


def test_keys_stand_under_their_table() -> None:
    assert scopes(b"a.toml", b"[a]\nx = 1\n[b]\ny = 2\n") == ["a", "a.x", "b", "b.y"]
