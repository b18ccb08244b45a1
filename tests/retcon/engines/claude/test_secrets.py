"""What must not leave this machine does not: secrets by their shapes, and withheld paths.

A law over ``display``, ``quotations``, ``workspace``, ``bench`` and the model room.
"""

import subprocess
from pathlib import Path

import pytest

from tests.model.loopback import Answer, LoopbackApi, calls
from tests.retcon.engines.claude.scene import (
    BASE,
    CHANGED,
    Conversation,
    Diligent,
    Scene,
    build_scene,
    commit,
    everything_sent,
    exclude_fix,
    plays,
    progress,
    several,
    stuck,
)

KEY = "ghp_" + "a1B2" * 9
PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + "".join(f"MIIEpAIBAAKCAQEA{n:02}q7Rk3Zt9XwLm5Vb8Yc1Nd4Gf6Hj2Kp0Sa\n" for n in range(8))
    + "-----END RSA PRIVATE KEY-----\n"
)


def test_a_key_in_the_difference_is_nowhere_but_in_the_commits(
    api: LoopbackApi,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is in the diff, in a file, and printed by a build that fails."""
    changed = CHANGED | {
        "names.py": f'RED = "red"\nTOKEN = "{KEY}"\nPEM = """\n{PEM}"""\n',
        "colors.py": f"import names  # {KEY}\n\n\ndef paint():\n    return names.RED\n",
    }
    build = f"cat *.py; {BUILD_FAILS}"
    scene = build_scene(tmp_path / "small", capsys, monkeypatch, changed=changed, build=build)
    cassette = tmp_path / "run.jsonl"
    monkeypatch.setenv("GIT_RETCON_CASSETTE", f"record:{cassette}")

    def model(seen: Conversation) -> Answer:
        if not seen.is_assessing:
            return Diligent()(seen)
        if seen.turn == 0:
            return several(
                ("read_file", {"path": "colors.py"}),
                ("read_diff", {"path": "names.py"}),
                ("run_build", {}),
            )
        if seen.turn == 1:
            return calls("take_atoms", {"paths": ["names.py"]})
        return progress(f"add {KEY}")

    plays(api, model)
    done = scene.run("-v", "--show-prompt", "--events")
    assert done.status == 0, done.err
    assert scene.is_rebuilt()
    assert KEY in scene.repository.show("clean:colors.py").decode()
    places = {
        "requests": everything_sent(api),
        "stderr": done.err,
        "stdout": done.out,
        "notes": scene.notes(),
        "subjects": "\n".join(scene.cleaned()),
        "spec": scene.spec.read_text(),
        "cassette": cassette.read_text(),
    }
    assert "[masked secret ..B2]" in places["requests"]
    for place, text in places.items():
        assert KEY not in text, place
        assert KEY[4:20] not in text, place
        assert "q7Rk3Zt9XwLm5Vb8" not in text, place


BUILD_FAILS = "test -e names.py || { test ! -e colors.py; }"


def test_a_key_in_a_stuck_summary_is_masked_in_the_spec(api: LoopbackApi, scene: Scene) -> None:
    exclude_fix(scene)
    plays(api, lambda seen: stuck(f"it wants {KEY}") if seen.is_assessing else Diligent()(seen))
    done = scene.run()
    assert done.status == 1
    assert KEY not in scene.spec.read_text() + done.said
    assert "[masked secret ..B2]" in scene.spec.read_text()


@pytest.fixture
def withholding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Scene:
    base = BASE | {"private/old.txt": "an old formula of ours\n"}
    changed = CHANGED | {
        "private/formula.txt": "the secret formula is water\n",
        "private/old.txt": "a new formula of ours\n",
    }
    scene = build_scene(
        tmp_path / "small",
        capsys,
        monkeypatch,
        base=base,
        changed=changed,
        build=f"cat private/*; {BUILD_FAILS}",
        messages=("add colors", "the rest"),
    )
    scene.repository.git("config", "retcon.neverSend", "private/")
    return scene


def test_withheld_paths_are_named_and_taken_and_never_shown(
    api: LoopbackApi, withholding: Scene
) -> None:
    def model(seen: Conversation) -> Answer:
        if seen.is_assessing:
            if seen.turn == 0:
                return calls("take_atoms", {"paths": ["names.py"]})
            return progress("add names from names.py")
        if seen.number == 1 and seen.turn == 0:
            return several(
                ("read_file", {"path": "private/old.txt"}),
                ("read_diff", {"path": "private/formula.txt"}),
                ("write_file", {"path": "private/x.txt", "content": "x"}),
                ("take_atoms", {"ids": seen.ids("colors.py", "private/formula.txt")}),
                ("run_build", {}),
            )
        if seen.turn == 0:
            return calls("take_atoms", {"paths": [p for p in REST if p in seen.prompt]})
        return commit()

    plays(api, model)
    done = withholding.run()
    assert done.status == 0, done.err
    assert withholding.is_rebuilt()
    first = withholding.commits()[0]
    assert b"water" in withholding.repository.show(f"{first}:private/formula.txt")
    sent = everything_sent(api)
    assert "private/formula.txt" in sent
    assert "withheld" in sent
    assert "[a line of a withheld file]" in sent
    for content in ("water", "an old formula", "a new formula"):
        assert content not in sent


REST = ("names.py", "shapes.py", "main.py", "private/old.txt")


def test_the_key_of_the_service_is_in_no_environment_of_a_build(
    api: LoopbackApi, scene: Scene
) -> None:
    plays(api, Diligent())
    done = scene.run("--build", "env; exit 1", "-v")
    assert done.status == 1
    assert "ANTHROPIC_API_KEY" not in done.err
    assert (
        subprocess.run(["git", "-C", str(scene.repository.path), "fsck"], check=False).returncode
        == 0
    )
