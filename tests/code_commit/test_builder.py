"""What a build may do to the files that judge it, and which sandbox keeps it from more."""

from pathlib import Path

import pytest

from git_retcon.code_commit.builder import Builder, build_command, build_files
from git_retcon.errors import Fatal, Refused
from git_retcon.run.consent import Consent
from git_retcon.run.sandbox.level import Policy, Sandbox
from tests.code_commit.project import checkout_of, new_project
from tests.repository import TestRepository

VANDAL = (
    "echo true >build.sh; rm -r docs; rm .gitignore; echo x >Cargo.lock; echo made >made\n"
    "echo x >>docs-note; exit 0\n"
)


def _accept_weakness(question: str) -> bool:
    assert question.endswith("run what a model wrote all the same?"), question
    return True


def _silence(line: str) -> None:
    raise AssertionError(f"warned: {line}")


NOT_LET_OUT = Consent(Policy.AUTO, _accept_weakness, _silence)


@pytest.fixture
def vandalised(tmp_path: Path) -> TestRepository:
    files = {"run": VANDAL, "docs/UserSpecification.md": "spec\n", "Cargo.lock": "locked\n"}
    return new_project(tmp_path / "project", files)


def _nobody() -> None:
    pass


def output(sandbox: Sandbox, project: TestRepository, command: str) -> tuple[bytes, Builder]:
    chunks: list[bytes] = []
    builder = Builder(checkout_of(project), command, sandbox)
    builder.run(chunks.append)
    return b"".join(chunks), builder


def test_a_strong_sandbox_does_not_even_let_them_be_changed(
    vandalised: TestRepository, strong_sandbox: Sandbox
) -> None:
    verdict = Builder(checkout_of(vandalised), "sh run", strong_sandbox).run(lambda chunk: None)
    assert verdict.spoiled.paths == ()
    assert b"Read-only file system" in verdict.text
    assert (vandalised.path / "docs/UserSpecification.md").read_text() == "spec\n"


def test_a_build_sees_no_key_and_git_still_works_in_it(
    vandalised: TestRepository, strong_sandbox: Sandbox
) -> None:
    vandalised.write({"agent-config/anthropic-key.txt": "x" * 40})
    said, _ = output(
        strong_sandbox, vandalised, "ls -A agent-config; git log --format=%s; echo end"
    )
    assert said == b"begin\nend\n"
    linked = vandalised.path.parent / "linked"
    vandalised.git("worktree", "add", "-q", str(linked))
    said, _ = output(strong_sandbox, TestRepository(linked), "git log --format=%s; touch x; ls x")
    assert said == b"begin\nx\n"


def test_a_build_that_passed_inside_once_is_not_tried_again(
    vandalised: TestRepository, sandbox: Sandbox
) -> None:
    builder = Builder(checkout_of(vandalised), "echo x >>runs", sandbox)
    for _ in range(2):
        assert builder.with_consent(NOT_LET_OUT, _nobody).sandbox is sandbox
    assert (vandalised.path / "runs").read_text() == "x\n"
    other = Builder(checkout_of(vandalised), "echo x >>runs; true", sandbox)
    other.with_consent(NOT_LET_OUT, _nobody)
    assert (vandalised.path / "runs").read_text() == "x\nx\n"


def test_an_answer_whose_build_passed_inside_shows_as_well_that_it_fits(
    vandalised: TestRepository, sandbox: Sandbox
) -> None:
    builder = Builder(checkout_of(vandalised), "echo x >>runs; test -e made", sandbox)
    # it fails on this tree, inside and outside
    agreed = Consent(Policy.AUTO, lambda question: True, _silence)
    assert builder.with_consent(agreed, _nobody).sandbox is sandbox
    vandalised.write({"made": ""})
    assert builder.run(lambda chunk: None).passed
    vandalised.write({"made": None})
    assert builder.with_consent(NOT_LET_OUT, _nobody).sandbox is sandbox
    assert (vandalised.path / "runs").read_text() == "x\nx\nx\n"


def withholding(project: TestRepository, sandbox: Sandbox, command: str) -> Builder:
    project.write({"private/plan.txt": "the plan\n", "public.txt": "for all\n"})
    return Builder(
        checkout_of(project), command, sandbox, withheld=(project.path / "private/plan.txt",)
    )


def test_what_is_never_sent_is_covered_where_the_build_passes_so(
    vandalised: TestRepository, strong_sandbox: Sandbox
) -> None:
    builder = withholding(vandalised, strong_sandbox, "cat private/*; cat public.txt")
    chosen = builder.with_consent(NOT_LET_OUT, _nobody)
    chunks: list[bytes] = []
    assert chosen.run(chunks.append).passed
    assert b"the plan" not in b"".join(chunks)
    assert b"".join(chunks).endswith(b"for all\n")


def test_else_it_is_asked_about_once(vandalised: TestRepository, strong_sandbox: Sandbox) -> None:
    asked: list[str] = []
    warned: list[str] = []

    def agree(question: str) -> bool:
        asked.append(question)
        return True

    builder = withholding(vandalised, strong_sandbox, "grep -q plan private/plan.txt")
    chosen = builder.with_consent(Consent(Policy.AUTO, agree, warned.append), _nobody)
    assert chosen.run(lambda chunk: None).passed
    assert asked == [
        "'grep -q plan private/plan.txt' does not pass without private/plan.txt; "
        "let it read that inside?"
    ]
    assert warned == [
        "'grep -q plan private/plan.txt' reads private/plan.txt in the sandbox, as was agreed to"
    ]
    again = builder.with_consent(NOT_LET_OUT, _nobody)
    assert again.run(lambda chunk: None).passed
    assert builder.recall_reading().read


def test_and_nothing_is_read_where_nobody_agrees(
    vandalised: TestRepository, strong_sandbox: Sandbox
) -> None:
    builder = withholding(vandalised, strong_sandbox, "grep -q plan private/plan.txt")
    for _ in range(2):
        with pytest.raises(Refused, match=r"'retcon\.neverSend' names"):
            builder.with_consent(Consent(Policy.AUTO, lambda question: False, _silence), _nobody)
        assert not builder.recall_reading().read


def test_the_script_is_run_as_it_is_meant(vandalised: TestRepository) -> None:
    checkout = checkout_of(vandalised)
    assert build_command(checkout, None) == "./build.sh"
    (vandalised.path / "build.sh").chmod(0o644)
    assert build_command(checkout, None) == "bash build.sh"
    assert build_command(checkout, "make") == "make"
    (vandalised.path / "build.sh").unlink()
    with pytest.raises(Fatal, match=r"no 'build\.sh'"):
        build_command(checkout, None)


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("./run", {b"run"}),
        ("sh -eu run x", {b"run"}),
        ("bash ./run && true", {b"run"}),
        ("sh tools/new.sh", {b"tools/new.sh"}),
        ("./tools/new.sh", {b"tools/new.sh"}),
        ("bash --norc new", {b"new"}),  # a long option with a "c" in it
        ("sh -ec new", set()),
        ("make run", set()),
        ("python run", set()),
        ("sh -c 'echo \"", set()),
        ("/bin/true run", set()),
        ("../run", set()),
        ("", set()),
    ],
)
def test_the_script_of_a_command_is_known(
    vandalised: TestRepository, command: str, files: set[bytes]
) -> None:
    assert build_files(command, checkout_of(vandalised)) == files
