"""The commits of a specification as a model reads them.

The text is the same at every turn of a run, so that the service's cache of prompts holds it: which
of them are built is said behind it.
"""

from collections.abc import Iterator

from git_retcon.retcon.engine import Situation


def show_commits(situation: Situation) -> str:
    """Every commit with its number, whole message, hints and paths."""
    return "\n".join(_list_lines(situation))


def describe_built(situation: Situation) -> str:
    """Which commits take nothing more, and what is the last of them."""
    count = len(situation.spec.commits)
    built = {0: "None is built yet.", 1: "Commit 1 is built, and takes nothing more."}.get(
        situation.index, f"Commits 1 to {situation.index} are built, and take nothing more."
    )
    if situation.index < count - 1:
        return built
    return f"{built} It is the last: what it leaves becomes a WIP commit of its own."


def _list_lines(situation: Situation) -> Iterator[str]:
    for number, commit in enumerate(situation.spec.commits, 1):
        yield f'<commit number="{number}">'
        yield commit.message.strip()
        if commit.hints.strip():
            yield f"<hints>\n{commit.hints.strip()}\n</hints>"
        if commit.files:
            yield f"Only these paths: {', '.join(commit.files)}"
        if commit.exclude:
            yield f"Not these paths: {', '.join(commit.exclude)}"
        yield "</commit>"
