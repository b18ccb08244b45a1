"""Submodules of a state, checked out from the clones that are here, with no network."""

import shutil
from pathlib import Path

import pytest

from tests.heal.checks import check, new_project
from tests.program import heal_here
from tests.repository import TestRepository, new_repository

BEGIN = "on: push\njobs:\n"
JOB = """\
  {name}:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
      with: {{submodules: {asked}}}
    - {{name: shows, run: "{script}"}}
"""
LOCAL = ("-c", "protocol.file.allow=always")  # git takes no submodule from a folder otherwise


def new_library(path: Path, text: str = "one\n") -> TestRepository:
    library = new_repository(path, "-b", "main")
    library.commit("begin", {"answer": text})
    return library


def new_user(
    path: Path, library: TestRepository, script: str, asked: str = "true", more: str = ""
) -> TestRepository:
    """A repository with ``library`` as its submodule `lib`, whose one job runs a script."""
    user = new_repository(path, "-b", "main")
    user.git(*LOCAL, "submodule", "--quiet", "add", "--name", "parts", str(library.path), "lib")
    job = JOB.format(name="job", asked=asked, script=script)
    user.commit("begin", {".github/workflows/ci.yml": BEGIN + job + more})
    return user


def clone_of(user: TestRepository, path: Path, *options: str) -> TestRepository:
    user.git(*LOCAL, "clone", "--quiet", *options, str(user.path), str(path))
    return TestRepository(path)


def list_files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_job_finds_the_submodules_that_its_checkout_asks_for(tmp_path: Path) -> None:
    script = "cat lib/answer && git -C lib rev-parse HEAD && git status --short"
    library = new_library(tmp_path / "library")
    user = new_user(tmp_path / "user", library, script)
    before = list_files(user.path / ".git/modules")
    checked = check(user)
    assert checked.jobs == ["job: passed"]
    assert checked.log("shows") == f"one\n{library.rev('HEAD')}\n"
    assert list_files(user.path / ".git/modules") == before
    assert check(user).data["jobs"][0]["cached"]


def test_a_job_finds_the_commit_that_the_state_records(tmp_path: Path) -> None:
    library = new_library(tmp_path / "library")
    user = new_user(tmp_path / "user", library, "cat lib/answer")
    TestRepository(user.path / "lib").commit("two", {"answer": "two\n"})
    user.git("add", "lib")
    assert check(user).log("shows") == "two\n"
    user.git("restore", "--staged", "lib")
    TestRepository(user.path / "lib").git("checkout", "-q", library.rev("HEAD"))
    user.write({"lib/answer": "not committed\n"})
    assert check(user).log("shows") == "one\n"


def test_what_a_job_leaves_in_a_submodule_the_next_one_does_not_find(tmp_path: Path) -> None:
    steps = "- uses: actions/checkout@v4\n    - {name: looks, run: ls -A lib}\n"
    more = f"  other:\n    needs: job\n    runs-on: ubuntu-latest\n    steps:\n    {steps}"
    script = "ls lib && touch lib/made"
    user = new_user(tmp_path / "user", new_library(tmp_path / "library"), script, more=more)
    checked = check(user)
    assert checked.jobs == ["job: passed", "other: passed"]
    assert checked.log("looks") == ""
    again = check(user, "--force")
    assert (again.log("shows"), again.log("looks")) == ("answer\n", "")


@pytest.mark.parametrize("path", ["lib", "way/lib"])
def test_what_a_job_puts_in_the_place_of_a_submodule_the_next_one_does_not_find(
    tmp_path: Path, path: str
) -> None:
    top = path.partition("/")[0]
    script = f"rm -r {top} && ln -s {tmp_path}/other {top}"
    looks = f"{{name: looks, run: ls -A {path} && ! test -L {top}}}"
    steps = f"- uses: actions/checkout@v4\n    - {looks}\n"
    more = f"  other:\n    needs: job\n    runs-on: ubuntu-latest\n    steps:\n    {steps}"
    user = new_user(tmp_path / "user", new_library(tmp_path / "library"), script, more=more)
    if path != "lib":
        (user.path / "way").mkdir()
        user.git("mv", "lib", path)
    (tmp_path / "other/lib").mkdir(parents=True)
    (tmp_path / "other/lib/kept").touch()
    checked = check(user)
    assert checked.jobs == ["job: passed", "other: passed"]
    assert checked.log("looks") == ""
    assert (tmp_path / "other/lib/kept").exists()


@pytest.mark.parametrize(("asked", "said"), [("true", ""), ("recursive", "deep\n")])
def test_only_a_recursive_checkout_brings_what_is_in_a_submodule(
    tmp_path: Path, asked: str, said: str
) -> None:
    deep = new_library(tmp_path / "deep", "deep\n")
    library = new_library(tmp_path / "library")
    library.git(*LOCAL, "submodule", "--quiet", "add", str(deep.path), "deep")
    library.commit("deeper")
    user = new_user(tmp_path / "user", library, "cat lib/deep/answer || true", asked)
    user.git(*LOCAL, "submodule", "--quiet", "update", "--init", "--recursive")
    checked = check(user)
    assert checked.jobs == ["job: passed"]
    assert checked.log("shows").endswith(said)
    assert ("deep\n" in checked.log("shows")) is bool(said)


