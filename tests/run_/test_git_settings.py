"""Which settings execute or redirect, and giving them back their values."""

from pathlib import Path

import pytest

from git_retcon.run.git_settings import put_settings_back, read_settings

BEFORE = (
    "# mine\n[core]\n\tbare = false\n[user]\n\tname = Ada\n"
    "[alias]\n\tst = status\n\tst = status -s\n"
    '[filter "lfs"]\n\tclean = git-lfs clean\n\trequired\n'
)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config"
    path.write_text(BEFORE)
    return path


@pytest.mark.parametrize(
    "added",
    [
        "[core]\n\tfsmonitor = evil\n", "[core]\n\thooksPath = evil\n",
        "[CORE]\n\tsshCommand = evil\n", "[core]\n\tworktree = /\n", "[alias]\n\tlog = !evil\n",
        '[filter "x"]\n\tsmudge = evil\n', '[diff "x"]\n\ttextconv = evil\n',
        '[merge "x"]\n\tdriver = evil\n', "[include]\n\tpath = evil\n",
        '[includeIf "gitdir:/"]\n\tpath = evil\n', '[credential "https://x"]\n\thelper = !evil\n',
        "[gpg]\n\tprogram = evil\n", '[url "evil"]\n\tinsteadOf = https://\n',
        '[remote "origin"]\n\tpushurl = evil\n', '[branch "main"]\n\tremote = https://evil\n',
        '[submodule "x"]\n\tupdate = !evil\n', "[retcon]\n\tbuild = evil\n",
        "[codecommit]\n\tbuild = evil\n", "[diff]\n\texternal = evil\n",
        '[tar "tgz"]\n\tcommand = evil\n', "[imap]\n\ttunnel = evil\n",
        "[gc]\n\trecentObjectsHook = evil\n", "[fetch]\n\tbundleURI = https://evil\n",
        "[core]\n\tprotectNTFS = false\n", "[attr]\n\ttree = evil\n",
    ],
)  # fmt: skip
def test_what_executes_or_redirects_is_put_back_alone(config: Path, added: str) -> None:
    known = read_settings(config)
    with config.open("a") as file:
        file.write(added + "[user]\n\temail = ada@example.com\n")
    found = read_settings(config)
    assert found.executing != known.executing
    assert found.find_harmless(known) == ["user.email"]
    assert put_settings_back(config, known)
    after = read_settings(config)
    assert after.executing == known.executing
    assert after.values["user.email"] == ["ada@example.com"]
    assert config.read_text().startswith("# mine\n")


@pytest.mark.parametrize(
    "added",
    [
        "[user]\n\temail = x\n", '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
        "[merge]\n\tconflictStyle = diff3\n", "[diff]\n\tcolorMoved = zebra\n",
        "[gc]\n\tauto = 0\n", "[fetch]\n\tprune = true\n", "[tar]\n\tumask = 022\n",
    ],
)  # fmt: skip
def test_what_does_neither_is_left(config: Path, added: str) -> None:
    known = read_settings(config)
    with config.open("a") as file:
        file.write(added)
    found = read_settings(config)
    assert found.executing == known.executing
    assert found.find_harmless(known)


def test_a_value_that_was_taken_away_or_changed_comes_back(config: Path) -> None:
    known = read_settings(config)
    config.write_text("[user]\n\tname = Bob\n[alias]\n\tst = !evil\n")
    assert put_settings_back(config, known)
    after = read_settings(config)
    assert after.values["alias.st"] == ["status", "status -s"]
    assert after.values["filter.lfs.clean"] == ["git-lfs clean"]
    assert after.values["user.name"] == ["Bob"]


def test_a_file_that_git_cannot_read_differs_and_cannot_be_put_back(config: Path) -> None:
    known = read_settings(config)
    config.write_text("[core\n")
    assert read_settings(config).executing != known.executing
    assert not put_settings_back(config, known)
