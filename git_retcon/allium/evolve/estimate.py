"""What it would cost to describe a history with a model, before anything is sent."""

from collections.abc import Iterator
from typing import NamedTuple

from git_retcon.allium.evolve.agenda import Agenda
from git_retcon.allium.evolve.source_files import SourceFiles
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
_SECONDS = (15, 60)  # of one step


class Estimate(NamedTuple):
    """``steps`` are those that a model is asked about; dollars and hours at least and at most."""

    steps: int
    dollars: tuple[float, float]
    hours: tuple[float, float]

    def __str__(self) -> str:
        low, high = self.dollars
        first, last = self.hours
        return (
            f"{count(self.steps, 'commit')} to ask about: ${low:,.2f} to ${high:,.2f}, "
            f"{first:,.1f} to {last:,.1f} hours, one after another"
        )


def estimate_cost(
    repository: Repository,
    agenda: Agenda,
    files: SourceFiles,
    prices: PriceTable,
    model: str,
    most_diff_tokens: int,
) -> Estimate:
    """Look at the sizes of what each commit changed. Nothing is read but trees."""
    steps = 0
    dollars = [0.0, 0.0]
    for whole, part in _list_sizes(repository, agenda, files):
        steps += 1
        for at, share in enumerate(_SHARES):
            tokens = (whole + int(part * share)) // _BYTES_PER_TOKEN
            # A large change is sent in parts, each with the specification.
            requests = 1 + tokens // max(1, most_diff_tokens)
            usage = Usage(tokens + requests * _SPEC_TOKENS, requests * _ANSWER_TOKENS)
            dollars[at] += prices.price(model).rates(usage.input // requests).cost(usage)
    low, high = (steps * seconds / 3600 for seconds in _SECONDS)
    return Estimate(steps, (dollars[0], dollars[1]), (low, high))


def _list_sizes(
    repository: Repository, agenda: Agenda, files: SourceFiles
) -> Iterator[tuple[int, int]]:
    """For each commit that a model is asked about, the bytes of new files and of changed ones."""
    trees, odb = repository.trees, repository.objects.odb
    for commit, parents in agenda.graph.parents.items():
        if len(parents) > 1:
            continue  # merged by declaration; only what both sides changed is asked
        is_first = not parents or commit == agenda.start
        base = EMPTY_TREE if is_first else tree_of(repository, parents[0])
        tree = tree_of(repository, commit)
        sizes = [0, 0]
        for change in files.select(trees.changes(base, tree), tree):
            if change.new is not None and change.new.is_file:
                sizes[change.old is not None] += object_size(odb, change.new.oid)
            else:
                # A removal shows no content, and a model is asked about it all the same.
                sizes[1] += 1
        if any(sizes):
            yield sizes[0], sizes[1]
