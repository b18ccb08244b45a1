"""What stands where a secret goes is told from one."""

import pytest

from git_retcon.model.secrets.placeholders import is_code, is_template


@pytest.mark.parametrize(
    "value",
    [b"${TOKEN}", b"$TOKEN", b"{{ key }}", b"<your-key>", b"%(key)s", b"xxxxxxxx", b"a{name}b"],
)
def test_templates(value: bytes) -> None:
    assert is_template(value)


@pytest.mark.parametrize(
    "value",
    [
        b"self.token",
        b"getToken",
        b"a-word",
        b"[A-Z0-9]+",
        rb"\d+",
        b"npm:^4.0.0",
        b">=1.2.x",
        b",b:1",
    ],
)
def test_code(value: bytes) -> None:
    assert is_code(value)


@pytest.mark.parametrize("value", [b"Tr0ub4dor&3", b"h8Jk2Lm9Qr4Tx7Vz", b"Pa$$w0rd-{x"])
def test_passwords_are_neither(value: bytes) -> None:
    assert not is_template(value)
    assert not is_code(value)
