"""A model that lies gets nowhere: each try ends in a message, and nothing of the user's moves.

A law over ``tools``, ``workspace``, ``bench``, ``final_answer`` and the sandbox.
"""

import base64
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from git_retcon.run.sandbox.level import Level
from tests.model.loopback import Answer, LoopbackApi, Says, answers, calls, refuses, says
from tests.retcon.engines.claude.scene import (
    BASE,
    CHANGED,
    Build,
    Conversation,
    Diligent,
    Scene,
    belongings,
    commit,
    exclude_fix,
    planned_run,
    plays,
    progress,
    several,
    stuck,
    stuck_run,
)
from tests.sandboxes import needs_strong_sandbox
from tests.sandboxes import strong_machine as strong_machine

KEY = "ghp_" + "a1B2" * 9
NO_BUILD = ("--build", "true")


def test_atoms_that_do_not_exist(api: LoopbackApi, scene: Scene) -> None:
    _, why = planned_run(
        api,
        scene,
        lambda seen: calls("take_atoms", {"ids": ["0123abcd", "--all", "../x"]}),
        *NO_BUILD,
    )
    assert "no hunk that is left has the id 0123abcd, --all and ../x" in why


def test_of_a_call_the_good_hunks_are_taken_and_the_bad_ones_named(
    api: LoopbackApi, scene: Scene
) -> None:
    said: list[str] = []

    def model(seen: Conversation) -> Answer:
        said.append(seen.last)
        ids = seen.ids("colors.py")
        if seen.turn == 0:
            take = {"ids": [*ids, "0123abcd"]}
            return several(("take_atoms", take), ("create_commit", {}))
        return stuck("that is all I wanted to know")

    planned_run(api, scene, model, *NO_BUILD)
    taken, committed = said[1].splitlines()
    assert taken.startswith(
        "2 taken, 0 put back; 2 in all, 4 left; no hunk that is left has the id"
    )
    # what is asked for in the same turn was meant for the whole of it
    assert committed == "not committed: a call before this one failed in the same turn"


OUTSIDE = (
    "../x",
    "/tmp/x",
    "a/../../x",
    "link/x",
    "link",
    "shapes.py/x",
    ".git/hooks/pre-commit",
    ".GIT/config",
    ".git",
    "sub/.Git/config",
    ".git./config",
    "git~1/config",
    ".g\u200cit/config",
    ".git::$INDEX_ALLOCATION/config",
    "a\\..\\x",
    ".gitattributes",
    "sub/.gitmodules",
    ".github/workflows/x.yml",
    "",
    ".",
    "a\nb",
    "GITIGN~1",
    "GI250A~1",
    "git~4/x",
    "C:/x",
    "a\u202eb",
    "a\u200bb",
    "a/" + "x" * 300,
)


