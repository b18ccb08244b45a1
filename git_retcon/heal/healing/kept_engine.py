"""A model's engine that keeps what was answered, until the run comes to its end.

A run that was killed is paid for: the next one, on the same files, asks only for the rest.
"""

import hashlib
import json

from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.heal.engine import Attempt, ModelEngine, ModelTask
from git_retcon.heal.patches import FileChange, WrongBase, read_patch, write_patch
from git_retcon.heal.records.database import Database
from git_retcon.heal.records.kept_answers import KeptAnswer, find_answer, keep_answer
from git_retcon.lazy_named_tuple import NamedTuple


class KeptEngine(NamedTuple):
    """Asks ``inner`` what was not asked before about the state of a run id."""

    inner: ModelEngine
    database: Database
    run_id: str

    @property
    def name(self) -> str:
        return self.inner.name

    def attempt(self, task: ModelTask) -> Attempt:
        """See ``ModelEngine``."""
        question = _name_question(task)
        kept = find_answer(self.database, self.run_id, question)
        if kept is not None and _put_changes(task, kept.patch):
            given = dict(kept.attempt)
            return Attempt(**{**given, "requests": tuple(given["requests"])})
        draft = task.job.draft
        before = draft.keep()
        attempt = self.inner.attempt(task)
        # Nothing that was asked: the budget was spent, or the connection lost.
        if attempt.requests:
            since = draft.list_since(before)
            changes = [
                FileChange(path, before.get(path, task.job.bench.read_base(path)), draft.read(path))
                for path in since
            ]
            answer = KeptAnswer(write_patch(changes), attempt._asdict())
            keep_answer(self.database, self.run_id, question, answer)
        return attempt


def _put_changes(task: ModelTask, patch: bytes) -> bool:
    """Make the changes of a patch once more; whether all of it holds, and is allowed still."""
    draft = task.job.draft
    try:
        changes = read_patch(patch, draft.read)
        if any(task.explain_frozen(one._replace(old=task.job.bench.read_base(one.path)))
               for one in changes):  # fmt: skip
            return False
        for one in changes:
            draft.put(one.path, one.new)
    except (WrongBase, ForbiddenPath):
        return False
    return True


def _name_question(task: ModelTask) -> str:
    """A digest of what is asked: the errors of a file, on files with the fixes so far, behind these
    attempts.
    """
    step = task.job.failed.identity
    asked = [
        step.workflow.decode("latin-1"),
        step.job,
        step.position,
        (task.item.path or b"").decode("latin-1"),
        list(task.item.fingerprints),
        task.job.draft.make_tree(),
        [[past.patch.decode("latin-1"), past.ended] for past in task.past],
    ]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()
