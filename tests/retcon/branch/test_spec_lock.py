"""One run at a time on a spec and on its branch."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from git_retcon.retcon.branch.spec_lock import lock_spec
from tests.program import retcon, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


@pytest.mark.slow
def test_a_second_run_at_the_same_time_learns_who_holds_it(scene: Scene) -> None:
    scene.repo.git("config", "user.name", "Ada")
    scene.repo.git("config", "user.email", "ada@example.com")
    inner = f"{sys.executable} -P -m git_retcon.commands.retcon history.toml"
    nested = scene.repo.path / ".git/nested.sh"
    nested.write_text(f"cd {scene.repo.path} && {inner} > .git/nested.log 2>&1; true\n")
    scene.write_spec(SPEC.replace(BUILD, f"sh {nested}"))
    scene.run().ok()
    said = (scene.repo.path / ".git/nested.log").read_text()
    assert "fatal: another process is using 'history.toml' (pid " in said


def test_what_the_holder_does_is_not_guessed_from_what_we_want(scene: Scene) -> None:
    with lock_spec(scene.repo.open(), scene.spec):
        told = retcon_here(scene.repo.path, "adopt", "history.toml").err
    assert told.startswith("fatal: another process is using 'history.toml' (pid ")


def test_what_a_kill_left_of_a_save_is_removed(scene: Scene) -> None:
    left = scene.repo.path / ".history.toml.a1b2c_d4.tmp"
    mine = scene.repo.path / ".history.toml.mine.tmp"
    left.write_text("half a sp")
    mine.write_text("a person's\n")
    scene.run("--build", "").ok()
    assert not left.exists() and mine.exists()


def test_a_spec_edited_while_the_run_starts_is_read_once(scene: Scene, tmp_path: Path) -> None:
    """git is asked for the committer before the locks are taken; the edit comes just then."""
    git, seen = shutil.which("git"), tmp_path / "seen"
    scene.write_spec(SPEC.replace(BUILD, f"echo old >>{seen}"))
    edited = tmp_path / "edited.toml"
    edited.write_text(SPEC.replace(BUILD, f"echo new >>{seen}"))
    folder = tmp_path / "bin"
    folder.mkdir()
    script = f'case "$*" in *GIT_COMMITTER_IDENT*) cp {edited} {scene.spec} ;; esac\n'
    (folder / "git").write_text(f'#!/bin/sh\n{script}exec {git} "$@"\n')
    (folder / "git").chmod(0o755)
    env = {"PATH": f"{folder}:{os.environ['PATH']}"}
    retcon(scene.repo.path, "history.toml", env=env).ok()
    assert scene.spec.read_text().startswith(edited.read_text().partition("[[")[0])
    assert set(seen.read_text().split()) == {"new"}
