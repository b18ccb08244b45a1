"""The demo's repository is real: it builds anywhere, its tests run, and its mess is a mess."""

import subprocess
import tomllib
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.retcon.subcommands.demo.example import DemoRepository, build_example
from tests.repository import TestRepository


@pytest.fixture
def demo(tmp_path: Path) -> DemoRepository:
    return build_example(tmp_path / "a demo")


def git(demo: DemoRepository) -> TestRepository:
    return TestRepository(demo.directory)


def run(demo: DemoRepository, step: str) -> "subprocess.CompletedProcess[str]":
    """Run the spec's build or test command as it is, in the working tree as it is."""
    command = tomllib.loads(demo.spec.read_text())[step]
    return subprocess.run(
        ["sh", "-c", command], cwd=demo.directory, capture_output=True, text=True, check=False
    )


def test_it_has_the_same_ids_with_any_configuration_of_the_user(
    demo: DemoRepository, tmp_path: Path, sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sealed / ".gitconfig").write_text(
        "[user]\n\tname = Someone Else\n\temail = else@example.com\n"
        "[commit]\n\tgpgSign = true\n[core]\n\tautocrlf = true\n\thooksPath = /nowhere\n"
        "[init]\n\tdefaultBranch = trunk\n[am]\n\tkeepcr = true\n"
    )
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Someone Else")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "1 +0000")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere.git"))
    again = build_example(tmp_path / "again")
    monkeypatch.delenv("GIT_DIR")
    for branch in (demo.remote, demo.source):
        assert git(again).rev(branch) == git(demo).rev(branch)


def test_it_leaves_the_source_branch_checked_out_and_clean(demo: DemoRepository) -> None:
    assert git(demo).git("symbolic-ref", "--short", "HEAD") == demo.source
    assert git(demo).git("status", "--porcelain") == "?? history.toml"


@pytest.mark.slow
def test_every_state_of_main_and_the_tip_of_the_source_build_and_pass(demo: DemoRepository) -> None:
    good = [*git(demo).git("rev-list", demo.remote).splitlines(), demo.source]
    for commit in good:
        git(demo).git("checkout", "-q", "--detach", commit)
        assert run(demo, "build").returncode == 0
        tested = run(demo, "test")
        assert tested.returncode == 0
        assert "Ran 0 tests" not in tested.stderr


@pytest.mark.slow
def test_the_source_branch_is_long_messy_and_shared(demo: DemoRepository) -> None:
    between = f"{demo.remote}..{demo.source}"
    subjects = git(demo).subjects(between)
    assert len(subjects) >= 9
    assert any("WIP" in subject for subject in subjects)
    assert any(subject.startswith("Revert") for subject in subjects)
    assert len(set(git(demo).git("log", "--format=%an", between).splitlines())) == 2
    broken = 0
    for commit in git(demo).git("rev-list", between).splitlines():
        git(demo).git("checkout", "-q", "--detach", commit)
        broken += run(demo, "test").returncode != 0
    assert broken >= 3


def test_the_spec_names_the_branches_and_four_commits(demo: DemoRepository) -> None:
    spec = tomllib.loads(demo.spec.read_text())
    assert (spec["source"], spec["remote"], spec["cleaned"]) == (
        demo.source,
        demo.remote,
        demo.cleaned,
    )
    assert len(spec["commit"]) == 4
    assert all(commit["hints"] for commit in spec["commit"])


def test_what_the_hints_of_the_second_commit_name_does_not_build_alone(
    demo: DemoRepository,
) -> None:
    named = ["discounts.py", "parser.py", "totals.py"]
    git(demo).git("checkout", "-q", "--detach", demo.remote)
    git(demo).git("checkout", demo.source, "--", *[f"src/invoice/{name}" for name in named])
    renamed = demo.directory / "src/invoice/report.py"
    renamed.write_text(renamed.read_text().replace("line_total", "item_total"))
    failed = run(demo, "build")
    assert failed.returncode != 0
    assert "parse_percent" in failed.stderr

    git(demo).git("checkout", demo.source, "--", "src/invoice/numbers.py")
    assert run(demo, "build").returncode == 0


def test_what_the_hints_of_the_third_commit_name_does_not_pass_alone(demo: DemoRepository) -> None:
    report = demo.directory / "src/invoice/report.py"
    report.write_text(report.read_text().replace("def render_text", "def render"))
    (demo.directory / "tests/test_report.py").unlink()
    assert run(demo, "build").returncode == 0
    failed = run(demo, "test")
    assert failed.returncode != 0
    assert "render_text" in failed.stderr


def test_a_directory_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(Fatal, match="is not empty"):
        build_example(tmp_path)
    assert (tmp_path / "mine").read_text() == "precious"
    assert not (tmp_path / ".git").exists()
