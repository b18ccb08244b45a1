"""What a model sees of a build: its head and tail, without what differs from run to run."""

from pathlib import Path

from git_retcon.model.never_send import NeverSend
from git_retcon.model.redaction import Redactor
from git_retcon.retcon.engines.claude.bench import Bench
from git_retcon.retcon.engines.claude.quotations import Quotations
from git_retcon.run.checks import Checks
from git_retcon.run.commands import Commands
from git_retcon.run.failure import Failure
from git_retcon.run.verdicts import open_verdicts
from git_retcon.run.worktree_place import WorktreePlace
from tests.git.differences import find
from tests.repository import TestRepository


def test_a_model_sees_neither_the_machine_nor_the_clock(
    repo: TestRepository, tmp_path: Path
) -> None:
    repo.commit("one", {"a": "1\n"})
    repository = repo.open()
    place = WorktreePlace(repository, tmp_path / "worktrees", "check")
    with open_verdicts(None, print) as verdicts:
        commands = Commands(build="pwd; echo took in 3.25 s, timeout 30 s; false")
        with Checks(commands, place, verdicts, print, lambda output: output) as checks:
            quotations = Quotations(NeverSend(()), repository, find(repo, {}, {}))
            bench = Bench(checks, Redactor(), quotations, 2)
            said = bench.run("build", repo.tree("HEAD"), ())
            assert said == (
                "the build failed: exit status 1\n.\ntook in #, timeout 30 s\n\n(1 trials left)"
            )
            long = Failure("build", "make", 2, b"a line\n" * 5_000)
            shown = bench.describe_failure(long, repo.tree("HEAD"))
            assert shown.startswith("exit status 2\na line\na line\n")
            assert 15_900 < len(shown) < 16_100
            again = Failure("build", "make", 2, long.output + b"another line\n")
            assert len(bench.describe_failure(again, repo.tree("HEAD"))) < 500
