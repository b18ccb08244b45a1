"""What a killed ``git heal`` left among the user's files: every subcommand looks for it first."""

from git_retcon.errors import Fatal
from git_retcon.git.repository import Repository
from git_retcon.heal.review.change_phases import has_change_under_way
from git_retcon.show.notices import say
from git_retcon.show.style import show_path


def remove_leftovers(repository: Repository) -> None:
    """Remove temporary files beside those which were about to change, and say so.

    The files themselves are for ``git heal``, ``apply`` and ``undo`` to finish or take back.
    """
    top = repository.work_tree
    if top is None or not has_change_under_way(repository):
        return
    from git_retcon.heal.review.applied_changes import hold_applied_changes

    try:
        with hold_applied_changes(repository, top) as applied:
            removed = applied.remove_staged()
    except Fatal:  # it runs still, and will remove them itself
        return
    if removed:
        names = ", ".join(map(show_path, removed))
        say(
            "warning",
            f"a killed 'git heal' left temporary files beside yours; removed: {names}",
            "the next 'git heal' takes back what it left half applied",
        )
