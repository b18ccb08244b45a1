"""The engine that asks no model: the repository's own fixers, and what reports and messages say."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.heal.engine import Attempt, Item
from git_retcon.heal.fixers.import_languages import (
    Adding,
    ImportLanguage,
    Sources,
    Unused,
    choose_language,
)
from git_retcon.heal.fixers.mode_fixes import change_mode
from git_retcon.heal.fixers.module_aliases import ProjectFiles
from git_retcon.heal.fixers.name_fixes import add_imports, replace_names
from git_retcon.heal.fixers.python_imports import sort_imports
from git_retcon.heal.fixers.report_edits import apply_report_edits
from git_retcon.heal.fixers.tool_fixers import (
    CallSite,
    ToolCall,
    list_layout_calls,
    list_named_calls,
    list_tool_calls,
)
from git_retcon.heal.healing.failing_job import FailingJob, FixPlace
from git_retcon.heal.patches import WrongBase, fit_patch
from git_retcon.heal.records.heals import StoredHeal
from git_retcon.lazy_named_tuple import NamedTuple

_UNSORTED = LazyPattern(r"(?i)import.*(?:sorted|order)|I001|(?:sort|order).*import")
_MOST_FILES = 4000  # that are read for how they import a name


Recall = Callable[[str], Sequence[StoredHeal]]


class _Text(NamedTuple):
    """A fix that makes one content of another; ``how`` is for people.

    ``by_place``: it goes by the lines that messages name; ``moves_lines``: behind it they are no
    longer where they were.
    """

    how: str
    fix: Callable[[Item, bytes, FixPlace], bytes | None]
    by_place: bool
    moves_lines: bool


class OfflineEngine:
    """Tries every fix that it knows for an item, the surest first. The step says what helped."""

    name = "offline"
    is_trusted = True

    def __init__(self, recall: Recall = lambda _: ()) -> None:
        """``recall`` gives what healed an error before, by its fingerprint, the last first."""
        self._recall = recall
        self._ran: dict[tuple[int, int, tuple[str, ...]], list[bytes]] = {}
        self._turns: Counter[tuple[int, bytes]] = Counter()

    def attempt(self, item: Item, job: FailingJob, earlier: Sequence[str]) -> Attempt:
        if item.path is None:
            return self._fix_unnamed(job)
        turn = self._turns[(id(job.failed), item.path)]
        self._turns[(id(job.failed), item.path)] += 1
        if turn == 0 and (number := self._apply_past_heal(item, job)):
            return Attempt(f"what healed it before (heal {number})")
        # Before the fixers: one would remove the import that a misspelt name seems not to use.
        names = list(_fix_text(item, job, _NAME_FIXES)) if _list_calls(job) else []
        by_tools = [*names, *self._run_tools(item, job, turn)]
        by_text = list(_fix_text(item, job))
        by_mode = list(_fix_mode(item, job))
        if by_text or by_tools or by_mode:
            _lay_out(item, job, was_edited=bool(names or by_text))
            return Attempt(", ".join(dict.fromkeys([*by_tools, *by_text, *by_mode])))
        return Attempt("", "no offline fix is known for it")

    def fix_by_message(self, item: Item, place: FixPlace) -> Iterable[str]:
        """The text fixes alone: the repository's fixers are run for a step that asks for them."""
        return [*_fix_text(item, place), *_fix_mode(item, place)]

    def _apply_past_heal(self, item: Item, job: FailingJob) -> int:
        """Write the last fix of one of the item's errors that fits; its number, or 0."""
        past = {one.number: one for name in item.fingerprints for one in self._recall(name)}
        for number in sorted(past, reverse=True):
            try:
                changes = fit_patch(past[number].heal.patch, job.draft.read)
                for change in changes:
                    job.draft.put(change.path, change.new)
            except (WrongBase, ForbiddenPath):
                continue
            return number
        return 0

    def _fix_unnamed(self, job: FailingJob) -> Attempt:
        """Run the fixers that the step calls where nothing says which file is meant, as
        ``test -z "$(gofmt -l .)"`` does.
        """
        how = []
        for call in list_named_calls(job.failed.step.command):
            kept = job.draft.keep()
            job.run_tool(call.argv, sorted(job.bench.paths))
            how += [call.name] if job.draft.list_since(kept) else []
        reason = "" if how else "the tool names no file"
        return Attempt(", ".join(dict.fromkeys(how)), reason)

    def _run_tools(self, item: Item, job: FailingJob, turn: int) -> Iterable[str]:
        """Run each fixer once a turn: it fixes the files of all items of the step."""
        paths = [one.path for one in job.items if one.path is not None]
        for call in _list_calls(job):
            key = (id(job.failed), turn, call.argv)
            if key not in self._ran:
                kept = job.draft.keep()
                job.run_tool(call.argv, paths)
                self._ran[key] = job.draft.list_since(kept)
            if item.path in self._ran[key]:
                yield call.name


