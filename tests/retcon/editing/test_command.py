"""A plan in the user's editor: what is moved, reordered, added and dropped is in the spec."""

import json
from pathlib import Path

import pytest

from tests.program import Ran, on_terminal, rest, retcon_here
from tests.repository import TestRepository
from tests.retcon.editing.sheets import edit, editor, move, shown
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def planned(scene: Scene) -> list[tuple[str, set[str]]]:
    listed = json.loads(retcon_here(scene.repo.path, "hunks", "--json").ok().out)["hunks"]
    paths = {hunk["id"]: hunk["path"] for hunk in listed}
    plan = json.loads(retcon_here(scene.repo.path, "-n", "--json").ok().out)
    return [(each["subject"], {paths[h] for h in each["hunks"]}) for each in plan["commits"]]


def test_a_hunk_that_is_moved_is_pinned_and_planned_there(scene: Scene) -> None:
    done = edit(scene, move("README.md", 1)).ok()
    assert "history.toml has 3 commits now, and 1 pin\n" in done.out + done.err
    assert "README.md:1" in scene.spec.read_text()
    assert [paths for _, paths in planned(scene)] == [
        {"money.py", "README.md"}, {"price.py", "shop.py"}, set(),
    ]  # fmt: skip


def test_a_part_that_is_typed_leaves_its_hunk(scene: Scene) -> None:
    repo = scene.repo
    repo.git("checkout", "-q", "feature")
    (repo.path / "notes.txt").write_text("one\ntwo\nthree\nfour\n")
    repo.commit("notes")
    repo.git("checkout", "-q", "main")
    scene.write_spec(scene.spec.read_text().replace('["README.md"]', '["README.md", "*.txt"]'))
    whole = next(
        hunk["id"]
        for hunk in json.loads(retcon_here(repo.path, "hunks", "--json").ok().out)["hunks"]
        if hunk["path"] == "notes.txt"
    )

    def divide(text: str) -> str:
        return text.replace("commit 2 ", f"  {whole[:8]}:1-2\ncommit 2 ", 1)

    done = edit(scene, divide).ok()
    assert "and 1 pin\n" in done.out + done.err
    assert f'"{whole}:1-2"' in scene.spec.read_text()
    shown_plan = retcon_here(repo.path, "-n", "-p").ok().out
    first, last = shown_plan.partition("Commit 2/3")[0], shown_plan.partition("Commit 3/3")[2]
    assert ("+two" in first, "+three" in first) == (True, False)
    assert ("+two" in last, "+three" in last) == (False, True)
    refused = edit(scene, lambda text: text + f"\n  {whole[:8]}:1-99\n")
    assert f"'{whole}:1-99' names lines that are not there; hunk {whole} has 4 lines" in refused.err


def test_a_part_that_cannot_be_had_is_answered_as_show_answers_it(scene: Scene) -> None:
    repo = scene.repo
    repo.git("checkout", "-q", "feature")
    repo.commit(
        "table", {"table.txt": "a\nb\nc\nd\n", "table.py": "ROWS = [\n    (1,\n     2),\n]\n"}
    )
    repo.git("checkout", "-q", "main")
    listed = json.loads(retcon_here(repo.path, "hunks", "--json").ok().out)["hunks"]
    code, text = (
        next(each["id"] for each in listed if each["path"] == path)
        for path in ("table.py", "table.txt")
    )

    def leave(*lines: str) -> Ran:
        sheet = "\n".join(["commit 1 Count money in cents", *lines])
        return retcon_here(repo.path, "edit", "history.toml", env=editor(scene, sheet))

    said = retcon_here(repo.path, "show", f"{code[:8]}:1-2").err.splitlines()[0]
    assert "would break the statement" in said
    assert said.removeprefix("fatal: ") in leave(f"{code[:8]}:1-2").err
    overlapping = leave(f"{text[:8]}:1-3", f"{text[:8]}:2-4").err
    assert f"line 2: hunk '{text[:8]}:1-3' is divided: {text}:1 and {text}:2-3" in overlapping
    assert "no hunk begins with 'deadbeef'" in leave("deadbeef:1").err
    leave(f"{text[:8]}:1-4").ok()
    assert f'"{text}"' in scene.spec.read_text()


def test_what_is_left_as_it_was_changes_nothing(scene: Scene) -> None:
    before = scene.spec.read_bytes()
    done = edit(scene, lambda text: text).ok()
    assert "Nothing changed in history.toml\n" in done.out + done.err
    assert scene.spec.read_bytes() == before


def test_an_emptied_file_changes_nothing(scene: Scene) -> None:
    before = scene.spec.read_bytes()
    edit(scene, lambda text: "# only a comment\n").ok()
    assert scene.spec.read_bytes() == before


