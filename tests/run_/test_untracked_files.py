"""What is neither tracked nor ignored goes, exactly as with ``git clean -ffd``."""

import os
import random
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from git_retcon.git.process import Git
from git_retcon.run.untracked_files import Unclear, UntrackedFiles
from tests.repository import TestRepository


class Place:
    """The repository itself as a worktree, and its untracked files."""

    def __init__(self, repo: TestRepository, trace: Path) -> None:
        self.repo = repo
        self._trace = trace
        self._opened = repo.open()
        env = {**self._opened.git.env, "GIT_TRACE2": str(trace)}
        self.files = UntrackedFiles(Git(self._opened.git_dir, repo.path, env))

    def remove(self) -> None:
        """As a checkout of HEAD does."""
        self.files.remove(self._opened.trees, self.repo.tree("HEAD"))

    @property
    def started(self) -> int:
        """How many processes were started."""
        return self._trace.read_text().count(" start ") if self._trace.exists() else 0


@pytest.fixture
def place(repo: TestRepository, tmp_path: Path) -> Place:
    return Place(repo, tmp_path / "trace")


def listing(top: Path) -> list[str]:
    """Every path below, folders with a slash; not the repository's own."""
    found = []
    for folder, folders, files in os.walk(top):
        if Path(folder) == top:
            folders.remove(".git")
        names = [*files, *(f"{name}/" for name in folders)]
        found += [
            os.path.relpath(Path(folder) / name, top) + "/" * name.endswith("/") for name in names
        ]
    return sorted(found)


def test_only_what_is_ignored_stays(place: Place) -> None:
    place.repo.commit("one", {".gitignore": "*.o\nout/\n", "a": "1\n", "sub/f": "f\n"})
    place.repo.write({"a.o": "", "new": "", "out/x": "", "sub/g": "", "gen/x.o": "", "gen/y": ""})
    (place.repo.path / "empty/er").mkdir(parents=True)
    (place.repo.path / "link").symlink_to("sub")
    place.remove()
    assert listing(place.repo.path) == [
        ".gitignore", "a", "a.o", "gen/", "gen/x.o", "out/", "out/x", "sub/", "sub/f",
    ]  # fmt: skip
    place.files.close()


def test_without_untracked_files_no_process_is_started(place: Place) -> None:
    place.repo.commit("one", {"a": "1\n", "sub/f": "f\n"})
    place.remove()
    assert place.started == 0


def test_one_process_is_enough_while_the_rules_stay(place: Place) -> None:
    place.repo.commit("one", {".gitignore": "*.o\n", "a": "1\n"})
    for _ in range(5):
        place.repo.write({"a.o": "", "new": "", ".cache/.gitignore": "*\n", ".cache/x": ""})
        place.remove()
        assert listing(place.repo.path) == [
            ".cache/", ".cache/.gitignore", ".cache/x", ".gitignore", "a", "a.o",
        ]  # fmt: skip
        # Written again it is another file to us.
        place.repo.write({".cache/x": "other"})
    place.files.close()
    assert place.started == 5  # one for each change of .cache/.gitignore


def test_a_cache_that_ignores_itself_costs_one_process(place: Place) -> None:
    place.repo.commit("one", {"a": "1\n"})
    place.repo.write({".cache/.gitignore": "*\n", ".cache/x": ""})
    for number in range(5):
        place.repo.write({f".cache/{number}": "", "new": ""})
        place.remove()
    place.files.close()
    assert place.started == 1
    assert not (place.repo.path / "new").exists()


Change = Callable[[TestRepository], object]


@pytest.mark.parametrize(
    "change",
    [
        lambda repo: repo.commit("other rules", {".gitignore": "*.p\n"}),
        lambda repo: repo.commit("other rules below", {"sub/.gitignore": "!*.o\n"}),
        lambda repo: repo.write({"sub/.gitignore": "!*.o\n"}),
        lambda repo: repo.write({"gen/.gitignore": "!*.o\n"}),
        lambda repo: repo.write({".git/info/exclude": "!*.o\n*.p\n"}),
        lambda repo: repo.git("config", "core.excludesFile", str(repo.path / "sub/f")),
    ],
)
def test_other_rules_count_at_once(place: Place, change: Change) -> None:
    files = {"a.o": "", "b.p": "", "sub/c.o": "", "gen/d.o": "", "gen/e.p": "", "gen/deep/f.o": ""}
    place.repo.commit("one", {".gitignore": "*.o\n", "sub/f": "*.p\n"})
    place.repo.write(files)
    place.remove()
    place.repo.write(files)
    change(place.repo)
    other = place.repo.path.with_name("other")
    shutil.copytree(place.repo.path, other, symlinks=True)
    place.repo.git("-C", str(other), "clean", "-ffdq")
    place.remove()
    place.files.close()
    assert listing(place.repo.path) == listing(other)


