"""Who pays: the key or token a request is signed with, and where it goes."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal
from urllib.parse import urlsplit

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.failures import NoCredentials

DEFAULT_URL = "https://api.anthropic.com"


@dataclass(frozen=True, slots=True)
class Credentials:
    """A key or a token, and the service's address. The secret is not in its ``repr``."""

    kind: Literal["key", "token"]
    secret: str = field(repr=False)
    base_url: str = field(default=DEFAULT_URL, repr=False)


def credentials_in(env: Mapping[str, str], key: str | None = None) -> Credentials | None:
    """What the environment offers, or None; ``key`` (read from a file, say) comes last.

    A base URL alone is no credential. Raises NoCredentials where the value or the address could
    not be sent; neither is quoted.
    """
    base_url = env.get("ANTHROPIC_BASE_URL", "").strip() or DEFAULT_URL
    _check_url(base_url)
    api_key = env.get("ANTHROPIC_API_KEY", "").strip()
    token = env.get("ANTHROPIC_AUTH_TOKEN", "").strip()
    if api_key:
        return Credentials("key", _check_secret(api_key, "ANTHROPIC_API_KEY"), base_url)
    if token:
        return Credentials("token", _check_secret(token, "ANTHROPIC_AUTH_TOKEN"), base_url)
    if key and key.strip():
        return Credentials("key", _check_secret(key.strip(), "the key file"), base_url)
    return None


def required_credentials(env: Mapping[str, str], key: str | None = None) -> Credentials:
    """As ``credentials_in``, but raises NoCredentials where there are none."""
    found = credentials_in(env, key)
    if found is None:
        raise NoCredentials("no API key", hint="set ANTHROPIC_API_KEY, or use --offline")
    return found


def _check_secret(secret: str, name: str) -> str:
    # A header cannot carry it, and the error of the HTTP library would quote it.
    if not (secret.isascii() and secret.isprintable()) or " " in secret:
        raise NoCredentials(
            f"{name} holds characters that no API key has",
            hint="copy the key again, without spaces, quotes or line breaks",
        )
    return secret


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        sound = False
    if not sound:
        raise NoCredentials(
            "ANTHROPIC_BASE_URL is not an http or https address",
            hint=f"unset it, or set it to something like {DEFAULT_URL}",
        )
