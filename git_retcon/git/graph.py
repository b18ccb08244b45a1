"""Names, ancestry and commits as git resolves them."""

import contextlib
import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from git_retcon.errors import Fatal
from git_retcon.git.ref_updates import NOTHING
from git_retcon.git.refs import Ref, read_symbolic_ref
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass

_MOST_PARSED = 1 << 9  # commits


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit's header and message. ``author`` and ``committer`` are git's ident lines, dates
    included.
    """

    oid: str
    tree: str
    parents: tuple[str, ...]
    author: str
    committer: str
    message: str

    @property
    def subject(self) -> str:
        return self.message.strip().partition("\n")[0]


class NamedCommit(NamedTuple):
    """A commit that somebody named, and the full name of the ref that it was named by, if any."""

    oid: str
    ref: str | None


def list_candidates(name: str) -> Sequence[str]:
    """The full names that a short one may mean (gitrevisions(7))."""
    places = ("refs", "refs/tags", "refs/heads", "refs/remotes")
    own = [name] if name.startswith("refs/") else []
    return [*own, *(f"{place}/{name}" for place in places), f"refs/remotes/{name}/HEAD"]


def find_named(repository: Repository, name: str, refs: Mapping[str, Ref]) -> NamedCommit | None:
    """The commit that git takes a name for, or None.

    ``refs`` are those that exist of its candidates. Where exactly one does, it is meant; git is
    asked about everything else.
    """
    known = [candidate for candidate in list_candidates(name) if candidate in refs]
    # Reading refs once saves a ``rev-parse`` for each of the three branches of a spec.
    if len(known) == 1 and not _may_be_no_ref(repository, name):
        ref = refs[known[0]]
        # A symbolic ref is followed by git, which knows loops and names the last one.
        if ref.commit is not None and ref.symbolic is None:
            return NamedCommit(ref.commit, known[0])
    oid = resolve_commit(repository, name)
    return None if oid is None else NamedCommit(oid, read_full_name(repository, name))


def _may_be_no_ref(repository: Repository, name: str) -> bool:
    """Whether git takes the name for an object id or for a file such as ``ORIG_HEAD``."""
    if len(name) == len(NOTHING) or not name:
        return True
    places = (repository.git_dir, repository.common_dir)
    return not name.startswith("refs/") and any((place / name).exists() for place in places)


def resolve_commit(repository: Repository, name: str) -> str | None:
    """The commit id that git takes a name for (gitrevisions(7)), or None."""
    # A full id is an object to git before it is anything else.
    with contextlib.suppress(Fatal):  # git reads repositories that libgit2 does not
        found = _read_head(repository) if name == "HEAD" else name
        if is_commit(repository, found):
            return found.lower()
    return _resolve_expression(repository, f"{name}^{{commit}}")


def _read_head(repository: Repository) -> str:
    """What HEAD's file or its branch's says, where they say it plainly; else nothing."""
    ref = read_symbolic_ref(repository, "HEAD")
    file = repository.git_dir / "HEAD" if ref is None else repository.common_dir / ref
    try:
        return file.read_bytes().decode("ascii").strip()
    except (OSError, UnicodeDecodeError):  # a packed branch, or none yet
        return ""


def resolve_tree(repository: Repository, name: str) -> str | None:
    """The id of the tree that git takes a name for, which may be a commit's, or None."""
    # In one question, a folder such as HEAD:spec would swallow what is added to it.
    oid = _resolve_expression(repository, name)
    return None if oid is None else _resolve_expression(repository, f"{oid}^{{tree}}")


def _resolve_expression(repository: Repository, expression: str) -> str | None:
    done = repository.git.try_run("rev-parse", "--verify", "-q", "--end-of-options", expression)
    return done.stdout.decode().strip() if done.returncode == 0 else None


def is_commit(repository: Repository, oid: str) -> bool:
    """Whether a full id names a commit that is here. Asks no git process."""
    from pygit2.enums import ObjectType

    # libgit2 takes a short id for a prefix, and would search all objects for it.
    if len(oid) != 40:
        return False
    try:
        kind, _ = repository.objects.odb.read(oid)
    except (KeyError, ValueError):
        return False
    return bool(kind == ObjectType.COMMIT)