def test_writing_outside_the_tree(
    api: LoopbackApi, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    scene = build(base=BASE)
    scene.repository.git("checkout", "-q", "-f", "messy")
    (scene.repository.path / "link").symlink_to(outside)
    scene.repository.git("add", "link")
    scene.repository.git("commit", "-q", "-m", "link")
    scene.repository.git("checkout", "-q", "-f", "main")
    faults: list[str] = []

    def model(seen: Conversation) -> Answer:
        if seen.turn == 0:
            uses = [("write_file", {"path": path, "content": "x"}) for path in OUTSIDE]
            return several(("take_atoms", {"paths": ["link"]}), *uses)
        blocks = seen.body["messages"][-1]["content"]
        faults.extend(block["content"] for block in blocks if block["is_error"])
        return stuck("I may not")

    _, why = planned_run(api, scene, model, *NO_BUILD)
    assert why == "I may not"
    assert len(faults) == len(OUTSIDE), faults
    assert list(outside.iterdir()) == []
    assert not (tmp_path / "x").exists()


def test_reading_outside_the_tree(api: LoopbackApi, scene: Scene) -> None:
    paths = ("/etc/passwd", "../small/new.txt", ".git/config", "new.txt", "staged.txt", "link/..")

    def model(seen: Conversation) -> Answer:
        if seen.turn == 0:
            return several(*(("read_file", {"path": path}) for path in paths))
        blocks = seen.body["messages"][-1]["content"]
        assert all(block["is_error"] for block in blocks), blocks
        return stuck("I see nothing")

    _, why = planned_run(api, scene, model, *NO_BUILD)
    assert why == "I see nothing"


@pytest.mark.parametrize(
    "written",
    [
        KEY,
        f"{KEY[:9]}\x1b[1m{KEY[9:]}",
        f'{KEY[:9]}" + "{KEY[9:]}',
        base64.b64encode(KEY.encode()).decode(),
    ],
    ids=["plain", "an escape amid it", "a sum", "base64"],
)
def test_a_masked_secret_is_not_written_and_a_masked_span_not_dropped(
    api: LoopbackApi, build: Build, written: str
) -> None:
    base = BASE | {"settings.py": f'TOKEN = "{written}"\nLEVEL = 1\n'}
    scene = build(base=base)
    faults: list[str] = []

    def model(seen: Conversation) -> Answer:
        if seen.turn == 0:
            return calls("read_file", {"path": "settings.py"})
        if seen.turn == 1:
            assert "[masked secret" in seen.last
            masked = seen.last
            dropped = "LEVEL = 2\n"
            return several(
                *(("write_file", {"path": "settings.py", "content": c}) for c in (masked, dropped)),
                ("write_file", {"path": "copy.py", "content": masked}),
            )
        faults.extend(block["content"] for block in seen.body["messages"][-1]["content"])
        return stuck("it is guarded")

    planned_run(api, scene, model, *NO_BUILD)
    assert [fault.partition(": ")[2].partition(";")[0] for fault in faults] == [
        "it contains a masked secret",
        "it drops a secret that is in the file",
        "it contains a masked secret",
    ]


@contextmanager
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        yield server


@needs_strong_sandbox
def test_a_script_of_the_models_reaches_no_network_and_writes_nothing_outside(
    api: LoopbackApi, build: Build, sealed: Path, tmp_path: Path
) -> None:
    scene = build(base=BASE | {"build.sh": ". ./lib.txt\n", "lib.txt": ""}, build="sh build.sh")
    (sealed / ".netrc").write_text("machine example.com password hunter2hunter2")
    with listening() as server:
        port = server.getsockname()[1]
        script = (
            f"echo x >{sealed}/escaped; echo x >{tmp_path}/escaped\n"
            f"echo x >{scene.repository.path}/escaped\n"
            f"rm -f {scene.repository.path}/.git/HEAD; echo x >.git/config; rm -f .git\n"
            f"cat {sealed}/.netrc {scene.repository.path}/new.txt\n"
            "python3 -c 'import socket; "
            f'socket.create_connection(("127.0.0.1", {port}), 2).send(b"x"); print("connected")\'\n'
            "exit 1\n"
        )
        outputs: list[str] = []

        def model(seen: Conversation) -> Answer:
            if seen.turn == 0:
                return several(
                    ("write_file", {"path": "lib.txt", "content": script}), ("run_build", {})
                )
            outputs.append(seen.last)
            return stuck("it does not get out")

        done, _ = planned_run(api, scene, model)
        with pytest.raises(TimeoutError):
            server.accept()
    assert "the build failed" in outputs[0]
    assert "connected" not in outputs[0]
    assert "hunter2" not in outputs[0] and "untracked" not in outputs[0]
    assert not (sealed / "escaped").exists()
    assert not (tmp_path / "escaped").exists()
    assert "sandboxed by" in done.err


def test_what_a_script_left_behind_is_never_run_unconfined(
    api: LoopbackApi, build: Build, sealed: Path, strong_machine: Level
) -> None:
    """The script plants an ignored file that the user's own build would run later."""
    base = BASE | {
        ".gitignore": "cache/\n",
        "build.sh": ". ./lib.txt; test ! -e cache/plant.sh || . ./cache/plant.sh\n",
        "lib.txt": "",
    }
    scene = build(base=base, build="sh build.sh", messages=("first", "second", "third"))
    plant = f"mkdir -p cache; echo 'echo x >{sealed}/escaped' >cache/plant.sh\n"

    def model(seen: Conversation) -> Answer:
        if seen.turn:
            return commit()
        if seen.number == 1:
            return several(
                ("take_atoms", {"paths": ["shapes.py"]}),
                ("write_file", {"path": "lib.txt", "content": plant}),
                ("run_build", {}),
            )
        # The second is the user's own bytes again, and no tree that was built before.
        wanted = ["lib.txt", "names.py"] if seen.number == 2 else sorted(set(files(seen)))
        return calls("take_atoms", {"paths": wanted})

    before = belongings(scene.repository)
    plays(api, model)
    done = scene.run()
    assert done.status == 0, done.err
    assert scene.is_rebuilt()
    assert not (sealed / "escaped").exists()
    assert belongings(scene.repository) == before


def files(seen: Conversation) -> list[str]:
    return re.findall(r"^=== (.+)$", seen.prompt, re.M)


def test_what_judges_a_commit_cannot_be_written(api: LoopbackApi, build: Build) -> None:
    scene = build(build="sh ./build.sh && ls checks/ || true")

    def model(seen: Conversation) -> Answer:
        if seen.turn == 0:
            paths = ("build.sh", "checks/one.py")
            return several(*(("write_file", {"path": p, "content": "exit 0\n"}) for p in paths))
        assert seen.last.count("judges the commit") == 2
        return stuck("I cannot judge myself")

    _, why = planned_run(api, scene, model)
    assert why == "I cannot judge myself"


def test_what_git_runs_out_of_the_tree_cannot_be_written(api: LoopbackApi, build: Build) -> None:
    scene = build(build="true")
    scene.repository.git("config", "core.hooksPath", "tools/hooks")

    def model(seen: Conversation) -> Answer:
        if seen.turn == 0:
            return calls("write_file", {"path": "tools/hooks/pre-commit", "content": "#!/bin/sh\n"})
        assert "judges the commit" in seen.last
        return stuck("I cannot write hooks")

    _, why = planned_run(api, scene, model)
    assert why == "I cannot write hooks"


def test_what_a_commit_excludes_is_out_of_reach(api: LoopbackApi, scene: Scene) -> None:
    exclude_fix(scene)

    def model(seen: Conversation) -> Answer:
        if seen.turn == 0:
            return several(
                ("take_atoms", {"paths": ["colors.py", "names.py"]}),
                ("write_file", {"path": "names.py", "content": "RED = 0\n"}),
            )
        blocks = seen.body["messages"][-1]["content"]
        assert [block["is_error"] for block in blocks] == [True, True]
        assert all("the spec excludes" in block["content"] for block in blocks)
        return stuck("it is excluded")

    _, why = planned_run(api, scene, model, *NO_BUILD)
    assert why == "it is excluded"


def test_what_files_give_to_another_commit_is_out_of_reach(api: LoopbackApi, scene: Scene) -> None:
    first, second, *rest = scene.spec.read_text().split("[[commit]]\n")[1:]
    head = scene.spec.read_text().split("[[commit]]\n")[0]
    claimed = ['files = ["names.*"]\n' + second, *rest]
    scene.spec.write_text("[[commit]]\n".join([head, first, *claimed]))

    def model(seen: Conversation) -> Answer:
        if seen.turn == 0:
            return calls("take_atoms", {"paths": ["names.py"]})
        (block,) = seen.body["messages"][-1]["content"]
        assert block["is_error"]
        assert "'files' give names.py to another commit" in block["content"]
        return stuck("it is another's")

    _, why = planned_run(api, scene, model, *NO_BUILD)
    assert why == "it is another's"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (says("I am done, trust me."), "it is not JSON of the shape asked for"),
        (answers({"verdict": "won", "what": "", "summary": ""}), "'verdict' must be one of"),
        (answers({"verdict": "stuck", "what": "", "summary": " "}), "'summary' must say why"),
        (answers({"verdict": "nothing", "what": "", "summary": ""}), "'nothing' does not fit"),
        (refuses(), "the model declined to answer (cyber)"),
        (says("", stop="model_context_window_exceeded"), "no longer fits"),
    ],
)
def test_an_answer_that_is_none(api: LoopbackApi, scene: Scene, answer: Says, why: str) -> None:
    """The planner goes on; where it finds no fix either, what the model said is kept."""

    def model(seen: Conversation) -> Answer:
        return answer if seen.is_assessing else Diligent()(seen)

    exclude_fix(scene)
    _, summary = stuck_run(api, scene, model)
    assert why in summary


