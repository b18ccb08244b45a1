"""A loopback service that ``git heal`` talks to."""

from collections.abc import Iterator

import pytest

from tests.model.loopback import LoopbackApi


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackApi]:
    server = LoopbackApi()
    for name, value in server.env.items():
        monkeypatch.setenv(name, value)
    yield server
    server.close()
