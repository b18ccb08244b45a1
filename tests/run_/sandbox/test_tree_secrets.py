"""Secrets in the tree are found by name or by content, unless git tracks them."""

import os
from pathlib import Path

import pytest

from git_retcon.errors import Refused
from git_retcon.git.process import Git
from git_retcon.run.sandbox.confinement import confine_to
from git_retcon.run.sandbox.level import Sandbox
from git_retcon.run.sandbox.tree_secrets import find_secrets, find_withheld
from git_retcon.run.shell_command import run_command
from tests.repository import TestRepository

KEY = "-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n"
SECRETS = {
    ".env": "TOKEN=a secret",
    "deploy/.env.production": "TOKEN=a secret",
    "tls/server.pem": KEY,
    "keys/id_ed25519_work": "a secret",
    "keys/id_rsa": "a secret",
    "keys/id_dsa": "a secret",
    "keys/id_ecdsa.old": "a secret",
    "web/.npmrc": "//registry.example/:_authToken=abc\n",
    ".netrc": "machine example password a secret\n",
}
HARMLESS = {
    "certificates.pem": "-----BEGIN CERTIFICATE-----\nMII\n",
    "other/.npmrc": "save-exact=true\n",
    "environment.txt": "nothing",
    "venv/.env/bin/python": "a program",
    "id.txt": "nothing",
}


def git_of(tree: TestRepository) -> Git:
    return Git(tree.path / ".git", tree.path)


@pytest.fixture
def tree(repo: TestRepository) -> TestRepository:
    repo.commit("one", {".env.example": "TOKEN=\n", "fixtures/test.pem": KEY, "a": "1\n"})
    repo.write({**SECRETS, **HARMLESS, ".git/info/exclude": "deploy/\n"})
    return repo


def test_untracked_and_ignored_secrets_are_found_and_nothing_else(tree: TestRepository) -> None:
    found = find_secrets(tree.path, git_of(tree))
    assert {str(path.relative_to(tree.path)) for path in found} == set(SECRETS)


def test_a_name_with_magic_in_it_is_taken_as_it_is(tree: TestRepository) -> None:
    tree.write({":(top)x/.env*": "a secret", ".env[a]": "a secret"})
    names = {path.name for path in find_secrets(tree.path, git_of(tree))}
    assert {".env*", ".env[a]"} <= names


def test_another_name_of_a_secret_is_one_and_a_tracked_file_is_none(tree: TestRepository) -> None:
    (tree.path / "notes\nof mine").hardlink_to(tree.path / ".env")
    (tree.path / "same").hardlink_to(tree.path / "a")
    os.link(tree.path / "keys/id_rsa", tree.path / "tracked")
    tree.git("add", "tracked")
    found = find_secrets(tree.path, git_of(tree))
    assert {str(path.relative_to(tree.path)) for path in found} == {*SECRETS, "notes\nof mine"}


def test_inside_they_look_empty_and_cannot_be_moved_away(
    tree: TestRepository, sealed: Path, strong_sandbox: Sandbox
) -> None:
    secrets = find_secrets(tree.path, git_of(tree))
    view = confine_to(tree.path, os.environ, veiled=secrets)
    names = " ".join(SECRETS)
    for command in (
        f"cat {names} certificates.pem",
        "mv deploy gone; rm -rf tls; rm -f .env; ln .env hard; mv web w; cat gone/.env* .env hard",
        f"cat {names} certificates.pem",
    ):
        prefix = strong_sandbox.prefix(view)
        done = run_command(command, cwd=tree.path, env=os.environ, prefix=prefix)
        assert b"a secret" not in done.output and b"PRIVATE" not in done.output
        assert b"_authToken" not in done.output
    assert b"BEGIN CERTIFICATE" in done.output
    for name, content in SECRETS.items():
        assert (tree.path / name).read_text() == content


def test_a_pipe_with_the_name_of_a_secret_is_not_waited_for(tree: TestRepository) -> None:
    os.mkfifo(tree.path / "certificate.pem")
    os.mkfifo(tree.path / "other/.netrc")
    assert len(find_secrets(tree.path, git_of(tree))) == len(SECRETS)


@pytest.mark.slow
def test_three_thousand_are_covered_too(tree: TestRepository, strong_sandbox: Sandbox) -> None:
    for at in range(3000):
        folder = tree.path / f"packages/{at % 50}/deploy"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f".env.{at}").write_text("a secret")
    view = confine_to(tree.path, os.environ, veiled=find_secrets(tree.path, git_of(tree)))
    done = run_command(
        "cat .env packages/*/deploy/.env.* | wc -c; cat a",
        cwd=tree.path,
        env=os.environ,
        prefix=strong_sandbox.prefix(view),
    )
    assert done.output.split() == [b"0", b"1"]


def test_more_than_can_be_covered_is_said_and_one_folder_is_enough(
    tree: TestRepository, strong_sandbox: Sandbox
) -> None:
    folder = tree.path / "secrets"
    deep = folder / "a-long-name-".ljust(250, "x")
    deep.mkdir(parents=True)
    many = [deep / f"{at}.env".rjust(250, "x") for at in range(2500)]
    for path in many:
        path.touch()
    with pytest.raises(Refused, match="2,501 files and folders of this tree are not to be read"):
        strong_sandbox.prefix(confine_to(tree.path, os.environ, veiled=many))
    view = confine_to(tree.path, os.environ, veiled=[folder, *many])
    prefix = strong_sandbox.prefix(view)
    done = run_command("ls secrets; cat a", cwd=tree.path, env=os.environ, prefix=prefix)
    assert done.output == b"1\n"


def test_what_a_rule_names_is_found_tracked_or_not_and_a_folder_is_enough(
    tree: TestRepository,
) -> None:
    named = {b"a", b"deploy", b"web/.npmrc"}
    found = find_withheld(tree.path, named.__contains__)
    assert {str(path.relative_to(tree.path)) for path in found} == {"a", "deploy", "web/.npmrc"}
