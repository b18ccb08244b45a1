"""The launchers in bin/ run from a checkout as it is, and make its environment at the first run."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
LAUNCHERS = ("git-retcon", "git-heal", "git-allium", "git-code-commit")

# What replaces the package prints how it was started.
COMMAND = """
import json, sys
print(json.dumps({"module": __spec__.name, "arguments": sys.argv[1:], "path": sys.path}))
sys.exit(7)
"""


@dataclass(frozen=True)
class Checkout:
    """A checkout of our launchers, with requirements that need no network."""

    path: Path
    env: dict[str, str]

    @property
    def environment(self) -> Path:
        return self.path / ".venv"

    def start(self, launcher: str, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(self.path / "bin" / launcher), *arguments],
            env=self.env,
            cwd=self.path.parent,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def run(self, launcher: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        process = self.start(launcher, *arguments)
        stdout, stderr = process.communicate(timeout=120)
        return subprocess.CompletedProcess(arguments, process.returncode, stdout, stderr)

    def require(self, *wheels: Path) -> None:
        """Pin these wheels and nothing else."""
        pins = (
            f"{wheel.name.partition('-')[0]} @ {wheel.as_uri()}"
            f" --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
            for wheel in wheels
        )
        (self.path / "requirements/run.txt").write_text("".join(pins))

    def has(self, package: str) -> bool:
        python = self.environment / "bin/python"
        asked = [str(python), "-I", "-c", f"import {package}"]
        return subprocess.run(asked, capture_output=True, check=False).returncode == 0


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A fresh clone, so to speak."""
    return new_checkout(tmp_path)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout after its first run."""
    checkout = new_checkout(tmp_path_factory.mktemp("made"))
    assert checkout.run("git-heal").returncode == 7
    return checkout


@pytest.fixture
def ready(made: Checkout, tmp_path: Path) -> Checkout:
    """A copy of it for one test."""
    path = tmp_path / "a ready check out"
    shutil.copytree(made.path, path, symlinks=True)
    return Checkout(path, environment(made.path.parent / "tools"))


def new_checkout(folder: Path) -> Checkout:
    tools = folder / "tools"
    tools.mkdir()
    (tools / "python3").symlink_to(Path(sys.executable).resolve())
    (tools / "uv").symlink_to(Path(sys.executable).parent / "uv")
    path = folder / "a check out"
    shutil.copytree(ROOT / "bin", path / "bin")
    commands = path / "git_retcon/commands"
    commands.mkdir(parents=True)
    for launcher in LAUNCHERS:
        name = launcher.removeprefix("git-").replace("-", "_")
        (commands / f"{name}.py").write_text(COMMAND)
    (path / "requirements").mkdir()
    checkout = Checkout(path, environment(tools))
    checkout.require(wheel(folder, "first"))
    return checkout


def environment(tools: Path) -> dict[str, str]:
    """Nothing but these tools and the system's, and no network."""
    return os.environ | {"PATH": f"{tools}:/usr/bin:/bin", "PIP_NO_INDEX": "1", "UV_OFFLINE": "1"}


def wheel(folder: Path, package: str) -> Path:
    """Write the smallest wheel there is."""
    path = folder / f"{package}-1.0-py3-none-any.whl"
    info = f"{package}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{package}.py", "")
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return path


@pytest.mark.parametrize("tool", ["uv", "pip"])
def test_the_first_run_says_in_one_line_what_it_installs_and_later_ones_nothing(
    checkout: Checkout, tmp_path: Path, tool: str
) -> None:
    if tool == "pip":
        (tmp_path / "tools/uv").unlink()
    first = checkout.run("git-heal")
    assert first.returncode == 7
    (line,) = first.stderr.splitlines()
    assert f"first run: installing into '{checkout.environment}' with {tool}," in line
    assert checkout.has("first")
    again = checkout.run("git-heal")
    assert (again.returncode, again.stderr) == (7, "")


