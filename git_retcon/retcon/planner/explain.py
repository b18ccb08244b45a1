"""Why an atom was placed where it was, in plain words."""

import enum
from collections.abc import Mapping, Sequence

from git_retcon.files.patterns import Case, read_patterns
from git_retcon.retcon.hints.hint import names_path
from git_retcon.retcon.hints.words import WORD, stems
from git_retcon.retcon.planner.descriptions import Description
from git_retcon.retcon.planner.facts import Facts, Origin
from git_retcon.retcon.planner.ordering import Order
from git_retcon.retcon.spec.model import LogicalCommit

# More than these a reader does not take in, and ``-n --explain`` has one line a hunk.
_MOST_WORDS = 4
_MOST_REASONS = 2


class Step(enum.Enum):
    """The step of planning that decided where an atom goes."""

    EVIDENCE = "the words, the hints and the source's commits"
    UNIT = "the same, for a unit of several atoms"
    ORDER = "definitions come before their uses"
    FILLING = "no commit stays empty"


def find_step(order: Order, unit: int) -> Step:
    """The step that decided where a unit, by position, goes."""
    if unit in order.fillers:
        return Step.FILLING
    if order.labels[unit] != order.units[unit].best:
        return Step.ORDER
    return Step.UNIT if len(order.units[unit].atoms) > 1 else Step.EVIDENCE


def credit_model() -> str:
    """What is said of an atom that is where a model put it."""
    return "the model named this commit"


class Explainer:
    """Gives the strongest kind of evidence first: files, hints, source commits, names, words."""

    def __init__(
        self,
        facts: Sequence[Facts],
        descriptions: Sequence[Description],
        origins: Sequence[Origin],
        subjects: Sequence[str],
        commits: Sequence[LogicalCommit] = (),
        case: Case = Case.MATTERS,
    ) -> None:
        self._facts, self._descriptions = facts, descriptions
        self._commits, self._case = commits, case
        self._origins, self._subjects = origins, subjects
        self._stems: dict[int, Mapping[str, str]] = {}

    def explain(self, at: int, commit: int, step: Step) -> str:
        """One line for one atom, given by its position."""
        if step is Step.FILLING:
            return "moved here so that the commit is not empty"
        if step is Step.ORDER:
            return "moved here so that definitions come before their uses"
        reasons = [
            self._name_files(at, commit),
            self._name_hints(at, commit),
            self._name_source(at),
            self._name_words(at, commit),
            "kept with the rest of its definition" if step is Step.UNIT else "",
        ]
        found = [reason for reason in reasons if reason][:_MOST_REASONS]
        return "; ".join(found) or "nothing names it; it resembles this kind of commit most"

    def _name_files(self, at: int, commit: int) -> str:
        if not self._commits:
            return ""
        path, files = self._facts[at].atom.path, self._commits[commit].files
        # The whole list decides, as a later '!' may take back what a pattern names.
        if not self._commits[commit].claims(path, self._case):
            return ""
        each = next(each for each in files if read_patterns((each,), self._case).matches(path))
        return f"named by files = '{each}'"

    def _name_hints(self, at: int, commit: int) -> str:
        one, wanted = self._facts[at], self._descriptions[commit].hint.wanted
        # Sets have no order of their own, and the same plan is to print the same reason.
        for name in (*one.names, *sorted(one.defines), *sorted(one.undefines)):
            if name in wanted.words:
                return f"hints name {name}"
        path = one.atom.path.decode("utf-8", "replace")
        return f"hints name {path}" if names_path(path.lower(), wanted) else ""

    def _name_source(self, at: int) -> str:
        origin = self._origins[at]
        if not origin:
            return ""
        # Of equals the oldest: later commits more often only touched the lines up.
        most = max(origin, key=lambda w: (origin[w], -w))
        subject = self._subjects[most] if most < len(self._subjects) else ""
        return f'came with source commit {most + 1} "{subject}"' if subject else ""

    def _name_words(self, at: int, commit: int) -> str:
        one, message = self._facts[at], self._descriptions[commit].message
        text = f"{one.added}\n{one.removed}"
        path = one.atom.path.decode("utf-8", "replace")
        words = self._message_stems(commit)
        shared: dict[str, None] = {}
        for word in WORD.findall(text) + WORD.findall(path):
            if word in message.names:
                shared[word] = None
            else:
                shared |= {words[stem]: None for stem in stems(word) if stem in words}
            if len(shared) >= _MOST_WORDS:
                break
        return f"message or hints say {', '.join(list(shared)[:_MOST_WORDS])}" if shared else ""

    def _message_stems(self, commit: int) -> Mapping[str, str]:
        """Stem → a word of the message or the hints that has it, as written."""
        found = self._stems.get(commit)
        if found is None:
            message = self._descriptions[commit].message
            words = (*sorted(message.words), *sorted(message.names))
            found = self._stems[commit] = {stem: word for word in words for stem in stems(word)}
        return found
