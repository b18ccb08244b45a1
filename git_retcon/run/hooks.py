"""Hooks of ours: written where git looks for them, never over another one, and removed again."""

import os
import sys
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason, Refused
from git_retcon.git.repository import Repository, open_repository
from git_retcon.options import Output
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say_line
from git_retcon.show.style import shell_word, write_line


class Hook(NamedTuple):
    """A hook as we write it.

    ``name`` is git's for it, ``owner`` the command that made it. ``mark`` is a line of ``script``
    by which it is known again; ``call`` is what another hook would have to say instead.
    """

    name: str
    owner: str
    mark: str
    script: str
    call: str

    def install(self, repository: Repository) -> Path:
        """Write the hook, or its newest version. Raises Refused where there is another one."""
        path = self._find_folder(repository)
        if self._is_ours(path):
            path.write_text(self.script)  # perhaps of another version
        else:
            self._write_script(path)
        return path

    def uninstall(self, repository: Repository) -> tuple[Path, bool]:
        """Remove the hook; where it is, and whether it was there. Raises Refused where it is
        somebody else's.
        """
        path = self._find_folder(repository)
        if not os.path.lexists(path):
            return path, False
        if not self._is_ours(path):
            raise Refused(
                f"'{path}' was not made by {self.owner}, and stays",
                hint=f"remove the line '{self.call}' from it, if it has one",
            )
        path.unlink()
        return path, True

    def _find_folder(self, repository: Repository) -> Path:
        """Where git looks for it: in all worktrees of a repository the same, unless core.hooksPath
        says otherwise. Raises Refused where other repositories would get it too.
        """
        said = repository.git.run("rev-parse", "--git-path", "hooks").removesuffix(b"\n")
        # git runs hooks at the top, so that is where a relative path begins.
        top = repository.work_tree or repository.git_dir
        folder = Path(os.path.realpath(top / os.fsdecode(said)))
        own = [repository.common_dir, repository.git_dir, repository.work_tree]
        if not any(place and folder.is_relative_to(os.path.realpath(place)) for place in own):
            raise Refused(
                f"hooks are in '{folder}' (core.hooksPath), which is none of this repository's "
                "folders",
                hint="'git config core.hooksPath .git/hooks' gives it hooks of its own; or add "
                f"'{self.call}' to that {self.name} hook by hand",
            )
        return folder / self.name

    def _is_ours(self, path: Path) -> bool:
        try:
            return self.mark in path.read_text("utf-8", "replace")
        except OSError:
            return False

    def _write_script(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o777)
        except FileExistsError as error:
            raise Refused(
                f"there is a hook already: '{path}'",
                hint=f"call {self.owner} from it, before anything else reads its input:\n"
                f"{self.call}",
            ) from error
        except OSError as error:
            raise Fatal(
                f"cannot write '{path}': {error.strerror or error}",
                hint="correct the permissions of its folder, then run the same command again",
                reason=Reason.NOT_READY,
                again=(),
            ) from error
        with os.fdopen(handle, "w") as file:
            file.write(self.script)


def install_hook(hook: Hook, promise: str, output: Output) -> Ending:
    """``install-hook`` of a command, in the repository that we are in; ``promise`` is what happens
    from now on.
    """
    path = hook.install(open_repository(Path.cwd()))
    return _end_command(f"{promise} by '{path}'", path, output, installed=True)


def uninstall_hook(hook: Hook, output: Output) -> Ending:
    """``install-hook --uninstall`` of a command."""
    path, was_there = hook.uninstall(open_repository(Path.cwd()))
    text = f"removed '{path}'" if was_there else f"there is no hook '{path}'"
    return _end_command(text, path, output, installed=False)


def _end_command(text: str, path: Path, output: Output, *, installed: bool) -> Ending:
    if not (output.json or output.quiet):
        say_line(text)
    if installed and not output.json:
        write_line(sys.stdout, shell_word(str(path)))
    return Ending(data={"hook": str(path), "installed": installed})
