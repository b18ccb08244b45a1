"""What a run says before it begins: it goes on, but its user may have thought otherwise."""

import pytest

from tests.repository import TestRepository
from tests.retcon.scene import SPEC, Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """A scene without builds."""
    made = messy_branch(repo)
    made.write_spec(SPEC.replace("build =", "# build ="))
    return made


AMONG = "warning: 'history.toml' is itself among the changes of 'feature'"


def test_a_spec_that_was_committed_on_the_source_is_rebuilt_and_said_once(scene: Scene) -> None:
    repo = scene.repo
    repo.git("checkout", "-q", "feature")
    repo.git("add", "-f", "history.toml")
    committed = repo.commit("all of it")
    repo.git("checkout", "-q", "main")
    scene.write_spec(SPEC.replace("build =", "# build ="))
    done = scene.run().ok()
    assert done.err.count(AMONG) == 1
    assert "hint: to leave it out: 'git rm --cached history.toml'" in done.err
    assert repo.show("clean:history.toml") == repo.show(f"{committed}:history.toml")
    assert repo.tree("clean") == repo.tree("feature")


def test_a_file_of_that_name_elsewhere_is_not_said(scene: Scene) -> None:
    repo, text = scene.repo, scene.spec.read_text()
    repo.git("checkout", "-q", "feature")
    (repo.path / "notes").mkdir()
    repo.commit("another of that name", {"notes/history.toml": "# none\n"})
    repo.git("checkout", "-q", "main")
    scene.write_spec(text)
    assert "is itself among" not in scene.run().ok().err


def test_a_key_that_is_nearly_one_that_is_read_is_said_with_its_line(scene: Scene) -> None:
    text = scene.spec.read_text() + 'hint = """\nhints = "this is text"\n"""\n'
    scene.write_spec(text.replace("# build =", "biuld ="))
    for options in (("-n",), ("-n", "--json"), ()):
        done = scene.run(*options).ok()
        assert [line for line in done.err.splitlines() if "is kept but not read" in line] == [
            "warning: history.toml:4: unknown key 'biuld' is kept but not read; "
            "did you mean 'build'?",
            "warning: history.toml:17: unknown key 'hint' is kept but not read; "
            "did you mean 'hints'?",
        ]
    assert "is kept" not in scene.run("-q").ok().err
    assert 'hint = """' in scene.spec.read_text()


def test_a_key_that_many_commits_have_is_said_once(scene: Scene) -> None:
    scene.write_spec(scene.spec.read_text().replace("files =", "Files ="))
    done = scene.run().ok()
    assert done.err.count("did you mean 'files'?") == 1
    assert "history.toml:8: unknown key 'Files'" in done.err


@pytest.mark.parametrize("key", ["ticket", "x-hints-for-review", "reviewer", "note"])
def test_a_key_of_a_commit_that_is_not_read_is_said_with_its_line_and_kept(
    scene: Scene, key: str
) -> None:
    scene.write_spec(f'{key} = "1"\n{scene.spec.read_text()}{key} = "1"\n')
    line = len(scene.spec.read_text().splitlines())
    said = f"warning: history.toml:{line}: unknown key '{key}' is kept but not read\n"
    assert said in scene.run().ok().err
    assert scene.spec.read_text().count(f'{key} = "1"') == 2


def test_a_command_below_a_commit_is_an_error_that_says_where_it_belongs(scene: Scene) -> None:
    scene.write_spec(scene.spec.read_text() + 'build = "false"\n')
    done = scene.run()
    line = len(scene.spec.read_text().splitlines())
    assert done.status == 128
    assert done.err.endswith(
        f"fatal: history.toml:{line}: 'build' is below a [[commit]], where it does not count\n"
        "hint: move the line above the first [[commit]]\n"
    )


def test_lost_notes_are_said_for_an_edit_is_not_seen_without_them(scene: Scene) -> None:
    scene.run().ok()
    assert "notes" not in scene.run().ok().err
    scene.repo.git("update-ref", "-d", "refs/notes/retcon")
    tip = scene.repo.rev("clean")
    assert "are gone (refs/notes/retcon): edits of hints and files" in scene.run().ok().err
    scene.write_spec(scene.spec.read_text().replace("Total a shop's rows", "Total a shop"))
    done = scene.run().ok()
    assert "commit 2 stays 'Total a shop's rows', which is not what the spec says" in done.err
    assert scene.repo.rev("clean") == tip
    scene.run("--restart").ok()
    assert scene.repo.subjects("main..clean")[1] == "Total a shop"
    assert "notes" not in scene.run().ok().err


def test_without_notes_a_rewind_does_not_call_our_commits_the_users(scene: Scene) -> None:
    scene.run().ok()
    scene.repo.git("update-ref", "-d", "refs/notes/retcon")
    head, *commits = scene.spec.read_text().split("[[commit]]")
    scene.write_spec("[[commit]]".join([head, commits[0], commits[2], commits[1]]))
    done = scene.run()
    assert done.status == 128
    assert "'clean' has no notes (refs/notes/retcon)" in done.err
    assert "holds a commit of your own" not in done.err
    assert "hint: 'git fetch' the notes" in done.err


def test_uncommitted_changes_of_the_source_are_named(scene: Scene) -> None:
    repo = scene.repo
    repo.git("checkout", "-q", "feature")
    repo.write({"shop.py": "edited\n", "new.py": "untracked\n"})
    (repo.path / ".git/info/exclude").write_text("")  # the spec itself is no change of the source
    done = scene.run().ok()
    assert (
        "warning: uncommitted changes of 'feature' are not included: shop.py and new.py\n"
        in done.err
    )
    repo.git("checkout", "-q", "-f", "main")
    assert "uncommitted" not in scene.run("--restart").ok().err
