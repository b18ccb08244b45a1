"""A failure says what went wrong in a few words, and shows no secret."""

from git_retcon.run.failure import Failure, read_failure
from git_retcon.run.shell_command import Outcome

GO = b"# app\n./store.go:12:9: undefined: TokenStore\n"


def test_a_failure_names_what_its_tools_complain_of() -> None:
    failure = Failure("build", "go build ./...", 1, GO)
    (complaint,) = failure.diagnostics
    assert (complaint.path, complaint.line, complaint.missing) == (
        b"store.go",
        12,
        ("TokenStore",),
    )
    assert failure.headline == "undefined TokenStore"


def test_a_failure_reads_its_output_once() -> None:
    failure = Failure("build", "go build ./...", 1, GO)
    assert failure.diagnostics is failure.diagnostics


def test_a_command_that_ran_too_long_says_so() -> None:
    assert Failure("test", "go test", 143, GO, timed_out=True).headline == "timed out"


def test_secrets_are_masked_before_anybody_reads_the_output() -> None:
    outcome = Outcome("make", 2, b"token hunter2-hunter2 refused", 0.5, False)
    failure = read_failure("build", outcome, lambda data: data.replace(b"hunter2-hunter2", b"[x]"))
    assert failure == Failure("build", "make", 2, b"token [x] refused")


def test_equal_failures_are_equal_from_any_reader() -> None:
    one, other = (Failure("build", "make", 1, GO) for _ in range(2))
    assert one.headline and one == other
