"""What a person does to the branch and to the spec between two runs."""

import json
import re

import pytest

from tests.program import retcon
from tests.repository import TestRepository
from tests.retcon.rebuild.test_resuming import kill_at, recorded
from tests.retcon.scene import SPEC, Scene, messy_branch

UNBUILT = SPEC.replace("build =", "# build =")
TWICE = 'message = "Same"\nhints = ""\n'


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    made = messy_branch(repo)
    made.write_spec(UNBUILT)
    return made


def unhook(scene: Scene) -> None:
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()


def test_a_plan_after_an_edit_shows_what_will_be_rebuilt(scene: Scene) -> None:
    scene.run().ok()
    scene.write_spec(scene.spec.read_text().replace("Total a shop's rows", "Add up the rows"))
    plan = json.loads(scene.run("-n", "--json").ok().out)
    assert [commit["position"] for commit in plan["commits"]] == [2, 3]
    assert all(commit["atoms"] for commit in plan["commits"])
    assert plan["leftover"] == []
    whole = json.loads(scene.run("-n", "--json", "--restart").ok().out)
    assert [commit["position"] for commit in whole["commits"]] == [1, 2, 3]


def one_more(scene: Scene) -> None:
    """A finished branch, and then a commit on the source that no logical commit is for."""
    scene.run().ok()
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.commit("one more thing", {"later.txt": "later\n"})
    scene.repo.git("checkout", "-q", "main")


SINCE = "'feature' has changed since the commits were completed"


def test_a_source_that_grew_when_all_was_complete_is_named_as_the_reason(scene: Scene) -> None:
    scene.run().ok()
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.commit("one more thing", {"money.py": "def cents(text):\n    return 100\n"})
    scene.repo.git("checkout", "-q", "main")
    stopped = scene.run("--leftover=stop")
    assert stopped.status == 1
    told = " ".join(stopped.err.split())
    assert f"{SINCE}; 1 hunk is in none of them: money.py. A commit whose 'history' is" in told
    done = scene.run().ok()
    assert f"{SINCE}; what is new goes into 'WIP: remaining changes from feature'" in done.err
    assert "delete that commit's 'history', or --restart: it is built again" in done.err
    assert "fit no commit" not in stopped.err + done.err
    scene.write_spec(re.sub(r"(?s)history = \[.*?\n\]\n", "", scene.spec.read_text(), count=1))
    scene.run().ok()
    assert len(scene.repo.subjects("main..clean")) == 3
    scene.promise()


def test_what_fits_no_commit_is_said_so_where_the_source_has_not_changed(scene: Scene) -> None:
    scene.write_spec(UNBUILT.replace("README.md", "nothing.md"))
    assert "1 hunk fits no commit: README.md" in scene.run("--leftover=stop").err
    done = scene.run().ok()
    assert "some changes fit no commit" in done.err and "has changed since" not in done.err


def test_another_leftover_counts_as_a_change(scene: Scene) -> None:
    one_more(scene)
    assert scene.run("--leftover=stop").status == 1
    assert "nothing has changed" in scene.run("--leftover=stop").err
    done = scene.run().ok()
    assert "nothing has changed" not in done.err
    scene.promise()


def test_equal_commits_are_told_apart_after_a_kill(scene: Scene) -> None:
    head = UNBUILT.partition("[[commit]]")[0]
    one = '[[commit]]\nmessage = "Same"\n'
    scene.write_spec(head + one + one)
    kill_at(scene, "committed", 3)
    scene.run()
    unhook(scene)
    scene.run().ok()
    scene.promise()
    shown = json.loads(retcon(scene.repo.path, "status", "history.toml", "--json").out)
    assert [len(commit["commits"]) for commit in shown["commits"]] == [1, 1]


