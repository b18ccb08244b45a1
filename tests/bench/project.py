"""How a project of somebody else's is built and tested here.

For Python: compile everything, import the package, and run the project's own tests in a virtual
environment of the benchmark's own, kept by project. Tests that fail at the base or at the source
already are left out, since they say nothing about the commits between; so are those slower than
SLOW seconds, which wait for a network or for a clock.
"""

import hashlib
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from git_retcon.run.shell_command import run_command

TIMEOUT = 600.0  # seconds for one command
SLOW = 2
_MOST_LEFT_OUT = 40
_GROUPS = ("test", "tests", "testing", "dev")
_REQUIREMENTS = ("requirements-dev.txt", "requirements-test.txt", "requirements/tests.txt")
_NO_PACKAGES = {"tests", "test", "docs", "doc", "examples", "bench", "ext", "testing", "tools"}
_SLOW = re.compile(r"^ *[0-9.]+s (?:call|setup|teardown) +(.+?) *$", re.MULTILINE)
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py(?:::.*?)?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Recipe:
    """What proves a tree. ``left_out`` counts tests that are not run."""

    build: str
    test: str | None = None
    setup: str | None = None
    left_out: int = 0

    def passes(self, tree: Path) -> bool:
        """Whether set-up, build and tests succeed in a checkout."""
        steps = [step for step in (self.setup, self.build, self.test) if step]
        return all(run(step, tree).status == 0 for step in steps)


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    output: str


def run(command: str, where: Path) -> Ended:
    """Run a shell command in a checkout, at most TIMEOUT seconds."""
    done = run_command(command, cwd=where, env=os.environ, timeout=TIMEOUT)
    return Ended(124 if done.timed_out else done.status, done.output.decode("utf-8", "replace"))


def python_environment(checkout: Path, name: str, cache: Path) -> Path | None:
    """The interpreter of an environment with the project and what its tests need, if it installs.

    It is made once for each state of the project's requirements and kept beneath ``cache``.
    """
    wanted = list(_requirements(checkout))
    declared = b"".join((checkout / each).read_bytes() for each in _declaring(checkout))
    key = hashlib.sha256(sys.version.encode() + declared).hexdigest()[:12]
    home = cache / f"{name}-{key}"
    python = home / "bin" / "python"
    if (home / "complete").exists():
        return python
    subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
    command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "pytest"]
    done = subprocess.run([*command, *wanted], cwd=checkout, check=False, capture_output=True)
    if done.returncode != 0:
        print(f"{name}: its requirements do not install: {done.stderr.decode()[-400:]}")
        return None
    (home / "complete").touch()
    return python


def _declaring(checkout: Path) -> list[str]:
    names = ("pyproject.toml", "setup.py", "setup.cfg", *_REQUIREMENTS)
    return [name for name in names if (checkout / name).is_file()]


def _requirements(checkout: Path) -> Iterator[str]:
    """Arguments of pip: the project, its test groups and its files of requirements."""
    path = checkout / "pyproject.toml"
    table = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    extras = table.get("project", {}).get("optional-dependencies", {})
    chosen = next((each for each in _GROUPS if each in extras), None)
    yield f".[{chosen}]" if chosen else "."
    groups = table.get("dependency-groups", {})
    group = next((each for each in _GROUPS if each in groups), None)
    if group:
        yield from _members(groups, group)
    for name in _REQUIREMENTS:
        if (checkout / name).is_file() and not group and not chosen:
            yield from ("-r", name)


def _members(groups: Mapping[str, list[object]], name: str) -> Iterator[str]:
    """The requirements of a dependency group, those it includes too (PEP 735)."""
    for each in groups[name]:
        if isinstance(each, dict):
            yield from _members(groups, each["include-group"])
        elif isinstance(each, str):
            yield each


def python_recipe(tree: Path, python: Path) -> Recipe | None:
    """Compile and import the packages that are in a checkout; None when there is none."""
    packages = [
        path.parent
        for pattern in ("src/*/__init__.py", "*/__init__.py")
        for path in sorted(tree.glob(pattern))
        if path.parent.name not in _NO_PACKAGES
    ]
    if not packages:
        return None
    folders = [str(path.relative_to(tree)) for path in packages] + _tests(tree)
    roots = ":".join(sorted({str(path.parent.relative_to(tree)) for path in packages}))
    imports = ", ".join(path.name for path in packages)
    own = f"PYTHONPATH={shlex.quote(roots)} {shlex.quote(str(python))} -B"
    # -f, and no bytecode from imports: a file of the same size written in the same second would
    # be taken for the one that was compiled before.
    build = f"{own} -m compileall -q -f {shlex.join(folders)} && {own} -c 'import {imports}'"
    return Recipe(build)


def _tests(tree: Path) -> list[str]:
    folders = [name for name in ("tests", "test") if (tree / name).is_dir()]
    return folders or sorted(path.name for path in tree.glob("test_*.py"))


def with_tests(
    recipe: Recipe, python: Path, checkouts: Iterable[Path], touched: Collection[str] | None
) -> Recipe:
    """The recipe with the project's own tests, less those left out in ``checkouts``.

    ``touched`` narrows them to the test files that a branch changes. Where there are none, they
    do not run at all, or too many fail, the recipe goes without.
    """
    # Old trees make errors of warnings that newer tools give them.
    flags = "-q -p no:cacheprovider -W ignore::DeprecationWarning"
    own = f"PYTHONPATH=src:. {shlex.quote(str(python))} -B -m pytest {flags}"
    failing: set[str] = set()
    everywhere: dict[str, None] = {}
    for tree in checkouts:
        places = _tests(tree) if touched is None else _test_files(tree, touched)
        everywhere.update(dict.fromkeys(places))
        if not places:
            continue
        asked = f"--continue-on-collection-errors --tb=no -rfE --durations=0 --durations-min={SLOW}"
        ended = run(f"{own} {asked} {shlex.join(places)}", tree)
        if ended.status not in (0, 1):
            return recipe
        found = set(_FAILED.findall(ended.output))
        if ended.status == 1 and not found:
            return recipe
        failing |= found | set(_SLOW.findall(ended.output))
    if len(failing) > _MOST_LEFT_OUT or not everywhere:
        return recipe
    # A file of tests comes with one of the commits: before it, the others are enough.
    there = f"$(ls -d {shlex.join(everywhere)} 2>/dev/null)"
    test = f'set -- {there}; [ $# -eq 0 ] || {own} -x {_deselected(failing)}"$@"'
    return Recipe(recipe.build, test, recipe.setup, len(failing))


def _test_files(tree: Path, touched: Collection[str]) -> list[str]:
    named = (path for path in touched if re.search(r"(?:^|/)test_\w*\.py$", path))
    return sorted(path for path in named if (tree / path).is_file())


def _deselected(tests: Collection[str]) -> str:
    return "".join(
        f"{'--deselect' if '::' in each else '--ignore'} {shlex.quote(each)} "
        for each in sorted(tests)
    )
