"""What people see of a run."""

import pytest

from git_retcon.allium.evolve import events
from git_retcon.allium.evolve.terminal import Terminal
from git_retcon.options import Output
from git_retcon.show.events import EngineChosen, Warned

Captured = pytest.CaptureFixture[str]
OID = "0123456789" * 4
STEP = events.StepDescribed(OID, "Add \x1b[31morders", OID, "trunk-0", ("shop.allium",), 1)


def show(capsys: Captured, output: Output, *told: events.EvolveEvent) -> list[str]:
    terminal = Terminal(output, lambda _: None)
    for event in told:
        terminal(event)
    terminal.end_line()
    return capsys.readouterr().err.splitlines()


def test_a_run_is_its_first_and_its_last_lines(capsys: Captured) -> None:
    assert show(
        capsys,
        Output(),
        EngineChosen("offline", "offline (no model is asked)", "set a key"),
        events.HistoryRead(2, 1, "allium/evolution"),
        STEP,
        events.Saved(2, OID),
        events.Finished(2, OID, 1, 57, ("2 files read",), 1.5),
    ) == [
        "Engine: offline (no model is asked)",
        "hint: set a key",
        "2 commits to describe in 1 segment, onto 'allium/evolution'",
        "2 commits described, $1.50: 1 module, 57 tokens",
        "2 files read",
    ]


def test_a_run_with_nothing_to_describe_names_no_segments(capsys: Captured) -> None:
    assert show(capsys, Output(), events.HistoryRead(0, 0, "allium/evolution")) == [
        "0 commits to describe, onto 'allium/evolution'"
    ]


def test_steps_have_lines_of_their_own_when_asked_for(capsys: Captured) -> None:
    assert show(capsys, Output(verbose=True), STEP) == [
        "012345678901 Add \\x1b[31morders (1 module)"
    ]


def test_an_incomplete_step_and_a_warning_are_always_reported(
    capsys: Captured,
) -> None:
    step = events.StepDescribed(OID, "Add", OID, "trunk-0", (), 1, 0.1, "no answer")
    assert show(capsys, Output(), step, Warned("mind", "do")) == [
        "incomplete: 012345678901 Add: no answer",
        "warning: mind",
        "hint: do",
    ]
