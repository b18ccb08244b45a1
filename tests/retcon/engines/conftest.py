"""A loopback service that the command talks to, and the small repository."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.model.loopback import LoopbackApi
from tests.retcon.engines.claude.scene import Build, Scene, build_scene


@pytest.fixture(autouse=True)
def python_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of the tests builds: one from beneath the real HOME is not seen in a sandbox."""
    bin_of_tests = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{bin_of_tests}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackApi]:
    server = LoopbackApi()
    for name, value in server.env.items():
        monkeypatch.setenv(name, value)
    # Commit by commit: most tests are about these conversations. The others say "pages".
    monkeypatch.setenv("GIT_RETCON_EXTRACT", "tools")
    yield server
    server.close()


@pytest.fixture
def scene(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Scene:
    return build_scene(tmp_path / "small", capsys, monkeypatch)


@pytest.fixture
def build(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Build:
    def make(**options: object) -> Scene:
        return build_scene(tmp_path / "small", capsys, monkeypatch, **options)  # type: ignore[arg-type]

    return make
