"""Completion in real shells: both spellings, every option, files, and no program run."""

from pathlib import Path

import click
import pytest

from git_retcon.commands.allium import cli as allium
from git_retcon.commands.code_commit import cli as code_commit
from git_retcon.commands.heal import cli as heal
from git_retcon.commands.retcon import cli as retcon
from git_retcon.commands.subcommands import DefaultToRun
from tests.repository import TestRepository
from tests.shells import (
    SHELLS,
    Desk,
    completion_of_git,
    interactive,
    new_desk,
)

pytestmark = pytest.mark.slow

CLIS = {
    "git-allium": allium,
    "git-code-commit": code_commit,
    "git-heal": heal,
    "git-retcon": retcon,
}
SPEC = 'cleaned = "x"\n\n[[commit]]\nmessage = "m"\n'
WORKFLOW = """\
on: {push: {branches: [main]}}
env:
  NO_JOB: 1
jobs:
  # no-job:
    lint:
      runs-on: x
    test_all:
      steps:
      - run: a
defaults:
    no: {}
"""
FILES = {
    "git-allium": {"order.allium": "", "sub/inner.allium": "", "pyproject.toml": ""},
    "git-code-commit": {"answer.txt": "text\n", "sub/inner.toml": "text\n", "pyproject.toml": ""},
    "git-heal": {
        ".git/HEAD": "",
        ".github/workflows/ci.yml": WORKFLOW,
        ".github/workflows/all.yaml": "jobs:\n  build-it: {}\n",
        ".github/workflows/README.md": "jobs:\n  nothing: {}\n",
        "sub/inner.txt": "",
        "other/.git/HEAD": "",
        "other/.github/workflows/other.yml": "jobs:\n  other: {}\n",
    },
    "git-retcon": {
        "history.toml": SPEC,
        "specs/other branch.toml": SPEC,
        "sub/inner.toml": SPEC,
        "pyproject.toml": "[project]\n",
    },
}
every_program = pytest.mark.parametrize("program", sorted(CLIS))
every_shell = pytest.mark.parametrize("shell", sorted(SHELLS))


def desk_for(program: str, tmp_path: Path) -> Desk:
    return new_desk(program, tmp_path, tmp_path / "home", FILES[program])


def spelled(desk: Desk, shell: str) -> str:
    return desk.program if shell == "bash_alone" else desk.spelling


def options(cli: click.Group, name: str) -> set[str]:
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


def choices() -> list[tuple[str, str, tuple[str, ...]]]:
    """Every option of every program that takes one of a few values, with these. Where a subcommand
    must be named, it is before the option.
    """
    found = {
        (program, spell_option(cli, command, parameter.opts[-1]), tuple(parameter.type.choices))
        for program, cli in CLIS.items()
        for command in cli.commands.values()
        for parameter in command.params
        if isinstance(parameter.type, click.Choice) and isinstance(parameter, click.Option)
    }
    return sorted(found)


def spell_option(cli: click.Group, command: click.Command, option: str) -> str:
    own = cli.commands["run"].params if isinstance(cli, DefaultToRun) else ()
    is_of_run = any(option in parameter.opts for parameter in own)
    return option if is_of_run else f"{command.name} {option}"


@every_program
@every_shell
def test_every_subcommand_and_option_is_offered_and_no_other(
    program: str, shell: str, tmp_path: Path
) -> None:
    desk, cli = desk_for(program, tmp_path), CLIS[program]
    complete, git = SHELLS[shell](desk), spelled(desk, shell)

    # In the place of a command, what the usual one takes may be too: a spec, or a path.
    offered = {found for found in complete(f"{git} ") if not found.endswith("/")}
    assert offered - {"history.toml", ""} == set(cli.commands)
    for name in cli.commands:
        offered = {found.rstrip("=") for found in complete(f"{git} {name} --")}
        long = {found for found in offered if found.startswith("--")} - {"--"}
        assert long == options(cli, name), name


