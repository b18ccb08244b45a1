"""Opening a repository once, for git and for libgit2 alike."""

import contextlib
import functools
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.errors import Fatal, UserError
from git_retcon.git.config import Config, list_config, read_config, set_search_paths
from git_retcon.git.process import Git, GitError, repository_environment, run_git
from git_retcon.git.texts import Texts
from git_retcon.git.trees import Trees
from git_retcon.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import pygit2

    from git_retcon.git.new_objects import NewObjects

_OBJECT_STORES = frozenset({"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"})


@dataclass(frozen=True)
class Repository:
    """One repository: where it lives, its configuration, and both ways to reach its objects."""

    git: Git
    git_dir: Path
    common_dir: Path
    work_tree: Path | None

    @functools.cached_property
    def real_common_dir(self) -> Path:
        """``common_dir`` with no link in it: the name that all who reach it agree on."""
        return Path(os.path.realpath(self.common_dir))

    @functools.cached_property
    def config(self) -> Config:
        """Its configuration, read once. Raises GitError where git cannot read it either."""
        opened = self._pygit2_or_error
        if isinstance(opened, Exception):
            return list_config(self.git)
        return read_config(self.git, self.common_dir, opened)

    @functools.cached_property
    def objects(self) -> "pygit2.Repository":
        """libgit2's view, for reading and writing objects. Raises Fatal where it cannot open."""
        opened = self._pygit2_or_error
        # Our own words for what libgit2 cannot read; it opens some of that and fails later.
        with contextlib.suppress(GitError):
            _refuse_unsupported(self.config)
        if isinstance(opened, Exception):
            raise Fatal(
                f"libgit2 cannot open '{self.git_dir}': {opened}",
                hint="'git retcon doctor' says what is supported",
                commands=[["git", "retcon", "doctor"]],
            ) from opened
        return opened

    @functools.cached_property
    def walks(self) -> "pygit2.Repository":
        """Another view, for walking over commits. Raises Fatal as ``objects`` does.

        Of a commit that a walk gives, libgit2 keeps what it parsed instead of the bytes, and reads
        these again each time that somebody else wants them.
        """
        first = self.objects
        opened = self._open_pygit2()
        return first if isinstance(opened, Exception) else opened

    @functools.cached_property
    def _pygit2_or_error(self) -> "pygit2.Repository | Exception":
        """libgit2's view, or why there is none."""
        return self._open_pygit2()

    def _open_pygit2(self) -> "pygit2.Repository | Exception":
        import pygit2
        from pygit2.enums import Option, RepositoryOpenFlag

        # As git reads: damage shows by zlib's checksum, and 'git fsck' is there for the rest.
        pygit2.option(Option.ENABLE_STRICT_HASH_VERIFICATION, False)
        set_search_paths(self.git.env)
        # FROM_ENV brings a hook's object stores along, but trips over a relative GIT_WORK_TREE.
        flags = RepositoryOpenFlag.NO_SEARCH | RepositoryOpenFlag.NO_DOTGIT
        if _OBJECT_STORES & self.git.env.keys():
            flags = RepositoryOpenFlag.FROM_ENV
        try:
            return pygit2.Repository(os.fsencode(self.git_dir), flags)
        except (pygit2.GitError, KeyError, ValueError) as error:
            return error

    @functools.cached_property
    def trees(self) -> Trees:
        """Its trees, each parsed once for everybody who asks."""
        return Trees(self.objects)

    @functools.cached_property
    def object_folder(self) -> Path:
        """The store that new objects go to."""
        return Path(self.git.env.get("GIT_OBJECT_DIRECTORY") or self.common_dir / "objects")

    @functools.cached_property
    def new_objects(self) -> "NewObjects":
        """What is written and not saved yet."""
        from git_retcon.git.new_objects import NewObjects  # late: most commands write nothing

        return NewObjects(self.object_folder)

    @functools.cached_property
    def texts(self) -> Texts:
        """Its files as lines, each read once for everybody who asks."""
        return Texts(self.objects)

    @functools.cached_property
    def committer(self) -> str | None:
        """git's ident line of the committer; None where git does not know."""
        done = self.git.try_run("var", "GIT_COMMITTER_IDENT")
        if done.returncode != 0:
            return None
        return done.stdout.decode("utf-8", "surrogateescape").strip()


def find_repository(where: Path) -> "Repository | None":
    """The repository as ``open_repository`` opens it; None where there is none to use."""
    try:
        return open_repository(where)
    except UserError:
        return None


