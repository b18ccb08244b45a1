"""The bench of kills finds nothing wrong where nothing is, and something where something is."""

from pathlib import Path

import pytest

from tests.bench.killed_programs import PROGRAMS, Program
from tests.bench.kills import Bench
from tests.bench.system_calls import Fault

_SMALL = [program for program in PROGRAMS if program.name.endswith((" adopt", " resolve", " edit"))]


@pytest.mark.slow
@pytest.mark.usefixtures("kept_environment")
@pytest.mark.parametrize("program", _SMALL, ids=lambda program: program.name)
def test_a_command_that_met_a_fault_goes_on(program: Program, tmp_path: Path) -> None:
    bench = Bench(program, tmp_path)
    for fault in Fault:
        trials = list(bench.disturb(fault, len(bench.calls) // 2, 1))
        assert trials
        assert [trial.wrong for trial in trials] == [""] * len(trials)


@pytest.mark.slow
@pytest.mark.usefixtures("kept_environment")
def test_what_is_done_twice_is_seen(tmp_path: Path) -> None:
    program = next(program for program in PROGRAMS if program.name.endswith(" resolve"))

    def run_twice_as_much(top: Path) -> int:
        with (top / "repo/README.md").open("a") as work:
            work.write("once\n")
        return program.run(top)

    bench = Bench(program._replace(run=run_twice_as_much), tmp_path)
    half = len(bench.calls) // 2
    trials = list(bench.disturb(Fault.KILL, half, half - 1))
    assert ["contents" in trial.wrong for trial in trials] == [True] * len(trials)
    assert trials
