"""Completion in real shells: both spellings, every option, files, and no program run."""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
import pexpect
import pytest

from git_retcon.commands.code_commit import cli

COMPLETIONS = Path(__file__).parents[1] / "completions"
COMMANDS = sorted(cli.commands)
_GIT_COMPLETION = (
    "/usr/share/bash-completion/completions/git",
    "/usr/share/git/completion/git-completion.bash",
    "/usr/local/etc/bash_completion.d/git-completion.bash",
    "/opt/homebrew/etc/bash_completion.d/git-completion.bash",
)
# git's own way to test completion (t9902): no terminal, its main function called as readline does
_AS_READLINE = """
_get_comp_words_by_ref() {
    while [ $# -gt 0 ]; do
        case $1 in
        cur) cur=${_words[_cword]} ;;
        prev) prev=${_words[_cword-1]} ;;
        words) words=("${_words[@]}") ;;
        cword) cword=$_cword ;;
        esac
        shift
    done
}
_words=("$@")
_cword=$(($# - 1))
__git_wrap__git_main
printf '%s\\n' "${COMPREPLY[@]}"
"""


@dataclass(frozen=True)
class Desk:
    """A folder with files and others, and a PATH whose git-code-commit tells when it is run."""

    folder: Path
    path: str
    ran: Path


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    folder = tmp_path / "desk"
    for name in ("answer.txt", "sub/inner.toml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("text\n")
    (folder / "pyproject.toml").write_text("[project]\n")
    programs, ran = tmp_path / "programs", tmp_path / "ran"
    programs.mkdir()
    (programs / "git-code-commit").write_text(f"#!/bin/sh\necho \"$@\" >>'{ran}'\n")
    (programs / "git-code-commit").chmod(0o755)
    path = f"{programs}:/usr/local/bin:/usr/bin:/bin"
    monkeypatch.setenv("PATH", path)
    return Desk(folder, path, ran)


Complete = Callable[[str], set[str]]


def _needs(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def _run(desk: Desk, arguments: list[str]) -> str:
    done = subprocess.run(
        arguments, cwd=desk.folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert not done.stderr, done.stderr
    return done.stdout


@pytest.fixture
def bash_git(desk: Desk) -> Complete:
    """``git code-commit ...`` through git's own bash completion."""
    _needs("bash")
    theirs = next((name for name in _GIT_COMPLETION if Path(name).is_file()), None)
    if theirs is None:
        pytest.skip("git's own bash completion is not installed")
    script = f"source '{theirs}'\nsource '{COMPLETIONS / 'git-code-commit.bash'}'\n{_AS_READLINE}"

    def complete(line: str) -> set[str]:
        words = line.split(" ")
        out = _run(desk, ["bash", "--norc", "-c", script, "bash", *words])
        return {word.rstrip(" ") for word in out.splitlines() if word}

    return complete


@pytest.fixture
def bash_alone(desk: Desk) -> Complete:
    """``git-code-commit ...``, with the words as readline cuts them."""
    _needs("bash")
    script = (
        f"source '{COMPLETIONS / 'git-code-commit.bash'}'\n"
        'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _git_code_commit_alone\n'
        "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    )

    def complete(line: str) -> set[str]:
        words = [part for word in line.split(" ") for part in re.split("(=)", word)]
        if words[-1] == "" and words[-2:-1] == ["="]:
            words.pop()
        out = _run(desk, ["bash", "--norc", "-c", script, "bash", *words])
        return {word.rstrip(" ") for word in out.splitlines() if word}

    return complete


@pytest.fixture
def fish(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Complete:
    """Both spellings in fish, with the files where an installation puts them."""
    _needs("fish")
    share = tmp_path / "share"
    project = tomllib.loads((COMPLETIONS.parent / "pyproject.toml").read_text())
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    for source, target in shared.items():
        if target.startswith("share/fish/"):
            (tmp_path / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(COMPLETIONS.parent / source, tmp_path / target)
    monkeypatch.setenv("XDG_DATA_DIRS", f"{share}:/usr/local/share:/usr/share")

    def complete(line: str) -> set[str]:
        out = _run(desk, ["fish", "-c", "complete -C $argv", "--", line])
        return {found.partition("\t")[0] for found in out.splitlines()}

    return complete


@pytest.fixture
def zsh(desk: Desk, sealed: Path) -> Complete:
    """Both spellings in an interactive zsh; one key press each."""
    _needs("zsh")
    (sealed / "functions").mkdir()
    shutil.copy(COMPLETIONS / "_git-code-commit", sealed / "functions")
    (sealed / ".zshrc").write_text(
        "fpath=(~/functions $fpath)\nautoload -Uz compinit && compinit -u -D\n"
        "PS1='ready> '\nLISTMAX=1000\nunsetopt beep\n"
        "finished() { zle complete-word; zle -R; zle -I\n"
        'print -r -- "<line>$BUFFER</line>"; BUFFER= }\n'
        "zle -N finished\nbindkey '^I' finished\nsetopt list_rows_first\n"
    )
    child = pexpect.spawn(
        "zsh", ["-i"], cwd=str(desk.folder), encoding="utf-8", timeout=30, dimensions=(100, 200)
    )
    child.expect_exact("ready> ")

    def complete(line: str) -> set[str]:
        child.send(f"{line}\t")
        child.expect(r"<line>(.*)</line>\r\n")
        listing, after = child.before or "", child.match.group(1)
        child.expect_exact("ready> ")
        listed = re.findall(r"(?m)^(\S+(?: +-\w)?) +-- ", listing.replace("\r", ""))
        names = {part for found in listed for part in found.split()}
        return names | {after.removeprefix(line.rpartition(" ")[0]).strip()}

    return complete


def _options(name: str) -> set[str]:
    """The long options of a subcommand, as click knows them."""
    command = cli.commands[name]
    with click.Context(command) as context:
        parameters = command.get_params(context)
    return {
        option
        for parameter in parameters
        if isinstance(parameter, click.Option)
        for option in parameter.opts
        if option.startswith("--")
    }


def _choices() -> set[tuple[str, tuple[str, ...]]]:
    return {
        (parameter.opts[-1], tuple(parameter.type.choices))
        for command in cli.commands.values()
        for parameter in command.params
        if isinstance(parameter.type, click.Choice) and isinstance(parameter, click.Option)
    }


@pytest.mark.parametrize("shell", ["bash_git", "bash_alone", "fish", "zsh"])
def test_every_subcommand_and_option_is_offered_and_no_other(
    shell: str, request: pytest.FixtureRequest
) -> None:
    complete: Complete = request.getfixturevalue(shell)
    git = "git-code-commit" if shell == "bash_alone" else "git code-commit"

    offered = complete(f"{git} ") - {""}
    assert offered == set(COMMANDS)
    for name in COMMANDS:
        offered = {found.rstrip("=") for found in complete(f"{git} {name} --")}
        assert {found for found in offered if found.startswith("--")} - {"--"} == _options(name), (
            name
        )


@pytest.mark.parametrize("shell", ["bash_git", "bash_alone", "fish"])
@pytest.mark.parametrize(("option", "values"), sorted(_choices()))
def test_the_values_of_an_option_are_offered(
    shell: str, option: str, values: tuple[str, ...], request: pytest.FixtureRequest
) -> None:
    complete: Complete = request.getfixturevalue(shell)
    git = "git-code-commit" if shell == "bash_alone" else "git code-commit"

    joined = {found.removeprefix(f"{option}=") for found in complete(f"{git} {option}=")}
    assert joined == set(values)
    if option != "--color":
        assert complete(f"{git} {option} ") == set(values)


@pytest.mark.parametrize("shell", ["bash_git", "fish", "zsh"])
def test_files_are_offered_from_where_git_was_told_to_be(
    shell: str, request: pytest.FixtureRequest
) -> None:
    complete: Complete = request.getfixturevalue(shell)

    assert complete("git code-commit --response ans") == {"answer.txt"}
    assert complete("git code-commit rollup py") == {"pyproject.toml"}
    assert complete("git code-commit -F sub/") == {"sub/inner.toml"}
    assert complete("git -C sub code-commit --response i") == {"inner.toml"}


@pytest.mark.parametrize("shell", ["bash_git", "bash_alone", "fish", "zsh"])
def test_no_program_of_ours_runs_while_somebody_types(
    shell: str, desk: Desk, request: pytest.FixtureRequest
) -> None:
    complete: Complete = request.getfixturevalue(shell)
    complete("git-code-commit " if shell == "bash_alone" else "git code-commit ")
    assert not desk.ran.exists()


@pytest.mark.parametrize(
    ("shell", "file"),
    [
        ("bash", "git-code-commit.bash"),
        ("zsh", "_git-code-commit"),
        ("fish", "git-code-commit.fish"),
    ],
)
def test_the_command_prints_the_script_which_says_how_to_install_it(shell: str, file: str) -> None:
    from click.testing import CliRunner

    printed = CliRunner().invoke(cli, ["completion", shell]).stdout

    assert printed == (COMPLETIONS / file).read_text()
    assert f"git code-commit completion {shell} >" in printed[:800]
