"""Secrets are masked, ordinary text is not, and a masked file comes back whole or not at all."""

import base64
import random
import string
import textwrap
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_retcon.model.known_secrets import is_secret_name, secrets_in
from git_retcon.model.redaction import Redactor, contains_mask

# Put together here, so that no scanner takes this file for a leak.
_MIXED = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
TOKENS = {
    "anthropic": "sk-ant-api03-" + _MIXED * 2 + "-AA",
    "openai": "sk-" + _MIXED + "abcd1234",
    "openai project": "sk-proj-" + _MIXED,
    "aws": "AKIA" + "Z7Q3M5K2X9C4V6B8",
    "github": "ghp_" + _MIXED[:36],
    "github app": "ghs_" + _MIXED[:36],
    "github fine-grained": "github_pat_" + _MIXED[:22] + "_" + _MIXED[:36],
    "gitlab": "glpat-" + _MIXED[:20],
    "slack": "xoxb-" + "123456789012-abcdefGHIJ",
    "slack app": "xapp-1-" + "A0123456789-0123456789",
    "google": "AIza" + _MIXED[:35],
    "google oauth": "ya29." + _MIXED,
    "stripe": "sk_live_" + _MIXED[:24],
    "stripe webhook": "whsec_" + _MIXED[:32],
    "npm": "npm_" + _MIXED[:36],
    "pypi": "pypi-AgEIcHlwaS5vcmc" + _MIXED,
    "hugging face": "hf_" + _MIXED[:34],
    "jwt": "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0." + _MIXED,
}
PEM_BODY = "\n".join(textwrap.wrap(base64.b64encode(bytes(range(256))).decode(), 64))
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{PEM_BODY}\n-----END RSA PRIVATE KEY-----"
PLAIN = Redactor()


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS.keys())
@pytest.mark.parametrize("around", ["{}", "x = '{}'", "+key: {}\n", "({})", "a,{},b", "é{}é"])
def test_a_token_shows_its_last_two_characters_only(token: str, around: str) -> None:
    masked = PLAIN.text(around.format(token))
    assert masked == around.format(f"[masked secret ..{token[-2:]}]")
    assert contains_mask(masked)


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS.keys())
@pytest.mark.parametrize("seam", ["\n", "\r\n", '"\n    "', "\n+", " \\\n  ", "\n# "])
def test_a_token_broken_over_two_lines_is_masked(token: str, seam: str) -> None:
    half = len(token) // 2 + 3
    first, rest = token[:half], token[half:]
    masked = PLAIN.text(f"key = '{first}{seam}{rest}'\nnext line\n")
    assert rest not in masked
    assert first not in masked
    assert masked.count("\n") == seam.count("\n") + 2
    assert masked.endswith("\nnext line\n")


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ('password = "Tr0ub4dor&3"', "Tr0ub4dor&3"),
        ("DB_PASSWORD=Zk39vQ81mTz7Wd20", "Zk39vQ81mTz7Wd20"),
        ('"client_secret": "9f8e7d6c5b4a39281706f5e4d3c2b1a0"', "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
        ("api_key: 'd41d8cd98f00b204e9800998ecf8427e'", "d41d8cd98f00b204e9800998ecf8427e"),
        ("const apiKey = `k3Yz.81-Qw04mN77pL`", "k3Yz.81-Qw04mN77pL"),
        (f'aws_secret_access_key = "{_MIXED}"', _MIXED),
        ('token: str = "h8Jk2Lm9Qr4Tx7Vz"', "h8Jk2Lm9Qr4Tx7Vz"),
        ("secrets['accessToken'] = 'h8Jk2Lm9Qr4Tx7Vz'", "h8Jk2Lm9Qr4Tx7Vz"),
        ("Authorization: Bearer h8Jk2Lm9Qr4Tx7Vz3", "h8Jk2Lm9Qr4Tx7Vz3"),
        ("//registry.example.com/:_authToken=h8Jk2Lm9Qr4Tx7Vz", "h8Jk2Lm9Qr4Tx7Vz"),
        ("git clone https://ada:s3cr3t-pass@example.com/x.git", "s3cr3t-pass"),
        ("postgres://app:hunter2@db/prod", "hunter2"),
        (f"https://{_MIXED}:x-oauth-basic@github.com", _MIXED),
        ("machine x login ada password h8Jk2Lm9Qr4Tx7Vz", "h8Jk2Lm9Qr4Tx7Vz"),
        ("password: >-\n  h8Jk2Lm9Qr4Tx7Vz", "h8Jk2Lm9Qr4Tx7Vz"),
        ('token = (\n+    "h8Jk2Lm9Qr4Tx7Vz"\n+)', "h8Jk2Lm9Qr4Tx7Vz"),
        ('password = "Pa$$w0rd-{x"', "Pa$$w0rd-{x"),
        ("mysql://root:p%40ssw0rd!@db", "p%40ssw0rd!"),
        ('{"line": "a\\nghp_' + _MIXED[:36] + '"}', "ghp_" + _MIXED[:36]),
        ("https://hooks.slack.com/services/T0/B0/abcDEF123456789012", "abcDEF123456789012"),
    ],
)
def test_a_secret_given_to_a_telling_name_is_masked(line: str, secret: str) -> None:
    masked = PLAIN.text(line)
    assert secret not in masked
    assert secret[-2:] in masked
    assert masked[:6] == line[:6]


