"""The current branch as CI would see it: pushed, or in a pull request."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.git.config import Config
from git_retcon.git.graph import find_merge_base
from git_retcon.git.process import Git
from git_retcon.git.refs import Ref, list_refs, read_symbolic_ref
from git_retcon.git.repository import Repository
from git_retcon.heal.workflows.happenings import Checkout, Happening, PullRequest, Push

_HEADS = "refs/heads/"
_LIKELY = ("main", "master")


class CurrentBranch(NamedTuple):
    """What is checked out, and where it would go. Branches are short names, empty where there is
    none: HEAD is detached, or no default branch is known. Changed paths are None where there is
    nothing to compare with, or no difference. ``before`` is the commit that the remote's branch of
    this name is at, if it differs.
    """

    checkout: Checkout
    remote: str
    pushed: Sequence[bytes] | None
    requested: Sequence[bytes] | None
    before: str = ""

    def list_happenings(self) -> list[Happening]:
        """The events of this branch: a pull request to another branch, a push."""
        branch, base = self.checkout.branch, self.checkout.base
        found: list[Happening] = []
        if base and branch != base:
            found.append(PullRequest(base, self.requested))
        if branch:
            found.append(Push(_HEADS + branch, self.pushed, self.before))
        return found


ListChanged = Callable[[str], Sequence[bytes]]


def read_current_branch(
    repository: Repository, git: Git, head: str | None, list_changed: ListChanged
) -> CurrentBranch:
    """Read what git knows of it, with no network. ``git`` is bound to the working tree.

    ``head`` is the commit that HEAD is at; ``list_changed`` says what differs from a commit.
    """
    branch = (read_symbolic_ref(repository, "HEAD") or "").removeprefix(_HEADS)
    remote = choose_remote(repository.config, branch)
    # where there is no remote, the branches here are taken for its own
    place = f"refs/remotes/{remote}/" if remote else _HEADS
    likely = [*_LIKELY, repository.config.get("init.defaultBranch") or "main"]
    refs = list_refs(git, *(place + name for name in ("HEAD", *likely, branch) if name))
    base = _find_default(refs, place, likely)
    target = refs.get(place + base)
    forked = _find_fork(repository, head, target)
    # A push is compared with what was pushed before; the first one with where the branch left.
    tracked = refs.get(place + branch) if remote and branch else None
    pushed = _list_changed(list_changed, tracked.commit if tracked else forked)
    name = _name_repository(repository.config, remote)
    return CurrentBranch(
        Checkout(name, branch, base, head or "", (target.commit or "") if target else ""),
        remote,
        pushed=pushed,
        requested=_list_changed(list_changed, forked),
        before=(tracked.commit or "") if tracked and pushed else "",
    )


def choose_remote(config: Config, branch: str) -> str:
    """The remote that the branch belongs to, or else the usual one; empty where there is none."""
    remotes = list(_list_remotes(config))
    own = config.get(f"branch.{branch}.remote") if branch else None
    for name in (own, "origin", *remotes[:1]):
        if name in remotes:
            return name
    return ""


def _list_remotes(config: Config) -> Iterator[str]:
    for key in config.values:
        if key.startswith("remote.") and key.endswith(".url"):
            yield key.removeprefix("remote.").removesuffix(".url")


def _find_default(refs: Mapping[str, Ref], place: str, likely: Sequence[str]) -> str:
    """The default branch: where the remote's HEAD points, else the first likely one there is."""
    head = refs.get(f"{place}HEAD")
    if head is not None and head.symbolic and head.symbolic.startswith(place):
        return head.symbolic.removeprefix(place)
    return next((name for name in likely if place + name in refs), "")


def _find_fork(repository: Repository, head: str | None, base: Ref | None) -> str | None:
    """The commit at which the branch left the default one."""
    if head is None or base is None or base.commit is None:
        return None
    return head if head == base.commit else find_merge_base(repository, head, base.commit)


def _list_changed(list_changed: ListChanged, since: str | None) -> Sequence[bytes] | None:
    """What differs since a commit. None where nothing differs: then no filter of paths holds
    anything back.
    """
    return (list_changed(since) or None) if since else None


def _name_repository(config: Config, remote: str) -> str:
    """``owner/name``, from the address of a remote; empty where it names a folder."""
    address = config.get(f"remote.{remote}.url") if remote else None
    found = re.fullmatch(
        r"(?!file:)(?:[a-z+]+://[^/]+/|[^/:]+:/*)(?:.*/)?(?P<owner>[^/]+)/(?P<name>[^/]+?)(?:\.git)?/*",
        address or "",
    )
    return f"{found['owner']}/{found['name']}" if found else ""
