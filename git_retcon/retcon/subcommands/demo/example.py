"""Building the demo's repository with git: on every machine the same objects."""

import shlex
import sys
from importlib.resources import files
from pathlib import Path

import tomlkit

from git_retcon.files.atomic import save
from git_retcon.files.claimed_folder import claim_folder
from git_retcon.git.example_repository import EMAIL, NAME, configure_example
from git_retcon.git.process import run_unconfigured
from git_retcon.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DemoRepository:
    """A repository with ``feature`` checked out, and its spec, which is not tracked."""

    directory: Path
    spec: Path
    source: str = "feature"
    remote: str = "main"
    cleaned: str = "feature-clean"


def build_example(directory: Path) -> DemoRepository:
    """Make the repository in a directory that is empty or not there yet.

    Nothing of the user's configuration takes part, and every commit has the date its patch
    names, so the ids are always the same. Raises Fatal where the directory cannot be used.
    """
    claim_folder(directory)
    _run_git(directory, "init", "--quiet", "--initial-branch=main", "--template=")
    configure_example(directory)
    _apply_patches(directory, "main.mbox")
    _run_git(directory, "checkout", "--quiet", "-b", "feature")
    _apply_patches(directory, "feature.mbox")
    spec = directory / "history.toml"
    save(spec, _read_spec())
    return DemoRepository(directory, spec)


def _apply_patches(directory: Path, name: str) -> None:
    patches = (files(__package__) / name).read_bytes()
    _run_git(directory, "am", "--quiet", "--committer-date-is-author-date", stdin=patches)


def _read_spec() -> bytes:
    text = (files(__package__) / "history.toml").read_text("utf-8")
    document = tomlkit.parse(text)
    python = shlex.quote(sys.executable)
    for step in ("build", "test"):
        document[step] = str(document[step]).replace("python3", python)
    return tomlkit.dumps(document).encode()


def _run_git(directory: Path, *arguments: str, stdin: bytes = b"") -> None:
    who = {"GIT_COMMITTER_NAME": NAME, "GIT_COMMITTER_EMAIL": EMAIL}
    run_unconfigured(directory, *arguments, stdin=stdin, env=who)
