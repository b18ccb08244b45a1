"""What a comparison changes in a specification, collected by module and written at once."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from git_retcon.allium.engine import Finding
from git_retcon.allium.reconcile.comparison import Compared, take_comments
from git_retcon.allium.reconcile.spec_index import Place, SpecIndex
from git_retcon.allium.store.contradictions import add_questions
from git_retcon.allium.store.module_layout import make_head
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.module_text import DeclarationText, cut_module, join_module
from git_retcon.allium.store.needed_types import index_needed, restore_needed
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.three_way import make_question


class Places(Protocol):
    """Where a specification speaks of source files."""

    def find_module(self, path: bytes) -> bytes | None:
        """The module that speaks of a file, or is to be made for it; None: it may have none."""

    def list_uses(self, module: bytes, texts: Iterable[bytes]) -> Sequence[bytes] | None:
        """The ``use`` lines that a module needs for these declarations; None: as they are."""


class Edits:
    """What is to change in a specification, collected by module."""

    def __init__(self, store: SpecStore, declared: Places) -> None:
        self._store = store
        self._declared = declared
        self._replaced: dict[bytes, dict[tuple[str, str, int], bytes | None]] = {}
        self._added: dict[bytes, list[bytes]] = {}
        self._questions: dict[bytes, list[str]] = {}
        self._new: list[Place] = []
        self._kept: list[tuple[Place, Compared]] = []
        self.findings: list[Finding] = []
        self.asked: set[str] = set()

    def replace(self, place: Place, compared: Compared) -> None:
        """Take the outcome of a comparison; what is gone already, by another file, stays gone."""
        if self._replaced.get(place.module, {}).get(place.declaration.key, b"") is None:
            return
        self.note(place.module, compared.findings)
        if compared.text != place.declaration.text:
            texts = self._replaced.setdefault(place.module, {})
            texts[place.declaration.key] = compared.text

    def note(self, module: bytes, findings: Sequence[Finding]) -> None:
        """Take findings, and ask what they ask."""
        self.findings += findings
        for finding in findings:
            if finding.question:
                self.ask(module, finding.question)

    def keep(self, place: Place, vanished: Compared) -> None:
        """Take one that its file does not declare any more, and that a person wrote at."""
        self._kept.append((place, vanished))

    def place_kept(self, index: SpecIndex) -> None:
        """Put them where another file declares the same, else leave them beside a question."""
        for place, vanished in self._kept:
            moved = [
                (heir, text)
                for heir in (*index.list_namesakes(place), *self._new)
                if heir.declaration.key[:2] == place.declaration.key[:2]
                and heir.declaration.key not in self._replaced.get(heir.module, {})
                and (text := take_comments(place, heir.declaration)) is not None
            ]
            # Of two that it could be, none is known to be it.
            if len(moved) != 1:
                self.replace(place, vanished)
                continue
            heir, text = moved[0]
            findings = [each._replace(question="") for each in vanished.findings]
            self.replace(place, Compared(None, findings))
            if heir in self._new:
                self._new.remove(heir)
                added = self._added[heir.module]
                added[added.index(heir.declaration.text)] = text
            else:
                self.replace(heir, Compared(text, ()))

    def add(self, module: bytes, declaration: DeclarationText, finding: Finding) -> None:
        """Add a declaration to a module, which may be new."""
        self.findings.append(finding)
        self._new.append(Place(module, declaration))
        self._added.setdefault(module, []).append(declaration.text)

    def ask(self, module: bytes, question: str) -> None:
        """Ask beside the declarations of a module, once."""
        self._questions.setdefault(module, []).append(question)

    def find_module(self, path: bytes) -> bytes | None:
        """The module that speaks of a file or is to be made for it; None: it may have none."""
        return self._declared.find_module(path)

    def write(self) -> SpecStore:
        """The specification with all of it."""
        store = self._store
        for module in sorted(self._replaced.keys() | self._added.keys() | self._questions.keys()):
            is_master = module == MASTER
            content = store.master_spec() if is_master else store.module_spec(module)
            text = cut_module(content) if content is not None else None
            replaced = self._replaced.get(module, {})
            kept = [
                written
                for each in (text.declarations if text else ())
                if (written := replaced.get(each.key, each.text)) is not None
            ]
            added = [each for each in self._added.get(module, ()) if each not in kept]
            asked = self._ask_new(module, text.declarations if text else ())
            head = text.head if text else make_head(module)
            whole = [*kept, *dict.fromkeys(added), *(each.text for each in asked)]
            uses = self._declared.list_uses(module, whole)
            if uses is not None:
                whole = [*uses, *(each for each in whole if not each.startswith(b"use "))]
            written = join_module(head, whole)
            if is_master:
                store = store.set_master_spec(written)
            elif cut_module(written).is_empty:
                store = store.remove_module_spec(module)
            else:
                store = store.set_module_spec(module, written)
        return self._keep_needed(store)

    def _keep_needed(self, store: SpecStore) -> SpecStore:
        """The specification with those types that went and that something which stays names."""
        restored = restore_needed(self._store, store)
        self.asked |= restored.asked
        questions = index_needed(restored.needed)
        self.findings = [
            each._replace(question=questions.get((each.module, each.section), each.question))
            for each in self.findings
        ]
        return restored.store

    def _ask_new(
        self, module: bytes, declarations: Sequence[DeclarationText]
    ) -> Sequence[DeclarationText]:
        """The questions about a module that nobody has asked in it yet."""
        questions = dict.fromkeys(self._questions.get(module, ()))
        new = [*add_questions(declarations, questions)]
        added = {each.name for each in new}
        self.asked |= {each for each in questions if make_question(each).name in added}
        return new
