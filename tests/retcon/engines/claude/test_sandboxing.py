"""What a model wrote runs in the sandbox, in this run and in later ones, with any engine.

A law over ``engines``, ``rebuild.run`` and ``run.confined_worktree``.
"""

import socket
from pathlib import Path

import pytest

from tests.model.loopback import Answer, LoopbackApi, calls
from tests.program import on_terminal, rest
from tests.retcon.engines.claude.scene import (
    Conversation,
    Scene,
    build_scene,
    commit,
    exclude_fix,
    plays,
    several,
    stuck,
)
from tests.sandboxes import needs_strong_sandbox


def writing(seen: Conversation) -> Answer:
    """Takes one file, writes a bridge, and never fixes anything."""
    if seen.is_assessing:
        return stuck("no idea")
    if seen.number == 2:
        return calls("take_atoms", {"proposed": True}) if seen.turn == 0 else commit()
    if seen.turn == 0:
        return several(
            ("take_atoms", {"paths": ["shapes.py"]}),
            ("write_file", {"path": "extra.py", "content": "n = 1\n"}),
        )
    return commit()


def one_build(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    build: str,
) -> Scene:
    return build_scene(
        tmp_path / "small", capsys, monkeypatch, build=build, messages=("shapes", "the rest")
    )


@pytest.mark.slow
@needs_strong_sandbox
def test_a_build_that_needs_the_network_cannot_be_sandboxed(
    api: LoopbackApi,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plays(api, writing)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5).close()"
        scene = one_build(tmp_path, capsys, monkeypatch, f'python3 -c "{connect}"')
        done = scene.run()
        assert done.status == 1
        assert "ends with status 1 in the sandbox, before a model wrote anything" in done.err
        assert "hint: '--sandbox=off' runs it without" in done.err
        assert scene.run("--sandbox=require").status == 1
        allowed = scene.run("--sandbox=off")
        assert allowed.status == 0, allowed.err
    assert "no sandbox: switched off" in allowed.err
    assert scene.is_rebuilt()


@pytest.mark.slow
@needs_strong_sandbox
def test_a_later_run_without_a_model_is_confined_on_what_a_model_wrote(
    api: LoopbackApi,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    sealed: Path,
) -> None:
    """The build tells where it ran: in the sandbox, HOME takes no file."""
    mark = sealed / "mark"
    build = f"ls ext* >/dev/null 2>&1 && echo x >{mark}; test -e colors.py"
    scene = one_build(tmp_path, capsys, monkeypatch, build)
    exclude_fix(scene, "colors.*")
    plays(api, writing)
    done = scene.run()
    assert done.status == 1, done.err
    assert "sandboxed by" in done.err
    assert not mark.exists()
    asked = len(api.requests)
    scene.run("--offline")
    assert len(api.requests) == asked
    assert not mark.exists()


def test_a_run_in_which_a_model_writes_nothing_is_not_confined(
    api: LoopbackApi,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    sealed: Path,
) -> None:
    scene = one_build(tmp_path, capsys, monkeypatch, f"echo x >>{sealed}/mark")

    def choosing(seen: Conversation) -> Answer:
        return commit() if seen.turn else calls("take_atoms", {"proposed": True})

    plays(api, choosing)
    done = scene.run()
    assert done.status == 0, done.err
    assert (sealed / "mark").exists()
    assert "sandbox" not in done.err


def test_the_setup_of_a_confined_build_runs_outside_on_the_users_own_bytes(
    api: LoopbackApi,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    sealed: Path,
) -> None:
    scene = one_build(tmp_path, capsys, monkeypatch, "test -e ready")
    (scene.repository.path / ".git/info/exclude").write_text("ready\n")
    plays(api, writing)
    done = scene.run("--setup", f"touch ready && ls >>{sealed}/seen")
    assert done.status == 0, done.err
    assert scene.is_rebuilt()
    assert "extra.py" not in (sealed / "seen").read_text()


@pytest.fixture
def licensed(
    api: LoopbackApi,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    sealed: Path,
) -> Scene:
    """A build that needs what the sandbox hides."""
    plays(api, writing)
    (sealed / "licence").write_text("what the build wants to see, and the sandbox hides")
    return one_build(tmp_path, capsys, monkeypatch, f"cat {sealed}/licence")


@pytest.mark.slow
@needs_strong_sandbox
@pytest.mark.parametrize(("answer", "status"), [("y", 0), ("n", 1), ("", 1), ("\x04", 1)])
def test_a_person_is_asked_before_a_model_runs_unconfined(
    licensed: Scene, answer: str, status: int
) -> None:
    child = on_terminal("retcon", licensed.repository.path, "history.toml")
    child.expect(r"in the sandbox, before.*run it without the sandbox\? \[y/N\]")
    child.sendline(answer)
    done = rest(child)
    assert done.status == status, done.out
    assert licensed.repository.git("branch", "--list", "clean").strip() == "clean"
    assert licensed.is_rebuilt() is (status == 0)
    if status:
        assert "hint: '--sandbox=off' runs it without" in done.out
        licensed.run("--sandbox=off")
        assert licensed.is_rebuilt()


@pytest.mark.slow
@needs_strong_sandbox
def test_yes_was_said_beforehand(licensed: Scene) -> None:
    child = on_terminal("retcon", licensed.repository.path, "history.toml", "--yes")
    done = rest(child)
    assert done.status == 0, done.out
    assert "[y/N]" not in done.out
    assert "ends with status 1 inside; it runs without" in done.out
    assert licensed.is_rebuilt()
    notes = licensed.repository.git("log", "--notes=retcon", "--format=%N", "clean")
    assert "sandbox none (allowed)" in notes
    assert "sandbox bubblewrap" not in notes and "sandbox landlock" not in notes


@pytest.mark.slow
@needs_strong_sandbox
def test_yes_needs_no_terminal_and_does_not_weaken_a_sandbox_that_is_required(
    licensed: Scene,
) -> None:
    refused = licensed.run("--yes", "--sandbox=require")
    assert refused.status == 1
    assert "nobody agreed to run it outside" in refused.err
    assert licensed.run("--yes").status == 0
    assert licensed.is_rebuilt()
