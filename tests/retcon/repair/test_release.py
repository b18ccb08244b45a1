"""A failing commit may part with what came too early, where that moves less than to pull more."""

import pytest

from git_retcon.retcon.spec.model import LogicalCommit
from tests.retcon.repair.trials import Bench, Make

BEFORE = {
    "echo.py": "def echo(data):\n    return data[0] + data[1:]\n",
    "test_echo.py": "from echo import echo\n\n\ndef test_word():\n    assert echo('word')\n",
    "NEWS": "News\n",
}
AFTER = {
    "echo.py": (
        "def echo(data):\n    if not data:\n        return data\n    return data[0] + data[1:]\n"
    ),
    "test_echo.py": (
        BEFORE["test_echo.py"]
        + "\n\ndef test_letter():\n    assert echo('a') == 'a'\n"
        + "\n\ndef test_nothing():\n    assert echo('') == ''\n"
    ),
    "NEWS": "News\n\n- echo takes nothing\n",
}
TEST = """python3 -B -c '
import test_echo, traceback
for name in sorted(vars(test_echo)):
    if name.startswith("test"):
        try:
            vars(test_echo)[name]()
        except Exception:
            print("FAILED", name)
            traceback.print_exc()
            raise SystemExit(1)
' 2>&1"""
COMMITS = [
    LogicalCommit("Start"),
    LogicalCommit("Test more words"),
    LogicalCommit("Handle nothing in echo"),
]


@pytest.fixture
def echo(bench: Make) -> Bench:
    return bench(BEFORE, AFTER, "true", TEST)


def plan(
    echo: Bench, *, test: float = 0.7, code: float = 0.9
) -> tuple[frozenset[str], dict[str, int], dict[str, float]]:
    """Both tests planned for commit 2, the rest for commit 3."""
    tests, rest = echo.holding("def test_"), echo.holding("if not data", "takes nothing")
    planned = dict.fromkeys(tests, 1) | dict.fromkeys(rest, 2)
    return tests, planned, dict.fromkeys(tests, test) | dict.fromkeys(rest, code)


def test_a_test_that_came_too_early_is_left_for_later(echo: Bench) -> None:
    tests, planned, sure = plan(echo)
    answer = echo.repair(tests, planned=planned, sure=sure, commits=COMMITS)
    assert not answer.atoms
    assert echo.texts(answer.progress.choice.released) == {"def test_nothing():"}
    assert answer.progress.what == "leave test_nothing of test_echo.py for later"


def test_a_commit_keeps_what_its_message_names(echo: Bench) -> None:
    tests, planned, sure = plan(echo)
    named = [COMMITS[0], LogicalCommit("Add test_nothing"), LogicalCommit("Say news")]
    answer = echo.repair(tests, planned=planned, sure=sure, commits=named)
    assert not answer.progress.choice.released
    assert echo.texts(answer.atoms) == {"if not data:"}


def test_a_sure_test_is_kept_where_the_code_is_a_guess(echo: Bench) -> None:
    tests, planned, sure = plan(echo, test=0.95, code=0.3)
    vague = [*COMMITS[:2], LogicalCommit("Say news")]
    answer = echo.repair(tests, planned=planned, sure=sure, commits=vague)
    assert echo.texts(answer.atoms) == {"if not data:"}


def test_no_commit_is_emptied(echo: Bench) -> None:
    _, planned, sure = plan(echo)
    only = echo.holding("def test_nothing")
    vague = [*COMMITS[:2], LogicalCommit("Say news")]
    answer = echo.repair(only, planned=planned, sure=sure, commits=vague)
    assert not answer.progress.choice.released


def test_a_commit_that_is_emptied_all_the_same_is_warned_of(echo: Bench) -> None:
    tests, planned, sure = plan(echo)
    (pin,) = echo.holding("def test_nothing")
    pinned = [COMMITS[0], LogicalCommit("Test more words", hunks=(pin,)), COMMITS[2]]
    answer = echo.repair(tests, planned=planned, sure=sure, commits=pinned)
    assert answer.progress.warning == ""  # the news are left for it
    apart = planned | dict.fromkeys(echo.holding("takes nothing"), 3)
    commits = [*pinned, LogicalCommit("Say news")]
    answer = echo.repair(tests, planned=apart, sure=sure, commits=commits)
    assert echo.texts(answer.atoms) == {"if not data:"}
    assert answer.progress.warning == (
        "nothing is left for commit 3 'Handle nothing in echo': commit 2 'Test more words' needs "
        "all of it"
    )
    assert answer.progress.remedy.startswith("merge the two in the spec")


def test_a_pinned_test_stays(echo: Bench) -> None:
    tests, planned, sure = plan(echo)
    (pin,) = echo.holding("def test_nothing")
    pinned = [COMMITS[0], LogicalCommit("Test more words", hunks=(pin,)), COMMITS[2]]
    answer = echo.repair(tests, planned=planned, sure=sure, commits=pinned)
    assert echo.texts(answer.atoms) == {"if not data:"}


@pytest.mark.parametrize(
    "last",
    [
        LogicalCommit("Handle nothing in echo", exclude=("test*",)),
        LogicalCommit("Handle nothing in echo", files=("echo.py", "NEWS")),
    ],
)
def test_nothing_is_released_that_no_later_commit_may_have(
    echo: Bench, last: LogicalCommit
) -> None:
    tests, planned, sure = plan(echo)
    answer = echo.repair(tests, planned=planned, sure=sure, commits=[*COMMITS[:2], last])
    assert not answer.progress.choice.released
    assert echo.texts(answer.atoms) == {"if not data:"}


def test_without_a_plan_nothing_is_released(echo: Bench) -> None:
    tests, planned, _ = plan(echo)
    answer = echo.repair(tests, planned=planned, commits=COMMITS)
    assert not answer.progress.choice.released
