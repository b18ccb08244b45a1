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
