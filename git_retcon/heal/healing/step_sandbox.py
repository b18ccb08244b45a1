"""The sandbox in which the steps of a heal run once a model may have written something."""

import threading
from collections.abc import Callable

from git_retcon.errors import Reason, Refused
from git_retcon.heal.execution.step_environment import JobFolders
from git_retcon.heal.healing.drafted_job import Confine
from git_retcon.heal.healing.failing_job import StepRun
from git_retcon.heal.healing.heal_bench import HealBench
from git_retcon.heal.healing.job_confinement import IsWithheld, confine_job
from git_retcon.heal.results import StepResult
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.consent import Consent
from git_retcon.run.sandbox.level import Policy, Sandbox, choose
from git_retcon.show.question import reason_of_no


class SandboxWishes(NamedTuple):
    """What decides about the sandbox. ``tell`` is called once, with the one in force."""

    consent: Consent
    is_withheld: IsWithheld
    tell: Callable[[Sandbox], None]


class StepSandbox:
    """The sandbox of one heal, chosen when it is first needed."""

    def __init__(self, wishes: SandboxWishes) -> None:
        self._wishes = wishes
        self._sandbox: Sandbox | None = None
        self._left: set[str] = set()
        # Held while somebody is asked: other threads wait with what they have to say.
        self.speaking = threading.RLock()

    @property
    def record(self) -> str:
        """What confined the steps, for the records."""
        return "" if self._sandbox is None else self._sandbox.record

    def confine(self, bench: HealBench, folders: JobFolders) -> Confine:
        """What confines the commands of a job on a bench. Raises Refused where nobody agrees to
        less than a sandbox that protects everything.
        """
        sandbox = self.admit()
        if self._left or not sandbox.level.is_strong:
            bench.distrust()
        return confine_job(sandbox, bench.worktree, folders, self._wishes.is_withheld)

    def admit(self) -> Sandbox:
        """The sandbox, chosen and agreed to. Raises as ``confine``."""
        with self.speaking:
            if self._sandbox is None:
                sandbox = choose(self._wishes.consent.policy)
                self._wishes.consent.admit(sandbox)
                self._sandbox = sandbox
                self._wishes.tell(sandbox)
            return self._sandbox

    def fits(self, outside: StepRun, inside: StepRun) -> bool:
        """Whether a step complains inside of what it complains of outside, on the same files."""
        if inside.passed or outside.passed:
            return inside.passed == outside.passed
        return _list_places(inside) <= _list_places(outside)

    def leave(self, step: StepResult, inside: StepRun, bench: HealBench) -> Confine:
        """No sandbox, for a step that cannot work in it. Raises Refused unless somebody agrees."""
        consent = self._wishes.consent
        said = f"'{step.name}' fails otherwise in the sandbox ({inside.result.reason})"
        with self.speaking:
            agreed = consent.policy is not Policy.REQUIRE and (
                step.command in self._left
                or consent.ask(f"{said}; run what a model writes without one?")
            )
        if not agreed:
            required = consent.policy is Policy.REQUIRE
            raise Refused(
                f"{said}, so no fix can be judged there",
                hint="it may need the network, or to write elsewhere; '--sandbox=off' runs it "
                "without",
                reason=Reason.NO_SANDBOX if required else reason_of_no(),
            )
        self._left.add(step.command)
        bench.distrust()
        consent.warn(f"'{step.name}' runs without a sandbox, as was agreed to")
        return run_free

    def has_left(self, step: StepResult) -> bool:
        """Whether somebody agreed that a step runs without."""
        return step.command in self._left


def run_free(env: object) -> tuple[str, ...]:
    return ()


def _list_places(run: StepRun) -> set[tuple[object, ...]]:
    """What the errors of a run are about; their messages may name folders and times."""
    found = ((one.path, one.finding.line, one.finding.diagnostic.rule) for one in run.errors)
    return set(found)
