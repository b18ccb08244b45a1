"""Which values of the environment and of key files are secrets, in every form."""

import base64
from pathlib import Path

import pytest

from git_retcon.model.known_secrets import is_secret_name, secrets_in
from git_retcon.model.redaction import Redactor
from tests.model.secrets.samples import PEM, PEM_BODY


def test_known_values_are_masked_in_every_form() -> None:
    secret = "correct horse/battery?staple"
    redactor = Redactor(secrets_in({"MY_TOKEN": secret, "EDITOR": "vim -u NONE --clean"}))
    encoded = base64.b64encode(secret.encode()).decode().rstrip("=")
    text = f"{secret} correct%20horse%2Fbattery%3Fstaple {encoded} vim -u NONE --clean"
    masked = redactor.redact_text(text)
    assert masked == (
        "[masked secret ..le] [masked secret ..le] "
        f"[masked secret ..{encoded[-2:]}] vim -u NONE --clean"
    )


@pytest.mark.parametrize("before", ["", "x", "xy", "user:"])
@pytest.mark.parametrize("after", ["", "\n", "ab"])
def test_a_known_value_is_masked_where_it_was_encoded_with_its_neighbours(
    before: str, after: str
) -> None:
    secret = "correct horse/battery?staple~~~"
    redactor = Redactor(secrets_in({"MY_TOKEN": secret}))
    whole = f"{before}{secret}{after}".encode()
    for coded in (base64.b64encode(whole), base64.urlsafe_b64encode(whole), whole.hex().encode()):
        left = redactor.redact_bytes(b"Authorization " + coded).partition(b"[masked secret")
        assert left[1]
        assert len(left[0] + left[2]) < len(b"Authorization  ..xx]") + 16


def test_key_files_and_addresses_in_the_environment_are_known() -> None:
    env = {"DATABASE_URL": "postgres://app:pa%2Fssw0rd@db/x", "PATH": "/usr/bin:/bin"}
    known = secrets_in(env, [b"ANTHROPIC_API_KEY='quiet-little-key'\n"])
    assert {b"pa/ssw0rd", b"quiet-little-key"} <= known
    assert b"/usr/bin:/bin" not in known


def test_a_path_to_a_secret_is_no_secret(tmp_path: Path) -> None:
    env = {"SSH_AUTH_SOCK": str(tmp_path), "TOKEN": "short", "A_KEY": "", "MAX_TOKENS": "10000000"}
    assert secrets_in(env) == set()


def test_the_lines_of_a_key_in_the_environment_are_known() -> None:
    known = secrets_in({"DEPLOY_KEY": PEM})
    assert PEM_BODY.split("\n")[1].encode() in known
    assert b"-----END RSA PRIVATE KEY-----" not in known


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "GH_TOKEN", "npm_password", "DB_PASS"])
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["PATH", "PWD", "OLDPWD", "COMPASS", "KEYBOARD", "HOME"])
def test_other_names(name: str) -> None:
    assert not is_secret_name(name)


def test_a_count_is_no_secret_and_a_long_number_is() -> None:
    assert not secrets_in({"MAX_TOKENS": "123456789"})
    assert b"12345678901234567890" in secrets_in({"API_KEY": "12345678901234567890"})