def test_each_launcher_starts_its_own_command_through_links_and_from_anywhere(
    ready: Checkout, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "else where"
    decoys = elsewhere / "git_retcon/commands"
    decoys.mkdir(parents=True)
    (elsewhere / "json.py").write_text("raise SystemExit('imported from the current directory')")
    for launcher in LAUNCHERS:
        (elsewhere / "far").unlink(missing_ok=True)
        (elsewhere / "far").symlink_to("near")
        (elsewhere / "near").unlink(missing_ok=True)
        (elsewhere / "near").symlink_to(ready.path / "bin" / launcher)
        done = subprocess.run(
            ["./far", "a b", "--", ""],
            cwd=elsewhere,
            env=ready.env | {"PYTHONPATH": str(elsewhere), "PYTHONHOME": str(elsewhere)},
            capture_output=True,
            check=False,
        )
        told = json.loads(done.stdout)
        name = launcher.removeprefix("git-").replace("-", "_")
        assert told["module"] == f"git_retcon.commands.{name}"
        assert told["arguments"] == ["a b", "--", ""]
        assert str(ready.path) in told["path"]
        assert str(elsewhere) not in told["path"]


def test_git_finds_a_launcher_on_the_path(ready: Checkout) -> None:
    path = f"{ready.path / 'bin'}:{ready.env['PATH']}"
    done = subprocess.run(
        ["git", "retcon", "x"], env=ready.env | {"PATH": path}, capture_output=True, check=False
    )
    assert done.returncode == 7
    assert json.loads(done.stdout)["arguments"] == ["x"]


def test_changed_requirements_are_installed_into_an_environment_made_again(
    ready: Checkout, tmp_path: Path
) -> None:
    ready.require(wheel(tmp_path, "second"))
    assert "the requirements have changed" in ready.run("git-heal").stderr
    assert ready.has("second")
    assert not ready.has("first")


def test_what_the_tests_need_is_added_without_taking_anything_away(
    ready: Checkout, tmp_path: Path
) -> None:
    run, dev = (ready.path / f"requirements/{name}.txt" for name in ("run", "dev"))
    pinned = run.read_text()
    ready.require(wheel(tmp_path, "first"), wheel(tmp_path, "tester"))
    dev.write_text(run.read_text())
    run.write_text(pinned)
    script = ready.path / "tests/run"
    script.parent.mkdir()
    shutil.copy(ROOT / "tests/run", script)
    subprocess.run([str(script), "--version"], env=ready.env, capture_output=True, check=False)
    assert ready.has("first")
    assert ready.has("tester")
    assert ready.run("git-heal").stderr == ""


def test_two_first_runs_at_once_both_work_and_one_of_them_installs(checkout: Checkout) -> None:
    both = [checkout.start("git-heal"), checkout.start("git-allium")]
    said = [process.communicate(timeout=120)[1] for process in both]
    assert [process.returncode for process in both] == [7, 7]
    assert "".join(said).count("first run") == 1


@pytest.mark.parametrize("reached", ["environment.lock", "bin/python", "lib"])
def test_a_killed_first_run_is_completed_by_the_next(checkout: Checkout, reached: str) -> None:
    process = checkout.start("git-heal")
    deadline = time.monotonic() + 60
    while not (checkout.environment / reached).exists() and time.monotonic() < deadline:
        time.sleep(0.001)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert checkout.run("git-heal").returncode == 7
    assert checkout.has("first")


def test_a_failed_installation_says_what_to_do_and_the_next_run_tries_again(
    checkout: Checkout, tmp_path: Path
) -> None:
    missing = wheel(tmp_path, "missing")
    checkout.require(missing)
    content = missing.read_bytes()
    missing.unlink()
    failed = checkout.run("git-heal")
    assert failed.returncode == 128
    _, fatal, hint = failed.stderr.splitlines()
    assert fatal.startswith("fatal: could not install what git-retcon needs: ")
    assert hint.startswith("hint: check the network")
    assert failed.stdout == ""
    missing.write_bytes(content)
    assert checkout.run("git-heal").returncode == 7


def test_a_python_that_is_gone_is_replaced(ready: Checkout) -> None:
    python = ready.environment / "bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert ready.run("git-heal").returncode == 7


def test_a_moved_checkout_goes_on_without_installing(ready: Checkout, tmp_path: Path) -> None:
    moved = Checkout(ready.path.rename(tmp_path / "moved"), ready.env)
    done = moved.run("git-heal")
    assert (done.returncode, done.stderr) == (7, "")
    assert str(moved.path) in json.loads(done.stdout)["path"]


def test_without_a_new_enough_python_it_says_so(checkout: Checkout, tmp_path: Path) -> None:
    tools = tmp_path / "fewer tools"
    tools.mkdir()
    for name in ("sh", "readlink", "cmp"):
        (tools / name).symlink_to(shutil.which(name) or name)
    (tools / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tools / "python3").chmod(0o755)
    bare = Checkout(checkout.path, checkout.env | {"PATH": str(tools)})
    done = bare.run("git-heal")
    assert done.returncode == 128
    fatal, hint = done.stderr.splitlines()
    assert fatal == "fatal: no Python 3.11 or newer was found"
    assert hint.startswith("hint: install one")


def test_an_environment_somebody_else_made_is_left_alone(checkout: Checkout) -> None:
    checkout.environment.mkdir()
    (checkout.environment / "precious").write_text("")
    done = checkout.run("git-heal")
    assert done.returncode == 128
    assert "was not made by git-retcon" in done.stderr
    assert [entry.name for entry in checkout.environment.iterdir()] == ["precious"]


def test_a_checkout_of_another_user_says_why_it_cannot_be_completed(ready: Checkout) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "theirs"
        shutil.copytree(ready.path, path, symlinks=True)
        (path / "requirements/run.txt").write_text("another==1.0\n")
        # Root may write everywhere, so it becomes nobody.
        other = 65534 if os.geteuid() == 0 else None
        for each in (Path(folder), path / ".venv"):
            each.chmod(0o555)
        (path / ".venv/environment.lock").chmod(0o444)
        done = subprocess.run(
            [str(path / "bin/git-heal")],
            env=ready.env | {"PATH": "/usr/bin:/bin"},
            cwd="/",
            user=other,
            capture_output=True,
            text=True,
            check=False,
        )
        for each in (Path(folder), path / ".venv"):
            each.chmod(0o755)
    fatal, hint, another = done.stderr.splitlines()
    assert done.returncode == 128
    assert fatal.startswith(f"fatal: '{path}/.venv' belongs to another user, and ")
    assert hint.startswith("hint: have its owner run")
    assert another == "hint: use a clone of your own"
