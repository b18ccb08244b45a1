"""What an installation gets: every file of the wheel, and commands that start light."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from git_retcon.commands.completion.script import make_installed_scripts

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
DATA = f"git_retcon-{PROJECT['project']['version']}.data/data"
SHARED: dict[str, str] = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
COMMANDS = sorted(path.stem for path in (ROOT / "git_retcon/commands").glob("[a-z]*.py"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def names(built: Path) -> set[str]:
    """Every name in the wheel."""
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def tracked(*folders: str) -> list[str]:
    """The files git knows beneath these folders."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).exists()]


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_package(names: set[str]) -> None:
    assert set(tracked("git_retcon")) <= names
    assert "git_retcon/py.typed" in names


def test_the_wheel_holds_every_man_page_where_it_is_looked_for(names: set[str]) -> None:
    assert set(tracked("man")) == SHARED.keys()
    assert {f"{DATA}/{target}" for target in SHARED.values()} <= names


def test_the_wheel_holds_the_completion_scripts_that_are_made_now(built: Path) -> None:
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        held = {
            name.removeprefix(f"{DATA}/share/"): archive.read(name).decode()
            for name in archive.namelist()
            if name.startswith(f"{DATA}/share/") and "/man/" not in name
        }
    assert held == dict(make_installed_scripts())


def test_the_wheel_holds_nothing_else(names: set[str]) -> None:
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"git_retcon"}
    assert not [name for name in names if name.endswith(".pyc")]


def test_the_sdist_holds_what_tests_need(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "tests/run",
        "bin/git-retcon",
        "hatch_build.py",
        "requirements/dev.txt",
        "LICENSE",
    } <= held


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_starts_without_what_is_slow_to_import(command: str) -> None:
    asked = (
        f"import sys, git_retcon.commands.{command};"
        "print(*{'anthropic', 'pygit2', 'unidiff'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_each_command_has_an_entry_point_and_a_launcher() -> None:
    for name, target in PROJECT["project"]["scripts"].items():
        module, _, function = target.partition(":")
        assert function == "main"
        launcher = (ROOT / "bin" / name).read_text()
        assert f"run_command {module.rpartition('.')[2]} " in launcher
