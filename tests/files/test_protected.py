"""Names that are never written, in every spelling that some file system takes for the same."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.files.protected import ForbiddenPath, clean_path, is_lock_file, protected_reason


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (b"src/a.py", b"src/a.py"),
        (b"./src//a.py", b"src/a.py"),
        (b"src/./a.py", b"src/a.py"),
        (b"...", b"..."),
        (b"a b/c d", b"a b/c d"),
        ("größe/ä".encode(), "größe/ä".encode()),
    ],
)
def test_a_path_is_cleaned(name: bytes, path: bytes) -> None:
    assert clean_path(name) == path


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (b"/etc/passwd", "absolute paths are not allowed"),
        (b"//server/share", "absolute paths are not allowed"),
        (b"C:/x", "absolute paths are not allowed"),
        (b"c:x", "absolute paths are not allowed"),
        (b"../x", "path traversal"),
        (b"a/../b", "path traversal"),
        (b"a/..", "path traversal"),
        (b"./..", "path traversal"),
        (b"a\\..\\b", "backslashes"),
        (b"a/", "a folder"),
        (b"a/.", "a folder"),
        (b".", "no file"),
        (b"", "no file"),
        (b"a\0b", "invisible"),
        (b"a\x1b[2Jb", "invisible"),
        ("a\u202eb".encode(), "invisible"),
        ("a\u200db".encode(), "invisible"),
        (b"\xff\xfe", "not UTF-8"),
        (b"\xed\xa0\x80", "not UTF-8"),
        (b"x" * 256, "too long"),
        (b"/".join([b"x" * 200] * 30), "too long"),
    ],
)
def test_a_path_that_could_lead_elsewhere_is_refused(name: bytes, why: str) -> None:
    with pytest.raises(ForbiddenPath, match=why):
        clean_path(name)


PROTECTED = (
    ".gitignore", "sub/.gitignore", ".GITIGNORE", ".gitignore.", ".gitignore ", "gitign~1",
    "GI250A~1", ".gitattributes", ".gitmodules", "gitmod~2",
    "Cargo.lock", "crates/x/Cargo.lock", "CARGO.LOCK", "package-lock.json", "web/yarn.lock",
    "go.sum", "uv.lock", "pylock.toml", "pylock.dev.toml", "Gemfile.lock",
    "build.sh", "BUILD.sh", "build.sh.", "build.sh::$DATA", "codeRollup.sh", "coderollup.SH",
    "LLMInstructions.md", "UserSpecification.md", "docs/deep/userspecification.MD",
    ".git/config", ".git/hooks/pre-commit", ".GIT/config", "sub/.git/config", "git~1/config",
    ".git./config", ".git /config", ".git::$INDEX_ALLOCATION/config",
    ".g\u200cit/config", "\uff0egit/config", ".g\u0131t".replace("\u0131", "i") + "/config",
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


def test_lock_files_are_known_by_name() -> None:
    assert is_lock_file("Cargo.lock")
    assert not is_lock_file("lock.rs")


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


@given(st.binary(max_size=40) | st.text(max_size=40).map(lambda t: t.encode("utf-8", "replace")))
def test_a_cleaned_path_is_relative_and_clean_again(name: bytes) -> None:
    try:
        path = clean_path(name)
    except ForbiddenPath:
        return
    assert clean_path(path) == path
    assert not path.startswith(b"/")
    assert not {b"", b".", b".."} & set(path.split(b"/"))
