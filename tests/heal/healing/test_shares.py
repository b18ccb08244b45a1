"""What goes side by side: no file is in two parts, and none is left out."""

from types import SimpleNamespace
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.engine import Item
from git_retcon.heal.healing.item_work import begin_work
from git_retcon.heal.healing.shares import deal_works, group_jobs
from git_retcon.heal.healing.work_items import FailedJob

PATHS = st.sampled_from([None, *(b"%d.py" % number for number in range(8))])
JOBS = st.lists(st.lists(PATHS, max_size=4, unique=True), max_size=6)


def make_job(paths: list[bytes | None]) -> FailedJob:
    return cast(FailedJob, SimpleNamespace(items=tuple(Item(path, ()) for path in paths)))


@given(JOBS)
def test_jobs_that_name_a_file_in_common_stay_together_in_their_order(
    named: list[list[bytes | None]],
) -> None:
    jobs = [make_job(paths) for paths in named]
    groups = group_jobs(jobs)
    assert sorted(id(one) for group in groups for one in group) == sorted(map(id, jobs))
    for group in groups:
        order = [next(at for at, one in enumerate(jobs) if one is each) for each in group]
        assert order == sorted(order)
    found = [{i.path for one in group for i in one.items if i.path} for group in groups]
    assert sum(map(len, found)) == len(set().union(*found))


@given(JOBS, st.integers(1, 5))
def test_each_work_is_in_one_share_and_no_file_in_two(
    named: list[list[bytes | None]], most: int
) -> None:
    jobs = [make_job(paths) for paths in named]
    works = [begin_work(item, job) for job in jobs for item in job.items]
    shares = deal_works(works, most)
    assert len(shares) <= most
    assert sorted(id(one) for share in shares for one in share) == sorted(map(id, works))
    dealt = [{one.item.path for one in share} for share in shares]
    assert all(dealt)
    assert sum(map(len, dealt)) == len(set().union(*dealt))
    assert max(map(len, dealt), default=0) - min(map(len, dealt), default=0) <= 1
    # What names no file is in the last: the files may answer it.
    assert not any(None in one for one in dealt[:-1])
