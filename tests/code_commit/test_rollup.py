"""The rollup: the same files always make the same text, and no secret is in it."""

import json

import pytest

from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

KEY = "sk-ant-" + "api03-" + "0123456789abcdefghijXY"


def rolled(project: TestRepository) -> str:
    return (project.path / "agent-config/codeRollup.txt").read_text()


def test_tracked_text_files_stand_in_the_order_of_their_paths(project: TestRepository) -> None:
    project.commit(
        "more",
        {"b/x": "x", "b.txt": "no newline", "a/é": "é\n", "empty": "", "Cargo.lock": "l\n",
         "pic": b"\x89\0", "Z": "z\n", "build.sh": "true\n"},
    )  # fmt: skip
    project.write({"untracked": "u\n", "README": "edited\n"})
    (project.path / "link").symlink_to("README")
    project.git("add", "link")
    code_commit(project.path, "rollup").ok()
    assert rolled(project) == (
        "--- .gitignore ---\n/agent-config\n/ignored\n*.secret\n\n--- README ---\nedited\n\n"
        "--- Z ---\nz\n\n--- a/é ---\né\n\n--- b.txt ---\nno newline\n\n--- b/x ---\nx\n\n"
        "--- build.sh ---\ntrue\n\n--- empty ---\n\n--- old.txt ---\nold\n\n"
        "--- src/a.txt ---\none\n\n"
    )
    first = rolled(project)
    code_commit(project.path / "src", "rollup").ok()
    assert rolled(project) == first


def test_what_is_left_out_is_said(project: TestRepository) -> None:
    project.commit("more", {"pic": b"\0", "yarn.lock": "x", "gone": "x", "private/x": "secret"})
    (project.path / "gone").unlink()
    project.git("config", "retcon.neverSend", "/private/")
    found = json.loads(code_commit(project.path, "rollup", "--json").ok().out)
    assert found["left_out"] == [
        {"path": "gone", "why": "missing in the working tree"},
        {"path": "pic", "why": "binary"},
        {"path": "private/x", "why": "named by retcon.neverSend"},
        {"path": "yarn.lock", "why": "a lock file"},
    ]
    text = rolled(project)
    assert found["files"] == text.count("--- ") == 5
    assert (found["bytes"], found["tokens"]) == (len(text), -(-len(text) // 4))
    assert "(-v says which, and why)" in code_commit(project.path, "rollup").err
    assert "left out: pic (binary)" in code_commit(project.path, "rollup", "-v").err


def test_secrets_are_masked(project: TestRepository) -> None:
    project.commit("leak", {"settings.py": f"KEY = '{KEY}'\n"})
    code_commit(project.path, "rollup").ok()
    assert KEY not in rolled(project)
    assert "KEY = '[masked secret ..XY]'\n" in rolled(project)


@pytest.mark.parametrize(
    ("where", "paths", "names"),
    [
        (".", ["src"], ["src/a.txt"]),
        ("src", ["."], ["src/a.txt"]),
        ("src", ["../README"], ["README"]),
        ("src", ["../*.txt"], ["old.txt", "src/a.txt"]),
        (".", [".", ":!src", ":!.*"], ["README", "build.sh", "old.txt"]),
        ("src", ["..", ":!../src"], [".gitignore", "README", "build.sh", "old.txt"]),
    ],
)
def test_paths_are_meant_from_where_they_are_typed(
    project: TestRepository, where: str, paths: list[str], names: list[str]
) -> None:
    code_commit(project.path / where, "rollup", *paths).ok()
    lines = rolled(project).splitlines()
    assert [line[4:-4] for line in lines if line.startswith("--- ")] == names


def test_one_that_is_too_large_is_refused_and_the_largest_files_are_named(
    project: TestRepository,
) -> None:
    project.commit("large", {"large": "x" * 4000, "small": "x"})
    before = rolled(project)
    done = code_commit(project.path, "rollup", "--max-tokens=500")
    assert done.status == 1
    assert "tokens, and the limit is 500\n" in done.err
    assert "1,004  large\n" in done.err
    assert rolled(project) == before
    assert code_commit(project.path, "rollup", "no-such-path").status == 1


def test_a_rollup_that_was_made_is_what_a_run_sends(project: TestRepository) -> None:
    code_commit(project.path, "rollup").ok()
    code_commit(project.path, "--offline")
    (folder,) = (project.path / "agent-config/logs").iterdir()
    prompt = (folder / "1-initial-query-query.txt").read_text()
    assert f"[codebase]\n{rolled(project)}" in prompt


def test_nothing_is_written_where_it_could_be_committed(project: TestRepository) -> None:
    project.commit("open", {".gitignore": "\n"})
    done = code_commit(project.path, "rollup")
    assert done.status == 128
    assert "no line '/agent-config'" in done.err
