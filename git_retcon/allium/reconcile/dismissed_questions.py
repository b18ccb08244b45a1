"""Questions that people took out of a specification, and so answered: none is asked again, in any
words, until what the source says of it changes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from git_retcon.allium.engine import Finding
from git_retcon.allium.history.spec_branch import find_spec_commit
from git_retcon.allium.reconcile.hand_edits import list_versions_by_hand
from git_retcon.allium.store.block_items import name_wholes
from git_retcon.allium.store.contradictions import QUESTION, find_section, find_source
from git_retcon.allium.store.declared_facts import FactName, read_facts
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.module_text import (
    MARKER,
    DeclarationText,
    cut_module,
    list_cited_paths,
)
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.git.graph import Commit, is_commit, read_commit
from git_retcon.git.repository import Repository

# (source commit, path) → what the file declares there; None where it cannot be read.
ReadDeclared = Callable[[Commit, bytes], Sequence[DeclarationText] | None]


class Dismissal(NamedTuple):
    """A question that somebody took out: the file that it named, "" for none, and the source commit
    that the specification described then.
    """

    path: str
    commit: Commit


def has_dismissals(hand_edits: AbstractSet[FactName]) -> bool:
    """Whether people changed any question: then it is worth to look which ones they took out."""
    return any(kind == QUESTION for kind, _, _ in hand_edits)


def find_dismissals(repository: Repository, tips: Sequence[str]) -> Mapping[str, Dismissal]:
    """The sections about which a question was taken out in all that these spec commits come from;
    the last time counts.
    """
    found: dict[str, Dismissal] = {}
    for commit, befores, after in list_versions_by_hand(repository, tips):
        # A merge by hand that took a side without it answers nothing: that side may have done so.
        first, *others = map(_list_asked, befores)
        asked = {each: path for each, path in first.items() if all(each in e for e in others)}
        gone = asked.keys() - _list_asked(after).keys() - found.keys()
        spec = find_spec_commit(repository, commit.oid) if gone else None
        if spec is not None and is_commit(repository, spec.source):
            source = read_commit(repository, spec.source)
            found.update((section, Dismissal(asked[section], source)) for section in sorted(gone))
    return found


def _list_asked(store: SpecStore) -> Mapping[str, str]:
    """Each section that is asked about, with the file that the question names."""
    texts = {MASTER: store.master_spec(), **store.all_modules()}
    return {
        section: find_source(each) or ""
        for text in texts.values()
        if QUESTION.encode() in text
        for each in cut_module(text).declarations
        if (section := find_section(each)) is not None
    }


def select_dismissed(
    findings: Sequence[Finding],
    dismissals: Mapping[str, Dismissal],
    read: ReadDeclared,
    commit: Commit,
) -> Iterator[str]:
    """The sections of those findings whose question was taken out, and of which the source says in
    ``commit`` what it said then.
    """
    for finding in findings:
        declaration, _, item = finding.section.partition(": ")
        wholes = name_wholes(item) if item else {""}
        for whole in sorted(wholes):
            dismissal = dismissals.get(f"{declaration}: {whole}" if whole else declaration)
            if dismissal is None:
                continue
            name = declaration.rpartition(" ")[2]
            paths = [*dict.fromkeys((*finding.paths, dismissal.path))]
            then = _read_said(read, dismissal.commit, paths[::-1], name, whole)
            if then == _read_said(read, commit, paths, name, whole):
                yield finding.section
                break


def _read_said(
    read: ReadDeclared, commit: Commit, paths: Sequence[str], name: str, whole: str
) -> Mapping[str, str] | None:
    """What the first of these files that declares it says of an item; None where none does."""
    for path in (path for shown in paths if shown for path in list_cited_paths(shown)):
        for each in read(commit, path) or ():
            if each.name == name:
                facts = read_facts(MARKER + each.text)
                return {
                    item: said
                    for (_, _, item), said in facts.items()
                    if not whole or whole in name_wholes(item)
                }
    return None
