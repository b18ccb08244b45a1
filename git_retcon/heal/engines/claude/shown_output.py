"""What steps and commands print, as a model reads it: masked, bounded, without this machine."""

from collections.abc import Iterator
from pathlib import Path

from git_retcon.heal.engine import ModelTask
from git_retcon.heal.engines.claude.draft_files import DraftFiles
from git_retcon.heal.found_errors import FoundError
from git_retcon.heal.healing.failing_job import StepRun
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.output import hide_place, shorten
from git_retcon.run.stalled import without_durations
from git_retcon.show.counting import count
from git_retcon.show.style import show_path

_HEAD, _TAIL = 2_000, 6_000  # characters of a log
_MOST_ERRORS = 20
_MOST_MESSAGE = 2_000  # characters


@dataclass(frozen=True)
class OutputView:
    """Shows the output of the job of one task."""

    task: ModelTask
    files: DraftFiles

    def show(self, output: bytes) -> str:
        """What something printed."""
        text = self.files.mask(output)
        bench = self.task.job.bench
        text = hide_place(text, bench.worktree.tree)
        text = hide_place(text, bench.root)
        # Durations differ from run to run: a replayed conversation would not match its recording.
        text = without_durations(text)
        return shorten(self.files.hide_withheld(text), _HEAD, _TAIL)

    def show_log(self, run: StepRun) -> str:
        """The log of a run of the step."""
        if not run.result.log:
            return "(it printed nothing)"
        try:
            output = Path(run.result.log).read_bytes()
        except OSError:
            return "(its log is gone)"
        return self.show(output) or "(it printed nothing)"

    def describe_run(self, run: StepRun) -> str:
        """How a run of the step ended, its errors, and its log."""
        if run.passed:
            return "the step passes"
        named = "\n".join(self.describe_errors(run.errors))
        how = run.result.reason or run.result.verdict.value
        return f"the step fails: {how}\n{named}\n--- its log\n{self.show_log(run)}"

    def describe_errors(self, errors: tuple[FoundError, ...]) -> Iterator[str]:
        """A line for each error, of some."""
        for error in errors[:_MOST_ERRORS]:
            yield self.describe_error(error)
        if len(errors) > _MOST_ERRORS:
            yield f"and {count(len(errors) - _MOST_ERRORS, 'more error')}"

    def describe_error(self, error: FoundError) -> str:
        """Place, rule and message."""
        said = error.finding
        place = f"{show_path(said.path)}:{said.line or 1}" if said.path else "(no file)"
        rule = "/".join(filter(None, (said.diagnostic.tool, said.diagnostic.rule)))
        message = self.show(said.diagnostic.message.encode("utf-8", "replace"))[:_MOST_MESSAGE]
        kind = said.diagnostic.category.value
        return f"{place}: {kind}{f' ({rule})' if rule else ''}: {message}"

    def show_snippet(self, error: FoundError) -> str:
        """The lines around an error, numbered; empty where it has no place."""
        said = error.finding
        if said.path is None or self.files.is_withheld(said.path):
            return ""
        lines = [
            f"{'>' if one.number == said.line else ' '}{one.number}|{one.text}"
            for one in said.snippet
        ]
        return self.files.mask("\n".join(lines).encode("utf-8", "replace"))
