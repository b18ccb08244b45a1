"""How a run ended: for people on standard output, and as one JSON object."""

from collections.abc import Iterator

from git_retcon.git.short_ids import shorten_id
from git_retcon.retcon.events import Finished
from git_retcon.retcon.rebuild.run import Result
from git_retcon.retcon.spec.history import stuck_failure
from git_retcon.retcon.spec.model import LogicalCommit
from git_retcon.show.counting import count, some_of
from git_retcon.show.envelope import Ending
from git_retcon.show.style import Style, printable, shell_word, show_path

_MOST_NAMED = 3


def closing_lines(result: Result, style: Style) -> Iterator[str]:
    """The end of a successful run: what it made, and the commands to look at that."""
    spec = result.specfile.spec
    branch = shell_word(result.branches.cleaned_name)
    source = shell_word(spec.source)
    wips = sum(commit.wips for commit in spec.commits)
    total = sum(len(commit.commits) for commit in spec.commits)
    yield style.good("Complete!") if result.commands.steps else style.warn("Complete, not built.")
    yield f"  {count(sum(bool(c.commits) for c in spec.commits), 'logical commit')} created"
    for at in spec.empty:
        subject = printable(spec.commits[at].subject)
        yield f"  {style.warn('empty:')} commit {at + 1}, nothing was left for '{subject}'"
    yield f"  {count(wips, 'WIP fix commit')}"
    yield f"  Branch: {printable(result.branches.cleaned_name)}"
    yield ""
    if wips:
        yield "To squash WIP commits:"
        yield f"  git checkout {branch}"
        yield f"  git rebase -i HEAD~{total}"
        yield "or, without checking it out:"
        yield f"  git retcon --squash-wip {shell_word(str(result.specfile.path))}"
        yield ""
    base = shorten_id(result.branches.base.oid)
    yield "To look at it:"
    if spec.worktree:
        yield f"  git diff {branch}    ({_describe_difference(result)})"
    else:
        yield f"  git range-diff {base} {source} {branch}"
        yield f"  git diff {source} {branch}    (is empty)"
    yield f"  git log --notes=retcon {base}..{branch}"
    if spec.worktree and result.tip != result.branches.source_tip:
        path = shell_word(str(result.specfile.path))
        yield f"To move {source} to it, with the files as they are:"
        yield f"  git retcon adopt {path}"
    elif result.remote is not None:
        yield "To publish it:"
        yield f"  git push {shell_word(result.remote)} {branch}"


def _describe_difference(result: Result) -> str:
    """What git shows between the files of a working state and the branch that was made of it."""
    if not result.untracked:
        return "what is left uncommitted" if result.left else "is empty"
    named = some_of([show_path(each) for each in result.untracked], _MOST_NAMED)
    what = f"what is left uncommitted, and {named}" if result.left else f"{named} alone"
    return f"{what}: git does not track {'it' if len(result.untracked) == 1 else 'them'} yet"


def make_finished(result: Result) -> Finished:
    """Make the last event of a successful run."""
    spec = result.specfile.spec
    return Finished(
        logical=sum(bool(commit.commits) for commit in spec.commits),
        wips=sum(commit.wips for commit in spec.commits),
        branch=result.branches.cleaned_name,
        base=result.branches.base.oid,
        tip=result.tip,
        empty=[at + 1 for at in spec.empty],
    )


def make_ending(result: Result) -> Ending:
    """Make the end of a run for programs (git-retcon(1), OUTPUT)."""
    if result.stuck is None:
        return Ending("complete", _describe_run(result))
    summary = result.specfile.spec.commits[result.stuck].last_summary or ""
    failure = stuck_failure(result.stuck, summary)._replace(again=(), done_with=["--restart"])
    return Ending("stuck", _describe_run(result), failure)


def _describe_run(result: Result) -> dict[str, object]:
    spec = result.specfile.spec
    return {
        "spec": str(result.specfile.path),
        "source": spec.source,
        "remote": spec.remote,
        "cleaned": result.branches.cleaned_name,
        "base": result.branches.base.oid,
        "tip": result.tip,
        "stuck_at": None if result.stuck is None else result.stuck + 1,
        "tree_equal": result.stuck is None and not result.left,
        "left": list(result.left),
        "proved": result.stuck is None and bool(result.commands.steps),
        "commits": [_describe_commit(commit) for commit in spec.commits],
        "build_seconds": round(result.build_seconds, 3),
        "tokens": result.spending.tokens,
        "cost_usd": round(result.spending.cost, 6),
    }


def _describe_commit(commit: LogicalCommit) -> dict[str, object]:
    return {
        "subject": commit.subject,
        "status": commit.status.value,
        "commits": list(commit.commits),
        "empty": commit.is_empty,
        "wip": commit.wips,
        "stuck": commit.last_summary,
    }
