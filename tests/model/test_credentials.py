"""Who pays is found in the environment, or is said to be missing, and shows nowhere."""

import pytest

from git_retcon.model.credentials import DEFAULT_URL, credentials_in, required_credentials
from git_retcon.model.failures import NoCredentials


@pytest.mark.parametrize(
    ("env", "key", "found"),
    [
        ({"ANTHROPIC_API_KEY": " k1 "}, None, ("key", "k1")),
        ({"ANTHROPIC_AUTH_TOKEN": "t1"}, None, ("token", "t1")),
        ({"ANTHROPIC_API_KEY": "k1", "ANTHROPIC_AUTH_TOKEN": "t1"}, "k2", ("key", "k1")),
        ({"ANTHROPIC_AUTH_TOKEN": "t1"}, "k2", ("token", "t1")),
        ({}, " k2\n", ("key", "k2")),
    ],
)
def test_the_environment_comes_first_and_a_key_before_a_token(
    env: dict[str, str], key: str | None, found: tuple[str, str]
) -> None:
    credentials = credentials_in(env, key)
    assert credentials is not None
    assert (credentials.kind, credentials.secret, credentials.base_url) == (*found, DEFAULT_URL)


@pytest.mark.parametrize(
    "env", [{}, {"ANTHROPIC_API_KEY": " "}, {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}]
)
def test_an_address_alone_is_no_credential(env: dict[str, str]) -> None:
    assert credentials_in(env) is None
    with pytest.raises(NoCredentials, match="no API key") as raised:
        required_credentials(env)
    assert raised.value.hint == "set ANTHROPIC_API_KEY, or use --offline"


@pytest.mark.parametrize("secret", ["k 1", "k\n1", "k\u00e9y", "k\x7f"])
def test_what_cannot_be_sent_is_refused_and_not_quoted(secret: str) -> None:
    with pytest.raises(NoCredentials, match="ANTHROPIC_API_KEY holds characters") as raised:
        credentials_in({"ANTHROPIC_API_KEY": secret})
    assert secret not in str(raised.value)


@pytest.mark.parametrize("url", ["ftp://x", "nowhere", "http://", "http://[::1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(NoCredentials, match="is not an http or https address"):
        credentials_in({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": url})


def test_the_secret_is_in_no_repr() -> None:
    assert "k-secret" not in repr(credentials_in({"ANTHROPIC_API_KEY": "k-secret"}))
