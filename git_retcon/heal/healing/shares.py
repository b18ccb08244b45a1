"""What is healed side by side: jobs that name no file in common, and files of all jobs."""

import itertools
from collections.abc import Sequence

from git_retcon.heal.healing.item_work import Work
from git_retcon.heal.healing.work_items import FailedJob

Group = tuple[FailedJob, ...]
Share = tuple[Work, ...]


def group_jobs(failed: Sequence[FailedJob]) -> list[Group]:
    """The failed jobs, those that name the same file together, in their order."""
    groups: list[list[FailedJob]] = []
    for one in failed:
        paths = _list_paths([one])
        same = [group for group in groups if paths & _list_paths(group)]
        for group in same[1:]:
            same[0].extend(group)
            groups.remove(group)
        if same:
            same[0].append(one)
        else:
            groups.append([one])
    order = {id(one): at for at, one in enumerate(failed)}
    return [tuple(sorted(group, key=lambda one: order[id(one)])) for group in groups]


def deal_works(works: Sequence[Work], most: int) -> list[Share]:
    """The works in at most so many shares of about as many files each, no file in two of them.

    Neighbours stay together, as each share opens the jobs of its files. What names no file comes
    last, as the files may answer it.
    """
    paths = list(dict.fromkeys(work.item.path for work in works))
    paths.sort(key=lambda path: path is None)
    number = min(most, len(paths))
    bounds = [len(paths) * at // number for at in range(number + 1)] if number else []
    shares = []
    for first, last in itertools.pairwise(bounds):
        own = set(paths[first:last])
        shares.append(tuple(work for work in works if work.item.path in own))
    return shares


def _list_paths(jobs: Sequence[FailedJob]) -> set[bytes]:
    return {item.path for one in jobs for item in one.items if item.path is not None}
