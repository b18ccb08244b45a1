"""One at a time, and the second is told who holds the lock."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from git_retcon.errors import Fatal, Reason
from git_retcon.files.lock import hold_lock
from tests.program import CHECKOUT

_HOLD = (
    "import sys, time; from pathlib import Path; from git_retcon.files.lock import hold_lock\n"
    "with hold_lock(Path(sys.argv[1]), 'testing'):\n"
    "    print('held', flush=True); time.sleep(600)\n"
)


def test_the_second_learns_who_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "lock"
    with (
        hold_lock(path, "rebuilding 'clean'"),
        pytest.raises(Fatal, match=rf"^another process is rebuilding 'x' \(pid {os.getpid()}\)$"),
        hold_lock(path, "rebuilding 'x'"),
    ):
        pass
    with hold_lock(path, "rebuilding 'clean'"):
        assert path.read_text() == f"{os.getpid()}\n"


def test_a_link_is_no_lock_and_what_it_leads_to_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("work of theirs\n")
    (tmp_path / "lock").symlink_to(tmp_path / "theirs")
    with pytest.raises(Fatal, match="cannot lock"), hold_lock(tmp_path / "lock", "testing"):
        pass
    assert (tmp_path / "theirs").read_text() == "work of theirs\n"


def test_an_error_inside_lets_go(tmp_path: Path) -> None:
    with pytest.raises(KeyError), hold_lock(tmp_path / "lock", "testing"):
        raise KeyError
    with hold_lock(tmp_path / "lock", "testing"):
        pass


def test_it_dies_with_its_process_and_the_next_names_itself(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("99999999999999\nmore than a pid\n")
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, path], cwd=CHECKOUT, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Fatal, match=rf"\(pid {holder.pid}\)"), hold_lock(path, "testing"):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        with hold_lock(path, "testing"):
            assert path.read_text() == f"{os.getpid()}\n"


def test_a_process_that_is_started_meanwhile_does_not_hold_it(tmp_path: Path) -> None:
    with hold_lock(tmp_path / "lock", "testing"):
        child = subprocess.Popen(["sleep", "600"], close_fds=False)
    try:
        with hold_lock(tmp_path / "lock", "testing"):
            pass
    finally:
        child.kill()
        child.wait()


def test_a_child_that_a_killed_process_was_starting_is_waited_for(tmp_path: Path) -> None:
    forks = (
        "import os, sys, time; from pathlib import Path\n"
        "from git_retcon.files.lock import hold_lock\n"
        "with hold_lock(Path(sys.argv[1]), 'testing'):\n"
        "    os.fork() or time.sleep(0.2) or os._exit(0)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", forks, tmp_path / "lock"], cwd=CHECKOUT, check=False)
    with hold_lock(tmp_path / "lock", "testing"):
        pass


def test_a_lock_that_cannot_be_made_is_an_error_for_people(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(Fatal, match="cannot lock") as caught,
        hold_lock(tmp_path / "file/x", "testing"),
    ):
        pass
    assert caught.value.hint is not None
    with (
        pytest.raises(Fatal, match=r"cannot lock .*: Is a directory"),
        hold_lock(tmp_path, "testing"),
    ):
        pass


def test_a_full_disk_is_an_error_for_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", refuse)
    with pytest.raises(Fatal, match="No space left"), hold_lock(tmp_path / "lock", "testing"):
        pass
    monkeypatch.undo()
    with hold_lock(tmp_path / "lock", "testing"):
        pass


@pytest.mark.parametrize(
    ("content", "holder"), [(b"", "unknown"), (b"\n", "unknown"), (b"\xff7\n", "\ufffd7")]
)
def test_a_holder_that_did_not_write_its_name_yet_is_unknown(
    tmp_path: Path, content: bytes, holder: str
) -> None:
    path = tmp_path / "lock"
    with hold_lock(path, "testing"):
        path.write_bytes(content)
        with pytest.raises(Fatal, match=rf"\(pid {holder}\)") as caught, hold_lock(path, "testing"):
            pass
    assert caught.value.reason is Reason.LOCKED


def test_others_of_the_group_may_take_it_where_the_umask_lets_them(tmp_path: Path) -> None:
    mask = os.umask(0o002)
    try:
        with hold_lock(tmp_path / "lock", "testing"):
            assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o664
    finally:
        os.umask(mask)


def test_a_lock_that_is_taken_leaves_no_file_open(tmp_path: Path) -> None:
    with hold_lock(tmp_path / "lock", "testing"):
        before = len(list(Path("/dev/fd").iterdir()))
        for _ in range(3):
            with pytest.raises(Fatal), hold_lock(tmp_path / "lock", "testing"):
                pass
        assert len(list(Path("/dev/fd").iterdir())) == before
