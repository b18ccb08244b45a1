"""``git retcon plan``: draft a specification, and write it."""

import itertools
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import tomlkit

from git_retcon.errors import Fatal, Reason, Refused, writing_nothing
from git_retcon.files.atomic import save
from git_retcon.git.graph import resolve_commit
from git_retcon.git.refs import list_short_names, read_ref
from git_retcon.git.repository import Repository, open_repository
from git_retcon.options import Output
from git_retcon.retcon.drafting.drafted_commits import DraftCommit, draft_commits
from git_retcon.retcon.drafting.subjects import SubjectStyle, read_style
from git_retcon.retcon.engine import read_case
from git_retcon.retcon.events import Warned
from git_retcon.retcon.planner.plan import Task
from git_retcon.retcon.rebuild.dry_run import Planning
from git_retcon.retcon.rebuild.pinning import pin_until_planned
from git_retcon.retcon.rebuild.uncommitted import say_uncommitted
from git_retcon.retcon.rebuild.warnings import warn_of_left_out
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.run.proposed_commands import propose_for_tree
from git_retcon.show.counting import count
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say, say_hint, say_line
from git_retcon.show.question import ask_person, is_anybody_there
from git_retcon.show.style import printable, shell_word, write_bytes
from git_retcon.show.suggestion import find_similar

_FILE = "history.toml"
_LATEST = 50  # subjects that a project's style is read from
_USUAL = ("origin/HEAD", "origin/main", "origin/master", "main", "master")


class _Branches(NamedTuple):
    """The branch to draft a spec of, with what is not committed or not, and where it is to be
    merged.
    """

    source: str
    remote: str
    worktree: bool


def write_draft(
    source: str | None,
    onto: str | None,
    file: str | None,
    output: Output,
    *,
    worktree: bool = False,
) -> Ending:
    """Draft a spec and write it into a new file; ``-`` prints it.

    With ``worktree``, what is not committed on the source is drafted too. Raises Fatal where a
    branch is not found, or the file is there already.
    """
    path = Path(file or _FILE)
    if file != "-" and path.exists():
        raise Fatal(
            f"'{path}' is there already",
            hint="name another file: 'git retcon plan -o FILE'",
            reason=Reason.INVALID,
            commands=[["git", "retcon", "plan", "-o", "draft.toml"]],
        )
    repository = open_repository(Path.cwd())
    branches = _find_branches(repository, source, onto, worktree=worktree)
    specfile, commits, left_out = _draft_commits(repository, path, branches)
    say_uncommitted(repository, specfile, output)
    for warning in left_out if not output.quiet else ():
        say("warning", warning.message, warning.hint)
    content = specfile.render()
    printed: dict[str, object] = {}
    if file != "-":
        save(path, content)
    elif output.json:
        # Standard output is for the one JSON object, so that programs can read it.
        printed["toml"] = content.decode()
    else:
        write_bytes(sys.stdout, content)
    pins = sum(len(commit.hunks) for commit in specfile.spec.commits)
    if not output.quiet and file != "-":
        _report_draft(path, specfile.spec, commits, pins)
    listed = [{"subject": commit.subject, "hunks": len(commit.atoms)} for commit in commits]
    names = {"spec": str(path), "source": branches.source, "remote": branches.remote}
    proposed = {"build": specfile.spec.build or None, "test": specfile.spec.test or None}
    return Ending(data={**names, **proposed, "commits": listed, "pins": pins, **printed})


def offer_draft(output: Output) -> Ending | None:
    """Ask whether to draft a spec of the branch that is checked out; None where nobody is there
    to ask. Raises Refused where the answer is no.
    """
    # What is written to a file or a pipe is for a program.
    if not (is_anybody_there() and sys.stdout.isatty()):
        return None
    question = f"There is no spec here. Draft one of the present branch, in '{_FILE}'?"
    with writing_nothing():
        wished = ask_person(question)
    if not wished:
        raise Refused(
            "no spec file here, and none was drafted",
            hint="'git retcon plan' drafts one; 'git retcon prompt' says how to write one",
            reason=Reason.DECLINED,
            commands=[["git", "retcon", "plan"], ["git", "retcon", "prompt"]],
        )
    return write_draft(None, None, None, output)


def _find_branches(
    repository: Repository, source: str | None, onto: str | None, *, worktree: bool
) -> _Branches:
    name = _read_head(repository) if source in (None, "HEAD", "@") else source
    if name != source and resolve_commit(repository, name) is None:
        raise Fatal(
            f"'{name}' has no commit yet",
            hint="'git commit' first: what a branch has beyond another one is drafted as commits",
            reason=Reason.INVALID,
            commands=[["git", "commit"]],
        )
    for each in (name, onto):
        if each is not None and resolve_commit(repository, each) is None:
            hint = "name branches that are there: 'git retcon plan SOURCE --onto REMOTE'"
            if meant := find_similar(each, list_short_names(repository.git)):
                hint = f"did you mean '{meant}'?"
            raise Fatal(
                f"there is no branch or commit '{each}'",
                hint=hint,
                reason=Reason.INVALID,
                commands=[["git", "retcon", "plan", "SOURCE", "--onto", "REMOTE"]],
            )
    if onto is not None:
        return _Branches(name, onto, worktree)
    # Uncommitted work needs no commit of the branch's own.
    own = set() if worktree else {resolve_commit(repository, name)}
    for remote in (_read_upstream(repository), *_USUAL):
        if remote and remote != name and resolve_commit(repository, remote) not in {None, *own}:
            return _Branches(name, remote, worktree)
    if worktree:
        return _Branches(name, name, worktree)
    raise Fatal(
        f"which branch will '{name}' be merged into?",
        hint="name it: 'git retcon plan --onto REMOTE'",
        reason=Reason.INVALID,
        commands=[["git", "retcon", "plan", "--onto", "REMOTE"]],
    )