def find_merge_base(repository: Repository, one: str, other: str) -> str | None:
    """The best common ancestor of two commits, or None for unrelated histories."""
    if _walk_down(repository, one, other) is not None:
        return other
    done = repository.git.try_run("merge-base", one, other)
    if done.returncode == 1:
        return None
    if done.returncode != 0:
        raise Fatal(f"git merge-base failed: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout.decode().split()[0]


def list_merge_bases(repository: Repository, one: str, other: str) -> Sequence[str]:
    """All best common ancestors of two commits; several where each was merged into the other's
    line. The first is the one that libgit2 takes for a single one. Asks no git process.
    """
    from pygit2.enums import SortMode

    objects = repository.objects
    first: object = objects.merge_base(one, other)
    if first is None:
        return []

    def walk(tip: object) -> list[str]:
        walker = repository.walks.walk(str(tip), SortMode.TOPOLOGICAL)
        walker.hide(str(first))
        return [str(each.id) for each in walker]

    found = [str(first)]
    # Above a single base the two have nothing in common, and counting is cheaper than walking.
    if objects.ahead_behind(one, other)[0] == objects.ahead_behind(one, str(first))[0]:
        return found
    repository.new_objects.save()  # a walk reads from the disk
    own = {*walk(one)}
    common = [each for each in walk(other) if each in own]
    while common:
        found.append(common[0])
        below = {*walk(common[0])}
        common = [each for each in common if each not in below]
    return found


def is_shallow(repository: Repository) -> bool:
    """Whether history was cut off somewhere when the repository was cloned or fetched."""
    return repository.git.line("rev-parse", "--is-shallow-repository") == "true"


def read_commit(repository: Repository, oid: str) -> Commit:
    """Read one commit. Raises Fatal when the object is missing."""
    try:
        _, raw = repository.objects.odb.read(oid)
    except (KeyError, ValueError) as error:
        raise _find_cause(repository, oid) from error
    return _parse_commit(oid, raw)


def _find_cause(repository: Repository, oid: str) -> Fatal:
    """Why a commit cannot be read."""
    if is_shallow(repository):
        return Fatal(
            f"commit {oid} is not in this clone, which is shallow",
            hint="'git fetch --unshallow' brings what it lacks",
            commands=[["git", "fetch", "--unshallow"]],
        )
    return Fatal(
        f"commit {oid} is missing from the repository",
        hint="'git fsck' lists what else is missing; 'git fetch' may bring it back",
        commands=[["git", "fsck"], ["git", "fetch"]],
    )


def list_own_commits(repository: Repository, base: str, tip: str) -> tuple[Commit, ...]:
    """The commits of ``base..tip`` along first parents, oldest first."""
    # First parents only: what was merged in was somebody else's work, and came at the merge.
    found = _walk_down(repository, tip, base)
    if found is not None:
        return tuple(read_commit(repository, oid) for oid in reversed(found))
    listing = repository.git.run("rev-list", "--reverse", "--first-parent", f"{base}..{tip}")
    return tuple(read_commit(repository, oid) for oid in listing.decode("ascii").split())


# Longer walks are git's: it has a commit graph, and we read every commit.
_LONGEST_WALK = 200  # commits


def _walk_down(repository: Repository, tip: str, base: str) -> Sequence[str] | None:
    """The ids from a tip to above a base along first parents, newest first.

    None where the base is not on that line, or git has to be asked.
    """
    import pygit2

    found: list[str] = []
    at = tip
    try:
        objects = repository.objects
        oldest = objects[base].peel(pygit2.Commit).commit_time
        while at != base:
            commit = objects[at].peel(pygit2.Commit)
            # Below what is older than the base, the base is found by a wrong clock alone.
            if len(found) == _LONGEST_WALK or commit.commit_time < oldest or not commit.parent_ids:
                return None
            found.append(at)
            at = str(commit.parent_ids[0])
    except (KeyError, ValueError):  # the history was cut off above it
        return None
    except Fatal:  # git reads repositories that libgit2 does not
        return None
    return found


def read_full_name(repository: Repository, name: str) -> str | None:
    """The full name of the ref that git takes a short one for, or None where it names none."""
    done = repository.git.try_run("rev-parse", "--symbolic-full-name", "--end-of-options", name)
    # --end-of-options is echoed
    said = done.stdout.decode("utf-8", "surrogateescape").split("\n")[-2:-1]
    return said[0] if done.returncode == 0 and said and said[0].startswith("refs/") else None


def is_ancestor(repository: Repository, ancestor: str, descendant: str) -> bool:
    """Whether a commit is reachable from another (or the same)."""
    if _walk_down(repository, descendant, ancestor) is not None:
        return True
    done = repository.git.try_run("merge-base", "--is-ancestor", ancestor, descendant)
    return done.returncode == 0


def tree_of(repository: Repository, commit: str) -> str:
    """The tree id of a commit."""
    return read_commit(repository, commit).tree


@functools.lru_cache(maxsize=_MOST_PARSED)
def _parse_commit(oid: str, raw: bytes) -> Commit:
    header, _, body = raw.partition(b"\n\n")
    fields: dict[bytes, list[bytes]] = {}
    for line in header.split(b"\n"):
        key, _, value = line.partition(b" ")
        fields.setdefault(key, []).append(value)
    encoding = fields.get(b"encoding", [b"utf-8"])[0].decode("ascii", "replace")
    return Commit(
        oid=oid,
        tree=fields[b"tree"][0].decode(),
        parents=tuple(parent.decode() for parent in fields.get(b"parent", [])),
        author=_decode_text(fields[b"author"][0], encoding),
        committer=_decode_text(fields[b"committer"][0], encoding),
        message=_decode_text(body, encoding),
    )


def _decode_text(text: bytes, encoding: str) -> str:
    try:
        return text.decode(encoding)
    # An encoding header may name anything; the bytes are kept then.
    except (UnicodeDecodeError, LookupError):
        return text.decode("utf-8", "surrogateescape")
