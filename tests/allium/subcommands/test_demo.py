"""``git allium demo``: what its user sees, and what is left behind."""

import json
from pathlib import Path

from tests.program import allium_here


def test_the_specification_is_shown_growing(tmp_path: Path) -> None:
    place = tmp_path / "demo"
    done = allium_here(tmp_path, "demo", str(place)).ok()
    assert "| * Ship what is paid\n" in done.out
    grown = done.out.partition("allium: Let people pay")[2]
    assert "+    transitions status {\n+        placed -> paid\n" in grown
    merged = done.out.partition("allium: Merge shipping")[2]
    assert "-enum Status { placed | paid }\n+enum Status { placed | paid | shipped }\n" in merged
    assert "rename from spec/shop.allium\nrename to spec/sales.allium\n" in merged
    noise = ("index ", "--- a/", "--- /dev", "+++ b/", "+++ /dev", "new file", "similarity ")
    assert not [line for line in done.out.splitlines() if line.startswith(noise)]
    assert done.err.splitlines()[-1] == "python: 3 files read"
    check = allium_here(place, "check", "--rev", "allium/evolution").ok()
    assert check.err == "no errors in 3 files\n", "and no warnings either"


def test_it_needs_no_identity_of_its_reader(tmp_path: Path) -> None:
    """Neither to describe the history, nor for what its reader commits there next."""
    allium_here(tmp_path, "demo", "-q", str(tmp_path / "demo")).ok()
    config = (tmp_path / "demo/.git/config").read_text()
    assert "[user]\n\tname = Robin Vale\n" in config


def test_the_same_specification_comes_out_everywhere(tmp_path: Path) -> None:
    tips = []
    for name in ("one", "two"):
        done = allium_here(tmp_path, "demo", "--json", str(tmp_path / name)).ok()
        tips.append(json.loads(done.out)["tip"])
    assert tips[0] == tips[1]


def test_a_directory_in_use_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "demo"
    place.mkdir()
    (place / "mine.txt").write_text("x")
    done = allium_here(tmp_path, "demo", str(place))
    assert done.status == 128
    assert "is not empty" in done.err
    assert [each.name for each in place.iterdir()] == ["mine.txt"]
