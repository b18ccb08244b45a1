"""Passwords and tokens in addresses, headers and commands."""

import pytest

from git_retcon.model.secrets.logins import find_logins


def found_in(text: str) -> list[str]:
    return sorted({text[start:end] for start, end in find_logins(text.encode())})


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("postgres://app:hunter2@db/prod", ["hunter2"]),
        ("https://cafeb4b3:d3adb33f@gems.example.com", ["cafeb4b3", "d3adb33f"]),
        ("Authorization: Bearer h8Jk2Lm9Qr4Tx7Vz3", ["h8Jk2Lm9Qr4Tx7Vz3"]),
        (
            "extraheader = AUTHORIZATION: basic YWRhOnBMSWl4Nk1FT0xlTWE2MQ==",
            ["YWRhOnBMSWl4Nk1FT0xlTWE2MQ=="],
        ),
        ("url = https://Zq8sK2mLx01pTt77@git.example.com/a", ["Zq8sK2mLx01pTt77"]),
        ("url = https://ada@git.example.com/a", []),
        ("curl -u ada:hunter2 https://example.com", ["hunter2"]),
        ("curl --user 'ada:hunter2' https://example.com", ["hunter2"]),
        ("curl \\\n  --user ada:hunter2 https://example.com", ["hunter2"]),
        ('curl -u "d2LkV78zLx!t:" https://example.com', ["d2LkV78zLx!t"]),
        ("curl -H 'X-Api-Key: k3Yz81Qw' https://example.com", ["k3Yz81Qw"]),
        ("BUNDLE_GEMS__EXAMPLE__COM: cafebabe:deadbeef", ["cafebabe:deadbeef"]),
        ("https://user:password@example.com", []),
        ("http://u:p@example.com", []),
        ("https://user:${TOKEN}@example.com", []),
        ("curl -u <user:password> https://example.com", []),
        ("curl -u $USER:$PASSWORD https://example.com", []),
        ('curl -H "Authorization: Bearer ${TOKEN}" https://example.com', []),
        ("https://example.com:8080/path@v1", []),
    ],
)
def test_what_is_given_to_a_service(text: str, secrets: list[str]) -> None:
    assert found_in(text) == secrets
