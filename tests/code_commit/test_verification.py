"""What an answer may write, asked of real repositories with everything awkward in them."""

import os
from pathlib import Path

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.code_commit.answer_files import apply_changes, restore_files
from git_retcon.code_commit.answer_grammar import Faulty, parse_answer
from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.verification import (
    Change,
    Guard,
    find_protected,
    protect_link_targets,
    verify_answer,
)
from git_retcon.files.beneath import File
from git_retcon.model.known_secrets import secrets_in
from git_retcon.model.redaction import Redactor
from tests.code_commit.hostile import hostile_project, snapshot_of_git
from tests.code_commit.project import answer_of, checkout_of, new_project, snapshot
from tests.repository import TestRepository

KEY = "sk-ant-" + "api03-" + "0123456789abcdefghijXY"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> TestRepository:
    return hostile_project(tmp_path_factory.mktemp("hostile"))


def verified(repo: TestRepository, text: bytes, guard: Guard | None = None) -> tuple[Change, ...]:
    return verify_answer(parse_answer(text), checkout_of(repo), guard or Guard())


def faults(repo: TestRepository, text: bytes, guard: Guard | None = None) -> list[str]:
    with pytest.raises(Faulty) as caught:
        verified(repo, text, guard)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("build.sh", "this file is protected"),
        ("./BUILD.sh", "this file is protected"),
        (".git/config", "git's own folder"),
        ("nested/.git/config", "git's own folder"),
        ("gitlink/config", "'gitlink' is a symbolic link"),
        ("nested/file", "'nested' is another repository"),
        ("nested/deep/file", "'nested' is another repository"),
        ("worktree/file", "'worktree' is another repository"),
        ("out/theirs", "'out' is a symbolic link"),
        ("link", "it is a symbolic link"),
        ("docs", "it is a folder"),
        ("README/x", "'README' is no folder"),
        ("ignored/x", "git ignores it"),
        ("IGNORED/x", "git ignores it"),
        ("docs/x.log", "git ignores it"),
        ("local/x", "git ignores it"),
        ("tracked.secret", "git ignores it"),
        ("target/x", "everything in 'target/' is protected"),
        ("agent-config/query.txt", "everything in 'agent-config/' is protected"),
        ("docs/.gitignore", "files of this name are protected"),
        ("docs/UserSpecification.md", "files of this name are protected"),
        ("Cargo.lock", "lock files are protected"),
    ],
)
def test_one_forbidden_path_spoils_the_whole_answer(
    hostile: TestRepository, path: str, why: str
) -> None:
    for content in ("x\n", None):
        found = faults(hostile, answer_of({"README": "fine\n", path: content}))
        assert len(found) == 1
        assert why in found[0]
        assert found[0].startswith("line 5: ")


def test_what_a_nested_rule_takes_back_may_be_written(hostile: TestRepository) -> None:
    (change,) = verified(hostile, answer_of({"docs/keep.log": "x\n"}))
    assert change.new == File(b"x\n")


def test_the_users_own_excludes_count(hostile: TestRepository, sealed: Path) -> None:
    (sealed / ".config/git").mkdir(parents=True)
    (sealed / ".config/git/ignore").write_text("*.scratch\n")
    assert "git ignores it" in faults(hostile, answer_of({"a.scratch": "x"}))[0]


def test_further_patterns_protect_what_gitignore_takes_back(hostile: TestRepository) -> None:
    guard = Guard(patterns=("keep.log", "/keep/", "!README"))
    assert "codecommit.protect" in faults(hostile, answer_of({"docs/keep.log": "x"}), guard)[0]
    assert "codecommit.protect" in faults(hostile, answer_of({"keep/1": "x"}), guard)[0]
    assert verified(hostile, answer_of({"README": "x\n"}), guard)


def test_files_of_the_build_command_are_protected(hostile: TestRepository) -> None:
    guard = Guard(build_files=frozenset({b"tools/check.py"}))
    for name in ("tools/check.py", "Tools/CHECK.py"):
        assert "the build consists of it" in faults(hostile, answer_of({name: "x"}), guard)[0]