def test_a_submodule_that_is_not_here_is_said_and_found_once_it_is(tmp_path: Path) -> None:
    library = new_library(tmp_path / "library")
    user = new_user(tmp_path / "user", library, "cat lib/answer")
    clone = clone_of(user, tmp_path / "clone")
    commit = library.rev("HEAD")[:12]
    assert check(clone).jobs == ["job: incomplete: shows: exit status 1, behind 1 skipped step"]
    assert check(clone).steps[0] == (
        f"actions/checkout@v4: skipped: checks out submodules: 'lib' at {commit} is not here "
        "('git submodule update --init' brings it)"
    )
    clone.git(*LOCAL, "submodule", "--quiet", "update", "--init")
    assert check(clone).jobs == ["job: passed"]
    library.commit("two", {"answer": "two\n"})
    clone.git("update-index", "--cacheinfo", f"160000,{library.rev('HEAD')},lib")
    shutil.rmtree(clone.path / "lib")
    (clone.path / "lib").mkdir()
    assert "is not here" in check(clone).steps[0]


def test_a_shallow_clone_and_a_linked_worktree_are_enough(tmp_path: Path) -> None:
    library = new_library(tmp_path / "library")
    library.commit("two", {"answer": "two\n"})
    user = new_user(tmp_path / "user", library, "cat lib/answer")
    shallow = clone_of(user, tmp_path / "shallow")
    shallow.git("config", "submodule.parts.url", f"file://{library.path}")
    shallow.git(*LOCAL, "submodule", "--quiet", "update", "--init", "--depth=1")
    assert (shallow.path / ".git/modules/parts/shallow").exists()
    assert check(shallow).log("shows") == "two\n"
    user.git("worktree", "add", "-q", str(tmp_path / "linked"))
    assert check(TestRepository(tmp_path / "linked")).log("shows") == "two\n"


@pytest.mark.parametrize("name", ["../../../library", "/parts"])
def test_no_name_leads_out_of_the_repository(tmp_path: Path, name: str) -> None:
    user = new_user(tmp_path / "user", new_library(tmp_path / "library"), "cat lib/answer")
    (user.path / ".gitmodules").write_text(f'[submodule "{name}"]\n\tpath = lib\n\turl = x\n')
    assert "cannot be checked out: " in check(user).steps[0]


def test_no_link_of_a_step_leads_a_submodule_out_of_the_workspace(tmp_path: Path) -> None:
    other = tmp_path / "other"
    user = new_user(
        tmp_path / "user", new_library(tmp_path / "library"), f"rm -r way && ln -s {other} way",
        asked="false",
        more="    - {uses: actions/checkout@v4, with: {submodules: true, clean: false}}\n",
    )  # fmt: skip
    (user.path / "way").mkdir()
    user.git("mv", "lib", "way/lib")
    (other / "lib").mkdir(parents=True)
    (other / "lib/kept").touch()
    assert check(user).steps[2] == (
        "actions/checkout@v4: skipped: the submodule 'way/lib' cannot be checked out: "
        "a link is on the way"
    )
    assert [one.name for one in (other / "lib").iterdir()] == ["kept"]


def test_a_heal_leaves_what_a_step_builds_in_a_submodule_alone(tmp_path: Path) -> None:
    script = (
        "echo built >> lib/answer; touch lib/new; grep -q '^import os' app.py && "
        "echo \"app.py:1:1: F401 'os' imported but unused\" && exit 1 || true"
    )
    user = new_user(tmp_path / "user", new_library(tmp_path / "library"), "true")
    job = JOB.format(name="job", asked="true", script="sh lint.sh")
    files = {"app.py": "import os\n\nprint('x')\n", "lint.sh": script}
    user.commit("app", {".github/workflows/ci.yml": BEGIN + job, **files})
    ran = heal_here(user.path, "--offline", "--yes", "--trust")
    assert ran.status == 0, ran.err
    assert (user.path / "app.py").read_text() == "\nprint('x')\n"
    assert (user.path / "lib/answer").read_text() == "one\n"
    assert user.git("status", "--short") == " M app.py"


def test_what_would_run_says_whether_submodules_are_here(tmp_path: Path) -> None:
    user = new_user(tmp_path / "user", new_library(tmp_path / "library"), "cat lib/answer")
    clone = clone_of(user, tmp_path / "clone")
    assert "checks out submodules" not in heal_here(user.path, "workflows").out
    assert "checks out submodules" in heal_here(clone.path, "workflows").out


def test_a_checkout_into_a_folder_has_its_submodules_too(tmp_path: Path) -> None:
    user = new_user(tmp_path / "user", new_library(tmp_path / "library"), "true")
    job = JOB.format(name="job", asked="true, path: sub", script="cat sub/lib/answer")
    user.commit("again", {".github/workflows/ci.yml": BEGIN + job})
    assert check(user).log("shows") == "one\n"
    clone = clone_of(user, tmp_path / "clone")
    assert "'lib' at" in check(clone).steps[0]


def test_a_state_whose_file_of_submodules_names_none_needs_none(tmp_path: Path) -> None:
    job = JOB.format(name="job", asked="recursive", script="echo on")
    project = new_project(tmp_path / "project", BEGIN + job, {".gitmodules": ""})
    assert check(project).jobs == ["job: passed"]
