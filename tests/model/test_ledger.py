"""The ledger holds what was spent, also when something fails around it."""

import json
import multiprocessing
import os
import resource
import signal
import time
from pathlib import Path

import pytest

from git_retcon.model import jsonl
from git_retcon.model.ledger import Ledger
from git_retcon.model.messages import Usage


def ledger(tmp_path: Path, warnings: list[str] | None = None) -> Ledger:
    said: list[str] = []
    return Ledger(tmp_path, said.append if warnings is None else warnings.append)


def write(path: Path, month: str, *lines: str) -> None:
    (path / "ledger").mkdir(parents=True, exist_ok=True)
    (path / "ledger" / f"{month}.jsonl").write_text("".join(f"{line}\n" for line in lines))


def record(command: str, model: str, dollars: float) -> str:
    return json.dumps({"command": command, "model": model, "input": 10, "dollars": dollars})


def test_what_is_booked_is_read_back(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    book.book("retcon", "claude-sonnet-5-5", Usage(1, 2, 3, 4), 0.25)
    book.book("retcon", "claude-sonnet-5-5", Usage(10, 20, 30, 40), 0.5)
    book.book("heal", "claude-haiku-5-5", Usage(5), 0.125)
    heal, retcon = book.statement().totals
    assert (retcon.requests, retcon.usage, retcon.dollars) == (2, Usage(11, 22, 33, 44), 0.75)
    assert (heal.command, heal.model, heal.month) == (
        "heal",
        "claude-haiku-5-5",
        time.strftime("%Y-%m", time.gmtime()),
    )


def test_totals_by_month_and_command(tmp_path: Path) -> None:
    write(tmp_path, "2026-10", record("retcon", "m", 1.0), record("heal", "m", 2.0))
    write(tmp_path, "2026-11", record("heal", "n", 4.0))
    (tmp_path / "ledger" / "notes.jsonl").write_text("no month\n")
    book = ledger(tmp_path)
    assert [(t.month, t.command) for t in book.statement().totals] == [
        ("2026-10", "heal"),
        ("2026-10", "retcon"),
        ("2026-11", "heal"),
    ]
    assert book.statement(command="heal").dollars == 6.0
    assert book.statement(month="2026-10").dollars == 3.0
    assert book.statement("2026-11", "retcon").totals == ()


def test_broken_lines_are_counted_and_passed_over(tmp_path: Path) -> None:
    torn = record("heal", "m", 1.0)[:20]
    odd = '{"command": "heal", "model": "m", "dollars": 1, "input": "3"}'
    lines = ("\0\0", "[1]", '{"command": 3}', odd, record("heal", "m", 2.0), torn)
    write(tmp_path, "2026-11", *lines)
    statement = ledger(tmp_path).statement()
    assert statement.dollars == 2.0
    assert statement.unreadable == 5


def test_a_record_after_a_torn_line_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": 2, "b')
    jsonl.append(path, {"a": 3})
    assert jsonl.read(path) == jsonl.Lines(({"a": 1}, {"a": 3}), broken=1)


def _append_many(path: Path, name: int) -> None:
    for number in range(50):
        jsonl.append(path, {"name": name, "number": number, "pad": "x" * 5000})


def test_processes_and_threads_append_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_append_many, args=(path, name)) for name in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    lines = jsonl.read(path)
    assert lines.broken == 0
    assert len(lines.records) == 150
    assert {(r["name"], r["number"]) for r in lines.records} == {
        (name, number) for name in range(3) for number in range(50)
    }


@pytest.fixture
def no_room() -> object:
    """Files of this process may not grow beyond 2 kB, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.usefixtures("no_room")
def test_a_full_disk_is_warned_of_once_and_loses_nothing(tmp_path: Path) -> None:
    warnings: list[str] = []
    book = ledger(tmp_path, warnings)
    for _ in range(30):
        book.book("retcon", "claude-sonnet-5-5", Usage(1), 0.01)
    assert len(warnings) == 1
    assert warnings[0].startswith("cannot write the ledger: ")
    (path,) = (tmp_path / "ledger").iterdir()
    lines = jsonl.read(path)
    assert lines.broken == 0
    assert path.read_bytes().endswith(b"\n")
    assert len(lines.records) > 3


def test_a_ledger_that_cannot_be_made_never_breaks_a_run(tmp_path: Path) -> None:
    (tmp_path / "ledger").write_text("a file in the way")
    warnings: list[str] = []
    book = ledger(tmp_path, warnings)
    book.book("retcon", "m", Usage(1), 0.01)
    assert len(warnings) == 1
    assert book.statement().totals == ()


def test_the_ledger_is_for_its_owner_only(tmp_path: Path) -> None:
    ledger(tmp_path).book("retcon", "m", Usage(1), 0.01)
    (path,) = (tmp_path / "ledger").iterdir()
    assert os.stat(path).st_mode & 0o077 == 0  # noqa: PTH116
