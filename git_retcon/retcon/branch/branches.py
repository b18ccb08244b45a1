"""Find the branches that a specification names, and check them before a run begins."""

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.errors import Fatal
from git_retcon.git.graph import (
    Commit,
    NamedCommit,
    find_merge_base,
    find_named,
    is_ancestor,
    is_shallow,
    list_candidates,
    list_own_commits,
    read_commit,
)
from git_retcon.git.refs import (
    Ref,
    check_branch_name,
    list_refs_in_the_way,
    list_short_names,
    read_symbolic_ref,
    refuse_checked_out,
)
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.spec.model import BranchFault, Spec
from git_retcon.show.suggestion import find_similar

if TYPE_CHECKING:
    from git_retcon.retcon.branch.working_source import WorkingSource


@dataclass(frozen=True)
class Branches:
    """The source's last state, the base, and the branch to build.

    ``source`` is the source's own last commit, or, where what is not committed there counts, one
    on top of that (see ``working_source``).
    """

    source: Commit
    base: Commit
    cleaned: str  # a full ref name
    tip: str | None  # what cleaned points at; None while it does not exist
    source_ref: str | None = None  # the full name of the source, where that is a ref
    working: "WorkingSource | None" = None

    @property
    def source_tip(self) -> str:
        """The source's own last commit."""
        return self.source.oid if self.working is None else self.working.tip

    @property
    def cleaned_name(self) -> str:
        return self.cleaned.removeprefix("refs/heads/")


def find_branches(
    repository: Repository,
    spec: Spec,
    path: Path,
    recorded: frozenset[str],
    refs: Mapping[str, Ref],
) -> Branches:
    """Resolve the branches of a spec, whose file is ``path``, out of the refs that ``list_places``
    names.

    ``recorded`` are the commits that its histories name. While there are any, the base is where
    they begin, even if the remote has moved since. Raises Fatal, with the remedy, for a name that
    does not exist, unrelated histories, and a source with nothing to rebuild.
    """
    source = _find_side(repository, spec.source, "source", refs)
    remote = _find_side(repository, spec.remote, "remote", refs)
    cleaned = _check_cleaned(repository, spec, {"source": source, "remote": remote})
    _refuse_impossible(repository, spec.cleaned, cleaned, refs)
    tip = refs[cleaned].oid if cleaned in refs else None
    # A remote that has moved must not change what is built already.
    base = _find_recorded_base(repository, source.oid, tip, recorded)
    if base is None:
        base = find_merge_base(repository, source.oid, remote.oid)
    if base is None:
        raise _unrelated_fault(repository, spec)
    last = read_commit(repository, source.oid)
    working = _read_working(repository, source.ref, last, path) if spec.worktree else None
    found = Branches(
        last if working is None else working.commit,
        read_commit(repository, base),
        cleaned,
        tip,
        source.ref,
        working,
    )
    if found.source.tree == found.base.tree:
        raise BranchFault(
            "source",
            f"nothing to rebuild: '{spec.source}' has the same files as where it left "
            f"'{spec.remote}'",
            hint="is 'source' the branch with your changes, and is 'remote' behind it? What is not "
            "committed on it counts with --source=worktree",
        )
    return found


def _read_working(
    repository: Repository, ref: str | None, tip: Commit, path: Path
) -> "WorkingSource":
    # Late: few runs read a worktree.
    from git_retcon.retcon.branch.working_source import read_working_source

    return read_working_source(repository, ref, tip, path)


def _check_cleaned(repository: Repository, spec: Spec, sides: Mapping[str, NamedCommit]) -> str:
    """The full name of the branch to build. Raises BranchFault for one that cannot be."""
    try:
        cleaned = check_branch_name(repository.git, spec.cleaned)
    except Fatal as error:
        hint = "name a branch as git allows it, such as 'feature-clean'"
        raise BranchFault("cleaned", str(error), hint=hint) from error
    for key, side in sides.items():
        if side.ref == cleaned:
            raise BranchFault(
                "cleaned",
                f"'cleaned' and '{key}' are the same branch, '{spec.cleaned}'",
                hint="name a new branch as 'cleaned': the source is never moved",
            )
    return cleaned


def _unrelated_fault(repository: Repository, spec: Spec) -> BranchFault:
    said = f"'{spec.source}' and '{spec.remote}' have no commit in common"
    remedy = "name as 'remote' the branch that the source was started from"
    commands = []
    if is_shallow(repository):
        said += " in this clone, which is shallow"
        remedy = f"'git fetch --unshallow' brings what it lacks; or {remedy}"
        commands = [["git", "fetch", "--unshallow"]]
    return BranchFault("remote", said, hint=remedy, commands=commands)