def _read_head(repository: Repository) -> str:
    found = repository.git.try_run("symbolic-ref", "-q", "--short", "HEAD")
    if found.returncode != 0:
        raise Fatal(
            "no branch is checked out",
            hint="name the branch: 'git retcon plan SOURCE'",
            reason=Reason.INVALID,
            commands=[["git", "retcon", "plan", "SOURCE"]],
        )
    return os.fsdecode(found.stdout).strip()


def _read_upstream(repository: Repository) -> str | None:
    """What ``init.defaultBranch`` calls the trunk, if that is configured."""
    return repository.config.get("init.defaultBranch")


def _draft_commits(
    repository: Repository, path: Path, branches: _Branches
) -> tuple[SpecFile, Sequence[DraftCommit], Sequence[Warned]]:
    state = "worktree = true\n" if branches.worktree else ""
    head = (
        f"source = {_quote_text(branches.source)}\n{state}remote = {_quote_text(branches.remote)}\n"
    )
    head += f"cleaned = {_quote_text(_name_cleaned(repository, branches.source))}\n"
    # One commit for everything: its plan says which hunks there are, and where they came from.
    whole = SpecFile.parse(path, f'{head}\n[[commit]]\nmessage = "All"\n'.encode())
    planning = Planning(repository, whole)
    provenance = planning.provenance
    task = Task(
        planning.difference,
        [LogicalCommit("All")],
        [0],
        origin=provenance.origin,
        subjects=provenance.subjects,
        case=read_case(repository),
    )
    commits = draft_commits(task, _read_style(repository, branches.remote))
    # The files as they will be built: those of the worktree, where that is the source.
    commands = "".join(_command_lines(repository, planning.difference.target))
    text = head + commands + "".join(map(_write_commit, commits))
    places = {atom: at for at, commit in enumerate(commits) for atom in commit.atoms}
    # In the order of the difference, so that the same branch gives the same file.
    ids = [atom.id for atom in planning.difference.atoms]
    wished = {atom: places[atom] for atom in ids if atom in places}
    draft = SpecFile.parse(path, text.encode())
    pinned, _ = pin_until_planned(repository, draft, wished, {}, planning.difference)
    left_out = [] if planning.working is None else [*warn_of_left_out(planning.working)]
    return pinned, commits, left_out


def _name_cleaned(repository: Repository, source: str) -> str:
    """A branch that is not there yet, after the source."""
    words = re.sub(r"[^\w./-]+", "-", source.removeprefix("refs/heads/").removeprefix("origin/"))
    name = f"{words.strip('-./')}-clean"
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(each for each in names if read_ref(repository.git, f"refs/heads/{each}") is None)


def _command_lines(repository: Repository, tree: str) -> Iterator[str]:
    found = propose_for_tree(repository, tree)
    if found and found.build:
        yield f"build = {_quote_text(found.build)}\n"
    if found and found.test:
        yield f"test = {_quote_text(found.test)}\n"


def _write_commit(commit: DraftCommit) -> str:
    hints = tomlkit.string(f"{commit.hints}\n", multiline=True).as_string()
    return f"\n[[commit]]\nmessage = {_quote_text(commit.subject)}\nhints = {hints}\n"


def _quote_text(text: str) -> str:
    return tomlkit.string(text).as_string()


def _read_style(repository: Repository, remote: str) -> SubjectStyle:
    listed = repository.git.run("log", f"-{_LATEST}", "--no-merges", "--format=%s", remote, "--")
    return read_style(listed.decode("utf-8", "replace").splitlines())


def _report_draft(path: Path, spec: Spec, commits: Sequence[DraftCommit], pins: int) -> None:
    for at, commit in enumerate(commits, 1):
        say_line(f"  {at}  {printable(commit.subject)}  ({count(len(commit.atoms), 'hunk')})")
    # Nobody wrote these commands, so they are shown before a run has them.
    if spec.build or spec.test:
        say_line("a run builds and tests each commit with these commands, as you would run them:")
    for name, command in (("build", spec.build), ("test", spec.test)):
        if command:
            say_line(f"  {name}: {printable(command)}")
    say_line(f"{path} drafts {count(len(commits), 'commit')}, with {count(pins, 'pin')}")
    name = shell_word(str(path))
    say_hint(
        f"'git retcon edit {name}' changes it, 'git retcon {name}' builds it, "
        f"'git retcon adopt {name}' moves your branch to the result"
    )
