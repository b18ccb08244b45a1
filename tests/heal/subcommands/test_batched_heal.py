"""Heals in a batch: sent once, waited for, resumed, and never believed without a proof."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from git_retcon.heal.records.heal_costs import list_spending
from git_retcon.heal.records.heals import list_heals
from git_retcon.heal.records.sent_batches import BatchState, list_batches
from git_retcon.model.retry import Patience
from tests.heal.checks import new_project
from tests.heal.engines.claude.conftest import api as api
from tests.heal.engines.claude.test_engine import KEY, RIGHT, heal, project
from tests.heal.healing.test_heal_flow import tell
from tests.heal.healing.test_side_healing import project as make_project
from tests.heal.project import STEPS
from tests.heal.recorded import open_records
from tests.model.loopback import LoopbackApi, Says, answers, refuses, says, status
from tests.program import CHECKOUT, heal_here, retcon_here
from tests.repository import TestRepository
from tests.sandboxes import needs_strong_sandbox

pytestmark = needs_strong_sandbox

FIX = {"path": "src/app.py", "old_string": "max(values)", "new_string": "sum(values)"}


def claim(*edits: dict[str, str], verdict: str = "fixed") -> Says:
    return answers({"verdict": verdict, "summary": "the sum was the maximum", "edits": list(edits)})


def refuse(repository: TestRepository, *arguments: str) -> dict[str, Any]:
    """What a command says that is refused, for programs."""
    ran = heal_here(repository.path, "--trust", "--yes", "--json", *arguments)
    assert ran.status != 0, ran.out + ran.err
    said: dict[str, Any] = json.loads(ran.out)
    return said


def test_a_batch_is_sent_resumed_proved_and_applied_once(tmp_path: Path, api: LoopbackApi) -> None:
    repository = project(tmp_path)
    api.batches.answers = lambda body: claim(FIX)
    sent = heal(repository, "--batch", "--no-wait")["batch"]
    assert (sent["requests"], api.batches.fetched) == (1, 0)
    ((request,),) = api.batches.created
    prompt = json.dumps(request["params"]["messages"])
    # The log names the test, which imports what is wrong.
    assert "--- src/app.py" in prompt and "return max(values)" in prompt
    assert str(tmp_path) not in prompt
    # What was sent is paid for, and taken up whatever the limits are by now.
    repository.git("config", "heal.maxCostMonth", "0")
    said = heal(repository, "--resume")
    assert tell(said) == {"healed": ["tests/test_app.py"], "unverified": [], "left": []}
    assert (repository.path / "src/app.py").read_text() == RIGHT
    # 100 tokens in and 20 out of the small model, at half the price
    assert said["cost"] == pytest.approx((100 * 0.10 + 20 * 0.50) / 1e6 / 2)
    assert (said["tokens"], said["batch"]) == (120, {"id": sent["id"]})
    with open_records(repository) as database:
        (stored,) = list_heals(database)
        (spent,) = list_spending(database, stored.number)
        assert spent.batch == 1
        assert spent.dollars == pytest.approx(said["cost"])
    (total,) = json.loads(retcon_here(repository.path, "cost", "--json").ok().out)["totals"]
    assert (total["batch"], total["requests"]) == (True, 1)
    assert total["usd"] == pytest.approx(said["cost"], abs=1e-6)
    again = refuse(repository, "--resume")
    assert again["error"].endswith("was taken up already: nothing of it is applied twice")
    assert (len(api.batches.created), api.batches.fetched) == (1, 1)


ALL = "abcdefg"
COMPLAIN = (
    "for n in {}; do grep -q right src/$n.py || echo src/$n.py:1:1: E100 wrong; done | "
    "grep . && exit 1 || :"
)


def test_each_answer_that_cannot_be_used_leaves_its_file_and_says_why(
    tmp_path: Path, api: LoopbackApi
) -> None:
    files = {f"src/{name}.py": f"{name} = 'wrong'\n" for name in ALL}
    files |= {"private/plan.txt": "what nobody may know\n"}
    files["src/f.py"] += f"TOKEN = '{KEY}'\n"
    repository = make_project(tmp_path, {"ci": [COMPLAIN.format(" ".join(ALL))]}, files)
    repository.git("config", "retcon.neverSend", "src/e.py")

    def edit(name: str, new: str = "right") -> dict[str, str]:
        return {"path": name, "old_string": "wrong", "new_string": new}

    workflow = {"path": ".github/workflows/ci.yml", "old_string": "exit 1", "new_string": "exit 0"}
    made: dict[str, tuple[Says | str, str]] = {
        "a": (claim(edit("src/a.py"), workflow), "'.github/workflows/ci.yml' cannot be changed"),
        "b": ("errored", "the service refused it: it is refused"),
        "c": (refuses(), "the model declined to answer (cyber)"),
        "d": (says("no JSON"), "the answer cannot be used: it is not JSON"),
        "e": (claim(edit("src/e.py")), "'src/e.py' is withheld"),
        "f": (claim(edit("src/f.py")), "'src/f.py' holds a masked secret"),
        "g": (claim(edit("../g.py")), "path traversal"),
    }

    def answer(body: Any) -> Says | str:
        text = json.dumps(body["messages"])
        return next(made[n][0] for n in ALL if f"The errors of src/{n}.py" in text)

    api.batches.answers = answer
    said = heal(repository, "--batch", status=1)
    assert tell(said)["left"] == list(files)[:7]
    for one, (_, why) in zip(said["left"], made.values(), strict=True):
        assert why in one["reason"], one
    sent = json.dumps(api.batches.created)
    assert KEY not in sent and "e = 'wrong'" not in sent and "nobody may know" not in sent
    with open_records(repository) as database:
        # Paid for are those that were answered, whatever of it can be used.
        assert database.fetch("SELECT count(*) FROM spend WHERE batch = 1")[0][0] == 6


@pytest.mark.slow
def test_results_that_break_off_are_fetched_again_and_each_is_billed_once(
    tmp_path: Path, api: LoopbackApi
) -> None:
    files = {f"src/{name}.py": f"{name} = 'wrong'\n" for name in "ab"}
    repository = make_project(tmp_path, {"ci": [COMPLAIN.format("a b")]}, files)

    def answer(body: Any) -> Says:
        name = "a" if "The errors of src/a.py" in json.dumps(body["messages"]) else "b"
        return claim({"path": f"src/{name}.py", "old_string": "wrong", "new_string": "right"})

    api.batches.answers = answer
    api.batches.cut = 10
    broken = refuse(repository, "--batch")
    (identity,) = (one["id"] for one in list_sent(repository))
    assert broken["error"] == f"1 result of batch {identity} came only in part"
    assert (broken["retryable"], broken["next"][-1]) == (True, ["git", "heal", "--resume"])
    assert list_sent(repository) == [{"id": identity, "state": BatchState.SENT}]
    api.batches.cut = 0
    assert tell(heal(repository, "--resume"))["healed"] == sorted(files)
    assert (len(api.batches.created), api.batches.fetched) == (1, 2)
    with open_records(repository) as database:
        assert database.fetch("SELECT count(*) FROM spend WHERE batch = 1")[0][0] == 2


@pytest.mark.slow
def test_a_service_that_hangs_up_while_it_is_waited_for_is_resumed(
    tmp_path: Path, api: LoopbackApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("git_retcon.model.message_batches.Patience", lambda: Patience(0, 0))
    repository = project(tmp_path)
    api.batches.hangs_up = True
    lost = refuse(repository, "--batch")
    (sent,) = list_sent(repository)
    assert lost["hint"] == f"batch {sent['id']} goes on by itself; 'git heal --resume' takes it up"
    assert (lost["retryable"], lost["next"][-1]) == (True, ["git", "heal", "--resume"])
    assert sent["state"] is BatchState.SENT


def list_sent(repository: TestRepository) -> list[dict[str, Any]]:
    with open_records(repository) as database:
        return [{"id": one.identity, "state": one.state} for one in list_batches(database)]


@pytest.mark.slow
def test_two_jobs_of_one_name_get_their_own_answers_about_one_file(
    tmp_path: Path, api: LoopbackApi
) -> None:
    check = "grep -q {0} src/app.txt || {{ echo src/app.txt:1:1: E100 no {0}; exit 1; }}"
    jobs = "".join(
        f"  {name}:\n    name: lint\n{STEPS}"
        f"    - name: check\n      run: {json.dumps(check.format(name))}\n"
        for name in ("one", "two")
    )
    repository = new_project(
        tmp_path / "project", f"on: push\njobs:\n{jobs}", {"src/app.txt": "first\nsecond\n"}
    )

    def answer(body: Any) -> Says:
        is_one = "E100 no one" in json.dumps(body["messages"])
        old, new = ("first", "one") if is_one else ("second", "two")
        return claim({"path": "src/app.txt", "old_string": old, "new_string": new})

    api.batches.answers = answer
    tell(heal(repository, "--batch"))
    assert (repository.path / "src/app.txt").read_text() == "one\ntwo\n"


def test_where_there_is_nothing_to_go_on_with_it_is_said(tmp_path: Path, api: LoopbackApi) -> None:
    repository = project(tmp_path)
    assert refuse(repository, "--resume")["error"] == "there is no batch to go on with"
    dear = refuse(repository, "--batch", "--max-cost=0.0001")
    assert (dear["reason"], api.batches.created) == ("budget", [])
    assert dear["error"].endswith("above the budget of $0.0001; nothing was sent")
    api.batches.refusals = [status(400, "invalid_request_error", "no such model")]
    assert refuse(repository, "--batch")["error"].endswith("answers 400: no such model")
    assert refuse(repository, "--resume")["error"] == "there is no batch to go on with"
    api.batches.refusals = [status(500)]
    assert "whether it has the batch is not known" in refuse(repository, "--batch")["error"]
    assert "while it was sent" in refuse(repository, "--resume")["error"]
    api.batches.looks = 1000
    second = heal(repository, "--batch", "--no-wait")
    assert "warning: whether the service has an earlier batch" in second["err"]
    identity = second["batch"]["id"]
    early = refuse(repository, "--resume", "--no-wait")
    assert early["error"] == f"batch {identity} is not answered yet (0 of 1 request)"
    assert (early["retryable"], early["next"][-1]) == (True, ["git", "heal", "--resume"])
    # The same command sends nothing a second time.
    assert refuse(repository, "--batch", "--no-wait")["error"] == early["error"]
    app = repository.path / "src/app.py"
    before = app.read_text()
    app.write_text(before + "\n")
    moved = refuse(repository, "--resume")
    assert moved["error"].startswith(f"the files have changed since batch {identity} was sent")
    app.write_text(before)
    api.batches.forget()
    gone = refuse(repository, "--resume")
    assert gone["error"] == f"the service has nothing of batch {identity} any more"
    with open_records(repository) as database:
        states = [one.state for one in list_batches(database)]
    assert states == [BatchState.GONE, BatchState.SENDING]
    assert len(api.batches.created) == 1


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--batch", "--offline"), "--batch and --offline contradict each other"),
        (("--batch", "--jobs=2"), "--batch and --jobs contradict each other"),
        (("--resume", "--allow-tests"), "--resume and --allow-tests contradict each other"),
        (("--no-wait",), "--no-wait goes with --batch or --resume"),
    ],
)
def test_options_that_contradict_a_batch_are_refused(
    arguments: tuple[str, ...], error: str, tmp_path: Path
) -> None:
    assert error in heal_here(tmp_path, *arguments).err


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_batch_outlives_the_command_that_waits_for_it(
    number: signal.Signals, tmp_path: Path, api: LoopbackApi
) -> None:
    repository = project(tmp_path)
    api.batches.answers = lambda body: claim(FIX)
    api.batches.looks = 10**6
    command = [sys.executable, "-m", "git_retcon.commands.heal", "--trust", "--yes", "--batch"]
    with subprocess.Popen(
        command, cwd=repository.path, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    ) as run:  # fmt: skip
        while api.batches.looks == 10**6 and run.poll() is None:
            time.sleep(0.02)
        run.send_signal(number)
        said = run.communicate()[1].decode()
    if number == signal.SIGINT:
        assert "goes on by itself; 'git heal --resume' takes it up" in said
    api.batches.looks = 0
    # The same command goes on with the same batch.
    assert tell(heal(repository, "--batch"))["healed"] == ["tests/test_app.py"]
    assert len(api.batches.created) == 1
