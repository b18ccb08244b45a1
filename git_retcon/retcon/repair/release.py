"""What a failing commit could do without: hunks of its own that a later commit may have instead.

A test that was planned too early would draw the code of another commit forward. To release the
test is the other way, and both are weighed: by how sure each placement is, and how much moves.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.code.filenames import find_import_name
from git_retcon.code.languages.known import language_of
from git_retcon.code.symbols import find_outermost
from git_retcon.git.atoms import Atom, Kind
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.hints.words import WORD
from git_retcon.retcon.repair.claims import find_pinned
from git_retcon.retcon.repair.closure import find_closure
from git_retcon.retcon.repair.inventory import Inventory, decode_name
from git_retcon.retcon.repair.wording import list_words
from git_retcon.retcon.spec.history import Status
from git_retcon.retcon.spec.model import LogicalCommit
from git_retcon.run.failure import Failure

# What is surer than this leaves its commit for another's sake only where nothing else helps.
STRONG = 0.8
_UNKNOWN = 0.5  # how sure a placement is that no plan has weighed
# Each hunk of a larger commit would have to be asked what it needs.
_MOST_CLOSED = 400
_OUTPUT_WORD = re.compile(rb"\w+")


class Releases:
    """The hunks of the commit in work, and what it costs to part with some of them."""

    def __init__(self, situation: Situation, failure: Failure) -> None:
        self._situation = situation
        self._failure = failure
        index = situation.index
        own = {atom for atom, at in situation.taken.items() if at == index}
        before = {atom: at for atom, at in situation.taken.items() if at != index}
        # As if nothing of the commit were there: its own hunks can then be asked what they need.
        self._inventory = Inventory(replace(situation, taken=before))
        self._closures: dict[str, frozenset[str]] = {}
        self.own = tuple(atom for atom in self._inventory.left if atom.id in own)

    def list_candidates(self, pulled: frozenset[str]) -> list[frozenset[str]]:
        """Sets of hunks that may be released, the likeliest first: what the errors are in, what
        needs the hunks that would be ``pulled`` otherwise, and both."""
        if not self._may_release:
            return []
        failing = frozenset(
            atom for each in self._failure.diagnostics for atom in self._find_failing(each)
        ) | frozenset(self._find_failing_tests())
        needing = frozenset(atom.id for atom in self.own if self._close(atom.id) & pulled)
        found: dict[frozenset[str], None] = {}
        for seeds in (failing, needing, failing | needing):
            whole = self._add_dependents(seeds & self._movable)
            if whole and whole <= self._movable and self._leaves_enough(whole):
                found.setdefault(whole)
        return list(found)

    def select_planned_later(self, atoms: frozenset[str]) -> frozenset[str]:
        """Those hunks that a later commit would lose."""
        here, planned = self._situation.index, self._situation.planned
        return frozenset(atom for atom in atoms if planned.get(atom, here) > here)

    def describe(self, atoms: frozenset[str]) -> str:
        """What releasing some hunks does, for the subject of a WIP commit."""
        found = [atom for atom in self.own if atom.id in atoms]
        names = dict.fromkeys(name for atom in found for name in self._name_definition(atom))
        paths = dict.fromkeys(decode_name(atom.path) for atom in found)
        what = f"{list_words(names)} of " if names else "changes of "
        return f"leave {what}{list_words(paths)} for later"

    def _name_definition(self, atom: Atom) -> Iterator[str]:
        """The innermost definition that an atom is in or begins."""
        defined = sorted(find_outermost(atom.added, language_of(atom.path)))
        yield from defined or filter(None, [atom.scope.rpartition(".")[2]])

    def measure(self, atoms: frozenset[str]) -> float:
        """The lines that probably move to a wrong commit with these hunks."""
        difference, sure = self._situation.difference, self._situation.sure
        return sum(difference[atom].size * sure.get(atom, _UNKNOWN) for atom in atoms)

    def is_strong(self, atom: str) -> bool:
        """Whether the plan is sure of a hunk's commit."""
        return self._situation.sure.get(atom, 0.0) >= STRONG

    def robs_commit(self, pulled: frozenset[str]) -> bool:
        """Whether these hunks would leave a later commit empty, or without what its message
        names."""
        situation = self._situation
        for index in range(situation.index + 1, len(situation.spec.commits)):
            planned = [atom for atom in situation.left if situation.planned.get(atom.id) == index]
            taken = [atom for atom in planned if atom.id in pulled]
            rest = [atom for atom in planned if atom.id not in pulled]
            if taken and (not rest or self._loses_names(index, taken, rest)):
                return True
        return False

    def find_emptied(self, pulled: frozenset[str]) -> int | None:
        """The first later commit that these hunks would leave with nothing, by its index."""
        situation = self._situation
        for index in range(situation.index + 1, len(situation.spec.commits)):
            planned = {a.id for a in situation.left if situation.planned.get(a.id) == index}
            if planned and planned <= pulled:
                return index
        return None

    @functools.cached_property
    def _may_release(self) -> bool:
        """Whether a plan has weighed the commit, and another one comes after it."""
        return bool(self._situation.sure) and bool(self._later)

    @functools.cached_property
    def _later(self) -> Sequence[LogicalCommit]:
        """The commits that may have what this one leaves."""
        spec, here = self._situation.spec, self._situation.index
        return [
            commit
            for at, commit in enumerate(spec.commits)
            if at > here and commit.status is not Status.COMPLETE and not spec.is_leftover(at)
        ]

    @functools.cached_property
    def _movable(self) -> frozenset[str]:
        """What neither a pin nor ``files`` gives to the commit outright, and a later one may
        have."""
        pins = find_pinned(replace(self._situation, taken={}))
        here = self._situation.spec.commits[self._situation.index]
        return frozenset(
            atom.id
            for atom in self.own
            if atom.id not in pins
            and not here.claims(atom.path, self._situation.case)
            and any(each.may_hold(atom.path, self._situation.case) for each in self._later)
        )

    def _find_failing(self, diagnostic: Diagnostic) -> Iterator[str]:
        """The hunks that a complaint is about: those at its place, and those in its file that use
        what it lacks."""
        path = self._inventory.path(diagnostic.path)
        names = {*diagnostic.missing}
        names |= {decode_name(find_import_name(each)) for each in diagnostic.wants_file}
        for atom in self.own:
            if path is not None and atom.path != path:
                continue
            added = self._inventory.find_added(atom)
            uses = names & (added.used | added.imports | added.modules)
            at_place = diagnostic.line is not None and self._holds_line(atom, diagnostic.line)
            if uses or (path is not None and at_place):
                yield from self._list_definition(atom)

    def _find_failing_tests(self) -> Iterator[str]:
        """The hunks of tests that the output names."""
        words = frozenset(_OUTPUT_WORD.findall(self._failure.output))
        for atom in self.own:
            names = {name.encode() for name in _list_names(self._inventory, atom)}
            is_test = FileClass.TEST in file_classes(atom.path)
            if is_test and any(name.lower().startswith(b"test") for name in names & words):
                yield from self._list_definition(atom)

    def _list_definition(self, atom: Atom) -> Iterator[str]:
        """A hunk with the others of the commit in the same definition, where it adds that."""
        yield atom.id
        if not atom.scope or atom.removed:
            return
        for other in self.own:
            if (other.path, other.scope) == (atom.path, atom.scope) and not other.removed:
                yield other.id

    def _holds_line(self, atom: Atom, line: int) -> bool:
        """Whether a line of the tree as it is, from 1, is one that an atom adds."""
        if atom.kind is not Kind.LINES:
            return False
        taken = self._situation.taken
        shift = sum(
            len(other.new) - len(other.old)
            for other in self._situation.difference.atoms
            if other.path == atom.path
            and other.kind is Kind.LINES
            and other.id in taken
            and (other.old.start, other.new.start) < (atom.old.start, atom.new.start)
        )
        first = atom.old.start + shift
        return first <= line - 1 < first + len(atom.new)

    def _add_dependents(self, atoms: frozenset[str]) -> frozenset[str]:
        """The hunks with those of the commit that need one of them."""
        found = atoms
        while more := frozenset(
            atom.id
            for atom in (self.own if found else ())
            if atom.id not in found and self._close(atom.id) & found
        ):
            found |= more
        return found

    def _close(self, atom: str) -> frozenset[str]:
        """A hunk with all that it needs, as if nothing of the commit were there."""
        if len(self.own) > _MOST_CLOSED:
            return frozenset((atom,))
        if atom not in self._closures:
            self._closures[atom] = find_closure(self._inventory, (atom,))
        return self._closures[atom]

    def _leaves_enough(self, released: frozenset[str]) -> bool:
        """Whether the commit is not emptied, and keeps what its message names."""
        gone = [atom for atom in self.own if atom.id in released]
        rest = [atom for atom in self.own if atom.id not in released]
        return bool(rest) and not self._loses_names(self._situation.index, gone, rest)

    def _loses_names(self, index: int, gone: Sequence[Atom], rest: Sequence[Atom]) -> bool:
        """Whether all that a commit's message names of some kind is among what goes."""
        commit = self._situation.spec.commits[index]
        words = {*WORD.findall(commit.message)}
        lost = {name for atom in gone for name in _list_names(self._inventory, atom)}
        kept = {name for atom in rest for name in _list_names(self._inventory, atom)}
        return bool((lost - kept) & words)


def _list_names(inventory: Inventory, atom: Atom) -> Iterator[str]:
    """What a message may call a hunk by: the definitions it is in or makes, and its file."""
    yield from (name for name in atom.scope.split(".") if name)
    yield from inventory.find_added(atom).defined
    yield from inventory.find_removed(atom).defined
    yield decode_name(atom.path.rpartition(b"/")[2])
