"""What a command line asks evolve for, and whether that is done already.

A run with nothing to describe imports this and little else: it is what most runs of a hook are.
"""

from typing import NamedTuple

from git_retcon import settings
from git_retcon.allium.history.reconciliations import read_reconciliation
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.allium.history.spec_commit import read_trailers
from git_retcon.errors import Fatal, Reason
from git_retcon.git.graph import is_ancestor, read_commit, resolve_commit, tree_of
from git_retcon.git.refs import check_branch_name
from git_retcon.git.repository import Repository
from git_retcon.settings import Settings


class Range(NamedTuple):
    """What a command line asks for. ``since`` is a revision, ``last`` a number of commits."""

    revision: str = "HEAD"
    is_all: bool = False
    since: str | None = None
    last: int | None = None


class Advice(NamedTuple):
    """What to do next, in words and as a command."""

    hint: str
    command: list[str]


def read_branch_name(repository: Repository, chosen: Settings) -> str:
    """The full name of the spec branch. Raises Fatal for what git would not let it be called."""
    name = chosen.get_required(settings.ALLIUM_BRANCH)
    if name == settings.ALLIUM_BRANCH.default:
        return f"refs/heads/{name}"  # git need not be asked
    return check_branch_name(repository.git, name)


def advise_beginning(branch: SpecBranch) -> Advice:
    """What to do where a branch is not there: what somebody pushed of it comes first."""
    short = branch.name.removeprefix("refs/heads/")
    for published in branch.list_published()[:1]:
        return Advice(
            f"'git branch {short} {published}' goes on from what was pushed",
            ["git", "branch", short, published],
        )
    return Advice(
        "'git allium evolve' writes it, or 'git fetch' brings the spec branch",
        ["git", "allium", "evolve"],
    )


def resolve_source(repository: Repository, name: str) -> str:
    """The id of the source commit that is meant. Raises Fatal where there is none."""
    found = resolve_commit(repository, name)
    if found is None:
        if name == "HEAD":
            raise Fatal("this branch has no commit yet", hint="commit something first")
        raise Fatal(
            f"no such commit: '{name}'",
            hint="'git log --oneline --all' lists commits",
            commands=[["git", "log", "--oneline", "--all"]],
            reason=Reason.INVALID,
        )
    return found


def refuse_specification(repository: Repository, commit: str, name: str) -> None:
    """Raise Fatal where a commit is one of a spec branch and no source: with that checked out, or
    just left, it is what HEAD names.
    """
    from git_retcon.allium.store.module_paths import MASTER
    from git_retcon.allium.store.spec_store import FOLDER
    from git_retcon.allium.store.spec_tree import CHANGELOG

    tree = tree_of(repository, commit)
    is_alone = repository.trees.read(tree).keys() <= {FOLDER.rstrip(b"/"), CHANGELOG}
    if is_alone and repository.trees.find(tree, FOLDER + MASTER) is not None:
        raise Fatal(
            f"'{name}' is a specification, not its source",
            hint="switch to a branch of the source, or name one",
            reason=Reason.INVALID,
        )


def is_up_to_date(repository: Repository, branch: SpecBranch, asked: Range, tip: str) -> bool:
    """Whether there is nothing to describe, as far as a few reads can say."""
    is_there = branch.tip is not None and branch.tip.source == tip
    return is_there and branch.has_notes and not asked.is_all and asked.since is None


def is_behind(repository: Repository, branch: SpecBranch, tip: str) -> bool:
    """Whether a source commit is one that the branch went past."""
    return branch.tip is not None and is_ancestor(repository, tip, branch.tip.source)


def is_grounded(repository: Repository, branch: SpecBranch, source: str) -> bool:
    """Whether the tip of a branch is a reconciliation with this very source commit.

    One commit is read: it is what most runs of a hook ask.
    """
    if branch.tip is None or branch.tip.source != source:
        return False
    tip = read_commit(repository, branch.tip.commit)
    describes = read_trailers(tip).describes
    record = read_reconciliation(tip.message, source)
    is_whole = record is not None and not (record.is_skipped or record.failed)
    return describes == source and is_whole
