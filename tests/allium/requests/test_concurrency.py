"""How many requests there are at a time, and what becomes of them."""

import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from git_retcon.allium.requests.concurrency import RequestLimit, map_concurrently
from git_retcon.model.messages import Reply, Request, StopReason, Usage
from tests.allium.history_shapes import BRANCH
from tests.model.loopback import Json, LoopbackApi, Says, answers
from tests.program import CHECKOUT, allium_here
from tests.repository import TestRepository

NOTHING: Json = {"spec": None, "moduleUpdates": [], "removed": [], "changelog": ""}


class Crowd:
    """Counts how many are here at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._here = self.most = 0

    def stay(self, seconds: float) -> None:
        with self._lock:
            self._here += 1
            self.most = max(self.most, self._here)
        time.sleep(seconds)
        with self._lock:
            self._here -= 1


def test_results_are_in_the_order_of_the_items() -> None:
    crowd = Crowd()

    def work(number: int) -> int:
        crowd.stay(0.02 if number == 0 else 0.001)
        return number * 2

    assert map_concurrently(work, range(6), 3) == [0, 2, 4, 6, 8, 10]
    assert 1 < crowd.most <= 3


def test_after_a_failure_nothing_is_begun_and_the_first_in_order_is_raised() -> None:
    begun: list[int] = []
    together = threading.Barrier(2)

    def work(number: int) -> int:
        begun.append(number)
        together.wait()
        if number == 0:
            time.sleep(0.02)
        raise ValueError(str(number))

    with pytest.raises(ValueError, match="0"):
        map_concurrently(work, range(9), 2)
    assert sorted(begun) == [0, 1]


def test_a_limit_holds_for_all_who_ask_through_it() -> None:
    crowd = Crowd()

    class Slow:
        def complete(self, request: Request) -> Reply:
            crowd.stay(0.01)
            return Reply(request.model, (), StopReason.END_TURN, Usage())

    limit = RequestLimit(Slow(), 2)
    map_concurrently(lambda _: limit.complete(Request("m", "s", (), 1)), range(8), 8)
    assert crowd.most == 2


def make_wide(repo: TestRepository) -> None:
    """Two branches, each with a change of two parts."""
    repo.git("config", "allium.maxDiffTokens", "200")
    repo.git("config", "allium.maxConcurrency", "2")
    repo.commit("root")
    for branch in ("one", "two"):
        repo.git("checkout", "-q", "-b", branch, "main")
        repo.commit(branch, {f"{branch}{each}/a.py": "# x\n" * 100 for each in ("a", "b")})
    repo.git("checkout", "-q", "main")


@pytest.mark.slow
def test_steps_and_their_parts_ask_no_more_at_a_time_together(
    repo: TestRepository, api: LoopbackApi
) -> None:
    make_wide(repo)
    crowd = Crowd()

    def respond(_: dict[str, Any]) -> Says:
        crowd.stay(0.1)
        return answers(NOTHING)

    api.responder = respond
    allium_here(repo.path, "evolve", "--all", "--yes", env=api.env).ok()
    assert len(api.requests) == 4
    assert crowd.most == 2


@pytest.mark.slow
def test_a_second_ctrl_c_waits_for_no_part(repo: TestRepository, api: LoopbackApi) -> None:
    make_wide(repo)
    asked, over = threading.Event(), threading.Event()

    def respond(_: dict[str, Any]) -> Says:
        asked.set()
        over.wait(60)
        return answers(NOTHING)

    api.responder = respond
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "git_retcon.commands.allium", "evolve", "two", "--yes"],
        cwd=repo.path,
        env={**os.environ, **api.env, "PYTHONPATH": str(CHECKOUT)},
        stderr=subprocess.PIPE,
    ) as process:
        assert asked.wait(60)
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.2)
        assert process.wait(30) in (130, -signal.SIGINT)
        over.set()
    assert repo.git("log", "--format=%s", BRANCH) == "allium: root"
