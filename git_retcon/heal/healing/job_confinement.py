"""The sandbox around the steps of a job, once a model has written into its tree.

A step may change the tree and the job's temporary folder. What belongs to the job beside these
(HOME with what it installs, the virtual environment) is read; a change to it lasts as long as the
command. Otherwise a step could leave a program there that a later one takes for its own.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from git_retcon.heal.execution.step_environment import JobFolders
from git_retcon.run.sandbox.confinement import confine_to_worktree
from git_retcon.run.sandbox.level import Level, Sandbox
from git_retcon.run.sandbox.tree_secrets import find_secrets, find_withheld
from git_retcon.run.worktree import Worktree

Confine = Callable[[Mapping[str, str]], Sequence[str]]
IsWithheld = Callable[[bytes], bool]

# Where tools keep what may be lost, as HOME may be read-only.
_CACHES = {
    "XDG_CACHE_HOME": "/tmp/cache",
    "npm_config_cache": "/tmp/cache/npm",
    "PIP_CACHE_DIR": "/tmp/cache/pip",
}


def confine_job(
    sandbox: Sandbox, worktree: Worktree, folders: JobFolders, is_withheld: IsWithheld
) -> Confine:
    """What gives the argv that a command of a job runs under, from the command's environment.

    Files of the tree that ``is_withheld`` names look empty.
    """

    def confine(env: Mapping[str, str]) -> Sequence[str]:
        if sandbox.level is Level.NONE:
            return ()
        # HOME says where the user's own secrets are; that of the job has none.
        seen = {**env, "HOME": os.environ.get("HOME") or str(Path.home())}
        veiled = (
            *find_secrets(worktree.tree, worktree.git),
            *find_withheld(worktree.tree, is_withheld),
        )
        view = confine_to_worktree(worktree, seen, veiled=veiled)
        kept = (folders.home, folders.tool_cache)
        view = replace(
            view,
            caches=(*view.caches, *(place for place in kept if place.is_dir())),
            scratch=(folders.temporary,),
        )
        settings = [f"{name}={value}" for name, value in _CACHES.items()]
        return [*sandbox.prefix(view), "env", *settings]

    return confine
