"""A setting is a secret by its name, or where a command in it is given one."""

import pytest

from git_retcon.run.secret_settings import holds_login, holds_secret


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sendemail.smtppass", "x"),
        ("http.https://example.com/.extraheader", "X-Key: x"),
        ("hub.oauthtoken", "x"),
        ("http.proxy", "ada:x@proxy.example.com"),
        ("credential.helper", "!echo password=x"),
        ("filter.vault.smudge", "vault --password x"),
        ("filter.vault.clean", "API_KEY='x' vault"),
        ("core.sshcommand", "sshpass -p x ssh"),
        ("alias.get", "!curl -H 'X-Token: x' https://example.com"),
    ],
)
def test_a_secret(key: str, value: str) -> None:
    assert holds_secret(key, value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("http.sslcertpasswordprotected", "true"),
        ("credential.helper", "store"),
        ("http.proxy", "proxy.example.com"),
        ("filter.vault.smudge", 'vault --password "$VAULT_PASSWORD"'),
        ("diff.keys.textconv", "show --password-file ~/.key"),
        ("remote.origin.url", "https://example.com/passwords"),
        ("filter.lfs.clean", "git-lfs clean -- %f"),
    ],
)
def test_no_secret(key: str, value: str) -> None:
    assert not holds_secret(key, value)


def test_a_login_is_in_the_value_or_in_the_key() -> None:
    assert holds_login("lfs.url", "https://token@example.com/")
    assert holds_login("lfs.https://ada:x@example.com/.access", "basic")
    assert not holds_login("lfs.url", "https://example.com/a@b")
    assert not holds_login("filter.tidy.clean", "tidy --as me@example.com")
