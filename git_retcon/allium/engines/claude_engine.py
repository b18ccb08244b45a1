"""The Claude engine: a model reads what a commit changed, and rewrites the modules it touches."""

from collections.abc import Iterator, Mapping, Sequence
from string import Template
from typing import NamedTuple

from git_retcon.allium.engine import Step, Update
from git_retcon.allium.requests.concurrency import map_concurrently
from git_retcon.allium.requests.diff_chunks import Chunk, divide, read_diffs
from git_retcon.allium.requests.step_answer import (
    SCHEMA,
    Answer,
    HasFile,
    apply_answer,
    decode,
    find_fault,
    read_answer,
    read_file,
    set_file,
    show_modules,
)
from git_retcon.allium.requests.talk import Models, Question, Talk
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.module_text import cut_module, join_module
from git_retcon.allium.store.shown_master import shorten_master
from git_retcon.allium.store.spec_store import ReadSource, SpecStore
from git_retcon.allium.store.spec_tree import list_changed_files
from git_retcon.allium.store.three_way import make_question, merge_modules
from git_retcon.git.repository import Repository
from git_retcon.git.short_ids import IN_A_RECORD, shorten_id
from git_retcon.git.trees import EMPTY_TREE, read_object
from git_retcon.model.client import Client, Completer
from git_retcon.model.failures import NoAnswer
from git_retcon.model.never_send import NeverSend
from git_retcon.prompts import read_prompt
from git_retcon.show.style import show_path


class Parts(NamedTuple):
    """How many tokens of a change go into one request, and how many requests at a time."""

    most_tokens: int
    concurrency: int


class ClaudeEngine:
    """Describes steps by asking a model. Safe to use from several threads."""

    is_slow = True

    def __init__(
        self,
        repository: Repository,
        client: Client,
        completer: Completer,
        models: Models,
        parts: Parts,
        never_send: NeverSend,
    ) -> None:
        self._repository = repository
        self._client = client
        self._completer = completer
        self._models = models
        self._parts = parts
        self._never_send = never_send

    @property
    def name(self) -> str:
        return self._models.usual

    def update(self, step: Step) -> Update:
        diffs = read_diffs(self._repository, step.changes, self._never_send, step.renames)
        # A merge may have conflicts and no change of its own: one request all the same.
        chunks = divide(diffs, self._parts.most_tokens) or [()]
        # The first commit shapes the whole specification, and a merge needs judgement.
        is_large = step.base == EMPTY_TREE or bool(step.conflicts)
        model = self._models.large if is_large else self._models.usual
        talk = _Talk(
            Talk(self._client, self._completer), model,
            lambda path: self._repository.trees.find(step.tree, path) is not None,
        )  # fmt: skip
        try:
            answered = self._ask_all(talk, step, chunks)
            store, summaries = self._combine_answers(talk, step, answered)
        except NoAnswer as error:
            return _give_up(step, model, talk.talk.cost, str(error))
        changed = list_changed_files(step.store, store)
        return Update(
            {path: text for path, text in changed.items() if path != MASTER},
            changed.get(MASTER),
            summaries,
            talk.talk.cost,
            model=model,
            is_decided=True,
        )

    def summarize(self) -> Sequence[str]:
        return ()

    def _ask_all(
        self, talk: "_Talk", step: Step, chunks: Sequence[Chunk]
    ) -> Sequence[tuple[SpecStore, str]]:
        """What each part of the change makes of the specification, in their order."""
        if len(chunks) == 1:
            return [self._ask_part(talk, step, chunks[0], "")]
        # In the order of the parts, so that the same answers give the same commit.
        return map_concurrently(
            lambda at: self._ask_part(
                talk, step, chunks[at], f"Part {at + 1} of {len(chunks)} of the change."
            ),
            range(len(chunks)),
            self._parts.concurrency,
        )

    def _ask_part(
        self, talk: "_Talk", step: Step, chunk: Chunk, part: str
    ) -> tuple[SpecStore, str]:
        paths = list(dict.fromkeys(diff.path for diff in chunk))
        relevant = step.store.relevant_specs(paths, self._source_reader(step))
        shown = dict(relevant.modules)
        for path in step.conflicts:
            if (text := step.store.module_spec(path)) is not None:
                shown[path] = text
        prompt = Template(read_prompt("allium-step-task")).substitute(
            task=f"{part}\n{_name_task(step, paths)}".strip(),
            commits="\n".join(self._list_commits(step)),
            master=decode(shorten_master(relevant.master, shown)),
            modules=show_modules(shown),
            conflicts=_show_conflicts(step.conflicts),
            earlier="".join(self._list_earlier(step, chunk)),
            change="".join(diff.text for diff in chunk),
        )
        answer = talk.ask(prompt, step.store, shown)
        return apply_answer(step.store, answer), answer.summary

    def _combine_answers(
        self, talk: "_Talk", step: Step, answered: Sequence[tuple[SpecStore, str]]
    ) -> tuple[SpecStore, Sequence[str]]:
        """The answers of all parts together. What two of them changed otherwise is asked once."""
        store = answered[0][0]
        conflicts: dict[bytes, list[Conflict]] = {}
        for other, _ in answered[1:]:
            for path, theirs in list_changed_files(step.store, other).items():
                base, ours = (read_file(each, path) for each in (step.store, store))
                if theirs is None:
                    # Removed by one part, changed by another: the version that somebody still needs
                    # stays.
                    store = store.remove_module_spec(path) if ours == base else store
                    continue
                merged = merge_modules(base, ours, theirs)
                conflicts.setdefault(path, []).extend(merged.conflicts)
                store = set_file(store, path, merged.content)
        found = {path: each for path, each in conflicts.items() if each}
        if found:
            prompt = Template(read_prompt("allium-merge-task")).substitute(
                conflicts=_show_conflicts(found)
            )
            shown = {path: read_file(store, path) for path in found}
            modules = show_modules(shown)
            store = apply_answer(store, talk.ask(f"{prompt}\n{modules}", store, shown))
        return store, [summary for _, summary in answered if summary]

    def _source_reader(self, step: Step) -> ReadSource:
        entries = {each.path: each.new for each in step.changes if each.new is not None}
        withheld = self._never_send

        def read(path: bytes) -> bytes | None:
            entry = entries.get(path)
            # A withheld file is not even read for its imports.
            if entry is None or not entry.is_file or withheld.matches(path):
                return None
            return read_object(self._repository.objects.odb, entry.oid)

        return read

    def _list_earlier(self, step: Step, chunk: Chunk) -> Iterator[str]:
        """The changes of commits before, the oldest first, as far as there is room for them."""
        room = self._parts.most_tokens - sum(diff.tokens for diff in chunk)
        for commit, changes in step.earlier:
            diffs = list(read_diffs(self._repository, changes, self._never_send))
            room -= sum(diff.tokens for diff in diffs)
            if room < 0:
                return
            text = "".join(diff.text for diff in diffs)
            yield f'<earlier commit="{shorten_id(commit.oid, IN_A_RECORD)}">\n{text}</earlier>\n'

    def _list_commits(self, step: Step) -> Iterator[str]:
        """The commits before, then the one to describe with its whole message."""
        for commit in step.context:
            yield f"{shorten_id(commit.oid, IN_A_RECORD)} - {commit.subject}"
        yield f"{shorten_id(step.commit.oid, IN_A_RECORD)} - {step.commit.message.strip()}"


