"""Findings into a specification, by a model: in batches, and what is too large in groups first.

With any answer of the model, nothing goes that no finding speaks of, what people wrote stays word
for word, and a specification that does not parse is never taken.
"""

from collections.abc import Iterator, Mapping, Sequence
from string import Template
from typing import NamedTuple

from git_retcon.allium.engine import Checkpoint, Finding
from git_retcon.allium.reconcile.model_findings import (
    FINDING,
    announce,
    batch_findings,
    is_supported,
    list_by_hand,
    show_finding,
)
from git_retcon.allium.reconcile.source_reader import SourceReadResult
from git_retcon.allium.requests.step_answer import (
    SCHEMA,
    Answer,
    HasFile,
    apply_answer,
    decode,
    find_faults,
    read_answer,
    read_file,
    show_modules,
)
from git_retcon.allium.requests.talk import Question, Talk
from git_retcon.allium.store.declared_facts import compare_stores, name_fact
from git_retcon.allium.store.module_paths import MASTER, BadModulePath
from git_retcon.allium.store.module_text import cut_module, list_cited_paths
from git_retcon.allium.store.shown_master import shorten_master
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.model.failures import NoAnswer
from git_retcon.model.messages import Json
from git_retcon.model.token_count import count_tokens
from git_retcon.prompts import read_prompt
from git_retcon.show.style import show_path

_COMBINE_SCHEMA: Json = {
    "type": "object",
    "properties": {
        **{key: each for key, each in SCHEMA["properties"].items() if key != "removed"},
        "additions": {"type": "array", "items": FINDING},
        "removals": {"type": "array", "items": FINDING},
    },
    "required": ["spec", "moduleUpdates", "additions", "removals", "changelog"],
}
_MOST_NAMED = 5


class ReconcileModels(NamedTuple):
    """The model of the analysis and of combines in between, and the one of the last combine."""

    usual: str
    combining: str


class Combined(NamedTuple):
    """The specification with the findings, lines for people, and what was not combined."""

    store: SpecStore
    account: Sequence[str]
    failures: Sequence[str]


