"""``git heal install-hook``: have each push checked, and no longer."""

import os
import sys
from pathlib import Path

from git_retcon.errors import Fatal, Reason, Refused
from git_retcon.git.repository import Repository, open_repository
from git_retcon.options import Output
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say_line
from git_retcon.show.style import shell_word, write_line

_MARK = "# made by 'git heal install-hook'; 'git heal install-hook --uninstall' removes it"
_CALL = 'git heal pre-push "$@"'
_SCRIPT = f"""\
#!/bin/sh
{_MARK}
# Refuses a push only where a job failed. 'git push --no-verify' pushes without asking it.
if ! git heal --version >/dev/null 2>&1; then
    echo "warning: git-heal is not on PATH: this push is not checked" >&2
    exit 0
fi
{_CALL}
case $? in
1 | 130) exit 1 ;;
esac
exit 0
"""


def install_hook(output: Output) -> Ending:
    """Write the hook. Raises Refused where there is another one: it is never overwritten."""
    hook = _find_hook(open_repository(Path.cwd()))
    if _is_ours(hook):
        hook.write_text(_SCRIPT)  # perhaps of another version
    else:
        _write_hook(hook)
    return _end_command(f"each push from here is checked by '{hook}'", hook, output, installed=True)


def uninstall_hook(output: Output) -> Ending:
    """Remove the hook. Raises Refused where it is somebody else's."""
    hook = _find_hook(open_repository(Path.cwd()))
    if not os.path.lexists(hook):
        return _end_command(f"there is no hook '{hook}'", hook, output, installed=False)
    if not _is_ours(hook):
        raise Refused(
            f"'{hook}' was not made by git heal, and stays",
            hint=f"remove the line '{_CALL}' from it, if it has one",
        )
    hook.unlink()
    return _end_command(f"removed '{hook}'", hook, output, installed=False)


def _find_hook(repository: Repository) -> Path:
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
            f"hooks are in '{folder}' (core.hooksPath), which is none of this repository's folders",
            hint="'git config core.hooksPath .git/hooks' gives it hooks of its own; or add "
            f"'{_CALL} || exit 1' to that pre-push hook by hand",
        )
    return folder / "pre-push"


def _is_ours(hook: Path) -> bool:
    try:
        return _MARK in hook.read_text("utf-8", "replace")
    except OSError:
        return False


def _write_hook(hook: Path) -> None:
    try:
        hook.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(hook, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o777)
    except FileExistsError as error:
        raise Refused(
            f"there is a hook already: '{hook}'",
            hint=f"call git heal from it, before anything else reads its input:\n{_CALL} || exit 1",
        ) from error
    except OSError as error:
        raise Fatal(
            f"cannot write '{hook}': {error.strerror or error}",
            hint="correct the permissions of its folder, then run the same command again",
            reason=Reason.NOT_READY,
            again=(),
        ) from error
    with os.fdopen(handle, "w") as file:
        file.write(_SCRIPT)


def _end_command(text: str, hook: Path, output: Output, *, installed: bool) -> Ending:
    if not (output.json or output.quiet):
        say_line(text)
    if installed and not output.json:
        write_line(sys.stdout, shell_word(str(hook)))
    return Ending(data={"hook": str(hook), "installed": installed})
