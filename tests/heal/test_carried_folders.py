"""What one worktree takes over from another, and what it leaves of a HOME."""

from pathlib import Path

from git_retcon.files.lock import hold_lock
from git_retcon.heal.carried_folders import carry_folders, clear_home
from git_retcon.run.kept_worktrees import lock_of


def make(root: Path, commit: str, *files: str) -> Path:
    root.mkdir(parents=True)
    (root / "state").write_text(f"tree\n{commit}\n")
    (root / "jobs").mkdir()
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return root


CACHE = "jobs/job/home/.npm/_cacache/x"


def list_files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def test_the_nearest_that_nobody_uses_gives_its_folders(tmp_path: Path) -> None:
    far = make(tmp_path / "far", "other", CACHE)
    near = make(tmp_path / "near", "commit", CACHE, "jobs/job/venv/bin/python", "tree/build/o")
    new = tmp_path / "new"
    new.mkdir()
    carry_folders(new, "commit")
    assert list_files(new) == [CACHE]
    assert (new / CACHE).read_text() == CACHE
    assert list_files(near) == ["jobs/job/venv/bin/python", "state", "tree/build/o"]
    assert CACHE in list_files(far)


def test_of_a_check_killed_before_its_checkout_the_files_aside_count(tmp_path: Path) -> None:
    kept, other = "tree.aside/node_modules/kept/a.js", "tree/node_modules/other/a.js"
    killed = make(tmp_path / "killed", "commit", kept, other, "jobs/job/x")
    (killed / "owner").write_text("job")
    new = tmp_path / "new"
    new.mkdir()
    carry_folders(new, "commit")
    assert list_files(new) == ["jobs/job/ignored/node_modules/kept/a.js"]


def test_one_that_is_in_use_is_left_alone(tmp_path: Path) -> None:
    busy = make(tmp_path / "busy", "commit", CACHE)
    free = make(tmp_path / "free", "other", CACHE)
    new = tmp_path / "new"
    new.mkdir()
    with hold_lock(lock_of(busy), "testing"):
        carry_folders(new, "commit")
    assert CACHE in list_files(busy)
    assert CACHE not in list_files(free)


def test_a_home_keeps_only_what_was_downloaded(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in (".npm/_cacache/x", ".npm/_logs/x", ".cache/pip/x", ".gitconfig", "go/pkg/mod/x"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("")
    clear_home(home)
    assert list_files(home) == [".cache/pip/x", ".npm/_cacache/x", "go/pkg/mod/x"]
    clear_home(tmp_path / "missing")
    assert not (tmp_path / "missing").exists()
