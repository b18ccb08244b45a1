"""The commit that ``--commit`` makes of a fix: of its files alone, and taken back by ``undo``.

What is to be committed is in the journal before a file is changed, so that the next command
finishes what a kill cut off between the files and the commit.
"""

from collections.abc import Sequence

from git_retcon.errors import Fatal, Reason, Refused
from git_retcon.git.graph import read_commit, resolve_commit
from git_retcon.git.process import GitError
from git_retcon.git.ref_updates import NOTHING, RefUpdate, update_refs
from git_retcon.git.refs import read_ref, read_symbolic_ref
from git_retcon.git.short_ids import shorten_id
from git_retcon.heal.check_situation import Checkout
from git_retcon.lazy_named_tuple import NamedTuple

_HEADS = "refs/heads/"


class FixCommit(NamedTuple):
    """``head`` is the commit that HEAD was at, empty where it was unborn; ``made`` is the id of the
    commit, empty until it is made.
    """

    head: str
    message: str
    made: str = ""


def plan_commit(checkout: Checkout, message: str, paths: Sequence[bytes]) -> FixCommit:
    """The commit of some files that are about to change. Raises Fatal where they have changes that
    are not committed: these would be in it.
    """
    if checkout.git.run("status", "--porcelain", "-z", "--", *_name_paths(paths)):
        raise Fatal(
            "--commit would commit your own changes of the same files",
            hint="commit or stash them first, or leave out --commit",
            reason=Reason.UNSAVED_WORK,
        )
    return FixCommit(resolve_commit(checkout.repository, "HEAD") or "", message)


def make_commit_of_fix(checkout: Checkout, wanted: FixCommit, paths: Sequence[bytes]) -> FixCommit:
    """Make the commit, unless a killed command did. Raises Fatal where git refuses it, or where
    HEAD has moved since.
    """
    head = resolve_commit(checkout.repository, "HEAD") or ""
    if head != wanted.head:
        if head and _is_it(checkout, wanted, head):
            return wanted._replace(made=head)
        raise Fatal("the fix is applied but not committed: HEAD has moved", hint="commit it")
    try:
        # A path that git does not know could not be named to the commit.
        checkout.git.run("add", "--intent-to-add", "--", *_name_paths(_list_new(checkout, paths)))
        checkout.git.run(
            "commit", "-q", "--only", "-F", "-", "--", *_name_paths(paths),
            stdin=wanted.message.encode(),
        )  # fmt: skip
    except GitError as error:
        raise Fatal(
            f"the fix is applied but not committed: {error}",
            hint="commit it yourself, or take it back: 'git heal undo'",
            commands=[["git", "heal", "undo"]],
        ) from error
    return wanted._replace(made=resolve_commit(checkout.repository, "HEAD") or "")


def is_checked_out(checkout: Checkout, commit: FixCommit | None) -> bool:
    """Whether HEAD is at the commit that was made of a fix."""
    head = resolve_commit(checkout.repository, "HEAD") or ""
    return commit is not None and commit.made != "" and commit.made == head


def refuse_commit_elsewhere(checkout: Checkout, made: FixCommit, branch: str) -> None:
    """Raise Refused where the commit was made on another branch than the one that is checked out:
    that branch would keep it. ``branch`` is a ref, empty where none was checked out.
    """
    here = read_symbolic_ref(checkout.repository, "HEAD") or ""
    if here == branch:
        return
    known = read_ref(checkout.git, branch) if branch else None
    if known is None and is_checked_out(checkout, made):  # the branch was renamed, or made since
        return
    name, now = branch.removeprefix(_HEADS), here.removeprefix(_HEADS)
    place = f"on '{name}'" if name else "on no branch"
    is_here = f"'{now}' is" if now else "no branch is"
    way = ["git", "switch", *([name] if name else ["--detach", shorten_id(made.made)])]
    raise Refused(
        f"the commit of the fix was made {place}, and {is_here} checked out: "
        f"{shorten_id(made.made)}",
        hint=f"'{' '.join(way)}', then 'git heal undo'",
        reason=Reason.UNSAVED_WORK,
        commands=[way, ["git", "heal", "undo"]],
    )


def refuse_kept_commit(checkout: Checkout, made: FixCommit) -> None:
    """Raise Refused where the commit cannot be taken off its branch: another one is on top of it,
    or a remote has it.
    """
    head = resolve_commit(checkout.repository, "HEAD") or ""
    if head == made.head:  # an undo that was killed took it off
        return
    is_on_top = head == made.made
    if is_on_top and not _is_published(checkout, made.made):
        return
    why = "is on a remote's branch" if is_on_top else "is not the last one of this branch"
    raise Refused(
        f"the commit of the fix {why}: {shorten_id(made.made)}",
        hint=f"'git revert {shorten_id(made.made)}' takes it back in a commit of its own",
        reason=Reason.UNSAVED_WORK,
        commands=[["git", "revert", made.made]],
    )


def take_commit_off(checkout: Checkout, made: FixCommit, paths: Sequence[bytes]) -> None:
    """Let the branch be at the commit before, and the index have the files as they are there."""
    if (resolve_commit(checkout.repository, "HEAD") or "") == made.made:
        before = RefUpdate("HEAD", made.made, made.head or NOTHING)
        update_refs(checkout.repository, [before], "heal: undo")
    checkout.git.run("reset", "-q", "--", *_name_paths(paths))


def _is_it(checkout: Checkout, wanted: FixCommit, head: str) -> bool:
    """Whether a commit is the one that was wanted."""
    commit = read_commit(checkout.repository, head)
    return list(commit.parents) == list(filter(None, [wanted.head])) and (
        commit.message.strip() == wanted.message.strip()
    )


def _is_published(checkout: Checkout, commit: str) -> bool:
    listed = checkout.git.run(
        "for-each-ref", "--count=1", f"--contains={commit}", "--format=%(refname)", "refs/remotes"
    )
    return listed != b""


def _list_new(checkout: Checkout, paths: Sequence[bytes]) -> list[bytes]:
    listed = checkout.git.run("ls-files", "-z", "--others", "--", *_name_paths(paths))
    return [path for path in paths if path in listed.split(b"\0")]


def _name_paths(paths: Sequence[bytes]) -> list[bytes]:
    return [b":(top,literal)" + path for path in paths]