def open_repository(where: Path, env: Mapping[str, str] | None = None) -> Repository:
    """The repository that git itself would use from ``where``, ``GIT_DIR`` honoured.

    Raises Fatal with git's own words when there is none.
    """
    outer = dict(os.environ if env is None else env) | {"LC_ALL": "C"}

    def ask(*questions: str) -> "subprocess.CompletedProcess[bytes]":
        return run_git(["rev-parse", "--path-format=absolute", *questions], env=outer, cwd=where)

    remedy = "run this inside a git repository"
    if outer.get("GIT_DIR"):
        remedy = "GIT_DIR names the repository: correct it, or unset it"
    git_dir, common_dir, top = _find_places(ask, remedy)
    inner = repository_environment(env)
    git = Git(git_dir=git_dir, work_tree=None, env=inner)
    return Repository(git=git, git_dir=git_dir, common_dir=common_dir, work_tree=top)


def _explain_refusal(said: str, remedy: str) -> Fatal:
    """Why git opens no repository, in its own words."""
    message = said.strip().removeprefix("fatal: ")
    if "safe.directory" not in message:
        return Fatal(message or "not a git repository", hint=remedy)
    import shlex  # for this alone

    # A repository of another user: git names the way in, on a line of its own.
    way = message.rpartition("\n")[2].strip()
    return Fatal(
        message.partition("\n")[0],
        hint=f"if you trust what its owner put there: '{way}'",
        commands=[shlex.split(way)],
    )


def _find_places(
    ask: Callable[..., "subprocess.CompletedProcess[bytes]"], remedy: str
) -> tuple[Path, Path, Path | None]:
    """The git directory, the common one, and the top of the working tree where there is one."""
    at_once = ask("--git-dir", "--git-common-dir", "--show-toplevel")
    lines = at_once.stdout.splitlines(keepends=True)
    if at_once.returncode == 0 and len(lines) == 3:
        return _read_path(lines[0]), _read_path(lines[1]), _read_path(lines[2])
    if at_once.returncode != 0 and len(lines) == 2:
        return _read_path(lines[0]), _read_path(lines[1]), None  # a bare repository
    found = ask("--git-dir")
    if found.returncode != 0:
        raise _explain_refusal(found.stderr.decode("utf-8", "surrogateescape"), remedy)
    # There is no working tree, or a path holds the end of a line: one question at a time.
    common, inside = ask("--git-common-dir"), ask("--show-toplevel")
    top = _read_path(inside.stdout) if inside.returncode == 0 else None
    return _read_path(found.stdout), _read_path(common.stdout), top


@contextlib.contextmanager
def explain_libgit2() -> Iterator[None]:
    """Turn what libgit2 cannot do to the object store, such as write, into Fatal."""
    import pygit2

    try:
        yield
    except pygit2.GitError as error:
        raise Fatal(
            f"libgit2 cannot use the object store: {error}",
            hint="free some space or correct its permissions ('git fsck' finds other damage), then "
            "run the same command again",
            again=(),
            commands=[["git", "fsck"]],
        ) from error


def _read_path(answer: bytes) -> Path:
    return Path(os.fsdecode(answer.removesuffix(b"\n")))


def _refuse_unsupported(config: Config) -> None:
    """Name the repository formats libgit2 1.9 cannot read, before it says so less plainly."""
    if (config.get("extensions.objectformat") or "sha1").lower() != "sha1":
        raise Fatal(
            "this repository names objects by sha256, which libgit2 cannot read",
            hint="a copy with sha1, by git's fast-export and fast-import, can be read",
        )
    if (config.get("extensions.refstorage") or "files").lower() != "files":
        raise Fatal(
            "this repository keeps its refs in a reftable, which libgit2 cannot read",
            hint="'git refs migrate --ref-format=files' changes it back",
            commands=[["git", "refs", "migrate", "--ref-format=files"]],
        )
    if promisors := _list_promisors(config):
        raise Fatal(
            "this is a partial clone, and libgit2 cannot fetch the objects it left out",
            hint="'git fetch --refetch --no-filter' completes it, then "
            + " and ".join(f"'git config --unset {key}'" for key in promisors)
            + " says so",
            commands=[
                ["git", "fetch", "--refetch", "--no-filter"],
                *(["git", "config", "--unset", key] for key in promisors),
            ],
        )


def _list_promisors(config: Config) -> list[str]:
    """The settings that mark a partial clone: today's per remote, and the older extension."""
    keys = [
        key
        for key in config.values
        if key.startswith("remote.") and key.endswith(".promisor") and config.boolean(key)
    ]
    if config.get("extensions.partialclone") is not None:
        keys.append("extensions.partialclone")
    return keys