def require_movable(repository: Repository, branches: Branches) -> None:
    """Raise Fatal where a working tree has the branch checked out that is to move."""
    refuse_checked_out(
        repository, branches.cleaned, otherwise=", or name another branch as 'cleaned'"
    )


def list_places(spec: Spec) -> Iterator[str]:
    """The full names of all refs that a spec may mean, or that exclude its cleaned branch."""
    cleaned = f"refs/heads/{spec.cleaned.removeprefix('refs/heads/')}"
    yield from list_candidates(spec.source)
    yield from list_candidates(spec.remote)
    yield from (cleaned, *list_refs_in_the_way(cleaned))


def _find_side(repository: Repository, name: str, key: str, refs: Mapping[str, Ref]) -> NamedCommit:
    if f"refs/heads/{name}" in refs and f"refs/tags/{name}" in refs:
        raise BranchFault(
            key,
            f"{key}: '{name}' is both a branch and a tag",
            hint=f"write 'refs/heads/{name}' or 'refs/tags/{name}' in the spec",
        )
    found = find_named(repository, name, refs)
    if found is None:
        is_remote = "/" in name
        remedy = "'git fetch' first, or correct the name" if is_remote else "correct the name"
        said = f"{key}: there is no branch or commit '{name}'"
        commands = [["git", "fetch"]] if is_remote else []
        if meant := find_similar(name, list_short_names(repository.git)):
            remedy = f"did you mean '{meant}'? If so, correct the name"
        raise BranchFault(key, said, hint=f"{remedy} in the spec", commands=commands)
    return found


def _refuse_impossible(
    repository: Repository, name: str, cleaned: str, refs: Mapping[str, Ref]
) -> None:
    """Raise Fatal where moving ``cleaned`` would move another branch, or cannot work at all."""
    target = read_symbolic_ref(repository, cleaned)
    if target is not None:
        raise BranchFault(
            "cleaned",
            f"'{name}' is a symbolic ref to '{target}'",
            hint="name a branch of its own as 'cleaned': that other branch is not ours to move",
        )
    above = (other for other in list_refs_in_the_way(cleaned) if other in refs)
    below = (other for other in refs if other.startswith(f"{cleaned}/"))
    other = next(itertools.chain(above, below), None)
    if other is not None:
        raise BranchFault(
            "cleaned",
            f"'{name}' cannot be a branch while there is '{other.removeprefix('refs/heads/')}'",
            hint="name another branch as 'cleaned'",
        )


def _find_recorded_base(
    repository: Repository, source: str, tip: str | None, recorded: frozenset[str]
) -> str | None:
    """Find the commit below the oldest recorded one on cleaned; None if it is not the source's."""
    if not recorded:
        return None
    at = tip
    seen = False
    # Commits of people may be above the recorded ones; below the oldest of those is the base.
    while at is not None and (at in recorded or not seen):
        seen = seen or at in recorded
        parents = read_commit(repository, at).parents
        at = parents[0] if parents else None
    return at if at is not None and is_ancestor(repository, at, source) else None


def find_publishing_remote(repository: Repository, spec: Spec) -> str | None:
    """The name of the remote that ``spec.remote`` is a branch of, or as ``choose_remote``."""
    branch = spec.remote.removeprefix("refs/").removeprefix("remotes/")
    ours = [name for name in _list_remotes(repository) if branch.startswith(f"{name}/")]
    # A remote's name may have a slash, and another remote may be called by its first part.
    return max(ours, key=len, default=None) or choose_remote(repository)


def choose_remote(repository: Repository) -> str | None:
    """The remote that a branch without one is published to: ``origin``, or the only one.

    None where no remote is configured, or none of several is called so.
    """
    names = _list_remotes(repository)
    if "origin" in names:
        return "origin"
    return next(iter(names)) if len(names) == 1 else None


def _list_remotes(repository: Repository) -> set[str]:
    keys = (key for key in repository.config.values if key.startswith("remote."))
    return {name for key in keys if (name := key.partition(".")[2].rpartition(".")[0])}


def list_source_commits(repository: Repository, branches: Branches) -> tuple[Commit, ...]:
    """The source's own commits along first parents, oldest first."""
    tip = branches.source_tip
    own = list_own_commits(repository, branches.base.oid, tip)
    return own if branches.source.oid == tip else (*own, branches.source)
