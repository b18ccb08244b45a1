"""What ``git retcon demo`` prints for machines, and where it rebuilds nothing."""

import json
from pathlib import Path

import pytest

from tests.program import retcon


@pytest.mark.slow
def test_events_are_all_that_is_on_standard_output(tmp_path: Path) -> None:
    done = retcon(tmp_path, "demo", "--events", "-q", str(tmp_path / "quiet")).ok()
    loud = retcon(tmp_path, "demo", "--events", str(tmp_path / "loud")).ok()
    names = [[json.loads(line)["event"] for line in each.out.splitlines()] for each in (done, loud)]
    assert names[0] == names[1]


def test_the_commit_that_renames_holds_nothing_else(tmp_path: Path) -> None:
    done = retcon(tmp_path, "demo", "-n", "--json", str(tmp_path / "demo")).ok()
    hunks = json.loads(retcon(tmp_path / "demo", "hunks", "--json").ok().out)["hunks"]
    added = {each["id"]: "".join(each["added"]) for each in hunks}
    renamed = json.loads(done.out)["commits"][0]["hunks"]
    # Each has the new name: Item, parse_item or item_total.
    assert (len(renamed), [added[each] for each in renamed if "tem" not in added[each]]) == (14, [])


def test_a_dry_run_names_no_branch_that_it_did_not_make(tmp_path: Path) -> None:
    done = retcon(tmp_path, "demo", "-n", str(tmp_path / "demo")).ok()
    assert done.out.startswith("Commit 1/4: ")
    assert "feature-clean" not in done.out
