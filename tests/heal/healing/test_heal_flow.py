"""Whole heals, as their user runs them: what is called healed is, and nothing else is."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.heal.checks import new_project
from tests.heal.project import CI
from tests.program import heal_here
from tests.repository import TestRepository

# A linter as a repository may have one: the standard library's Python alone.
LINT = """\
import ast, sys
bad = 0
for path in sys.argv[1:]:
    tree = ast.parse(open(path).read())
    bound = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for one in node.names:
                bound[one.asname or one.name] = node.lineno
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for name, line in bound.items():
        if name not in used:
            print(f"{path}:{line}:1: F401 '{name}' imported but unused")
            bad = 1
    known = set(bound) | set(dir(__builtins__)) | {
        node.id for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    } | {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)} | {
        node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known:
            print(f"{path}:{node.lineno}:{node.col_offset + 1}: F821 undefined name '{node.id}'")
            bad = 1
sys.exit(bad)
"""
# No word of its step says Python, so that no job has a virtual environment to make.
RUN_LINT = 'exec python3 checks/lint.py "$@"\n'
CLEAN = "def total(values):\n    result = sum(values)\n    return result\n"


def project(path: Path, *steps: str, files: dict[str, str]) -> TestRepository:
    lines = "".join(f"    - run: {json.dumps(step)}\n" for step in steps)
    workflow = f"{CI}{lines}"
    return new_project(
        path / "project", workflow, {"checks/lint.py": LINT, "checks/lint.sh": RUN_LINT, **files}
    )


def heal(repository: TestRepository, *arguments: str, status: int = 0) -> dict[str, Any]:
    ran = heal_here(repository.path, "--trust", "--json", "--offline", *arguments)
    assert ran.status == status, ran.out + ran.err
    said: dict[str, Any] = json.loads(ran.out)
    return said


def tell(said: dict[str, Any]) -> dict[str, list[str | None]]:
    return {name: [one["path"] for one in said[name]] for name in ("healed", "unverified", "left")}


def test_a_step_that_makes_a_branch_makes_it_again_when_it_judges_a_fix(tmp_path: Path) -> None:
    step = "git checkout -q -b work\ngit tag -f made\nsh checks/lint.sh src/app.py"
    repository = project(tmp_path, step, files={"src/app.py": "import os\n" + CLEAN})
    said = heal(repository, "--yes")
    assert tell(said) == {"healed": ["src/app.py"], "unverified": [], "left": []}
    assert repository.git("branch", "--format=%(refname:short)") == "main"
    assert repository.git("tag") == ""


def test_what_can_be_fixed_is_fixed_proved_and_applied(tmp_path: Path) -> None:
    broken = "import os\n\n\n" + CLEAN.replace("return result", "return resul")
    repository = project(
        tmp_path,
        "sh checks/lint.sh src/app.py",
        "python3 -c 'import sys; sys.path.insert(0, \"src\"); import app; assert app.total([1])'",
        files={"src/app.py": broken},
    )
    index = (repository.path / ".git/index").read_bytes()
    said = heal(repository, "--yes")
    assert tell(said) == {"healed": ["src/app.py"], "unverified": [], "left": []}
    assert [one["decision"] for one in said["applied"]] == ["applied"]
    assert (repository.path / "src/app.py").read_text() == "\n\n" + CLEAN
    assert (repository.path / ".git/index").read_bytes() == index
    assert repository.git("for-each-ref", "refs/heads/heal") == ""
    again = heal(repository, "--yes")
    assert tell(again) == {"healed": [], "unverified": [], "left": []}


def test_a_fix_that_breaks_what_passed_before_is_not_healed(tmp_path: Path) -> None:
    repository = project(
        tmp_path,
        "grep -q '^import os$' src/app.py",
        "sh checks/lint.sh src/app.py",
        files={"src/app.py": f"import os\n\n\n{CLEAN}"},
    )
    said = heal(repository, "--yes", status=1)
    assert tell(said) == {"healed": [], "unverified": [], "left": ["src/app.py"]}
    assert "what passed before" in said["left"][0]["reason"]
    assert said["applied"] == []
    assert (repository.path / "src/app.py").read_text().startswith("import os\n")


@pytest.mark.slow
def test_a_fix_that_a_filter_of_the_repository_takes_out_is_not_healed(tmp_path: Path) -> None:
    broken = CLEAN.replace("return result", "return resul")
    repository = project(
        tmp_path,
        "sh checks/lint.sh src/app.py",
        files={"src/app.py": broken, ".gitattributes": "src/*.py filter=own\n"},
    )
    # The file as it is passes through it unchanged; what the fix writes does not.
    repository.git("config", "filter.own.clean", 'sed "s/return result$/return resul/"')
    said = heal(repository, "--yes", status=1)
    assert [one["reason"] for one in said["unverified"]] == [
        "its errors are gone; the step still fails"
    ]
    assert said["applied"] == []


@pytest.mark.slow
@pytest.mark.parametrize("is_before", [True, False])
def test_a_further_checkout_of_the_job_keeps_the_fix(tmp_path: Path, is_before: bool) -> None:
    lint = "    - run: sh checks/lint.sh src/app.py\n"
    again = "    - run: echo > junk\n    - uses: actions/checkout@v4\n    - run: test ! -e junk\n"
    workflow = CI + (again + lint if is_before else lint + again + lint)
    files = {"checks/lint.py": LINT, "checks/lint.sh": RUN_LINT}
    files["src/app.py"] = f"import os\n\n\n{CLEAN}"
    repository = new_project(tmp_path / "project", workflow, files)
    assert tell(heal(repository, "--yes"))["healed"] == ["src/app.py"]
    assert (repository.path / "src/app.py").read_text() == f"\n\n{CLEAN}"


def lint_behind(path: Path, *steps: str, files: dict[str, str] | None = None) -> TestRepository:
    """A project whose one job has these steps, then lints ``src/app.py`` with an unused import."""
    workflow = CI.replace("    - uses: actions/checkout@v4\n", "")
    lines = "".join(f"    - {step}\n" for step in (*steps, "run: sh checks/lint.sh src/app.py"))
    own = {"checks/lint.py": LINT, "checks/lint.sh": RUN_LINT}
    own["src/app.py"] = f"import os\n\n\n{CLEAN}"
    return new_project(path / "project", workflow + lines, {**own, **(files or {})})


@pytest.mark.slow
def test_a_step_before_the_checkout_finds_no_file_of_a_fix(tmp_path: Path) -> None:
    repository = lint_behind(tmp_path, "run: test ! -e src", "uses: actions/checkout@v4")
    assert tell(heal(repository, "--yes"))["healed"] == ["src/app.py"]


@pytest.mark.slow
def test_steps_of_an_action_before_the_checkout_are_not_taken_for_those_of_the_job(
    tmp_path: Path,
) -> None:
    run = "{run: 'true', shell: sh}"
    action = f"runs: {{using: composite, steps: [{run}, {run}, {run}]}}\n"
    needs = "run: grep -q '^import os$' src/app.py"
    repository = lint_behind(
        tmp_path,
        *("uses: $/tool", "uses: actions/checkout@v4", needs),
        files={"tool/action.yml": action},
    )
    assert tell(heal(repository, "--yes", status=1))["healed"] == []


@pytest.mark.slow
def test_a_job_that_fails_before_its_checkout_is_left_with_the_reason(tmp_path: Path) -> None:
    repository = lint_behind(tmp_path, "run: 'echo src/app.py:1: error: bad; exit 1'")
    said = heal(repository, "--yes", status=1)
    assert "no checkout comes before it" in said["left"][0]["reason"]
    assert not [*tmp_path.rglob("tree.aside")]


@pytest.mark.slow
def test_a_fix_that_breaks_a_step_behind_the_failed_one_is_not_healed(tmp_path: Path) -> None:
    repository = project(
        tmp_path,
        "sh checks/lint.sh src/app.py",
        "grep -q '^import os$' src/app.py",
        files={"src/app.py": f"import os\n\n\n{CLEAN}"},
    )
    assert tell(heal(repository, "--yes", status=1))["healed"] == []


@pytest.mark.slow
def test_a_step_behind_that_fails_anyway_is_said_and_not_held_against_the_fix(
    tmp_path: Path,
) -> None:
    repository = project(
        tmp_path,
        "sh checks/lint.sh src/app.py",
        "exit 3",
        files={"src/app.py": f"import os\n\n\n{CLEAN}"},
    )
    said = heal(repository, "--yes", status=1)
    assert (tell(said)["healed"], said["reason"]) == (["src/app.py"], "errors_found")


@pytest.mark.slow
def test_a_step_that_other_files_keep_failing_makes_a_fix_unverified(tmp_path: Path) -> None:
    repository = project(
        tmp_path,
        "sh checks/lint.sh src/a.py src/b.py",
        files={"src/a.py": f"import os\n\n\n{CLEAN}", "src/b.py": "print(nobody_knows_this)\n"},
    )
    said = heal(repository, "--yes", status=1)
    assert tell(said) == {"healed": [], "unverified": ["src/a.py"], "left": ["src/b.py"]}
    assert said["applied"] == []
    number = str(said["heals"][0])
    assert said["next"] == [["git", "heal", "apply", number]]
    assert said["hint"].startswith(f"'git heal apply {number}' applies what is not proved; ")
    heal_here(repository.path, "apply", number).ok()
    assert (repository.path / "src/a.py").read_text() == "\n\n" + CLEAN


@pytest.mark.slow
def test_a_step_that_fails_at_times_is_not_called_healed(tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    flaky = f"echo x >> {counter}; sh checks/lint.sh src/app.py && test $(wc -l < {counter}) != 3"
    repository = project(tmp_path, flaky, files={"src/app.py": f"import os\n\n\n{CLEAN}"})
    said = heal(repository, "--yes", status=1)
    assert tell(said)["healed"] == []


def test_nobody_to_ask_means_that_nothing_is_applied(tmp_path: Path) -> None:
    repository = project(tmp_path, "sh checks/lint.sh a.py", files={"a.py": f"import os\n{CLEAN}"})
    said = heal(repository, status=1)
    assert said["reason"] == "needs_answer"
    assert said["next"][1] == ["git", "heal", "apply", str(said["heals"][0])]
    assert repository.git("status", "--porcelain") == ""


def test_a_dry_run_names_what_would_be_attempted(tmp_path: Path) -> None:
    repository = project(tmp_path, "sh checks/lint.sh a.py", files={"a.py": f"import os\n{CLEAN}"})
    said = heal(repository, "-n")
    assert [(one["path"], one["errors"]) for one in said["planned"]] == [("a.py", 1)]


@pytest.mark.slow
def test_only_what_is_aimed_at_is_healed(tmp_path: Path) -> None:
    repository = project(
        tmp_path,
        "sh checks/lint.sh a.py b.py",
        files={"a.py": "import os\n", "b.py": "import sys\n"},
    )
    said = heal(repository, "--no-apply", "a.py", status=1)
    assert [*tell(said)["unverified"], *tell(said)["healed"]] == ["a.py"]
    assert repository.git("status", "--porcelain") == ""


def test_what_decides_what_the_steps_check_stays(tmp_path: Path) -> None:
    broken = f"import os\n\n\n{CLEAN}"
    files = {"a.py": broken, "conftest.py": broken}
    repository = project(tmp_path, "sh checks/lint.sh a.py conftest.py", files=files)
    said = heal(repository, "--yes", status=1)
    assert tell(said)["healed"] == []
    assert (repository.path / "conftest.py").read_text() == broken
    assert "conftest.py stays: it decides what the steps check" in json.dumps(said["left"])


def test_the_linter_itself_is_never_changed(tmp_path: Path) -> None:
    repository = project(
        tmp_path, "sh checks/lint.sh checks/lint.py a.py", files={"a.py": "x = nobody\n"}
    )
    assert tell(heal(repository, "--yes", status=1))["healed"] == []
    assert (repository.path / "checks/lint.py").read_text() == LINT


def test_where_nothing_ran_nothing_is_said_to_pass(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", "on: push\njobs: {}\n", {})
    for path in (repository.path / ".github/workflows").iterdir():
        path.unlink()
    ran = heal_here(repository.path, "--trust", "--offline")
    assert (ran.status, ran.out) == (1, "")
    assert "error: nothing ran, so there is nothing to heal\n" in ran.err
    assert "'git heal workflows' says why" in ran.err


def test_what_a_fix_reveals_in_another_file_is_healed_too(tmp_path: Path) -> None:
    broken = f"import os\n\n\n{CLEAN}"
    step = "sh checks/lint.sh a.py && sh checks/lint.sh b.py"
    repository = project(tmp_path, step, files={"a.py": broken, "b.py": broken})
    ran = heal_here(repository.path, "--trust", "--offline", "--yes").ok()
    assert ran.err.startswith("Engine: offline (no model is asked)\n")
    assert repository.git("diff", "--name-only").split() == ["a.py", "b.py"]
    shown, _, proof = ran.err.partition("passes with this; the proof is to come:\n")
    assert "proof: 1 job" not in shown
    assert "  -import os\n" in proof.partition("proof: 1 job")[0]
