"""Files that a build must not change are put back, and it has failed."""

from pathlib import Path

import pytest

from git_retcon.code_commit.builder import Builder
from git_retcon.errors import Fatal
from git_retcon.run.sandbox.bubblewrap import Missing
from git_retcon.run.sandbox.landlock import Landlock, find_landlock
from git_retcon.run.sandbox.level import Policy, Sandbox, best_of, choose
from tests.code_commit.project import checkout_of, new_project, respond, snapshot
from tests.repository import TestRepository

VANDAL = (
    "echo true >build.sh; rm -r docs; rm .gitignore; echo x >Cargo.lock; echo made >made\n"
    "echo x >>docs-note; exit 0\n"
)


@pytest.fixture
def vandalised(tmp_path: Path) -> TestRepository:
    files = {"run": VANDAL, "docs/UserSpecification.md": "spec\n", "Cargo.lock": "locked\n"}
    return new_project(tmp_path / "project", files)


def landlock_alone() -> Sandbox:
    found = find_landlock()
    if not isinstance(found, Landlock):
        pytest.skip(found.reason)
    absent = Missing("left out here")
    return best_of(Policy.AUTO, absent, absent, found)


def test_protected_files_that_a_build_changed_are_put_back_and_it_fails(
    vandalised: TestRepository,
) -> None:
    builder = Builder(checkout_of(vandalised), "sh run", landlock_alone())
    verdict = builder.run(lambda chunk: None)
    assert verdict.outcome.status == 0
    assert not verdict.passed
    assert verdict.spoiled.paths == (b".gitignore", b"build.sh", b"docs/UserSpecification.md")
    assert b"the build changed 'build.sh', which is protected; it was put back" in verdict.text
    left = vandalised.git("status", "--porcelain").splitlines()
    assert left == [" M Cargo.lock", "?? docs-note", "?? made"]
    assert (vandalised.path / "build.sh").stat().st_mode & 0o777 == 0o755


def test_without_any_sandbox_they_are_put_back_too(vandalised: TestRepository) -> None:
    builder = Builder(checkout_of(vandalised), "sh run", choose(Policy.OFF))
    verdict = builder.run(lambda chunk: None)
    assert not verdict.passed
    assert verdict.spoiled.paths == (b".gitignore", b"build.sh", b"docs/UserSpecification.md")


@pytest.mark.parametrize(
    ("build", "put_back"),
    [
        ("echo x >ci/real.sh", (b"ci/real.sh",)),
        ("rm build.sh; cp ci/real.sh build.sh", (b"build.sh",)),
        ("ln -sf other build.sh; rm ci/real.sh", (b"build.sh", b"ci/real.sh")),
    ],
)
def test_a_protected_link_and_what_it_leads_to_are_put_back(
    project: TestRepository, build: str, put_back: tuple[bytes, ...]
) -> None:
    project.write({"build.sh": None, "ci/real.sh": "true\n"})
    (project.path / "build.sh").symlink_to("ci/real.sh")
    before = snapshot(project.path)
    verdict = Builder(checkout_of(project), build, choose(Policy.OFF)).run(lambda chunk: None)
    assert verdict.spoiled.paths == put_back
    assert snapshot(project.path) == before


def test_hooks_and_settings_of_git_are_put_back_where_the_sandbox_is_weak(
    vandalised: TestRepository,
) -> None:
    hooks = vandalised.path / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "pre-push").write_text("theirs\n")
    script = (
        "cd .git && echo evil >hooks/pre-commit && echo evil >hooks/pre-push && "
        "printf '[core]\\n\\tfsmonitor = evil\\n' >>config && echo '* filter=x' >info/attributes"
    )
    config = (vandalised.path / ".git/config").read_bytes()
    verdict = Builder(checkout_of(vandalised), script, landlock_alone()).run(lambda chunk: None)
    assert not verdict.passed
    assert verdict.spoiled.paths == (
        b".git/config", b".git/hooks/pre-commit", b".git/hooks/pre-push", b".git/info/attributes",
    )  # fmt: skip
    assert (vandalised.path / ".git/config").read_bytes() == config
    assert [entry.name for entry in hooks.iterdir() if "sample" not in entry.name] == ["pre-push"]
    assert (hooks / "pre-push").read_text() == "theirs\n"