def test_commits_are_reordered_reworded_added_and_dropped(scene: Scene) -> None:
    scene.write_spec(
        "# mine\n"
        + scene.spec.read_text().replace(
            '[[commit]]\nmessage = "Say', '# about the last one\n[[commit]]\nmessage = "Say'
        )
    )

    def change(text: str) -> str:
        hunk = {
            name: "\n".join(line for line in text.splitlines() if f"  {name}:" in line)
            for name in ("money.py", "price.py", "shop.py", "README.md")
        }
        return "\n".join([
            "commit 3 (+1 -1) Say in one line what this is", hunk["README.md"],
            "new Price and count money", hunk["money.py"], hunk["price.py"],
            "commit 2 Total a shop's rows", hunk["shop.py"],
        ])  # fmt: skip

    edit(scene, change).ok()
    assert planned(scene) == [
        ("Say in one line what this is", {"README.md"}),
        ("Price and count money", {"money.py", "price.py"}),
        ("Total a shop's rows", {"shop.py"}),
    ]
    text = scene.spec.read_text()
    assert text.startswith("# mine\nsource")
    assert '# about the last one\n[[commit]]\nmessage = "Say in one line what this is"\n' in text
    assert scene.run().ok()
    scene.promise()
    assert scene.repo.git("log", "--format=%s", "--reverse", "main..clean").splitlines() == [
        "Say in one line what this is", "Price and count money", "Total a shop's rows",
    ]  # fmt: skip


def test_a_faulty_text_is_refused_with_the_line(scene: Scene) -> None:
    before = scene.spec.read_bytes()
    done = edit(scene, lambda text: text.replace("commit 2", "commit 1"))
    assert done.status == 128
    assert "fatal: the plan cannot be read: line 6: commit 1 is there twice\n" in done.err
    assert scene.spec.read_bytes() == before
    kept = scene.repo.path / ".git/retcon/PLAN"
    assert f"your text is in '{kept}'" in done.err
    assert kept.read_text() == (scene.repo.path / ".git/left").read_text()


def test_a_faulty_text_can_be_edited_again(scene: Scene) -> None:
    git = scene.repo.path / ".git"
    script = (
        f'sh -c \'if [ -e {git}/once ]; then grep -v frob "$0" > {git}/t; cp {git}/t "$0"; '
        f'else touch {git}/once; echo frob >> "$0"; fi\''
    )
    child = on_terminal("retcon", scene.repo.path, "edit", env={"GIT_EDITOR": script})
    child.expect("'frob' begins no line.*Edit it again")
    child.sendline("y")
    done = rest(child)
    assert done.status == 0
    assert "Nothing changed" in done.out


def test_what_was_typed_is_kept_where_it_cannot_be_written(scene: Scene) -> None:
    left = move("README.md", 1)(shown(scene))
    env = editor(scene, left)
    env["GIT_EDITOR"] = env["GIT_EDITOR"][:-1] + f"; echo >>{scene.spec}'"
    done = retcon_here(scene.repo.path, "edit", "history.toml", env=env)
    assert done.status == 128
    assert "fatal: 'history.toml' was edited during this run" in done.err
    kept = scene.repo.path / ".git/retcon/PLAN"
    assert f"your text is in '{kept}'" in done.err
    assert kept.read_text() == left


def test_what_was_typed_is_kept_until_it_is_written(scene: Scene) -> None:
    scene.run().ok()
    kept = scene.repo.path / ".git/retcon/PLAN"
    done = edit(scene, move("README.md", 2))
    assert done.status == 1
    assert f"your text is in '{kept}'" in done.err
    edit(scene, move("README.md", 2), "--yes").ok()
    assert not kept.exists()


def test_an_editor_that_fails_changes_nothing(scene: Scene) -> None:
    before = scene.spec.read_bytes()
    done = retcon_here(scene.repo.path, "edit", env={"GIT_EDITOR": "false"})
    assert (done.status, done.err.splitlines()[0]) == (128, "fatal: the editor failed")
    assert scene.spec.read_bytes() == before


def test_a_plan_that_is_built_is_rewound_only_after_a_yes(scene: Scene) -> None:
    scene.run().ok()
    built = scene.repo.git("rev-parse", "clean")
    before = scene.spec.read_bytes()
    done = edit(scene, move("README.md", 2))
    assert done.status == 1
    assert (
        "2 built commits will be rewound and built again:\n"
        "  2  Total a shop's rows\n"
        "  3  Say what this is\n"
    ) in done.out + done.err
    assert scene.spec.read_bytes() == before
    edit(scene, move("README.md", 2), "--yes").ok()
    assert scene.repo.git("rev-parse", "clean") == built
    scene.run().ok()
    scene.promise()
    assert "README.md" in scene.repo.git("show", "--format=", "--name-only", "clean")


def test_the_report_is_json(scene: Scene) -> None:
    left = move("README.md", 1)(shown(scene))
    done = retcon_here(scene.repo.path, "edit", "--json", env=editor(scene, left)).ok()
    assert json.loads(done.out) == {
        "version": 1, "status": "done", "changed": True, "pins": 1, "rebuilt": 0,
    }  # fmt: skip


def test_it_is_the_only_spec_that_is_edited(scene: Scene, tmp_path: Path) -> None:
    assert retcon_here(tmp_path, "edit").status == 129
