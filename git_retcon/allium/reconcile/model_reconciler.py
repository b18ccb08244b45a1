"""Reconciliation with a model: the source is analysed chunk by chunk, side by side, and what was
found is combined into the specification.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from string import Template
from typing import NamedTuple

from git_retcon.allium.engine import Checkpoint, Finding, Grounding
from git_retcon.allium.reconcile.combining import Combiner, ReconcileModels
from git_retcon.allium.reconcile.model_findings import (
    CHUNK_SCHEMA,
    Evidence,
    list_by_hand,
    read_findings,
)
from git_retcon.allium.reconcile.source_reader import (
    SourceChunk,
    SourceReader,
    SourceReadResult,
    TooLarge,
)
from git_retcon.allium.reconcile.spec_index import find_orphans
from git_retcon.allium.requests.concurrency import map_concurrently
from git_retcon.allium.requests.step_answer import decode, show_modules
from git_retcon.allium.requests.talk import Question, Talk
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.shown_master import shorten_master
from git_retcon.model.failures import NoAnswer
from git_retcon.prompts import read_prompt
from git_retcon.show.counting import count
from git_retcon.show.style import show_path

__all__ = ["ModelReconciler", "ReconcileModels"]


class _Analysis(NamedTuple):
    """What one chunk gave: findings, how many could not be believed, or why there are none."""

    findings: Sequence[Finding]
    refused: int
    failure: str = ""


class ModelReconciler:
    """Asks a model. Safe to use from several threads."""

    def __init__(
        self,
        reader: SourceReader,
        open_talk: Callable[[], Talk],
        models: ReconcileModels,
        concurrency: int,
    ) -> None:
        self._reader = reader
        self._open_talk = open_talk
        self._models = models
        self._concurrency = concurrency

    def reconcile(self, checkpoint: Checkpoint) -> Grounding:
        try:
            source = self._reader.read(checkpoint.base, checkpoint.commit.oid)
        except TooLarge as error:
            return Grounding(checkpoint.store, model=self._models.usual, skipped=str(error))
        talk = self._open_talk()
        analyses = self._analyse_source(talk, checkpoint, source)
        # Citations of what is gone need no model to be found, wherever their module is.
        orphans = find_orphans(checkpoint.store, self._reader, checkpoint.commit.tree)
        found = [finding for each in analyses for finding in each.findings]
        listed = dict.fromkeys([*found, *orphans])
        findings = [each for each in listed if each.section not in checkpoint.accepted]
        tree = checkpoint.commit.tree
        combiner = Combiner(
            talk, self._models, self._reader.most_chunk_tokens, checkpoint, source,
            lambda path: self._reader.has_file(tree, path),
        )  # fmt: skip
        combined = combiner.combine(findings)
        return Grounding(
            combined.store,
            findings,
            self._models.combining if findings else self._models.usual,
            talk.cost,
            [*_report_refused(analyses), *combined.account],
            source.skipped_files,
            failures=[*_list_failures(source.chunks, analyses), *combined.failures],
        )

    def _analyse_source(
        self, talk: Talk, checkpoint: Checkpoint, source: SourceReadResult
    ) -> Sequence[_Analysis]:
        # In the order of the chunks, so that the same answers give the same commit.
        return map_concurrently(
            lambda chunk: self._ask_chunk(talk, checkpoint, source, chunk),
            source.chunks,
            self._concurrency,
        )

    def _ask_chunk(
        self, talk: Talk, checkpoint: Checkpoint, source: SourceReadResult, chunk: SourceChunk
    ) -> _Analysis:
        relevant = checkpoint.store.relevant_specs(
            chunk.paths, self._reader.read_file_of(checkpoint.commit.tree)
        )
        shown = {MASTER: relevant.master, **relevant.modules}
        prompt = Template(read_prompt("reconcile-chunk-task")).substitute(
            task=_name_task(chunk, source),
            skipped="\n".join(_list_skipped(source)),
            by_hand="\n".join(list_by_hand(checkpoint.hand_edits, shown)),
            master=decode(shorten_master(relevant.master, relevant.modules)),
            modules=show_modules(relevant.modules),
            source="".join(map(self._reader.load, chunk.files)),
        )
        question = Question(read_prompt("reconcile-chunk"), prompt, CHUNK_SCHEMA, _accept_any)
        try:
            answer = talk.ask(self._models.usual, question)
        except NoAnswer as error:
            return _Analysis((), 0, str(error))
        evidence = Evidence(
            {show_path(path) for path in chunk.paths},
            {show_path(path) for path in source.gone},
            {show_path(path) for path, _ in source.skipped_files},
        )
        return _Analysis(*read_findings(answer["findings"], evidence))


def _accept_any(answer: Mapping[str, object]) -> str | None:
    """What cannot be believed is left out by itself, so no answer of the right shape is refused."""
    return None


def _name_task(chunk: SourceChunk, source: SourceReadResult) -> str:
    what = "what changed in" if source.is_diff else "the source of"
    parts = f" (one of {len(source.chunks)} parts)" if len(source.chunks) > 1 else ""
    return f"Here is the current specification, and {what} `{chunk.group_key}`{parts}."


def _list_skipped(source: SourceReadResult) -> Iterator[str]:
    yield from (f"- {show_path(path)}: {why}" for path, why in source.skipped_files)


def _list_failures(chunks: Sequence[SourceChunk], analyses: Sequence[_Analysis]) -> Iterator[str]:
    for chunk, analysis in zip(chunks, analyses, strict=True):
        if analysis.failure:
            yield f"Not analysed: {chunk.group_key}: {analysis.failure}"


def _report_refused(analyses: Sequence[_Analysis]) -> Iterator[str]:
    refused = sum(each.refused for each in analyses)
    if refused:
        yield f"{count(refused, 'finding')} left out: not of files that were read."
