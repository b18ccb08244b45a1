"""A loopback service for what asks a model."""

from collections.abc import Iterator

import pytest

from tests.model.loopback import LoopbackApi


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    server = LoopbackApi()
    yield server
    server.close()
