"""Commands that a repository names run only after a person has seen them, once."""

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from git_retcon.errors import Reason, Refused
from git_retcon.run.trust import NamedCommand, Trust, is_tracked
from tests.repository import TestRepository

BUILD, TEST = NamedCommand("build", "make"), NamedCommand("test", "make test\nrm -r x")
KEY = "retcon.trusted"


@dataclass
class Person:
    """Answers every question alike, and remembers what was asked."""

    answer: bool
    questions: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def ask(self, question: str) -> bool:
        self.questions.append(question)
        return self.answer

    def trust(self, repo: TestRepository, *, given: bool = False) -> Trust:
        return Trust(KEY, repo.open(), given, self.warnings.append, self.ask)


def test_a_person_sees_every_command_whole_and_is_asked_once(repo: TestRepository) -> None:
    person = Person(answer=True)
    person.trust(repo).require("s.toml", [BUILD, TEST])
    person.trust(repo).require("s.toml", [BUILD, TEST])
    person.trust(repo).require("s.toml", [TEST, BUILD])
    assert person.questions == [
        "'s.toml' is tracked by git, and names commands that run here:\n"
        "  build: make\n"
        "  test: make test\n"
        "    rm -r x\n"
        "Do you trust them?"
    ]


def test_other_commands_are_asked_about_again(repo: TestRepository) -> None:
    person = Person(answer=True)
    person.trust(repo).require("s.toml", [BUILD])
    person.trust(repo).require("s.toml", [BUILD, TEST])
    person.trust(repo).require("s.toml", [NamedCommand("setup", "make")])
    assert len(person.questions) == 3


def test_the_same_commands_of_another_repository_are_asked_about_again(
    repo: TestRepository, tmp_path: Path
) -> None:
    person = Person(answer=True)
    person.trust(repo).require("s.toml", [BUILD])
    clone = TestRepository(tmp_path / "clone")
    repo.git("clone", "-q", ".", str(clone.path))
    person.trust(clone).require("s.toml", [BUILD])
    assert len(person.questions) == 2


def test_no_is_no_each_time_and_the_commands_are_named(repo: TestRepository) -> None:
    person = Person(answer=False)
    for _ in range(2):
        with pytest.raises(Refused, match=r"^nothing was run: 's\.toml' is tracked") as refused:
            person.trust(repo).require("s.toml", [BUILD])
    assert "  build: make" in str(refused.value)
    assert refused.value.reason is Reason.NOT_TRUSTED  # no terminal here
    assert refused.value.again == ["--trust"]
    assert len(person.questions) == 2


def test_trust_given_beforehand_is_remembered_and_nobody_is_asked(repo: TestRepository) -> None:
    person = Person(answer=False)
    person.trust(repo, given=True).require("s.toml", [BUILD])
    person.trust(repo).require("s.toml", [BUILD])
    assert person.questions == []


def test_the_answer_is_in_the_users_configuration_and_the_repositorys_does_not_count(
    repo: TestRepository, sealed: Path
) -> None:
    person = Person(answer=True)
    person.trust(repo).require("s.toml", [BUILD])
    assert "retcon" not in (repo.path / ".git/config").read_text()
    (kept,) = repo.git("config", "--global", "--get-all", KEY).splitlines()

    repo.git("config", "--global", "--unset-all", KEY)
    repo.git("config", "--local", KEY, kept)
    person.trust(repo).require("s.toml", [BUILD])
    assert len(person.questions) == 2


def test_what_the_users_configuration_includes_does_not_count(
    repo: TestRepository, sealed: Path
) -> None:
    """An included file may lie in a clone, which then would trust itself."""
    person = Person(answer=True)
    person.trust(repo).require("s.toml", [BUILD])
    (kept,) = repo.git("config", "--global", "--get-all", KEY).splitlines()
    repo.git("config", "--global", "--unset-all", KEY)
    repo.git("config", "--file", "team.config", KEY, kept)
    repo.git("config", "--global", "include.path", str(repo.path / "team.config"))
    person.trust(repo).require("s.toml", [BUILD])
    assert len(person.questions) == 2


def test_where_it_cannot_be_remembered_the_run_goes_on_and_says_so(
    repo: TestRepository, sealed: Path
) -> None:
    person = Person(answer=True)
    (sealed / ".gitconfig.lock").write_text("")
    person.trust(repo).require("s.toml", [BUILD])
    assert [line.partition(",")[0] for line in person.warnings] == [
        "git cannot keep 'retcon.trusted'"
    ]


@pytest.fixture
def device(tmp_path: Path) -> Path:
    """A device of the test's own: git can rename a file over it, and nothing else is harmed."""
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        device.read_bytes()
    except OSError as fault:
        pytest.skip(f"no device can be made here: {fault}")
    return device


@pytest.mark.parametrize("is_named", [True, False])
def test_a_device_in_place_of_the_users_configuration_stays_one(
    repo: TestRepository,
    sealed: Path,
    device: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_named: bool,
) -> None:
    if is_named:
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(device))
    else:
        (sealed / ".gitconfig").unlink(missing_ok=True)
        (sealed / ".gitconfig").symlink_to(device)
    person = Person(answer=True)
    person.trust(repo).require("s.toml", [BUILD])
    assert stat.S_ISCHR(device.stat().st_mode)
    (warning,) = person.warnings
    assert warning.startswith("git cannot keep 'retcon.trusted', so you are asked again next time")
    assert warning.endswith("is no file")


@pytest.mark.parametrize("name", ["s.toml", "S.TOML", "sub/s.toml", "[s].toml"])
def test_what_the_index_has_is_tracked_in_any_case(repo: TestRepository, name: str) -> None:
    repo.commit("all", {"s.toml": "", "sub/s.toml": "", "[s].toml": ""})
    assert is_tracked(repo.path / name, repo.open())


def test_what_it_has_not_is_the_users_own(repo: TestRepository, tmp_path: Path) -> None:
    repo.commit("all", {"a.toml": ""})
    repo.write({"?.toml": ""})
    (tmp_path / "s.toml").write_text("")
    assert not is_tracked(repo.path / "?.toml", repo.open())
    assert not is_tracked(tmp_path / "s.toml", repo.open())


def test_a_link_is_followed(repo: TestRepository, tmp_path: Path) -> None:
    repo.commit("all", {"s.toml": ""})
    (tmp_path / "link.toml").symlink_to(repo.path / "s.toml")
    assert is_tracked(tmp_path / "link.toml", repo.open())
    (repo.path / "own.toml").symlink_to(tmp_path / "own.toml")
    assert not is_tracked(repo.path / "own.toml", repo.open())


def test_a_file_of_another_repository_is_not_the_users_own_either(
    repo: TestRepository, tmp_path: Path
) -> None:
    repo.commit("all", {"s.toml": ""})
    other = TestRepository(tmp_path / "other")
    other.path.mkdir()
    other.git("init", "-q")
    assert is_tracked(repo.path / "s.toml", other.open())


def test_a_repository_that_only_the_environment_names_counts(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("all", {"s.toml": ""})
    (repo.path / ".git").rename(repo.path.parent / "away.git")
    monkeypatch.setenv("GIT_DIR", str(repo.path.parent / "away.git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(repo.path))
    assert is_tracked(repo.path / "s.toml", repo.open())
