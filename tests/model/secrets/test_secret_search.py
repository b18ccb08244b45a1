"""Secrets are known by their looks, and ordinary code is not taken for one."""

import itertools

import pytest

from git_retcon.model.redaction import Redactor, contains_mask
from git_retcon.model.secrets.secret_search import SHARED, WINDOW, list_windows
from tests.model.secrets.samples import MIXED, PEM, PEM_BODY, TOKENS

PLAIN = Redactor()


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS.keys())
@pytest.mark.parametrize("around", ["{}", "x = '{}'", "+key: {}\n", "({})", "a,{},b", "é{}é"])
def test_a_token_shows_its_last_two_characters_only(token: str, around: str) -> None:
    masked = PLAIN.redact_text(around.format(token))
    assert masked == around.format(f"[masked secret ..{token[-2:]}]")
    assert contains_mask(masked)


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ('password = "Tr0ub4dor&3"', "Tr0ub4dor&3"),
        ("DB_PASSWORD=Zk39vQ81mTz7Wd20", "Zk39vQ81mTz7Wd20"),
        ('"client_secret": "9f8e7d6c5b4a39281706f5e4d3c2b1a0"', "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
        ("api_key: 'd41d8cd98f00b204e9800998ecf8427e'", "d41d8cd98f00b204e9800998ecf8427e"),
        ("const apiKey = `k3Yz.81-Qw04mN77pL`", "k3Yz.81-Qw04mN77pL"),
        (f'aws_secret_access_key = "{MIXED}"', MIXED),
        ('token: str = "h8Jk2Lm9Qr4Tx7Vz"', "h8Jk2Lm9Qr4Tx7Vz"),
        ("secrets['accessToken'] = 'h8Jk2Lm9Qr4Tx7Vz'", "h8Jk2Lm9Qr4Tx7Vz"),
        ("Authorization: Bearer h8Jk2Lm9Qr4Tx7Vz3", "h8Jk2Lm9Qr4Tx7Vz3"),
        ("//registry.example.com/:_authToken=h8Jk2Lm9Qr4Tx7Vz", "h8Jk2Lm9Qr4Tx7Vz"),
        ("git clone https://ada:s3cr3t-pass@example.com/x.git", "s3cr3t-pass"),
        ("postgres://app:hunter2@db/prod", "hunter2"),
        (f"https://{MIXED}:x-oauth-basic@github.com", MIXED),
        ("machine x login ada password h8Jk2Lm9Qr4Tx7Vz", "h8Jk2Lm9Qr4Tx7Vz"),
        ("password: >-\n  h8Jk2Lm9Qr4Tx7Vz", "h8Jk2Lm9Qr4Tx7Vz"),
        ('token = (\n+    "h8Jk2Lm9Qr4Tx7Vz"\n+)', "h8Jk2Lm9Qr4Tx7Vz"),
        ('password = "Pa$$w0rd-{x"', "Pa$$w0rd-{x"),
        ("mysql://root:p%40ssw0rd!@db", "p%40ssw0rd!"),
        ('{"line": "a\\nghp_' + MIXED[:36] + '"}', "ghp_" + MIXED[:36]),
        ("https://hooks.slack.com/services/T0/B0/abcDEF123456789012", "abcDEF123456789012"),
    ],
)
def test_a_secret_given_to_a_telling_name_is_masked(line: str, secret: str) -> None:
    masked = PLAIN.redact_text(line)
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
    assert PLAIN.redact_text(line) == line


def test_a_private_key_is_masked_line_by_line() -> None:
    diff = "".join(f"+{line}\n" for line in ["before", *PEM.split("\n"), "after"])
    masked = PLAIN.redact_text(diff)
    assert masked.count("\n") == diff.count("\n")
    assert masked.startswith("+before\n+[masked secret ")
    assert masked.endswith("]\n+after\n")
    assert not any(line in masked for line in PEM.split("\n"))


def test_a_private_key_without_its_end_is_masked() -> None:
    masked = PLAIN.redact_text(PEM.rpartition("\n")[0] + "\n\nThe text: goes on (here).")
    assert PEM_BODY[-30:] not in masked
    assert "goes on (here)." in masked


def test_a_private_key_in_a_string_is_masked() -> None:
    line = '"private_key": "' + PEM.replace("\n", "\\n") + '\\n", "id": 1'
    masked = PLAIN.redact_text(line)
    assert PEM_BODY[:40] not in masked
    assert '"id": 1' in masked


def test_windows_share_more_than_the_longest_secret() -> None:
    windows = list(list_windows(5 * WINDOW + 7))
    assert windows[0][0] == 0 and windows[-1][1] == 5 * WINDOW + 7
    for (_, end), (start, _) in itertools.pairwise(windows):
        assert end - start == SHARED
    assert list(list_windows(0)) == [(0, 0)]


@pytest.mark.slow
@pytest.mark.parametrize("back", [1, 20, 700, SHARED - 5])
def test_a_secret_across_the_end_of_a_window_is_masked(back: int) -> None:
    lines = b"a line of text\n" * (WINDOW // 14)
    for place in (WINDOW, WINDOW + SHARED):
        before = lines[: place - back] + b"\n"
        masked = PLAIN.redact_bytes(before + PEM.encode() + b"\n" + TOKENS["aws"].encode() + lines)
        assert masked.startswith(before + b"[masked secret ..--]\n")
        assert masked.endswith(b"[masked secret ..%s]" % TOKENS["aws"][-2:].encode() + lines)
        assert b"PRIVATE KEY" not in masked and PEM_BODY[-40:].encode() not in masked
