"""A key leaves in no disguise: with escapes amid it, encoded, or put together from pieces.

What is sent is read from a socket of this machine: nothing that a reader could make the key of is
in it. The law is over ``redaction``, ``secrets/`` and ``client``.
"""

import base64
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_retcon.model.client import Client
from git_retcon.model.known_secrets import secrets_in
from git_retcon.model.redaction import Redactor
from tests.model.loopback import LoopbackApi, says
from tests.model.secrets.samples import PEM, PEM_BODY, TOKENS
from tests.model.secrets.test_escapes import UNSEEN
from tests.model.test_client import ask

Disguise = Callable[[str], str]


def escape_each(form: str) -> Disguise:
    return lambda text: "".join(form.format(ord(char)) for char in text)


def encode(text: str, coding: str = "utf-8") -> bytes:
    return text.encode(coding)


def split(between: str) -> Disguise:
    return lambda text: f'"{text[: len(text) // 2]}"{between}"{text[len(text) // 2 :]}"'


def with_every(unseen: str) -> Disguise:
    return lambda text: unseen.join(text)


DISGUISES: dict[str, Disguise] = {
    **{f"{name} amid it": with_every(unseen) for name, unseen in UNSEEN.items()},
    r"\x41": escape_each("\\x{:02x}"),
    r"\u0041": escape_each("\\u{:04x}"),
    "%41": escape_each("%{:02X}"),
    "&#65;": escape_each("&#{};"),
    "base64": lambda text: base64.b64encode(encode(text)).decode(),
    "base64 of one more byte": lambda text: base64.b64encode(encode(":" + text)).decode(),
    "base64 of two more bytes": lambda text: base64.b64encode(encode(": " + text)).decode(),
    "base64 over lines": lambda text: base64.encodebytes(encode("key: " + text)).decode(),
    "base64 twice": lambda text: base64.b64encode(base64.b64encode(encode(text))).decode(),
    "hex": lambda text: encode(text).hex(),
    "a dump in hex": lambda text: encode(text).hex(" ") + " ",
    "numbers of bytes": lambda text: ", ".join(map(str, encode(text))) + ",",
    "UTF-16": lambda text: encode(text, "utf-16-le").decode("latin-1"),
    "UTF-16 in base64": lambda text: base64.b64encode(encode(text, "utf-16-le")).decode(),
    "two literals": split(" "),
    "a sum": split(" + "),
    "a sum over lines": split(" +\n        "),
    "literals in a diff": split("\n+    "),
}
SECRETS = {**TOKENS, "private key": PEM}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES.keys())
def test_no_key_is_sent_in_a_disguise(
    disguise: Disguise, api: LoopbackApi, make_client: Callable[..., Client]
) -> None:
    if disguise in (DISGUISES["a sum over lines"], DISGUISES["literals in a diff"]):
        hidden = {name: disguise(key) for name, key in TOKENS.items()}
    else:
        hidden = {name: disguise(key) for name, key in SECRETS.items()}
    api.script(says("ok"))
    client = make_client()
    for name, written in hidden.items():
        text = f"the value is\n{written}\nand no other"
        if name == "anthropic":  # one goes all the way
            client.complete(ask(text))
            sent = api.requests[0].body["messages"][0]["content"][0]["text"]
        else:
            sent = client.redactor.redact_text(text)
        assert "[masked secret " in sent, name
        assert sent.startswith("the value is\n") and sent.endswith("\nand no other"), name
        # Of the key, a mask shows two characters; of a disguise, the end of its last one.
        assert all(part not in sent for part in cut(written.strip("\"',= \n"))), name


def cut(written: str) -> list[str]:
    """The parts of a disguised key that would tell of it."""
    size = max(len(written) // 4, 12)
    parts = [written[at : at + size] for at in range(0, len(written) - size, size)]
    return [part for part in parts if part.strip("\"'+ \n") and "-----" not in part]


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES.keys())
def test_a_known_value_of_no_shape_is_masked_in_a_disguise(disguise: Disguise) -> None:
    secret = "mothers maiden name, Ünal"
    written = disguise(secret)
    masked = Redactor(secrets_in({"MY_SECRET": secret})).redact_text(f"see {written}.")
    assert "[masked secret " in masked
    assert all(part not in masked for part in cut(written.strip("\"',= \n")))


def test_every_value_of_a_kubernetes_secret_is_masked() -> None:
    text = "kind: Secret\ndata:\n  user: YWRhLWxvdmVsYWNl\nmetadata:\n  name: YWRhLWxvdmVsYWNl\n"
    masked = (
        "kind: Secret\ndata:\n  user: [masked secret ..Nl]\nmetadata:\n  name: YWRhLWxvdmVsYWNl\n"
    )
    assert Redactor().redact_text(text) == masked


def test_the_key_of_a_kubernetes_secret_is_masked() -> None:
    text = f"kind: Secret\ndata:\n  tls.key: {base64.b64encode(PEM.encode()).decode()}\n"
    masked = Redactor().redact_text(text)
    assert masked.startswith("kind: Secret\ndata:\n  tls.key: [masked secret ..")
    without_kind = f"tls.key: {base64.b64encode(PEM.encode()).decode()}\n"
    assert len(Redactor().redact_text(without_kind)) < 60


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.integers(1, 99), st.sampled_from(sorted(UNSEEN.values())), min_size=1))
@example({2: "\x1b", 9: "\x1b(B", 12: "\x1b]0;a title\x07"})
def test_no_mixture_of_escapes_hides_a_key(unseen: dict[int, str]) -> None:
    key = TOKENS["anthropic"]
    written = "".join(unseen.get(at, "") + char for at, char in enumerate(key))
    masked = Redactor().redact_text(f"x {written} y")
    assert len(masked) < len("x [masked secret ..AA] y") + 2


def test_what_a_person_reads_keeps_its_place() -> None:
    key = TOKENS["github"]
    coloured = f"\x1b[32m+see '\x1b[1m{key[:9]}\x1b[0m\x1b[1m{key[9:]}\x1b[0m'\x1b[0m\nnext\n"
    masked = Redactor().redact_text(coloured)
    assert masked == f"\x1b[32m+see '\x1b[1m[masked secret ..{key[-2:]}]\x1b[0m'\x1b[0m\nnext\n"


def test_percent_encoding_of_an_address_stays() -> None:
    address = f"https://example.com/?q={quote('ünïcödé wörds, and more of them')}"
    assert Redactor().redact_text(address) == address


def test_the_lines_of_a_key_in_a_disguise_are_masked_one_by_one() -> None:
    lines = base64.encodebytes(PEM.encode()).decode()
    masked = Redactor().redact_text(f"key:\n{lines}end\n")
    assert masked.count("\n") == lines.count("\n") + 2
    assert PEM_BODY[:20] not in masked
    assert len(masked) < 40 * lines.count("\n") + 20
