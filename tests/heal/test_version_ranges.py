"""Versions, and the forms in which workflows ask for them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.version_ranges import is_of_channel, satisfies

YES = [
    ("3.12.3", ""), ("3.12.3", "*"), ("3.12.3", "x"), ("3.12.3", "3"), ("3.12.3", "3.x"),
    ("3.12.3", "3.12"), ("3.12.3", "3.12.*"), ("3.12.3", "v3.12.3"), ("3.12.3", "==3.12.*"),
    ("3.12.3", ">=3.9,<4"), ("3.12.3", ">= 3.9 < 4"), ("3.12.3", "3.10 - 3.12"),
    ("3.12.3", "<3.9 || >=3.12"), ("3.12.3", "<=3.12"), ("3.12.3", ">3.11"), ("3.12.3", "!=3.11.0"),
    ("3.12.3", "~=3.9"), ("3.12.3", "~=3.12.1"), ("3.12.3", "~3.12.1"), ("3.12.3", "^3.9"),
    ("0.3.4", "^0.3.1"), ("0.0.4", "^0.0.4"), ("20.1.0", "^18 || ^20"), ("8.0_292", "8"),
    ("17.0.2+8", "17"), ("26", "26.0"),
    ("3.13.0-rc.1", "3.13.0-rc.1"), ("1.2.9", "~> 1.2.3"), ("1.0.0", "=1"), ("1.0.0", ">0.9 <=1"),
]  # fmt: skip
NO = [
    ("3.12.3", "2"), ("3.12.3", "3.1"), ("3.1.3", "3.12"), ("3.12.3", "3.12.4"),
    ("3.12.3", "<3.12"), ("3.12.3", ">3.12"), ("3.12.3", "<=3.11"), ("3.12.3", ">=3.12.4"),
    ("3.12.3", "~=3.12.4"),
    ("3.12.3", "~=3.11.0"), ("3.12.3", "~3.11"), ("3.12.3", "^4"), ("3.12.3", "!=3.12.*"),
    ("0.4.1", "^0.3.1"), ("0.0.5", "^0.0.4"), ("3.12.3", "3.10 - 3.11"), ("3.12.3", ">=3.9 <3.12"),
    ("3.12.3", "latest"), ("20.1.0", "lts/*"), ("20.1.0", "lts/iron"), ("3.9.1", "pypy3.9"),
    ("3.13.0-rc.1", "3.13"), ("3.13.0", "3.13-dev"), ("3.13.0", "3.13t"),
    ("1.75.0", "stable"), ("1.75.0-nightly", "nightly"),
    ("1.75.0-nightly", "1.75"),
    ("", "3"), ("unknown", "3"), ("3.12.3", ">="), ("3.12.3", "><3"), ("3.12.3", ","),
    ("3.12.3", "||"),
    ("3.12.3", "3.12 evil"), ("3.12.3", "9" * 5000), ("3.12.3", "3.99999999999999999999"),
]  # fmt: skip


@pytest.mark.parametrize(("version", "wanted"), YES)
def test_a_version_satisfies_what_asks_for_it(version: str, wanted: str) -> None:
    assert satisfies(version, wanted)


@pytest.mark.parametrize(("version", "wanted"), NO)
def test_no_version_is_taken_for_another(version: str, wanted: str) -> None:
    assert not satisfies(version, wanted)


NUMBERS = st.lists(st.integers(0, 30), min_size=1, max_size=3).map(
    lambda numbers: ".".join(map(str, numbers))
)


@given(NUMBERS, NUMBERS)
def test_a_version_is_below_at_or_above_another(version: str, wanted: str) -> None:
    found = [satisfies(version, operator + wanted) for operator in ("<", "=", ">")]
    assert found.count(True) == 1
    assert satisfies(version, f"<={wanted}") == (found[0] or found[1])
    assert satisfies(version, f">={wanted}") == (found[1] or found[2])
    assert satisfies(version, f"!={wanted}") != found[1]
    assert satisfies(version, version)


@given(st.text(max_size=20), st.text(alphabet="0123456789.x*<>=~^!|, -v", max_size=20))
def test_any_text_has_an_answer(version: str, wanted: str) -> None:
    assert satisfies(version, wanted) in (True, False)
    assert satisfies("3.12.3", wanted) in (True, False)


@pytest.mark.parametrize(
    ("version", "channels"),
    [
        ("1.75.0", ["stable"]),
        ("1.76.0-beta.3", ["beta"]),
        ("1.77.0-nightly", ["nightly"]),
        ("none", []),
    ],
)
def test_a_version_of_rust_is_of_one_channel(version: str, channels: list[str]) -> None:
    asked = ("stable", "beta", "nightly", "nightly-2024-01-01", "", "1.75")
    assert [one for one in asked if is_of_channel(version, one)] == channels