class _Talk(NamedTuple):
    """The requests of one step, all to one model."""

    talk: Talk
    model: str
    has_file: HasFile

    def ask(self, prompt: str, store: SpecStore, shown: Mapping[bytes, bytes]) -> Answer:
        """Ask for updates. Raises NoAnswer as ``Talk.ask``."""
        question = Question(
            read_prompt("allium-step"),
            prompt,
            SCHEMA,
            lambda answer: find_fault(answer, store, shown, self.has_file),
        )
        return read_answer(self.talk.ask(self.model, question), store, shown)


def _name_task(step: Step, paths: Sequence[bytes]) -> str:
    """Which modules the change is about: those that are there, or that its folders would have."""
    root, modules = step.store.root, step.store.all_modules()
    named = {root.find_module(path, modules) or root.name_module(path) or MASTER for path in paths}
    names = ", ".join(f"`{_name_module(path)}`" for path in sorted(named))
    start = "The history begins here: what you see is all of the source. "
    task = f"You are updating the spec for the modules {names}." if names else ""
    return (start if step.base == EMPTY_TREE else "") + task


def _show_conflicts(conflicts: Mapping[bytes, Sequence[Conflict]]) -> str:
    """Both versions of every declaration that the sides of a merge disagree about."""
    lines: list[str] = []
    for path, found in conflicts.items():
        for each in found:
            lines.append(f'<conflict module="{show_path(path)}" declaration="{each.title}">')
            for side, text in (("before", each.base), ("ours", each.ours), ("theirs", each.theirs)):
                lines.append(f"<{side}>\n{decode(text or b'(not there)')}\n</{side}>")
            lines.append("</conflict>")
    return "\n".join(lines)


def _give_up(step: Step, model: str, cost: float, why: str) -> Update:
    """The old specification, with a question about what could not be described."""
    paths = [change.path for change in step.changes]
    modules = step.store.all_modules()
    found = (step.store.root.find_module(path, modules) for path in paths)
    path = next((each for each in found if each is not None), MASTER)
    text = cut_module(read_file(step.store, path))
    subject = step.commit.subject
    question = make_question(
        f"What did {shorten_id(step.commit.oid)} change: {subject}? It is not described"
    )
    content = join_module(
        text.head, [*(declaration.text for declaration in text.declarations), question.text]
    )
    is_master = path == MASTER
    return Update(
        {} if is_master else {path: content},
        content if is_master else None,
        [f"Not described: {why}"],
        cost,
        incomplete=why,
        model=model,
    )


def _name_module(path: bytes) -> str:
    return show_path(path).removesuffix(".allium")
