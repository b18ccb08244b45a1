"""``git allium check --drift`` and ``git allium accept``: where specification and source differ."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon import settings
from git_retcon.allium.evolve.request import (
    advise_beginning,
    read_branch_name,
    refuse_specification,
    resolve_source,
)
from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.allium.history.spec_commit import write_acceptance
from git_retcon.allium.reconcile.drift import Divergence, find_drift
from git_retcon.allium.reconcile.positions import Position
from git_retcon.allium.store.source_map import parse_root
from git_retcon.allium.subcommands.diagnosis import NAME, Form, report_skipped
from git_retcon.allium.subcommands.reconciliation import describe_finding
from git_retcon.errors import Fatal, Reason
from git_retcon.git.commits import check_identity
from git_retcon.git.current_config import CurrentConfig
from git_retcon.git.graph import read_commit
from git_retcon.git.ref_updates import RefUpdater
from git_retcon.git.repository import Repository, open_repository
from git_retcon.options import Output
from git_retcon.settings import Settings
from git_retcon.show.annotations import Level, Remark, make_sarif, make_workflow_command
from git_retcon.show.counting import count
from git_retcon.show.envelope import DONE, FAILED, Ending, Failure
from git_retcon.show.notices import say_hint, say_line
from git_retcon.show.style import printable, show_path, style_of, write_line


class _Drift(NamedTuple):
    """What was compared, what differs and is not accepted, and what could not be read."""

    repository: Repository
    branch: SpecBranch
    found: Mapping[str, Divergence]
    skipped: Sequence[tuple[bytes, str]]
    is_asked: bool

    @property
    def hint(self) -> str:
        """What helps."""
        if self.is_asked:
            short = self.branch.name.removeprefix("refs/heads/")
            return (
                "a reconciliation only asks about it: 'git allium accept' keeps it, an edit of "
                f"'{short}' corrects it"
            )
        return "'git allium reconcile' corrects the specification, 'git allium accept' keeps it"


def check_drift(revision: str, form: Form, output: Output) -> Ending:
    """Compare the specification of the spec branch with the source of a revision, offline. A
    failure where they differ in something that nobody accepted.
    """
    drift = _find_drift(revision)
    if not output.json:
        for line in _list_lines(list(drift.found.values()), form, output):
            write_line(sys.stdout, line)
        sys.stdout.flush()  # the count on standard error comes last
    report_skipped(drift.skipped)
    number = count(len(drift.found), "divergence")
    if not (output.json or output.quiet):
        say_line(f"{number} of specification and source" if drift.found else "no divergence")
    data = {
        "divergences": [_describe_divergence(each) for each in drift.found.values()],
        "skipped": [{"path": show_path(path), "why": why} for path, why in drift.skipped],
    }
    if not drift.found:
        return Ending(DONE, data)
    hint = drift.hint
    if not (output.json or output.quiet):
        say_hint(hint)
    commands = [["git", "allium", "accept", "--all"]]
    if not drift.is_asked:
        commands.insert(0, ["git", "allium", "reconcile"])
    return Ending(FAILED, data, Failure(Reason.INVALID, number, hint, commands=commands))


def accept_divergences(
    revision: str, sections: Sequence[str], output: Output, *, is_all: bool
) -> Ending:
    """Record, in a commit of the spec branch, that somebody has looked at divergences.

    Raises Fatal for one that there is not.
    """
    from git_retcon.allium.evolve.run import lock_branch

    drift = _find_drift(revision)
    chosen = [
        each
        for each in drift.found.values()
        if is_all or each.finding.section in sections or each.anchor in sections
    ]
    known = {name for each in chosen for name in (each.finding.section, each.anchor)}
    missing = [name for name in sections if name not in known]
    if missing:
        raise Fatal(
            f"no such divergence: '{missing[0]}'",
            hint="'git allium check --drift' lists them",
            reason=Reason.INVALID,
            commands=[["git", "allium", "check", "--drift"]],
        )
    data: dict[str, object] = {"accepted": [each.anchor for each in chosen]}
    if not chosen:
        if not (output.json or output.quiet):
            say_line("no divergence to accept")
        return Ending(DONE, data)
    repository, branch = drift.repository, drift.branch
    with lock_branch(repository, branch):
        _accept_divergences(repository, branch, chosen)
    if not (output.json or output.quiet):
        say_line(f"{count(len(chosen), 'divergence')} accepted")
    return Ending(DONE, data)


def _accept_divergences(
    repository: Repository, branch: SpecBranch, chosen: Sequence[Divergence]
) -> None:
    check_identity(repository)
    person = repository.committer
    assert person is not None, "git knows who commits"
    tip = branch.tip
    assert tip is not None
    lines = [f"{each.finding.section}: {each.finding.description}" for each in chosen]
    spec = write_acceptance(repository, tip.commit, person, lines, [e.anchor for e in chosen])
    known = branch.find(tip.source)
    if known is not None:
        branch.add(tip.source, known._replace(last=spec), [])
    with RefUpdater(repository) as updater:
        branch.save(tip.source, (), updater)


def _find_drift(revision: str) -> _Drift:
    from git_retcon.allium.engine import Checkpoint
    from git_retcon.allium.engines.engine_opening import open_offline
    from git_retcon.allium.evolve.on_demand import make_checkpoint

    repository = open_repository(Path.cwd())
    chosen = Settings.of(repository.config)
    branch = SpecBranch(repository, read_branch_name(repository, chosen))
    source = resolve_source(repository, revision)
    refuse_specification(repository, source, revision)
    if branch.tip is None:
        advice = advise_beginning(branch)
        raise Fatal(
            "there is no specification yet",
            hint=advice.hint,
            reason=Reason.INVALID,
            commands=[advice.command],
        )
    branch.load()
    record = branch.find(source)
    root = parse_root(chosen.get(settings.ALLIUM_ROOT))
    if record is not None and source != branch.tip.source:
        # An earlier commit is compared with the specification that it had.
        from git_retcon.allium.reconcile.hand_edits import find_hand_edits
        from git_retcon.allium.reconcile.lost_master import read_whole
        from git_retcon.allium.store.spec_tree import SpecTrees

        last = read_commit(repository, record.last)
        store = read_whole(repository, SpecTrees(repository, root), last)
        edits = find_hand_edits(repository, [record.last])
        checkpoint = Checkpoint(read_commit(repository, source), store, None, hand_edits=edits)
    else:
        checkpoint = make_checkpoint(repository, branch, source, root, is_full=True)
    files = SourceFiles(repository, chosen.all(settings.ALLIUM_IGNORE))
    reconciler = open_offline(repository, files.select)
    return _Drift(
        repository, branch, *find_drift(repository, reconciler, checkpoint, branch.tip.commit)
    )


def _list_lines(found: Sequence[Divergence], form: Form, output: Output) -> Iterator[str]:
    remarks = (_make_remark(each) for each in found)
    if form is Form.GITHUB:
        yield from (make_workflow_command(remark) for remark in remarks)
    elif form is Form.SARIF:
        yield make_sarif(NAME, remarks)
    else:
        style = style_of(sys.stdout, output, CurrentConfig().get)
        for each in found:
            place = style.title(f"{_show_position(each.source)}:")
            text = printable(f"{each.finding.section}: {each.finding.description}")
            code = style.faint(f"[allium.drift.{each.finding.type.value}]")
            yield f"{place} {style.warn('warning:')} {text} ({_show_position(each.spec)}) {code}"


def _make_remark(divergence: Divergence) -> Remark:
    finding, source, spec, _ = divergence
    return Remark(
        source.path, max(1, source.line), 1, Level.WARNING,
        f"{finding.section}: {finding.description} ({_show_position(spec)})",
        f"allium.drift.{finding.type.value}",
    )  # fmt: skip


def _show_position(position: Position) -> str:
    return f"{show_path(position.path)}:{position.line}"


def _describe_divergence(divergence: Divergence) -> dict[str, object]:
    finding, source, spec, anchor = divergence
    return {
        **describe_finding(finding),
        "source": {"path": show_path(source.path), "line": source.line},
        "spec": {"path": show_path(spec.path), "line": spec.line},
        "anchor": anchor,
    }