@pytest.mark.parametrize(
    "line",
    [
        "token = parse_token(line)",
        "self.token = tokens[index].next_token",
        'token_type = "access_token"',
        "tokens = tokenizer.encode(text, max_tokens=2048)",
        'password = os.environ["DATABASE_PASSWORD"]',
        "password: ${DB_PASSWORD}",
        "if password == confirmation_password:",
        'raise ValueError("the secret must not be empty")',
        "https://example.com:8080/path@v1",
        "https://user:${TOKEN}@example.com",
        r"TOKEN = r'[0-9]+[eE][+-]?[0-9]+'",
        r'TOKEN_REF = "[A-Z]\w*(?:\d+)"',
        "see https://user:password@example.com:8080/",
        "the token must be passed as a parameter, the secret as another",
        "password:\n  description: what the user types",
        "git@github.com:ada/engine.git",
        "sk-learn-is-written-scikit-learn-really",
        "commit 9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c",
        "index 1b2c3d4..5e6f7a8 100644",
        'sha256 = "9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0"',
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQ\n-----END PUBLIC KEY-----",
        "def secret_santa(people: list[str]) -> dict[str, str]:",
        "auth = HTTPBasicAuth(username, password)",
        "API_KEY_HEADER = 'X-Api-Key'",
        "password=None, token=False, secret=''",
        "const tokenValue = this.getTokenValue()",
        "class TokenKind(Enum): IDENTIFIER = 1",
    ],
)
def test_ordinary_code_stays_as_it_is(line: str) -> None:
    assert PLAIN.text(line) == line


def test_a_private_key_is_masked_line_by_line() -> None:
    diff = "".join(f"+{line}\n" for line in ["before", *PEM.split("\n"), "after"])
    masked = PLAIN.text(diff)
    assert masked.count("\n") == diff.count("\n")
    assert masked.startswith("+before\n+[masked secret ")
    assert masked.endswith("]\n+after\n")
    assert not any(line in masked for line in PEM.split("\n"))


def test_a_private_key_without_its_end_is_masked() -> None:
    masked = PLAIN.text(PEM.rpartition("\n")[0] + "\n\nThe text: goes on (here).")
    assert PEM_BODY[-30:] not in masked
    assert "goes on (here)." in masked


def test_a_private_key_in_a_string_is_masked() -> None:
    line = '"private_key": "' + PEM.replace("\n", "\\n") + '\\n", "id": 1'
    masked = PLAIN.text(line)
    assert PEM_BODY[:40] not in masked
    assert '"id": 1' in masked


def test_known_values_are_masked_in_every_form() -> None:
    secret = "correct horse/battery?staple"
    redactor = Redactor(secrets_in({"MY_TOKEN": secret, "EDITOR": "vim -u NONE --clean"}))
    encoded = base64.b64encode(secret.encode()).decode().rstrip("=")
    text = f"{secret} correct%20horse%2Fbattery%3Fstaple {encoded} vim -u NONE --clean"
    masked = redactor.text(text)
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
        left = redactor.data(b"Authorization " + coded).partition(b"[masked secret")
        assert left[1]
        assert len(left[0] + left[2]) < len(b"Authorization  ..xx]") + 16