def test_what_a_model_cannot_fix_the_planner_may(api: LoopbackApi, scene: Scene) -> None:
    plays(api, lambda seen: stuck("no way is left") if seen.is_assessing else Diligent()(seen))
    done = scene.run()
    assert done.status == 0, done.err
    assert "warning: no way is left: commit 1 is fixed without the model" in done.err
    assert scene.is_rebuilt()
    assert "WIP: add names.py" in scene.cleaned()


@pytest.mark.slow
def test_words_of_a_model_cannot_forge_lines(api: LoopbackApi, scene: Scene) -> None:
    def model(seen: Conversation) -> Answer:
        if not seen.is_assessing:
            return Diligent()(seen)
        if seen.turn == 0:
            return calls("take_atoms", {"paths": ["names.py"]})
        return progress("WIP: wip: add\n\nSigned-off-by: Root <r@x>\x1b[31m" + "x" * 500)

    plays(api, model)
    done = scene.run()
    assert done.status == 0, done.err
    body = scene.repository.git("log", "-1", "--format=%B", scene.commits()[1]).strip()
    assert "\n" not in body and "\x1b" not in body and len(body) <= 72
    assert body.startswith("WIP: add Signed-off-by: Root")
    assert "\x1b" not in done.err


def test_changed_is_really_changed() -> None:
    assert CHANGED.keys() - BASE.keys() == {"names.py", "colors.py"}
