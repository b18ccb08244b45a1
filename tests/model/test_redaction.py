"""Secrets are masked, ordinary text is not, and a masked file comes back whole or not at all."""

import random
import string
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_retcon.model.known_secrets import secrets_in
from git_retcon.model.redaction import Redactor
from tests.model.test_secret_shapes import PLAIN, TOKENS

# Put together here, so that no scanner takes this file for a leak.


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


HOSTILE = {
    "urls": b"://a:" * 200_000,
    "names": b"token=" * 160_000,
    "quotes": b"token='" * 140_000,
    "begins": b"-----BEGIN PRIVATE KEY-----" * 40_000,
    "ends": b"-----END PRIVATE KEY-----" * 40_000,
    "dots": b"eyJ" * 330_000,
    "lines": b"abcd1234\n" * 110_000,
    "spaces": b"token" + b" " * 1_000_000,
    "word": b"a" * 1_000_000,
    "bearer": b"Bearer " * 140_000,
    "indent": (b" " * 1000 + b"x1y2\n") * 1000,
    "dashes": b"-" * 1_000_000,
    "pem body": b"-----BEGIN PRIVATE KEY-----\n" + b"A" * 1_000_000,
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_is_linear_in_the_text(data: bytes) -> None:
    def seconds(size: int) -> float:
        began = time.process_time()
        PLAIN.redact_bytes(data[:size])
        return time.process_time() - began

    small = max(min(seconds(len(data) // 8) for _ in range(3)), 0.004)
    assert seconds(len(data)) < 8 * small * 4




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


def test_a_file_of_many_secrets_is_judged_in_linear_time() -> None:
    lines = [b'token_%d = "Tr0ub4dor&%d"\n' % (n, n) for n in range(20_000)]
    began = time.process_time()
    assert PLAIN.find_fault(b"".join(lines), b"".join(lines[::-1])) is None
    assert PLAIN.find_fault(b"".join(lines), b"".join(lines[1:])) is not None
    assert time.process_time() - began < 8


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
