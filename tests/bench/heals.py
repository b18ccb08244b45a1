"""``git heal`` over public repositories with seeded faults: what it heals with no model.

    python -m tests.bench.heals FOLDER-OF-CLONES [--only NAME] [--each N] [--kind KIND]
        [--work FOLDER] [--seconds N]

Each repository has, in a job of its own, the commands with which it lints itself, in the releases
it pins. A fault is seeded into a file (``seeds``); where these commands, run by hand in another
clone, fail for it, ``git heal --yes`` runs. What it calls healed is taken into the other clone, and
the commands are run by hand again: one that fails is a wrong "healed".

Results are kept in the work folder as they come, also of what was interrupted, and are not measured
again: with ``--seconds`` it stops after some time, and the same command goes on. Nothing is written
to the clones that are given.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from tests.bench.breakages import Breakage
from tests.bench.clones import clone_repository, list_files, restore_files, run_heal
from tests.bench.seeds import KINDS, list_seeds
from tests.bench.workflows import FOLDER
from tests.heal.project import STEPS

_SECONDS = 300.0  # of one heal
_ROUNDS = 3  # of one fault


class Project(NamedTuple):
    """A repository: how it lints itself, the packages that this takes (of PyPI or npm; go, gofmt
    and goimports are the machine's), and the folder whose files are linted.
    """

    name: str
    commands: tuple[str, ...]
    packages: tuple[str, ...] = ()
    language: str = "Python"
    folder: str = ""


_GOFMT = 'test -z "$(gofmt -l .)"'


PROJECTS = (
    Project(
        "encode/httpx",
        ("ruff format httpx tests --diff", "ruff check httpx tests"),
        ("ruff==0.12.11",),
    ),
    Project(
        "encode/starlette",
        ("ruff format --check --diff starlette tests", "ruff check starlette tests"),
        ("ruff==0.12.1",),
    ),
    Project("pallets/click", ("ruff check", "ruff format --check"), ("ruff==0.15.9",)),
    Project("hynek/structlog", ("ruff check", "ruff format --check"), ("ruff==0.15.16",)),
    Project(
        "urllib3/urllib3",
        ("black --check --target-version py310 src", "isort --check src",
         "flake8 src"),
        ("black==25.11.0", "isort==7.0.0", "flake8==7.3.0", "flake8-2020"),
    ),
    Project(
        "jazzband/pip-tools",
        ("black --check --target-version=py39 piptools", "isort --check piptools",
         "flake8 piptools"),
        ("black==26.5.1", "isort==9.0.0b5", "flake8==7.3.0", "flake8-pytest-style==2.2.0",
         "flake8-typing-as-t==1.1.0"),
    ),
    Project("expressjs/express", ("eslint .",), ("eslint@8.47.0",), "JavaScript"),
    Project("axios/axios", ("eslint lib/**/*.js",), ("eslint@8.56.0",), "JavaScript", "lib/"),
    Project(
        "tj/commander.js",
        ("tsc -p tsconfig.js.json", "eslint .", "prettier --check ."),
        ("@eslint/js@10", "@types/node@22", "eslint@10", "eslint-config-prettier@10",
         "globals@17", "prettier@3.8.1", "tsd@0.33", "typescript@6", "typescript-eslint@8"),
        "JavaScript",
    ),
    Project(
        "ianstormtaylor/superstruct",
        ("tsc --noEmit -p tsconfig.json", "prettier '**/*.{js,json,ts}' --check"),
        ("@types/node@18.7.14", "prettier@3.2.5", "typescript@4.9.5"),
        "TypeScript",
        "src/",
    ),
    Project("gorilla/mux", (_GOFMT, "go vet ./..."), (), "Go"),
    Project("cespare/xxhash", ('test -z "$(goimports -l .)"', "go build ./..."), (), "Go"),
    Project("google/go-cmp", (_GOFMT, "go build ./..."), (), "Go"),
)  # fmt: skip


class Places(NamedTuple):
    """One repository's folders: ``ours`` is healed, in ``hand`` the commands are run by hand."""

    work: Path

    @property
    def ours(self) -> Path:
        return self.work / "ours"

    @property
    def hand(self) -> Path:
        return self.work / "hand"

    @property
    def tools(self) -> Path:
        return self.work / "tools"


def prepare(project: Project, source: Path, places: Places) -> None:
    """Make the clones and install the tools, once. Raises SystemExit where it is not green."""
    if places.hand.exists():
        return
    shutil.rmtree(places.work, ignore_errors=True)
    places.work.mkdir(parents=True)
    _install_tools(project, places)
    clone_repository(source, places.ours)
    _replace_workflows(project, places)
    clone_repository(places.ours, places.hand)
    ended = _run_by_hand(project, places)
    if ended.returncode:
        said = ended.stdout.decode("utf-8", "replace")[-2000:]
        shutil.rmtree(places.work, ignore_errors=True)
        raise SystemExit(f"{project.name} is not green here:\n{said}")


def _install_tools(project: Project, places: Places) -> None:
    match project.language:
        case "Python":
            subprocess.run([sys.executable, "-m", "venv", places.tools], check=True)
            pip = [str(places.tools / "bin/python"), "-m", "pip", "install", "-q"]
            subprocess.run([*pip, *project.packages], check=True)
        case "JavaScript" | "TypeScript":
            # Above all clones and worktrees: there node looks for what a configuration imports.
            npm = ["npm", "install", "--silent", "--no-audit", "--prefix", str(places.work)]
            subprocess.run([*npm, *project.packages], check=True)


def _find_programs(places: Places) -> str:
    return f"{places.tools / 'bin'}:{places.work / 'node_modules/.bin'}"


def _list_variables(project: Project, places: Places) -> dict[str, str]:
    """What the commands have beside what any step has: the standard library is compiled once."""
    return {"GOCACHE": str(places.work / "go")} if project.language == "Go" else {}


def _replace_workflows(project: Project, places: Places) -> None:
    """Let CI be these commands alone, in one commit."""
    folder = places.ours / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    steps = "".join(f"    - run: {json.dumps(command)}\n" for command in project.commands)
    env = json.dumps(_list_variables(project, places))
    head = f"on: push\nenv: {env}\njobs:\n  lint:\n{STEPS}"
    (folder / "lint.yml").write_text(head + steps)
    author = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    git = ["git", "-C", str(places.ours), *author]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "Lint alone"], check=True)


