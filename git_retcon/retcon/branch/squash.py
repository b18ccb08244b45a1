"""``--squash-wip``: fold each logical commit and its WIPs into one commit."""

from dataclasses import replace

from git_retcon.git.commits import write_commit
from git_retcon.git.graph import read_commit
from git_retcon.git.repository import Repository
from git_retcon.retcon.branch.authors import add_co_authors, find_authors
from git_retcon.retcon.branch.branches import Branches
from git_retcon.retcon.branch.note import Record
from git_retcon.retcon.branch.reconcile import expand_recorded_ids
from git_retcon.retcon.branch.writer import Writer
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import CommitCreated, Complete, Event
from git_retcon.retcon.spec.model import Spec


def can_fold(spec: Spec, tip: str) -> bool:
    """Whether a spec with full ids has something to fold, and the tip is still ours."""
    groups = [commit.commits for commit in spec.commits]
    flat = [oid for group in groups for oid in group]
    return bool(flat) and flat[-1] == tip and any(len(group) > 1 for group in groups)


def squash_wip(
    repository: Repository, specfile: SpecFile, branches: Branches, tip: str, writer: Writer
) -> tuple[SpecFile, str]:
    """Fold a complete branch and return the spec and the tip as they are then.

    Each folded commit has the files of its last WIP, and the message and author of the first
    commit. Trailers name the other authors, and what a person merged stays merged. A branch whose
    tip a person has moved since stays as it is.
    """
    full = expand_recorded_ids(repository, specfile.spec)
    if not can_fold(full, tip):
        return specfile, tip
    groups = [commit.commits for commit in full.commits]
    parent = branches.base.oid
    histories: dict[int, tuple[Event, ...]] = {}
    records: dict[str, Record] = {}
    for index, group in enumerate(groups):
        if not group:
            continue
        parent = _fold_group(repository, group, parent, writer, records)
        histories[index] = (CommitCreated(parent), Complete())
    # All at the end: killed before this, the branch is as it was.
    writer.replace(tip, parent, records, "squash WIP commits")
    return specfile.with_histories(histories), parent


def _fold_group(
    repository: Repository,
    group: tuple[str, ...],
    parent: str,
    writer: Writer,
    records: dict[str, Record],
) -> str:
    commits = [read_commit(repository, oid) for oid in group]
    # Nothing to fold and nothing folded below: the commit keeps its id, and its signature.
    if len(group) == 1 and commits[0].parents[:1] == (parent,):
        return group[0]
    # What a person merged into one of them stays merged into what becomes of it.
    merged = [other for commit in commits for other in commit.parents[1:]]
    author, others = find_authors(commits)
    message = add_co_authors(commits[0].message, others)
    oid = write_commit(repository, commits[-1].tree, [parent, *merged], message, author)
    known = writer.records(group)
    if group[0] in known:
        latest = known.get(group[-1], known[group[0]])
        # In the order of the commits: a released hunk may come back.
        atoms: set[str] = set()
        for record in (known[each] for each in group if each in known):
            atoms = (atoms | {*record.atoms}) - {*record.released}
        records[oid] = replace(
            known[group[0]],
            atoms=tuple(sorted(atoms)),
            bridged=any(record.bridged for record in known.values()),
            verdicts=latest.verdicts,
            commands=latest.commands,
            seconds=latest.seconds,
            tokens=latest.tokens,
            cost=latest.cost,
        )
    return oid
