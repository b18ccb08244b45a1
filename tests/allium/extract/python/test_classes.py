"""Classes that hold data, and classes that only work."""

from tests.allium.extract.declared import declare_python


def test_pydantic_and_names_for_types() -> None:
    source = """
from typing import Annotated, ClassVar, Literal, Optional, Union
from pydantic import BaseModel, Field

Mode = Literal["fast", "slow"]
Key = str

class Base(BaseModel):
    limit: ClassVar[int] = 3
    name: str

class Item(Base):
    id: Key
    mode: Mode = "fast"
    price: Annotated[float, Field(gt=0)]
    count: Optional[int] = Field(None, ge=1, le=5)
    either: Union[int, str]
    parts: list["Item"] = []
    _private: int = 0
"""
    assert (
        declare_python(source).partition("value Base")[2]
        == """ {
    name: String
}

entity Item {
    name: String
    id: String
    mode: Mode
    price: Decimal
    count: Integer?
    either: Any -- int or str
    parts: List<Item>

    invariant PriceInRange {
        price > 0
    }

    invariant CountInRange {
        count = null or (count >= 1 and count <= 5)
    }
}"""
    )


LINE = """
from enum import Flag

class Ways(Flag):
    CLOSED = 0
    READ = 1
    WRITE = 2

class Line:
    def __init__(self):
        self.state = Ways.CLOSED

    def write(self):
        if self.state != Ways.CLOSED:
            raise ValueError
        self.state = Ways.WRITE

    def read(self):
        if self.state != Ways.CLOSED:
            raise ValueError
        self.state = Ways.READ

    def end(self):
        if self.state != Ways.READ:
            raise ValueError
        self.state = Ways.CLOSED

    def stop(self):
        self.state &= ~Ways.WRITE
"""


def test_no_value_ends_what_flags_are_taken_away_from() -> None:
    told = declare_python(LINE)
    assert "requires: line.state = closed\n    ensures: line.state = write\n" in told
    assert "terminal" not in told
    assert "        terminal: write\n" in declare_python(LINE.replace("Flag", "Enum"))
