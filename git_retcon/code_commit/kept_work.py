"""What ``--force`` covers: the user's uncommitted work, kept as a commit before a run touches it.

The ref stays until the user deletes it, also after the session has ended.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from git_retcon.code_commit.session import KeptWork, Session
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.files.beneath import File
from git_retcon.git.graph import read_commit, tree_of
from git_retcon.git.kept_refs import KeptRefs
from git_retcon.git.ref_locks import Say
from git_retcon.git.ref_updates import update_refs
from git_retcon.git.refs import read_ref, read_symbolic_ref
from git_retcon.git.trees import EMPTY_TREE, Entry

PLACE = "refs/code-commit/before"
_BRANCHES = "refs/heads/"
# As git's own stash does where it does not know who the user is.
_NOBODY = {
    "GIT_AUTHOR_NAME": "git code-commit",
    "GIT_AUTHOR_EMAIL": "git@code-commit",
    "GIT_COMMITTER_NAME": "git code-commit",
    "GIT_COMMITTER_EMAIL": "git@code-commit",
}


def keep_work(checkout: Checkout, files: Mapping[bytes, File | None], say: Say) -> KeptWork:
    """Keep files as they are in the working tree, as a commit at a ref.

    The commit's parents are HEAD and, where something is staged, a commit of the index. ``say``
    gets a line for a lock that takes long.
    """
    repository, git = checkout.repository, checkout.git
    head = read_ref(git, "HEAD")
    base = tree_of(repository, head) if head else EMPTY_TREE
    edits = {path: _write_entry(checkout, file) for path, file in files.items()}
    tree = repository.trees.edit(base, edits)
    parents = [] if head is None else [head]
    staged = git.try_run("write-tree")  # it refuses an index with conflicts
    index = staged.stdout.decode().strip()
    # As ``git stash`` does: the index as a second parent, where it says something of its own.
    if staged.returncode == 0 and index not in (base, tree):
        parents.append(_write_commit(checkout, index, parents, "the index"))
    refs = KeptRefs(git, PLACE)
    branch = name_branch(checkout)
    last = refs.find_last(branch)
    oid = None if last is None else read_ref(git, last)
    if last is not None and oid is not None and _holds_commit(checkout, oid, tree, parents):
        return KeptWork(last, oid)  # a run that was killed kept it already
    made = _write_commit(checkout, tree, parents, "uncommitted changes")
    update = refs.prepare_keeping(branch, made)
    update_refs(repository, [update], "code-commit: --force", say)
    return KeptWork(update.name, made)


def find_kept(checkout: Checkout, session: Session) -> tuple[str, ...]:
    """The refs of what a session forced, without those that the user has deleted."""
    return tuple(
        kept.ref for kept in session.kept if read_ref(checkout.git, kept.ref) == kept.commit
    )


def find_earlier(checkout: Checkout, last: Session | None) -> tuple[Session, ...]:
    """The last session that wrote anything, and those before it that forced what the user has not
    deleted since. A run may write nothing (a prompt to paste), and ``undo`` is about files.
    """
    if last is None:
        return ()
    known = (*last.earlier, replace(last, earlier=()))
    wrote = [session for session in known if session.before or session.pending][-1:]
    return tuple(
        session
        for session in known
        # What was forced is kept by its ref alone: to delete that ref is to give it up.
        if find_kept(checkout, session) or (session in wrote and not session.kept)
    )


def name_branch(checkout: Checkout) -> str:
    """The branch that is checked out; "HEAD" where there is none."""
    return (read_symbolic_ref(checkout.repository, "HEAD") or "HEAD").removeprefix(_BRANCHES)


def _write_entry(checkout: Checkout, file: File | None) -> Entry | None:
    """The bytes as they are: no filter runs, and none has to be undone."""
    if file is None:
        return None
    blob = str(checkout.repository.objects.create_blob(file.content))
    return Entry(file.git_mode, blob)


def _write_commit(checkout: Checkout, tree: str, parents: Iterable[str], what: str) -> str:
    named = [word for parent in parents for word in ("-p", parent)]
    known = checkout.repository.committer is not None
    made = checkout.git.run(
        "commit-tree", tree, *named, stdin=f"Before git code-commit: {what}\n".encode(),
        env={} if known else _NOBODY,
    )  # fmt: skip
    return made.decode().strip()


def _holds_commit(checkout: Checkout, oid: str, tree: str, parents: Iterable[str]) -> bool:
    commit = read_commit(checkout.repository, oid)
    trees = [tree_of(checkout.repository, parent) for parent in commit.parents]
    return commit.tree == tree and trees == [
        tree_of(checkout.repository, parent) for parent in parents
    ]
