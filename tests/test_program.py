"""How tests run the program in their own process."""

import signal
from pathlib import Path

import pytest

from tests.program import retcon_here


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_ends_the_tests_and_is_no_result_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    place = "git_retcon.retcon.rebuild.command.open_repository"
    monkeypatch.setattr(place, lambda *_: signal.raise_signal(number))
    with pytest.raises(KeyboardInterrupt):
        retcon_here(tmp_path, "history.toml")
