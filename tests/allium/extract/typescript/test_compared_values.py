"""What a class compares a field with."""

import pytest

from git_retcon.allium.extract.typescript.compared_values import is_compared, list_compared

STATE = r"\bthis\s*\.\s*state\b"


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("if (this.state === 'open') {}", ["'open'"]),
        ('return "idle" != this . state;', ['"idle"']),
        ("if (State.OPEN === this.state && this.state !== DONE) {}", ["DONE", "State.OPEN"]),
        ("if (['new', IDLE].includes(this.state)) {}", ["'new'", "IDLE"]),
        ("if ([Phase.A, Phase.B].indexOf( this.state ) < 0) {}", ["Phase.A", "Phase.B"]),
        ("if (this.isOpen() === this.state) {}", []),
        ("this.state = 'open';", []),
        ("if (this.stateful === 'open') {}", []),
        ("const long = A\n" + " " * 300 + "=== this.state", []),
    ],
)
def test_texts_and_names_on_either_side_are_found(text: str, compared: list[str]) -> None:
    assert list_compared(STATE, text) == compared
    assert is_compared(STATE, text) == bool(compared)


def test_a_switch_asks_too() -> None:
    assert is_compared(STATE, "switch (this.state) { case 'open': break; }")
    assert not is_compared(STATE, "switch (this.mode) { case 'open': break; }")
