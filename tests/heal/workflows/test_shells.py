import subprocess
from pathlib import Path

import pytest

from git_retcon.heal.workflows.shells import (
    DEFAULT,
    WITHOUT_BASH,
    BadShell,
    choose_default,
    read_shell,
)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("bash", "bash --noprofile --norc -e -o pipefail /x/s"),
        ("Bash", "bash --noprofile --norc -e -o pipefail /x/s"),
        ("sh", "sh -e /x/s"),
        ("python", "python /x/s"),
        ("pwsh", "pwsh -command . '/x/s'"),
        ("bash -l {0}", "bash -l /x/s"),
        ("perl -T '{0}'", "perl -T /x/s"),
        ("env A={0} node {0}", "env A=/x/s node /x/s"),
    ],
)
def test_a_script_is_run_by_the_command_line_that_github_documents(text: str, command: str) -> None:
    assert " ".join(read_shell(text).command("/x/s")) == command


@pytest.mark.parametrize(
    ("text", "suffix"), [("bash", ".sh"), ("python", ".py"), ("bash -l {0}", ".sh"), ("R {0}", "")]
)
def test_a_script_has_the_ending_of_its_language(text: str, suffix: str) -> None:
    assert read_shell(text).suffix == suffix


@pytest.mark.parametrize("text", ["zsh", "bash -l", "perl 'x {0}", ""])
def test_another_shell_needs_a_place_for_the_script(text: str) -> None:
    with pytest.raises(BadShell, match="Invalid shell option"):
        read_shell(text)


def test_only_shells_of_windows_are_for_windows() -> None:
    assert [name for name in ("bash", "cmd", "powershell", "pwsh", "python", "sh")
            if read_shell(name).is_windows_only] == ["cmd", "powershell"]  # fmt: skip


def test_only_shells_of_this_family_are_read_for_commands() -> None:
    assert read_shell("/bin/dash {0}").is_posix
    assert read_shell("sh").is_posix
    assert not read_shell("python").is_posix


def test_a_step_that_names_no_shell_runs_where_there_is_no_bash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert choose_default() == DEFAULT
    monkeypatch.setenv("PATH", str(tmp_path))
    assert choose_default() == WITHOUT_BASH


@pytest.mark.parametrize(
    ("shell", "script", "status"),
    [
        (DEFAULT, "false\ntrue", 1),
        (DEFAULT, "false | true", 0),
        (WITHOUT_BASH, "false\ntrue", 1),
        (read_shell("bash"), "false | true", 1),
        (read_shell("sh"), "false | true", 0),
    ],
)
def test_only_bash_by_its_name_fails_within_a_pipe(
    shell: object, script: str, status: int, tmp_path: Path
) -> None:
    path = tmp_path / "script"
    path.write_text(script)
    assert hasattr(shell, "command")
    done = subprocess.run(shell.command(str(path)), check=False)
    assert done.returncode == status


def test_which_shells_read_the_profiles() -> None:
    login = ("bash -l {0}", "bash -el {0}", "/bin/bash --login {0}", "sh -l {0}")
    assert all(read_shell(text).is_login for text in login)
    other = ("bash", "bash -eo pipefail {0}", "perl -l {0}", "bash -e {0} -o nolog")
    assert not any(read_shell(text).is_login for text in other)
