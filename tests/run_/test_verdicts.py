"""Passes are remembered for ever, failures for a run, and no fault of the cache stops anybody."""

import multiprocessing
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.run import verdicts as verdicts_module
from git_retcon.run.shell_command import Outcome
from git_retcon.run.verdicts import Pass, Question, open_verdicts

QUESTION = Question(tree="4b825dc6", step="build", command="make")
PASSED = Outcome("make", 0, b"", 1.5, False)
FAILED = Outcome("make", 2, b"error: no", 0.5, False)
TIMED_OUT = Outcome("make", 0, b"", 60.0, True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "retcon/verdicts.db"


@pytest.fixture
def said() -> list[str]:
    return []


def test_a_pass_lives_on_and_a_failure_ends_with_the_run(path: Path, said: list[str]) -> None:
    other = Question(tree="4b825dc6", step="test", command="make")
    with open_verdicts(path, said.append) as verdicts:
        assert verdicts.find(QUESTION) is None
        verdicts.record(QUESTION, PASSED)
        verdicts.record(other, FAILED)
        assert verdicts.find(QUESTION) == Pass(1.5)
        assert verdicts.find(other) is FAILED
    with open_verdicts(path, said.append) as verdicts:
        assert verdicts.find(QUESTION) == Pass(1.5)
        assert verdicts.find(other) is None
    assert said == []


def test_a_later_failure_unlearns_a_pass(path: Path, said: list[str]) -> None:
    with open_verdicts(path, said.append) as verdicts:
        verdicts.record(QUESTION, PASSED)
        verdicts.record(QUESTION, TIMED_OUT)
        assert verdicts.find(QUESTION) is TIMED_OUT
    with open_verdicts(path, said.append) as verdicts:
        assert verdicts.find(QUESTION) is None


def test_a_later_pass_unlearns_a_failure(path: Path, said: list[str]) -> None:
    with open_verdicts(path, said.append) as verdicts:
        verdicts.record(QUESTION, FAILED)
        verdicts.record(QUESTION, PASSED)
        assert verdicts.find(QUESTION) == Pass(1.5)


def test_without_a_file_nothing_outlives_the_run(said: list[str]) -> None:
    with open_verdicts(None, said.append) as verdicts:
        verdicts.record(QUESTION, PASSED)
        verdicts.keep_memo("stuck", "text")
        assert verdicts.find(QUESTION) == Pass(1.5)
        assert verdicts.memo("stuck") == "text"
    with open_verdicts(None, said.append) as verdicts:
        assert verdicts.find(QUESTION) is None
        assert verdicts.memo("stuck") is None
    assert said == []


@given(
    st.tuples(*[st.text(max_size=3)] * 5),
    st.tuples(*[st.text(max_size=3)] * 5),
)
def test_different_questions_are_never_confused(one: tuple[str, ...], two: tuple[str, ...]) -> None:
    assert (Question(*one).digest == Question(*two).digest) == (one == two)


def test_memos_are_kept_and_replaced(path: Path, said: list[str]) -> None:
    with open_verdicts(path, said.append) as verdicts:
        verdicts.keep_memo("stuck", "one")
        verdicts.keep_memo("stuck", "two")
        verdicts.keep_memo("other", "three")
    with open_verdicts(path, said.append) as verdicts:
        assert (verdicts.memo("stuck"), verdicts.memo("other")) == ("two", "three")
        assert verdicts.memo("nothing") is None


@pytest.mark.parametrize("content", [b"not a database at all, but long enough" * 100, b"short"])
def test_a_damaged_file_is_set_aside(path: Path, said: list[str], content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with open_verdicts(path, said.append) as verdicts:
        verdicts.record(QUESTION, PASSED)
    assert path.with_name("verdicts.db.damaged").read_bytes() == content
    assert len(said) == 1 and "verdicts.db.damaged" in said[0]
    with open_verdicts(path, said.append) as verdicts:
        assert verdicts.find(QUESTION) == Pass(1.5)
    assert len(said) == 1


def test_damage_found_on_the_way_is_survived(path: Path, said: list[str]) -> None:
    with open_verdicts(path, said.append) as verdicts:
        for number in range(2000):
            verdicts.record(Question(str(number), "build", "make"), PASSED)
    content = bytearray(path.read_bytes())
    content[3 * 4096 :] = b"\xff" * (len(content) - 3 * 4096)
    path.write_bytes(content)
    with open_verdicts(path, said.append) as verdicts:
        for number in range(2000):
            verdicts.find(Question(str(number), "build", "make"))
        verdicts.record(QUESTION, PASSED)
        assert verdicts.find(QUESTION) == Pass(1.5)
    assert len(said) == 1
    with open_verdicts(path, said.append) as verdicts:
        verdicts.record(QUESTION, PASSED)
    assert len(said) == 1


def test_another_schema_is_set_aside(path: Path, said: list[str]) -> None:
    path.parent.mkdir()
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version=99")
    database.close()
    with open_verdicts(path, said.append) as verdicts:
        verdicts.record(QUESTION, PASSED)
        assert verdicts.find(QUESTION) == Pass(1.5)
    assert "schema version 99" in said[0]


def test_a_place_that_cannot_be_written_costs_only_memory(tmp_path: Path, said: list[str]) -> None:
    (tmp_path / "file").write_bytes(b"")
    with open_verdicts(tmp_path / "file/verdicts.db", said.append) as verdicts:
        verdicts.record(QUESTION, PASSED)
        assert verdicts.find(QUESTION) == Pass(1.5)
    assert len(said) == 1 and "going on without it" in said[0]


def test_a_locked_file_costs_only_memory(
    path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts_module, "_PATIENCE", 0.1)
    with open_verdicts(path, said.append) as verdicts:
        verdicts.record(QUESTION, PASSED)
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        other = Question("other", "build", "make")
        verdicts.record(other, PASSED)
        verdicts.record(other, PASSED)
        assert verdicts.find(other) == Pass(1.5)
        holder.close()
    assert len(said) == 1 and "locked" in said[0]
    assert path.exists()


def test_a_full_disk_costs_only_memory(path: Path, said: list[str]) -> None:
    with open_verdicts(path, said.append) as verdicts:
        assert verdicts._database is not None
        verdicts._database.execute("PRAGMA max_page_count=1")
        for number in range(200):
            verdicts.keep_memo(str(number), "x" * 1000)
        assert verdicts.memo("199") == "x" * 1000
    assert len(said) == 1 and "full" in said[0]


def _record_many(path: Path, start: int) -> None:
    faults: list[str] = []
    with open_verdicts(path, faults.append) as verdicts:
        for number in range(start, start + 100):
            verdicts.record(Question(str(number), "build", "make"), PASSED)
    assert faults == []


@pytest.mark.slow
def test_several_processes_write_at_once(path: Path, said: list[str]) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_record_many, args=(path, i * 100)) for i in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    with open_verdicts(path, said.append) as verdicts:
        assert all(
            verdicts.find(Question(str(number), "build", "make")) == Pass(1.5)
            for number in range(300)
        )
