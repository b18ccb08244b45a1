"""Where a model and the planner differ about much, the model is asked about that once more."""

import re

import pytest

from git_retcon.retcon.engine import Reason, Situation
from git_retcon.retcon.engines.claude.second_look import Opinions, find_doubts
from git_retcon.retcon.planner.plan import Placement
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.model.loopback import Answer, LoopbackApi, refuses
from tests.repository import TestRepository
from tests.retcon.engines.claude.scene import Author, Build, Conversation, Play, Scene, plays
from tests.retcon.planner.building import branch

# Nothing says where the helpers belong: without a doubt, the model would not be asked at all.
CHANGED: dict[str, str | bytes | None] = {
    f"{name}.py": "\n\n".join(f"def {name}_{n}(text):\n    return text + {n}\n" for n in range(3))
    for name in ("helper", "parser", "printer")
}
WRONG = {"helper.py": 1, "parser.py": 2, "printer.py": 2}
RIGHT = {"helper.py": 1, "parser.py": 1, "printer.py": 2}
UNSURE = {"helper.py": 1, "parser.py": 0, "printer.py": 2}


@pytest.fixture
def scene(build: Build, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setenv("GIT_RETCON_EXTRACT", "pages")
    return build(changed=CHANGED, messages=("parser: parse words of a text", "printer: show words"))


def take_turns(*models: Play) -> Play:
    """A model that answers each request in another way, and the rest as the last one."""
    left = list(models)
    return lambda seen: (left.pop(0) if len(left) > 1 else left[0])(seen)


def parser_commit(scene: Scene) -> int:
    """The number of the commit that has the parser."""
    held = [
        scene.repository.git("show", "--format=", "--name-only", oid).split()
        for oid in scene.commits()
    ]
    return next(number for number, paths in enumerate(held, 1) if "parser.py" in paths)


@pytest.mark.parametrize(
    ("again", "commit"),
    [
        pytest.param(Author(RIGHT), 1, id="another answer counts"),
        pytest.param(Author(UNSURE), 1, id="unsure, the plan counts"),
        pytest.param(Author(WRONG), 2, id="the same answer counts more"),
        pytest.param(lambda seen: refuses(), 1, id="none, the first one is weighed alone"),
    ],
)
def test_an_answer_against_the_plan_is_asked_for_again(
    api: LoopbackApi, scene: Scene, again: Play, commit: int
) -> None:
    plays(api, take_turns(Author(WRONG), again))
    done = scene.run("--build", "true")
    assert done.status == 0, done.err
    assert scene.is_rebuilt()
    assert len(api.requests) == 2
    prompt = Conversation(api.requests[1].body).prompt
    assert re.search(r"=== parser\.py\n1\) .*: commit 1 or 2\n", prompt), prompt
    assert "=== printer.py" not in prompt
    assert parser_commit(scene) == commit


def test_a_budget_that_is_spent_by_then_leaves_the_first_answers(
    api: LoopbackApi, scene: Scene
) -> None:
    def play(seen: Conversation) -> Answer:
        answer = Author(WRONG)(seen)
        object.__setattr__(answer, "usage", {"input_tokens": 2000, "output_tokens": 60_000})
        return answer

    plays(api, play)
    done = scene.run("--build", "true", "--max-tokens", "50000")
    assert done.status == 0, done.err
    assert len(api.requests) == 1
    assert scene.is_rebuilt()


def test_few_lines_are_asked_about_where_all_else_agrees(repo: TestRepository) -> None:
    """Little depends on them, but nothing makes up for them."""
    many = "".join(f"VALUE_{n} = {n}\n" for n in range(60))
    whole = branch(repo, {"old.txt": "1\n"}, {"old.txt": "2\n", "many.txt": many})
    size = {atom.id: atom.size for atom in whole.atoms}
    few, *others = sorted(size, key=lambda atom: size[atom])
    assert (size[few], sum(size[atom] for atom in others)) == (2, 60)
    commits = (LogicalCommit("Change values"), LogicalCommit("Change more"))
    reason = Reason.in_words("a guess", 0.5)

    def find(judged: dict[str, int], planned: dict[str, int], sure: float) -> list[str]:
        places = [
            {atom: Placement(commit, reason) for atom, commit in each.items()}
            for each in (planned, judged)
        ]
        chances = {atom: [1 - sure, sure] for atom in others} | {few: [0.3, 0.7]}
        spec = Spec("source", "main", "cleaned", commits)
        situation = Situation(spec, 0, whole, {}, judged=judged)
        doubts = find_doubts(situation, Opinions(places[0], places[1], chances))
        return [doubt.atom.id for doubt in doubts]

    all_second = dict.fromkeys(size, 1)
    assert find(all_second, all_second | {few: 0}, 0.99) == [few]
    # A gain that is nearly certain makes up for what may be lost.
    assert find(all_second, dict.fromkeys(size, 0), 0.99) == []
    # Much depends on what is not certain, whatever is expected of it.
    assert find(all_second, dict.fromkeys(size, 0), 0.9) == [atom.id for atom in whole.atoms]
    assert find(all_second, all_second, 0.9) == []


def test_an_answer_that_agrees_with_the_plan_is_not(api: LoopbackApi, scene: Scene) -> None:
    def play(seen: Conversation) -> Answer:
        return Author(RIGHT)(seen)

    plays(api, play)
    assert scene.run("--build", "true").status == 0
    assert len(api.requests) == 1
