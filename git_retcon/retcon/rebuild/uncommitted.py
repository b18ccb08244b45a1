"""What the source's checkout holds and the source does not: named, since nothing includes it."""

from git_retcon.git.checkout import bind_checkout, list_changed, list_tracked, path_in_tree
from git_retcon.git.refs import find_checkout_of
from git_retcon.git.repository import Repository, open_repository
from git_retcon.options import Output
from git_retcon.retcon.events import Warned
from git_retcon.retcon.spec.discovery import is_other_spec
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.show.counting import some_of
from git_retcon.show.notices import say
from git_retcon.show.style import show_path

_MOST_NAMED = 3


def find_uncommitted(repository: Repository, specfile: SpecFile) -> Warned | None:
    """The warning about changes of the source that are not committed, and not included; None where
    there are none.

    The run's own specification is not counted, as it writes into it, nor are new ones: drafts are
    no part of the work.
    """
    spec = specfile.spec
    if spec.worktree:
        return None
    branch = spec.source.removeprefix("refs/heads/")
    where = find_checkout_of(repository, f"refs/heads/{branch}")
    if where is None or not (where / ".git").exists():
        return None
    there = repository if where == repository.work_tree else open_repository(where)
    own = path_in_tree(there, specfile.path)
    git = bind_checkout(there)
    changed = [each for each in list_changed(git) if each != own]
    specs = [each for each in changed if is_other_spec(where, each)]
    drafts = {*specs}.difference(list_tracked(git) if specs else ())
    changed = [each for each in changed if each not in drafts]
    if not changed:
        return None
    named = some_of([show_path(each) for each in changed], _MOST_NAMED)
    return Warned(
        f"uncommitted changes of '{spec.source}' are not included: {named}",
        "commit them, and run the same command again; or --source=worktree takes them along",
    )


def say_uncommitted(repository: Repository, specfile: SpecFile, output: Output) -> None:
    """Print that warning, for a command that has no events."""
    found = None if output.quiet else find_uncommitted(repository, specfile)
    if found is not None:
        say("warning", found.message, found.hint)
