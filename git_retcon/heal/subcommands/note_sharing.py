"""``git heal fetch`` and ``git heal push``: the verdicts that a team has noted on its commits."""

from pathlib import Path

from git_retcon.errors import Fatal, Reason
from git_retcon.git.refs import read_symbolic_ref
from git_retcon.heal.check_situation import open_checkout
from git_retcon.heal.current_branch import choose_remote
from git_retcon.heal.shared_notes import Remote, fetch_notes, push_notes
from git_retcon.heal.subcommands.leftovers import remove_leftovers
from git_retcon.options import Output
from git_retcon.show.counting import count
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say_line
from git_retcon.show.style import printable


def fetch_verdicts(name: str | None, output: Output) -> Ending:
    """Take up what others noted. They are shown, and count for nothing."""
    remote = _open_remote(name)
    commits = fetch_notes(remote)
    if not output.quiet:
        of = printable(remote.name)
        news = f"{count(len(commits), 'commit')} with new verdicts from '{of}'"
        say_line(
            f"{news}: 'git log --notes=heal' shows them" if commits else f"nothing new in '{of}'"
        )
    return Ending(data={"remote": remote.name, "commits": commits})


def push_verdicts(name: str | None, output: Output) -> Ending:
    """Bring what is noted here to others, with what they have noted meanwhile."""
    remote = _open_remote(name)
    pushed = push_notes(remote)
    if not output.quiet:
        to = printable(remote.name)
        done = f"the verdicts are in '{to}'"
        say_line(done if pushed else "there are no verdicts yet: 'git heal check' notes them")
    return Ending(data={"remote": remote.name, "pushed": pushed})


def _open_remote(name: str | None) -> Remote:
    """The remote that is named, else the one of the branch."""
    if name is not None and not name.strip():  # such as a variable that is not set
        hint = "name a remote or an address, or nothing for the remote of the branch"
        raise Fatal("the name of the remote is empty", hint=hint, reason=Reason.INVALID)
    checkout = open_checkout(Path.cwd())
    remove_leftovers(checkout.repository)
    branch = (read_symbolic_ref(checkout.repository, "HEAD") or "").removeprefix("refs/heads/")
    chosen = name or choose_remote(checkout.repository.config, branch)
    if not chosen:
        hint = "'git remote add origin URL' adds one, or name an address"
        raise Fatal("there is no remote to share verdicts with", hint=hint, reason=Reason.NOT_READY)
    return Remote(checkout.repository, checkout.git, chosen)
