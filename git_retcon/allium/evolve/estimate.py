"""What it would cost to describe a history with a model, before anything is sent."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.evolve.agenda import Agenda
from git_retcon.allium.evolve.memory import Memory
from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.allium.reconcile.checkpoints import Checkpoints
from git_retcon.allium.requests.talk import Models
from git_retcon.git.graph import tree_of
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_TREE, object_size
from git_retcon.model.messages import Usage
from git_retcon.model.prices import PriceTable
from git_retcon.show.counting import count

# What a step sends beside the change, and what comes back, where modules are of the usual size.
_SPEC_TOKENS = 6_000
_ANSWER_TOKENS = 1_500
_BYTES_PER_TOKEN = 4
# The share of a changed file that a diff shows, at least and at most.
_SHARES = (0.05, 0.4)
_SECONDS = (15, 60)  # of one step, and of either half of a reconciliation


class Estimate(NamedTuple):
    """``steps`` are those that a model is asked about, ``reconciliations`` those that are due;
    dollars and hours at least and at most.
    """

    steps: int
    reconciliations: int
    dollars: tuple[float, float]
    hours: tuple[float, float]

    def __str__(self) -> str:
        grounded = (
            f" and {count(self.reconciliations, 'reconciliation')}" if self.reconciliations else ""
        )
        dollars = _show_range(*(f"${amount:,.2f}" for amount in self.dollars))
        return f"{count(self.steps, 'commit')}{grounded} to ask about: {dollars}, {self._duration}"

    @property
    def _duration(self) -> str:
        """In minutes up to two hours: nobody reads "0.0 hours"."""
        low, high = self.hours
        if high > 2:
            return f"{_show_range(f'{low:,.1f}', f'{high:,.1f}')} hours"
        first, last = round(low * 60), round(high * 60)
        return f"{_show_range(str(first), str(last))} minutes" if last > 1 else "about a minute"


def _show_range(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


class _Change(NamedTuple):
    """The bytes of new files and of changed ones, and the model that is asked about them."""

    new: int
    changed: int
    model: str


def estimate_cost(
    repository: Repository,
    branch: SpecBranch,
    agenda: Agenda,
    checkpoints: Checkpoints,
    files: SourceFiles,
    prices: PriceTable,
    models: Models,
    most_diff_tokens: int,
) -> Estimate:
    """Look at the sizes of what each commit changed, and of what was changed between two
    reconciliations. Nothing is read but trees.
    """
    sizes = _Sizes(repository, files)
    steps = list(_list_steps(repository, branch, agenda, sizes, models))
    reconciled = list(_list_reconciliations(agenda, checkpoints, sizes, models))
    dollars = [0.0, 0.0]
    for change in [*steps, *reconciled]:
        for at, share in enumerate(_SHARES):
            tokens = (change.new + int(change.changed * share)) // _BYTES_PER_TOKEN
            # A large change is sent in parts, each with the specification.
            requests = 1 + tokens // max(1, most_diff_tokens)
            usage = Usage(tokens + requests * _SPEC_TOKENS, requests * _ANSWER_TOKENS)
            dollars[at] += prices.price(change.model).rates(usage.input // requests).cost(usage)
    # What was found is put together by another model.
    combined = prices.cost(models.combining, Usage(_SPEC_TOKENS + _ANSWER_TOKENS, _ANSWER_TOKENS))
    low, high = (amount + combined * len(reconciled) for amount in dollars)
    asked = len(steps) + 2 * len(reconciled)
    first, last = (asked * seconds / 3600 for seconds in _SECONDS)
    return Estimate(len(steps), len(reconciled), (low, high), (first, last))


class _Sizes:
    """How many bytes of source differ between commits."""

    def __init__(self, repository: Repository, files: SourceFiles) -> None:
        self._repository = repository
        self._files = files

    def measure(self, base: str | None, commit: str, model: str) -> _Change | None:
        """The change from one commit, None for an empty tree, to another; None where no source
        differs.
        """
        trees, odb = self._repository.trees, self._repository.objects.odb
        old = EMPTY_TREE if base is None else tree_of(self._repository, base)
        tree = tree_of(self._repository, commit)
        new, changed = 0, 0
        for change in self._files.select(trees.changes(old, tree), tree):
            if change.new is None or not change.new.is_file:
                changed += 1  # a removal shows no content, and is asked about all the same
            elif change.old is None:
                new += object_size(odb, change.new.oid)
            else:
                changed += object_size(odb, change.new.oid)
        return _Change(new, changed, model) if new or changed else None


def _list_steps(
    repository: Repository, branch: SpecBranch, agenda: Agenda, sizes: _Sizes, models: Models
) -> Iterator[_Change]:
    """Each commit that a model is asked about."""
    memory = Memory.of(repository, branch, agenda.tip)
    # What is foreseen of each commit's specification; None where a model decides it.
    specs: dict[str, str | None] = {}
    for commit, parents in agenda.graph.parents.items():
        before: list[str | None] = []
        for parent in agenda.list_parents(commit):
            record = branch.find(parent)
            known = memory.read_specification(record.last) if record else None
            before.append(specs.get(parent, known))
        specs[commit] = memory.foresee(tree_of(repository, commit), before)
        if len(parents) > 1:
            continue  # merged by declaration; only what both sides changed is asked
        base = parents[0] if parents and commit != agenda.start else None
        is_first = base is None or tree_of(repository, base) == EMPTY_TREE
        change = sizes.measure(base, commit, models.large if is_first else models.usual)
        if change is None:
            specs[commit] = before[0] if before else None
        elif specs[commit] is None:
            yield change


def _list_reconciliations(
    agenda: Agenda, checkpoints: Checkpoints, sizes: _Sizes, models: Models
) -> Iterator[_Change]:
    """What the chunks of each reconciliation show: all that changed since the one before."""
    due = checkpoints.plan.due
    nearest: dict[str, str | None] = {}
    for commit, parents in agenda.graph.parents.items():
        base = _find_nearest(parents, nearest)
        if commit in due:
            base = base or checkpoints.find_base(commit)
            change = sizes.measure(base, commit, models.usual)
            if change is not None:
                yield change
            base = commit
        nearest[commit] = base


def _find_nearest(parents: Sequence[str], nearest: Mapping[str, str | None]) -> str | None:
    """The last reconciliation of this run before a commit, along the first parent that has one."""
    return next((found for each in parents if (found := nearest.get(each))), None)
