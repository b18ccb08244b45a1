"""Whole heals with a model that is scripted over a real socket: what it does, what counts."""

import json
from pathlib import Path
from typing import Any

import pytest

from git_retcon.heal.records.heal_costs import list_spending
from git_retcon.heal.records.heals import list_heals
from tests.heal.checks import new_project
from tests.heal.engines.claude.cheats import FILES
from tests.heal.healing.test_heal_flow import tell
from tests.heal.project import CI, STEPS
from tests.heal.recorded import open_records
from tests.model.loopback import Answer, LoopbackApi, answers, call, calls, last_text
from tests.model.loopback import Says as Turn
from tests.program import heal_here
from tests.repository import TestRepository
from tests.sandboxes import needs_strong_sandbox

pytestmark = needs_strong_sandbox

STEP = "sh tests/run.sh"
RIGHT = FILES["src/app.py"].replace("max", "sum")
KEY = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def project(path: Path, files: dict[str, str] | None = None) -> TestRepository:
    workflow = f"{CI}    - run: {STEP}\n"
    return new_project(path / "project", workflow, {**FILES, **(files or {})})


def heal(repository: TestRepository, *arguments: str, status: int = 0) -> dict[str, Any]:
    ran = heal_here(repository.path, "--trust", "--json", "--yes", *arguments)
    assert ran.status == status, ran.out + ran.err
    said: dict[str, Any] = json.loads(ran.out)
    said["err"] = ran.err
    return said


def edit(old: str, new: str, path: str = "src/app.py") -> Answer:
    return calls("edit_file", {"path": path, "old_string": old, "new_string": new})


def claim(verdict: str = "fixed") -> Answer:
    return answers({"verdict": verdict, "summary": "the sum was the maximum"})


FIX = edit("max(values)", "sum(values)")
RUN = calls("run_step", {"workflow": "ci", "job": "ci", "step": STEP})


def list_results(api: LoopbackApi, request: int) -> list[tuple[str, bool]]:
    """What the tools answered before a request, and whether that was a fault."""
    blocks = api.requests[request].body["messages"][-1]["content"]
    return [(block["content"], block["is_error"]) for block in blocks]


def test_what_a_model_fixes_is_proved_in_the_sandbox_applied_and_recorded(
    tmp_path: Path, api: LoopbackApi
) -> None:
    repository = project(tmp_path)
    api.script(calls("read_file", {"path": "src/app.py"}), FIX, RUN, claim())
    said = heal(repository)
    assert tell(said) == {"healed": ["tests/test_app.py"], "unverified": [], "left": []}
    assert (repository.path / "src/app.py").read_text() == RIGHT
    assert said["tokens"] == 4 * 120
    assert "sandboxed by" in said["err"] or "no sandbox" in said["err"]
    first = api.requests[0].body
    assert first["model"] == "claude-haiku-5-5"
    prompt = last_text(first)
    assert "step sh tests/run.sh, in folder .:" in prompt
    assert "AssertionError: 2" in prompt.partition("The errors of tests/test_app.py")[2], prompt
    assert ">6|assert total([1, 2]) == 3, total([1, 2])" in prompt
    assert str(tmp_path) not in json.dumps([one.body for one in api.requests])
    assert list_results(api, 1)[0] == (
        "1|def total(values):\n2|    return max(values)\n3|",
        False,
    )
    assert list_results(api, 3)[0][0].startswith("the step passes")
    with open_records(repository) as database:
        (stored,) = list_heals(database)
        assert (stored.heal.engine, stored.heal.model) == ("claude", "claude-haiku-5-5")
        spent = list_spending(database, stored.number)
        assert sum(one.input + one.output for one in spent) == said["tokens"]
        assert sum(one.dollars for one in spent) == pytest.approx(said["cost"])
        assert stored.heal.proof[0]["runs"] == 2
        assert stored.heal.proof[0]["sandbox"]


@pytest.mark.slow
def test_no_server_of_an_earlier_step_sees_what_a_model_writes(
    tmp_path: Path, api: LoopbackApi
) -> None:
    leak = tmp_path / "leak"
    watch = f"while sleep 0.01; do grep -q sum src/app.py && cp src/app.py {leak}; done"
    workflow = f"{CI}    - run: ({watch}) >&- 2>&- &\n    - run: {STEP}\n"
    repository = new_project(tmp_path / "project", workflow, FILES)
    api.script(FIX, RUN, claim())
    assert tell(heal(repository))["healed"] == ["tests/test_app.py"]
    assert not leak.exists()


