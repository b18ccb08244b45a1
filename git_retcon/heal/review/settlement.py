"""What follows from a decision: files changed, or a branch made where the checkout moved on."""

import contextlib
import os
from collections.abc import Mapping, Sequence

from git_retcon.errors import Fatal, Reason, Refused
from git_retcon.files.beneath import Beneath, File
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.git.graph import read_commit
from git_retcon.git.process import Git
from git_retcon.heal.check_situation import Checkout
from git_retcon.heal.patches import FileChange, WrongBase, read_patch
from git_retcon.heal.records.database import Database
from git_retcon.heal.records.heals import Decision, StoredHeal, decide_heal, read_heal
from git_retcon.heal.review.applied_changes import (
    Application,
    AppliedChanges,
    hold_applied_changes,
)
from git_retcon.heal.review.approval import Choice
from git_retcon.heal.review.proved_tree import explain_doubt, record_applied
from git_retcon.heal.review.settled_heals import Settled
from git_retcon.heal.review.working_copies import CHANGED, HeldBack, WorkingCopies
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.working_state import WorkingState
from git_retcon.show.counting import all_of
from git_retcon.show.notices import say
from git_retcon.show.style import show_path


class _Fitted(NamedTuple):
    """A choice, and its changes as they are made of the files here."""

    choice: Choice
    changes: tuple[FileChange, ...]


