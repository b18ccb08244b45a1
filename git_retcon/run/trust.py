"""Trust in the commands that a repository names: a person sees them once, before anything runs.

What a clone brings is not its user's own. The answer is kept, as a digest of the commands, in the
user's own git configuration: no clone brings that along, and no confined command can write it.
The repository's configuration is not asked.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from git_retcon.errors import Reason, Refused
from git_retcon.git.process import Git, repository_environment, run_git
from git_retcon.git.repository import Repository
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.show.question import Asker, ask_person, reason_of_no


class NamedCommand(NamedTuple):
    """A command as a repository names it; ``role`` is what it is for, such as "build"."""

    role: str
    command: str


class Trust(NamedTuple):
    """Who decides: what was said before, then ``--trust`` (``given``), then a person.

    ``key`` is the key of git's configuration that keeps the answers. ``--yes`` is no answer here:
    it is given for a run, not for commands that nobody has seen. ``is_ours``: this program wrote
    the commands, so nobody is asked and nothing is kept.
    """

    key: str
    repository: Repository
    given: bool
    warn: Callable[[str], None]
    ask: Asker = ask_person
    is_ours: bool = False

    def require(self, place: str, commands: Sequence[NamedCommand]) -> None:
        """Return if the commands that ``place`` names are trusted in this repository.

        Raises Refused where they are not; nothing of them may run then.
        """
        if self.is_ours:
            return
        digest = self._make_digest(commands)
        # What was read at the start may lack what this process kept since.
        known = self.repository.config.users.get(self.key.lower(), ())
        if digest in known or digest in self._read_kept():
            return
        listed = _list_commands(commands)
        shown = f"'{place}' is tracked by git, and names commands that run here:\n{listed}"
        if not (self.given or self.ask(f"{shown}\nDo you trust them?")):
            raise _make_refusal(place, shown)
        self._store_digest(digest)

    def _make_digest(self, commands: Sequence[NamedCommand]) -> str:
        # The same words run other scripts in another repository, so the place is part of it.
        place = os.fspath(self.repository.real_common_dir)
        said = json.dumps([place, *sorted(commands)]).encode()
        return hashlib.sha256(said).hexdigest()

    def _read_kept(self) -> Sequence[str]:
        listed = run_git(
            # ``--global`` alone: a repository's own file could come with an archive.
            ["config", "--global", "-z", "--get-all", self.key],
            env=self.repository.git.env,
        )
        return listed.stdout.decode("utf-8", "replace").split("\0")

    def _store_digest(self, digest: str) -> None:
        env = self.repository.git.env
        device = next((path for path in _list_global_files(env) if _is_special(path)), None)
        if device is not None:
            self._warn_of_asking_again(f"'{device}' is no file")
            return
        done = run_git(["config", "--global", "--add", self.key, digest], env=env)
        if done.returncode != 0:
            self._warn_of_asking_again(done.stderr.decode("utf-8", "replace").strip())

    def _warn_of_asking_again(self, why: str) -> None:
        self.warn(f"git cannot keep '{self.key}', so you are asked again next time: {why}")


def _list_global_files(env: Mapping[str, str]) -> Sequence[Path]:
    """The files that git's ``--global`` may mean, by git-config(1), "FILES"."""
    if "GIT_CONFIG_GLOBAL" in env:
        return [Path(env["GIT_CONFIG_GLOBAL"])]
    home = Path(env.get("HOME", ""))
    return [home / ".gitconfig", Path(env.get("XDG_CONFIG_HOME") or home / ".config", "git/config")]


def _is_special(path: Path) -> bool:
    # git writes a new file and renames it over the old one: for root, also over /dev/null, which
    # then is a file for every program of the machine.
    return path.exists() and not path.is_file()


def _make_refusal(place: str, shown: str) -> Refused:
    declined = reason_of_no() is Reason.DECLINED
    return Refused(
        f"nothing was run: you do not trust the commands of '{place}'"
        if declined
        else f"nothing was run: {shown}",
        hint="look at them, and at the files that they run; if you trust them, run the same "
        "command with --trust (it is remembered)",
        reason=Reason.DECLINED if declined else Reason.NOT_TRUSTED,
        again=["--trust"],
    )


def is_tracked(path: Path, repository: Repository) -> bool:
    """Whether git tracks a file, in any repository.

    A link is followed, since its target is what is read. True also where git refuses to answer.
    """
    names = {Path(os.path.realpath(path.parent)) / path.name, Path(os.path.realpath(path))}
    return any(_is_tracked_where_it_lies(name) or _is_listed(name, repository) for name in names)


def _is_tracked_where_it_lies(path: Path) -> bool:
    done = run_git(
        ["-C", os.fspath(path.parent), "ls-files", "-z", "--", _make_pathspec(path)],
        env=repository_environment(),
    )
    if done.returncode != 0:
        # Another owner's repository is one that git does not speak about.
        return b"not a git repository" not in done.stderr and b"work tree" not in done.stderr
    return done.stdout != b""


def _is_listed(path: Path, repository: Repository) -> bool:
    """The same for a repository that only ``--git-dir`` or ``GIT_DIR`` names."""
    if repository.work_tree is None or (repository.work_tree / ".git").exists():
        return False
    git = Git(repository.git_dir, repository.work_tree, repository.git.env)
    return git.try_run("ls-files", "-z", "--", _make_pathspec(path)).stdout != b""


def _make_pathspec(path: Path) -> str:
    # Where case does not count, another spelling reads the tracked file.
    return f":(icase,literal){path}"


def _list_commands(commands: Sequence[NamedCommand]) -> str:
    return "\n".join(f"  {role}: " + command.replace("\n", "\n    ") for role, command in commands)