def test_what_tools_show_and_refuse(
    tmp_path: Path, api: LoopbackApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_RETCON_NEVER_SEND", "private/")
    repository = project(
        tmp_path,
        {
            "src/key.py": f"TOKEN = '{KEY}'\nEND = 1\n",
            "private/plan.txt": "what nobody may know\n",
            ".gitignore": "*.log\n",
            "src/long.py": "".join(f"line_{number} = {number}\n" for number in range(500)),
        },
    )
    told: list[tuple[tuple[str, dict[str, Any]], str, bool]] = [
        (("read_file", {"path": "src/key.py"}), "[masked secret ..r8]", False),
        (("read_file", {"path": "private/plan.txt"}), "is withheld", True),
        (("read_file", {"path": "../x"}), "path traversal", True),
        (("read_file", {"path": "src/long.py", "offset": 2, "limit": 2}),
         "2|line_1 = 1\n3|line_2 = 2\n[lines 2 to 3 of 501; offset 4 goes on]", False),
        (("read_file", {"path": "src/long.py"}), "[lines 1 to 400 of 501; offset 401", False),
        (("edit_file", {"path": "src/key.py", "old_string": "END = 1", "new_string": "END = 2"}),
         "holds a masked secret", True),
        (("edit_file", {"path": "src/app.py", "old_string": "retrun max", "new_string": "x"}),
         "is 0 times in 'src/app.py', so nothing was changed; the nearest lines are:\n"
         "2|    return max(values)", True),
        (("edit_file", {"path": "src/app.py", "old_string": "values", "new_string": "x"}),
         "is 2 times", True),
        (("edit_file", {"path": "src/app.py", "old_string": "", "new_string": "x"}),
         "exists", True),
        (("edit_file", {"path": "a.log", "old_string": "", "new_string": "x"}),
         "git ignores 'a.log'", True),
        (("edit_file", {"path": "private/x", "old_string": "a", "new_string": "x"}),
         "is withheld", True),
        (("glob", {"pattern": "*.{py,toml}", "path": "src"}),
         "src/app.py\nsrc/key.py\nsrc/long.py\nsrc/shapes.py", False),
        (("glob", {"pattern": "private/**"}), "private/plan.txt (withheld)", False),
        (("grep", {"pattern": "def (total|area)", "type": "py"}),
         "src/app.py:1: def total(values):\nsrc/shapes.py:1: def area(side):", False),
        (("grep", {"pattern": "nobody"}), "no line matches", False),
        (("grep", {"pattern": "("}), "is no regular expression", True),
        (("run_command", {"command": "grep -rn nobody ."}), "exit status 1", False),
        (("run_command", {"command": "cat private/plan.txt"}), "is withheld", True),
        (("run_command", {"command": "cat src/app.py | sh"}), "no shell runs", True),
        (("run_command", {"command": "git log --oneline"}), "begin", False),
        (("run_step", {"workflow": "other", "job": "ci", "step": STEP}), "only steps of", True),
    ]  # fmt: skip
    api.script(Turn(tuple(call(*each) for each, _, _ in told)), claim("stuck"), claim("stuck"))
    heal(repository, status=1)
    for (each, wanted, fails), (found, failed) in zip(told, list_results(api, 1), strict=True):
        assert (wanted in found, failed) == (True, fails), (each, found)
    sent = json.dumps([one.body for one in api.requests])
    assert KEY not in sent and "nobody may know" not in sent


@pytest.mark.slow
def test_the_second_attempt_knows_the_first_and_may_be_a_larger_model_s(
    tmp_path: Path, api: LoopbackApi
) -> None:
    repository = project(tmp_path)
    repository.git("config", "heal.escalate", "true")
    api.script(edit("max(values)", "min(values)"), claim(), FIX, claim())
    assert tell(heal(repository))["healed"] == ["tests/test_app.py"]
    assert [one.body["model"] for one in api.requests] == [
        *["claude-haiku-5-5"] * 2, *["claude-sonnet-5-5"] * 2
    ]  # fmt: skip
    prompt = last_text(api.requests[2].body)
    assert "-    return max(values)\n+    return min(values)" in prompt
    assert "Then: the step still fails, with 1 error; it was taken back" in prompt


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "model"),
    [(["--sonnet"], "claude-sonnet-5-5"), (["--sonnet", "--model=claude-opus-5-5"],
                                          "claude-opus-5-5")],
)  # fmt: skip
def test_a_model_is_chosen_for_every_attempt(
    options: list[str], model: str, tmp_path: Path, api: LoopbackApi
) -> None:
    repository = project(tmp_path)
    api.script(claim("stuck"), claim("stuck"))
    said = heal(repository, *options, "--show-prompt", status=1)
    assert said["err"].count(f"--- prompt to {model}\n") == 2
    assert "step sh tests/run.sh, in folder" in said["err"]
    assert said["left"][0]["tokens"] == said["tokens"] == 240
    assert [one.body["model"] for one in api.requests] == [model, model]
    assert tell(said)["left"] == ["tests/test_app.py"]


