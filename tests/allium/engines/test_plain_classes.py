"""Python classes as entities."""

from git_retcon.allium.engines.plain_classes import extract_classes


def texts(content: str, path: bytes = b"src/a.py") -> list[str] | None:
    found = extract_classes(path, content.encode())
    return None if found is None else [declaration.text.decode() for declaration in found]


def test_annotated_fields_of_plain_types_are_taken() -> None:
    source = """
class Order:
    total: int = 0
    paid: "bool"
    due: datetime.datetime | None = None
    when: str
    _hidden: int
    lines: list[str]
    def pay(self): ...
class Empty: pass
class lower:
    x: int
"""
    assert texts(source) == [
        "-- Source: src/a.py, Order\nentity Order {\n    total: Integer\n    due: Timestamp?\n}"
    ]


def test_what_cannot_be_read_is_said_and_other_languages_have_nothing() -> None:
    assert texts("class X(") is None
    assert texts("class X { }", b"src/a.ts") == []
