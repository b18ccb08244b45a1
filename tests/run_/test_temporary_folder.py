"""A temporary folder lasts as long as its block; one of a killed process, until the next."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from git_retcon.run import temporary_folder
from git_retcon.run.temporary_folder import open_temporary

HOLD = """
import subprocess, sys, time
from git_retcon.run.temporary_folder import open_temporary
with open_temporary("test.kind-", outlives_us=sys.argv[1] == "child") as folder:
    (folder / "deep").mkdir(0o500)
    if sys.argv[1] == "child":
        child = subprocess.Popen(["sleep", "60"], close_fds=False, stdout=subprocess.DEVNULL)
        print(child.pid, flush=True)
    else:
        print(0, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """TMPDIR."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return place


def hold(who: str) -> tuple[subprocess.Popen[str], int]:
    words = [sys.executable, "-c", HOLD, who]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def test_it_is_the_users_own_and_ends_with_its_block(top: Path) -> None:
    with open_temporary("test.kind-") as folder:
        assert folder.parent == top
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "locked").mkdir(0o000)
    assert list(top.iterdir()) == []


def test_one_of_a_living_process_is_left_and_one_of_a_killed_process_removed(top: Path) -> None:
    (top / "test.kin").mkdir()
    (top / "test.kind-link").symlink_to("test.kin")
    (top / "test.kind-file").write_text("another program's")
    process, _ = hold("nobody")
    with process:
        with open_temporary("test.kind-"):
            assert len(list(top.glob("test.kind-????????"))) == 2
        process.kill()
    temporary_folder._remove_abandoned.cache_clear()  # what another process does once
    with open_temporary("test.kind-") as folder:
        assert list(top.glob("test.kind-????????")) == [folder]
    assert sorted(path.name for path in top.iterdir()) == [
        "test.kin",
        "test.kind-file",
        "test.kind-link",
    ]


def test_an_editor_keeps_its_file_when_we_are_killed(top: Path) -> None:
    process, child = hold("child")
    with process:
        process.kill()
    try:
        with open_temporary("test.kind-"):
            assert len(list(top.iterdir())) == 2
    finally:
        os.kill(child, signal.SIGKILL)
