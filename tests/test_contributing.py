"""What CONTRIBUTING names is there."""

import re

from tests.test_structure import MODULES, PACKAGE, ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_every_module_it_names_exists() -> None:
    named = set(re.findall(r"`(?:git_retcon/)?([\w/]+\.py)`", TEXT))
    assert len(named) > 60
    modules = [f"/{path.relative_to(PACKAGE)}" for path in MODULES]
    tests = [f"/{path.relative_to(ROOT)}" for path in (ROOT / "tests").rglob("*.py")]
    known = [*modules, *tests]
    assert not {name for name in named if not any(each.endswith(f"/{name}") for each in known)}


def test_every_room_it_draws_exists() -> None:
    house = TEXT.partition("```\ngit_retcon/\n")[2].partition("```")[0]
    rooms = re.findall(r"(?m)(?<!\S)(\w+)/(?=\s)", house)
    assert len(rooms) > 12
    assert not set(rooms) - {path.parent.name for path in MODULES}
