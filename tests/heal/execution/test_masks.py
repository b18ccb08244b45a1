"""Values that nobody may read are masked, however they are asked for."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.execution.masks import Masks


def keep(data: bytes) -> bytes:
    return data


def test_a_value_each_of_its_lines_and_what_is_known_besides_are_masked() -> None:
    masks = Masks(["s3cret", "first line\nsecond line"], lambda data: data.replace(b"known", b"?"))
    masks.add("s3cret-longer")
    text = "s3cret s3cret-longer\nfirst line, second line, known"
    assert masks.mask_text(text) == "*** ***\n***, ***, ?"


def test_nothing_is_no_value() -> None:
    masks = Masks(["", " \n "], keep)
    assert masks.mask(b"all of it") == b"all of it"


@given(st.lists(st.text("ab*", min_size=1, max_size=6)), st.text("ab*x", max_size=40))
def test_no_value_is_left(values: list[str], text: str) -> None:
    values = [value for value in values if "*" not in value]
    masked = Masks(values, keep).mask_text(text)
    assert not [value for value in values if value in masked]
