"""SQLAlchemy's mapped classes."""

from tests.allium.extract.declared import declare_python


def test_sqlalchemy_in_both_forms() -> None:
    source = """
import enum
from sqlalchemy import Column, Enum, ForeignKey, Integer, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

class Base(DeclarativeBase): ...

class Size(enum.Enum):
    SMALL = 1
    LARGE = 2

class User(Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    nick: Mapped[str | None]
    orders: Mapped[list["Order"]] = relationship(back_populates="user")

class Order(Base):
    __tablename__ = "orders"
    id = Column(Integer, primary_key=True)
    note = Column(String(40))
    size = Column(Enum(Size), nullable=False)
    user_id = Column(ForeignKey("users.id"), nullable=False)
    user = relationship("User", back_populates="orders")
    parts = relationship("Part", backref="order")

class Part(Base):
    __tablename__ = "parts"
    id = Column(Integer, primary_key=True)
"""
    assert (
        declare_python(source).partition("entity User")[2]
        == """ {
    id: Integer
    nick: String?
    orders: Order with user = this
}

entity Order {
    id: Integer
    note: String?
    size: Size
    user_id: Any
    user: User?
    parts: List<Part>
}

entity Part {
    id: Integer
    order: Order?
}"""
    )


def test_a_type_of_the_project_for_enums_has_the_values_of_its_enum() -> None:
    source = """
import enum
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from shop.columns import PyIntEnum, Vector

class Base(DeclarativeBase): ...

class Size(enum.Enum):
    SMALL = 1
    LARGE = 2

class Order(Base):
    __tablename__ = "orders"
    id = Column(Integer, primary_key=True)
    size = Column(PyIntEnum(Size), nullable=False)
    place = Column(Vector(Size), nullable=False)
    named: Mapped[enum.Enum] = mapped_column(PyIntEnum(Size))
    chosen: Mapped[Size] = mapped_column(PyIntEnum(Other))
"""
    assert (
        declare_python(source).partition("entity Order")[2]
        == """ {
    id: Integer
    size: Size
    place: Any -- Vector
    named: Size
    chosen: Size
}"""
    )


def test_a_type_of_choices_may_be_given_a_list_of_the_class() -> None:
    told = declare_python("""
from sqlalchemy import Column, Integer
from sqlalchemy_utils import ChoiceType
from .database import Base

class Order(Base):
    __tablename__ = "orders"
    STATES = [("new", "New"), ("paid", "Paid")]
    id = Column(Integer, primary_key=True)
    state = Column(ChoiceType(STATES), nullable=False)
""")
    assert "    state: new | paid\n" in told
