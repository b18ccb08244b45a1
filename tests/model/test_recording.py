"""A recorded run can be repeated with no key, no network and no SDK."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.files.xdg import state_folder
from git_retcon.git.config import Config
from git_retcon.model.budget import Budget
from git_retcon.model.client import Client
from git_retcon.model.connection import open_client
from git_retcon.model.engine_choice import EngineOptions, choose_engine
from git_retcon.model.ledger import Ledger
from git_retcon.model.messages import Usage
from git_retcon.model.recording import NotRecorded
from git_retcon.model.toolloop import hold_conversation
from git_retcon.settings import MAX_COST, Settings
from tests.model.loopback import LoopbackApi, Says, answers, call, says, status, thinking
from tests.model.test_client import ask
from tests.model.test_toolloop import task

SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    return tmp_path / "tape.jsonl"


@pytest.fixture
def recorder(api: LoopbackApi, tape: Path, tmp_path: Path) -> Callable[[], Client]:
    env = {**api.env, "HOME": str(tmp_path), "GIT_RETCON_CASSETTE": f"record:{tape}"}
    return lambda: opened(env)


def opened(env: dict[str, str]) -> Client:
    choice = choose_engine(EngineOptions(), Settings(Config({}), env), MAX_COST)
    return open_client(choice, env, "retcon", lambda line: None)


def player(tape: Path) -> Client:
    return opened({"GIT_RETCON_CASSETTE": f"replay:{tape}"})


def test_a_whole_conversation_is_repeated(
    api: LoopbackApi, recorder: Callable[[], Client], tape: Path
) -> None:
    api.script(
        status(429, retry_after=0),
        Says((thinking("look first"), call("read_file", {"path": "a.py"}))),
        answers({"kind": "progress", "files": ["a.py"]}),
    )
    recorded = hold_conversation(recorder(), task())
    asked = len(api.requests)
    client = player(tape)
    replayed = hold_conversation(client, task())
    assert replayed == recorded
    assert client.spending.usage == Usage(input=200, output=40)
    assert len(api.requests) == asked


def test_equal_requests_are_answered_in_their_order(
    api: LoopbackApi, recorder: Callable[[], Client], tape: Path
) -> None:
    api.script(says("one"), says("two"))
    client = recorder()
    client.complete(ask())
    client.complete(ask())
    again = player(tape)
    assert [again.complete(ask()).text for _ in range(2)] == ["one", "two"]
    with pytest.raises(NotRecorded, match="it was asked 2 times when recorded, and now once more"):
        again.complete(ask())


def test_a_line_written_by_hand_answers_what_is_asked_next(tape: Path) -> None:
    """What a model may say can be played without a model that says it."""
    lines = ({"version": 1, "message": says(said).message("any")} for said in ("one", "two"))
    tape.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    client = player(tape)
    assert [client.complete(ask()).text for _ in range(2)] == ["one", "two"]
    with pytest.raises(NotRecorded, match="all 2 recorded answers are used"):
        client.complete(ask())


def test_a_missing_answer_says_what_differs(
    api: LoopbackApi, recorder: Callable[[], Client], tape: Path
) -> None:
    api.script(says("one"))
    recorder().complete(ask("sort these five lines"))
    for request, difference in [
        (ask("sort these six lines"), r"message 1 \(user\) differs: recorded '.*five.*six lines'"),
        (ask("x", model="claude-opus-5-5"), "model differs: recorded 'claude-sonnet-5-5', now"),
        (ask("x", system="Be brief."), "system differs: .*now 'Be brief.'"),
    ]:
        with pytest.raises(NotRecorded, match=difference) as caught:
            player(tape).complete(request)
        assert caught.value.hint is not None


def test_the_output_limit_is_no_difference(
    api: LoopbackApi, recorder: Callable[[], Client], tape: Path
) -> None:
    api.script(says("one"))
    recorder().complete(ask(max_output_tokens=3000))
    assert player(tape).complete(ask(max_output_tokens=1000)).text == "one"


def test_no_secret_is_recorded_and_the_replay_is_the_same(
    api: LoopbackApi, recorder: Callable[[], Client], tape: Path
) -> None:
    api.script(Says((thinking(f"I see {SECRET}"), {"type": "text", "text": f"is it {SECRET}?"})))
    live = recorder().complete(ask(f"this: {SECRET}"))
    assert SECRET.encode() not in tape.read_bytes()
    assert api.env["ANTHROPIC_API_KEY"].encode() not in tape.read_bytes()
    assert player(tape).complete(ask(f"this: {SECRET}")) == live


def test_a_recording_cut_off_by_a_kill_is_still_good(
    api: LoopbackApi, recorder: Callable[[], Client], tape: Path
) -> None:
    api.script(says("one"), says("two"), says("three"))
    recorder().complete(ask("1"))
    recorder().complete(ask("2"))
    tape.write_bytes(tape.read_bytes()[:-20])
    assert player(tape).complete(ask("1")).text == "one"
    recorder().complete(ask("3"))
    assert player(tape).complete(ask("3")).text == "three"


def test_every_answer_is_on_the_disk_before_the_next_request(
    api: LoopbackApi, recorder: Callable[[], Client], tape: Path
) -> None:
    sizes: list[int] = []

    def respond(body: object) -> Says:
        sizes.append(len(tape.read_bytes().splitlines()) if tape.exists() else 0)
        return says("ok")

    api.responder = respond
    client = recorder()
    for _ in range(3):
        client.complete(ask())
    assert sizes == [0, 1, 2]


def test_a_replay_is_neither_booked_nor_free_of_the_budget(
    api: LoopbackApi, recorder: Callable[[], Client], tape: Path, tmp_path: Path
) -> None:
    api.script(says("one"))
    recorder().complete(ask())
    player(tape).complete(ask())
    ledger = Ledger(state_folder({"HOME": str(tmp_path)}), print)
    (total,) = ledger.statement().totals
    assert (total.command, total.requests) == ("retcon", 1)
    assert player(tape).spending.budget == Budget(max_cost=2.0)


def test_replaying_imports_no_sdk(
    api: LoopbackApi, recorder: Callable[[], Client], tape: Path
) -> None:
    api.script(says("one"))
    recorder().complete(ask())
    code = f"""
import sys
from tests.model.test_recording import ask, player
from pathlib import Path
sys.modules.pop("anthropic", None)
assert player(Path({str(tape)!r})).complete(ask()).text == "one"
assert "anthropic" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("content", [b"\0\1", b'{"version": 99}\n', b'{"a": 1}\n', b"hello\n"])
def test_what_is_no_cassette_is_refused(tape: Path, content: bytes) -> None:
    tape.write_bytes(content)
    with pytest.raises(Fatal, match="is not a cassette"):
        player(tape)


def test_a_cassette_that_is_not_there_is_named(tape: Path) -> None:
    with pytest.raises(Fatal, match=r"cannot read the cassette '.*tape.jsonl'"):
        player(tape)


def test_a_cassette_that_cannot_be_written_is_named(
    api: LoopbackApi, tape: Path, recorder: Callable[[], Client]
) -> None:
    tape.mkdir()
    api.script(says("one"))
    with pytest.raises(Fatal, match="cannot write the cassette"):
        recorder().complete(ask())


def test_the_file_is_lines_of_json(
    api: LoopbackApi, recorder: Callable[[], Client], tape: Path
) -> None:
    api.script(says("one"))
    recorder().complete(ask())
    (line,) = tape.read_text().splitlines()
    assert json.loads(line).keys() == {"version", "fingerprint", "request", "message"}
