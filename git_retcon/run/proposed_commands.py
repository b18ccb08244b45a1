"""Which commands would build and test a project, judged by the files at its top."""

from collections.abc import Callable, Collection

from git_retcon.code.languages.known import known_files
from git_retcon.code.languages.language import Proposal
from git_retcon.git.repository import Repository


def propose_for_tree(repository: Repository, tree: str) -> Proposal | None:
    """What fits the files of a tree, or None. Nobody runs it unasked."""
    entries = repository.trees.read(tree)

    def read_file(name: bytes) -> bytes | None:
        entry = entries.get(name)
        if entry is None or not entry.mode.startswith(b"100"):
            return None
        return repository.objects[entry.oid].read_raw()

    return propose_commands(entries.keys(), read_file)


def propose_commands(
    names: Collection[bytes], read: Callable[[bytes], bytes | None]
) -> Proposal | None:
    """What fits the files at the top of a project, or None. ``read`` gives the content of one.

    Tests are proposed only where the project shows that it has some: a draft that begins with a
    command which must fail is no help.
    """
    known = [each for files in known_files() for each in files.proposals]
    for name, proposal in known:
        if name in names:
            return proposal if _has_tests(proposal, names, read) else proposal._replace(test="")
    for name, proposal in known:  # with no driver at all, files of a language are a sign too
        if name[:1] == b"*" and any(each.endswith(name[1:]) for each in names):
            return proposal
    return None


def _has_tests(
    proposal: Proposal, names: Collection[bytes], read: Callable[[bytes], bytes | None]
) -> bool:
    if proposal.sign is None:
        return True
    file, pattern = proposal.sign
    text = read(file) if file else b"\n".join(names)
    return text is not None and pattern.search(text) is not None
