"""The secrets this machine is known to hold: values in the environment, and in key files."""

import base64
import itertools
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote, unquote

# As words between underscores, and anywhere.
_SECRET_WORDS = frozenset(
    {
        "ACCESSKEY", "AUTH", "CREDENTIAL", "CREDENTIALS", "KEY", "PASS", "PASSPHRASE", "PASSWD",
        "PAT", "PRIVATEKEY",
    }
)  # fmt: skip
_SECRET_PARTS = ("PASSWORD", "TOKEN", "SECRET", "APIKEY")
_URL_PASSWORD = r"://[^\s/:@]{0,256}:([^\s/@]{1,256})@"
# A shorter value would be found in ordinary words.
_SHORTEST = 8


def is_secret_name(name: str) -> bool:
    """Whether a variable of this name holds a secret, as names go."""
    upper = name.upper()
    words = upper.split("_")
    return (
        not _SECRET_WORDS.isdisjoint(words)
        or any(part in upper for part in _SECRET_PARTS)
        or ("CUSTOM", "HEADERS") in itertools.pairwise(words)
    )


def secrets_in(env: Mapping[str, str], key_files: Iterable[bytes] = ()) -> frozenset[bytes]:
    """Every value that must not leave, with the forms it may be written in.

    ``key_files`` are the contents of files that hold keys, one a line or as ``name=value``.
    """
    values = {value for name, value in env.items() if is_secret_name(name) and not _is_plain(value)}
    for value in env.values():
        if "://" in value and "@" in value:
            values.update(unquote(found) for found in re.findall(_URL_PASSWORD, value))
    for content in key_files:
        for line in content.decode("utf-8", "surrogateescape").splitlines():
            values.update({line.strip(), line.rpartition("=")[2].strip().strip("\"'")})
    return frozenset(form for value in values for form in _list_forms(value.strip()))


def _list_forms(value: str) -> Iterable[bytes]:
    if len(value) < _SHORTEST:
        return
    raw = value.encode("utf-8", "surrogateescape")
    yield raw
    yield quote(raw, safe="").encode()
    yield base64.b64encode(raw).rstrip(b"=")
    yield json.dumps(value)[1:-1].encode()
    yield from (form for form in _list_encodings(raw) if len(form) >= _SHORTEST)
    if not value.isascii():  # what is ASCII is found by decoding the text
        for coding in ("latin-1", "utf-16-le", "utf-16-be"):
            other = value.encode(coding, "ignore")
            yield from (form for form in (other, *_list_encodings(other)) if len(form) >= _SHORTEST)
    for line in value.splitlines():
        if line.startswith("-----"):  # The frame of a key says nothing.
            continue
        _, _, header = line.partition(":")
        for part in (line, header):
            if len(part.strip()) >= _SHORTEST and part.strip() != value:
                yield part.strip().encode("utf-8", "surrogateescape")


def _list_encodings(raw: bytes) -> Iterable[bytes]:
    """How the value reads in the midst of something that was encoded with it."""
    yield raw.hex().encode()
    yield raw.hex().upper().encode()
    for shift, mixed in ((0, 0), (1, 2), (2, 3)):
        coded = base64.b64encode(bytes(shift) + raw).rstrip(b"=")
        # The characters at both ends are made of neighbouring bytes too.
        inner = coded[mixed : len(coded) - (1 if (shift + len(raw)) % 3 else 0)]
        yield inner
        yield inner.translate(bytes.maketrans(b"+/", b"-_"))


def _is_plain(value: str) -> bool:
    # A count (MAX_TOKENS) or a file (SSH_AUTH_SOCK) is no secret, even if its name says so.
    if value.isdigit() and len(value) < 2 * _SHORTEST:
        return True
    return value.startswith(("/", "~")) and "\0" not in value and Path(value).exists()
