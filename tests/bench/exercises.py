"""aider's polyglot exercises, each as a project of its own that ``build.sh`` judges."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("python", "javascript")
_BUILDS = {
    # No bytecode: a wrong answer and a right one may be written within one second.
    "python": "#!/bin/sh\nexec python -B -m pytest -q -p no:cacheprovider *_test.py\n",
    "javascript": "#!/bin/sh\nexec npm test --silent\n",
}
_NEVER_COPIED = (".meta", ".docs", "LICENSE", "node_modules")
_NO_TEST_TOOLS = re.compile(r"eslint|^@types/")
_SKIPPED_TEST = re.compile(r"\bx(?=(?:test|it|describe)\()|(?<=\btest)\.skip\b")


@dataclass(frozen=True)
class Exercise:
    """One exercise: where it is, the file to solve it in, its tests, and a solution that passes."""

    language: str
    folder: Path
    solution: str
    tests: tuple[str, ...]
    example: str

    @property
    def name(self) -> str:
        return f"{self.language}/{self.folder.name}"

    @property
    def stub(self) -> str:
        return (self.folder / self.solution).read_text("utf-8")

    @property
    def reference(self) -> str:
        return (self.folder / self.example).read_text("utf-8")

    @property
    def instructions(self) -> str:
        """What is asked for, as a person would write it."""
        texts = sorted((self.folder / ".docs").glob("*.md"), key=lambda path: path.name)
        words = "\n".join(path.read_text("utf-8") for path in texts)
        return f"Implement '{self.solution}', so that its tests pass.\n\n{words}"


def exercises_of(clone: Path, language: str) -> Iterator[Exercise]:
    """Every exercise of a language in a checkout of the benchmark, by name."""
    for folder in sorted((clone / language / "exercises/practice").iterdir()):
        files = json.loads((folder / ".meta/config.json").read_text("utf-8"))["files"]
        (solution,), (example,) = files["solution"], files["example"]
        yield Exercise(language, folder, solution, tuple(files["test"]), example)


def write_project(exercise: Exercise, where: Path, tools: Path | None) -> None:
    """The exercise with its stub as a committed project; every test of it runs."""
    shutil.copytree(exercise.folder, where, ignore=shutil.ignore_patterns(*_NEVER_COPIED))
    for name in exercise.tests:
        text = (where / name).read_text("utf-8")
        if exercise.language == "javascript":
            text = _SKIPPED_TEST.sub("", text)
        (where / name).write_text(text, "utf-8")
    build = where / "build.sh"
    build.write_text(_BUILDS[exercise.language], "utf-8")
    build.chmod(0o755)
    (where / ".gitignore").write_text("/agent-config\n/node_modules\n__pycache__/\n", "utf-8")
    if tools is not None:
        (where / "node_modules").symlink_to(tools / "lib/node_modules")
    git(where, "init", "-q")
    git(where, "add", "-A")
    git(where, "commit", "-q", "-m", f"{exercise.name}: stub and tests")
    for name in (*exercise.tests, "package.json", "babel.config.js"):
        git(where, "config", "--add", "codecommit.protect", f"/{name}")
    (where / "agent-config").mkdir()
    (where / "agent-config/query.txt").write_text(exercise.instructions, "utf-8")


def install_tools(exercises: list[Exercise], cache: Path) -> Path | None:
    """What the tests of JavaScript exercises import, installed once; None where there are none.

    It lies as a prefix with ``bin`` and ``lib`` does, so a sandbox shows it to a build whose PATH
    names its ``bin``.
    """
    wanted: dict[str, str] = {}
    for exercise in exercises:
        if exercise.language == "javascript":
            package = json.loads((exercise.folder / "package.json").read_text("utf-8"))
            wanted |= package["devDependencies"] | package["dependencies"]
    wanted = {name: wanted[name] for name in sorted(wanted) if not _NO_TEST_TOOLS.search(name)}
    if not wanted:
        return None
    listed = json.dumps({"private": True, "dependencies": wanted})
    top = cache / f"node-{hashlib.sha256(listed.encode()).hexdigest()[:12]}"
    if not (top / "complete").exists():
        shutil.rmtree(top, ignore_errors=True)
        for folder in ("lib", "bin"):
            (top / folder).mkdir(parents=True)
        (top / "lib/package.json").write_text(listed, "utf-8")
        command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(command, cwd=top / "lib", check=True, stdout=sys.stderr)
        (top / "complete").touch()
    return top


def build_environment(tools: Path | None) -> dict[str, str]:
    """The user's environment, with this Python and the installed tools on PATH."""
    own = [str(Path(sys.executable).parent), *([str(tools / "bin")] if tools else [])]
    return {**os.environ, "PATH": os.pathsep.join([*own, os.environ["PATH"]])}


def passes(where: Path, env: Mapping[str, str]) -> bool:
    """Whether the project's build passes with nothing of ours around it."""
    done = subprocess.run(["./build.sh"], cwd=where, env=env, capture_output=True, check=False)
    return done.returncode == 0


def git(where: Path, *arguments: str) -> str:
    """What git prints in a folder."""
    who = ("-c", "user.name=Bench", "-c", "user.email=bench@example.com")
    done = subprocess.run(["git", *who, *arguments], cwd=where, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "surrogateescape")
