"""Which names lines define."""

import pytest

from git_retcon.code.definitions import find_definitions, indent_of
from git_retcon.code.languages.known import language_of


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
    assert find_definitions(line, language_of(path)) == names


def test_a_tab_is_as_wide_as_four_blanks() -> None:
    assert [indent_of(line) for line in (b"x\t", b"    x", b"\tx", b" \t x")] == [0, 4, 4, 6]
