"""Secrets are masked, ordinary text is not, and a masked file comes back whole or not at all."""

import base64
import random
import string
from collections.abc import Callable, Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_retcon.model import redaction
from git_retcon.model.known_secrets import secrets_in
from git_retcon.model.redaction import Redactor
from git_retcon.model.secrets import secret_search
from git_retcon.model.secrets.readings import Span
from tests.model.secrets.samples import TOKENS
from tests.timing import cpu_ratio

PLAIN = Redactor()


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS.keys())
@pytest.mark.parametrize("seam", ["\n", "\r\n", '"\n    "', "\n+", " \\\n  ", "\n# "])
def test_a_token_broken_over_two_lines_is_masked(token: str, seam: str) -> None:
    half = len(token) // 2 + 3
    first, rest = token[:half], token[half:]
    masked = PLAIN.redact_text(f"key = '{first}{seam}{rest}'\nnext line\n")
    assert rest not in masked
    assert first not in masked
    assert masked.count("\n") == seam.count("\n") + 2
    assert masked.endswith("\nnext line\n")


def test_a_known_value_is_masked_across_lines() -> None:
    redactor = Redactor(secrets_in({"PASSWORD": "mothersmaidenname"}))
    assert redactor.redact_text("+ moth\n+ ersmaid\n+ enname\nx") == (
        "+ [masked secret ..th]\n+ [masked secret ..id]\n+ [masked secret ..me]\nx"
    )


def test_an_empty_line_of_a_secret_gets_no_mask() -> None:
    redactor = Redactor(secrets_in({"PASSWORD": "mothers\n\nmaidenname"}))
    assert redactor.redact_text("mothers\n\nmaidenname\n") == (
        "[masked secret ..rs]\n\n[masked secret ..me]\n"
    )


def test_bytes_of_any_kind_pass() -> None:
    token = TOKENS["github"].encode()
    data = b"\xff\xfe\0 " + token + b" \x80"
    assert PLAIN.redact_bytes(data) == b"\xff\xfe\0 [masked secret ..%s] \x80" % token[-2:]


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(sorted(TOKENS.values())), st.binary(max_size=200))
@example(b"password = '", TOKENS["jwt"], b"'")
def test_masking_is_idempotent_and_keeps_line_breaks(
    before: bytes, token: str, after: bytes
) -> None:
    once = PLAIN.redact_bytes(before + b" " + token.encode() + b" " + after)
    assert token.encode() not in once
    assert PLAIN.redact_bytes(once) == once
    assert once.count(b"\n") == (before + after).count(b"\n")


SEAMS = st.sampled_from(["\n", "\r\n", "\n+", "\n-    ", '" \\\n  "', "',\n'", "\n> # "])


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.text(
            string.ascii_letters + string.digits + "!$%&/=?_.:-", min_size=4, max_size=20
        ).filter(lambda piece: len(piece.replace("-", "")) >= 4),
        min_size=2,
        max_size=6,
    ),
    SEAMS,
)
def test_a_known_secret_is_found_however_it_is_broken(pieces: list[str], seam: str) -> None:
    secret = "K" + "".join(pieces)
    broken = "K" + seam.join(pieces)
    masked = Redactor(secrets_in({"MY_SECRET": secret})).redact_text(f"before\nx = {broken}\ny\n")
    assert not any(piece in masked for piece in pieces)
    assert masked.startswith("before\nx = [masked secret ..")
    assert masked.endswith("]\ny\n")
    assert masked.count("\n") == broken.count("\n") + 3


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_text_without_secrets_is_the_same_object_or_equal(text: str) -> None:
    if not PLAIN.find_spans(text.encode("utf-8", "surrogatepass")):
        assert PLAIN.redact_text(text) == text


