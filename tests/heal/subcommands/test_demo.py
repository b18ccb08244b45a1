"""``git heal demo``: what its user sees, and what is left behind."""

import json
from pathlib import Path

import pytest

from tests.program import heal_here
from tests.repository import TestRepository


def test_all_is_healed_that_needs_no_model(tmp_path: Path) -> None:
    place = tmp_path / "demo"
    done = heal_here(tmp_path, "demo", str(place)).ok()
    checked, _, healed = done.out.partition("\n$ git heal --yes\n")
    assert "2 jobs: 2 failed\n" in checked
    for name in ("cart", "receipt", "stock"):
        assert f"shop/{name}.py: healed, heal " in healed
    assert "tests/test_prices.py: left: no offline fix is known for it\n" in healed
    assert "ANTHROPIC_API_KEY=" in healed
    repository = TestRepository(place)
    changed = repository.git("diff", "--name-only").split()
    assert changed == ["shop/cart.py", "shop/receipt.py", "shop/stock.py"]
    assert "heal.trusted" not in repository.git("config", "--list", "--name-only")


def test_nothing_is_made_where_there_is_no_home_to_check_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name)
    done = heal_here(tmp_path, "demo", "place")
    assert (done.status, "HOME is not set" in done.err) == (128, True)
    assert not (tmp_path / "place").exists()


@pytest.mark.slow
def test_programs_get_the_heal_and_the_place(tmp_path: Path) -> None:
    said = json.loads(heal_here(tmp_path, "demo", "--json", str(tmp_path / "demo")).ok().out)
    assert said["directory"] == str(tmp_path / "demo")
    assert (len(said["healed"]), len(said["left"])) == (3, 1)
