"""What happens is told to people and to programs at once, and the last event is the end."""

import enum
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from git_retcon.errors import Reason
from git_retcon.options import Output
from git_retcon.show.envelope import Failure
from git_retcon.show.events import Failed, Warned, as_json, event_name, open_listeners, write_event
from tests.code_commit.project import answer_of, new_project
from tests.program import Ran, code_commit_here, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import messy_branch

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Colour(enum.Enum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class ThingPainted:
    colour: Colour
    names: tuple[str, ...]
    times: int = 1


def test_an_event_is_its_name_and_its_fields() -> None:
    assert event_name(ThingPainted) == "thing_painted"
    assert as_json(ThingPainted(Colour.RED, ("a", "b"))) == {
        "event": "thing_painted",
        "colour": "red",
        "names": ("a", "b"),
        "times": 1,
    }


def test_an_event_is_one_line_with_any_content() -> None:
    stream = io.StringIO()
    write_event(stream, Warned("two\nlines \x1b[31m\u2028", "é"))
    assert stream.getvalue().count("\n") == 1
    assert stream.getvalue().isascii()
    assert json.loads(stream.getvalue())["message"] == "two\nlines \x1b[31m\u2028"


def test_an_event_is_there_at_once() -> None:
    pipe = io.BytesIO()
    stream = io.TextIOWrapper(io.BufferedWriter(Unbuffered(pipe)), encoding="utf-8")
    write_event(stream, Warned("now"))
    assert b'"now"' in pipe.getvalue()


class Unbuffered(io.RawIOBase):
    """What is written through all buffers arrives in ``end``."""

    def __init__(self, end: io.BytesIO) -> None:
        self._end = end

    def writable(self) -> bool:
        return True

    def write(self, data: "Buffer") -> int:
        return self._end.write(data)


class Listener:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[Warned] = []
        self.ends = 0

    def __call__(self, event: Warned) -> None:
        self.told.append(event)

    def end_line(self) -> None:
        self.ends += 1


@pytest.mark.parametrize("quiet", [True, False])
@pytest.mark.parametrize("events", [True, False])
def test_people_see_events_unless_quiet_and_programs_where_they_asked(
    capsys: pytest.CaptureFixture[str], quiet: bool, events: bool
) -> None:
    people = Listener()
    with open_listeners(Output(quiet=quiet), people, events=events) as tell:
        tell(Warned("one"))
        assert capsys.readouterr().out.count('"one"') == events  # at once, not at the end
        tell(Warned("two"))
        assert people.ends == 0
    assert [event.message for event in people.told] == ([] if quiet else ["one", "two"])
    assert people.ends == 1
    assert capsys.readouterr().out.count("\n") == events


def test_a_line_that_was_left_open_ends_also_after_an_error() -> None:
    people, unheard = Listener(), dict[str, Warned]()
    with pytest.raises(KeyError), open_listeners(Output(), people, events=False) as tell:
        tell(unheard["said"])
    assert people.ends == 1


def test_a_failure_is_an_event_with_the_members_of_the_envelope() -> None:
    failed = Failed.of(Failure(Reason.LOCKED, "busy", "wait"), [["git", "gc"]])
    assert as_json(failed) == {
        "event": "failed",
        "reason": "locked",
        "retryable": True,
        "error": "busy",
        "hint": "wait",
        "next": (("git", "gc"),),
    }


def events_of(done: Ran) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.slow
def test_events_of_code_commit_end_with_how_it_ended(tmp_path: Path) -> None:
    project = new_project(tmp_path / "p").path
    waiting = events_of(code_commit_here(project, "--offline", "--events"))
    assert waiting[-1] == {
        "event": "finished", "status": "waiting", "attempt": 1, "attempts": 4, "commit": None
    }  # fmt: skip
    right = answer_of({"src/a.txt": "two\n"})
    passed = code_commit_here(project, "--response", "-", "--events", "--commit", stdin=right)
    assert [event["event"] for event in events_of(passed)][-2:] == ["step_ended", "finished"]
    assert events_of(passed)[-1]["status"] == "passed"
    assert events_of(passed)[-1]["commit"]


def test_events_of_every_command_end_with_the_error(repo: TestRepository, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for done in (
        retcon_here(repo.path, "--events", "nosuch.toml"),
        retcon_here(repo.path, "--events", "--nosuch"),
        code_commit_here(tmp_path / "empty", "--events"),
    ):
        assert [event["event"] for event in events_of(done)] == ["failed"]


def test_a_stuck_run_ends_with_stopped_and_a_good_one_with_finished(repo: TestRepository) -> None:
    messy_branch(repo)
    stuck = events_of(retcon_here(repo.path, "--events", "--build", "false"))
    assert stuck[-1]["event"] == "stopped"
    alone = events_of(retcon_here(repo.path, "--events").ok())  # each line is an event
    assert alone[-1]["event"] == "finished"
    both = retcon_here(repo.path, "--events", "--json").ok()
    lines, _, envelope = both.out.partition("\n{\n")
    assert json.loads(lines.splitlines()[-1])["event"] == "finished"
    assert json.loads("{" + envelope)["status"] == "complete"
