"""Every hunk of a branch: the difference from its base to its source, built or not."""

from git_retcon.git.difference import Difference
from git_retcon.git.repository import Repository
from git_retcon.retcon.branch.branches import list_source_commits
from git_retcon.retcon.branch.progress import ProgressTracker
from git_retcon.retcon.branch.source_history import read_source_history
from git_retcon.retcon.rebuild.start import find_start
from git_retcon.retcon.spec.file import SpecFile


def read_whole_difference(repository: Repository, specfile: SpecFile) -> Difference:
    """Find all hunks of a spec's branch. Raises Fatal for branches that cannot be rebuilt."""
    with specfile.naming_lines():
        start = find_start(repository, specfile)
    commits = list_source_commits(repository, start.branches)
    found = read_source_history(repository, start.branches, commits)
    tracker = ProgressTracker(repository, found.granularity, repository.trees)
    return start.base_position(tracker).difference
