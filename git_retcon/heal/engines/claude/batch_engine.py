"""Two engines for a batch: one that only collects what to ask, one that has the answers.

An answer passes the same gates as the tools of a conversation: frozen files, secrets, paths.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from git_retcon.heal.engine import Attempt, ModelTask
from git_retcon.heal.engines.claude.allowed_commands import AllowedCommands
from git_retcon.heal.engines.claude.batch_prompt import BATCH_SCHEMA, make_request
from git_retcon.heal.engines.claude.draft_files import Discretion, DraftFiles
from git_retcon.heal.engines.claude.session import Session
from git_retcon.heal.engines.claude.shown_output import OutputView
from git_retcon.heal.records.heal_costs import Spending
from git_retcon.heal.records.sent_batches import BatchedRequest, Subject
from git_retcon.heal.stored_verdicts import make_digest
from git_retcon.lazy_dataclass import dataclass
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.model.answer_check import Fault, read_answer
from git_retcon.model.messages import Json, Reply, Request, StopReason
from git_retcon.model.toolloop import ToolFault
from git_retcon.show.style import shorten

_LONGEST_SUMMARY = 1_000
_LONGEST_REASON = 300


class Question(NamedTuple):
    """What is asked about the errors of a file that a step named."""

    subject: Subject
    request: Request


@dataclass
class BatchAsker:
    """Collects ``questions``, and changes nothing. ``show`` gets each as it is made."""

    model: str
    discretion: Discretion
    show: Callable[[Request], None]
    questions: list[Question] = field(default_factory=list)
    name: str = "claude"

    def attempt(self, task: ModelTask) -> Attempt:
        """See ``ModelEngine``."""
        request = make_request(_open_session(task, self.discretion), self.model)
        self.show(request)
        self.questions.append(Question(_name_subject(task), request))
        return Attempt("", "a batch asks for it")


@dataclass
class BatchAnswers:
    """Makes the edits of the answers. ``bills`` are by the number of the request's bill.

    ``is_used`` where nothing is left to try: an answer was, or there is none.
    """

    answers: Sequence[BatchedRequest]
    bills: Mapping[int, Spending]
    discretion: Discretion
    name: str = "claude"
    is_used: bool = field(init=False)

    def __post_init__(self) -> None:
        self.is_used = not any(one.answer for one in self.answers)

    def attempt(self, task: ModelTask) -> Attempt:
        """See ``ModelEngine``."""
        subject = _name_subject(task)
        found = next((one for one in self.answers if one.is_about(subject)), None)
        if found is None:
            return Attempt("", "the batch did not ask for it")
        bill = self.bills.get(found.spend or 0)
        tokens = sum(bill[1:5]) if bill is not None else 0
        cost = Attempt(
            "", found.reason, tokens, bill.dollars if bill is not None else 0.0, found.model,
            requests=(found.spend,) if found.spend else (),
        )  # fmt: skip
        if not found.answer:
            return cost
        self.is_used = True
        answer = json.loads(found.answer)
        said = shorten(answer["summary"].strip(), _LONGEST_SUMMARY)
        why = self._make_edits(task, answer["edits"])
        how = "" if why else found.model
        if not why and not answer["edits"]:
            how, why = "", said or "the model changed nothing"
        return cost._replace(how=how, reason=why, said=said)

    def _make_edits(self, task: ModelTask, edits: Sequence[Json]) -> str:
        """Make all of them, or none; why none, empty where all hold."""
        files, draft = DraftFiles(task, self.discretion), task.job.draft
        kept = draft.keep()
        try:
            for one in edits:
                files.edit(one["path"], one["old_string"], one["new_string"])
        except ToolFault as fault:
            draft.go_back(kept, draft.list_since(kept))
            return shorten(f"an edit of the answer does not hold: {fault}", _LONGEST_REASON)
        return ""


def read_batch_reply(reply: Reply) -> tuple[str, str]:
    """An answer as it is stored, and why there is none; one of both is empty."""
    if reply.stop is StopReason.REFUSAL:
        reason = f" ({reply.detail})" if reply.detail else ""
        return "", f"the model declined to answer{reason}"
    read = read_answer(reply, BATCH_SCHEMA, lambda _: None)
    if isinstance(read, Fault):
        return "", f"the answer cannot be used: {read.why}"
    return json.dumps(read), ""


def _name_subject(task: ModelTask) -> Subject:
    failed = task.job.failed
    ready, path = failed.seen.ready, task.item.path
    step = failed.identity
    digest = make_digest([step.workflow, step.job, str(step.position), *([path] if path else [])])
    return Subject(ready.file, ready.plan.name, failed.step.name, path, digest[:16])


def _open_session(task: ModelTask, discretion: Discretion) -> Session:
    files = DraftFiles(task, discretion)
    return Session(task, files, OutputView(task, files), AllowedCommands([], ()))
