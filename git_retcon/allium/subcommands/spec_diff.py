"""``git allium diff`` and ``git allium map``: two specifications, and whose a commit is."""

import sys

from git_retcon.allium.store.declared_facts import compare_stores
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.allium.subcommands.spec_views import SpecView, find_spec, open_view
from git_retcon.errors import Reason, WrongUsage
from git_retcon.git.graph import tree_of
from git_retcon.options import Output
from git_retcon.show.envelope import DONE, FAILED, Ending, Failure
from git_retcon.show.style import printable, show_path, write_line

_SIGNS = {"added": "+", "removed": "-", "changed": "~"}


def show_differences(revisions: str, output: Output, *, is_failure: bool) -> Ending:
    """What differs between the specifications of two commits, by declaration. ``is_failure``: a
    difference is an exit status of 1.
    """
    one, dots, other = revisions.partition("..")
    if not dots or other.startswith("."):
        raise WrongUsage("two commits are compared", hint="give them as A..B")
    view = open_view()
    before, after = (_read_store(view, name or "HEAD") for name in (one, other))
    changes = compare_stores(before, after)
    if not output.json:
        for each in changes:
            line = f"{_SIGNS[each.kind]} {show_path(each.module)} {each.summary}"
            write_line(sys.stdout, printable(line))
    data = {
        "changes": [
            {
                "module": show_path(each.module),
                "kind": each.kind,
                "declaration": f"{each.name[0]} {each.name[1]}".strip(),
                "item": each.name[2],
                "before": each.before,
                "after": each.after,
            }
            for each in changes
        ]
    }
    if changes and is_failure:
        return Ending(FAILED, data, Failure(Reason.INVALID, "the specifications differ", ""))
    return Ending(DONE, data)


def show_mapping(revision: str, output: Output) -> Ending:
    """The spec commit of a source commit, or the source commit of a spec commit."""
    view = open_view()
    spec = find_spec(view, revision)
    source = view.read_source(spec)
    if not output.json:
        write_line(sys.stdout, f"{source} {spec}")
    return Ending(DONE, {"source": source, "spec": spec})


def _read_store(view: SpecView, revision: str) -> SpecStore:
    spec = find_spec(view, revision)
    return SpecTrees(view.repository).read(tree_of(view.repository, spec)).store
