"""Real commands under each sandbox that this machine has."""

import contextlib
import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from git_retcon.run.environment import sandboxed_environment
from git_retcon.run.process_table import machine_memory
from git_retcon.run.sandbox.confinement import confine_to, confine_to_worktree
from git_retcon.run.sandbox.level import Sandbox
from git_retcon.run.shell_command import Outcome
from git_retcon.run.worktree import Worktree, open_worktree
from tests.repository import TestRepository


@dataclass(frozen=True)
class Confined:
    """A worktree in which commands run confined."""

    worktree: Worktree
    sandbox: Sandbox
    home: Path

    def run(self, command: str, timeout: float = 30) -> Outcome:
        env = sandboxed_environment()
        place = confine_to_worktree(self.worktree, env)
        prefix = self.sandbox.prefix(place)
        return self.worktree.run(command, env=env, timeout=timeout, prefix=prefix)

    def python(self, program: str) -> Outcome:
        return self.run(f"{shlex.quote(sys.executable)} -c {shlex.quote(program)}")


@pytest.fixture
def inside(
    repo: TestRepository,
    tmp_path: Path,
    sealed: Path,
    sandbox: Sandbox,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Confined]:
    bin_of_tests = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{bin_of_tests}{os.pathsep}{os.environ['PATH']}")
    (sealed / ".ssh").mkdir()
    (sealed / ".ssh/id_ed25519").write_text("a secret")
    (sealed / ".netrc").write_text("a secret")
    (sealed / ".cargo/bin").mkdir(parents=True)
    (sealed / ".cargo/bin/tool").write_text("#!/bin/sh\necho tool\n")
    (sealed / ".cargo/bin/tool").chmod(0o755)
    (sealed / ".cargo/credentials.toml").write_text("a secret")
    (repo.path / ".env").write_text("a secret")
    commit = repo.commit("one", {"a.c": "int main(void) { return 7; }\n", ".gitignore": ".env\n"})
    with open_worktree(tmp_path / "worktrees", repo.open(), "build") as worktree:
        worktree.checkout(commit)
        yield Confined(worktree, sandbox, sealed)


def test_a_build_compiles_runs_and_writes(inside: Confined) -> None:
    done = inside.run("cc -o prog a.c && mkdir sub && echo hi >sub/f && ./prog")
    assert (done.status, done.output) == (7, b"")
    assert (inside.worktree.tree / "sub/f").read_text() == "hi\n"


def test_the_private_tmpdir_works_and_is_gone_afterwards(inside: Confined) -> None:
    done = inside.run('f=$(mktemp) && echo x >"$f" && cat "$f" && echo "$f" && test -w "$HOME"')
    assert done.passed, done.output
    said, path = done.output.decode().split()
    assert said == "x"
    assert not Path(path).exists()


def test_python_runs_with_its_packages(inside: Confined) -> None:
    done = inside.python("import pygit2, subprocess, tempfile; print('fine')")
    assert done.output == b"fine\n"


@pytest.mark.parametrize("status", [0, 1, 42, 130])
def test_the_exit_status_passes_through(inside: Confined, status: int) -> None:
    assert inside.run(f"exit {status}").status == status


def test_a_signal_shows_as_the_shell_shows_it(inside: Confined) -> None:
    assert inside.run("kill -SEGV $$").status == 139


def test_nothing_outside_the_tree_can_be_written(inside: Confined, repo: TestRepository) -> None:
    outside = inside.worktree.root.parent / "outside"
    places = [outside, repo.path / "a.c", repo.path / ".git/config", inside.home / "f", "/etc/f"]
    for place in places:
        inside.run(f"echo x >>{shlex.quote(str(place))}; rm -rf {shlex.quote(str(place))}")
    assert not outside.exists()
    assert not (inside.home / "f").exists()
    assert not Path("/etc/f").exists()
    assert repo.git("status", "--porcelain") == ""
    assert (repo.path / "a.c").exists()
    assert (repo.path / ".git/config").exists()


