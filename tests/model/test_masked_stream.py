"""However a stream is split, what is passed on is what the whole would be, masked."""

import base64
import random

from hypothesis import example, given
from hypothesis import strategies as st

from git_retcon.model.known_secrets import secrets_in
from git_retcon.model.masked_stream import MaskedStream, StreamLimits
from git_retcon.model.redaction import Redactor

KNOWN = "quiet-" + "Little-7-secret-9xQ"
_BODY = base64.b64encode(random.Random(1).randbytes(288)).decode()
PEM = "\n".join(
    [
        "-----BEGIN " + "PRIVATE KEY-----",
        *(_BODY[at : at + 64] for at in range(0, len(_BODY), 64)),
        "-----END " + "PRIVATE KEY-----",
    ]
)
MASK = Redactor(secrets_in({"MY_TOKEN": KNOWN})).redact_bytes
LIMITS = StreamLimits(block=256, overlap=1024, most=1 << 20)
SECRETS = (
    KNOWN, f"{KNOWN[:11]}\n{KNOWN[11:]}", "ghp_" + "a1B2c3" * 6, PEM,
    'password = "' + "hK3-vv9" + 'Qq81-xW2"', base64.b64encode(PEM.encode()).decode(),
)  # fmt: skip
PIECES = st.one_of(
    st.sampled_from([f"{each}\n" for each in SECRETS]),
    st.sampled_from(["a line of a build\n", "x = 1; ", "\n", "tests/a.py ..... [ 10%]\r\n"]),
)


def pass_on(text: bytes, sizes: list[int], limits: StreamLimits) -> bytes:
    """All that is passed on of a text that comes in pieces of these sizes, over and over."""
    passed: list[bytes] = []
    stream = MaskedStream(MASK, passed.append, limits)
    at = turn = 0
    while at < len(text):
        size = sizes[turn % len(sizes)]
        stream.add(text[at : at + size])
        at, turn = at + size, turn + 1
    stream.end()
    return b"".join(passed)


@given(st.lists(PIECES, max_size=40), st.lists(st.integers(1, 700), min_size=1, max_size=9))
@example(["x = 1; "] * 220 + [f"{KNOWN}\n"] + ["a line of a build\n"] * 80, [1])
@example(["a line of a build\n"] * 60 + [f"{PEM}\n"] + ["a line of a build\n"] * 90, [64])
def test_any_split_of_a_stream_masks_the_same(pieces: list[str], sizes: list[int]) -> None:
    text = "".join(pieces).encode()
    assert pass_on(text, sizes, LIMITS) == MASK(text)


def test_what_is_seen_before_it_is_passed_on_is_masked_too() -> None:
    seen: list[bytes] = []
    stream = MaskedStream(MASK, lambda data: None, LIMITS)
    for byte in f"first\n{PEM}\n{KNOWN}\nlast\n".encode():
        stream.add(bytes([byte]))
        if byte == 10:
            seen.append(stream.peek())
    assert KNOWN.encode() not in b"".join(seen)
    assert not [line for line in PEM.splitlines()[1:-1] if line.encode() in b"".join(seen)]
    assert seen[-1].endswith(b"]\nlast\n")


def test_a_stream_that_is_one_endless_secret_is_not_held_for_ever() -> None:
    passed: list[bytes] = []
    limits = LIMITS._replace(most=8192)
    stream = MaskedStream(MASK, passed.append, limits)
    stream.add(b"-----BEGIN " + b"PRIVATE KEY-----\n")
    for _ in range(400):
        stream.add(_BODY[:64].encode() + b"\n")
    assert passed