class Combiner:
    """Combines the findings of one reconciliation."""

    def __init__(
        self,
        talk: Talk,
        models: ReconcileModels,
        most_tokens: int,
        checkpoint: Checkpoint,
        source: SourceReadResult,
        has_file: HasFile,
    ) -> None:
        self._talk = talk
        self._models = models
        self._most_tokens = most_tokens
        self._checkpoint = checkpoint
        self._source = source
        self._has_file = has_file
        self._account: list[str] = []
        self._failures: list[str] = []

    def combine(self, findings: Sequence[Finding]) -> Combined:
        """Apply the findings batch by batch, each on the specification that the last one made."""
        store = self._checkpoint.store
        batches = list(batch_findings(findings, self._most_tokens))
        for number, batch in enumerate(batches):
            store = self._apply_batch(store, batch, announce(batches[number + 1 :]))
        return Combined(store, self._account, self._failures)

    def _apply_batch(self, store: SpecStore, batch: Sequence[Finding], coming: str) -> SpecStore:
        """Apply a batch; where its modules make the request too large, in groups first."""
        groups = list(self._divide_batch(store, batch))
        if len(groups) == 1:
            return self._ask_model(store, batch, coming, self._models.combining)
        for number, part in enumerate(groups):
            listed = f"{announce(groups[number + 1 :])}\n{coming}"
            store = self._ask_model(store, part, listed, self._models.usual)
        # The last combine sees what concerns all modules: their text alone would not fit.
        return self._ask_model(store, batch, coming, self._models.combining, master_only=True)

    def _divide_batch(
        self, store: SpecStore, batch: Sequence[Finding]
    ) -> Iterator[Sequence[Finding]]:
        """Halves of halves, by the modules that they are about, until each request fits."""
        tokens = sum(map(count_tokens, self._choose_modules(store, batch).values()))
        tokens += sum(count_tokens(show_finding(each).encode()) for each in batch)
        if tokens <= self._most_tokens or len(batch) == 1:
            yield batch
            return
        half = len(batch) // 2
        yield from self._divide_batch(store, batch[:half])
        yield from self._divide_batch(store, batch[half:])

    def _choose_modules(
        self, store: SpecStore, findings: Sequence[Finding]
    ) -> Mapping[bytes, bytes]:
        """The modules that findings are about: of their files, and of what they name."""
        modules = store.all_modules()
        chosen = {finding.module for finding in findings}
        for finding in findings:
            for shown in finding.paths:
                for path in list_cited_paths(shown):
                    chosen.add(store.root.find_module(path, modules) or b"")
        names = {finding.section.partition(":")[0] for finding in findings}
        for module, text in modules.items():
            if module not in chosen and any(
                name_fact((each.kind, each.name, "")) in names
                for each in cut_module(text).declarations
            ):
                chosen.add(module)
        return {module: modules[module] for module in sorted(chosen) if module in modules}

    def _ask_model(
        self,
        store: SpecStore,
        findings: Sequence[Finding],
        coming: str,
        model: str,
        *,
        master_only: bool = False,
    ) -> SpecStore:
        concerned = self._choose_modules(store, findings)
        shown = {} if master_only else concerned
        task = f"Integrate these findings. {coming}"
        if master_only:
            task = (
                "These findings are in their modules already. Correct the master alone, where it "
                f"needs it. {coming}"
            )
        master = decode(shorten_master(store.master_spec(), concerned))
        question = Question(
            read_prompt("reconcile-combine"),
            self._write_prompt(task, store, findings, master, shown),
            _COMBINE_SCHEMA,
            lambda answer: self._find_fault(
                read_answer(answer, store, concerned), answer["removals"], store, shown, findings
            ),
        )
        try:
            answer = read_answer(self._talk.ask(model, question), store, concerned)
        except NoAnswer as error:
            # The specification stays as it was, and people are told.
            self._failures.append(f"Not combined: {error}")
            return store
        if answer.summary:
            self._account.append(answer.summary)
        return apply_answer(store, answer)

    def _write_prompt(
        self,
        task: str,
        store: SpecStore,
        findings: Sequence[Finding],
        master: str,
        shown: Mapping[bytes, bytes],
    ) -> str:
        skipped = (f"- {show_path(path)}: {why}" for path, why in self._source.skipped_files)
        edits = self._checkpoint.hand_edits
        return Template(read_prompt("reconcile-combine-task")).substitute(
            task=task,
            findings="\n".join(map(show_finding, findings)),
            by_hand="\n".join(list_by_hand(edits, {MASTER: store.master_spec(), **shown})),
            skipped="\n".join(skipped),
            master=master,
            modules=show_modules(shown),
        )

    def _find_fault(
        self,
        read: Answer,
        removals: Sequence[Json],
        store: SpecStore,
        shown: Mapping[bytes, bytes],
        findings: Sequence[Finding],
    ) -> str | None:
        named = {_normalize_section(each["specSection"]).partition(":")[0] for each in removals}
        faults = [
            *find_faults(read, lambda lost: lost in named, store, shown, self._has_file),
            *self._list_damage(read, store, findings),
        ]
        return faults[0] if faults else None

    def _list_damage(
        self, answer: Answer, store: SpecStore, findings: Sequence[Finding]
    ) -> Iterator[str]:
        """What an answer does to the specification that no finding asks for."""
        try:
            after = apply_answer(store, answer)
        except BadModulePath:
            return  # said already
        changes = compare_stores(store, after)
        touched = [each for each in changes if each.before is not None]
        by_hand = [each.title for each in touched if each.name in self._checkpoint.hand_edits]
        if by_hand:
            yield f"a person wrote this, and it stays word for word: {_name_titles(by_hand)}"
        lost = [
            each.title
            for each in touched
            if each.after is None and not is_supported(each.name, findings)
        ]
        if lost:
            yield f"this goes, and no finding says so: {_name_titles(lost)}"
        for path in answer.modules:
            if (text := after.module_spec(path)) is not None and not _has_header(text):
                yield f"{show_path(path)} lost its header comment below '-- allium: 3'"
        moved = {
            name
            for path in [*answer.modules, MASTER]
            for name in _list_names(read_file(store, path)) - _list_names(read_file(after, path))
            if any(name in _list_names(read_file(after, other)) for other in answer.modules)
        }
        if moved:
            yield f"do not restructure: these went to another module: {_name_titles(sorted(moved))}"


def _list_names(text: bytes) -> set[str]:
    return {
        name_fact((each.kind, each.name, ""))
        for each in cut_module(text).declarations
        if each.kind != "use"
    }


def _has_header(text: bytes) -> bool:
    lines = text.split(b"\n")
    return len(lines) > 1 and lines[1].startswith(b"--")


def _name_titles(titles: Sequence[str]) -> str:
    return ", ".join(titles[:_MOST_NAMED])


def _normalize_section(section: str) -> str:
    return " ".join(section.replace('"', "").split())
