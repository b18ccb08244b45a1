"""Pins in TOML: what is written is read back, and the user's comments stay."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.retcon.spec.model import PinLine
from git_retcon.retcon.spec.pin_entries import merge_pins, write_inline, write_section

BODY = 'message = "m" # mine\nhints = "x"\nhistory = ["complete"]\n\n# about the next one\n'
ids = st.text("0123456789abcdef", min_size=4, max_size=10)
pins = st.lists(
    st.builds(PinLine, ids, st.text(st.characters(exclude_categories=["Cs"]), max_size=12)),
    max_size=4,
    unique_by=lambda pin: pin.id,
)


def read(body: str) -> list[str]:
    return list(tomllib.loads("[[commit]]\n" + body)["commit"][0].get("hunks", []))


def test_each_pin_has_a_line_with_what_it_pins() -> None:
    written = write_section(BODY, [PinLine("1f3a", "src/a.py:3 parse"), PinLine("beef")])
    assert written == (
        'message = "m" # mine\nhints = "x"\n'
        'hunks = [\n    "1f3a", # src/a.py:3 parse\n    "beef",\n]\n'
        'history = ["complete"]\n\n# about the next one\n'
    )


def test_comments_of_the_user_stay_and_go_with_their_pin() -> None:
    before = (
        'message = "m"\nhunks = [\n  # ask Ada\n  "1f3a", # why not\n  "beef", # gone\n] # end\n'
    )
    after = write_section(before, [PinLine("1f3a", "not this"), PinLine("cafe", "b.py:1")])
    assert after == (
        'message = "m"\nhunks = [\n    # ask Ada\n    "1f3a", # why not\n    "cafe", # b.py:1\n]'
        " # end\n"
    )


@pytest.mark.slow
@given(pins, pins)
def test_what_is_written_is_read_back_and_can_be_taken_off(
    first: list[PinLine], second: list[PinLine]
) -> None:
    written = write_section(BODY, first)
    assert read(written) == [pin.id for pin in first]
    merged = merge_pins(read(written), second)
    assert sorted(merged) == sorted(second)
    again = write_section(written, merged)
    assert read(again) == [pin.id for pin in merged]
    assert write_section(again, []) == BODY


def test_a_commit_of_one_line_gets_its_pins_in_one_line() -> None:
    text = 'commit = [ { message = "a" }, { message = "b" } ] # mine\n'
    assert write_inline(text, 0, [PinLine("beef", "x")]) == (
        'commit = [ { message = "a", hunks = ["beef"] }, { message = "b" } ] # mine\n'
    )


@pytest.mark.parametrize("comment", ["a\nb", "\x1b[31m", "\x00", "\r"])
def test_a_path_with_control_characters_makes_no_broken_file(comment: str) -> None:
    assert read(write_section(BODY, [PinLine("beef", comment)])) == ["beef"]
