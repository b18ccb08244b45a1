"""``actions/checkout`` of something else than the state into the top of the workspace: the state in
a folder, another commit of the repository, another repository.
"""

import os
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path

from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.git.graph import resolve_commit
from git_retcon.git.process import run_git
from git_retcon.git.short_ids import shorten_id
from git_retcon.heal.current_branch import choose_remote
from git_retcon.heal.execution.job_session import JobSession
from git_retcon.heal.execution.ready_job import LACK, UNFETCHED
from git_retcon.heal.execution.script_step import Script, run_script
from git_retcon.heal.execution.step_ending import Ending
from git_retcon.heal.results import StepVerdict
from git_retcon.heal.submodules import MissingSubmodule, check_out_submodules
from git_retcon.heal.workflows.shells import read_shell
from git_retcon.heal.workflows.steps import (
    CHECKOUT,
    RECURSIVE,
    SPARSE,
    SUBMODULES,
    WITH_SUBMODULES,
    Fetch,
)
from git_retcon.run.removal import remove
from git_retcon.run.worktree import Worktree

_SECONDS = 600.0
_GITHUB = "https://github.com"


class OtherCheckouts:
    """Checks them out into the workspace of one job."""

    def __init__(
        self, session: JobSession, worktree: Worktree, show: Callable[[str], None]
    ) -> None:
        self._session = session
        self._worktree = worktree
        self._show = show

    def fetch(self, wanted: Fetch, inputs: Mapping[str, str]) -> Ending:
        """Do what a step asks. ``inputs`` are its own, all known; outputs are None where there is
        no checkout.
        """
        workspace = self._session.workspace
        is_at_top = wanted.is_at_top or os.path.normpath(wanted.path) == os.fspath(workspace)
        if is_at_top and workspace == self._worktree.tree:
            if wanted.repository or wanted.ref:
                return _skip(f"checks out {wanted.what} over this commit")
            return Ending(StepVerdict.SATISFIED, CHECKOUT)
        target = self._find_target(wanted.path)
        if target is None:
            return Ending(StepVerdict.FAILED, f"'{wanted.path}' is not in the workspace")
        self._note_copies()
        if wanted.repository:
            result = self._fetch_repository(wanted, inputs, target)
        else:
            result = self._clone_own(wanted, target)
        asked = inputs.get("submodules", "false").lower()
        if asked not in WITH_SUBMODULES or result.outputs is None:
            return result
        if wanted.repository:
            has_some = (target / ".gitmodules").exists()
            return _skip(f"{SUBMODULES} of another repository") if has_some else result
        filled = fill_submodules(asked, target, self._worktree)
        return filled if filled.verdict is StepVerdict.SKIPPED else result

    def _note_copies(self) -> None:
        """From here on the files of the state are not the only ones of the workspace."""
        if self._session.copies is None:
            has_state = self._session.workspace == self._worktree.tree
            self._session.copies = [str(self._session.workspace)] if has_state else []

    def _find_target(self, path: str) -> Path | None:
        """The folder, emptied; None where it is not in the workspace."""
        top = os.path.realpath(self._session.workspace)
        named = f"{path}/".removeprefix(f"{self._session.workspace}/").rstrip("/")
        if path.startswith("/") and named.startswith("/"):
            return None
        try:
            inside = clean_path(os.fsencode(named)) if named not in ("", ".") else b""
        except ForbiddenPath:
            return None
        target = Path(top, os.fsdecode(inside))
        # A link of the repository on the way would lead to files that are not ours.
        if os.path.realpath(target.parent) != str(target.parent) and inside:
            return None
        remove(target)
        target.mkdir(parents=True)
        return target

    def _clone_own(self, wanted: Fetch, target: Path) -> Ending:
        """A clone over the objects of the worktree, of the state or of another commit."""
        state = self._session.base["GITHUB_SHA"]
        commit = find_remote_commit(self._worktree, wanted.ref) if wanted.ref else state
        if commit is None:
            return _skip(f"the commit of '{wanted.ref}' is not here")
        source = os.fspath(self._worktree.git_dir)
        folder = os.fspath(target)
        commands = (
            ["clone", "--quiet", "--shared", "--no-checkout", "--", source, folder],
            # What a step pushes by mistake reaches nothing of ours.
            ["-C", folder, "remote", "remove", "origin"],
            ["-C", folder, "checkout", "--quiet", "--detach", commit, "--"],
        )
        for command in commands:
            done = run_git(
                ["-c", f"core.hooksPath={os.devnull}", *command], env=self._session.make_env({})
            )
            if done.returncode:
                said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
                return _skip(f"git cannot check {wanted.what} out ({said})")
        if commit == state and self._session.copies is not None:
            self._session.copies.append(folder)
        shown = f"{wanted.what} at {shorten_id(commit)}"
        outputs = {"ref": wanted.ref, "commit": commit}
        return Ending(StepVerdict.SATISFIED, f"checkout of {shown}", outputs)

    def _fetch_repository(self, wanted: Fetch, inputs: Mapping[str, str], target: Path) -> Ending:
        """Fetch another repository as a step does: with its network, and nobody's credentials."""
        server = inputs.get("github-server-url") or _GITHUB
        address = f"{server.rstrip('/')}/{wanted.repository}"
        depth = inputs.get("fetch-depth", "1")
        how = ["--tags"] if depth == "0" else ["--no-tags", f"--depth={depth}"]
        ref = wanted.ref or "HEAD"
        script = Script(
            name=f"checkout {wanted.repository}",
            shell=read_shell("sh"),
            text="git init --quiet .\n"
            f"git fetch --quiet {shlex.join([*how, '--', address, ref])}\n"
            "git checkout --quiet --detach FETCH_HEAD --\n"
            'echo "commit=$(git rev-parse HEAD)" >> "$GITHUB_OUTPUT"\n',
            directory=os.path.relpath(target, self._session.workspace),
            env={},
            timeout=_SECONDS,
        )
        ran = run_script(script, self._session, self._worktree, self._show)
        if ran.reason:
            # The network may be up the next time, so the verdict is not kept.
            reason = f"{wanted.what} could not be fetched, {LACK}"
            return _skip(reason)._replace(seconds=ran.seconds, log=ran.log)
        commit = ran.outputs.get("commit", "")
        said = f"checkout of {wanted.what} at {shorten_id(commit)}"
        outputs = {"ref": wanted.ref, "commit": commit}
        return Ending(StepVerdict.SATISFIED, said, outputs, None, ran.seconds, ran.log)


