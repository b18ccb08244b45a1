"""The command line of ``git retcon``: what is refused, and what is said to do next."""

from pathlib import Path

from tests.program import retcon


def test_a_misspelled_command_is_told_from_a_spec(tmp_path: Path) -> None:
    done = retcon(tmp_path, "statsu")
    assert (done.status, done.out) == (129, "")
    assert done.err == (
        "error: 'statsu' is neither a command nor a file\nhint: did you mean 'git retcon status'?\n"
    )


def test_options_before_a_command_are_told_where_they_go(tmp_path: Path) -> None:
    done = retcon(tmp_path, "--json", "status")
    assert done.status == 129
    assert done.err == (
        "error: options of 'status' come after it\nhint: write 'git retcon status …' instead\n"
    )


def test_a_spec_may_be_called_nearly_as_a_command(tmp_path: Path) -> None:
    (tmp_path / "statsu").write_text("")
    done = retcon(tmp_path, "statsu")
    assert "not a git repository" in done.err


def test_a_wrong_option_shows_the_usage_as_it_is_typed(tmp_path: Path) -> None:
    done = retcon(tmp_path, "status", "--jsno")
    assert done.status == 129
    assert done.err.startswith("error: no such option '--jsno'")
    assert "\nUsage: git retcon status [OPTIONS] [SPEC]\n" in done.err
    assert done.err.endswith("hint: 'git retcon status -h' lists the options\n")


def test_advice_can_be_switched_off(tmp_path: Path) -> None:
    for arguments in (["--jsno"], ["statsu"], ["missing.toml"]):
        assert "hint:" in retcon(tmp_path, *arguments).err
        assert "hint:" not in retcon(tmp_path, *arguments, env={"GIT_ADVICE": "0"}).err