class Settlement:
    """Decisions about heals of one checkout."""

    def __init__(self, checkout: Checkout, database: Database) -> None:
        self._checkout = checkout
        self._database = database
        self._files = Beneath(checkout.top)
        self._copies = WorkingCopies(checkout)

    @property
    def _git(self) -> Git:
        return self._checkout.git

    def recover(self) -> None:
        """Finish or take back what a killed command left."""
        with hold_applied_changes(self._checkout.repository, self._checkout.top) as applied:
            self._recover_applied(applied)

    def settle(
        self,
        choices: Sequence[Choice],
        state: WorkingState,
        *,
        branch: str = "",
        commit: bool = False,
        decided_by: str = "",
    ) -> list[Settled]:
        """Do what was decided about some heals: apply, keep on a branch, or reject.

        ``state`` is what was healed.
        """
        who = decided_by or self._name_person()
        accepted = [choice for choice in choices if choice.changes]
        found = [self._reject_choice(choice, who) for choice in choices if not choice.changes]
        if branch:
            return found + self._keep_choices(accepted, state.commit, who, branch=branch)
        fitting: list[_Fitted] = []
        moved, reasons = [], []
        for choice in accepted:
            try:
                fitting.append(_Fitted(choice, tuple(map(self._copies.fit, choice.changes))))
            except HeldBack as why:
                moved.append(choice)
                reasons.append(str(why))
        found += self._apply_choices(fitting, state, who, commit=commit)
        kept = self._keep_choices(moved, state.commit, who, run_id=state.run_id)
        return found + [
            one._replace(reason=reason) for one, reason in zip(kept, reasons, strict=True)
        ]

    def apply_stored(self, numbers: Sequence[int]) -> list[Settled]:
        """Apply heals that were kept for later: one application, which one undo takes back."""
        self.recover()
        every = [self._require_heal(number) for number in dict.fromkeys(numbers)]
        who, settled = self._name_person(), []
        changes: dict[bytes, FileChange] = {}
        fitted: dict[bytes, FileChange] = {}
        applied_now = []
        for stored in every:
            if stored.heal.decision is Decision.APPLIED:
                doubt = explain_doubt(stored.heal)
                settled.append(Settled(stored.number, Decision.APPLIED, (), doubt=doubt))
                continue
            try:
                own = self._read_changes(stored.heal.patch, changes)
                fitted |= {path: self._copies.fit(change) for path, change in own.items()}
            except HeldBack as why:
                settled.append(self._keep_stored(stored, str(why), who))
                continue
            changes |= own
            applied_now.append(Settled(stored.number, Decision.APPLIED, tuple(own)))
        doubts = self._apply_files([one.number for one in applied_now], tuple(fitted.values()), who)
        applied_now = [one._replace(doubt=doubts[one.number]) for one in applied_now]
        return sorted([*settled, *applied_now])

    def _read_changes(
        self, patch: bytes, before: Mapping[bytes, FileChange]
    ) -> dict[bytes, FileChange]:
        """The changes of a patch on top of others, by their paths: two heals may change the same
        file. Raises HeldBack where a file has changed since.
        """
        converted: set[bytes] = set()

        def read(path: bytes) -> File | None:
            if path in before:
                return before[path].new
            if path in converted:
                return self._copies.read_as_checked_out(path)
            return self._copies.read(path)

        while True:
            try:
                own = read_patch(patch, read)
                break
            except WrongBase as wrong:
                # The working file may only look other than what git would check out.
                if wrong.path in converted or wrong.path in before:
                    raise HeldBack(wrong.path, CHANGED) from wrong
                converted.add(wrong.path)
        return {one.path: one._replace(old=before.get(one.path, one).old) for one in own}

    def _apply_files(
        self, numbers: Sequence[int], changes: Sequence[FileChange], who: str
    ) -> dict[int, str]:
        """Apply heals that waited; why each is unverified now, empty where it is not."""
        if not numbers:
            return {}
        with hold_applied_changes(self._checkout.repository, self._checkout.top) as applied:
            self._recover_applied(applied)
            applied.apply(numbers, changes)
        return record_applied(self._checkout, self._database, numbers, who)

    def reject_stored(self, numbers: Sequence[int]) -> list[Settled]:
        """Record that heals are not wanted: all of them, or none where one cannot be rejected."""
        self.recover()  # an application that was killed before it was recorded is one
        every = [self._require_heal(number) for number in dict.fromkeys(numbers)]
        for one in every:
            if one.heal.decision is Decision.APPLIED:
                raise Fatal(
                    f"heal {one.number} is applied", hint="'git heal undo' takes it back",
                    commands=[["git", "heal", "undo"]],
                )  # fmt: skip
        who = self._name_person()
        with self._database.transaction():
            for one in every:
                decide_heal(self._database, one.number, Decision.REJECTED, who)
        return [Settled(one.number, Decision.REJECTED, ()) for one in every]

    def undo(self, *, force: bool = False) -> list[Settled]:
        """Take back what was applied last, and the commit that was made of it."""
        from git_retcon.heal.review.fix_commit import (
            is_checked_out,
            refuse_commit_elsewhere,
            refuse_kept_commit,
            take_commit_off,
        )

        with hold_applied_changes(self._checkout.repository, self._checkout.top) as applied:
            if force:
                self._keep_overwritten(applied)
            last = applied.find_last(force=force)
            if last.commit is not None and last.commit.made:
                refuse_commit_elsewhere(self._checkout, last.commit, last.branch)
                refuse_kept_commit(self._checkout, last.commit)
            if not force and not is_checked_out(self._checkout, last.commit):
                _refuse_absent(applied, last)
            paths = applied.undo(last, force=force)
            if last.commit is not None and last.commit.made:
                take_commit_off(self._checkout, last.commit, last.paths)
            # Before it is forgotten: of what is forgotten no later command knows.
            who = self._name_person()
            for number in last.heals:
                decide_heal(self._database, number, Decision.UNDONE, who)
            applied.forget(last)
        return [
            Settled(number, Decision.UNDONE, self._choose_own(number, paths))
            for number in last.heals
        ]

    def _choose_own(self, number: int, paths: Sequence[bytes]) -> tuple[bytes, ...]:
        """The paths that a heal's patch names."""
        stored = read_heal(self._database, number)
        named = stored.heal.patch if stored is not None else b""
        return tuple(path for path in paths if b"diff --git a/%s b/" % path in named)

    def _keep_overwritten(self, applied: AppliedChanges) -> None:
        """Keep what somebody changed since, and say where."""
        files: dict[bytes, File | None] = {}
        for path in applied.find_overwritten():
            with contextlib.suppress(ForbiddenPath):  # no file, so nothing is put there
                files[path] = self._files.read(path)
        if files:
            from git_retcon.heal.review.heal_branch import keep_overwritten

            ref = keep_overwritten(self._checkout.repository, self._git, files)
            drop = f"'git update-ref -d {ref}' drops it"
            say("warning", f"what --force overwrites is kept as {ref}", drop)

    def _recover_applied(self, applied: AppliedChanges) -> None:
        for one in applied.recover():
            if one.commit is not None and not one.commit.made:
                self._finish_commit(applied, one)
            every = [read_heal(self._database, number) for number in one.heals]
            # Killed between the last file and the database.
            unknown = [
                stored.number
                for stored in every
                if stored is not None and stored.heal.decision is not Decision.APPLIED
            ]
            if one.is_done and unknown:
                record_applied(self._checkout, self._database, unknown, self._name_person())

    def _apply_choices(
        self, fitted: Sequence[_Fitted], state: WorkingState, who: str, *, commit: bool
    ) -> list[Settled]:
        if not fitted:
            return []
        choices = [one.choice for one in fitted]
        changes = [change for one in fitted for change in one.changes]
        fresh = [change for change in changes if change.old != change.new]
        numbers = [choice.proposal.number for choice in choices]
        paths = [change.path for change in changes]
        message = _write_message(choices)
        wanted, made = None, ""
        if commit and fresh:
            # Late, here and below: most fixes change files alone.
            from git_retcon.heal.review.fix_commit import plan_commit

            wanted = plan_commit(self._checkout, message, paths)
        with hold_applied_changes(self._checkout.repository, self._checkout.top) as applied:
            if fresh:
                one = applied.apply(numbers, fresh, wanted)
                made = self._finish_commit(applied, one)
        doubts = record_applied(self._checkout, self._database, numbers, who, state)
        return [
            Settled(number, Decision.APPLIED, tuple(change.path for change in choice.changes),
                    commit=made, doubt=doubts[number])
            for number, choice in zip(numbers, choices, strict=True)
        ]  # fmt: skip

    def _finish_commit(self, applied: AppliedChanges, one: Application) -> str:
        """Make the commit that an application asked for; its id, empty where none is made."""
        if one.commit is None:
            return ""
        from git_retcon.heal.review.fix_commit import make_commit_of_fix

        try:
            made = make_commit_of_fix(self._checkout, one.commit, one.paths)
        except Fatal as fault:
            applied.note_commit(one, None)
            say("warning", str(fault), fault.hint)
            return ""
        applied.note_commit(one, made)
        return made.made

    def _keep_choices(
        self,
        choices: Sequence[Choice],
        base: str,
        who: str,
        *,
        branch: str = "",
        run_id: str = "",
    ) -> list[Settled]:
        """Keep fixes on the branch that somebody named, else on a new one of the run."""
        if not choices:
            return []
        from git_retcon.heal.review.heal_branch import (
            Fix,
            commit_to_branch,
            commit_to_free_branch,
        )

        changes = tuple(change for choice in choices for change in choice.changes)
        repository, fix = self._checkout.repository, Fix(base, changes, _write_message(choices))
        if branch:
            made = commit_to_branch(repository, self._git, branch, fix)
        else:
            made = commit_to_free_branch(repository, self._git, f"heal/{run_id}", fix)
        kept = []
        for choice in choices:
            number = choice.proposal.number
            decide_heal(self._database, number, Decision.KEPT, who)
            paths = tuple(change.path for change in choice.changes)
            kept.append(Settled(number, Decision.KEPT, paths, *made))
        return kept

    def _keep_stored(self, stored: StoredHeal, why: str, who: str) -> Settled:
        from git_retcon.heal.review.heal_branch import Fix, commit_to_free_branch

        heal = stored.heal
        trees, tree = self._checkout.repository.trees, ""
        if heal.commit:
            tree = read_commit(self._checkout.repository, heal.commit).tree

        def read(path: bytes) -> File | None:
            entry = trees.find(tree, path) if tree else None
            if entry is None or not entry.is_file:
                return None
            content = self._git.run("cat-file", "--filters", f"{tree}:".encode() + path)
            return File(content, int(entry.mode[-3:], 8))

        try:
            changes = read_patch(heal.patch, read)
        except WrongBase as wrong:
            raise Fatal(
                f"heal {stored.number} does not fit any more: {why}",
                hint="'git heal' looks for a fix of the files as they are now",
                reason=Reason.STALE_PLAN,
            ) from wrong
        message = f"Heal {show_path(heal.path) if heal.path else 'errors of CI'}\n"
        made = commit_to_free_branch(
            self._checkout.repository,
            self._git,
            f"heal/{heal.run_id}",
            Fix(heal.commit, changes, message),
        )
        decide_heal(self._database, stored.number, Decision.KEPT, who)
        paths = tuple(one.path for one in changes)
        return Settled(stored.number, Decision.KEPT, paths, *made, reason=why)

    def _reject_choice(self, choice: Choice, who: str) -> Settled:
        number = choice.proposal.number
        decide_heal(self._database, number, Decision.REJECTED, who)
        return Settled(number, Decision.REJECTED, ())

    def _require_heal(self, number: int) -> StoredHeal:
        stored = read_heal(self._database, number)
        if stored is None:
            hint = "'git heal' names heals by their numbers"
            raise Fatal(f"there is no heal {number}", hint=hint, reason=Reason.INVALID)
        return stored

    def _name_person(self) -> str:
        """Who answered, as git knows them."""
        done = self._git.try_run("var", "GIT_AUTHOR_IDENT")
        said = done.stdout.decode("utf-8", "replace").rpartition(">")[0]
        return f"{said}>" if said else os.environ.get("USER", "")


def _refuse_absent(applied: AppliedChanges, one: Application) -> None:
    """Raise Refused where the files show no trace of it: to call it undone would forget a fix that
    another branch, or a stash, still has.
    """
    if not applied.has_none_of(one):
        return
    heals = all_of(map(str, one.heals))
    on = f", which was applied on '{one.branch.removeprefix('refs/heads/')}'" if one.branch else ""
    raise Refused(
        f"no file here has the fix of heal {heals}{on}",
        hint="'git heal undo' where the fix is takes it back; with --force it is only forgotten",
        reason=Reason.UNSAVED_WORK,
        again=["--force"],
    )


def _write_message(choices: Sequence[Choice]) -> str:
    paths = dict.fromkeys(change.path for choice in choices for change in choice.changes)
    first = show_path(next(iter(paths)))
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    lines = [f"Heal {first}{more}", ""]
    for choice in choices:
        for outcome in choice.proposal.outcomes:
            for error in outcome.item.errors[:5]:
                lines.append(f"- {error.finding.diagnostic.message}")
    return "\n".join(lines) + "\n"