def _run_by_hand(project: Project, places: Places) -> subprocess.CompletedProcess[bytes]:
    path = f"{_find_programs(places)}:{os.environ['PATH']}"
    env = {**os.environ, **_list_variables(project, places), "PATH": path}
    return subprocess.run(
        ["bash", "-ec", "\n".join(project.commands)], cwd=places.hand, env=env, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def measure(project: Project, places: Places, seed: Breakage) -> dict[str, Any]:
    """Seed one fault, heal it, and try what came out by hand."""
    row = {"kind": seed.kind, "file": seed.path, "line": seed.line, "noticed": False}
    file, hand = places.ours / seed.path, places.hand / seed.path
    before = hand.read_text("utf-8")
    log = places.work / "heal.log"
    log.write_bytes(b"")
    try:
        hand.write_text(seed.content, "utf-8")
        if not _run_by_hand(project, places).returncode:
            return row
        file.write_text(seed.content, "utf-8")
        claimed, seconds, reason = _heal(places, log, seed.path)
        hand.write_bytes(file.read_bytes())
        passes = not _run_by_hand(project, places).returncode
        same = hand.read_text("utf-8") == before
    finally:
        restore_files(places.ours)
        restore_files(places.hand)
        shutil.rmtree(places.work / "data", ignore_errors=True)
    return {
        **row, "noticed": True, "verdict": claimed, "reason": reason, "same": same,
        "wrong": claimed == "healed" and not passes, "seconds": seconds, "runs": _count_runs(log),
    }  # fmt: skip


def _heal(places: Places, log: Path, path: str) -> tuple[str, float, str]:
    """What the last of some heals said of a file; a fix that is applied may reveal what a later
    step complains of, so the same command runs again.
    """
    took = 0.0
    for _ in range(_ROUNDS):
        objects, seconds = run_heal(
            places.ours, ["--json", "--trust", "--offline", "--yes"], places.work / "data",
            log, _SECONDS, _find_programs(places),
        )  # fmt: skip
        took += seconds
        said = objects[0] if objects else {}
        if said.get("status") == "done":
            return "healed", took, ""
        if not said.get("applied"):
            break
    verdict, reason = _find_verdict(said, path)
    return ("left" if verdict == "healed" else verdict), took, reason


def _find_verdict(said: dict[str, Any], path: str) -> tuple[str, str]:
    for verdict in ("healed", "unverified", "left"):
        for one in said.get(verdict, []):
            if one["path"] == path:
                return verdict, one["reason"]
    return "left", said.get("error", "out of time")


def _count_runs(log: Path) -> int:
    """How often a step ran, the check's own runs included, as it was told to people."""
    return len(re.findall(r"(?m)^  \S.*  (?:passed|failed)\b", log.read_text("utf-8")))


def _measure_all(options: argparse.Namespace) -> Iterator[tuple[Project, list[dict[str, Any]]]]:
    until = time.monotonic() + options.seconds
    for project in PROJECTS:
        if options.only and not any(name in project.name for name in options.only):
            continue
        places = Places((options.work / project.name.replace("/", "+")).resolve())
        kept = places.work / "heals.json"
        if not options.tables:
            (source,) = options.clones.glob(project.name.replace("/", "+"))
            prepare(project, _find_git_directory(source), places)
        rows = json.loads(kept.read_text("utf-8")) if kept.exists() else []
        known = {(row["kind"], row["file"], row["line"]) for row in rows}
        files = list_files(places.ours) if not options.tables else []
        files = [one for one in files if one.startswith(project.folder)]
        for seed in list_seeds(places.ours, files, project.language, options.each):
            if time.monotonic() > until:
                break
            is_meant = not options.kind or seed.kind in options.kind
            if is_meant and (seed.kind, seed.path, seed.line) not in known:
                rows.append(measure(project, places, seed))
                print(project.name, json.dumps(rows[-1]), file=sys.stderr, flush=True)
                kept.write_text(json.dumps(rows, indent=1), "utf-8")
        yield project, [row for row in rows if row["noticed"]]


def _find_git_directory(source: Path) -> Path:
    """A clone, or the folder that holds one."""
    inner = [one for one in source.iterdir() if (one / "HEAD").exists()]
    return (inner or [source])[0].resolve()


def write_table(rows: Sequence[dict[str, Any]]) -> str:
    """What became of the faults of each kind."""
    head = "| fault | seeded | healed | unverified | left | wrong | as before | runs |"
    lines = [head, "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for kind in (*KINDS, "all"):
        own = [row for row in rows if kind in (row["kind"], "all")]
        if own:
            healed = [row for row in own if row["verdict"] == "healed"]
            unverified = sum(row["verdict"] == "unverified" for row in own)
            share = f"{len(healed)} ({len(healed) / len(own):.0%})"
            left = len(own) - len(healed) - unverified
            wrong, same = sum(row["wrong"] for row in own), sum(row["same"] for row in healed)
            runs = median(row["runs"] for row in own)
            lines.append(
                f"| {kind} | {len(own)} | {share} | {unverified} | {left} | {wrong} | {same} |"
                f" {runs:g} |"
            )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("clones", type=Path, metavar="FOLDER")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--each", type=int, default=3, help="faults of a kind in a repository")
    parser.add_argument("--kind", action="append", choices=KINDS, default=[])
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no fault after these")
    parser.add_argument("--tables", action="store_true", help="measure nothing more")
    default = Path(tempfile.gettempdir()) / "git-retcon-heals"
    parser.add_argument("--work", type=Path, default=default, metavar="FOLDER")
    every: list[dict[str, Any]] = []
    for project, rows in _measure_all(parser.parse_args()):
        healed = sum(row["verdict"] == "healed" for row in rows)
        print(f"{project.name}: {healed} of {len(rows)} healed")
        every += rows
    print(write_table(every))


if __name__ == "__main__":
    main()
