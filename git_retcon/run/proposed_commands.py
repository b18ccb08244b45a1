"""Which commands would build and test a project, judged by the files at its top."""

from collections.abc import Callable, Collection, Sequence

from git_retcon.code.languages.known import known_files
from git_retcon.code.languages.language import Proposal, Sign
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

    A command is proposed only where the project shows that it has what it runs: a draft that
    begins with a command which must fail, or with a ``make`` that deploys, is no help. The first
    driver with a command decides; where it tests and does not build, a later one builds.
    """
    known = [each for files in known_files() for each in files.proposals]
    fitting = [
        fit
        for name, proposal in known
        if name in names and (fit := _keep_fitting(proposal, names, read))
    ]
    if fitting:
        build = next((each.build for each in fitting if each.build), "")
        return Proposal(build, fitting[0].test)
    for name, proposal in known:  # with no driver at all, files of a language are a sign too
        if name[:1] == b"*" and any(each.endswith(name[1:]) for each in names):
            return proposal
    return None


def _keep_fitting(
    proposal: Proposal, names: Collection[bytes], read: Callable[[bytes], bytes | None]
) -> Proposal | None:
    """The commands of a proposal whose signs are there; None where that is none."""
    build = proposal.build if _shows(proposal.build_sign, names, read) else ""
    test = proposal.test if _shows(proposal.test_sign, names, read) else ""
    return Proposal(build, test) if build or test else None


def _shows(
    sign: Sign | None, names: Collection[bytes], read: Callable[[bytes], bytes | None]
) -> bool:
    if sign is None:
        return True
    text = read(sign.file) if sign.file else b"\n".join(names)
    if text is not None and sign.keys:
        text = _read_json_text(text, sign.keys)
    return text is not None and sign.pattern.search(text) is not None


def _read_json_text(content: bytes, keys: Sequence[str]) -> bytes | None:
    """The text at some keys of a JSON file; None where that is none, or the file no JSON."""
    # Late: most runs propose nothing.
    import json

    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found.encode("utf-8", "surrogatepass") if isinstance(found, str) else None
