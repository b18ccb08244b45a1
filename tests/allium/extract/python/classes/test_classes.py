"""Classes that hold data, and classes that only work."""

import pytest

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


TASK = """
from mock.core import BaseModel

class Task(BaseModel):
    def __init__(self):
        self.status = "creating"

    def start(self):
        self.status = "running"

    def stop(self):
        if self.status != "running":
            raise ValueError("not running")
        self.status = "stopped"
"""


def test_a_class_of_a_project_may_be_called_as_a_model_is() -> None:
    """It makes its fields itself, which a model of pydantic does not."""
    told = declare_python(TASK)
    assert "status: creating | running | stopped" in told
    assert "requires: task.status = running\n    ensures: task.status = stopped" in told


@pytest.mark.parametrize("package", ["pydantic", "app.schemas"])
def test_a_model_has_the_fields_that_it_is_annotated_with(package: str) -> None:
    model = TASK.replace("mock.core", package).replace(
        "    def __init__", "    name: str\n\n    def __init__"
    )
    assert "name: String" in declare_python(model)
