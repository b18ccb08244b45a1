"""``--explain``: why each hunk goes into its commit, and how sure that is."""

from collections.abc import Collection, Iterator, Sequence

from git_retcon.git.atoms import Atom, Kind
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.branch.whole_entries import describe_entry
from git_retcon.retcon.engine import Blocked, Choice, Engine, Progress, Reason, Situation, Trial
from git_retcon.retcon.events import Explained, Listener, PlacedHunk
from git_retcon.run.failure import Failure
from git_retcon.show.style import Style, printable, show_path

NUMBER_WIDTH = 6  # columns before a numbered line, and its star


def place_hunks(atoms: Sequence[Atom], choice: Choice) -> tuple[PlacedHunk, ...]:
    """The hunks of a choice, in the order of ``atoms``."""
    return tuple(
        _place_hunk(atom, choice.reasons.get(atom.id)) for atom in atoms if atom.id in choice.atoms
    )


def explain_hunk(hunk: PlacedHunk, style: Style) -> Iterator[str]:
    """One hunk for people, with its reason."""
    yield f"  {hunk_line(hunk)}"
    if hunk.why is not None and hunk.confidence is not None:
        yield style.faint(f"      {hunk.confidence:4.0%}  {printable(hunk.why)}")


def hunk_line(hunk: PlacedHunk) -> str:
    """What a hunk is, on one line: id, place, kind, size, definition."""
    where = f"{hunk.path} {hunk.change}" if hunk.change else f"{hunk.path}:{hunk.line}"
    scope = f"  {printable(hunk.scope)}" if hunk.scope else ""
    return f"{hunk.id}  {where}  +{hunk.added} -{hunk.removed}{scope}"


def show_patch(atom: Atom, style: Style, *, indent: int) -> Iterator[str]:
    """The text of a hunk, as a patch has it."""
    for sign, lines, paint in (("-", atom.removed, style.bad), ("+", atom.added, style.good)):
        for line in lines:
            text = line.decode("utf-8", "backslashreplace").rstrip("\r\n")
            yield " " * indent + paint(sign + printable(text))


def number_patch(atom: Atom, style: Style, borders: Collection[int] = ()) -> Iterator[str]:
    """The same with the numbers that its lines have in ids of parts.

    Behind each line of ``borders`` is a star: the hunk can be cut there.
    """
    from git_retcon.retcon.branch.hunk_division import number_lines

    if atom.kind is not Kind.LINES:
        yield from show_patch(atom, style, indent=2)
        return
    lines = show_patch(atom, style, indent=0)
    for number, line in zip(sorted(number_lines(atom)), lines, strict=True):
        mark = "*" if number in borders else " "
        yield style.faint(f"{number:>{NUMBER_WIDTH - 1}}{mark}") + " " + line


def describe_hunk(atom: Atom) -> PlacedHunk:
    """A hunk that is in no commit yet."""
    return _place_hunk(atom, None)


def _place_hunk(atom: Atom, reason: Reason | None) -> PlacedHunk:
    return PlacedHunk(
        id=atom.id,
        kind=atom.kind.value,
        change=describe_entry(atom),
        path=show_path(atom.path),
        line=atom.new.start + 1 if atom.kind is Kind.LINES else None,
        scope=atom.scope,
        removed=len(atom.removed),
        added=len(atom.added),
        why=reason.why if reason else None,
        confidence=round(reason.confidence, 3) if reason else None,
    )


@dataclass(frozen=True)
class ExplainingEngine:
    """Wraps an engine, and prints the reasons of each choice."""

    engine: Engine
    tell: Listener

    @property
    def name(self) -> str:
        return self.engine.name

    def extract(self, situation: Situation) -> Choice:
        choice = self.engine.extract(situation)
        self._explain_choice(situation, choice)
        return choice

    def assess(
        self, situation: Situation, failure: Failure, attempt: int, trial: Trial
    ) -> Progress | Blocked:
        answer = self.engine.assess(situation, failure, attempt, trial)
        if isinstance(answer, Progress):
            self._explain_choice(situation, answer.choice)
        return answer

    def _explain_choice(self, situation: Situation, choice: Choice) -> None:
        hunks = place_hunks(situation.difference.atoms, choice)
        self.tell(Explained(situation.index, choice.remarks, hunks))