def test_a_kill_between_the_fold_and_the_save_is_mended(scene: Scene) -> None:
    scene.run().ok()
    # what a WIP commit would have been: the second logical commit in two
    first, second, third = recorded(scene)
    assert first and second and third
    swapped = (
        UNBUILT.replace("# build", "build")
        .replace('files = ["money.py"]', 'files = ["x"]', 1)
        .replace('files = ["price.py", "shop.py"]', 'files = ["money.py"]', 1)
        .replace('files = ["x"]', 'files = ["price.py", "shop.py"]', 1)
    )
    scene.write_spec(swapped)
    scene.run("--restart").ok()
    assert "WIP: " in "".join(scene.repo.subjects("main..clean"))
    kill_at(scene, "committed", 1)
    assert scene.run("--squash-wip").status < 0
    unhook(scene)
    done = scene.run("--squash-wip").ok()
    assert "\n  0 WIP fix commits\n" in done.out
    assert recorded(scene) == scene.repo.git("rev-list", "--reverse", "main..clean").splitlines()


def test_a_persons_commit_before_a_stuck_commit_has_any(scene: Scene) -> None:
    scene.write_spec(UNBUILT.replace("Say what this is", "Say"))
    head, one, two, three = scene.spec.read_text().split("[[commit]]")
    scene.run().ok()
    made = recorded(scene)
    scene.repo.git("update-ref", "refs/heads/clean", made[0])
    stuck = '\nhistory = [{ stuck = "cannot" }]\n\n'
    done = f'\nhistory = [{{ commit_created = "{made[0]}" }}, "complete"]\n\n'
    scene.write_spec("[[commit]]".join([head, one.rstrip() + done, two.rstrip() + stuck, three]))
    scene.repo.git("checkout", "-q", "clean")
    mine = scene.repo.commit("Help it along", {"help.txt": "by hand\n"})
    scene.repo.git("checkout", "-q", "main")
    done_ = scene.run().ok()
    assert f"Recording your commit {mine[:7]} in commit 2" in done_.err
    shown = json.loads(retcon(scene.repo.path, "status", "history.toml", "--json").out)
    assert shown["commits"][0]["commits"] == [made[0]]
    assert shown["commits"][1]["commits"][0] == mine
    assert "Total a shop's rows" in scene.repo.subjects("main..clean")
    scene.promise()


def start_and_kill(scene: Scene) -> None:
    """A branch of ours that holds nothing yet: the run was killed when it had made it."""
    kill_at(scene, "committed", 1)
    assert scene.run().status < 0
    unhook(scene)
    assert scene.repo.rev("clean") == scene.repo.rev("main")


@pytest.mark.parametrize("start", ["main", "main~1"])
def test_a_branch_of_somebody_else_that_holds_nothing_is_refused(scene: Scene, start: str) -> None:
    scene.repo.commit("Meanwhile", {"other.txt": "main went on\n"})
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.git("merge", "-q", "--no-edit", "main")
    scene.repo.git("checkout", "-q", "main")
    scene.repo.git("branch", "clean", start)
    at = scene.repo.rev("clean")
    for arguments in ((), ("-n",)):
        done = scene.run(*arguments)
        assert done.status == 128
        assert "'clean' exists already and this spec did not make it" in done.err
        assert "hint: 'git branch -d clean' if you do not need it, name another branch" in done.err
    assert scene.repo.rev("clean") == at
    scene.repo.git("branch", "-d", "clean")
    scene.run().ok()
    scene.promise()


def test_such_a_branch_is_refused_where_the_spec_records_another(scene: Scene) -> None:
    scene.run().ok()
    scene.repo.git("branch", "other", "main")
    text = scene.spec.read_text().replace('"clean"', '"other"')
    scene.write_spec(text.replace("Count money in cents", "Count in cents"))
    assert "'other' exists already and this spec did not make it" in scene.run().err
    assert scene.repo.rev("other") == scene.repo.rev("main")


def test_a_branch_of_ours_that_holds_nothing_yet_or_again_is_gone_on_with(scene: Scene) -> None:
    start_and_kill(scene)
    scene.run().ok()
    retcon(scene.repo.path, "undo", "history.toml").ok()
    assert scene.repo.rev("clean") == scene.repo.rev("main")
    scene.run().ok()
    scene.promise()


def test_without_a_reflog_nobody_can_tell_and_the_way_out_costs_nothing(scene: Scene) -> None:
    start_and_kill(scene)
    scene.repo.git("reflog", "expire", "--expire=now", "--all")
    assert "'clean' exists already and this spec did not make it" in scene.run().err
    scene.repo.git("branch", "-d", "clean")
    scene.run().ok()
    scene.promise()


