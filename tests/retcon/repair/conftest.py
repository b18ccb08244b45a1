"""A bench in the test's own folder."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.repository import TestRepository
from tests.retcon.repair.trials import Bench, Make


@pytest.fixture
def bench(repo: TestRepository, tmp_path: Path) -> Make:
    def make(
        before: Mapping[str, str | None],
        after: Mapping[str, str | None],
        build: str,
        test: str | None = None,
        trials: int = 40,
    ) -> Bench:
        return Bench(repo, tmp_path / "trial", before, after, build, test, trials)

    return make