def test_the_verdict_on_the_screen_says_what_was_put_back(project: TestRepository) -> None:
    build = "echo fine; echo evil >agent-config/query.txt; echo evil >agent-config/key.txt"
    done = respond(project, {"src/a.txt": "two\n"}, "--build", build, "--sandbox=off")
    changed = "'agent-config/key.txt' and 'agent-config/query.txt'"
    assert f"FAIL (exit status 0): it changed {changed}, protected and put back" in done.err


def test_a_link_in_place_of_a_protected_folder_is_reported(vandalised: TestRepository) -> None:
    builder = Builder(checkout_of(vandalised), "rm -r docs; ln -s /tmp docs", landlock_alone())
    with pytest.raises(Fatal, match=r"'docs/UserSpecification\.md', and it cannot be put back"):
        builder.run(lambda chunk: None)


@pytest.mark.parametrize(
    "deed",
    [
        "echo x >agent-config/query.txt",
        "rm agent-config/codeRollup.txt",
        "rm agent-config/anthropic-key.txt",
        "echo x >agent-config/logs/2026-01-01-00-00-00-committing-code/1-initial-query-query.txt",
        "rm -r agent-config",
        "echo sk >agent-config/other-key.txt; echo x >agent-config/AGENTS",
        "ln -s /etc/passwd agent-config/other-key.txt; ln -s nowhere agent-config/x",
    ],
)
@pytest.mark.parametrize("policy", [Policy.OFF, Policy.AUTO])
def test_what_a_build_does_to_the_question_the_rollup_the_key_and_the_logs_is_put_back(
    project: TestRepository, deed: str, policy: Policy
) -> None:
    logs = "agent-config/logs/2026-01-01-00-00-00-committing-code"
    project.write(
        {
            "agent-config/anthropic-key.txt": "sk",
            f"{logs}/1-initial-query-query.txt": "q",
            f"{logs}/1-initial-query-build.txt": "",
            "build": f"({deed}) 2>/dev/null; echo more >>{logs}/1-initial-query-build.txt; true\n",
        }
    )
    before = snapshot(project.path)
    verdict = Builder(checkout_of(project), "sh build", choose(policy)).run(lambda chunk: None)
    assert snapshot(project.path) == before
    if policy is Policy.OFF:
        assert verdict.spoiled.paths and not verdict.passed


def test_a_question_that_a_build_plants_for_the_next_run_is_taken_away(
    project: TestRepository,
) -> None:
    question = project.path / "agent-config/query.txt"
    question.unlink()
    question.with_name("rollup-key.txt").symlink_to("codeRollup.txt")  # the user's own
    verdict = Builder(checkout_of(project), f"echo evil >{question}", choose(Policy.OFF)).run(
        lambda chunk: None
    )
    assert verdict.spoiled.paths == (b"agent-config/query.txt",)
    assert not verdict.passed
    assert not question.exists()
    assert question.with_name("rollup-key.txt").is_symlink()


def test_the_log_of_the_build_itself_may_grow(project: TestRepository) -> None:
    log = "agent-config/logs/2026-01-01-00-00-00-committing-code/10-repair-build.txt"
    project.write({log: "", log.replace("10", "9"): "before"})
    verdict = Builder(checkout_of(project), f"echo x >>{log}", choose(Policy.OFF)).run(
        lambda _: None
    )
    assert verdict.passed


def test_a_run_that_was_killed_before_its_first_log_is_no_obstacle(
    project: TestRepository,
) -> None:
    (project.path / "agent-config/logs").mkdir()
    verdict = Builder(checkout_of(project), "true", choose(Policy.OFF)).run(lambda chunk: None)
    assert verdict.passed


@pytest.mark.slow
@pytest.mark.parametrize("name", [".vscode/tasks.json", ".envrc", ".bashrc", ".idea/x/y"])
@pytest.mark.parametrize("policy", [Policy.OFF, Policy.AUTO])
def test_what_an_editor_or_a_shell_would_run_by_itself_is_taken_away_or_put_back(
    project: TestRepository, name: str, policy: Policy
) -> None:
    project.write({"make": f"mkdir -p $(dirname {name}); echo evil >{name}; true\n"})
    verdict = Builder(checkout_of(project), "sh make", choose(policy)).run(lambda chunk: None)
    assert verdict.spoiled.paths == (name.encode(),)
    assert not (project.path / name).exists()
    project.write({name: "mine\n"})
    Builder(checkout_of(project), "sh make", choose(policy)).run(lambda chunk: None)
    assert (project.path / name).read_text() == "mine\n"