def test_a_known_value_is_masked_across_lines() -> None:
    redactor = Redactor(secrets_in({"PASSWORD": "mothersmaidenname"}))
    assert redactor.text("+ moth\n+ ersmaid\n+ enname\nx") == (
        "+ [masked secret ..th]\n+ [masked secret ..id]\n+ [masked secret ..me]\nx"
    )


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


def test_bytes_of_any_kind_pass() -> None:
    token = TOKENS["github"].encode()
    data = b"\xff\xfe\0 " + token + b" \x80"
    assert PLAIN.data(data) == b"\xff\xfe\0 [masked secret ..%s] \x80" % token[-2:]


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(sorted(TOKENS.values())), st.binary(max_size=200))
@example(b"password = '", TOKENS["jwt"], b"'")
def test_masking_is_idempotent_and_keeps_line_breaks(
    before: bytes, token: str, after: bytes
) -> None:
    once = PLAIN.data(before + b" " + token.encode() + b" " + after)
    assert token.encode() not in once
    assert PLAIN.data(once) == once
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
    masked = Redactor(secrets_in({"MY_SECRET": secret})).text(f"before\nx = {broken}\ny\n")
    assert not any(piece in masked for piece in pieces)
    assert masked.startswith("before\nx = [masked secret ..")
    assert masked.endswith("]\ny\n")
    assert masked.count("\n") == broken.count("\n") + 3


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_text_without_secrets_is_the_same_object_or_equal(text: str) -> None:
    if not PLAIN.secrets(text.encode("utf-8", "surrogatepass")):
        assert PLAIN.text(text) == text


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
        PLAIN.data(data[:size])
        return time.process_time() - began

    small = max(min(seconds(len(data) // 8) for _ in range(3)), 0.004)
    assert seconds(len(data)) < 8 * small * 4


def test_source_code_goes_fast() -> None:
    source = b"".join(path.read_bytes() for path in Path("git_retcon").rglob("*.py"))
    data = (source * (2_000_000 // len(source) + 1))[:2_000_000]
    began = time.process_time()
    PLAIN.data(data)
    assert time.process_time() - began < 4


ORIGINAL = f'NAME = "x"\nKEY = "{TOKENS["github"]}"\nAGAIN = "{TOKENS["github"]}"\n'.encode()


def test_an_edit_that_keeps_every_secret_is_taken() -> None:
    assert PLAIN.judge(ORIGINAL, ORIGINAL.replace(b"x", b"y")) is None


def test_a_file_that_comes_back_masked_is_refused() -> None:
    assert PLAIN.judge(ORIGINAL, PLAIN.data(ORIGINAL)) == "it contains a masked secret"


def test_a_dropped_secret_is_refused() -> None:
    returned = b"".join(ORIGINAL.splitlines(keepends=True)[:2])
    assert PLAIN.judge(ORIGINAL, returned) == "it drops a secret that stands in the file"


def test_a_secret_under_another_name_is_kept() -> None:
    original = b'password = "Tr0ub4dor&3"\n'
    assert PLAIN.judge(original, b'phrase = "Tr0ub4dor&3"\n') is None
    assert PLAIN.judge(original, b'phrase = "Tr0ub4dor&4"\n') is not None


def test_a_file_of_many_secrets_is_judged_in_linear_time() -> None:
    lines = [b'token_%d = "Tr0ub4dor&%d"\n' % (n, n) for n in range(20_000)]
    began = time.process_time()
    assert PLAIN.judge(b"".join(lines), b"".join(lines[::-1])) is None
    assert PLAIN.judge(b"".join(lines), b"".join(lines[1:])) is not None
    assert time.process_time() - began < 8


def test_a_mask_that_stood_there_before_is_no_fault() -> None:
    original = b"# shown as [masked secret ..Q9]\n"
    assert PLAIN.judge(original, original + b"x = 1\n") is None
    assert PLAIN.judge(b"", original) == "it contains a masked secret"


def test_a_random_secret_never_shows_more_than_two_characters() -> None:
    chance = random.Random(5)
    for _ in range(200):
        secret = "".join(chance.choices(string.ascii_letters + string.digits, k=40))
        redactor = Redactor(secrets_in({"X_SECRET": secret}))
        masked = redactor.text(f"a {secret} b {secret[:20]}\n  {secret[20:]}")
        assert not any(secret[at : at + 3] in masked for at in range(38))