def test_what_a_protected_name_leads_to_is_protected(tmp_path: Path) -> None:
    repo = new_project(tmp_path / "project", {"ci/real.sh": "true\n", "suite/test.py": "1\n"})
    (repo.path / "build.sh").unlink()
    (repo.path / "build.sh").symlink_to(repo.path / "ci/real.sh")
    (repo.path / "tests").symlink_to("suite")
    repo.git("add", "build.sh", "tests")
    guard = protect_link_targets(checkout_of(repo), Guard(("/tests",)))
    for path in ("ci/real.sh", "CI/real.sh", "suite/test.py", "suite/deep/new.py"):
        assert "a protected name is a link to it" in faults(repo, answer_of({path: "x"}), guard)[0]
    assert verified(repo, answer_of({"ci/other.sh": "x"}), guard)


def test_files_whose_changes_git_hides_are_refused(tmp_path: Path) -> None:
    repo = new_project(tmp_path / "p")
    repo.git("update-index", "--assume-unchanged", "README")
    repo.git("update-index", "--skip-worktree", "old.txt")
    for name in ("README", "old.txt", "ReadMe", "OLD.TXT"):
        assert "git is set not to show its changes" in faults(repo, answer_of({name: "x\n"}))[0]


def test_gits_own_folder_is_protected_under_any_name(tmp_path: Path) -> None:
    repo = new_project(tmp_path / "p")
    repo.git("init", "-q", f"--separate-git-dir={repo.path / 'elsewhere'}")
    for name in ("elsewhere/config", "elsewhere/hooks/pre-commit", "Elsewhere/config"):
        assert "it is in git's own folder" in faults(repo, answer_of({name: "x\n"}))[0]


def test_a_submodule_that_is_not_checked_out_is_refused(tmp_path: Path) -> None:
    repo = new_project(tmp_path / "p")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.rev('HEAD')},sub")
    (repo.path / "sub").mkdir()
    for name in ("sub/x", "SUB/x"):
        assert "it is in a submodule" in faults(repo, answer_of({name: "x\n"}))[0]


def test_one_answer_cannot_make_a_file_and_a_folder_of_one_name(hostile: TestRepository) -> None:
    found = faults(hostile, answer_of({"one": "x\n", "one/two": "y\n"}))
    assert found == ["line 5: 'one/two': 'one' is a file in this answer"]


def test_where_case_does_not_count_two_cases_are_one_file(tmp_path: Path) -> None:
    repo = new_project(tmp_path / "p")
    text = answer_of({"Readme2": "x\n", "README2": "y\n"})
    assert len(verified(repo, text)) == 2
    repo.git("config", "core.ignorecase", "true")
    assert "takes it for 'Readme2'" in faults(repo, text)[0]


def test_line_ends_and_the_final_newline_are_the_files_own(hostile: TestRepository) -> None:
    def becomes(name: str, text: bytes) -> bytes:
        (change,) = verified(hostile, b"^^^%s\n%s^^^end\n" % (name.encode(), text))
        assert change.new is not None
        return change.new.content

    assert becomes("crlf.txt", b"c\nd\n") == b"c\r\nd\r\n"
    assert becomes("crlf.txt", b"c\r\nd\n") == b"c\r\nd\n"
    assert becomes("no-newline", b"y\n") == b"y"
    assert becomes("no-newline", b"y\n\n") == b"y\n"
    assert becomes("new", b"c\r\nd\r\n") == b"c\r\nd\r\n"
    assert becomes("README", b"c\r\nd\r\n") == b"c\r\nd\r\n"
    (change,) = verified(hostile, b"^^^README\r\nc\r\n^^^end\r\n")
    assert change.new is not None
    assert change.new.content == b"c\n"


def test_a_block_that_changes_nothing_is_no_change(hostile: TestRepository) -> None:
    assert verified(hostile, answer_of({"README": "hello\n", "absent": None})) == ()


def test_masks_and_secrets_are_not_written(tmp_path: Path) -> None:
    repo = new_project(tmp_path / "p", {"settings.py": f'KEY = "{KEY}"\n'})
    guard = Guard(redactor=Redactor(secrets_in({"ANTHROPIC_API_KEY": KEY + "zz"})))
    masked = guard.redactor.redact_bytes(f'KEY = "{KEY}"\n'.encode())
    assert "a masked secret" in faults(repo, answer_of({"settings.py": masked}), guard)[0]
    assert "drops a secret" in faults(repo, answer_of({"settings.py": "x = 1\n"}), guard)[0]
    assert "drops a secret" in faults(repo, answer_of({"settings.py": None}), guard)[0]
    assert "a masked secret" in faults(repo, answer_of({"new.py": masked}), guard)[0]
    theirs = answer_of({"new.py": f"x = '{KEY}zz'\n"})
    assert "a secret of this machine" in faults(repo, theirs, guard)[0]
    assert verified(repo, answer_of({"settings.py": f'KEY = "{KEY}"\nx = 1\n'}), guard)


