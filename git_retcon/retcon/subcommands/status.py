"""``git retcon status`` and ``resolve``: what the histories say, and a person's word in them."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from git_retcon.errors import Fatal
from git_retcon.options import Output
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Resolved, Status, Stuck
from git_retcon.retcon.spec.model import Spec
from git_retcon.show.style import Style, When, printable, shell_word, style_for, write_line

_MARKS = {
    Status.COMPLETE: "✓",
    Status.STUCK: "✗",
    Status.RESOLVED: "↻",
    Status.IN_PROGRESS: "…",
    Status.NOT_STARTED: " ",
}


def show_status(path: Path, output: Output) -> int:
    """Print how far a spec has come. The exit status: 1 while a commit is stuck."""
    spec = SpecFile.load(path).spec
    if output.json:
        write_line(sys.stdout, json.dumps(_json(path, spec), indent=2))
    else:
        # Asked for anywhere, also outside of a repository: so no configuration is read.
        style = style_for(sys.stdout, When(output.color), None, os.environ)
        for line in _lines(spec, style):
            write_line(sys.stdout, line)
    return 1 if any(commit.status is Status.STUCK for commit in spec.commits) else 0


def write_resolved(path: Path, note: str) -> int:
    """Add ``resolved`` to the stuck commit. Raises Fatal when none is stuck."""
    specfile = SpecFile.load(path)
    if not note.strip():
        raise Fatal("the note is empty", hint="say what you changed: it is shown to the engine")
    for index, commit in enumerate(specfile.spec.commits):
        if commit.status is Status.STUCK:
            specfile.append(index, Resolved(note))
            write_line(sys.stderr, f"Noted at commit {index + 1}: {printable(commit.subject)}")
            write_line(sys.stderr, f"hint: 'git retcon {shell_word(str(path))}' goes on")
            return 0
    raise Fatal(f"no commit of '{path}' is stuck", hint="'git retcon status' shows them all")


def _lines(spec: Spec, style: Style) -> Iterator[str]:
    done = sum(commit.status is Status.COMPLETE for commit in spec.commits)
    total = len(spec.commits)
    yield f"{printable(spec.cleaned)}: {done} of {total} commits complete"
    for index, commit in enumerate(spec.commits):
        wips = max(0, len(commit.commits) - 1)
        extra = f" ({wips} WIP)" if wips else ""
        paint = {Status.COMPLETE: style.good, Status.STUCK: style.bad}.get(commit.status, str)
        mark = paint(_MARKS[commit.status])
        yield f"{mark} {index + 1}. {printable(commit.subject)} [{commit.status.value}]{extra}"
        if commit.status is Status.STUCK and isinstance(commit.history[-1], Stuck):
            yield f"     {printable(commit.history[-1].summary)}"


def _json(path: Path, spec: Spec) -> dict[str, object]:
    return {
        "version": 1,
        "spec": str(path),
        "source": spec.source,
        "remote": spec.remote,
        "cleaned": spec.cleaned,
        "commits": [
            {
                "subject": commit.subject,
                "status": commit.status.value,
                "commits": list(commit.commits),
                "stuck": commit.history[-1].summary
                if commit.history and isinstance(commit.history[-1], Stuck)
                else None,
            }
            for commit in spec.commits
        ],
    }
