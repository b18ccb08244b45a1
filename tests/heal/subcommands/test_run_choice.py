"""How a recorded run is named to people and to programs."""

from git_retcon.heal.records.runs import StoredRun
from git_retcon.heal.subcommands.run_choice import (
    describe_run,
    format_time,
    run_members,
)
from tests.heal.records.databases import BEGIN


def test_a_run_is_described_by_what_it_was_of() -> None:
    when = format_time(BEGIN.started)
    run = StoredRun(12, BEGIN, None, "interrupted")
    assert describe_run(run) == f"check 12, interrupted, {when}, main ccccccc"
    unborn = BEGIN._replace(commit="", branch="", source="log")
    assert describe_run(StoredRun(3, unborn, 1.0, "failed")) == f"log 3, failed, {when}"


def test_programs_get_times_in_utc_and_null_for_what_is_not_there() -> None:
    unborn = BEGIN._replace(commit="", branch="", same_as=2)
    members = run_members(StoredRun(3, unborn, None, "interrupted"))
    assert members["started"] == "1970-01-01T00:00:01Z"
    assert (members["commit"], members["branch"], members["seconds"]) == (None, None, None)
    assert members["same_as"] == 2
