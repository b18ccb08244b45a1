"""Values that nobody may read are masked, however they are asked for."""

import base64
import json
from urllib.parse import quote
from xml.sax.saxutils import escape

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


def test_a_value_is_masked_in_the_forms_that_github_masks() -> None:
    value = 'p&ss "w/rd" ü\\'
    masks = Masks([value], keep)
    forms = [
        json.dumps(value),
        json.dumps(value, ensure_ascii=False),
        quote(value, safe=""),
        escape(value, {'"': "&quot;"}),
        value.replace('"', '\\"'),
    ]
    assert [form for form in forms if masks.mask_text(form) not in ("***", '"***"')] == []


@given(st.binary(max_size=4), st.text(min_size=5, max_size=20), st.binary(max_size=4))
def test_base64_of_what_holds_a_value_shows_a_sign_of_it_at_most_at_each_end(
    before: bytes, value: str, behind: bytes
) -> None:
    value = f"s3cret{value.strip()}"
    whole = base64.b64encode(before + value.encode() + behind).decode()
    masked = Masks([value], keep).mask_text(whole)
    head, _, tail = masked.partition("***")
    assert len(head) <= (len(before) * 8 + 7) // 6
    assert len(tail.rstrip("=")) <= (len(behind) * 8 + 11) // 6


def test_base64_of_a_short_value_is_left_alone() -> None:
    assert Masks(["abc"], keep).mask_text("YWJj") == "YWJj"
