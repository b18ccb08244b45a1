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


def test_plain_classes_are_entities_only_by_what_they_do() -> None:
    source = """
class Door:
    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.state = "closed"

    def open(self) -> None:
        if self.state != "closed":
            raise RuntimeError
        self.state = "open"

    def close(self) -> None:
        if self.state != "open":
            raise RuntimeError
        self.state = "closed"

class Service:
    def __init__(self, door: Door) -> None:
        self.door = door
    def work(self) -> int:
        return 3
"""
    told = declare_python(source)
    assert "Service" not in told
    assert "    state: closed | open\n" in told
    assert "        closed -> open\n        open -> closed\n" in told
