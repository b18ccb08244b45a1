"""A reconciliation that somebody asked for: compared, and written as a commit of its own."""

from collections.abc import Sequence

from git_retcon.allium.engine import Checkpoint, Grounding
from git_retcon.allium.evolve.changelog import add_entry
from git_retcon.allium.evolve.request import is_grounded
from git_retcon.allium.evolve.step_writer import GroundedStep, describe_grounding
from git_retcon.allium.history.reconciliations import State
from git_retcon.allium.history.source_notes import SpecRecord
from git_retcon.allium.history.spec_branch import SpecBranch, Tip
from git_retcon.allium.history.spec_commit import Account, write_own_commit
from git_retcon.allium.reconcile.checkpoints import find_base, make_record
from git_retcon.allium.reconcile.hand_edits import find_hand_edits
from git_retcon.allium.reconcile.lost_master import read_whole
from git_retcon.allium.store.module_layout import list_in_master, split_modules
from git_retcon.allium.store.source_map import SourceRoot
from git_retcon.allium.store.spec_tree import SpecTrees, list_changed_files
from git_retcon.errors import Fatal, Reason
from git_retcon.git.graph import is_ancestor, is_commit, read_commit, tree_of
from git_retcon.git.ref_updates import RefUpdater
from git_retcon.git.repository import Repository
from git_retcon.git.short_ids import shorten_id


def make_checkpoint(
    repository: Repository,
    branch: SpecBranch,
    source: str,
    root: SourceRoot | None,
    *,
    is_full: bool,
) -> Checkpoint:
    """The specification that a branch has, beside a source commit: that of its tip, or a later one.

    ``root`` is the configured source root; None: the one that the specification names. Raises
    Fatal for an earlier one, and for one of another line.
    """
    tip = branch.tip
    assert tip is not None, "there is a specification to compare"
    _check_line(repository, tip, source)
    states = branch.load_states()
    base = None if is_full else find_base(repository, states.records.values(), source)
    store = read_whole(repository, SpecTrees(repository, root), read_commit(repository, tip.commit))
    earlier = [read_commit(repository, tip.source)] if is_commit(repository, tip.source) else []
    edits = find_hand_edits(repository, [tip.commit])
    return Checkpoint(read_commit(repository, source), store, base, earlier, edits)


def write_grounding(
    repository: Repository,
    branch: SpecBranch,
    checkpoint: Checkpoint,
    grounding: Grounding,
    most_module_tokens: int,
) -> str:
    """Write a commit on top of the branch, and move the branch to it. Returns the id of the tip:
    that of before where nothing changed, and the tip records this comparison already or it failed.
    """
    tip = branch.tip
    assert tip is not None
    trees = SpecTrees(repository)
    before = trees.read(tree_of(repository, tip.commit))
    store = split_modules(grounding.store, most_module_tokens)
    if store.all_modules().keys() != before.store.all_modules().keys():
        store = list_in_master(store)
    changed = sorted(list_changed_files(before.store, store))
    source = checkpoint.commit
    # Where a part failed and nothing changed, no record: the next comparison begins no later.
    if not (changed or grounding.skipped) and (
        grounding.failures or is_grounded(repository, branch, source.oid)
    ):
        return tip.commit
    changelog = add_entry(before.changelog, source, changed) if changed else before.changelog
    after = trees.write(store, changelog, before)
    states = branch.load_states()
    record = make_record(states.state.counters, source.oid, grounding)
    lines = list(describe_grounding(GroundedStep(grounding, record, checkpoint.store)))
    account = Account(lines, grounding.model, grounding.cost, trailers=[record.trailer])
    spec = write_own_commit(repository, source, after.tree, tip.commit, account)
    states.put(spec, record=record, state=State(states.state.counters.reset()))
    branch.add(source.oid, _extend_record(branch, tip, source.oid, spec), [tip.source])
    with RefUpdater(repository) as updater:
        branch.save(source.oid, (), updater)
    return spec


def _check_line(repository: Repository, tip: Tip, source: str) -> None:
    if source == tip.source or is_ancestor(repository, tip.source, source):
        return
    commands: Sequence[Sequence[str]] = [["git", "allium", "evolve", source]]
    if is_ancestor(repository, source, tip.source):
        why = "the spec branch describes a later commit than"
    else:
        why = "the spec branch describes another line of the history than"
    raise Fatal(
        f"{why} {shorten_id(source)}",
        hint="'git allium evolve REV' describes the history of REV first",
        reason=Reason.INVALID,
        commands=commands,
    )


def _extend_record(branch: SpecBranch, tip: Tip, source: str, spec: str) -> SpecRecord:
    """The note of a source commit whose specification is a reconciliation now."""
    known = branch.find(source) if source == tip.source else None
    if known is not None:
        return known._replace(last=spec)
    above = branch.find(tip.source)
    return SpecRecord(spec, spec, above.step if above else 0)
