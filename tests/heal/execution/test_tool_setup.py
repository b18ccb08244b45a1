"""Which jobs use Python, and the virtual environment they get."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from git_retcon.heal.execution.tool_setup import (
    Environment,
    NoVirtualEnvironment,
    UvUse,
    find_missing_part,
    find_uv_use,
    prepare_environment,
    uses_python,
)
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.heal.workflows.shells import DEFAULT, read_shell
from git_retcon.heal.workflows.step_plans import StepPlan
from git_retcon.heal.workflows.steps import Kind, Run, Satisfied, Setup
from tests.heal.workflows.files import make_workflow


def plan(kind: Kind, *inner: StepPlan) -> StepPlan:
    workflow = make_workflow("on: push\njobs: {a: {runs-on: x, steps: [{run: a}]}}")
    return StepPlan(workflow.jobs[0].steps[0], kind, inner)


@pytest.mark.parametrize(
    "script", ["python x.py", "pip3 install x", "cd a && pytest -q", "make\ntox -e py", "uvx ruff"]
)
def test_a_script_that_names_a_tool_of_python_uses_it(script: str) -> None:
    assert uses_python((plan(Run(DEFAULT, script)),))
    assert uses_python((plan(Satisfied(""), plan(Run(DEFAULT, script))),))


def test_a_set_up_or_a_shell_is_enough_and_likeness_is_not() -> None:
    assert uses_python((plan(Setup((ToolRequest("python", ""),))),))
    assert uses_python((plan(Run(read_shell("python"), "print()")),))
    assert not uses_python((plan(Run(DEFAULT, "cargo test --features pythonic; npm run pips")),))


@pytest.mark.parametrize(
    ("script", "name"),
    [
        ("make -j2 check", "Makefile"),
        ("cd x; ./ci/run all", "ci/run"),
        ("bash scripts/test.sh", "scripts/test.sh"),
        ("npm run check", "package.json"),
    ],
)
def test_a_script_or_a_makefile_that_a_job_calls_may_use_it(
    tmp_path: Path, script: str, name: str
) -> None:
    steps = (plan(Run(DEFAULT, script)),)
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("all:\n\tcc x.c\n")
    file.chmod(0o755)
    assert not uses_python(steps, tmp_path)
    file.write_text("all:\n\tpip install -e .\n")
    assert uses_python(steps, tmp_path)
    assert not uses_python((plan(Run(DEFAULT, "ls ../etc //x")),), tmp_path)


@pytest.mark.parametrize("name", ["setup.py", "pyproject.toml", "requirements.txt"])
def test_any_command_of_a_project_of_python_may_use_it(tmp_path: Path, name: str) -> None:
    steps = (plan(Run(DEFAULT, "make")),)
    (tmp_path / "Makefile").write_text("include tools/all.mk\n")
    assert not uses_python(steps, tmp_path)
    (tmp_path / name).touch()
    assert uses_python(steps, tmp_path)
    assert not uses_python((plan(Satisfied("")),), tmp_path)


def test_uv_is_found_in_scripts_and_in_what_they_call(tmp_path: Path) -> None:
    def find(script: str) -> UvUse:
        return find_uv_use((plan(Run(DEFAULT, script)),), tmp_path)

    assert find("uv sync") == UvUse(is_called=False, is_module=False)
    assert find("pip install uv && uv pip install .") == UvUse(is_called=True, is_module=False)
    (tmp_path / "Makefile").write_text("all:\n\tpython -m uv pip install --system .\n")
    assert find("make") == UvUse(is_called=True, is_module=True)


def test_components_and_packages_must_be_here_too(tmp_path: Path) -> None:
    rustup = tmp_path / "rustup"
    rustup.write_text(
        "#!/bin/sh\n"
        "case $1 in component) echo clippy-x86_64-linux; echo rust-std;; *) echo wasm;; esac\n"
    )
    rustup.chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    assert find_missing_part({"components": "clippy", "targets": "wasm"}, env) == ""
    assert find_missing_part({"toolchain": "stable", "bundler-cache": "false"}, env) == ""
    missing = "the component 'miri' of rust is not here"
    assert find_missing_part({"components": "clippy, miri"}, env) == missing
    assert find_missing_part({"bundler-cache": "true"}, env) == "installs packages (bundler-cache)"
    without = {"PATH": "/nowhere"}
    assert find_missing_part({"target": "wasm"}, without) == "the target 'wasm' of rust is not here"


@pytest.mark.slow
def test_an_environment_is_made_once(tmp_path: Path) -> None:
    wanted = Environment(tmp_path / "venv", sys.executable, tmp_path / "seeds")
    prepare_environment(wanted, os.environ)
    python = tmp_path / "venv/bin/python"
    before = python.lstat().st_mtime_ns
    prepare_environment(wanted, os.environ)
    assert python.lstat().st_mtime_ns == before
    done = subprocess.run([python, "-m", "pip", "--version"], capture_output=True, text=True)
    assert str(tmp_path / "venv") in done.stdout


def test_a_python_that_cannot_make_one_is_said(tmp_path: Path) -> None:
    folders = tmp_path / "venv", tmp_path / "seeds"
    for program, said in (("/no/python", "failed to find"), ("/bin/false", "failed to query")):
        wanted = Environment(folders[0], program, folders[1])
        with pytest.raises(NoVirtualEnvironment, match=said):
            prepare_environment(wanted, os.environ)


def test_a_python_that_is_given_up_makes_its_own(tmp_path: Path) -> None:
    """As virtualenv has no pip for an old one: it fails, and the Python's own module does not."""
    old = tmp_path / "python3.6"
    old.write_text('#!/bin/sh\n[ "$1 $2 $3" = "-I -m venv" ] && mkdir "$4" && echo own >"$4/by"\n')
    old.chmod(0o755)
    prepare_environment(Environment(tmp_path / "venv", str(old), tmp_path / "seeds"), os.environ)
    assert (tmp_path / "venv/by").read_text() == "own\n"
