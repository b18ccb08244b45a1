"""A loopback service for the runs that ask a model."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.code_commit.project import new_project
from tests.model.loopback import LoopbackApi
from tests.repository import TestRepository
from tests.sandboxes import sandbox as sandbox
from tests.sandboxes import strong_machine as strong_machine
from tests.sandboxes import strong_sandbox as strong_sandbox


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    server = LoopbackApi()
    yield server
    server.close()


@pytest.fixture
def project(tmp_path: Path) -> TestRepository:
    return new_project(tmp_path / "project")
