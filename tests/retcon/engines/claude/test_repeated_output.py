"""A failure that is quoted again: only what is new is said again."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.retcon.engines.claude.repeated_output import shorten_repeated

_TEXTS = st.lists(st.sampled_from("abc"), max_size=30).map("\n".join)


def test_lines_that_were_quoted_before_are_left_out() -> None:
    before = ["compiling", *(f"tests/test_{n}.py: ok" for n in range(20)), "names.py: no name RED"]
    text = [*before[:-1], "colors.py: no name BLUE"]
    assert shorten_repeated("\n".join(text), "\n".join(before)) == (
        "compiling\n[19 lines as before]\ntests/test_19.py: ok\ncolors.py: no name BLUE"
    )


def test_the_same_again_is_said_to_be_the_same() -> None:
    assert shorten_repeated("one\ntwo", "one\ntwo") == "[the same output as before]"


def test_the_first_output_is_quoted_whole() -> None:
    for text in ("", "one\ntwo"):
        assert shorten_repeated(text, "") == text


def test_a_few_lines_are_quoted_again() -> None:
    lines = "one\ntwo\nthree\nfour\nfive"
    assert shorten_repeated(f"{lines}\nsix", lines) == f"{lines}\nsix"


@given(_TEXTS, _TEXTS)
def test_what_is_left_out_can_be_found_before(text: str, before: str) -> None:
    shown = shorten_repeated(text, before)
    if shown == "[the same output as before]":
        assert text == before
        return
    lines = shown.split("\n")
    rest = text.split("\n")
    for at, line in enumerate(lines):
        if not line.startswith("["):
            assert rest.pop(0) == line
            continue
        left_out = rest[: int(line.split()[0].removeprefix("["))]
        del rest[: len(left_out)]
        assert "\n".join([lines[at - 1], *left_out, lines[at + 1]]) in before
    assert not rest
