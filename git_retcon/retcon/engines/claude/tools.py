"""The tools a model has (reconstruction-loop.md, "Tools Provided to LLM"), and ``take_atoms``."""

import functools
from collections.abc import Callable, Collection, Iterator, Sequence

from git_retcon.git.atoms import Atom
from git_retcon.model.messages import Json
from git_retcon.model.tool_pages import clip_line, divide_into_pages, show_page
from git_retcon.model.tool_template import ToolTemplate
from git_retcon.model.toolloop import Tool, ToolFault
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.session import Session

# A difference of at most so many characters is shown whole, a larger one listed by file.
DIFF_LIMIT = 120_000

_STRING = {"type": "string"}
_STRINGS = {"type": "array", "items": _STRING, "maxItems": 5000}
_PAGE = {"type": "integer"}


def make_tools(session: Session, diff_limit: int = DIFF_LIMIT) -> tuple[Tool, ...]:
    """The seven tools for one session."""
    read_diff = ToolTemplate(
        "read_diff",
        "What is left between the branch (with what you took) and the source, as hunks with "
        "their ids. A large difference is listed by file: read it by path, or by ids.",
        functools.partial(_read_diff, limit=diff_limit),
        {"path": _STRING, "ids": _STRINGS, "page": _PAGE},
    )
    templates = (read_diff, *_list_templates(dict(session.bench.checks.commands.steps)))
    return tuple(template.on(session) for template in templates)


def _list_templates(steps: Collection[str]) -> Iterator[ToolTemplate[Session]]:
    yield ToolTemplate(
        "read_file",
        "A file of the tree so far: the branch with what you took and wrote.",
        _read_file,
        {"path": _STRING, "page": _PAGE},
        ("path",),
    )
    yield ToolTemplate(
        "take_atoms",
        "Take hunks into this commit by id, or all hunks of paths, or all that the planner has "
        "for this commit (proposed: true). 1f3a:1-22 is lines 1 to 22 of hunk 1f3a, removed "
        "lines counted before added ones. put_back returns hunks you took since the last commit, "
        "or releases hunks of a commit that fails to a later one.",
        _take_atoms,
        {"ids": _STRINGS, "paths": _STRINGS, "proposed": {"type": "boolean"}, "put_back": _STRINGS},
    )
    yield ToolTemplate(
        "write_file",
        "Write a whole file that must exist in between only, because no subset of hunks "
        "would build. Later commits undo it. Never for bytes that are in the source. A content "
        "of null takes back what you wrote there.",
        _write_file,
        {"path": _STRING, "content": {"type": ["string", "null"]}},
        ("path", "content"),
    )
    for name, step in (("run_build", "build"), ("run_tests", "test")):
        if step in steps:
            about = f"Run the {step} command on the tree so far."
            yield ToolTemplate(name, about, _make_runner(step))
    yield ToolTemplate(
        "create_commit",
        "End by committing what you took and wrote, and nothing else. The message counts only "
        "for a fix: a short subject that says what was added from where.",
        _create_commit,
        {"message": _STRING},
    )


def show_difference(display: Display, atoms: Sequence[Atom], limit: int, page: int = 1) -> str:
    """Hunks whole where they fit into ``limit`` characters, else listed by file."""
    if not atoms:
        return "nothing is left"
    length = sum(map(_measure_atom, atoms))
    if length <= limit:
        whole = "\n".join(display.show_hunks(atoms))
        if len(whole) <= limit:
            return whole
    head = f"{len(atoms)} hunks, too much to show at once; read_diff with a path:\n"
    return head + show_page(divide_into_pages(display.list_files(atoms)), page)


def _measure_atom(atom: Atom) -> int:
    return 60 + sum(map(len, atom.removed)) + sum(map(len, atom.added))


def _read_diff(session: Session, given: Json, limit: int) -> str:
    page = given.get("page", 1)
    if given.get("path"):
        atoms = session.workspace.atoms_of(given["path"])
    elif given.get("ids"):
        atoms = session.workspace.atoms(session.workspace.spell_out(given["ids"]))
    else:
        shown = show_difference(session.display, session.workspace.list_left(), limit, page)
        session.conversation.note("left", shown)
        return shown
    shown = show_page(divide_into_pages(session.display.show_hunks(atoms)), page)
    session.conversation.note("hunks", shown)
    return shown


def _read_file(session: Session, given: Json) -> str:
    text = session.workspace.read(given["path"])
    shown = show_page(divide_into_pages(map(clip_line, text.split("\n"))), given.get("page", 1))
    session.conversation.note("file", given["path"], shown)
    return shown


def _take_atoms(session: Session, given: Json) -> str:
    workspace = session.workspace
    ids, put_back = (workspace.spell_out(given.get(key, ())) for key in ("ids", "put_back"))
    named = [*ids, *put_back]
    unusable = list(workspace.divide(named))
    wanted = list(workspace.atoms(ids))
    faults: list[str] = []
    for path in given.get("paths", ()):
        try:
            wanted += workspace.atoms_of(path)
        except ToolFault as fault:  # what the other paths name is taken all the same
            faults.append(str(fault))
    if given.get("proposed"):
        here = workspace.situation.index
        placed = session.display.placements
        wanted += [
            atom
            for atom in workspace.list_left()
            if atom.id in placed
            and placed[atom.id].commit <= here
            and not workspace.excludes(atom.path)
            and atom.id not in workspace.foreign
        ]
    if not (named or given.get("paths") or given.get("proposed")):
        raise ToolFault("name hunks by ids, paths, proposed or put_back")
    new, gone = workspace.take(wanted), workspace.put_back(put_back)
    session.conversation.note("taken", frozenset(workspace.taken), frozenset(workspace.released))
    taken, left = len(workspace.taken), len(workspace.list_left())
    said = f"{new} taken, {gone} put back; {taken} in all, {left} left"
    faults += [*workspace.describe_barred(wanted), *unusable]
    if not unusable:
        faults.append(workspace.describe_unknown(named))
    if any(faults):
        raise ToolFault("; ".join([said, *filter(None, faults)]))
    return said


def _write_file(session: Session, given: Json) -> str:
    if given["content"] is None:
        session.workspace.unwrite(given["path"])
        return f"took back '{given['path']}'"
    session.workspace.write(given["path"], given["content"])
    session.conversation.note("written", given["path"], given["content"])
    return f"wrote '{given['path']}'; it runs in the sandbox, and a later commit undoes it"


def _make_runner(step: str) -> Callable[[Session, Json], str]:
    def run(session: Session, given: Json) -> str:
        workspace = session.workspace
        tree = workspace.tree
        said = session.bench.run(step, tree, workspace.bridges)
        session.conversation.note("ran", step, tree)
        return said

    return run


def _create_commit(session: Session, given: Json) -> str:
    if session.conversation.has_fault:
        raise ToolFault("not committed: a call before this one failed in the same turn")
    if not session.workspace.is_changed:
        raise ToolFault("nothing was taken or written, so there is nothing to commit")
    session.committed = True
    session.message = given.get("message", "")
    return "committed"
