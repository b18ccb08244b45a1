"""What a model answers to a step, and whether it can be taken. It is hostile input."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.language import SILENCER, check, is_error, list_silencers, parse
from git_retcon.allium.store.module_paths import MASTER, BadModulePath
from git_retcon.allium.store.module_text import cut_document, cut_module
from git_retcon.allium.store.shown_master import restore_master
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.model.messages import Json
from git_retcon.model.redaction import contains_mask
from git_retcon.show.style import show_path

SCHEMA: Json = {
    "type": "object",
    "properties": {
        "spec": {"type": ["string", "null"]},
        "moduleUpdates": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "module": {"type": "string"},
                    "content": {"type": ["string", "null"]},
                },
                "required": ["module", "content"],
            },
        },
        "removed": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "declaration": {"type": "string"},
                    "reason": {"type": "string"},
                },
                "required": ["declaration", "reason"],
            },
        },
        "changelog": {"type": "string"},
    },
    "required": ["spec", "moduleUpdates", "removed", "changelog"],
}
HasFile = Callable[[bytes], bool]
_MOST_NAMED = 5
_LONGEST_LINE = 300  # characters


class Answer(NamedTuple):
    """Changed modules by path (None: removed), the master or None, and one line for people."""

    modules: Mapping[bytes, bytes | None]
    master: bytes | None
    summary: str


def read_answer(answer: Json, store: SpecStore, shown: Collection[bytes]) -> Answer:
    """The values of an answer of the right shape. ``shown`` are the modules that the model saw; of
    the master it saw what concerns these, and gets the rest back.
    """
    modules = {
        _clean_path(each["module"]): (
            None if each["content"] is None else _encode_text(each["content"])
        )
        for each in answer["moduleUpdates"]
    }
    master = None
    if answer["spec"] is not None:
        master = restore_master(store.master_spec(), shown, _encode_text(answer["spec"]))
    return Answer(modules, master, " ".join(answer["changelog"].split())[:_LONGEST_LINE])


def find_fault(
    answer: Json, store: SpecStore, shown: Mapping[bytes, bytes], has_file: HasFile
) -> str | None:
    """What is wrong with an answer, in words for the model; None where it can be taken.

    ``shown`` are the modules that it saw, ``has_file`` knows the source.
    """
    named = [_clean_path(each["module"]) for each in answer["moduleUpdates"]]
    if (twice := next((each for each in named if named.count(each) > 1), None)) is not None:
        return f"{_show_path(twice)} has two updates: give one with all of its text"
    explained = {
        _normalize_name(each["declaration"]) for each in answer["removed"] if each["reason"].strip()
    }
    read = read_answer(answer, store, shown)
    faults = find_faults(read, lambda lost: lost in explained, store, shown, has_file)
    return next(faults, None)


def apply_answer(store: SpecStore, answer: Answer) -> SpecStore:
    """The store with the answer in it. Raises BadModulePath."""
    for path, content in answer.modules.items():
        if content is None:
            store = store.remove_module_spec(path)
        else:
            store = store.set_module_spec(path, content)
    return store if answer.master is None else store.set_master_spec(answer.master)


def find_faults(
    answer: Answer,
    is_explained: Callable[[str], bool],
    store: SpecStore,
    shown: Mapping[bytes, bytes],
    has_file: HasFile,
) -> Iterator[str]:
    """The same one by one; ``is_explained`` says whether a declaration, such as "entity Order", may
    be gone.
    """
    try:
        after = apply_answer(store, answer)
    except BadModulePath as error:
        yield f"{error} ({error.hint})"
        return
    # A rewrite of what it never saw would lose all that is there.
    unseen = [path for path in answer.modules if path in store.all_modules() and path not in shown]
    if unseen:
        yield f"you did not see the module {_show_path(unseen[0])}, so you may not rewrite it"
        return
    texts = {path: text for path, text in answer.modules.items() if text is not None}
    if answer.master is not None:
        texts[MASTER] = answer.master
    for path, text in texts.items():
        # A mask in a prompt hides a secret; copied into a specification, it would read as a
        # fact.
        if contains_mask(text) and not contains_mask(read_file(store, path)):
            yield f"{_show_path(path)} holds the mask of a secret"
    yield from _list_errors(texts, store, after, shown)
    yield from _list_silenced(answer, texts, store, after)
    yield from _list_false_citations(texts, store, has_file)
    # Models drop what they do not mention; a reason must be given for each.
    lost = [each for each in _list_lost(answer, store, after) if not is_explained(each)]
    if lost:
        named = ", ".join(sorted(lost)[:_MOST_NAMED])
        yield f"these declarations are gone and 'removed' gives no reason: {named}"


def _list_errors(
    texts: Mapping[bytes, bytes], store: SpecStore, after: SpecStore, shown: Mapping[bytes, bytes]
) -> Iterator[str]:
    # Where a person silenced the checker, a model may put something else.
    documents = [parse(_speak_up(text), path) for path, text in texts.items()]
    modules = after.all_modules()
    context = [
        parse(modules[path], path) for path in shown if path in modules.keys() - texts.keys()
    ]
    known = _list_known({**shown, MASTER: store.master_spec()})
    errors = [
        found
        for found in check(documents, context)
        if is_error(found) and (found.code, found.message) not in known
    ]
    if errors:
        yield "; ".join(
            f"{_show_path(each.file)}:{each.line}:{each.column}: {each.message}"
            for each in errors[:_MOST_NAMED]
        )
    for document in documents:
        if document.module.version != 3:
            yield f"{_show_path(document.path)} does not begin with '-- allium: 3'"
        elif any(
            declaration.kind == "unreadable" for declaration in cut_document(document).declarations
        ):
            yield f"{_show_path(document.path)} cannot be read"


def _speak_up(text: bytes) -> bytes:
    """A specification in which nothing is silenced, with all bytes in their places."""
    return text.replace(SILENCER.encode(), b"-" * len(SILENCER))


def _list_known(files: Mapping[bytes, bytes]) -> Collection[tuple[str, str]]:
    """The errors that people do not want to hear of, by code and message."""
    if not any(SILENCER.encode() in text for text in files.values()):
        return ()
    every, heard = (
        {
            (found.code, found.message)
            for found in check(parse(read(text), path) for path, text in files.items())
        }
        for read in (_speak_up, bytes)
    )
    return every - heard


def _list_silenced(
    answer: Answer, texts: Mapping[bytes, bytes], store: SpecStore, after: SpecStore
) -> Iterator[str]:
    """The comments that an answer adds to silence the checker; those of people may move."""
    if not any(SILENCER.encode() in text for text in texts.values()):
        return
    before, now = (
        Counter(
            " ".join(comment.text.split())
            for path in {*answer.modules, *texts}
            for comment in list_silencers(parse(read_file(each, path)))
        )
        for each in (store, after)
    )
    new = sorted(now - before)
    if new:
        yield f"only people may silence the checker: leave '{new[0]}' out"


def _list_false_citations(
    texts: Mapping[bytes, bytes], store: SpecStore, has_file: HasFile
) -> Iterator[str]:
    for path, text in texts.items():
        before = _list_cited(read_file(store, path))
        # A path that is shown with escapes cannot be looked up.
        new = [each for each in _list_cited(text) if each not in before and "\\" not in each]
        missing = [each for each in new if not has_file(each.encode("utf-8", "surrogatepass"))]
        if missing:
            yield f"{_show_path(path)} cites {missing[0]}, and the source has no such file"


def _list_cited(text: bytes) -> Collection[str]:
    return dict.fromkeys(
        path for declaration in cut_module(text).declarations for path in declaration.sources
    )


def _list_lost(answer: Answer, store: SpecStore, after: SpecStore) -> set[str]:
    """The declarations that were in a changed module, and are nowhere among those any more."""
    changed = [*answer.modules, *([MASTER] if answer.master is not None else [])]
    before = _name_declarations(read_file(store, path) for path in changed)
    return before - _name_declarations(read_file(after, path) for path in changed)


def _name_declarations(texts: Iterator[bytes]) -> set[str]:
    return {
        _normalize_name(f"{declaration.kind} {declaration.name}")
        for text in texts
        for declaration in cut_module(text).declarations
        if declaration.kind != "use"
    }


def read_file(store: SpecStore, path: bytes) -> bytes:
    """A module or the master, empty where there is none."""
    return store.master_spec() if path == MASTER else store.module_spec(path) or b""


def set_file(store: SpecStore, path: bytes, text: bytes) -> SpecStore:
    """With this module, or this master."""
    return store.set_master_spec(text) if path == MASTER else store.set_module_spec(path, text)


def show_modules(modules: Mapping[bytes, bytes]) -> str:
    """Modules as a prompt has them."""
    return "\n".join(
        f'<module path="{show_path(path)}">\n{decode(text)}</module>'
        for path, text in sorted(modules.items())
    )


def decode(text: bytes) -> str:
    """Bytes as a prompt has them."""
    return text.decode("utf-8", "replace")


def _normalize_name(name: str) -> str:
    return " ".join(name.replace('"', "").split())


def _clean_path(module: str) -> bytes:
    """The path below ``spec/`` that an answer means."""
    return module.removeprefix("spec/").encode("utf-8", "surrogatepass")


def _encode_text(text: str) -> bytes:
    return text.encode("utf-8", "replace").rstrip() + b"\n"


def _show_path(path: bytes) -> str:
    return path.decode("utf-8", "replace")