def find_remote_commit(worktree: Worktree, ref: str) -> str | None:
    """The commit of a ref as the remote has it, as far as that is known here."""
    repository = worktree.repository
    remote = choose_remote(repository.config, "")
    heads = [f"refs/remotes/{remote}/"] if remote else ["refs/heads/"]
    short = ref.removeprefix("refs/heads/")
    names = [place + short for place in heads] + [f"refs/tags/{ref}"]
    names += [ref] if ref.startswith("refs/tags/") or _is_full_id(ref) else []
    found = (resolve_commit(repository, name) for name in names)
    return next((commit for commit in found if commit), None)


def complete_checkout(
    what: str, inputs: Mapping[str, str], session: JobSession, worktree: Worktree
) -> Ending:
    """Bring the submodules that a checkout of the state at the top asks for, or leave of it a part
    alone.
    """
    if what == SPARSE:
        return _narrow_checkout(inputs, session, worktree.tree)
    return fill_submodules(inputs["submodules"].lower(), worktree.tree, worktree)


def _narrow_checkout(inputs: Mapping[str, str], session: JobSession, top: Path) -> Ending:
    """Leave of the state at the top what a step asks for, as the action does."""
    asked = [line.strip() for line in inputs["sparse-checkout"].splitlines() if line.strip()]
    cone = inputs.get("sparse-checkout-cone-mode", "true").lower() == "true"
    how = ["sparse-checkout", "set", "--cone" if cone else "--no-cone", "--stdin"]
    done = run_git(
        ["-c", f"core.hooksPath={os.devnull}", *how],
        env=session.make_env({}),
        stdin=os.fsencode("\n".join(asked) + "\n"),
        cwd=top,
    )
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return _skip(f"git cannot check out a part of the files ({said})")
    return Ending(StepVerdict.SATISFIED, SPARSE)


def fill_submodules(asked: str, folder: Path, worktree: Worktree) -> Ending:
    """Check out the submodules of a checkout of this repository, as far as ``submodules`` asks."""
    if not (folder / ".gitmodules").is_file():
        return Ending(StepVerdict.SATISFIED, CHECKOUT)
    try:
        check_out_submodules(worktree, folder, deep=asked == RECURSIVE)
    except MissingSubmodule as missing:
        return _skip(f"{SUBMODULES}: {missing} ({UNFETCHED})")
    except OSError as error:
        return _skip(f"{SUBMODULES}: {error.strerror}: '{error.filename}'")
    return Ending(StepVerdict.SATISFIED, CHECKOUT)


def _skip(reason: str) -> Ending:
    return Ending(StepVerdict.SKIPPED, reason, outputs=None)


def _is_full_id(text: str) -> bool:
    return len(text) in (40, 64) and all(char in "0123456789abcdef" for char in text)
