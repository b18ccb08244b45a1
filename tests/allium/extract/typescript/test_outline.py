"""TypeScript without a grammar."""

from git_retcon.allium.extract.source_facts import Enumeration, Shape
from git_retcon.allium.extract.typescript.outline import read_outline

SOURCE = b"""
/* interface Old { id: string } */
export enum Size { Small = 's', Large = 'l' }
export type Color = 'red' | 'blue';
export interface Line {
  readonly id: string; // its key
  amount?: number;
  tags: string[];
  color: Color | null;
}
interface Nested { inner: { id: string } }
"""


def test_what_is_certain_is_read() -> None:
    size, color, line = read_outline(b"a.ts", SOURCE).declarations
    assert isinstance(size, Enumeration)
    assert size.values == ("small", "large")
    assert isinstance(color, Enumeration)
    assert color.values == ("red", "blue")
    assert isinstance(line, Shape)
    assert line.kind == "entity"
    found = [
        (each.name, each.type.name or each.type.source, each.type.is_optional)
        for each in line.fields
    ]
    assert found == [
        ("id", "String", False),
        ("amount", "Decimal", True),
        ("tags", "List", False),
        ("color", "Color", True),
    ]
