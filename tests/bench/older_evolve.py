"""The older tool and ours over one history, each with a model that answers at once.

    python -m tests.bench.evolve CLONE --older FOLDER [--older-steps N]...

FOLDER is a checkout of ``thecontstruct/allium-evolve`` with its dependencies (``npm install``); it
is run there and nothing of it is copied. It runs commit subjects as shell, so the history is made
for it: trees of CLONE, plain subjects.
"""

import os
import resource
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

# As the real one: reads its prompt, prints one envelope.
_STUB = """\
#!/bin/sh
cat > /dev/null
printf '%s' '{"structured_output": {"spec": "-- allium: 3", "changelog": "x", \
"commitMessage": "x"}, "total_cost_usd": 0, "session_id": "x"}'
"""


def make_history(clone: Path, tip: str, target: Path, steps: int) -> int:
    """A linear history of the newest ``steps`` trees along first parents; how many there were."""
    git(target.parent, "clone", "-q", "--shared", "--no-checkout", str(clone), str(target))
    line = git(target, "rev-list", "--first-parent", "-n", str(steps), tip).split()
    parent: Sequence[str] = ()
    commit = ""
    for number, source in enumerate(reversed(line)):
        commit = git(target, "commit-tree", f"{source}^{{tree}}", *parent, "-m", f"step {number}")
        parent = ("-p", commit)
    git(target, "checkout", "-q", "-B", "measured", commit)
    return len(line)


def measure_older(folder: Path, repository: Path, steps: int) -> float:
    """Processor seconds of a step of the older tool, with what it starts, less the stub's own."""
    with tempfile.TemporaryDirectory() as place:
        stub = Path(place) / "claude"
        stub.write_text(_STUB)
        stub.chmod(0o755)
        env = {**os.environ, "PATH": f"{place}{os.pathsep}{os.environ['PATH']}"}
        command = ["node", "--import", "tsx", "src/cli.ts", "--repo", str(repository), "--yes",
                   "--state-file", str(Path(place) / "state.json")]  # fmt: skip
        whole = _measure(command, folder, env)
        stubs = _measure(["sh", "-c", f"for i in $(seq {steps}); do claude </dev/null; done"],
                         folder, env)  # fmt: skip
    return (whole - stubs) / steps


def _measure(command: Sequence[str], folder: Path, env: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def git(folder: Path, *arguments: str) -> str:
    """What git prints, without the end of its line."""
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode().strip()
