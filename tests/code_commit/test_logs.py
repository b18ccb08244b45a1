"""Logs hold every byte, but no secret, wherever a stream was cut."""

from pathlib import Path

import pytest

from git_retcon.code_commit.logs import Logs, new_log_folder
from git_retcon.errors import Fatal
from git_retcon.model.known_secrets import secrets_in
from git_retcon.model.redaction import Redactor

SECRET = "quiet-" + "Little-7-secret-9xQ"
REDACTOR = Redactor(secrets_in({"MY_TOKEN": SECRET}))


@pytest.mark.slow
def test_every_byte_of_a_stream_is_there(tmp_path: Path) -> None:
    logs = Logs(tmp_path / "logs", REDACTOR)
    lines = b"".join(b"%d some output \xff\0 of a build\n" % n for n in range(80_000))
    with logs.open_stream(1, "build") as add:
        for at in range(0, len(lines), 65_536):
            add(lines[at : at + 65_536])
    assert (tmp_path / "logs/1-initial-query-build.txt").read_bytes() == lines


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "filler", "shift"),
    [
        (f"{SECRET[:11]}\n{SECRET[11:]}", b"ab\n", 11),
        (f"{SECRET[:11]}\n{SECRET[11:]}", b"ab\n", 12),
        (SECRET, b"ab ", 0),
        (SECRET, b"ab ", 7),
        (SECRET, b"ab ", len(SECRET) - 1),
    ],
)
def test_a_secret_on_a_seam_is_masked(
    tmp_path: Path, broken: str, filler: bytes, shift: int
) -> None:
    logs = Logs(tmp_path / "logs", REDACTOR)
    # the first cut of such a stream would be here, or at the newline before
    before = (filler * 400_000)[-(1024 * 1024 - shift) :]
    text = before + broken.encode() + b"\n" + filler * 25_000
    with logs.open_stream(2, "build") as add:
        for at in range(0, len(text), 65_536):
            add(text[at : at + 65_536])
    said = (tmp_path / "logs/2-repair-build.txt").read_bytes()
    assert said.count(b"[masked secret ..") == len(broken.split())
    assert SECRET[:11].encode() not in said
    assert SECRET[11:].encode() not in said


@pytest.mark.slow
def test_one_endless_line_is_cut_all_the_same(tmp_path: Path) -> None:
    logs = Logs(tmp_path / "logs", REDACTOR)
    with logs.open_stream(1, "build") as add:
        for _ in range(64):
            add(b"x" * 65_536)
    assert (tmp_path / "logs/1-initial-query-build.txt").read_bytes() == b"x" * 64 * 65_536


def test_folders_are_named_by_the_time_in_utc_and_never_shared(tmp_path: Path) -> None:
    names = [new_log_folder(tmp_path / "logs", 1_500_000_000.9).name for _ in range(3)]
    assert names == [
        "2017-07-14-02-40-00-committing-code",
        "2017-07-14-02-40-00-committing-code-2",
        "2017-07-14-02-40-00-committing-code-3",
    ]


def test_a_log_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    with pytest.raises(Fatal, match="cannot write the log"):
        Logs(tmp_path / "logs", REDACTOR).write(1, "query", b"x")
    with pytest.raises(Fatal, match="cannot write the log"):
        new_log_folder(tmp_path / "logs", 0)


def test_what_goes_wrong_while_a_log_is_open_is_no_fault_of_the_log(tmp_path: Path) -> None:
    logs = Logs(tmp_path / "logs", REDACTOR)
    with pytest.raises(FileNotFoundError), logs.open_stream(1, "build") as add:
        add(b"begun\n")
        (tmp_path / "missing").read_bytes()
    assert (tmp_path / "logs/1-initial-query-build.txt").read_bytes() == b"begun\n"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_log_that_fills_up_is_reported(tmp_path: Path) -> None:
    logs = Logs(tmp_path / "logs", REDACTOR)
    logs.folder.mkdir()
    logs.path(1, "build").symlink_to("/dev/full")
    said = r"cannot write the log '.*-build\.txt': No space left on device"
    with pytest.raises(Fatal, match=said), logs.open_stream(1, "build") as add:
        add(b"x" * 2_000_000)
    with pytest.raises(Fatal, match=said), logs.open_stream(1, "build") as add:
        add(b"x")