def _list_calls(job: FailingJob) -> list[ToolCall]:
    return list_tool_calls(job.items, CallSite(job.failed.step.command, job.env, job.top))


def _lay_out(item: Item, job: FailingJob, *, was_edited: bool) -> None:
    """Run the formatters of the whole job on a file that was fixed: a line more or less may be
    one that they complain of. Behind an edit, the fixers of the step too.
    """
    assert item.path is not None, "asked only of an item with a file"
    script = "\n".join(step.command for step in job.failed.seen.finished.steps)
    again = _list_calls(job) if was_edited else []
    for call in dict.fromkeys([*again, *list_layout_calls(script)]):
        job.run_tool(call.argv, [item.path])


def _fix_text(item: Item, job: FixPlace, fixes: Sequence[_Text] | None = None) -> Iterable[str]:
    """Those that go by the places of messages first, while no line has moved."""
    assert item.path is not None, "asked only of an item with a file"
    is_moved = job.has_changed(item.path)
    for one in _TEXT_FIXES if fixes is None else fixes:
        file = job.draft.read(item.path)
        if file is None:
            return
        if one.by_place and is_moved:
            continue
        made = one.fix(item, file.content, job)
        if made is not None and made != file.content:
            try:
                job.draft.write(item.path, made)
            except ForbiddenPath:
                return
            is_moved = is_moved or one.moves_lines
            yield one.how


def _fix_mode(item: Item, place: FixPlace) -> Iterable[str]:
    assert item.path is not None, "asked only of an item with a file"
    file = place.draft.read(item.path)
    if file is None:
        return
    made = change_mode(item, file)
    if made != file:
        try:
            place.draft.put(item.path, made)
        except ForbiddenPath:
            return
        yield "permissions changed"


def _apply_edits(item: Item, content: bytes, job: FixPlace) -> bytes | None:
    return apply_report_edits(item, content)


def _remove_unused(item: Item, content: bytes, job: FixPlace) -> bytes | None:
    from git_retcon.code.diagnostics.diagnostic import Kind

    language = choose_language(item.path)
    said = (one.finding for one in item.errors if one.finding.diagnostic.kind is Kind.UNUSED)
    unused = [Unused(one.diagnostic.missing, one.line) for one in said if one.line is not None]
    if language is None:
        return None
    return language.remove(content, unused, _open_sources(job, item.path or b"", language))


def _replace_names(item: Item, content: bytes, job: FixPlace) -> bytes | None:
    def is_importable(name: str) -> bool:
        return _find_adding(item, job, name) is not None

    return replace_names(item, content, is_importable)


def _add_imports(item: Item, content: bytes, job: FixPlace) -> bytes | None:
    def add(made: bytes, name: str) -> bytes | None:
        adding = _find_adding(item, job, name)
        return adding(made) if adding is not None else None

    return add_imports(item, content, add)


def _find_adding(item: Item, job: FixPlace, name: str) -> Adding | None:
    """What adds an import of a name, as other files of the repository have it."""
    language, path = choose_language(item.path), item.path or b""
    if language is None:
        return None
    return language.find_adding(name, _open_sources(job, path, language))


def _open_sources(job: FixPlace, path: bytes, language: ImportLanguage) -> Sources:
    def read(other: bytes) -> bytes | None:
        file = job.draft.read(other)
        return file.content if file is not None else None

    files = ProjectFiles(lambda: job.bench.paths, read)
    return Sources(path, lambda: _read_others(job, path, language), files)


def _sort_imports(item: Item, content: bytes, job: FixPlace) -> bytes | None:
    said = (f"{e.finding.diagnostic.rule} {e.finding.diagnostic.message}" for e in item.errors)
    if not (item.path or b"").endswith((b".py", b".pyi")) or not any(map(_UNSORTED.search, said)):
        return None
    return sort_imports(content)


def _read_others(
    job: FixPlace, own: bytes, language: ImportLanguage
) -> Iterable[tuple[bytes, bytes]]:
    paths = [path for path in sorted(job.bench.paths) if path.endswith(language.endings)]
    for path in paths[:_MOST_FILES]:
        if path == own:
            continue
        try:
            file = job.bench.files.read(path)
        except (ForbiddenPath, OSError):
            continue
        if file is not None:
            yield path, file.content


_NAME_FIXES = (_Text("names that were meant", _replace_names, by_place=True, moves_lines=False),)
_TEXT_FIXES = (
    _Text("edits of the report", _apply_edits, by_place=True, moves_lines=True),
    *_NAME_FIXES,
    _Text("unused imports removed", _remove_unused, by_place=True, moves_lines=True),
    _Text("missing imports added", _add_imports, by_place=False, moves_lines=True),
    _Text("imports sorted", _sort_imports, by_place=False, moves_lines=True),
)
