"""Workflows written in tests, and their parts."""

import re
import textwrap

from git_retcon.heal.workflows.reader import read_workflow
from git_retcon.heal.workflows.workflow import Job, Workflow

PATH = b".github/workflows/ci.yml"


def make_workflow(text: str) -> Workflow:
    """The workflow in a text, which must have no fault."""
    read = read_workflow(PATH, textwrap.dedent(text).encode())
    assert read.workflow is not None, [str(problem) for problem in read.problems]
    return read.workflow


def make_job(text: str) -> Job:
    """The one job of which a text has the fields; it runs on Linux if that is not said."""
    fields = textwrap.dedent(text)
    runs_on = (
        "" if re.search("^(runs-on|uses):", fields, re.MULTILINE) else "runs-on: ubuntu-latest\n"
    )
    inner = textwrap.indent(runs_on + fields, "    ")
    return make_workflow(f"on: push\njobs:\n  job:\n{inner}").jobs[0]