@pytest.mark.parametrize("shell", ["bash_git", "bash_alone", "fish"])
@pytest.mark.parametrize(("program", "option", "values"), choices())
def test_the_values_of_an_option_are_offered(
    shell: str, program: str, option: str, values: tuple[str, ...], tmp_path: Path
) -> None:
    desk = desk_for(program, tmp_path)
    complete, git = SHELLS[shell](desk), spelled(desk, shell)

    joined = {
        found.removeprefix(f"{option.split()[-1]}=") for found in complete(f"{git} {option}=")
    }
    assert joined == set(values)
    if not option.endswith("--color"):
        assert complete(f"{git} {option} ") == set(values)


@every_program
@every_shell
def test_no_program_of_ours_runs_while_somebody_types(
    program: str, shell: str, tmp_path: Path
) -> None:
    desk = desk_for(program, tmp_path)
    SHELLS[shell](desk)(f"{spelled(desk, shell)} ")
    assert not desk.ran.exists()


@pytest.mark.parametrize("shell", ["bash_git", "fish", "zsh"])
def test_spec_files_come_first_and_from_where_git_was_sent(shell: str, tmp_path: Path) -> None:
    complete = SHELLS[shell](desk_for("git-retcon", tmp_path))
    space = " " if shell == "fish" else "\\ "  # fish escapes as it inserts

    assert complete("git retcon status ") == {"history.toml"}
    assert complete("git retcon --restart h") == {"history.toml"}
    assert complete("git retcon --engine claude h") == {"history.toml"}
    assert complete("git retcon py") == {"pyproject.toml"}
    assert complete("git retcon sub/") == {"sub/inner.toml"}
    assert complete("git retcon specs/") == {f"specs/other{space}branch.toml"}
    assert complete("git retcon -- h") == {"history.toml"}
    assert "history.toml" not in complete("git retcon history.toml ")
    assert complete("git -C sub retcon undo ") == {"inner.toml"}
    assert complete("git -C ./sub retcon i") == {"inner.toml"}


@pytest.mark.parametrize("shell", ["bash_git", "fish", "zsh"])
def test_files_are_offered_from_where_git_was_sent(shell: str, tmp_path: Path) -> None:
    complete = SHELLS[shell](desk_for("git-code-commit", tmp_path))

    assert complete("git code-commit --response ans") == {"answer.txt"}
    assert complete("git code-commit rollup py") == {"pyproject.toml"}
    assert complete("git code-commit -F sub/") == {"sub/inner.toml"}
    assert complete("git -C sub code-commit --response i") == {"inner.toml"}


@pytest.mark.parametrize("shell", ["bash_git", "fish", "zsh"])
def test_specifications_and_revisions_are_offered_from_where_git_was_sent(
    shell: str, tmp_path: Path
) -> None:
    desk = desk_for("git-allium", tmp_path)
    repository = TestRepository(desk.folder / "sub")
    repository.git("init", "-q")
    repository.commit("first")
    repository.git("tag", "v1")
    complete = SHELLS[shell](desk)

    assert complete("git allium check o") == {"order.allium"}
    assert complete("git allium check py") - {"", "py"} == set()  # zsh leaves the word
    assert complete("git allium format sub/") == {"sub/inner.allium"}
    assert complete("git -C sub allium check i") == {"inner.allium"}
    assert complete("git -C sub allium check --rev v") == {"v1"}
    assert complete("git -C sub allium check --rev m") == {"main"}
    assert complete("git -C sub allium log -n 2 v") == {"v1"}
    assert complete("git -C sub allium graph v") == {"v1"}
    assert {
        found.removeprefix("--rev=") for found in complete("git -C sub allium check --rev=H")
    } == {"HEAD"}


