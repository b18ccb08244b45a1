"""What is run in place of workflows where none can run here."""

from pathlib import Path

import pytest

from git_retcon.heal.local_tools import Match
from git_retcon.heal.own_steps import (
    OwnSteps,
    choose_steps,
    describe_choice,
    describe_missing,
    list_missing,
    make_workflow,
)
from git_retcon.heal.workflows.cells import FoundTool
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.run.tool_versions import Tool
from tests.heal.checks import check
from tests.program import heal_here
from tests.repository import new_repository

HOOKS = """\
repos:
- {repo: https://example.org/hooks, hooks: [{id: other}]}
- {repo: local, hooks: [{id: mine}, {id: "bad; rm -rf"}]}
"""


class Files(dict[bytes, str]):
    def read(self, path: bytes) -> bytes | None:
        return self[path].encode() if path in self else None

    def has_submodules(self) -> bool:
        return False


class Here:
    """A machine with some tools."""

    def __init__(self, *tools: str) -> None:
        self._tools = tools

    def find_tool(self, request: ToolRequest) -> FoundTool:
        return FoundTool(request.tool, exact=True)

    def match(self, request: ToolRequest) -> Match:
        tool = Tool(f"/bin/{request.tool}", "1") if request.tool in self._tools else None
        return Match(request, "", tool, exact=True)


ALL = Here("pre-commit", "tox", "nox", "npm", "make")
EVERY = {
    b".pre-commit-config.yaml": HOOKS,
    b"tox.ini": "[tox]\n",
    b"noxfile.py": "",
    b"package.json": '{"scripts": {"test": "jest", "build": "x"}}',
    b"Makefile": "lint: x\n\truff\ntest:: y\n\tpytest\ncheck:=no\ntesting: no\n",
}


def choose(files: dict[bytes, str], here: Here = ALL, *configured: str) -> OwnSteps | None:
    return choose_steps(configured, Files(files), here)


def test_the_first_source_that_has_any_counts() -> None:
    left = dict(EVERY)
    assert choose(left, ALL, "make all") == OwnSteps(b"heal.step", ("make all",))
    for source, commands in (
        (
            b".pre-commit-config.yaml",
            ('pre-commit run --all-files --config "$RUNNER_TEMP/local-hooks.json" mine',),
        ),
        (b"tox.ini", ("tox",)),
        (b"noxfile.py", ("nox",)),
        (b"package.json", ("npm run test",)),
        (b"Makefile", ("make lint", "make test")),
    ):
        found = choose(left)
        assert found is not None
        assert (found.source, found.commands) == (source, commands)
        del left[source]
    assert choose(left) is None


def test_an_empty_command_is_none() -> None:
    found = choose({}, ALL, "", "make all", " \t")
    assert found == OwnSteps(b"heal.step", ("make all",))
    assert choose({}, ALL, "") is None


def test_what_has_no_tool_here_is_passed_over() -> None:
    found = choose(EVERY, Here("make", "tox"))
    assert found is not None and found.source == b"tox.ini"
    assert describe_choice(found) == (
        "'tox.ini' is run instead, as pre-commit is not here ('.pre-commit-config.yaml')"
    )
    assert choose(EVERY, Here()) is None
    missing = list_missing(Files(EVERY), Here("tox", "nox", "make"))
    assert describe_missing(missing) == (
        "pre-commit and npm are not here ('.pre-commit-config.yaml', 'package.json')"
    )


@pytest.mark.parametrize(
    ("lock", "tool", "install"),
    [
        ("package-lock.json", "npm", "npm ci"),
        ("pnpm-lock.yaml", "pnpm", "pnpm install --frozen-lockfile"),
        ("yarn.lock", "yarn", "yarn install"),
        ("bun.lock", "bun", "bun install --frozen-lockfile"),
    ],
)
def test_the_lock_file_says_what_runs_the_scripts(lock: str, tool: str, install: str) -> None:
    files = {b"package.json": '{"scripts": {"test": "jest"}}', lock.encode(): ""}
    found = choose(files, Here("npm", tool))
    assert found == OwnSteps(b"package.json", (f"{tool} run test",), install)


def test_pre_commit_is_shown_the_local_hooks_alone() -> None:
    """It fetches each repository that its configuration names."""
    text = "exclude: ^old/\nrepos:\n- {repo: https://example.org/x, rev: v1, hooks: [{id: a}]}\n"
    mine = "- {repo: local, hooks: [{id: mine, always_run: true, entry: 'x', language: system}]}\n"
    found = choose({b".pre-commit-config.yaml": text + mine})
    assert found is not None
    assert found.before.splitlines()[1:] == [
        '{"exclude": "^old/", "repos": [{"repo": "local", "hooks": [{"id": "mine", '
        '"always_run": true, "entry": "x", "language": "system"}]}]}',
        "hooks",
    ]
    assert choose({b".pre-commit-config.yaml": f"repos:\n{mine}"}) == OwnSteps(
        b".pre-commit-config.yaml", ("pre-commit run --all-files mine",)
    )


def test_setup_cfg_can_be_for_tox() -> None:
    found = choose({b"setup.cfg": "[metadata]\n[tox:tox]\n"})
    assert found == OwnSteps(b"setup.cfg", ("tox",))
    assert choose({b"setup.cfg": "[metadata]\n"}) is None


@pytest.mark.parametrize(
    "package",
    ["[]", "{", '{"scripts": 1}', '{"scripts": {"test": "echo no test specified && exit 1"}}'],
)
def test_a_package_without_scripts_names_nothing(package: str) -> None:
    assert choose({b"package.json": package}) is None


def test_each_command_is_a_job() -> None:
    workflow = make_workflow(OwnSteps(b"heal.step", ("make ${{ x }}", "b\nc"), "first"))
    runs = [[step.run.text for step in job.steps if step.run] for job in workflow.jobs]
    assert runs == [["first", "make $ {{ x }}"], ["first", "b\nc"]]


def test_they_run_where_no_workflow_can(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project")
    repository.commit("begin", {"a": "a"})
    repository.git("config", "--add", "heal.step", "cat a")
    repository.git("config", "--add", "heal.step", "cat missing")
    checked = check(repository)
    assert checked.jobs == ["cat a: passed", "cat missing: failed: cat missing: exit status 1"]
    assert "no workflow can run here; 'heal.step' is run instead" in checked.ran.err


def test_one_of_them_can_be_asked_for_by_its_name(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project")
    repository.commit("begin", {"a": "a"})
    for command in ("cat missing", "cat a"):
        repository.git("config", "--add", "heal.step", command)
    checked = check(repository, "--job=step-2")
    assert checked.jobs == ["cat a: passed"]
    refused = heal_here(repository.path, "check", "--job=step-3")
    assert "there is no job 'step-3'" in refused.err