def test_a_worktree_that_was_made_again_has_rules_of_its_own(place: Place) -> None:
    place.repo.commit("one", {"a": "1\n"})
    place.repo.write({"b.o": "", ".git/info/exclude": "*.o\n"})
    place.remove()
    aside = place.repo.path.with_name("aside")
    place.repo.path.rename(aside)
    shutil.copytree(aside, place.repo.path, copy_function=os.link)  # of the same times
    shutil.rmtree(aside)
    place.repo.write({"b.o": "", "c.o": "", "new": ""})
    place.remove()
    place.files.close()
    assert listing(place.repo.path) == ["a", "b.o", "c.o"]


def test_rules_that_change_in_two_places_cost_one_process(place: Place) -> None:
    place.repo.commit("one", {".gitignore": "*.o\n"})
    for rules in ("*\n", "*\n!x\n"):
        place.repo.write({".gitignore": "*.o\n", ".cache/.gitignore": rules, ".cache/x": ""})
        place.remove()
    place.files.close()
    assert place.started == 2
    assert listing(place.repo.path) == [".cache/", ".cache/.gitignore", ".gitignore"]


def test_repositories_that_a_build_made_go_whole(place: Place) -> None:
    place.repo.commit("one", {".gitignore": "*.o\nkept/\n", "sub/f": "f\n"})
    for name in ("nested", "deep/nested", "sub", "kept"):
        place.repo.git("init", "-q", str(place.repo.path / name))
        place.repo.write({f"{name}/x.o": ""})
    place.remove()
    assert [path for path in listing(place.repo.path) if ".git/" not in path] == [
        ".gitignore", "kept/", "kept/x.o", "sub/", "sub/f", "sub/x.o",
    ]  # fmt: skip
    assert not (place.repo.path / "sub/.git").exists()
    place.files.close()


def test_the_folder_of_a_submodule_is_left_alone(place: Place) -> None:
    commit = place.repo.commit("one", {"a": "1\n"})
    place.repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},module")
    place.repo.git("commit", "-q", "-m", "two")
    place.repo.write({"module/x": ""})
    place.remove()
    assert listing(place.repo.path) == ["a", "module/", "module/x"]


def test_a_folder_in_the_place_of_a_file_is_left_to_git(place: Place) -> None:
    place.repo.commit("one", {"a": "1\n"})
    (place.repo.path / "a").unlink()
    (place.repo.path / "a").mkdir()
    with pytest.raises(Unclear):
        place.remove()


def test_folders_without_end_are_left_to_git(place: Place) -> None:
    place.repo.commit("one", {"a": "1\n"})
    (place.repo.path / "/".join("d" * 300)).mkdir(parents=True)
    with pytest.raises(Unclear):
        place.remove()
    place.files.close()


NAMES = ["a", "b.o", "sub", "out", "x y", ".gitignore", "deep", "é"]
RULES = ["*.o", "out/", "/sub", "!b.o", "a", "*", "!sub/", "deep/**", "x\\ y", "!a", "é"]


def make_mess(chance: random.Random) -> Mapping[str, str]:
    """Files of any of the names, as deep as three folders."""
    found: dict[str, str] = {}
    for _ in range(14):
        path = "/".join(chance.choices(NAMES[:5] + NAMES[6:], k=chance.randrange(3)))
        name = f"{path}/{chance.choice(NAMES)}".lstrip("/")
        if not any(other.startswith(f"{name}/") or name.startswith(f"{other}/") for other in found):
            found[name] = "\n".join(chance.choices(RULES, k=2)) + "\n"
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_anything_there_goes_as_git_clean_takes_it(place: Place, seed: int) -> None:
    chance, repo = random.Random(seed), place.repo
    commits = []
    for _ in range(2):
        repo.git("rm", "-rqf", "--ignore-unmatch", ".")
        files = make_mess(chance)
        repo.write(files)
        repo.git("add", "-f", *files)
        repo.git("commit", "-q", "--allow-empty", "-m", "one")
        commits.append(repo.rev("HEAD"))
    # What is ignored stays from round to round, and so does the process that is asked.
    for round_ in range(5):
        repo.git("update-ref", "HEAD", commits[round_ % 2])
        repo.git("read-tree", "--reset", "-u", "HEAD")
        for name, text in make_mess(chance).items():
            path = repo.path / name
            if not (path.exists() or any(above.is_file() for above in path.parents)):
                repo.write({name: text})
        other = repo.path.with_name(f"other{round_}")
        shutil.copytree(repo.path, other, symlinks=True)
        subprocess.run(["git", "-C", other, "clean", "-ffdq"], check=True)
        place.remove()
        assert listing(repo.path) == listing(other)
    place.files.close()
