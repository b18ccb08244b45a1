"""Real shells in which somebody types a command and presses TAB."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pexpect
import pytest

from git_retcon.commands.completion.script import make_installed_scripts
from git_retcon.show.installed import SCRIPT_PLACES

# What is offered for a line, as a set of whole words.
Complete = Callable[[str], set[str]]
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
_ZSHRC = """
fpath=(~/functions $fpath)
autoload -Uz compinit && compinit -u -D
PS1='ready> '
LISTMAX=1000
unsetopt beep
finished() {
    zle complete-word; zle -R; zle -I
    print -r -- "<line>$BUFFER</line>"; BUFFER=
}
zle -N finished
bindkey '^I' finished
setopt list_rows_first
"""


@dataclass(frozen=True)
class Desk:
    """A folder to type in, and a PATH whose program tells in ``ran`` when it is run.

    ``program`` is its name, such as git-retcon; ``home`` is HOME.
    """

    program: str
    folder: Path
    home: Path
    ran: Path
    env: Mapping[str, str]

    def script(self, shell: str) -> Path:
        """The completion script of the program, where an installation puts it."""
        return self.folder.parent / "share" / SCRIPT_PLACES[shell].format(self.program)

    @property
    def spelling(self) -> str:
        """The program as git's users type it."""
        return self.program.replace("-", " ", 1)


def new_desk(program: str, top: Path, home: Path, files: Mapping[str, str]) -> Desk:
    """Set up a desk beneath ``top``, with these files in its folder."""
    folder, programs, ran = top / "desk", top / "programs", top / "ran"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    programs.mkdir()
    (programs / program).write_text(f"#!/bin/sh\necho \"$@\" >>'{ran}'\n")
    (programs / program).chmod(0o755)
    for place, text in make_installed_scripts():
        script = top / "share" / place
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(text)
    env = {**os.environ, "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin"}
    return Desk(program, folder, home, ran, env)


def bash_git(desk: Desk) -> Complete:
    """``git retcon ...`` through git's own bash completion."""
    theirs = completion_of_git()
    script = f"source '{theirs}'\nsource '{desk.script('bash')}'\n{_AS_READLINE}"

    def complete(line: str) -> set[str]:
        return _offered(desk, script, line.split(" "))

    return complete


def bash_alone(desk: Desk) -> Complete:
    """``git-retcon ...``, with the words as readline cuts them."""
    _needs("bash")
    function = f"_{desk.program.replace('-', '_')}_alone"
    script = (
        f"source '{desk.script('bash')}'\n"
        f'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); {function}\n'
        "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    )

    def complete(line: str) -> set[str]:
        words = [part for word in line.split(" ") for part in re.split("(=)", word)]
        if words[-1] == "" and words[-2:-1] == ["="]:
            words.pop()
        return _offered(desk, script, words)

    return complete


def fish(desk: Desk) -> Complete:
    """Both spellings in fish, with the files where an installation puts them."""
    _needs("fish")
    places = {"XDG_DATA_DIRS": f"{desk.folder.parent / 'share'}:/usr/local/share:/usr/share"}

    def complete(line: str) -> set[str]:
        out = _run(desk, ["fish", "-c", "complete -C $argv", "--", line], places)
        return {found.partition("\t")[0] for found in out.splitlines()}

    return complete


def zsh(desk: Desk) -> Complete:
    """Both spellings in an interactive zsh; one key press each."""
    _needs("zsh")
    (desk.home / "functions").mkdir()
    shutil.copy(desk.script("zsh"), desk.home / "functions")
    (desk.home / ".zshrc").write_text(_ZSHRC)
    child = interactive(desk, "zsh", "-i")

    def complete(line: str) -> set[str]:
        child.send(f"{line}\t")
        child.expect(r"<line>(.*)</line>\r\n")
        listing, after = child.before or "", child.match.group(1)
        child.expect_exact("ready> ")
        listed = re.findall(r"(?m)^(\S+(?: +-\w)?) +-- ", listing.replace("\r", ""))
        names = {part for found in listed for part in found.split()}
        return names | {after.removeprefix(line.rpartition(" ")[0]).strip()}

    return complete


SHELLS = {"bash_git": bash_git, "bash_alone": bash_alone, "fish": fish, "zsh": zsh}


def completion_of_git() -> str:
    """Git's own completion for bash; without it the test is skipped."""
    _needs("bash")
    theirs = next((name for name in _GIT_COMPLETION if Path(name).is_file()), None)
    if theirs is None:
        pytest.skip("git's own bash completion is not installed")
    return theirs


def interactive(desk: Desk, shell: str, *options: str) -> pexpect.spawn:
    """A shell on a terminal, which has printed its prompt, "ready> "."""
    child = pexpect.spawn(
        shell, [*options], cwd=str(desk.folder), env=dict(desk.env), encoding="utf-8",
        timeout=30, dimensions=(100, 200),
    )  # fmt: skip
    child.expect_exact("ready> ")
    return child


def _needs(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def _offered(desk: Desk, script: str, words: list[str]) -> set[str]:
    out = _run(desk, ["bash", "--norc", "-c", script, "bash", *words], {})
    return {word.rstrip(" ") for word in out.splitlines() if word}


def _run(desk: Desk, arguments: list[str], env: Mapping[str, str]) -> str:
    done = subprocess.run(
        arguments, cwd=desk.folder, env={**desk.env, **env}, capture_output=True, text=True,
        check=False, timeout=60,
    )  # fmt: skip
    assert not done.stderr, done.stderr
    return done.stdout
