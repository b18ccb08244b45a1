"""Values of ``lazy_dataclass`` behave as those of ``dataclasses``: each test asks both."""

import dataclasses
import functools
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from git_retcon import lazy_dataclass

Decorator = Callable[..., Any]


@pytest.fixture(params=[dataclasses.dataclass, lazy_dataclass.dataclass], ids=["usual", "lazy"])
def dataclass(request: pytest.FixtureRequest) -> Decorator:
    decorator: Decorator = request.param
    return decorator


@pytest.fixture(params=[True, False], ids=["slots", "no slots"])
def point(request: pytest.FixtureRequest, dataclass: Decorator) -> type[Any]:
    @dataclass(frozen=True, slots=request.param)  # type: ignore[literal-required]
    class Point:
        x: int
        y: int = 2
        tags: list[str] = field(default_factory=list)
        secret: str = field(default="s", repr=False, compare=False)

        @property
        def sum(self) -> int:
            return self.x + self.y

    made: type[Any] = Point
    return made


def test_fields_are_given_by_position_by_name_or_by_default(point: type[Any]) -> None:
    assert (point(1).x, point(1).y, point(1).tags, point(1).sum) == (1, 2, [], 3)
    assert (point(1, 5).y, point(y=5, x=1).sum, point(1, secret="t").secret) == (5, 6, "t")
    assert point(1).tags is not point(1).tags


@pytest.mark.parametrize("given", [{}, {"x": 1, "z": 2}])
def test_a_missing_and_an_unknown_field_are_refused(
    point: type[Any], given: dict[str, int]
) -> None:
    with pytest.raises(TypeError, match=r"__init__\(\)"):
        point(**given)


def test_values_are_compared_by_their_fields(point: type[Any]) -> None:
    assert point(1, 2) == point(1)
    assert point(1, 3) != point(1)
    assert point(1, secret="other") == point(1)
    assert point(1) != (1, 2, [])


def test_only_values_of_one_class_are_equal(dataclass: Decorator) -> None:
    @dataclass(frozen=True)
    class One:
        at: int

    @dataclass(frozen=True)
    class Other:
        at: int

    assert One(1) == One(1)
    assert One(1) != Other(1)  # type: ignore[comparison-overlap]


def test_frozen_values_are_hashed_by_their_fields(dataclass: Decorator) -> None:
    @dataclass(frozen=True, slots=True)
    class Pair:
        a: int
        b: str = field(compare=False)

    @dataclass(frozen=True, slots=True)
    class Nothing:
        pass

    assert {Pair(1, "a"), Pair(1, "b"), Pair(2, "a")} == {Pair(1, "c"), Pair(2, "c")}
    assert hash(Nothing()) == hash(())


def test_what_is_not_frozen_changes_and_has_no_hash(dataclass: Decorator) -> None:
    @dataclass(slots=True)
    class Counter:
        count: int = 0

    counter = Counter()
    counter.count += 1
    assert counter == Counter(1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(counter)


def test_a_frozen_value_does_not_change(point: type[Any]) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError, match="'x'"):
        point(1).x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="'x'"):
        del point(1).x


def test_a_frozen_value_may_remember_what_it_worked_out(dataclass: Decorator) -> None:
    @dataclass(frozen=True)
    class Square:
        side: int

        @functools.cached_property
        def area(self) -> list[int]:
            return [self.side**2]

    square = Square(3)
    assert square.area is square.area == [9]


def test_a_value_with_slots_takes_no_other_attribute(dataclass: Decorator) -> None:
    @dataclass(slots=True)
    class Only:
        this: int

    with pytest.raises(AttributeError):
        Only(1).that = 2  # type: ignore[attr-defined]


def test_a_value_shows_its_fields(point: type[Any]) -> None:
    assert repr(point(1, tags=["a"])).endswith("Point(x=1, y=2, tags=['a'])")


def test_values_are_matched_by_position(point: type[Any]) -> None:
    match point(1, 7):
        case point(x, y):
            assert (x, y) == (1, 7)
        case _:
            pytest.fail("no match")


def test_replace_fields_and_asdict_know_it(point: type[Any]) -> None:
    assert dataclasses.replace(point(1), y=9) == point(1, 9)
    assert [each.name for each in dataclasses.fields(point)] == ["x", "y", "tags", "secret"]
    assert dataclasses.asdict(point(1)) == {"x": 1, "y": 2, "tags": [], "secret": "s"}
    assert dataclasses.is_dataclass(point)


def test_replace_makes_a_new_value_of_what_is_not_in_the_constructor(dataclass: Decorator) -> None:
    @dataclass(frozen=True)
    class Memory:
        name: str
        seen: set[str] = field(default_factory=set, init=False, compare=False)

    memory = Memory("a")
    memory.seen.add("x")
    assert dataclasses.replace(memory, name="b").seen == set()
    with pytest.raises(TypeError):
        Memory("a", {"x"})  # type: ignore[call-arg]


def test_what_is_set_after_the_constructor_may_have_no_default(dataclass: Decorator) -> None:
    @dataclass
    class Opened:
        path: str
        handle: int = field(init=False, repr=False)

        def __post_init__(self) -> None:
            self.handle = len(self.path)

    assert Opened("abc").handle == 3


def test_a_method_that_the_class_defines_stays(dataclass: Decorator) -> None:
    @dataclass(frozen=True, slots=True)
    class Named:
        """What it is."""

        name: str

        def __str__(self) -> str:
            return self.name

        def __len__(self) -> int:
            return len(self.name)

    assert (str(Named("abc")), len(Named("abc")), Named.__doc__) == ("abc", 3, "What it is.")
    assert Named.__module__ == __name__
