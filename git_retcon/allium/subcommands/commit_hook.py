"""``git allium install-hook``: describe each commit in the background, and no longer."""

import shutil
from pathlib import Path

from git_retcon.options import Output
from git_retcon.run import hooks
from git_retcon.run.hooks import Hook
from git_retcon.show.envelope import Ending
from git_retcon.show.style import shell_word

_MARK = "# made by 'git allium install-hook'; 'git allium install-hook --uninstall' removes it"
# Every descriptor of the commit is let go: who reads git's output does not wait for us. The loop
# describes what was committed while a run was busy; a run that meets a busy one ends at once.
_SCRIPT = """\
#!/bin/sh
{mark}
# Describes each commit offline, in the background; it never fails or delays one.
# What runs said is in allium/hook.log, in the git directory.
{path}folder=$(git rev-parse --path-format=absolute --git-common-dir)/allium || exit 0
state=$(git rev-parse --path-format=absolute --git-dir) || exit 0
# The commits of a rebase come all at once: the next commit behind it describes them.
if [ -d "$state/rebase-merge" ] || [ -d "$state/rebase-apply" ]; then exit 0; fi
mkdir -p "$folder" || exit 0
# Only a long one is cut: what a run still writes into the old file is lost.
if [ -n "$(tail -c +40000 "$folder/hook.log" 2>/dev/null | head -c 1)" ]; then
    tail -c 20000 "$folder/hook.log" >"$folder/hook.log.$$"
    mv "$folder/hook.log.$$" "$folder/hook.log"
fi
{{
    trap '' HUP
    described=
    until [ "$described" = "$(git rev-parse -q --verify HEAD)" ]; do
        described=$(git rev-parse -q --verify HEAD)
        nice git allium evolve --offline --quiet "$described" || exit
    done
}} </dev/null 2>>"$folder/hook.log" >&2 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
exit 0
"""
_CALL = "git allium evolve --offline --quiet </dev/null >/dev/null 2>&1 &"


def install_hook(output: Output) -> Ending:
    """Write the hook. Raises Refused where there is another one: it is never overwritten."""
    return hooks.install_hook(_make_hook(), "each commit from here is described", output)


def uninstall_hook(output: Output) -> Ending:
    """Remove the hook. Raises Refused where it is somebody else's."""
    return hooks.uninstall_hook(_make_hook(), output)


def _make_hook() -> Hook:
    program = shutil.which("git-allium")
    # Last on the path: a graphical client may start git without the user's own PATH.
    path = f"PATH=$PATH:{shell_word(str(Path(program).resolve().parent))}\n" if program else ""
    script = _SCRIPT.format(mark=_MARK, path=path)
    return Hook("post-commit", "git allium", _MARK, script, _CALL)