@pytest.mark.parametrize("setting", ["kernel/core_pattern", "vm/swappiness"])
def test_settings_of_the_kernel_cannot_be_written(inside: Confined, setting: str) -> None:
    assert not inside.run(f"(: >>/proc/sys/{setting}) 2>/dev/null").passed


def test_no_right_of_root_is_left(inside: Confined) -> None:
    done = inside.run("grep -E '^Cap(Prm|Eff|Bnd)' /proc/self/status")
    assert {line.split()[1] for line in done.output.splitlines()} == {b"0" * 16}


def test_a_link_out_of_the_tree_leads_nowhere(inside: Confined, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    done = inside.run(f"ln -s {shlex.quote(str(target))} out && echo x >out/f")
    assert not done.passed
    assert list(target.iterdir()) == []


def test_tools_of_home_work_and_cannot_be_changed(inside: Confined) -> None:
    done = inside.run('"$HOME/.cargo/bin/tool" && touch "$HOME/.cargo/lock"')
    assert (done.status, done.output) == (0, b"tool\n")
    assert not inside.run('echo evil >"$HOME/.cargo/bin/tool"').passed
    assert "evil" not in (inside.home / ".cargo/bin/tool").read_text()
    assert not (inside.home / ".cargo/lock").exists()


@pytest.mark.parametrize("is_relative", [True, False])
def test_a_tool_that_a_link_on_path_leads_to_works(
    inside: Confined, monkeypatch: pytest.MonkeyPatch, is_relative: bool
) -> None:
    java = inside.home / ".sdkman/candidates/java"
    (java / "21/bin").mkdir(parents=True)
    (java / "21/lib").mkdir()
    (java / "21/bin/javac").write_text("#!/bin/sh\necho javac\n")
    (java / "21/bin/javac").chmod(0o755)
    (java / "current").symlink_to("21" if is_relative else java / "21")
    (inside.home / "linked").symlink_to(java / "current")
    for place in (java / "current", inside.home / "linked"):
        monkeypatch.setenv("PATH", f"{place}/bin{os.pathsep}{os.environ['PATH']}")
    assert inside.run(f"javac && {java}/current/bin/javac").output == b"javac\njavac\n"


@pytest.mark.parametrize("name", [".ssh/id_ed25519", ".netrc", ".cargo/credentials.toml"])
def test_secrets_in_home_cannot_be_read(inside: Confined, name: str) -> None:
    path = inside.home / name
    assert path.read_text() == "a secret"
    done = inside.run(f"cat {shlex.quote(str(path))}")
    assert not done.passed
    assert b"a secret" not in done.output


def test_the_users_checkout_cannot_be_read(inside: Confined, repo: TestRepository) -> None:
    for name in (".env", ".git/config", "a.c"):
        assert not inside.run(f"cat {shlex.quote(str(repo.path / name))}").passed


def test_secrets_of_the_environment_are_gone(
    inside: Confined, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a secret")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/a/socket")
    other = subprocess.Popen(["sleep", "60"], env={"ANTHROPIC_API_KEY": "a secret of another"})
    try:
        environment = Path(f"/proc/{other.pid}/environ")
        while not environment.read_bytes():  # it is still becoming sleep
            time.sleep(0.01)
        assert b"a secret" in environment.read_bytes()
        done = inside.run("env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; true")
    finally:
        other.kill()
        other.wait()
    assert b"PATH=" in done.output
    assert b"a secret" not in done.output
    assert b"SSH_AUTH_SOCK" not in done.output


def test_a_listener_outside_cannot_be_reached(inside: Confined) -> None:
    program = "import socket; socket.create_connection(('127.0.0.1', {}), 3).sendall(b'out')"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        port = listener.getsockname()[1]
        done = inside.python(program.format(port))
        assert b"Error: [Errno" in done.output
        with pytest.raises(TimeoutError):
            listener.accept()
        subprocess.run([sys.executable, "-c", program.format(port)], check=True)
        listener.accept()[0].close()


@pytest.mark.parametrize("is_relative", [False, True])
def test_a_socket_beside_the_tools_cannot_be_reached(
    repo: TestRepository, sealed: Path, strong_sandbox: Sandbox, *, is_relative: bool
) -> None:
    place = sealed / "go/bin/s"  # short: few letters fit
    place.parent.mkdir(parents=True)
    connect = f"import socket; socket.socket(socket.AF_UNIX).connect({str(place)!r})"
    with socket.socket(socket.AF_UNIX) as daemon, contextlib.chdir(place.parent):
        daemon.bind(place.name if is_relative else str(place))
        daemon.listen()
        prefix = strong_sandbox.prefix(confine_to(repo.path, os.environ))
        done = subprocess.run([*prefix, "python3", "-c", connect], cwd=repo.path)
    assert done.returncode == 1


def test_git_works_on_the_borrowed_objects_and_cannot_be_changed(inside: Confined) -> None:
    done = inside.run("git log --format=%s && git status --porcelain")
    assert done.output == b"one\n"
    before = (inside.worktree.git_dir / "config").read_bytes()
    assert not inside.run("git config core.fsmonitor evil").passed
    assert not inside.run("git tag evil").passed
    assert (inside.worktree.git_dir / "config").read_bytes() == before


def test_the_git_file_of_the_tree_stays(inside: Confined) -> None:
    before = (inside.worktree.tree / ".git").read_bytes()
    inside.run("echo evil >.git; rm -f .git; mv .git gone; ln -s /etc .git")
    link = inside.worktree.tree / ".git"
    assert not link.is_symlink()
    assert link.read_bytes() == before


@pytest.mark.slow
def test_a_deadline_ends_everything_inside(inside: Confined) -> None:
    done = inside.run(
        "(trap '' TERM; while :; do echo x >>beat; sleep 0.05; done) & setsid sleep 77 & sleep 60",
        timeout=1,
    )
    assert done.timed_out
    assert done.seconds < 10
    beat = inside.worktree.tree / "beat"
    size = beat.stat().st_size
    assert size > 0
    time.sleep(0.3)
    assert beat.stat().st_size == size


def test_a_package_of_ours_in_the_tree_does_not_replace_the_launcher(inside: Confined) -> None:
    done = inside.run(
        "mkdir -p git_retcon; echo 'raise SystemExit(0)' | tee git_retcon/__init__.py json.py"
    )
    assert done.passed
    assert inside.run("exit 3").status == 3


def test_a_plain_directory_keeps_its_git_directory(
    repo: TestRepository, sealed: Path, strong_sandbox: Sandbox
) -> None:
    repo.commit("one", {"a": "1\n"})
    prefix = strong_sandbox.prefix(confine_to(repo.path, os.environ))
    done = subprocess.run([*prefix, "sh", "-c", "echo 2 >a; echo x >.git/config"], cwd=repo.path)
    assert done.returncode != 0
    assert (repo.path / "a").read_text() == "2\n"
    assert repo.rev("HEAD")


def test_each_folder_that_is_hidden_looks_empty(
    repo: TestRepository, strong_sandbox: Sandbox
) -> None:
    # Not beneath a folder that is hidden by itself, as all is that tests make.
    prefix = strong_sandbox.prefix(confine_to(repo.path, os.environ, hidden=[Path("/usr/share")]))
    listed = subprocess.check_output([*prefix, "ls", "-A", "/usr/share"], cwd=repo.path)
    assert listed == b""


def test_what_is_kept_in_memory_cannot_fill_it(inside: Confined) -> None:
    if not inside.sandbox.level.is_strong:
        pytest.skip("a weak sandbox has no file system of its own")
    places = ("/tmp", "/dev/shm", str(inside.home))
    program = f"import os\nfor p in {places!r}: s = os.statvfs(p); print(s.f_blocks * s.f_frsize)"
    sizes = [int(line) for line in inside.python(program).output.split()]
    assert len(sizes) == len(places)
    assert all(0 < size <= machine_memory() // 4 + 4096 for size in sizes)
    assert inside.run("echo x >/dev/shm/x && cat /dev/shm/x").output == b"x\n"
