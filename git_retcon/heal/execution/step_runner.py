"""The steps of a job, one after another, as GitHub's runner takes them."""

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence

from git_retcon.git.process import GitError
from git_retcon.heal.execution.hidden_files import HiddenFiles
from git_retcon.heal.execution.job_session import JobSession
from git_retcon.heal.execution.local_artifacts import LocalArtifacts
from git_retcon.heal.execution.local_caches import LocalCaches
from git_retcon.heal.execution.script_step import Script, run_script
from git_retcon.heal.execution.step_ending import CONCLUSIONS, Ending, join_verdicts
from git_retcon.heal.execution.step_scope import Scope, extend, read_inputs
from git_retcon.heal.execution.tool_setup import find_missing_file, set_up_tools
from git_retcon.heal.execution.workspace_files import WorkspaceFiles
from git_retcon.heal.forecast import find_lack
from git_retcon.heal.local_tools import ToolsHere
from git_retcon.heal.results import StepResult, StepVerdict
from git_retcon.heal.workflows.checkouts import is_of_state
from git_retcon.heal.workflows.contexts import (
    Misevaluated,
    evaluate_env,
    evaluate_node,
    evaluate_text,
    with_context,
    with_env,
)
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.templates import holds, read_condition
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import NotKnown, Value, is_true, to_number
from git_retcon.heal.workflows.nodes import as_mapping
from git_retcon.heal.workflows.step_plans import (
    DEEPEST,
    evaluate_known,
    see_action_inputs,
    see_equivalent_inputs,
)
from git_retcon.heal.workflows.steps import (
    CHECKOUT,
    SPARSE,
    WITH_SUBMODULES,
    Compare,
    Equivalent,
    Fetch,
    Keep,
    Kind,
    Local,
    Run,
    Satisfied,
    Setup,
    Skipped,
    classify_step,
)
from git_retcon.heal.workflows.workflow import Action, Defaults, Step, name_step
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.worktree import Worktree

_FALSE_CONDITION = "its condition is false"
_NO_LIMIT = 360 * 60.0  # seconds: GitHub's own, for a job


class Progress(NamedTuple):
    """Listens to steps: that one begins, of its last line, and that it has ended, with the names
    of the steps that it is within.
    """

    begin: Callable[[str], None]
    show: Callable[[str], None]
    end: Callable[[StepResult, Sequence[str]], None]


