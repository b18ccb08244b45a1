"""The same flags everywhere: four for every subcommand, all of them for what runs."""

from pathlib import Path

import click
import pytest

from git_retcon.commands.allium import cli as allium
from git_retcon.commands.code_commit import cli as code_commit
from git_retcon.commands.heal import cli as heal
from git_retcon.commands.retcon import cli as retcon
from git_retcon.model.ledger import Ledger
from git_retcon.model.messages import Usage
from git_retcon.options import Output, SharedOptions
from tests.code_commit.project import new_project
from tests.program import Ran, code_commit_here, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch

FOR_ALL = {"json", "quiet", "verbose", "color"}
RUNS = {
    "git-retcon": {"run", "demo"},
    "git-heal": {"run", "check"},
    "git-allium": {"evolve", "reconcile"},
    "git-code-commit": {"run"},
}
BLUE = "\x1b["


def subcommands() -> list[tuple[str, click.Command]]:
    groups = {
        "git-retcon": retcon,
        "git-heal": heal,
        "git-allium": allium,
        "git-code-commit": code_commit,
    }
    return [
        (program, command) for program, cli in groups.items() for command in cli.commands.values()
    ]


@pytest.mark.parametrize(
    ("program", "command"), subcommands(), ids=[f"{p} {c.name}" for p, c in subcommands()]
)
def test_every_subcommand_has_the_flags(program: str, command: click.Command) -> None:
    names = {option.name for option in command.params if isinstance(option, click.Option)}
    assert names >= FOR_ALL
    everything = FOR_ALL | (set(SharedOptions._fields) - {"output"})
    assert (names >= everything) == (command.name in RUNS[program])


def test_output_is_what_the_words_say() -> None:
    asked: list[Output] = []

    def show(path: Path, output: Output) -> None:
        asked.append(output)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("git_retcon.retcon.subcommands.status.show_status", show)
        for words in (["--json", "-q"], ["-v", "--color=never"], ["--color"], []):
            with click.Context(retcon) as context:
                status = retcon.commands["status"].make_context("s", [*words, "x"], parent=context)
                retcon.commands["status"].invoke(status)
    assert asked == [
        Output(json=True, quiet=True),
        Output(verbose=True, color="never"),
        Output(color="always"),
        Output(),
    ]


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--color", "history.toml"], ["history.toml", "--color"]])
def test_a_word_behind_color_is_no_value_of_it(scene: Scene, words: list[str]) -> None:
    for subcommand in (["run", "-n"], [], ["status"], ["undo"]):
        done = retcon_here(scene.repo.path, *subcommand, *words).ok()
        assert BLUE in done.out + done.err or subcommand == ["undo"]  # paints nothing


def test_color_that_is_an_options_value_or_a_name_is_left_alone(scene: Scene) -> None:
    run = retcon.commands["run"].make_context("run", ["--build", "--color", "--color", "x"])
    assert (run.params["build"], run.params["color"]) == ("--color", "always")
    joined = retcon.commands["run"].make_context("run", ["--build=x", "--color"])
    assert joined.params["color"] == "always"
    missing = retcon_here(scene.repo.path, "status", "--", "--color")
    assert missing.err.startswith("fatal: no such spec file: '--color'\n")


@pytest.mark.slow
def test_colour_is_as_git_is_configured_for_every_subcommand(scene: Scene, sealed: Path) -> None:
    repo = scene.repo
    repo.git("config", "color.ui", "always")
    Ledger(sealed / ".local/state/git-retcon", pytest.fail).book("retcon", "m", Usage(1, 2), 0.5)
    for subcommand in ("status", "cost", "doctor", "run -n"):
        here = [*subcommand.split()]
        assert BLUE in retcon_here(repo.path, *here).out, subcommand
        assert BLUE not in retcon_here(repo.path, *here, "--color=never").out
        quiet = {"NO_COLOR": "1"}
        assert BLUE not in retcon_here(repo.path, *here, env=quiet).out
        assert BLUE in retcon_here(repo.path, *here, "--color", env=quiet).out
    repo.git("config", "color.retcon", "false")
    assert BLUE not in retcon_here(repo.path, "status").out


def test_colour_outside_of_a_repository_is_the_users_own(tmp_path: Path, sealed: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    assert BLUE not in retcon_here(outside, "doctor").out
    (sealed / ".gitconfig").write_text("[color]\n\tretcon = always\n")
    assert BLUE in retcon_here(outside, "doctor").out


def test_quiet_leaves_results_and_errors(scene: Scene) -> None:
    def quiet(*words: str) -> Ran:
        return retcon_here(scene.repo.path, *words, "-q")

    stuck = quiet("history.toml", "--build", "false")
    assert (stuck.status, stuck.out) == (1, "")
    assert stuck.err.startswith("error: commit 1 is stuck: 'feature' itself fails this build")
    assert "stuck" in quiet("status", "history.toml").out
    for words in (["resolve", "history.toml", "note"], ["undo", "history.toml"], ["clean"]):
        done = quiet(*words).ok()
        assert (done.out, done.err) == ("", ""), words
    again = quiet("undo", "history.toml")
    assert again.err.startswith("fatal: no run of 'history.toml' to undo\n")
    assert "[[commit]]" in quiet("prompt").ok().out


def test_quiet_is_the_same_for_code_commit(tmp_path: Path) -> None:
    project = new_project(tmp_path / "p").path
    waiting = code_commit_here(project, "--offline", "-q")
    assert waiting.out == ""
    assert waiting.err.startswith("error: the prompt of attempt 1 is ready to paste: ")
    for words in (["--abort"], ["undo"], ["rollup"]):
        done = code_commit_here(project, *words, "-q").ok()
        assert (done.out, done.err) == ("", ""), words
