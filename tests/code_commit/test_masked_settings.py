"""No build reads a token in git's settings, and git still works in it."""

from pathlib import Path

import pytest

from git_retcon.code_commit.builder import Builder
from git_retcon.code_commit.masked_settings import find_credentials, mask_settings
from git_retcon.run.sandbox.level import Sandbox
from tests.code_commit.project import checkout_of
from tests.repository import TestRepository

TOKEN = "Zq8sK2mLx01p" + "Tt77vB3n"
ADDRESS = f"https://ada:{TOKEN}@git.example.com/a"


def test_a_build_sees_a_mask_in_its_place(
    project: TestRepository, strong_sandbox: Sandbox, sealed: Path
) -> None:
    project.git("remote", "add", "origin", ADDRESS)
    build = "git remote -v; git log --format=%s; cat .git/config | rev; echo x >.git/config"
    verdict = Builder(checkout_of(project), build, strong_sandbox).run(lambda chunk: None)
    said = verdict.outcome.output.decode()
    assert "origin\thttps://ada:[masked secret ..3n]@git.example.com/a (fetch)" in said
    assert "\nbegin\n" in said
    assert TOKEN[::-1] not in said
    assert project.git("remote", "get-url", "origin") == ADDRESS


def test_settings_of_a_submodule_and_a_worktree_are_masked_too(
    project: TestRepository, sealed: Path
) -> None:
    git = project.path / ".git"
    (git / "modules/deep/sub").mkdir(parents=True)
    header = f'[http "https://x/"]\n\textraheader = AUTHORIZATION: basic {TOKEN}\n'
    (git / "modules/deep/sub/config").write_text(header)
    (git / "config.worktree").write_text(header)
    (git / "modules/config").write_text("[core]\n\tbare = false\n")
    masked = mask_settings(project.open())
    assert set(masked) == {git / "modules/deep/sub/config", git / "config.worktree"}
    assert all(TOKEN not in copy.read_text() for copy in masked.values())
    assert all(copy.stat().st_mode & 0o777 == 0o600 for copy in masked.values())


@pytest.mark.parametrize("quoted", ['"%s"', "%s"])
def test_what_is_shown_can_be_read_by_git(
    project: TestRepository, sealed: Path, quoted: str
) -> None:
    config = project.path / ".git/config"
    config.write_text(f"{config.read_text()}[x]\n\tpassword = {quoted % (TOKEN + '%s')}\n" % '\\"q')
    (copy,) = mask_settings(project.open()).values()
    assert project.git("config", "--file", str(copy), "core.bare") in ("false", "")


_PASSWORDS = """
[sendemail]
	smtpPass = geheim
	smtpServer = mail.example.com
[imap]
	pass = "geheim"
[credential]
	helper = cache
	helper = "!f() { echo password=geheim; }; f"
[credential "https://example.com"]
	helper = "!echo password=geheim"
	username = ada
[http]
	proxy = ada:geheim@proxy.example.com
	sslCertPasswordProtected = true
[http "https://example.com"]
	proxy = http://ada:geheim@proxy.example.com
	extraHeader = "X-Key: geheim"
[filter "vault"]
	clean = vault --password geheim
	smudge = VAULT_TOKEN=geheim vault
[core]
	sshCommand = sshpass -p geheim ssh
[diff "keys"]
	textconv = show --password-file x --token "$TOKEN"
[url "https://ada:geheim@example.com/"]
	insteadOf = ours:
[lfs]
	url = https://ada:geheim@example.com/
[gitlab]
	Token = geheim
	password = geheim
"""


def test_what_git_itself_takes_for_a_password_is_left_out(
    project: TestRepository, sealed: Path
) -> None:
    git = project.path / ".git"
    settings = f'[include]\n\tpath = more/own\n[includeIf "onbranch:x"]\n\tpath = {git}/x\n'
    with (git / "config").open("a") as config:
        config.write(settings)
    (git / "more").mkdir()
    (git / "more/own").write_text(_PASSWORDS + "[include]\n\tpath = ../none\n")
    (git / "x").write_text("[my]\n\tpassword = geheim\n")
    masked = mask_settings(project.open())
    assert set(masked) == {git / "more/own", git / "x"}
    assert all("geheim" not in copy.read_text() for copy in masked.values())
    listed = project.git("config", "--file", str(masked[git / "more/own"]), "--list")
    assert listed.splitlines() == [
        "sendemail.smtpserver=mail.example.com",
        "credential.https://example.com.username=ada",
        "http.sslcertpasswordprotected=true",
        "http.https://example.com.proxy=http://ada:[masked secret ..im]@proxy.example.com",
        "diff.keys.textconv=show --password-file x --token $TOKEN",
        "url.https://ada:[masked secret ..im]@example.com/.insteadof=ours:",
        "lfs.url=https://ada:[masked secret ..im]@example.com/",
        "include.path=../none",
    ]


def test_settings_of_repositories_in_the_tree_and_what_is_included_from_it_are_masked(
    project: TestRepository, sealed: Path
) -> None:
    inner, included = project.path / "vendor/lib/.git/config", project.path / "local.gitconfig"
    project.git("init", "-q", "vendor/lib")
    project.git("config", "--file", str(inner), "remote.origin.url", ADDRESS)
    included.write_text(f"[http]\n\textraHeader = X-Key: {TOKEN}\n")
    project.git("config", "include.path", "../local.gitconfig")
    masked = mask_settings(project.open())
    assert set(masked) == {inner, included}
    assert all(TOKEN not in copy.read_text() for copy in masked.values())


@pytest.mark.slow
def test_passwords_that_git_stores_look_empty_to_a_build(
    project: TestRepository, strong_sandbox: Sandbox, sealed: Path
) -> None:
    git = project.path / ".git"
    for name in ("credentials", "mine"):
        (git / name).write_text("https://ada:geheim@example.com\n")
    project.git("config", "credential.helper", "store --file .git/mine")
    assert set(find_credentials(project.open())) == {git / "credentials", git / "mine"}
    build = "cat .git/credentials .git/mine | rev; git log --format=%s"
    verdict = Builder(checkout_of(project), build, strong_sandbox).run(lambda chunk: None)
    assert verdict.outcome.output == b"begin\n"
