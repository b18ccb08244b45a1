"""Nothing starts where keys and logs could be committed."""

from pathlib import Path

import pytest

from tests.code_commit.project import respond
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

RIGHT = {"src/a.txt": "two\n"}


@pytest.mark.parametrize(
    ("content", "accepted"),
    [
        ("/agent-config\n", True),
        ("x\r\n/agent-config/\r\n", True),
        ("agent-config", True),
        ("", False),
        ("# /agent-config\n", False),
        ("/agent-config2\n", False),
        ("/agent-config\n!/agent-config\n", False),
        (None, False),
    ],
)
def test_nothing_starts_where_keys_could_be_committed(
    project: TestRepository, content: str | None, accepted: bool
) -> None:
    project.write({".gitignore": content})
    project.git("add", ".gitignore")
    project.git("commit", "-qm", "ignore")
    done = respond(project, RIGHT)
    assert done.status == (0 if accepted else 128)
    if not accepted:
        assert done.err.startswith(("fatal: '.gitignore' has no", "fatal: git does not ignore"))
    assert (project.path / "src/a.txt").read_text() == ("two\n" if accepted else "one\n")


def test_a_tracked_key_file_is_refused(project: TestRepository) -> None:
    project.write({"agent-config/anthropic-key.txt": "x" * 40})
    project.git("add", "-f", "agent-config/anthropic-key.txt")
    project.git("commit", "-qm", "oops")
    done = respond(project, RIGHT)
    assert done.status == 128
    assert "'agent-config/anthropic-key.txt' is tracked by git" in done.err


@pytest.mark.parametrize("line", [b"agent-*", b"/agent-config/*", b"*"])
def test_the_line_itself_is_asked_for_though_another_rule_ignores_it(
    project: TestRepository, line: bytes
) -> None:
    """A wider rule goes when somebody tidies up; this line says what it is for."""
    (project.path / ".gitignore").write_bytes(line + b"\n")
    project.git("add", "-f", ".gitignore")
    project.git("commit", "-qm", "ignore")
    done = respond(project, RIGHT)
    assert done.status == 128
    assert done.err.startswith("fatal: '.gitignore' has no line '/agent-config', so keys and logs")


def test_what_takes_the_line_back_is_named(project: TestRepository) -> None:
    project.write({".gitignore": "agent-config/\n!/agent-config\n"})
    project.git("commit", "-qam", "ignore")
    done = respond(project, RIGHT)
    assert done.err.startswith("fatal: git does not ignore 'agent-config', though '.gitignore' na")


def test_other_files_of_the_folder_may_be_tracked(project: TestRepository) -> None:
    project.write({"agent-config/notes.txt": "x", "agent-config/Keys/\xff": "x"})
    project.git("add", "-f", "agent-config/notes.txt")
    project.git("commit", "-qm", "notes")
    assert respond(project, RIGHT).status == 0
    project.git("add", "-f", "agent-config/Keys")
    project.git("commit", "-qm", "keys")
    done = respond(project, RIGHT)
    assert done.status == 128
    assert "' is tracked by git\nhint: 'git rm --cached " in done.err


@pytest.mark.parametrize("name", ["codeRollup.txt", "logs", "query.txt", ""])
def test_a_clone_chooses_no_file_that_is_overwritten_or_sent(
    project: TestRepository, tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").write_text("mine\n")
    link = project.path / "agent-config" / name if name else project.path / "agent-config"
    if link.is_dir():
        link.rename(tmp_path / "before")
    link.unlink(missing_ok=True)
    link.symlink_to(outside / "mine" if name.endswith(".txt") else outside)
    project.git("add", "-f", f"agent-config/{name}".rstrip("/"))
    project.git("commit", "-qm", "a link")
    for command in (["rollup"], ["--offline"]):
        done = code_commit(project.path, *command)
        assert done.status == 128
        assert "is a symbolic link that git tracks" in done.err
    assert [(each.name, each.read_text()) for each in outside.iterdir()] == [("mine", "mine\n")]
