"""Which of git's settings hold a password or a token, as their keys and values say."""

import functools
import re

_SECRET_NAMES = frozenset({"pass", "smtppass", "passwd", "passphrase", "extraheader"})
_SECRET_PARTS = ("password", "token", "secret", "apikey")
_PLAIN = frozenset({"", "true", "false", "yes", "no", "on", "off"})


def holds_secret(key: str, value: str) -> bool:
    """Whether a setting that git lists in this form is a secret, or a command that names one.

    Of addresses, only those of proxies are looked at: an address can be shown without its login.
    """
    if is_credential_helper(key):
        return value.startswith("!")  # a script, which may print a password
    if value.lower() in _PLAIN:
        return False
    name = key.rpartition(".")[2]
    if name.endswith("proxy"):
        return "@" in value
    is_named = name in _SECRET_NAMES or any(part in name for part in _SECRET_PARTS)
    return is_named or _spelled_out().search(value) is not None


def holds_login(key: str, value: str) -> bool:
    """Whether an address in the key or in the value names somebody, perhaps with a password."""
    return any(_login().search(text) is not None for text in (key, value))


def is_credential_helper(key: str) -> bool:
    """Whether git asks what the setting names for passwords."""
    return key.startswith("credential.") and key.endswith(".helper")


@functools.cache
def _spelled_out() -> re.Pattern[str]:
    """A command that is given its secret: ``--password x``, ``TOKEN=x``, ``sshpass -p x``. One
    that takes it from the environment (``$TOKEN``) holds none.
    """
    return re.compile(
        r"(?i)(pass(word|wd|phrase)?|token|secret|api[-_]?key)(=|:\s*|\s+(-p\s*)?)[\"']?[^\s\"'$=:-]"
    )


@functools.cache
def _login() -> re.Pattern[str]:
    return re.compile(r"://[^/\s\"']*@")
