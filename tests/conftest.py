"""A sealed world for every test: no user or system git config, fixed dates, no editor, no key."""

import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from git_retcon.run.sandbox.level import Policy, choose
from tests.repository import TestRepository, new_repository

# `git commit` would start two more processes to look for maintenance, and `git init` copies hooks.
_GIT_CONFIGURATION = """\
[init]
	defaultBranch = main
[maintenance]
	auto = false
[gc]
	auto = 0
"""
_FORGOTTEN = ("GIT_", "ANTHROPIC_", "XDG_", "SSH_", "GNUPGHOME", "NO_COLOR", "HTTP", "http", "MAN")


# A loaded machine is slow, not wrong: no law here is about time. The examples are the same in each
# run, so that a change alone makes a test fail; ``--hypothesis-profile=search`` looks for others.
for profile, derandomize in (("project", True), ("search", False)):
    hypothesis.settings.register_profile(
        profile,
        deadline=None,
        derandomize=derandomize,
        print_blob=True,
        suppress_health_check=[
            hypothesis.HealthCheck.too_slow,
            hypothesis.HealthCheck.function_scoped_fixture,
        ],
    )
hypothesis.settings.load_profile("project")


# A shell without job control starts `tests/run &` with these ignored, and what tests start inherits
# that: no Ctrl-C or hangup would reach it.
for number, handler in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)


@pytest.fixture(scope="session", autouse=True)
def sealed_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The same for what is made once for many tests."""
    with pytest.MonkeyPatch.context() as patch:
        _seal(patch, tmp_path_factory.mktemp("session") / "home")
        yield


@pytest.fixture(autouse=True)
def sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a HOME of its own and nothing of the caller's settings."""
    return _seal(monkeypatch, tmp_path / "home")


@pytest.fixture
def kept_environment(sealed: Path) -> Iterator[None]:
    """For what sets variables of this process, as the bench of kills does: they are taken back."""
    before, folder = dict(os.environ), tempfile.tempdir
    yield
    os.environ.clear()
    os.environ.update(before)
    tempfile.tempdir = folder


def _seal(patch: pytest.MonkeyPatch, home: Path) -> Path:
    for name in list(os.environ):
        if name.startswith(_FORGOTTEN):
            patch.delenv(name)
    home.mkdir()
    settings = {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada Lovelace",
        "GIT_AUTHOR_EMAIL": "ada@example.com",
        "GIT_AUTHOR_DATE": "1500000000 +0000",
        "GIT_COMMITTER_NAME": "Ada Lovelace",
        "GIT_COMMITTER_EMAIL": "ada@example.com",
        "GIT_COMMITTER_DATE": "1500000000 +0000",
        "GIT_EDITOR": "false",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
        "TERM": "dumb",
    }
    # The shims of pyenv on PATH name its folder, which is in the caller's HOME unless this says so.
    if (pyenv := Path.home() / ".pyenv").is_dir():
        settings["PYENV_ROOT"] = os.environ.get("PYENV_ROOT", str(pyenv))
    # With a weak sandbox each build would be asked about; what is about sandboxes chooses its own.
    if not choose(Policy.AUTO).level.is_strong:
        settings["GIT_RETCON_SANDBOX"] = "off"
    for name, value in settings.items():
        patch.setenv(name, value)
    (home / ".gitconfig").write_text(_GIT_CONFIGURATION)
    return home


@pytest.fixture
def repo(tmp_path: Path) -> TestRepository:
    """An empty repository on ``main``."""
    return new_repository(tmp_path / "repo")


@pytest.fixture
def make_repo(tmp_path: Path) -> Callable[..., TestRepository]:
    """Further repositories by name; options go to ``git init``."""

    def make(name: str, *options: str) -> TestRepository:
        return new_repository(tmp_path / name, *options)

    return make