@every_shell
def test_workflows_and_jobs_are_offered_from_where_git_was_sent(shell: str, tmp_path: Path) -> None:
    desk = desk_for("git-heal", tmp_path)
    complete, git = SHELLS[shell](desk), spelled(desk, shell)

    def values(line: str, option: str) -> set[str]:
        return {found.removeprefix(f"--{option}=").strip() for found in complete(line)} - {""}

    if shell != "zsh":  # which lists values without the descriptions by which they are found here
        assert values(f"{git} workflows --workflow ", "workflow") == {"ci.yml", "all.yaml"}
        assert values(f"{git} workflows --job ", "job") == {"lint", "test_all", "build-it"}
        assert values(f"{git} workflows --job=", "job") == {"lint", "test_all", "build-it"}
    assert values(f"{git} workflows --workflow ci", "workflow") == {"ci.yml"}
    assert values(f"{git} workflows --workflow=al", "workflow") == {"all.yaml"}
    assert values(f"{git} workflows --job te", "job") == {"test_all"}
    if shell != "bash_alone":
        program = git.removeprefix("git ")
        assert values(f"git -C sub {program} workflows --job te", "job") == {"test_all"}
        assert values(f"git -C other {program} workflows --workflow o", "workflow") == {"other.yml"}


@every_shell
def test_runs_and_errors_are_offered_as_the_last_check_left_them(
    shell: str, tmp_path: Path
) -> None:
    desk = desk_for("git-heal", tmp_path)
    repository = TestRepository(desk.folder)
    recent = "run 12\nrun 7\nerror 5fac67ce\nerror 7cd065a0\n"
    repository.write({".git/HEAD": "ref: refs/heads/main\n", ".git/heal/recent": recent})
    repository.git("init", "-q")
    complete, git = SHELLS[shell](desk), spelled(desk, shell)

    def values(line: str) -> set[str]:
        return {found.removeprefix("--run=").strip() for found in complete(line)}

    assert values(f"{git} log 1") == {"12"}
    assert values(f"{git} show 7") == {"7cd065a0"}
    assert values(f"{git} errors --run=7") == {"7"}


@every_shell
def test_cells_of_a_matrix_are_offered_as_the_last_check_called_them(
    shell: str, tmp_path: Path
) -> None:
    desk = desk_for("git-heal", tmp_path)
    repository = TestRepository(desk.folder)
    recent = "run 12\njob test (3.11, x)\njob test (3.12)\njob unit / all\n"
    repository.write({".git/HEAD": "ref: refs/heads/main\n", ".git/heal/recent": recent})
    repository.git("init", "-q")
    complete, git = SHELLS[shell](desk), spelled(desk, shell)

    def values(line: str) -> set[str]:
        found = (one.removeprefix("--job=").strip() for one in complete(line))
        return {one.replace("\\", "") for one in found}

    # What is unique is completed as a shell takes it: with its signs escaped.
    assert values(f"{git} check --job un") == {"unit / all"}
    assert values(f"{git} check --job=un") == {"unit / all"}
    if shell != "zsh":  # see above
        assert values(f"{git} check --job te") == {"test_all", "test (3.11, x)", "test (3.12)"}


@pytest.mark.parametrize("spelling", ["git-retcon", "git retcon"])
def test_an_interactive_bash_completes_as_somebody_types(spelling: str, tmp_path: Path) -> None:
    desk = desk_for("git-retcon", tmp_path)
    (desk.home / ".inputrc").write_text("set enable-bracketed-paste off\n")
    rc = desk.home / "rc"
    rc.write_text(
        f"source '{completion_of_git()}'\nsource '{desk.script('bash')}'\nPS1='ready> '\n"
    )
    child = interactive(desk, "bash", "--noprofile", "--rcfile", str(rc), "-i")
    # each TAB is unambiguous, so the line grows to a whole command, which the stub writes down
    child.send(f"{spelling} --eng\tof\this\t--squ\t\r")
    child.expect_exact("ready> ")
    child.close(force=True)

    assert desk.ran.read_text() == "--engine=offline history.toml --squash-wip\n"
