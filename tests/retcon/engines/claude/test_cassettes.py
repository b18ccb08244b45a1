"""Answers in the forms that models give them, written by hand and replayed through the command.

Each line of a cassette is one answer. None of them ends a run: what is usable counts, and the
planner places the rest with one warning.
"""

from pathlib import Path

import pytest

from tests.retcon.engines.claude.scene import Build, Run, Scene

_CASSETTES = Path(__file__).parent / "cassettes"
# Messages that say nothing: only the model knows that main.py comes last.
_SILENT = ("one", "two", "three")
AS_NAMED = [{"colors.py", "names.py"}, {"shapes.py"}, {"main.py"}]


@pytest.fixture
def silent(build: Build) -> Scene:
    return build(messages=_SILENT)


def replay(scene: Scene, name: str) -> Run:
    """Run the command with no key and no network."""
    tape = _CASSETTES / f"{name}.jsonl"
    scene.monkeypatch.setenv("GIT_RETCON_CASSETTE", f"replay:{tape}")
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        scene.monkeypatch.delenv(variable, raising=False)
    done = scene.run("--engine=claude")
    assert done.status == 0, done.err
    assert scene.is_rebuilt()
    assert len(scene.cleaned()) == 3
    assert "stuck" not in done.err
    return done


def list_files(scene: Scene) -> list[set[str]]:
    return [
        set(scene.repository.git("show", "--format=", "--name-only", oid).split())
        for oid in scene.commits()
    ]


def list_warnings(done: Run) -> list[str]:
    return [line for line in done.err.splitlines() if "placed without" in line]


@pytest.mark.parametrize("name", ["thinking-first", "two-text-blocks", "prose-around"])
def test_an_answer_counts_whatever_is_around_it(silent: Scene, name: str) -> None:
    done = replay(silent, name)
    assert list_files(silent) == AS_NAMED
    assert not list_warnings(done)


@pytest.mark.parametrize(
    "name",
    ["cut-off-once", "numbers-as-strings", "from-zero", "draft-and-final", "tool-first", "paused"],
)
def test_what_was_no_answer_yet_is_put_right_by_the_second(silent: Scene, name: str) -> None:
    done = replay(silent, name)
    assert list_files(silent) == AS_NAMED
    assert not list_warnings(done)


def test_a_number_for_two_commits_and_one_of_nothing_say_nothing(silent: Scene) -> None:
    done = replay(silent, "twice-and-unknown")
    assert list_files(silent) == AS_NAMED  # names.py by the planner: colors.py needs it
    assert list_warnings(done) == [
        "warning: the model names no commit for 1 hunk: placed without it"
    ]


@pytest.mark.parametrize(
    ("name", "warning"),
    [
        ("refusal", "the model declined to answer (cyber): hunks are placed without the model"),
        (
            "cut-off",
            "the model's answer was unusable 2 times: it was longer than the output limit and was "
            "cut off: hunks are placed without the model",
        ),
        (
            "no-json",
            "the model's answer was unusable 2 times: it is not JSON of the shape asked for: "
            "hunks are placed without the model",
        ),
        (
            "from-zero-twice",
            "the model's answer was unusable 2 times: commits and hunks are numbered from 1: hunks "
            "are placed without the model",
        ),
        (
            "window",
            "the conversation no longer fits into the model's context window: hunks are placed "
            "without the model",
        ),
        ("refusal-midway", "the model declined to answer: hunks are placed without the model"),
        ("nothing-named", "the model names no commit for 6 hunks: placed without it"),
        ("all-unsure", "the model is unsure of 6 hunks: placed without it"),
    ],
)
def test_no_usable_answer_is_one_warning_and_the_planners_choice(
    scene: Scene, name: str, warning: str
) -> None:
    done = replay(scene, name)
    assert list_files(scene) == AS_NAMED  # here the messages say so, too
    assert list_warnings(done) == [f"warning: {warning}"]


def test_a_hunk_is_split_at_a_line(silent: Scene) -> None:
    """The first call in main.py is for the second commit, the other one for the third."""
    done = replay(silent, "split")
    assert not list_warnings(done)
    assert list_files(silent) == [
        {"colors.py", "names.py"},
        {"shapes.py", "main.py"},
        {"main.py"},
    ]
    second = silent.commits()[1]
    assert silent.repository.show(f"{second}:main.py").decode().endswith("shapes.edge(2)\n")


def test_a_split_within_a_statement_is_left_to_the_planner(scene: Scene) -> None:
    done = replay(scene, "split-in-a-statement")
    assert list_warnings(done) == [
        "warning: the model divides 1 hunk within a statement: placed without it"
    ]
    assert list_files(scene) == AS_NAMED
