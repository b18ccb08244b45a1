"""What a step can change once a model may have written: the tree, and the job's temporary files."""

import os
from pathlib import Path

from git_retcon.heal.execution.step_environment import JobFolders, make_environment
from git_retcon.heal.healing.job_confinement import confine_job
from git_retcon.run.sandbox.level import Sandbox
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository

TRIES = """\
exec 2>/dev/null
for place in tree.txt "$RUNNER_TEMP/x" "$HOME/.local/bin/tool" "$VENV/bin/python" ../escape \\
  .git ../git/config
do (echo x > "$place") && echo "wrote $(basename "$place")"; done
cat secret.env .env "$HOME/.gitconfig" && cat private.txt
(exec 3<>/dev/tcp/127.0.0.1/1) || echo no network
"""


def test_a_step_changes_the_tree_and_nothing_that_a_later_one_runs(
    repo: TestRepository, tmp_path: Path, strong_sandbox: Sandbox
) -> None:
    commit = repo.commit("one", {"tree.txt": "1\n", "private.txt": "withheld\n"})
    with open_worktree(tmp_path / "worktrees", repo.open(), "job") as worktree:
        worktree.checkout(commit)
        folders = JobFolders(worktree.root / "jobs" / "ci", tmp_path / "short")
        venv = folders.virtual_environment
        env = {**make_environment(os.environ, folders).variables, "VENV": str(venv)}
        for place in (folders.home / ".local/bin", venv / "bin"):
            place.mkdir(parents=True)
        (folders.home / ".gitconfig").write_text("of the job\n")
        withheld = b"private.txt"
        confine = confine_job(strong_sandbox, worktree, folders, lambda path: path == withheld)
        done = worktree.run(f"bash -c '{TRIES}'", env=env, prefix=confine(env))
        said = done.output.decode().splitlines()
        assert said[:2] == ["wrote tree.txt", "wrote x"], said
        assert "withheld" not in said and "no network" in said
        assert not {"wrote .git", "wrote config"} & set(said)
        assert (worktree.tree / ".git").read_text().startswith("gitdir: ")
        assert (worktree.tree / "tree.txt").read_text() == "x\n"
        assert (folders.temporary / "x").read_text() == "x\n"
        # Written or not: what a command leaves there is gone with it.
        assert not (folders.home / ".local/bin/tool").exists()
        assert not (venv / "bin/python").exists()
        assert not (worktree.root / "escape").exists()
