"""``git allium status``, ``show`` and ``log``: what the spec branch describes."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon import settings
from git_retcon.allium.evolve.request import (
    advise_beginning,
    read_branch_name,
    resolve_source,
)
from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.history.source_notes import SpecRecord
from git_retcon.allium.history.spec_branch import SpecBranch, Tip, find_spec_commit
from git_retcon.allium.history.spec_commit import read_trailers
from git_retcon.allium.reconcile.change_size import count_tokens_between
from git_retcon.allium.store.module_paths import MASTER, SUFFIX
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.errors import Fatal, Reason
from git_retcon.git.graph import is_ancestor, is_commit, read_commit, tree_of
from git_retcon.git.repository import Repository, open_repository
from git_retcon.git.short_ids import shorten_id
from git_retcon.git.trees import EMPTY_TREE
from git_retcon.options import Output
from git_retcon.settings import Settings
from git_retcon.show.counting import count, some_of
from git_retcon.show.envelope import DONE, Ending
from git_retcon.show.notices import say_hint, say_line
from git_retcon.show.style import printable, show_path, write_bytes, write_line

_MOST_NAMED = 4


class SpecView(NamedTuple):
    """A repository with its spec branch, loaded."""

    repository: Repository
    branch: SpecBranch

    @property
    def short(self) -> str:
        return self.branch.name.removeprefix("refs/heads/")

    def read_source(self, spec: str) -> str:
        """The source commit whose specification a commit of the spec branch holds."""
        tip = find_spec_commit(self.repository, spec)
        assert tip is not None, "a spec commit describes something"
        return tip.source


def show_status(output: Output) -> Ending:
    """Where the branch is, and what it has still to describe of HEAD."""
    view = open_view()
    head = resolve_source(view.repository, "HEAD")
    tip = view.branch.tip
    # The spec branch may be checked out, in a worktree of its own.
    is_spec = tip is not None and is_ancestor(view.repository, head, tip.commit)
    left = 0 if is_spec else _count_left(view, head)
    beginnings = _list_beginnings(view)
    before = _count_before(view, beginnings)
    data = {
        "branch": view.short,
        "tip": tip.commit if tip else None,
        "source": tip.source if tip else None,
        "head": head,
        "left": left,
        "before": before,
        **describe_reconciliations(view.repository, view.branch),
    }
    if output.json:
        return Ending(DONE, data)
    if tip is None:
        write_line(
            sys.stdout, f"'{view.short}' is not there yet: {count(left, 'commit')} to describe"
        )
        if view.branch.list_published() and not output.quiet:
            say_hint(advise_beginning(view.branch).hint)
        return Ending(DONE, data)
    _write_status(
        view, tip, "" if is_spec else f"{count(left, 'commit')} of HEAD still to describe"
    )
    if before:
        begun = " and ".join(shorten_id(each) for each in beginnings)
        write_line(sys.stdout, f"it begins at {begun}, without {count(before, 'commit')} before")
    last = max(view.branch.load_states().records.values(), key=lambda r: r.at_step, default=None)
    if last is not None:
        found = count(last.findings, "finding")
        what = "skipped" if last.is_skipped else f"source-grounded ({found})"
        write_line(sys.stdout, f"last {what} at {shorten_id(last.at_sha)}, step {last.at_step}")
    return Ending(DONE, data)


def _write_status(view: SpecView, tip: Tip, left: str) -> None:
    store = SpecTrees(view.repository).read(tree_of(view.repository, tip.commit)).store
    subject = _show_source(view.repository, tip.source)
    size = f"{count(len(store.all_modules()), 'module')}, {count(store.total_tokens(), 'token')}"
    write_line(sys.stdout, f"'{view.short}' describes {shorten_id(tip.source)} {subject}")
    write_line(sys.stdout, f"{size}; {left or 'HEAD is the specification itself'}")


def describe_reconciliations(repository: Repository, branch: SpecBranch) -> dict[str, object]:
    """What is kept of reconciliations, as programs get it."""
    states = branch.load_states()
    counters = states.state.counters
    records = sorted(states.records.values(), key=lambda record: record.at_step)
    source = branch.tip.source if branch.tip else None
    tokens = counters.tokens
    # Only one strategy counts them step by step.
    if not tokens and source is not None and is_commit(repository, source):
        files = SourceFiles(repository, Settings.of(repository.config).all(settings.ALLIUM_IGNORE))
        known = [each.at_sha for each in records if is_commit(repository, each.at_sha)]
        base = known[-1] if known else None
        tokens = count_tokens_between(repository, files.select, base, source)
    return {
        "lastReconciliationStep": counters.last_step,
        "lastReconciliationTrunkStep": counters.last_trunk_step,
        "tokensSinceLastReconciliation": tokens,
        "reconciliations": [
            {
                "atStep": each.at_step,
                "atSha": each.at_sha,
                "model": each.model,
                "costUsd": each.cost,
                "findingsCount": each.findings,
                "timestamp": each.time,
                "skipped": each.is_skipped,
                "failed": each.failed,
            }
            for each in records
        ],
    }


def show_specification(name: str, output: Output) -> Ending:
    """The specification of a source commit, or of a spec commit; or one module of it."""
    revision, colon, module = _cut_name(name)
    view = open_view()
    commit = find_spec(view, revision or "HEAD")
    store = SpecTrees(view.repository).read(tree_of(view.repository, commit)).store
    files = {MASTER: store.master_spec(), **store.all_modules()}
    if colon:
        path = _find_module(store, module)
        files = {path: files[path]}
    if output.json:
        specs = {show_path(path): text.decode("utf-8", "replace") for path, text in files.items()}
        return Ending(DONE, {"commit": commit, "modules": specs})
    for path, content in files.items():
        if not colon:
            write_line(sys.stdout, f"== {show_path(path)}")
        write_bytes(sys.stdout, content)
    return Ending(DONE)


def list_changes(revision: str, most: int | None, output: Output) -> Ending:
    """The spec commits before a revision that changed the specification."""
    view = open_view()
    found = []
    for oid, source, subject, changed in _walk_changes(view, find_spec(view, revision)):
        found.append({"spec": oid, "source": source, "subject": subject, "changed": changed})
        if not output.json:
            names = some_of(changed, _MOST_NAMED)
            whose = shorten_id(source) if source else "by hand     "
            write_line(sys.stdout, f"{whose} {printable(subject)} ({printable(names)})")
        if most is not None and len(found) == most:
            break
    if not found and not output.json and not output.quiet:
        say_line("no commit changed the specification")
    return Ending(DONE, {"changes": found})


def open_view() -> SpecView:
    """The repository that we are in, with its spec branch."""
    repository = open_repository(Path.cwd())
    branch = SpecBranch(repository, read_branch_name(repository, Settings.of(repository.config)))
    branch.load()
    return SpecView(repository, branch)


def _count_left(view: SpecView, head: str) -> int:
    known = [f"^{source}" for source in view.branch.list_sources()]
    counted = view.repository.git.line("rev-list", "--count", head, *known)
    return int(counted)


def _list_beginnings(view: SpecView) -> Sequence[str]:
    """The source commits that were described on top of nothing, as far as they are here."""
    if view.branch.tip is None:
        return ()
    tip = view.branch.tip.commit
    roots = view.repository.git.line("rev-list", "--max-parents=0", tip).split()
    found = (read_trailers(read_commit(view.repository, each)).describes for each in roots)
    return [each for each in found if each is not None and is_commit(view.repository, each)]


def _count_before(view: SpecView, beginnings: Sequence[str]) -> int:
    """The commits before: a run began at a later one, or in a clone that was shallow."""
    parents = [f"{each}^@" for each in beginnings]
    return int(view.repository.git.line("rev-list", "--count", *parents)) if parents else 0


def find_spec(view: SpecView, revision: str) -> str:
    """The spec commit that is meant: by a source commit, or by itself."""
    commit = resolve_source(view.repository, revision)
    record: SpecRecord | None = view.branch.find(commit)
    if record is not None:
        return record.last
    if read_trailers(read_commit(view.repository, commit)).describes is not None:
        return commit
    # What people committed there, and what they accepted: no source has such an ancestor.
    if any(is_ancestor(view.repository, commit, each) for each in view.branch.heads.values()):
        return commit
    tip = view.branch.tip
    if view.branch.list_published():
        advice = advise_beginning(view.branch)
        raise Fatal(
            f"'{view.short}' is not here yet",
            hint=advice.hint,
            reason=Reason.INVALID,
            commands=[advice.command],
        )
    # HEAD goes ahead of a spec branch all the time: what is described is one word away.
    known = f"; the last that is described is {shorten_id(tip.source)}" if tip is not None else ""
    if _is_passed(view, commit):
        raise Fatal(
            f"'{revision}' has no specification of its own",
            hint=f"a reconciliation, or '--from', went past it{known}",
            reason=Reason.INVALID,
        )
    raise Fatal(
        f"'{revision}' is not described yet",
        hint=f"'git allium evolve' describes it{known}",
        reason=Reason.INVALID,
        commands=[["git", "allium", "evolve"]],
    )


def _is_passed(view: SpecView, commit: str) -> bool:
    """Whether a later commit was described without it: evolve never goes back."""
    sources = view.branch.list_sources()
    return any(is_ancestor(view.repository, commit, each) for each in sources)


def _cut_name(name: str) -> tuple[str, str, str]:
    """As ``partition``, at the first colon that is not in braces: in these a revision has a time,
    as in ``main@{10:00}``, or a text.
    """
    depth = 0
    for at, letter in enumerate(name):
        depth += (letter == "{") - (letter == "}")
        if letter == ":" and depth <= 0:
            return name[:at], letter, name[at + 1 :]
    return name, "", ""


def _find_module(store: SpecStore, name: str) -> bytes:
    """The path of a module by its name, with or without ``.allium``; "" is the master."""
    path = name.encode("utf-8", "surrogateescape").removeprefix(b"spec/")
    path = path if path.endswith(SUFFIX) else path + SUFFIX
    if path in (SUFFIX, MASTER):
        return MASTER
    if store.module_spec(path) is None:
        alike = [each for each in store.all_modules() if each.endswith(b"/" + path)]
        known = [f"'{show_path(each.removesuffix(SUFFIX))}'" for each in alike]
        whole = "'git allium show REV' prints all of them"
        raise Fatal(
            f"no module '{name}' in the specification",
            hint=f"there is {some_of(known, 3)}" if known else whole,
            reason=Reason.INVALID,
        )
    return path


def _walk_changes(view: SpecView, commit: str) -> Iterator[tuple[str, str | None, str, list[str]]]:
    """Each spec commit along first parents whose tree differs from its parent's."""
    trees = view.repository.trees
    at = read_commit(view.repository, commit)
    while True:
        before = read_commit(view.repository, at.parents[0]) if at.parents else None
        if before is None or before.tree != at.tree:
            old = before.tree if before else EMPTY_TREE
            changed = [
                show_path(each.path.removeprefix(b"spec/").removesuffix(SUFFIX))
                for each in trees.changes(old, at.tree)
                if each.path.endswith(SUFFIX)
            ]
            if changed:
                subject = at.subject.removeprefix("allium: ")
                yield at.oid, read_trailers(at).describes, subject, changed
        if before is None:
            return
        at = before


def _show_source(repository: Repository, source: str) -> str:
    if not is_commit(repository, source):
        return "(gone)"
    return printable(read_commit(repository, source).subject)
