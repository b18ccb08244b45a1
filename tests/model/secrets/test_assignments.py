"""A value is a secret where its name says so, in each language's way of giving it."""

import pytest

from git_retcon.model.secrets.assignments import find_assignments

VALUE = "h8Jk2Lm9Qr4Tx7Vz"


@pytest.mark.parametrize(
    "text",
    [
        f'token = "{VALUE}"',
        f"TOKEN={VALUE}",
        f"apiKey: {VALUE}",
        f'"client_secret": "{VALUE}"',
        f'\\"client_secret\\": \\"{VALUE}\\"',
        f'var authToken string = "{VALUE}"',
        f'token: str = "{VALUE}"',
        f"token := `{VALUE}`",
        f"TOKEN ::= {VALUE}",
        f"TOKEN :::= {VALUE}",
        f"TOKEN ?= {VALUE}",
        f'$token .= "{VALUE}"',
        f'"token" => "{VALUE}"',
        f"<token>\n    {VALUE}\n</token>",
        f'setProperty("API_TOKEN", "{VALUE}")',
        f'<add key="Password" value="{VALUE}" />',
        f"password {VALUE}",
        f"credentials:\n  {VALUE}",
        f"SONAR_LOGIN={VALUE}",
    ],
)
def test_the_value_is_found_and_no_more(text: str) -> None:
    data = text.encode()
    (span,) = set(find_assignments(data)) or {(0, 0)}
    assert data[slice(*span)] == VALUE.encode()


@pytest.mark.parametrize(
    "text",
    [
        "token = parse(h8Jk2Lm9Qr4Tx7Vz(1))",
        'token = "https://example.com/a1b2c3d4"',
        'tokens: "npm:^10.0.0"',
        'print("One-time password:",required.toString(),a)',
        "token = next_token_of_line",
        "<token>word_of_it</token>",
    ],
)
def test_code_is_not(text: str) -> None:
    assert list(find_assignments(text.encode())) == []
