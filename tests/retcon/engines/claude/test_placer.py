"""One request places the hunks of a branch, and no answer is a reason to stop."""

import re

import pytest

from tests.model.loopback import Answer, LoopbackApi, answers, refuses, says
from tests.retcon.engines.claude.scene import (
    MESSAGES,
    Author,
    Build,
    Conversation,
    Scene,
    plays,
    stuck,
)

RIGHT = {"names.py": 1, "colors.py": 1, "shapes.py": 2, "main.py": 3}
# What the planner cannot guess from these names: a model alone reads that they belong together.
SILENT = ("one", "two", "three")


@pytest.fixture(autouse=True)
def pages(api: LoopbackApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_RETCON_EXTRACT", "pages")


@pytest.fixture
def silent(build: Build) -> Scene:
    """A branch whose messages say nothing."""
    return build(messages=SILENT)


def files_of(scene: Scene) -> list[set[str]]:
    return [
        set(scene.repository.git("show", "--format=", "--name-only", oid).split())
        for oid in scene.commits()
    ]


def test_one_request_places_a_whole_branch(api: LoopbackApi, silent: Scene) -> None:
    plays(api, Author(RIGHT))
    done = silent.run()
    assert done.status == 0, done.err
    assert len(api.requests) == 1
    assert silent.cleaned() == list(SILENT)
    assert files_of(silent) == [{"colors.py", "names.py"}, {"shapes.py"}, {"main.py"}]
    assert silent.is_rebuilt()
    assert "Engine: claude" in silent.notes()


def test_a_request_shows_messages_hunks_and_what_they_follow(
    api: LoopbackApi, silent: Scene
) -> None:
    plays(api, Author(RIGHT))
    silent.run()
    prompt = Conversation(api.requests[0].body).prompt
    assert '<commit number="2">\ntwo\n</commit>' in prompt
    assert "None is built yet." in prompt
    shown = prompt[prompt.index("=== shapes.py") :]
    assert re.search(r"^\d+\) line 3, now 3, in edge$", shown, re.M), shown
    assert "\n     return r * r\n+\n+\n+def edge(r):\n+    return 4 * r\n" in shown


@pytest.mark.parametrize(
    "answer",
    [
        refuses(),
        says("I would rather not."),
        answers({"placements": "all of them", "unsure": ""}),
        answers({"placements": [{"commit": 99, "hunks": "1-9"}], "unsure": ""}),
        answers({"placements": [{"commit": 1, "hunks": "0, 77-999999999, -3, x"}], "unsure": "1"}),
        stuck("these hunks belong nowhere"),
    ],
)
def test_no_usable_answer_leaves_the_plan_as_it_is(
    api: LoopbackApi, scene: Scene, answer: Answer
) -> None:
    def play(seen: Conversation) -> Answer:
        return answer if seen.is_placing else stuck("never asked")

    plays(api, play)
    done = scene.run("--sandbox=off")
    assert done.status == 0, done.err
    assert scene.cleaned()[0] == MESSAGES[0]
    assert scene.is_rebuilt()
    assert "Traceback" not in done.err


def test_an_unusable_answer_is_said_once(api: LoopbackApi, silent: Scene) -> None:
    plays(api, lambda seen: refuses() if seen.is_placing else stuck("no"))
    done = silent.run()
    assert done.err.count("hunks are placed without the model") == 1


@pytest.mark.slow
def test_a_small_budget_pays_for_the_pages_of_most_value(api: LoopbackApi, build: Build) -> None:
    kinds = ("parser", "printer", "store")
    place = {f"{kind}{n}.py": k for n in range(13) for k, kind in enumerate(kinds, 1)}
    texts: dict[str, str | bytes | None] = {
        name: "\n\n".join(f"def {name[:-3]}_{k}(text):\n    return text + {k}\n" for k in range(9))
        for name in place
    }
    scene = build(changed=texts, messages=tuple(f"{kind}: add what is needed" for kind in kinds))
    plays(api, Author(place))
    done = scene.run("--build", "true", "--max-tokens", "9000")
    assert done.status == 0, done.err
    asked = sum(1 for _ in Conversation(api.requests[0].body).numbers())
    assert 0 < asked < 351
    assert f"the model is asked about {asked} of 351 hunks alone" in done.err
    assert scene.is_rebuilt()


def test_a_budget_for_no_question_at_all_stops_the_run(api: LoopbackApi, silent: Scene) -> None:
    done = silent.run("--max-tokens", "1200")
    assert done.status == 1
    assert "1,200 tokens is spent" in done.err
    assert not api.requests


def test_what_stays_unsure_is_put_together_with_tools(api: LoopbackApi, silent: Scene) -> None:
    plays(api, Author({**RIGHT, "colors.py": 0, "names.py": 0, "main.py": 0}))
    done = silent.run()
    assert done.status == 0, done.err
    assert len(api.requests) > 1
    assert silent.is_rebuilt()


def test_a_model_that_is_stuck_on_a_choice_leaves_it_to_the_plan(
    api: LoopbackApi, silent: Scene
) -> None:
    unsure = {**RIGHT, "colors.py": 0, "names.py": 0, "main.py": 0}
    plays(api, Author(unsure, then=lambda seen: stuck("cannot say")))
    done = silent.run("--build", "true")
    assert done.status == 0, done.err
    assert "cannot say: commit" in done.err
    assert silent.is_rebuilt()


def test_a_plan_without_doubt_costs_no_request(api: LoopbackApi, build: Build) -> None:
    scene = build(messages=("everything",))
    done = scene.run()
    assert done.status == 0, done.err
    assert not api.requests


def test_a_second_run_goes_on_without_asking_about_what_is_built(
    api: LoopbackApi, silent: Scene
) -> None:
    plays(api, Author(RIGHT))
    assert silent.run().status == 0
    asked = len(api.requests)
    assert silent.run().status == 0
    assert len(api.requests) == asked


def test_what_the_last_commit_is_unsure_of_is_not_asked_about(
    api: LoopbackApi, silent: Scene
) -> None:
    """There is no other place for it: a model could but leave it over."""

    def play(seen: Conversation) -> Answer:
        return answers({"verdict": "nothing", "what": "", "summary": ""})

    plays(api, Author({**RIGHT, "main.py": 0, "shapes.py": 0}, then=play))
    done = silent.run()
    assert done.status == 0, done.err
    assert silent.is_rebuilt()
    assert not [subject for subject in silent.cleaned() if subject.startswith("WIP")]
    asked = [Conversation(received.body) for received in api.requests[1:]]
    assert 3 not in [seen.number for seen in asked]
