"""A model that cannot be asked is found out before ``rebuild/loop.py`` lets anything move."""

import socket

import pytest

from git_retcon.model.retry import Patience
from tests.model.loopback import Answer, Hangup, LoopbackApi, status
from tests.retcon.engines.claude.scene import Diligent, Scene, plays

FAULTS: dict[str, tuple[Answer | None, str]] = {
    "refuses": (status(401, "authentication_error", message="no such key"), "no such key"),
    "hangs up": (Hangup(), "model service"),
    "is overloaded": (status(529, "overloaded_error"), "529"),
    "is not there": (None, "no connection to the model service"),
}
fails = pytest.mark.parametrize("fault", FAULTS)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("git_retcon.model.connection.Patience", lambda: Patience(0, 0))


def break_service(fault: str, api: LoopbackApi, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the service fail from now on; what an error says of it."""
    answer, said = FAULTS[fault]
    if answer is not None:
        given = answer
        api.responder = lambda body: given
    else:
        with socket.create_server(("127.0.0.1", 0)) as free:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{free.getsockname()[1]}")
    return said


def changeable(scene: Scene) -> list[str]:
    """All that a run may change: refs with their reflogs, the spec, and what undo goes back to."""
    git = scene.repository.path / ".git"
    refs = scene.repository.git("for-each-ref")
    logs = [f"{p}: {p.read_text()}" for p in sorted((git / "logs").rglob("*")) if p.is_file()]
    undo = [p.read_text() for p in sorted((git / "retcon").glob("**/*.json"))]
    return [refs, *logs, scene.spec.read_text(), *undo]


@fails
def test_no_branch_is_made(
    fault: str, api: LoopbackApi, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = break_service(fault, api, monkeypatch)
    before = changeable(scene)
    done = scene.run()
    assert done.status == 128
    assert said in done.err
    assert changeable(scene) == before


@pytest.mark.slow
@fails
def test_a_finished_branch_stays_where_it_is(
    fault: str, api: LoopbackApi, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays(api, Diligent())
    assert scene.run().status == 0
    before = changeable(scene)
    said = break_service(fault, api, monkeypatch)
    done = scene.run("--restart")
    assert done.status == 128
    assert said in done.err
    assert changeable(scene) == before


@pytest.mark.slow
def test_an_edited_spec_moves_nothing_either(
    api: LoopbackApi, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays(api, Diligent())
    assert scene.run().status == 0
    scene.spec.write_text(scene.spec.read_text().replace("add colors", "add all the colors"))
    before = changeable(scene)
    break_service("refuses", api, monkeypatch)
    done = scene.run()
    assert done.status == 128
    assert "Rebuilding from commit 1" in done.err
    assert changeable(scene) == before
