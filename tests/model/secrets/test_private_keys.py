"""Private keys are found with their frames; public ones are not."""

import pytest

from git_retcon.model.secrets.private_keys import find_private_keys
from tests.model.secrets.samples import PEM


@pytest.mark.parametrize("kind", ["RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", ""])
def test_a_key_of_any_kind(kind: str) -> None:
    key = PEM.replace("RSA ", kind)
    text = f"before\n{key}\nafter"
    ((start, end),) = find_private_keys(text.encode())
    assert text[start:end] == key


def test_a_key_of_gpg() -> None:
    key = PEM.replace("RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK")
    assert list(find_private_keys(key.encode())) == [(0, len(key))]


def test_a_key_that_is_cut_off_ends_with_what_looks_like_it() -> None:
    text = PEM.rpartition("\n")[0] + "\n\nThe text goes on (here)."
    ((_, end),) = find_private_keys(text.encode())
    assert text[end:].strip() == "The text goes on (here)."


def test_a_key_whose_beginning_is_cut_off_begins_with_what_looks_like_it() -> None:
    rest = PEM[100:]
    text = f"[90 bytes left out]\n{rest}\nafter"
    ((start, end),) = find_private_keys(text.encode())
    assert text[start:end] == rest


def test_the_name_of_an_end_alone_is_none() -> None:
    end = PEM.rpartition("\n")[2]
    assert list(find_private_keys(f"begin = read()\nif line == '{end}':\n".encode())) == []


def test_two_keys_are_two() -> None:
    assert len(list(find_private_keys(f"{PEM}\ntext\n{PEM}\n".encode()))) == 2


def test_a_certificate_is_none() -> None:
    text = PEM.replace("RSA PRIVATE KEY", "CERTIFICATE")
    assert list(find_private_keys(text.encode())) == []
