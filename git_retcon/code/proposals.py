"""Which commands would build and test a project, judged by the files at its top."""

from collections.abc import Collection

from git_retcon.code.languages.known import known_files
from git_retcon.code.languages.language import Proposal


def propose_commands(names: Collection[bytes]) -> Proposal | None:
    """What fits the files at the top of a project, or None."""
    known = [each for files in known_files() for each in files.proposals]
    for name, proposal in known:
        if name in names:
            return proposal
    for name, proposal in known:  # with no driver at all, files of a language are a sign too
        if name[:1] == b"*" and any(each.endswith(name[1:]) for each in names):
            return proposal
    return None