def repeat(data: bytes) -> Callable[[int], bytes]:
    return lambda size: (data * (size // len(data) + 1))[:size]


HOSTILE = {
    "addresses": repeat(b"://a:"),
    "names": repeat(b"token="),
    "names and quotes": repeat(b"token='"),
    "a name and spaces": lambda size: b"token" + b" " * size,
    "names and spaces": repeat(b"token        "),
    "elements": repeat(b"token>"),
    "begins": repeat(b"-----BEGIN PRIVATE KEY-----"),
    "begins of lines": repeat(b"-----BEGIN PRIVATE KEY-----\nAAAA\n"),
    "ends": repeat(b"-----END PRIVATE KEY-----"),
    "body": lambda size: b"-----BEGIN PRIVATE KEY-----\n" + b"A" * size,
    "heads": repeat(b"eyJ-"),
    "heads and dots": repeat(b"eyJabcdefgh."),
    "prefixes": repeat(b"sk-ant-"),
    "numbers": repeat(b"123456789012345678-"),
    "lines": repeat(b"abcd1234\n"),
    "indented lines": repeat(b" " * 1000 + b"x1y2\n"),
    "lines of dashes": repeat(b"-" * 200 + b"x y\n"),
    "word": repeat(b"a"),
    "dashes": repeat(b"-"),
    "headers": repeat(b"Bearer "),
    "commands": repeat(b"curl -u a:b "),
    "escapes": repeat(b"\x1b["),
    "titles": repeat(b"\x1b]"),
    "strings of 8 bits": repeat(b"\xc2\x90"),
    "overstruck": repeat(b"a\x08"),
    "zeros": repeat(b"\0"),
    "UTF-16": repeat(b"a\0b\0"),
    "zero width": repeat(b"a\xe2\x80\x8b"),
    "backslashes": repeat(b"\\"),
    "percent": repeat(b"%41"),
    "entities": repeat(b"&#"),
    "base64": lambda size: base64.b64encode(random.Random(1).randbytes(size)),
    "base64 of text": lambda size: base64.b64encode(repeat(b"hello world, ")(size)),
    "base64 twice": lambda size: base64.b64encode(base64.b64encode(repeat(b"hello, ")(size))),
    "base64 in lines": lambda size: base64.encodebytes(random.Random(1).randbytes(size)),
    "hex": lambda size: random.Random(1).randbytes(size // 2).hex().encode(),
    "a dump": repeat(b"2d 2d "),
    "no dump": repeat(b"2d " * 17 + b"x"),
    "literals": repeat(b'"a" "b" '),
    "a literal and spaces": repeat(b'a"' + b" " * 400 + b"x"),
    "a literal and lines": repeat(b'a"\n' + b" " * 200 + b"\n" + b" " * 200 + b"x"),
    "kinds": repeat(b"kind: secret\n"),
    "manifests": repeat(b"kind: Secret\ndata:\n  a: bcdefgh\n"),
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE.keys())
def test_the_cost_is_linear_in_the_text(make: Callable[[int], bytes]) -> None:
    small, large = make(8_000), make(64_000)
    assert cpu_ratio(lambda: PLAIN.redact_bytes(small), lambda: PLAIN.redact_bytes(large)) < 8 * 4


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE.keys())
def test_what_is_read_out_of_a_text_is_a_few_times_its_length(
    make: Callable[[int], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each decoding and each joining of lines is another text to search."""
    searched = []

    def find_shapes(data: bytes) -> Iterator[Span]:
        searched.append(len(data))
        return iter(())

    monkeypatch.setattr(secret_search, "_find_shapes", find_shapes)
    hostile = make(64_000)
    PLAIN.redact_bytes(hostile)
    assert len(hostile) <= sum(searched) <= 8 * len(hostile)


def test_a_long_text_that_is_sent_again_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system prompt is part of every request of a conversation."""
    searched = []

    def find_secrets(data: bytes, known: frozenset[bytes]) -> Iterator[Span]:
        searched.append((data, known))
        return iter(())

    monkeypatch.setattr(redaction, "find_secrets", find_secrets)
    prompt = "You write commits. " * 100
    for _ in range(3):
        PLAIN.redact_text(prompt)
    assert searched == [(prompt.encode(), frozenset())]

    # What is known later is another redactor: it has seen no text yet.
    Redactor(frozenset({b"later"})).redact_text(prompt)
    assert searched[1:] == [(prompt.encode(), frozenset({b"later"}))]


ORIGINAL = f'NAME = "x"\nKEY = "{TOKENS["github"]}"\nAGAIN = "{TOKENS["github"]}"\n'.encode()


def test_an_edit_that_keeps_every_secret_is_taken() -> None:
    assert PLAIN.find_fault(ORIGINAL, ORIGINAL.replace(b"x", b"y")) is None


def test_a_file_that_comes_back_masked_is_refused() -> None:
    assert PLAIN.find_fault(ORIGINAL, PLAIN.redact_bytes(ORIGINAL)) == "it contains a masked secret"


def test_a_dropped_secret_is_refused() -> None:
    returned = b"".join(ORIGINAL.splitlines(keepends=True)[:2])
    assert PLAIN.find_fault(ORIGINAL, returned) == "it drops a secret that is in the file"


def test_a_secret_under_another_name_is_kept() -> None:
    original = b'password = "Tr0ub4dor&3"\n'
    assert PLAIN.find_fault(original, b'phrase = "Tr0ub4dor&3"\n') is None
    assert PLAIN.find_fault(original, b'phrase = "Tr0ub4dor&4"\n') is not None


def test_the_secrets_of_two_texts_are_compared_in_any_order() -> None:
    lines = [b'token_%d = "Tr0ub4dor&%d"\n' % (n, n) for n in range(500)]
    assert PLAIN.find_fault(b"".join(lines), b"".join(lines[::-1])) is None
    assert PLAIN.find_fault(b"".join(lines), b"".join(lines[1:])) is not None


@pytest.mark.parametrize(
    "secret",
    [
        f"\x1b[1m{TOKENS['github'][:9]}\x1b[0m{TOKENS['github'][9:]}",
        base64.b64encode(b"the key is " + TOKENS["aws"].encode()).decode(),
        TOKENS["npm"].encode().hex(),
        f'{TOKENS["gitlab"][:12]}" + "{TOKENS["gitlab"][12:]}',
        "".join(f"\\x{ord(char):02x}" for char in TOKENS["linear"]),
    ],
    ids=["escapes", "base64", "hex", "a sum of literals", "written escapes"],
)
def test_what_hides_a_secret_is_kept_or_the_file_is_refused(secret: str) -> None:
    original = f'KEY = "{secret}"\nx = 1\n'.encode()
    assert PLAIN.find_fault(original, original.replace(b"x = 1", b"x = 2")) is None
    assert PLAIN.find_fault(original, PLAIN.redact_bytes(original)) == "it contains a masked secret"
    clear = b'KEY = ""\nx = 1\n'
    assert PLAIN.find_fault(original, clear) == "it drops a secret that is in the file"


def test_a_mask_that_stood_there_before_is_no_fault() -> None:
    original = b"# shown as [masked secret ..Q9]\n"
    assert PLAIN.find_fault(original, original + b"x = 1\n") is None
    assert PLAIN.find_fault(b"", original) == "it contains a masked secret"


def test_a_random_secret_never_shows_more_than_two_characters() -> None:
    chance = random.Random(5)
    for _ in range(200):
        secret = "".join(chance.choices(string.ascii_letters + string.digits, k=40))
        redactor = Redactor(secrets_in({"X_SECRET": secret}))
        masked = redactor.redact_text(f"a {secret} b {secret[:20]}\n  {secret[20:]}")
        assert not any(secret[at : at + 3] in masked for at in range(38))


def test_a_secret_inside_a_longer_one_shows_nothing_of_it() -> None:
    redactor = Redactor(frozenset({b"outer-hunter2-hunter2-outer", b"hunter2-hunter2"}))
    assert redactor.redact_text("x outer-hunter2-hunter2-outer y") == "x [masked secret ..er] y"


def test_the_end_of_a_line_of_windows_is_no_part_of_a_secret() -> None:
    redactor = Redactor(frozenset({b"hunter2-hunter2\r"}))
    assert redactor.redact_bytes(b"hunter2-hunter2\r\n") == b"[masked secret ..r2]\n"
