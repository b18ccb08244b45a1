"""Enumerations: each item is one name, perhaps in a place, or it is not understood."""

import pytest

from git_retcon.retcon.hints.exclusions import (
    Name,
    has_certain_name,
    has_only_certain_names,
    has_only_names,
    has_only_plain_words,
    read_enumeration,
    read_name,
)


def items(text: str) -> list[str]:
    """Each item as "name @ place, place", with what else is known of it."""

    def written(name: Name) -> str:
        return name.path if name.is_file else ".".join(name.parts)

    return [
        ("?" if item.name is None and not item.is_rest else "")
        + ("rest" if item.is_rest else "")
        + (written(item.name) if item.name is not None else "")
        + (f" @ {', '.join(map(written, item.places))}" if item.places else "")
        + (" borrowed" if item.borrows_place else "")
        for item in read_enumeration(text)
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("half", ["half"]),
        ("half, main and `go`", ["half", "main", "go"]),
        ("half as well as main; go & stop", ["half", "main", "go", "stop"]),
        ("the half function", ["half"]),
        ("half in a.py", ["half @ a.py"]),
        ("a.py's half", ["half @ a.py"]),
        ("half (a.py)", ["half @ a.py"]),
        ("tests/test_a.py::test_b", ["test_b @ tests/test_a.py"]),
        ("test_a.py::test_b", ["test_b @ test_a.py"]),
        ("half in a.py and b.py", ["half @ a.py, b.py"]),
        ("half, main in a.py", ["half", "main @ a.py"]),
        ("half and main in a.py", ["half @ a.py borrowed", "main @ a.py"]),
        ("c.py, half and main in a.py", ["c.py", "half @ a.py borrowed", "main @ a.py"]),
        ("anything else in a.py", ["rest @ a.py"]),
        ("changes in a.py", ["a.py"]),
        ("the actual OAuth flow", ["?"]),
        ("404", ["?"]),
        ("new", ["new"]),
        ("the new code", ["?"]),
        ("half, which is in a.py", ["half"]),
        ("the exchange (get_code, refresh)", ["get_code", "refresh"]),
    ],
)
def test_items_are_names_in_places(text: str, found: list[str]) -> None:
    assert items(text) == found


@pytest.mark.parametrize(
    ("token", "name"),
    [
        ("half", Name("half", ("half",), is_plain=True)),
        ("Half", Name("half", ("Half",), is_plain=True)),
        ("`half`", Name("half", ("half",))),
        ("half()", Name("", ("half",))),
        ("parse_it,", Name("parse_it", ("parse_it",))),
        ("parseIt", Name("parseit", ("parseIt",))),
        ("HTTP", Name("http", ("HTTP",))),
        ("cli.py", Name("cli.py", ("cli", "py"))),
        ("Cart.close()", Name("", ("Cart", "close"))),
        ("cart::close", Name("", ("cart", "close"))),
        ("Cart#close", Name("", ("Cart", "close"))),
        ("./Src/a.py", Name("src/a.py", ())),
        ("*.md", Name("*.md", ())),
        ("--strict", Name("", ("--strict",))),
        (",", None),
        ("12", None),
    ],
)
def test_a_token_is_a_path_a_name_in_code_or_an_option(token: str, name: Name | None) -> None:
    assert read_name(token) == name
    if name is not None:
        assert name.is_option is token.startswith("--")


@pytest.mark.parametrize(
    ("text", "only", "certain", "one", "plain"),
    [
        ("half", True, False, False, True),
        ("parse_it", True, True, True, False),
        ("half, parse_it", True, False, True, False),
        ("the actual OAuth flow", False, False, False, True),
        ("those things", True, False, False, False),
        ("", True, False, False, False),
        ("in a.py", True, True, True, False),
        ("parse_it, the actual OAuth flow", False, False, False, False),
    ],
)
def test_texts_are_judged_by_their_items(
    text: str, only: bool, certain: bool, one: bool, plain: bool
) -> None:
    assert has_only_names(text) is only
    assert has_only_certain_names(text) is certain
    assert has_certain_name(text) is one
    assert has_only_plain_words(text) is plain
