"""The names that a feature protects, in every spelling that some file system takes for the same."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.files.protected import is_judge, is_obeyed, protected_reason

PROTECTED = (
    ".gitignore", "sub/.gitignore", ".GITIGNORE", ".gitignore.", ".gitignore ", "gitign~1",
    "GI250A~1", "GI250~10", "GI7D29~1", "gi7eba~2", ".gitattributes", "GITATT~1",
    ".gitmodules", "gitmod~2",
    "Cargo.lock", "crates/x/Cargo.lock", "CARGO.LOCK", "package-lock.json", "web/yarn.lock",
    "go.sum", "uv.lock", "pylock.toml", "pylock.dev.toml", "Gemfile.lock",
    "build.sh", "BUILD.sh", "build.sh.", "build.sh::$DATA", "codeRollup.sh", "coderollup.SH",
    "LLMInstructions.md", "UserSpecification.md", "docs/deep/userspecification.MD",
    ".git/config", ".git/hooks/pre-commit", ".GIT/config", "sub/.git/config", "git~1/config",
    ".git./config", ".git /config", ".git::$INDEX_ALLOCATION/config",
    ".g\u200cit/config", "\uff0egit/config",
    "agent-config/query.txt", "Agent-Config/x", "agent-config./x", "agent\uff0dconfig/x",
    "target/debug/x", "TARGET/x", ".git",
)  # fmt: skip


@pytest.mark.parametrize("name", PROTECTED)
def test_what_the_specification_protects_is_protected_in_every_spelling(name: str) -> None:
    assert protected_reason(name.encode()) is not None


@pytest.mark.parametrize(
    "name",
    [
        "src/main.rs", "lib/build.sh.py", "tools/build.sh", "src/target/x.py", "targets/x",
        "gitignore", ".github/workflows/ci.yml", ".gitkeep", "src/agent-config/x", "lock", "a.lock",
        "Cargo.toml", "package.json", "docs/Specification.md", "git/x", ".gitlab-ci.yml",
    ],
)  # fmt: skip
def test_what_only_looks_alike_is_not(name: str) -> None:
    assert protected_reason(name.encode()) is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("x/.git/y", "it is in git's own folder"),
        ("Target/x", "everything in 'target/' is protected"),
        ("build.sh", "this file is protected"),
        (".gitignore", "files of this name are protected"),
        ("go.sum", "lock files are protected"),
    ],
)
def test_the_reason_says_which_rule_it_is(name: str, reason: str) -> None:
    assert protected_reason(name.encode()) == reason


@given(st.sampled_from(PROTECTED), st.data())
def test_case_and_composition_never_take_protection_away(name: str, data: st.DataObject) -> None:
    flips = data.draw(st.lists(st.booleans(), min_size=len(name), max_size=len(name)))
    cased = "".join(c.swapcase() if flip else c for c, flip in zip(name, flips, strict=True))
    forms = [
        unicodedata.normalize("NFC", cased),
        unicodedata.normalize("NFD", cased),
        unicodedata.normalize("NFKC", cased),
        unicodedata.normalize("NFKD", cased),
    ]
    assert all(protected_reason(form.encode()) is not None for form in forms)


@pytest.mark.parametrize(
    "name",
    [
        ".gitattributes", "sub/.GitAttributes", ".gitmodules", ".gitignore", "GITIGN~1", "GI250A~1",
        "gitatt~3", ".github/workflows/ci.yml", "GITHUB~1/workflows/ci.yml", ".gitlab-ci.yml",
        "GITLAB~1.YML", ".gitea/x", ".forgejo/workflows/x.yml", ".circleci/config.yml",
        ".travis.yml", "Jenkinsfile", "azure-pipelines.yml", ".gitattributes. ", ".travis.yml:x",
    ],
)  # fmt: skip
def test_what_git_or_a_forge_obeys_is_known_in_every_spelling(name: str) -> None:
    assert is_obeyed(name.encode())


@pytest.mark.parametrize("name", ["src/a.py", "git/x", "a.gitignore", "travis.yml", "gitlab", ".x"])
def test_what_nobody_obeys_is_not(name: str) -> None:
    assert not is_obeyed(name.encode())


@pytest.mark.parametrize(
    "name",
    [
        "Makefile", "sub/makefile", "rules.mk", "conftest.py", "a/conftest.py", "sitecustomize.py",
        "package.json", "tox.ini", "setup.cfg", "pyproject.toml", "Jenkinsfile", ".envrc",
        ".husky/pre-commit", ".vscode/tasks.json", ".circleci/config.yml", ".github/workflows/x",
        ".gitlab-ci.yml", "jest.config.ts", ".eslintrc.json", "CMakeLists.txt", "build.rs",
        "Cargo.toml", "go.mod", "lib/x.pth", "requirements.txt", "MAKEFILE", "Makefile.",
        ".ignore", ".mypy.ini", ".eslintignore", "pylintrc", "typos.toml", "checkstyle.xml",
    ],
)  # fmt: skip
def test_what_proves_a_change_is_known_by_name(name: str) -> None:
    assert is_judge(name.encode())


@pytest.mark.parametrize(
    "name",
    ["src/make.py", "contest.py", "package.py", "husky/x", "notes.txt", "jest.py", "src/main.rs"],
)
def test_other_files_prove_nothing(name: str) -> None:
    assert not is_judge(name.encode())


@pytest.mark.parametrize(
    "name",
    [
        ".appveyor.yml", ".buildkite/x", ".build.yml", ".builds/x", ".circleci/x", ".cirrus.yml",
        ".drone.yml", ".forgejo/x", ".semaphore/x", ".travis.yml", ".woodpecker/x",
        ".woodpecker.yaml", ".woodpecker.yml", "appveyor.yml", "azure-pipelines.yml",
        "bitbucket-pipelines.yml", "Jenkinsfile", ".gitlab-ci.yml", ".github/workflows/ci.yml",
    ],
)  # fmt: skip
def test_what_runs_commands_once_it_is_pushed_is_obeyed(name: str) -> None:
    assert is_obeyed(name.encode())
    assert not is_obeyed(b"x" + name.encode())
