"""Asking a person about each fix, hunk by hunk, as ``git add -p`` does."""

import sys
from collections.abc import Callable, Sequence

from git_retcon.files.beneath import File
from git_retcon.heal.healing.fix_proof import StepProof
from git_retcon.heal.healing.heal_run import Proposal
from git_retcon.heal.patches import FileChange, list_hunks
from git_retcon.heal.records.heals import HealVerdict
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.show.counting import count
from git_retcon.show.painted_diff import paint_diff
from git_retcon.show.style import Style, printable, show_path, write_line

HELP = """\
y - apply this hunk
n - do not apply this hunk
a - apply this hunk and all later ones of this fix
d - apply neither this hunk nor any later one of this fix
e - edit this hunk
q - stop; decide the rest another time
? - print this help"""

Ask = Callable[[str], str]


class Choice(NamedTuple):
    """What was decided of a proposal: the changes to apply; none: rejected.

    ``whole``: nothing was left out or edited; ``undecided``: it stays open.
    """

    proposal: Proposal
    changes: tuple[FileChange, ...]
    whole: bool = True
    undecided: bool = False


class _Stop(Exception):
    """No more questions."""


class Reviewer:
    """Shows proposals and asks. ``ask`` prints a question and reads one line; "" is its end."""

    def __init__(self, style: Style, ask: Ask) -> None:
        self._style = style
        self._ask = ask

    def review(self, proposals: Sequence[Proposal]) -> list[Choice]:
        """Ask about each in turn."""
        choices: list[Choice] = []
        for at, proposal in enumerate(proposals):
            try:
                choices.append(self._review_one(proposal))
            except _Stop:
                left = proposals[at:]
                return [*choices, *(Choice(one, (), undecided=True) for one in left)]
        return choices

    def _review_one(self, proposal: Proposal) -> Choice:
        for line in describe_proposal(proposal, self._style):
            write_line(sys.stdout, line)
        if proposal.suppressions and not self._agrees_to_silence(proposal):
            return Choice(proposal, ())
        every: bool | None = None
        chosen: list[FileChange] = []
        for change in proposal.changes:
            made, every = self._review_file(change, every)
            if made.old != made.new:
                chosen.append(made)
        return Choice(proposal, tuple(chosen), whole=tuple(chosen) == proposal.changes)

    def _agrees_to_silence(self, proposal: Proposal) -> bool:
        question = "this fix could hide the error (see above); consider it all the same? [y,n,q] "
        return self._read_answer(question, "ynq") == "y"

    def _review_file(
        self, change: FileChange, every: bool | None
    ) -> tuple[FileChange, bool | None]:
        """The change with the hunks that were agreed to; then the answer for all later ones."""
        if change.new_mode is not None:
            change, every = self._review_mode(change, every)
            if change.old == change.new:
                return change, every
        hunks = list_hunks(change)
        if not hunks and change.new_mode is not None:
            return change, every
        if not hunks:  # a file without content comes or goes
            answer = self._read_answer(f"{show_path(change.path)}: apply? [y,n,q] ", "ynq")
            return (change if answer == "y" else change._replace(new=change.old)), every
        taken: list[bytes] = []
        for at, hunk in enumerate(hunks):
            chosen = hunk if every else b""
            if every is None:
                chosen, every = self._review_hunk(change, at, hunk, len(hunks))
            taken += [chosen] if chosen else []
        if taken == hunks:
            return change, every
        if not taken or change.new is None:
            return change._replace(new=_keep_content(change)), every
        # Late, here and below: only a person parts hunks.
        from git_retcon.heal.review.hunk_editing import join_hunks

        return join_hunks(change, taken), every

    def _review_mode(
        self, change: FileChange, every: bool | None
    ) -> tuple[FileChange, bool | None]:
        """The change, with the permissions of before where the new ones were not agreed to."""
        assert change.old is not None and change.new is not None, "a mode changes of a file"
        if every is None:
            made = "an executable" if change.new_mode == b"100755" else "no executable"
            question = f"{show_path(change.path)}: make it {made}? [y,n,a,d,q,?] "
            answer = self._read_answer(question, "ynadq")
            every = {"a": True, "d": False}.get(answer)
            agreed = answer in "ya"
        else:
            agreed = every
        if agreed:
            return change, every
        return change._replace(new=File(change.new.content, change.old.mode)), every

    def _review_hunk(
        self, change: FileChange, at: int, hunk: bytes, number: int
    ) -> tuple[bytes, bool | None]:
        """The hunk as it was agreed to, empty where it was not; the answer for all later ones."""
        from git_retcon.heal.review.hunk_editing import BadEdit, edit_hunk

        while True:
            write_line(sys.stdout, f"{self._style.title(show_path(change.path))}")
            self._print_hunk(hunk)
            question = f"({at + 1}/{number}) apply this hunk? [y,n,a,d,e,q,?] "
            answer = self._read_answer(question, "ynadeq")
            if answer != "e":
                every = {"a": True, "d": False}.get(answer)
                return hunk if answer in "ya" else b"", every
            if change.new is None:
                write_line(sys.stderr, "a file that goes has no hunk to edit")
                continue
            try:
                return edit_hunk(change, at), None
            except BadEdit as fault:
                write_line(sys.stderr, f"{fault}; the hunk is shown again")

    def _read_answer(self, question: str, letters: str) -> str:
        while True:
            said = self._ask(question)
            answer = said.strip()
            if not said or answer == "q":
                raise _Stop
            if len(answer) == 1 and answer in letters:
                return answer
            write_line(sys.stderr, HELP)

    def _print_hunk(self, hunk: bytes) -> None:
        for line in paint_diff(hunk, self._style):
            write_line(sys.stdout, line)


def _keep_content(change: FileChange) -> File | None:
    """The file as it was, but for the permissions that were agreed to."""
    if change.old is None or change.new_mode is None:
        return change.old
    return change.old.with_git_mode(change.new_mode)


def describe_proposal(proposal: Proposal, style: Style) -> list[str]:
    """What a fix answers, how, and how well it is proved."""
    errors = [error for one in proposal.outcomes for error in one.item.errors]
    lines = [""]
    for error in errors[:8]:
        said = error.finding
        place = show_path(said.path) if said.path else "(no file)"
        number = f":{said.line}" if said.line else ""
        lines.append(f"{place}{number}: {printable(said.diagnostic.message)}")
    if len(errors) > 8:
        lines.append(f"and {count(len(errors) - 8, 'more error')}")
    verdict = proposal.verdict
    paint = style.good if verdict is HealVerdict.HEALED else style.warn
    reason = f": {printable(proposal.reason)}" if proposal.reason else ""
    lines.append(f"  {paint(verdict.value)}{reason} (by {printable(proposal.how)})")
    lines += [f"  {_describe_proof(one)}" for one in proposal.proof]
    lines += [f"  could hide the error: {printable(line)}" for line in proposal.suppressions]
    return lines


def _describe_proof(proof: StepProof) -> str:
    """How the step ended before and with the fix; the seconds are those of the last run."""
    name, before, after = (
        printable(proof.step),
        _tell_status(proof.before),
        _tell_status(proof.after),
    )
    often = " twice" if proof.runs > 1 else ""
    return f"'{name}' ended with {before}, and now with {after}{often} ({proof.seconds:.1f} s)"


def _tell_status(status: int | None) -> str:
    return "no status" if status is None else str(status)


def ask_terminal(question: str) -> str:
    """Print a question on standard error, and read a line; "" at the end of the input."""
    sys.stderr.write(printable(question))
    sys.stderr.flush()
    return sys.stdin.readline()
