"""Values of unknown shape: what is not of the wanted sort is absent."""

from git_retcon.code.diagnostics.reports.json_values import (
    get,
    get_list,
    get_number,
    get_text,
    one_more,
)

_VALUE = {"a": [{"b": 3}, "x"], "t": True, "n": -1, "big": 10**12}


def test_paths() -> None:
    assert get(_VALUE, "a", 0, "b") == 3
    assert get(_VALUE, "a", 5) is None
    assert get(_VALUE, "a", "b") is None
    assert get(_VALUE, "a", 0, "b", "c") is None


def test_sorts() -> None:
    assert get_text(_VALUE, "a", 1) == "x"
    assert get_text(_VALUE, "a") == ""
    assert get_number(_VALUE, "a", 0, "b") == 3
    assert [get_number(_VALUE, key) for key in ("t", "n", "big", "a")] == [None] * 4
    assert list(get_list(_VALUE, "a")) == [{"b": 3}, "x"]
    assert list(get_list(_VALUE, "t")) == []


def test_counting_from_one() -> None:
    assert one_more(0) == 1
    assert one_more(None) is None
