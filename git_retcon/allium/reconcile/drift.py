"""Where a specification and its source have gone apart, with both places, and what of that somebody
has accepted.

A divergence is known again by what the specification and the source say of it, not by paths and
lines: an unrelated edit changes nothing, nor does another field of its class, and an edit of that
code makes it new.
"""

import functools
import hashlib
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from git_retcon.allium.engine import Checkpoint, Finding, FindingType, Grounding, Reconciler
from git_retcon.allium.history.spec_commit import ACCEPTS
from git_retcon.allium.reconcile.dismissed_questions import (
    Dismissal,
    find_dismissals,
    has_dismissals,
    select_dismissed,
)
from git_retcon.allium.reconcile.hand_edits import ALIKE
from git_retcon.allium.reconcile.offline_reconciler import (
    Comparison,
    Declarations,
    OfflineReconciler,
)
from git_retcon.allium.reconcile.positions import NOWHERE, Position, SourcePositions
from git_retcon.allium.store.declared_facts import read_facts
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.module_text import (
    MARKER,
    cut_module,
    find_cited_path,
    list_cited_paths,
)
from git_retcon.allium.store.spec_store import FOLDER, SpecStore
from git_retcon.git.graph import Commit
from git_retcon.git.repository import Repository

_ANCHOR = 16  # hexadecimal digits


class Divergence(NamedTuple):
    """One finding, and where it is on both sides; ``anchor`` is what it is known by."""

    finding: Finding
    source: Position
    spec: Position
    anchor: str


class Drift(NamedTuple):
    """The divergences that nobody has accepted, by their anchors, and the files that could not be
    read, with the reason. ``is_asked``: a reconciliation only asks about all of them.
    """

    found: Mapping[str, Divergence]
    skipped: Sequence[tuple[bytes, str]]
    is_asked: bool


def find_drift(
    repository: Repository, reconciler: OfflineReconciler, checkpoint: Checkpoint, tip: str
) -> Drift:
    """Compare all of the source with a specification of the spec branch that ends in ``tip``."""
    plain = _compare_all(checkpoint)
    comparison = reconciler.compare(plain)
    found = _locate_findings(repository, plain, comparison)
    answers = _find_answers(repository, checkpoint, [tip])
    settled = answers.select_settled(comparison, checkpoint, found)
    left = {each.anchor: each for each in found if each.finding.section not in settled}
    is_asked = False
    if left:
        heeding = checkpoint._replace(base=None, accepted=settled)
        asked = {e.section for e in reconciler.compare(heeding).grounding.findings if e.question}
        is_asked = all(each.finding.section in asked for each in left.values())
    return Drift(left, comparison.grounding.skipped_files, is_asked)


def _compare_all(checkpoint: Checkpoint) -> Checkpoint:
    """The same beside all of the source, with what people wrote like all else."""
    return checkpoint._replace(base=None, hand_edits=frozenset())


class _Answers(NamedTuple):
    """What people decided on a spec branch: the anchors that they accepted, and the questions that
    they took out.
    """

    anchors: AbstractSet[str]
    dismissals: Mapping[str, Dismissal]

    def select_settled(
        self, comparison: Comparison, checkpoint: Checkpoint, found: Iterable[Divergence]
    ) -> AbstractSet[str]:
        """The sections in which they differ as somebody wants it."""
        accepted = {each.finding.section for each in found if each.anchor in self.anchors}
        findings, read = comparison.grounding.findings, comparison.declarations.read
        commit = checkpoint.commit
        return accepted | {*select_dismissed(findings, self.dismissals, read, commit)}


def _find_answers(repository: Repository, checkpoint: Checkpoint, tips: Sequence[str]) -> _Answers:
    has_any = has_dismissals(checkpoint.hand_edits)
    dismissals = find_dismissals(repository, tips) if has_any else {}
    return _Answers(list_accepted(repository, tips), dismissals)


def _locate_findings(
    repository: Repository, checkpoint: Checkpoint, comparison: Comparison
) -> Sequence[Divergence]:
    grounding, declared, store = comparison[:3]
    commit = checkpoint.commit
    places = _Places(repository, commit.tree, checkpoint.store, store)
    shapes = _Shapes(declared, commit)
    found = [
        Divergence(
            finding,
            places.find_source(finding),
            places.find_spec(finding),
            _make_anchor(finding, shapes.describe(finding), _read_fact(store, finding)),
        )
        for finding in grounding.findings
    ]
    return sorted(found, key=lambda each: (each.source, each.finding.section))


def list_accepted(repository: Repository, tips: Sequence[str]) -> AbstractSet[str]:
    """The anchors that somebody accepted in all that these spec commits come from."""
    if not tips:
        return frozenset()
    # git reads the messages: a branch has as many commits as its source.
    listing = repository.git.run("log", f"--grep=^{ACCEPTS}: ", "--format=%B", *tips, "--")
    pattern = re.compile(rf"(?m)^{ACCEPTS}: ([0-9a-f]{{{_ANCHOR}}})\b")
    return frozenset(pattern.findall(listing.decode("utf-8", "replace")))


def _make_anchor(finding: Finding, source: str, spec: str) -> str:
    # In which module a type is does not count: a file that moves changes no declaration.
    said = _alias_pattern().sub("", "\0".join([finding.type.value, finding.section, source, spec]))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:_ANCHOR]


@functools.cache
def _alias_pattern() -> "re.Pattern[str]":
    return re.compile(r"\b[a-z_]\w*/(?=[A-Z])")


def _split_section(section: str) -> tuple[str, str]:
    """The declaration that a section names, and what it is in it."""
    declaration, _, item = section.partition(": ")
    return declaration, item