@pytest.mark.slow
def test_a_spent_budget_ends_the_questions_and_not_the_heal(
    tmp_path: Path, api: LoopbackApi
) -> None:
    repository = project(tmp_path)
    said = heal(repository, "--max-cost=0", status=1)
    assert api.requests == []
    assert "the budget of $0.00 is spent" in said["left"][0]["reason"]
    repository.git("config", "heal.maxCostMonth", "0")
    said = heal(repository, status=1)
    assert "this month's $0.00 are spent" in said["err"]
    assert api.requests == []


@pytest.mark.slow
def test_a_model_is_asked_only_for_what_is_left_without_it(
    tmp_path: Path, api: LoopbackApi
) -> None:
    lint = (
        "echo \"src/app.py:1:1: F401 'os' imported but unused\"; ! grep -q '^import os' src/app.py"
    )
    repository = project(
        tmp_path,
        {"src/app.py": f"import os\n{RIGHT}", "tests/run.sh": f"{lint}\n"},
    )
    said = heal(repository)
    assert tell(said)["healed"] == ["src/app.py"]
    assert api.requests == []


@pytest.mark.slow
def test_a_step_that_only_works_outside_of_the_sandbox_is_not_healed_there(
    tmp_path: Path, api: LoopbackApi
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("here\n")
    repository = project(
        tmp_path, {"tests/run.sh": f"test -e {outside} || exit 7\n{FILES['tests/run.sh']}"}
    )
    ran = heal_here(repository.path, "--trust", "--json", "--engine=claude")
    said = json.loads(ran.out)
    assert "fails otherwise in the sandbox" in said["left"][0]["reason"]
    assert api.requests == []


@pytest.mark.slow
def test_a_step_before_that_needs_more_than_the_sandbox_makes_a_fix_unverified(
    tmp_path: Path, api: LoopbackApi
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("here\n")
    steps = f"    - run: test -e {outside}\n    - run: {STEP}\n"
    repository = new_project(tmp_path / "project", f"{CI}{steps}", FILES)
    api.script(FIX, claim())
    said = heal(repository, status=1)
    assert tell(said) == {"healed": [], "unverified": ["tests/test_app.py"], "left": []}
    assert "fails in the sandbox, with and without the fix" in said["unverified"][0]["reason"]
    assert said["applied"] == []
    heal_here(repository.path, "apply", str(said["heals"][0])).ok()
    assert (repository.path / "src/app.py").read_text() == RIGHT


@pytest.mark.slow
def test_a_job_that_passed_is_proved_with_the_fix_too(tmp_path: Path, api: LoopbackApi) -> None:
    jobs = {"ci": STEP, "other": "grep -q max src/app.py"}
    lines = "".join(f"  {name}:\n{STEPS}    - run: {step}\n" for name, step in jobs.items())
    repository = new_project(tmp_path / "project", f"on: push\njobs:\n{lines}", FILES)
    api.script(FIX, claim(), FIX, claim())
    said = heal(repository, status=1)
    assert tell(said)["left"] == ["tests/test_app.py"]
    assert "makes fail what passed before: other: grep" in said["left"][0]["reason"]


@pytest.mark.slow
def test_what_a_step_before_builds_is_built_again_with_the_fix(
    tmp_path: Path, api: LoopbackApi
) -> None:
    # Python takes a file of the same second and size for the one that it compiled.
    steps = "    - run: rm -rf out && mkdir out && cp src/*.py out\n    - run: sh tests/run.sh\n"
    files = {
        **FILES,
        "tests/test_app.py": FILES["tests/test_app.py"].replace('"src"', '"out"'),
        ".gitignore": "out/\n",
    }
    repository = new_project(tmp_path / "project", f"{CI}{steps}", files)
    api.script(FIX, RUN, claim())
    said = heal(repository)
    assert len(said["healed"]) == 1
    assert list_results(api, 2)[0][0].startswith("the step passes")
    assert (repository.path / "src/app.py").read_text() == RIGHT
