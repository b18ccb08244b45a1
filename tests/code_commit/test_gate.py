"""Nothing starts where keys and logs could be committed."""

import pytest

from tests.code_commit.project import respond
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
    assert ("agent-config" in done.err) is (not accepted or "agent-config" in done.err)
    assert (project.path / "src/a.txt").read_text() == ("two\n" if accepted else "one\n")


def test_a_tracked_key_file_is_refused(project: TestRepository) -> None:
    project.write({"agent-config/anthropic-key.txt": "x" * 40})
    project.git("add", "-f", "agent-config/anthropic-key.txt")
    project.git("commit", "-qm", "oops")
    done = respond(project, RIGHT)
    assert done.status == 128
    assert "'agent-config/anthropic-key.txt' is tracked by git" in done.err
