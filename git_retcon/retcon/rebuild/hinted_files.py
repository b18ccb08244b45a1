"""Files that hints name in vain: misspelt ones, and ones that an earlier commit has already."""

from collections.abc import Iterator, Mapping

from git_retcon.git.difference import Difference
from git_retcon.git.repository import Repository
from git_retcon.retcon.branch.branch_state import Rewind
from git_retcon.retcon.branch.progress import Position
from git_retcon.retcon.hints.hint import read_hint
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Status
from git_retcon.retcon.spec.model import Spec
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path
from git_retcon.show.suggestion import find_similar_path

_MOST_NAMED = 3


def check_hinted_files(
    repository: Repository, specfile: SpecFile, pending: Spec, difference: Difference
) -> Iterator[str]:
    """A warning for hints of a commit still to be built that name a file which is nowhere.
    ``difference`` is from the base to the source.

    What is like a changed file is misspelt. Of other names only those are said that are all that
    the hints name: "Node.js" is no file, and looks like one.
    """
    wanted = _read_hinted(pending)
    if not any(wanted.values()):
        return
    changed = _list_names(difference)
    endings = {name.rpartition(".")[2] for name in changed}
    lacking = {
        at: {name for name in names - changed.keys() if name.rpartition(".")[2] in endings}
        for at, names in wanted.items()
    }
    if not any(lacking.values()):
        return
    # Late: most hints name changed files alone.
    there = _list_tree(repository, difference)
    for at, names in lacking.items():
        meant = {name: find_similar_path(name, frozenset(changed)) for name in names - there}
        is_vain = not wanted[at] & (changed.keys() | there)
        for name, similar in sorted(meant.items()):
            if similar is not None or is_vain:
                said = f"; did you mean '{similar}'?" if similar is not None else ""
                line = specfile.find_key(at, "hints")
                yield f"{specfile.path}:{line}: hints: there is no file '{name}'{said}"


def find_taken_files(
    specfile: SpecFile, pending: Spec, position: Position, rewind: Rewind | None
) -> Iterator[str]:
    """A warning for hints of a commit that is built again because the spec changed, if they name
    a file all of whose hunks stay in commits before it."""
    if rewind is None:
        return
    taken, changed = position.taken, _list_names(position.difference)
    for at, names in _read_hinted(pending).items():
        for path in sorted(path for name in names for path in changed.get(name, ())):
            hunks = [atom.id for atom in position.difference.atoms if atom.path == path]
            if hunks and at >= rewind.index and all(each in taken for each in hunks):
                holders = some_of(sorted({str(taken[each] + 1) for each in hunks}), _MOST_NAMED)
                yield (
                    f"{specfile.path}:{specfile.find_key(at, 'hints')}: hints: the hunks of "
                    f"'{show_path(path)}' stay in commit {holders}; 'git retcon edit' moves them, "
                    "and builds again from there"
                )


def _read_hinted(pending: Spec) -> Mapping[int, frozenset[str]]:
    """The names of files in the hints of each commit that is not complete, by its position."""
    return {
        at: read_hint(commit.hints).wanted.files
        for at, commit in enumerate(pending.commits)
        if commit.hints and commit.status is not Status.COMPLETE
    }


def _list_names(difference: Difference) -> Mapping[str, set[bytes]]:
    """The changed files by their base name in lower case."""
    found: dict[str, set[bytes]] = {}
    for atom in difference.atoms:
        for path in {atom.path, *(entry.path for entry in atom.entries)}:
            found.setdefault(_take_name(path), set()).add(path)
    return found


def _list_tree(repository: Repository, difference: Difference) -> frozenset[str]:
    """The base names, in lower case, of the files before and after."""
    trees = (difference.base, difference.target)
    return frozenset(_take_name(path) for tree in trees for path, _ in repository.trees.files(tree))


def _take_name(path: bytes) -> str:
    return path.rpartition(b"/")[2].decode("utf-8", "replace").lower()
