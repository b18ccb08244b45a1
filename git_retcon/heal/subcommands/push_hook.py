"""``git heal install-hook``: have each push checked, and no longer."""

from git_retcon.options import Output
from git_retcon.run import hooks
from git_retcon.run.hooks import Hook
from git_retcon.show.envelope import Ending

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
_HOOK = Hook("pre-push", "git heal", _MARK, _SCRIPT, f"{_CALL} || exit 1")


def install_hook(output: Output) -> Ending:
    """Write the hook. Raises Refused where there is another one: it is never overwritten."""
    return hooks.install_hook(_HOOK, "each push from here is checked", output)


def uninstall_hook(output: Output) -> Ending:
    """Remove the hook. Raises Refused where it is somebody else's."""
    return hooks.uninstall_hook(_HOOK, output)
