"""Commands see the user's environment, but no other repository and no secrets."""

import subprocess
from collections.abc import Callable

import pytest

from git_retcon.run.environment import (
    command_environment,
    is_secret_name,
    sandboxed_environment,
)
from tests.repository import TestRepository


def test_every_local_variable_of_git_is_removed() -> None:
    listed = subprocess.run(
        ["git", "rev-parse", "--local-env-vars"], capture_output=True, check=True, text=True
    ).stdout.split()
    more = ["GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0", "GIT_NAMESPACE", "GIT_QUARANTINE_PATH"]
    base = dict.fromkeys([*listed, *more], "x") | {"PATH": "/bin", "LANG": "C", "MAKEFLAGS": "-j2"}
    kept = command_environment(base)
    assert len(listed) > 10
    assert not kept.keys() & {*listed, *more}
    assert {"PATH": "/bin", "LANG": "C", "MAKEFLAGS": "-j2"}.items() <= kept.items()


def test_git_in_a_build_does_not_reach_the_repository_of_a_hook(
    repo: TestRepository,
    make_repo: Callable[..., TestRepository],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = make_repo("other")
    other.commit("other", {"a": "1\n"})
    monkeypatch.setenv("GIT_DIR", str(repo.path / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo.path / ".git/index"))
    done = subprocess.run(
        ["git", "log", "--format=%s"],
        cwd=other.path,
        env=command_environment(),
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"other\n"


@pytest.mark.parametrize(
    "name",
    [
        "ANTHROPIC_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "CLIENT_SECRET",
        "DATABASE_URL",
        "DOCKER_AUTH_CONFIG",
        "GH_TOKEN",
        "GITHUB_TOKEN",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "JIRA_PAT",
        "MYSQL_PWD",
        "NPM_AUTH_TOKEN",
        "OPENAI_API_KEY",
        "PGPASSWORD",
        "SECRET_KEY_BASE",
        "SIGNING_PASSPHRASE",
        "SLACK_WEBHOOK_URL",
        "STRIPE_KEY",
        "TWINE_PASSWORD",
        "npm_config__auth",
    ],
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "AUTHOR",
        "AWS_CA_BUNDLE",
        "AWS_REGION",
        "COMPASS",
        "HOME",
        "KEYBOARD_LAYOUT",
        "MONKEY",
        "OLDPWD",
        "PATH",
        "PATHEXT",
        "PWD",
        "PYTHONPATH",
        "SSH_AUTH_SOCK",
        "SSL_CERT_FILE",
        "TOKENIZERS_PARALLELISM",
    ],
)
def test_names_of_no_secret(name: str) -> None:
    assert not is_secret_name(name)


def test_a_password_in_an_address_is_a_secret_under_any_name() -> None:
    base = {
        "PIP_INDEX_URL": "https://me:pass@index.example.com/simple",
        "MIRROR": "https://index.example.com/simple",
    }
    kept = command_environment(base)
    assert "PIP_INDEX_URL" not in kept
    assert kept["MIRROR"] == base["MIRROR"]


def test_what_is_given_on_purpose_stays() -> None:
    kept = command_environment({"GITHUB_TOKEN": "x"}, {"GITHUB_TOKEN": "y", "GIT_EDITOR": "vi"})
    assert (kept["GITHUB_TOKEN"], kept["GIT_EDITOR"]) == ("y", "vi")


def test_only_a_sandbox_cuts_the_users_agents_off() -> None:
    base = {"SSH_AUTH_SOCK": "/s", "DBUS_SESSION_BUS_ADDRESS": "d", "TERM": "xterm"}
    assert base.items() <= command_environment(base).items()
    inside = sandboxed_environment(base, {"MORE": "1"})
    assert inside["TERM"] == "xterm" and inside["MORE"] == "1"
    assert not inside.keys() & {"SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS"}


def test_nothing_waits_for_a_person() -> None:
    kept = command_environment({"EDITOR": "vi", "GIT_EDITOR": "vi", "PATH": "/bin"})
    assert kept["GIT_TERMINAL_PROMPT"] == "0"
    assert {kept["EDITOR"], kept["GIT_EDITOR"], kept["GIT_SEQUENCE_EDITOR"]} == {"false"}
