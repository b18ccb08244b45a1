"""What an attribute gets has names that tell its states apart."""

from git_retcon.allium.extract.python.classes.inferred_values import (
    Value,
    is_group,
    is_like,
    is_of_kind,
    spell_values,
)


def name(*values: Value) -> list[str]:
    return [each.name for each in spell_values(values)]


def test_numbers_have_the_names_of_their_constants_without_what_all_begin_with() -> None:
    assert name(Value(0, "STATE_OFF"), Value(1, "STATE_ON"), Value(0, "STATE_OFF")) == ["off", "on"]
    assert name(Value(0, "OFF"), Value(0, "DARK")) == []


def test_texts_are_their_own_names_and_none_beside_numbers() -> None:
    assert name(Value("off", ""), Value("on", "ON")) == ["off", "on"]
    assert name(Value("off", ""), Value(1, "ON")) == []
    assert name(Value("off", ""), Value("warmUp", "")) == ["off", "warm_up"]
    assert name(Value("warm_up", ""), Value("warmUp", "")) == ["warm_up", "warmUp"]


def test_three_constants_are_a_group() -> None:
    three = [Value(0, "A"), Value(1, "B"), Value(2, "C")]
    assert is_group(three)
    assert not is_group(three[:2])
    assert not is_group([*three[:2], Value("c", "")])


def test_so_are_three_words() -> None:
    three = [Value("new", ""), Value("in-progress", ""), Value("DONE", "_DONE")]
    assert is_group(three)
    assert not is_group(three[:2])
    assert not is_group([*three, Value("all done", "")])


def test_a_constant_is_like_those_with_which_it_shares_words() -> None:
    known = [Value(0, "STATE_OFF"), Value(1, "STATE_ON")]
    assert is_like(Value(2, "STATE_DIM"), known)
    assert not is_like(Value(2, "LIMIT_DIM"), known)
    assert not is_like(Value(2, "DIM"), [Value(0, "OFF"), Value(1, "ON")])


def test_a_text_is_of_another_kind_than_numbers() -> None:
    assert is_of_kind(Value(2, "C"), [Value(0, "A")])
    assert not is_of_kind(Value("c", "C"), [Value(0, "A")])
    assert not is_of_kind(Value(2, "C"), [Value(0, "")])
