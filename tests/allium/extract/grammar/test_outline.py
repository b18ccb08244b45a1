"""Languages without their grammars."""

import importlib

import pytest

from git_retcon.allium.extract.grammar.outline import read_outline
from git_retcon.allium.extract.source_facts import Enumeration, Shape, collect, refer

SOURCES = {
    "go": """
package a
// type Gone struct { ID int }
type Order struct {
    ID    int64    `json:"id"`
    Note  *string
    Lines []Line
    run   func()
}
""",
    "rust": """
#[derive(Debug)]
pub enum Color { Red, DarkBlue = 3 }
pub enum Shape { Square(u8), Round }
pub struct Order<T> {
    pub id: u64,
    pub note: Option<String>, // { not this }
    pub lines: Vec<Line>,
    hidden: bool,
}
""",
    "java": """
public enum Color { RED, DARK_BLUE }
enum Shape { SQUARE("a"), ROUND("b"); }
public class Order extends Base {
    private static final int MAX = 3;
    private long id;
    protected Optional<String> note = Optional.empty();
    public List<Line> lines;
    void run() { int local = 1; }
}
""",
    "csharp": """
public enum Color { Red, DarkBlue = 3 }
public class Order : Base
{
    public static int Max { get; }
    public long Id { get; set; }
    public string? Note { get; set; }
    public List<Line> Lines { get; set; } = new();
    public void Run() { var local = 1; }
}
""",
}


@pytest.mark.parametrize("language", sorted(SOURCES))
def test_records_and_enums_by_their_outline(language: str) -> None:
    outline = importlib.import_module(f"git_retcon.allium.extract.{language}.types").OUTLINE
    found = read_outline(b"a/order", SOURCES[language].encode(), outline).declarations
    [order] = [each for each in found if isinstance(each, Shape)]
    enums = [each.values for each in found if isinstance(each, Enumeration)]
    assert (order.name, order.kind) == ("Order", "entity")
    assert [(each.name, each.type.name, each.type.is_optional) for each in order.fields] == [
        ("id", "Integer", False),
        ("note", "String", True),
        ("lines", "List", False),
    ]
    assert order.fields[-1].type == collect(refer("Line"))
    assert enums == ([("red", "dark_blue")] if language != "go" else [])


def test_a_file_that_is_cut_off_says_nothing() -> None:
    outline = importlib.import_module("git_retcon.allium.extract.rust.types").OUTLINE
    assert (
        read_outline(b"a.rs", b"pub struct Order {\n    pub id: u64,", outline).declarations == []
    )