def test_the_base_may_move_while_nothing_is_built(scene: Scene) -> None:
    start_and_kill(scene)
    meanwhile = scene.repo.commit("Meanwhile", {"other.txt": "main went on\n"})
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.git("merge", "-q", "--no-edit", "main")
    scene.repo.git("checkout", "-q", "main")
    scene.run().ok()
    assert scene.repo.git("merge-base", "clean", "main") == meanwhile
    scene.promise()


def test_a_run_with_nothing_to_do_leaves_undo_to_the_one_before(scene: Scene) -> None:
    before = scene.spec.read_bytes()
    scene.run().ok()
    scene.run().ok()
    retcon(scene.repo.path, "undo", "history.toml").ok()
    assert scene.spec.read_bytes() == before


def test_a_leftover_whose_commit_was_killed_goes_on_as_that(scene: Scene) -> None:
    one_more(scene)
    kill_at(scene, "prepared", 1)
    assert scene.run().status < 0
    unhook(scene)
    assert scene.spec.read_text().count("[[commit]]") == 4
    scene.run().ok()
    assert scene.repo.subjects("main..clean")[3:] == ["WIP: remaining changes from feature"]
    scene.promise()


def test_an_undo_that_remembers_nothing_says_so(scene: Scene) -> None:
    scene.run().ok()
    (memory,) = (scene.repo.path / ".git/retcon/undo").iterdir()
    tip = scene.repo.rev("clean")
    for damaged in ("{}", "[1]", "", '{"ref": 1, "tip": 2, "spec": "*"}'):
        memory.write_text(damaged)
        done = retcon(scene.repo.path, "undo", "history.toml")
        assert (done.status, "no run of 'history.toml' to undo" in done.err) == (128, True)
    assert scene.repo.rev("clean") == tip


def test_a_branch_that_another_spec_made_is_refused(scene: Scene) -> None:
    scene.run().ok()
    tip = scene.repo.rev("clean")
    other = scene.repo.path / "other.toml"
    other.write_text(UNBUILT.partition("[[commit]]")[0] + '[[commit]]\nmessage = "All of it"\n')
    done = retcon(scene.repo.path, "other.toml")
    assert done.status == 128
    assert "'clean' exists already and this spec did not make it" in done.err
    assert scene.repo.rev("clean") == tip


LONG = "x" * 150_000


@pytest.mark.parametrize(
    "message",
    [
        "\n\n  Leading blank lines",
        "Trailing \n\n# a comment is text\n\n\n\n",
        "Text\n\n---\nbelow a divider\n\nReviewed-by: A <a@b>",
        "Ünï\u2028cödé\u0085 x",
        LONG,
    ],
)
def test_messages_are_verbatim(scene: Scene, message: str) -> None:
    scene.repo.git("config", "trailer.sign.command", "touch /dev/null; echo ran")
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.commit("by another", {"price.py": "# new\n"}, author="Grace <grace@example.com>")
    scene.repo.git("checkout", "-q", "main")
    head = UNBUILT.partition("[[commit]]")[0]
    scene.write_spec(f"{head}[[commit]]\nmessage = {json.dumps(message)}\n")
    done = scene.run().ok()
    made = scene.repo.git("log", "-1", "--format=%B", "clean")
    raw = scene.repo.git("cat-file", "commit", "clean").partition("\n\n")[2]
    assert raw.startswith(message.rstrip("\n")), made[:200]
    assert raw.rstrip("\n").endswith("\nCo-authored-by: Grace <grace@example.com>")
    assert "ran" not in raw
    assert "\u0085" not in done.err
    assert scene.run().ok().out.startswith("Complete!")


def test_status_is_coloured_where_that_is_asked_for(scene: Scene) -> None:
    scene.run().ok()
    plain = retcon(scene.repo.path, "status", "history.toml", "--color=never").out
    painted = retcon(scene.repo.path, "status", "history.toml", "--color=always").out
    assert "\x1b[32m✓\x1b[m 1. " in painted
    assert re.sub(r"\x1b\[\d*m", "", painted) == plain
