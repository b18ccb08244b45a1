"""``git retcon status`` and ``resolve``: show the histories, and add a person's note to one."""

import sys
from collections.abc import Iterator
from pathlib import Path

from git_retcon.errors import Fatal, Reason
from git_retcon.git.current_config import CurrentConfig
from git_retcon.options import Output
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Resolved, Status, stuck_failure
from git_retcon.retcon.spec.model import Spec
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say_hint, say_line
from git_retcon.show.style import Style, printable, shell_word, style_of, write_line

_MARKS = {
    Status.COMPLETE: "✓",
    Status.STUCK: "✗",
    Status.RESOLVED: "↻",
    Status.IN_PROGRESS: "…",
    Status.NOT_STARTED: " ",
}
_EMPTY = "-"  # complete, and without a commit


def show_status(path: Path, output: Output) -> Ending:
    """Print how far a spec has come. A failure while a commit is stuck."""
    spec = SpecFile.load(path).spec
    if not output.json:
        style = style_of(sys.stdout, output, CurrentConfig().get)
        for line in _format_status(spec, style):
            write_line(sys.stdout, line)
    return _make_ending(path, spec)


def write_resolved(path: Path, note: str, output: Output) -> Ending:
    """Add ``resolved`` to the stuck commit.

    Raises Fatal when none is stuck, and while another process works on the spec.
    """
    if not note.strip():
        raise Fatal(
            "the note is empty",
            hint="say what you changed: it is shown to the engine",
            reason=Reason.INVALID,
        )
    # not at import: ``status`` needs neither
    from git_retcon.git.repository import open_repository
    from git_retcon.retcon.branch.spec_lock import lock_spec

    with lock_spec(open_repository(Path.cwd()), path) as specfile:
        for index, commit in enumerate(specfile.spec.commits):
            if commit.status is Status.STUCK:
                specfile.append(index, Resolved(note))
                if not output.quiet:
                    say_line(f"Noted at commit {index + 1}: {commit.subject}")
                    say_hint(f"'git retcon {shell_word(str(path))}' goes on")
                return Ending(data={"position": index + 1, "subject": commit.subject})
    raise Fatal(
        f"no commit of '{path}' is stuck",
        hint="'git retcon status' shows them all",
        commands=[["git", "retcon", "status", str(path)]],
    )


def _format_status(spec: Spec, style: Style) -> Iterator[str]:
    done = sum(commit.status is Status.COMPLETE for commit in spec.commits)
    total = len(spec.commits)
    without = f", {len(spec.empty)} of them empty" if spec.empty else ""
    yield style.title(f"{printable(spec.cleaned)}: {done} of {total} commits complete{without}")
    for index, commit in enumerate(spec.commits):
        extra = f" ({commit.wips} WIP)" if commit.wips else ""
        if commit.is_empty:
            mark, state = style.warn(_EMPTY), "empty: nothing was left for it"
        else:
            paint = {Status.COMPLETE: style.good, Status.STUCK: style.bad}.get(commit.status, str)
            mark, state = paint(_MARKS[commit.status]), commit.status.value
        yield f"{mark} {index + 1}. {printable(commit.subject)} [{state}]{extra}"
        if commit.status is Status.STUCK:
            yield f"     {printable(commit.last_summary or '')}"


def _make_ending(path: Path, spec: Spec) -> Ending:
    data = {
        "spec": str(path),
        "source": spec.source,
        "remote": spec.remote,
        "cleaned": spec.cleaned,
        "commits": [
            {
                "subject": commit.subject,
                "status": commit.status.value,
                "empty": commit.is_empty,
                "commits": list(commit.commits),
                "stuck": commit.last_summary if commit.status is Status.STUCK else None,
            }
            for commit in spec.commits
        ],
    }
    for index, commit in enumerate(spec.commits):
        if commit.status is Status.STUCK:
            resume = ["git", "retcon", "run", str(path)]
            failure = stuck_failure(index, commit.last_summary or "")
            failure = failure._replace(commands=[resume])
            return Ending(Status.STUCK.value, data, failure)
    return Ending(_summarize_spec(spec).value, data)


def _summarize_spec(spec: Spec) -> Status:
    """The status of a whole spec in which no commit is stuck."""
    found = {commit.status for commit in spec.commits}
    return found.pop() if len(found) == 1 else Status.IN_PROGRESS