class StepRunner:
    """Runs the steps of one job in a worktree."""

    def __init__(
        self,
        session: JobSession,
        worktree: Worktree,
        tools: ToolsHere,
        progress: Progress,
        caches: LocalCaches,
        artifacts: LocalArtifacts,
        trusted: Mapping[bytes, Action],
        hidden: HiddenFiles,
    ) -> None:
        self._session = session
        self._worktree = worktree
        self._tools = tools
        self._progress = progress
        self._caches = caches
        self._artifacts = artifacts
        self._trusted = trusted
        self._hidden = hidden
        self._files = WorkspaceFiles(session.workspace)

    def run(self, steps: Sequence[Step], scope: Scope) -> tuple[StepResult, ...]:
        """All steps; what fails is marked in the scope."""
        return tuple(self._run_one(step, scope) for step in steps)

    def _run_one(self, step: Step, scope: Scope) -> StepResult:
        name = name_step(step)
        self._progress.begin(" / ".join((*scope.names, name)))
        around = self._find_surroundings(scope)
        try:
            ending = self._try_step(step, scope, around)
        except NotKnown as error:
            reason = f"depends on what is not known here ({error})"
            ending = Ending(StepVerdict.SKIPPED, reason, outputs=None)
        except GitError as error:
            ending = Ending(StepVerdict.SKIPPED, str(error), outputs=None)
        except (Misevaluated, ExpressionError) as error:
            ending = Ending(StepVerdict.FAILED, str(error))
        if ending.verdict is StepVerdict.SKIPPED:
            self._hidden.show_for_unknown()
        ending = self._forgive_failure(step, ending, around)
        self._record_ending(step, scope, ending)
        if not (scope.names or self._hidden.are_shown):
            self._hidden.earlier.add(step.number)
        result = self._make_result(step, name, ending)
        self._progress.end(result, scope.names)
        return result

    def _find_surroundings(self, scope: Scope) -> Surroundings:
        around = scope.see(self._session)
        functions = {**around.functions, "hashfiles": self._hash_files}
        return around._replace(functions=functions)

    def _hash_files(self, arguments: Sequence[Value]) -> Value:
        from git_retcon.heal.workflows.hashing import hash_files

        self._hidden.hide()
        return hash_files(arguments, self._files, str(self._session.workspace))

    def _try_step(self, step: Step, scope: Scope, around: Surroundings) -> Ending:
        variables = evaluate_env(step.env, around)
        inside = with_env(around, variables)
        condition = step.condition.text if step.condition else ""
        if not holds(read_condition(condition), inside):
            return Ending(StepVerdict.NOT_WANTED, _FALSE_CONDITION)
        if self._session.seconds_left() <= 0:
            return Ending(StepVerdict.SKIPPED, "the job has no time left", outputs=None)
        kind = classify_step(step, scope.defaults, inside)
        # A script with an empty variable could delete or publish the wrong thing.
        if variables.unknown and not isinstance(kind, Skipped):
            names = ", ".join(variables.unknown)
            return Ending(StepVerdict.SKIPPED, f"{names} is not known here", outputs=None)
        return self._do_kind(kind, step, scope, inside, dict(variables.known))

    def _do_kind(
        self, kind: Kind, step: Step, scope: Scope, around: Surroundings, env: Mapping[str, str]
    ) -> Ending:
        if is_of_state(kind):
            self._check_out(step, around)
        elif not isinstance(kind, Satisfied | Skipped):
            self._hidden.hide()
        match kind:
            case Run():
                return self._run_script(kind, step, scope, around, env)
            case Satisfied(what):
                return self._satisfy_step(what, read_inputs(step.inputs, around))
            case Fetch():
                # Late: hardly a job fetches another repository.
                from git_retcon.heal.execution.other_checkouts import OtherCheckouts

                checkouts = OtherCheckouts(self._session, self._worktree, self._progress.show)
                fetched = checkouts.fetch(kind, read_inputs(step.inputs, around))
                if fetched == Ending(StepVerdict.SATISFIED, CHECKOUT):
                    self._check_out(step, around)
                return fetched
            case Compare():
                from git_retcon.heal.execution.changed_files import describe_changes

                given, lacks = read_inputs(step.inputs, around), self._explain_empty()
                return describe_changes(kind, given, self._session, self._worktree, lacks)
            case Setup():
                return self._set_up(kind, step, around, {**scope.env, **env})
            case Keep():
                return self._keep_files(kind, step, around)
            case Local():
                return self._run_action(kind, step, scope, around, env)
            case Equivalent(action):
                return self._run_equivalent(action, step, scope, around, env)
            case Skipped(reason):
                return Ending(StepVerdict.SKIPPED, reason, outputs=None)

    def _set_up(
        self, kind: Setup, step: Step, around: Surroundings, env: Mapping[str, str]
    ) -> Ending:
        if step.uses is not None:
            self._session.register_matchers(step.uses.text)
        inputs = dict(read_inputs(step.inputs, around))
        named = {"components": kind.components, "targets": kind.targets}
        inputs |= {name: " ".join(parts) for name, parts in named.items() if parts}
        lacks = not self._hidden.are_shown and find_missing_file(kind, self._files)
        if lacks:
            reason = f"there is no file '{lacks}'{self._explain_empty()}"
            return Ending(StepVerdict.FAILED, reason)
        return set_up_tools(kind, inputs, env, self._tools, self._session)

    def _run_script(
        self, kind: Run, step: Step, scope: Scope, around: Surroundings, env: Mapping[str, str]
    ) -> Ending:
        if lack := find_lack(kind, self._tools):
            return Ending(StepVerdict.SKIPPED, lack, outputs=None)
        assert step.run is not None, "a step of this kind has a script"
        # The kind shows what is not known as an ellipsis: nothing of that sort may run.
        evaluate_text(step.run, around)
        env = {**scope.env, **env}
        read = [name for name in self._session.list_unknown() if _mentions_name(kind.script, name)]
        if read and not env.keys() >= set(read):
            reason = f"{', '.join(read)} is not known here"
            return Ending(StepVerdict.SKIPPED, reason, outputs=None)
        named = step.directory or scope.defaults.directory
        script = Script(
            name=" ".join((*scope.names, name_step(step))),
            shell=kind.shell,
            text=kind.script,
            directory=evaluate_text(named, around) if named else "",
            env={**env, **scope.see_folder()},
            timeout=self._read_timeout(step, around),
        )
        ended = run_script(script, self._session, self._worktree, self._progress.show)
        verdict = StepVerdict.FAILED if ended.reason else StepVerdict.PASSED
        return Ending(
            verdict, ended.reason, dict(ended.outputs), ended.status, ended.seconds, ended.log,
            step.run.text, (), ended.annotations, script.directory,
        )  # fmt: skip

    def _read_timeout(self, step: Step, around: Surroundings) -> float:
        minutes = to_number(evaluate_node(step.timeout, around)) if step.timeout else 0.0
        return minutes * 60 if 0 < minutes < _NO_LIMIT else _NO_LIMIT

    def _satisfy_step(self, what: str, inputs: Mapping[str, str]) -> Ending:
        asked = inputs.get("submodules", "false").lower()
        if what == SPARSE or (what == CHECKOUT and asked in WITH_SUBMODULES):
            from git_retcon.heal.execution.other_checkouts import complete_checkout

            return complete_checkout(what, inputs, self._session, self._worktree)
        return Ending(StepVerdict.SATISFIED, what)

    def _check_out(self, step: Step, around: Surroundings) -> None:
        said = read_inputs(step.inputs, around).get("clean", "").strip().lower()
        self._hidden.check_out(clean=said in ("", "true"))

    def _explain_empty(self) -> str:
        return "" if self._hidden.are_shown else ": no checkout comes before this step"

    def _keep_files(self, kind: Keep, step: Step, around: Surroundings) -> Ending:
        inputs = read_inputs(step.inputs, around)
        obey = self._caches.obey if kind.what == "cache" else self._artifacts.obey
        try:
            stored = obey(kind.action, inputs, self._session)
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
            return Ending(StepVerdict.FAILED, f"'{error.filename}': {error.strerror}")
        outputs = None if stored.verdict is StepVerdict.SKIPPED else dict(stored.outputs)
        return Ending(stored.verdict, stored.reason, outputs)

    def _run_action(
        self, kind: Local, step: Step, scope: Scope, around: Surroundings, env: Mapping[str, str]
    ) -> Ending:
        path = kind.path
        top = self._hidden.find_commit() if kind.of_commit else self._session.workspace
        action = WorkspaceFiles(top).read_action(path)
        if isinstance(action, str):
            why = "" if kind.of_commit else self._explain_empty()
            return Ending(StepVerdict.FAILED, action + why)
        if action.using != "composite":
            reason = f"a local action by {action.using}"
            return Ending(StepVerdict.SKIPPED, reason, outputs=None)
        # It may come of an artifact or of another checkout, or be changed on the way.
        if self._trusted.get(action.file) != action:
            reason = f"an action that was not there when trust was asked ({_show_path(path)})"
            return Ending(StepVerdict.SKIPPED, reason, outputs=None)
        if len(scope.names) >= DEEPEST:
            return Ending(StepVerdict.FAILED, f"actions within actions, deeper than {DEEPEST}")
        folder = top / os.fsdecode(path)
        github = extend(around.contexts.get("github"), {"action_path": str(folder)})
        inside = with_context(around, "github", github)
        inside = with_context(inside, "inputs", see_action_inputs(action, step, inside))
        inner = self._enter(step, scope, inside, env, bytes(folder))
        return self._run_inner(action, inner, self.run)

    def _run_inner(
        self,
        action: Action,
        inner: Scope,
        run: Callable[[Sequence[Step], Scope], tuple[StepResult, ...]],
    ) -> Ending:
        """Run the steps of an action."""
        started = time.monotonic()
        results = run(action.steps, inner)
        seconds = time.monotonic() - started
        verdict, reason = join_verdicts(results, failed=inner.failed)
        return Ending(
            verdict, reason, self._read_outputs(action, inner), None, seconds, inner=results
        )

    def _run_equivalent(
        self, action: Action, step: Step, scope: Scope, around: Surroundings, env: Mapping[str, str]
    ) -> Ending:
        """Run what does the same as an action: all of it or, from a step that is skipped, none."""
        assert step.uses is not None, "a step of this kind uses an action"
        read_inputs(step.inputs, around)  # all of them are known, or the step is skipped
        ref = step.uses.text.partition("@")[2]
        github = extend(around.contexts.get("github"), {"action_ref": ref})
        inside = with_context(around, "github", github)
        inside = with_context(inside, "inputs", see_equivalent_inputs(action, step, inside))
        inner = self._enter(step, scope, inside, env)
        ending = self._run_inner(action, inner, self._run_until_skipped)
        last = ending.inner[-1]
        if last.verdict is StepVerdict.SKIPPED:
            return ending._replace(verdict=last.verdict, reason=last.reason, outputs=None)
        return ending

    def _run_until_skipped(self, steps: Sequence[Step], scope: Scope) -> tuple[StepResult, ...]:
        """Steps, as long as none is skipped."""
        results: list[StepResult] = []
        for step in steps:
            results.append(self._run_one(step, scope))
            if results[-1].verdict is StepVerdict.SKIPPED:
                break
        return tuple(results)

    def _enter(
        self,
        step: Step,
        scope: Scope,
        around: Surroundings,
        env: Mapping[str, str],
        folder: bytes = b"",
    ) -> Scope:
        """The scope of an action's steps; ``folder`` is where its files are, if it has some."""
        # What a step within writes to GITHUB_ENV gives way to these, as the runner merges them:
        # actions/runner, CompositeActionHandler.RunStepsAsync.
        outer = {**self._session.env, **scope.env, **env}
        return Scope(around, Defaults(), folder, (*scope.names, name_step(step)), outer)

    def _read_outputs(self, action: Action, inner: Scope) -> Mapping[str, Value]:
        around = self._find_surroundings(inner)
        outputs: dict[str, Value] = {}
        for key, node in action.outputs.pairs if action.outputs else ():
            fields = as_mapping(node)
            value = fields.get("value") if fields else None
            outputs[key.text] = evaluate_known(value, around) if value else ""
        return outputs

    def _forgive_failure(self, step: Step, ending: Ending, around: Surroundings) -> Ending:
        if ending.verdict is not StepVerdict.FAILED or step.continue_on_error is None:
            return ending
        try:
            forgives = is_true(evaluate_node(step.continue_on_error, around))
        except (NotKnown, Misevaluated):
            # What nobody knows here does not excuse a failure.
            forgives = False
        return ending._replace(verdict=StepVerdict.FORGIVEN) if forgives else ending

    def _record_ending(self, step: Step, scope: Scope, ending: Ending) -> None:
        outcome, conclusion = CONCLUSIONS[ending.verdict]
        scope.record(step.id, outcome, conclusion, ending.outputs)
        if ending.verdict is StepVerdict.FAILED:
            scope.failed = True
            # within an action the action decides what its failure is to the job
            if not scope.names:
                self._session.failed = True

    def _make_result(self, step: Step, name: str, ending: Ending) -> StepResult:
        mask = self._session.masks.mask_text
        # Before the checkout the workspace holds no file of the state.
        copies = self._session.copies if self._hidden.are_shown else ()
        workspace = self._session.workspace
        return StepResult(
            number=step.number,
            name=name,
            line=step.line,
            verdict=ending.verdict,
            reason=mask(ending.reason),
            command=ending.command,
            status=ending.status,
            seconds=ending.seconds,
            log=ending.log,
            annotations=ending.annotations,
            folder=ending.folder if copies is None else str(workspace / ending.folder),
            matchers=self._session.read_matchers() if ending.log else (),
            inner=ending.inner,
            copies=tuple(copies or ()),
        )


def _show_path(path: bytes) -> str:
    return path.decode("utf-8", "replace") or "."


def _mentions_name(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None