def _name_alike(declaration: str) -> Iterator[str]:
    yield declaration
    kind, _, name = declaration.partition(" ")
    if kind in ALIKE:
        yield f"{ALIKE[kind]} {name}"


def _list_named(text: bytes, declaration: str) -> Iterator[tuple[bytes, bytes]]:
    """The declarations of this title in a module: their text, and all before it."""
    for each in cut_module(text).declarations:
        if f"{each.kind} {each.name}".strip() == declaration:
            yield each.text, text[: text.find(each.text)]


def _read_text(store: SpecStore, module: bytes) -> bytes:
    return store.master_spec() if module == MASTER else store.module_spec(module) or b""


def _read_fact(store: SpecStore, finding: Finding) -> str:
    """What the specification says of a finding's section."""
    declaration, item = _split_section(finding.section)
    for text, _ in _list_named(_read_text(store, finding.module), declaration):
        facts = read_facts(MARKER + text)
        said = [
            f"{name[2]}={value}" for name, value in facts.items() if not item or name[2] == item
        ]
        return "\n".join(sorted(said))
    return ""


def _find_part(item: str) -> str:
    """The part of a declaration whose code an item is of: its field or value. "" is all of it, as
    of a clause, which is of the whole operation.
    """
    found = re.match(r"(?:field|state|edge|terminal) (\w+)", item)
    return found[1] if found else item if item.startswith("value ") else ""


class _Shapes:
    """What source files declare, as facts."""

    def __init__(self, declared: Declarations, commit: Commit) -> None:
        self._declared = declared
        self._commit = commit

    def describe(self, finding: Finding) -> str:
        """What a finding is about as its source gives it, "" where it does not."""
        declaration, item = _split_section(finding.section)
        part = _find_part(item)
        name = declaration.rpartition(" ")[2]
        for file in (file for path in finding.paths for file in list_cited_paths(path)):
            for each in self._declared.read(self._commit, file) or ():
                if each.name == name:
                    facts = read_facts(MARKER + each.text)
                    said = (
                        f"{key[2]}={value}"
                        for key, value in facts.items()
                        if not part or _find_part(key[2]) == part
                    )
                    return "\n".join(sorted(said))
        return ""


class _Places:
    """Finds the lines of sections. ``followed`` is the specification after its sources moved."""

    def __init__(
        self, repository: Repository, tree: str, store: SpecStore, followed: SpecStore
    ) -> None:
        self._source = SourcePositions(repository, tree)
        self._store = store
        self._followed = followed

    def find_source(self, finding: Finding) -> Position:
        """The definition that a finding is about, else the first line of its file."""
        if not finding.paths:
            return NOWHERE
        path = find_cited_path(finding.paths[0], self._source.has_file)
        _, item = _split_section(finding.section)
        # What the source does not say has no line there but that of its declaration.
        word = "" if finding.type is FindingType.REMOVAL else item
        return self._source.find(path, finding.symbol, word)

    def find_spec(self, finding: Finding) -> Position:
        """The declaration or the item in the specification, else the first line of its module."""
        declaration, item = _split_section(finding.section)
        module = self._find_module(finding.module, declaration)
        text = _read_text(self._store, module)
        # A value that is an entity in its source now is a value here.
        named = (e for title in _name_alike(declaration) for e in _list_named(text, title))
        path = FOLDER + module if module else b""
        for own, before in named:
            lines = own.split(b"\n")
            at = next((n for n, line in enumerate(lines) if not line.startswith(b"--")), 0)
            words = re.findall(r"\w+", item)
            if words and finding.type is not FindingType.ADDITION:
                pattern = re.compile(rb"\b%b\b" % re.escape(words[-1].encode()))
                at = next((n for n in range(at + 1, len(lines)) if pattern.search(lines[n])), at)
            return Position(path, before.count(b"\n") + at + 1)
        return Position(path, 1)

    def _find_module(self, module: bytes, declaration: str) -> bytes:
        """The module that people have a declaration in: where it was, if its source moved."""

        def has(store: SpecStore, path: bytes) -> bool:
            return any(_list_named(_read_text(store, path), declaration))

        if self._followed is self._store or has(self._store, module):
            return module
        left = (each for each in sorted(self._store.all_modules()) if not has(self._followed, each))
        return next((each for each in left if has(self._store, each)), module)


def find_accepted(
    repository: Repository,
    reconciler: OfflineReconciler,
    checkpoint: Checkpoint,
    tips: Sequence[str],
) -> AbstractSet[str]:
    """The sections in which somebody accepted what differs now, in what these spec commits come
    from: in so many words, or by taking the question about it out.
    """
    answers = _find_answers(repository, checkpoint, tips)
    if not any(answers):
        return frozenset()
    # As it was compared when it was accepted: all of the source, with what people wrote.
    plain = _compare_all(checkpoint)
    comparison = reconciler.compare(plain)
    found = _locate_findings(repository, plain, comparison) if answers.anchors else ()
    return answers.select_settled(comparison, plain, found)


class HeedingReconciler:
    """A reconciler that leaves as it is what somebody accepted in what these spec commits come
    from.
    """

    def __init__(
        self,
        repository: Repository,
        inner: Reconciler,
        offline: OfflineReconciler,
        tips: Sequence[str],
    ) -> None:
        self._repository = repository
        self._inner = inner
        self._offline = offline
        self._tips = tips
        # Segments reach their checkpoints in several threads, and a reader of source keeps files.
        self._lock = threading.Lock()

    def reconcile(self, checkpoint: Checkpoint) -> Grounding:
        """As ``Reconciler``."""
        with self._lock:
            accepted = find_accepted(self._repository, self._offline, checkpoint, self._tips)
        return self._inner.reconcile(checkpoint._replace(accepted=accepted))
