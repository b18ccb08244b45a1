"""The changed scripts that node can no longer parse: asked for where a failed step names no place.

A build script may swallow what its parser says and fail later, with words about itself alone. Only
a file that node parsed before the change is judged, as the kind of module that it was then: what
is in a language of its own, such as JSX, never is.
"""

import functools
import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.git.graph import is_commit, read_commit, tree_of
from git_retcon.git.trees import Entry
from git_retcon.heal.check_situation import Checkout, Situation, list_changes

if TYPE_CHECKING:
    from git_retcon.code.diagnostics.diagnostic import Diagnostic

_ENDINGS = (b".js", b".mjs", b".cjs")
_MOST = 20  # files, of which each takes up to four processes
_LARGEST = 1 << 20  # bytes


class ChangedScript(NamedTuple):
    """A script as the last commit has it, and as it is now."""

    path: bytes
    before: bytes
    after: bytes


def make_suspicion(situation: Situation) -> Callable[[], Sequence["Diagnostic"]]:
    """What finds the complaints, once, and only while the state is held."""

    @functools.cache
    def find() -> Sequence["Diagnostic"]:
        node = shutil.which("node", path=situation.caller.get("PATH"))
        return list(find_unparsed(_list_scripts(situation), node)) if node else ()

    return find


def find_unparsed(scripts: Sequence[ChangedScript], node: str) -> Iterator["Diagnostic"]:
    """What node says of those that it parsed before and no longer parses."""
    for script in scripts:
        try:
            said = _find_new_error(script, node)
        except (OSError, ValueError):  # no answer is no complaint
            continue
        if said is not None:
            message = f"{said.message} (by node --check of the changed files: no place was named)"
            yield said._replace(path=script.path, message=message, stack=())


def _find_new_error(script: ChangedScript, node: str) -> "Diagnostic | None":
    """The complaint of a script that is no module of a kind it was before."""
    from git_retcon.run.script_syntax import ModuleKind, find_syntax_error

    earlier = [kind for kind in ModuleKind if find_syntax_error(node, script.before, kind) is None]
    found = [find_syntax_error(node, script.after, kind) for kind in earlier]
    return found[0] if found and None not in found else None


def _list_scripts(situation: Situation) -> Sequence[ChangedScript]:
    """The scripts that differ from the last commit, or, in one as it is, from its first parent."""
    checkout, state = situation.checkout, situation.state
    if not state.commit:
        return ()
    before = state.commit
    if tree_of(checkout.repository, before) == state.tree:
        parents = read_commit(checkout.repository, before).parents
        if not parents or not is_commit(checkout.repository, parents[0]):
            return ()
        before = parents[0]
    found = (
        ChangedScript(
            change.path, _read_script(checkout, change.old), _read_script(checkout, change.new)
        )
        for change in list_changes(checkout, state, before)
        if change.path.endswith(_ENDINGS) and change.old and change.new
    )
    return [one for one in found if one.before and one.after][:_MOST]


def _read_script(checkout: Checkout, entry: Entry) -> bytes:
    """A file's content; nothing of what is too large or no file."""
    objects = checkout.repository.objects.odb
    if not entry.is_file or objects.read_header(entry.oid)[1] > _LARGEST:
        return b""
    content: bytes = objects.read(entry.oid)[1]
    return content
