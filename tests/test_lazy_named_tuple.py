"""Values of ``lazy_named_tuple`` behave as those of ``typing``: each test asks both."""

import copy
import typing
from typing import Any

import pytest

from git_retcon import lazy_named_tuple

USUAL, LAZY = typing.NamedTuple, vars(lazy_named_tuple)["NamedTuple"]


def make_class(base: Any) -> Any:
    class Point(base):  # type: ignore[misc]
        """Where it is."""

        x: int
        y: int = 2
        tags: tuple[str, ...] = ()
        SIZE = 3

        @property
        def sum(self) -> int:
            return self.x + self.y

        def move(self, by: int) -> Any:
            return self._replace(x=self.x + by)

    return Point


@pytest.fixture(params=[USUAL, LAZY], ids=["usual", "lazy"])
def point(request: pytest.FixtureRequest) -> Any:
    return make_class(request.param)


def test_the_first_value_and_later_ones_are_made_alike(point: Any) -> None:
    for _ in range(3):
        assert point(1) == point(x=1, y=2) == point(1, tags=()) == (1, 2, ())
        assert tuple(point(1, 5, ("a",))) == (1, 5, ("a",))
    assert (point(1).x, point(1).y, point(1).sum, point.SIZE) == (1, 2, 3, 3)


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(
    ("values", "named"), [((), {}), ((1,), {"x": 2}), ((1, 2, (), 4), {}), ((1,), {"z": 3})]
)
def test_arguments_that_do_not_fit_are_refused(
    is_first: bool, values: tuple[Any, ...], named: dict[str, Any], point: Any
) -> None:
    if not is_first:
        assert [point(1), point(1)]
    with pytest.raises(TypeError, match="__new__"):
        point(*values, **named)
    assert point(1).y == 2


def test_they_are_compared_hashed_and_shown_as_tuples(point: Any) -> None:
    assert point(1) < point(2)
    assert {point(1): "a"}[(1, 2, ())] == "a"
    assert repr(point(1)) == "Point(x=1, y=2, tags=())"
    x, *rest = point(1)
    assert (x, rest, isinstance(point(1), tuple)) == (1, [2, ()], True)
    assert copy.deepcopy(point(1)) == copy.copy(point(1)) == point(1)


def test_they_are_taken_apart_and_changed(point: Any) -> None:
    assert point(1)._asdict() == {"x": 1, "y": 2, "tags": ()}
    assert point(1).move(4) == point(5)
    assert type(point(1).move(4)) is point
    assert point._make([1, 2, ()]) == point(1)
    with pytest.raises(ValueError, match="z"):
        point(1)._replace(z=1)
    with pytest.raises(TypeError):
        point._make([1])
    with pytest.raises(AttributeError):
        point(1).x = 3


def test_the_class_says_what_it_has(point: Any) -> None:
    assert point._fields == point.__match_args__ == ("x", "y", "tags")
    assert point._field_defaults == {"y": 2, "tags": ()}
    assert (point.__name__, point.__doc__, point.__mro__[1:]) == (
        "Point", "Where it is.", (tuple, object)
    )  # fmt: skip
    assert set(point.__annotations__) == {"x", "y", "tags"}


def test_a_pattern_takes_it_apart() -> None:
    for base in (USUAL, LAZY):
        kind = make_class(base)
        match kind(1, 7):
            case kind(x, y):
                assert (x, y) == (1, 7)
