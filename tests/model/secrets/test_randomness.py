"""What looks made by a program, and what by a person."""

import pytest

from git_retcon.model.secrets.randomness import (
    count_kinds,
    is_generated,
    is_random,
    is_scattered,
    measure_entropy,
)


@pytest.mark.parametrize("value", [b"h8Jk2Lm9Qr4Tx7Vz", b"9f8e7d6c5b4a3928", b"a1-b2-c3-d4-e5"])
def test_letters_and_digits_in_turn_look_random(value: bytes) -> None:
    assert is_scattered(value)
    assert is_random(value)


@pytest.mark.parametrize("value", [b"oauth2_token", b"version_1_of_it", b"11112222", b"parse_all"])
def test_names_do_not(value: bytes) -> None:
    assert not is_random(value)


def test_one_pair_of_characters_is_not_random() -> None:
    assert is_scattered(b"a1a1a1a1a1a1a1a1")
    assert not is_random(b"a1a1a1a1a1a1a1a1")


@pytest.mark.parametrize(
    "value",
    [
        b"o4a7zvnwsklrmhwyjtqk",
        b"721174446094571043",
        b"12345678-ABCD-ABCD-ABCD-1234567890AB",
        b"e55b2mamot7kf5",
    ],
)
def test_ids_of_services_are_generated(value: bytes) -> None:
    assert is_generated(value)


@pytest.mark.parametrize("value", [b"2026112200", b"oauth2AccessToken", b"utf8", b"a-b-c-d", b""])
def test_words_and_dates_are_not(value: bytes) -> None:
    assert not is_generated(value)


def test_kinds_are_counted() -> None:
    assert [count_kinds(v) for v in (b"abc", b"abC", b"abC1", b"abC1!", b"a_b.c-d")] == [
        1,
        2,
        3,
        4,
        1,
    ]


def test_entropy_is_in_bits_per_byte() -> None:
    assert measure_entropy(b"aaaa") == 0
    assert measure_entropy(b"abcd") == 2
