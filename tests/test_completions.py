"""One TAB, in three shells and both spellings, answers with what the command itself says."""

import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pexpect
import pytest

ROOT = Path(__file__).parent.parent
GIT_COMPLETION = Path("/usr/share/bash-completion/completions/git")

# A command of click's, as git-retcon is one: the completions know nothing but click's protocol.
COMMAND = """
import click

@click.group()
@click.option("--engine", type=click.Choice(["offline", "claude"]), help="who chooses")
@click.option("--explain", is_flag=True, help="say why: in words")
def cli(engine, explain): ...

@cli.command(help="what has been done")
@click.argument("spec", type=click.Path())
def status(spec): ...

cli(prog_name="git-retcon")
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation's ``share``, its ``git-retcon`` on PATH, and a spec to be found."""
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text())
    targets = configuration["tool"]["hatch"]["build"]["targets"]["wheel"]
    for source, target in targets["shared-data"].items():
        path = tmp_path / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((ROOT / source).read_bytes())
    command = tmp_path / "bin/git-retcon"
    command.parent.mkdir()
    program = tmp_path / "program.py"
    program.write_text(COMMAND)
    command.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} {program}\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path / "bin")
    return tmp_path / "share"


def have(program: str) -> None:
    """Skip where a shell is missing, saying which."""
    if subprocess.run(["sh", "-c", f"command -v {program}"], capture_output=True).returncode:
        pytest.skip(f"{program} is not installed")


def bash(installed: Path, *words: str) -> list[str]:
    """What bash offers for the last word, found as git's own tests find it: without a terminal."""
    if not GIT_COMPLETION.exists():
        pytest.skip("git's bash completion is not installed")
    alone = words[0] != "git"
    script = f"""
        source {GIT_COMPLETION}
        source {installed}/bash-completion/completions/git-retcon
        _get_comp_words_by_ref() {{
            while [ $# -gt 0 ]; do
                case $1 in
                    cur) cur=${{COMP_WORDS[COMP_CWORD]}} ;;
                    prev) prev=${{COMP_WORDS[COMP_CWORD-1]}} ;;
                    words) words=("${{COMP_WORDS[@]}}") ;;
                    cword) cword=$COMP_CWORD ;;
                esac
                shift
            done
        }}
        compopt() {{ :; }}
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        {"__git_retcon_alone" if alone else "__git_wrap__git_main"}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", *words], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_bash_completes_options_subcommands_and_values(installed: Path) -> None:
    assert bash(installed, "git-retcon", "--e") == ["--engine", "--explain"]
    assert bash(installed, "git-retcon", "sta") == ["status"]
    assert bash(installed, "git-retcon", "--engine", "") == ["offline", "claude"]


def test_bash_completes_both_spellings_alike(installed: Path) -> None:
    assert bash(installed, "git", "retcon", "--e") == ["--engine ", "--explain "]
    assert bash(installed, "git", "-C", "/", "retcon", "--engine", "cl") == ["claude "]


def fish(installed: Path, line: str) -> list[str]:
    have("fish")
    env = os.environ | {"XDG_DATA_DIRS": f"{installed}:/usr/share"}
    done = subprocess.run(
        ["fish", "-c", 'complete -C "$LINE"'],
        env=env | {"LINE": line},
        capture_output=True,
        text=True,
        check=True,
    )
    return [offer.partition("\t")[0] for offer in done.stdout.splitlines()]


@pytest.mark.parametrize("spelling", ["git-retcon", "git retcon", "git -C / retcon"])
def test_fish_completes_both_spellings(installed: Path, spelling: str) -> None:
    assert fish(installed, f"{spelling} --e") == ["--engine", "--explain"]
    assert fish(installed, f"{spelling} --engine cl") == ["claude"]
    assert fish(installed, f"{spelling} sta") == ["status"]


@pytest.mark.parametrize("spelling", ["git-retcon", "git retcon"])
def test_zsh_completes_both_spellings(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spelling: str
) -> None:
    have("zsh")
    monkeypatch.setenv("TERM", "xterm")
    shell = pexpect.spawn("zsh", ["-f", "-i"], encoding="utf-8", timeout=20, dimensions=(50, 200))
    try:
        shell.sendline("PS1='> ' PROMPT_SP='' PROMPT_EOL_MARK=''; unsetopt beep")
        shell.sendline(f"fpath=({installed}/zsh/site-functions $fpath)")
        shell.sendline(f"autoload -U compinit && compinit -u -d {tmp_path}/dump && echo re''ady")
        shell.expect("ready")
        shell.send(f"{spelling} --exp\t")
        shell.expect("--explain")
        shell.send("--engine cl\t")
        shell.expect("claude")
        shell.send("sta\t")
        shell.expect("status")
        shell.sendcontrol("u")
        shell.send(f"{spelling} --e\t\t")
        shell.expect("--explain +-- say why: in words")
    finally:
        shell.close(force=True)