@pytest.mark.parametrize(
    "written", [f"{KEY[:9]}\x1b[1m{KEY[9:]}", f'{KEY[:9]}" "{KEY[9:]}', KEY.encode().hex()]
)
def test_a_disguised_secret_is_kept_too(tmp_path: Path, written: str) -> None:
    repo = new_project(tmp_path / "p", {"settings.py": f'KEY = "{written}"\n'})
    masked = Redactor().redact_bytes(f'KEY = "{written}"\n'.encode())
    assert "a masked secret" in faults(repo, answer_of({"settings.py": masked}))[0]
    assert "drops a secret" in faults(repo, answer_of({"settings.py": "x = 1\n"}))[0]


def test_patterns_are_read_as_in_gitignore_without_regard_to_case(tmp_path: Path) -> None:
    repo = new_project(tmp_path / "p")
    paths = (b"a.sql", b"db/x/A.SQL", b"src/gen/x", b"Gen/x", b"keep.sql", b"a1.key", b"b.key")
    guard = Guard(patterns=("*.sql ", "/gen/", "!keep.sql", "[[:alpha:]]1.Key", "[z-b]*"))
    assert find_protected(paths, guard) == {b"a.sql", b"db/x/A.SQL", b"Gen/x", b"a1.key"}
    assert faults(repo, answer_of({"Gen/x": "1\n"}), guard) == [
        "line 1: 'Gen/x': 'codecommit.protect' protects it"
    ]


names = st.sampled_from(
    ["README", "src/a.txt", "old.txt", "new", "new/x", "a/b/c", "keep/0", "crlf.txt", "docs/x.log",
     "../outside/theirs", "out/theirs", "out/new", "link", "gitlink/config", ".git/hooks/x",
     "nested/file", ".GIT/config", "build.sh", "Build.sh", ".gitignore", "Cargo.lock", "target/x",
     "agent-config/query.txt", "ignored", "/etc/x", "docs/UserSpecification.md", "worktree/x",
     "end", "delete", "src", "README/x", "ä", "a\u0308", "no-newline"]
)  # fmt: skip
blocks = st.tuples(names, st.none() | st.binary(max_size=20))


@pytest.mark.slow
@hypothesis.settings(max_examples=60)
@given(st.lists(blocks, min_size=1, max_size=4), st.binary(max_size=10), st.booleans())
def test_no_answer_writes_elsewhere_or_by_halves(
    hostile: TestRepository,
    parts: list[tuple[str, bytes | None]],
    noise: bytes,
    at_the_end: bool,
) -> None:
    text = b"".join(answer_of({name: content}) for name, content in parts)
    text = text + noise if at_the_end else noise + b"\n" + text
    checkout, outside = checkout_of(hostile), hostile.path.parent
    git_before = snapshot_of_git(hostile.path)
    before, beside = snapshot(hostile.path), snapshot(outside / "outside")
    try:
        changes = verify_answer(parse_answer(text), checkout, Guard())
    except Faulty as faulty:
        assert str(faulty)
        assert snapshot(hostile.path) == before
        return
    store = Store(outside / "state")
    session = Session(
        store.blobs.keep(b"q"), store.blobs.keep(b"c"), "true", 3, "logs", phase=Phase.ANSWERED
    )
    session = apply_changes(changes, session, checkout, store)
    after = snapshot(hostile.path)
    wanted = {os.fsdecode(change.path): change.new for change in changes}
    for name in before.keys() | after.keys():
        if name in wanted:
            new = wanted[name]
            assert (after[name][1] if name in after else None) == (new.content if new else None)
        elif name in after and name not in before:
            assert any(path.startswith(name + "/") for path in wanted)
        else:
            assert after[name] == before[name]
    restore_files(session, checkout, store, force=False)
    assert snapshot(hostile.path) == before
    assert snapshot(outside / "outside") == beside
    assert snapshot_of_git(hostile.path) == git_before
