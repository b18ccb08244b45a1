"""Verify a whole answer against the working tree, before the first byte is written."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from git_retcon.code_commit.answer_grammar import Answer, Block, Body, Fault, Faulty
from git_retcon.code_commit.protected_links import find_link_targets
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.files.beneath import File
from git_retcon.files.patterns import read_protective_patterns
from git_retcon.files.protected import protected_reason
from git_retcon.files.untrusted_paths import ForbiddenPath, fold_path, list_parents
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.redaction import Redactor, contains_mask


@dataclass(frozen=True, slots=True)
class Change:
    """One file going from ``old`` to ``new``; None is absence. ``line`` is the answer's."""

    path: bytes
    old: File | None
    new: File | None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Guard:
    """What no answer may write: patterned paths, the build's own files, secrets, the files and
    folders that git executes, and those that a protected name leads to.
    """

    patterns: tuple[str, ...] = ()
    build_files: frozenset[bytes] = frozenset()
    redactor: Redactor = field(default_factory=Redactor)
    executed: frozenset[bytes] = frozenset()
    linked: frozenset[bytes] = frozenset()


def verify_answer(answer: Answer, checkout: Checkout, guard: Guard) -> tuple[Change, ...]:
    """The changes an answer makes. Raises Faulty where any part of it is not allowed.

    Nothing is written. Blocks that leave a file as it is make no change.
    """
    faults: list[Fault] = []
    changes: list[Change] = []
    for block in answer.blocks:
        try:
            _refuse_protected(block.path, guard)
            _refuse_nested(block.path, checkout)
            changes.append(_make_change(block, checkout))
        except ForbiddenPath as error:
            faults.append(_make_fault(block.line, block.path, str(error)))
    # All faults at once: a repair that learns of them one by one costs an attempt each.
    faults += _find_git_faults(changes, checkout, guard)
    faults += _find_collisions(changes, checkout)
    faults += _find_secrets(changes, guard.redactor)
    if faults:
        raise Faulty(faults)
    return tuple(change for change in changes if change.old != change.new)


def find_protected(paths: Sequence[bytes], guard: Guard) -> frozenset[bytes]:
    """Those of the paths that no answer may write, by their names and ``codecommit.protect``."""
    patterns = read_protective_patterns(guard.patterns)
    return frozenset(
        path
        for path in paths
        if protected_reason(path) or path in guard.build_files or patterns.matches(path)
    )


def protect_link_targets(checkout: Checkout, guard: Guard) -> Guard:
    """The guard with what the protected paths lead to."""
    names = (*checkout.list_tracked(), *guard.build_files)
    return replace(guard, linked=find_link_targets(checkout, find_protected(names, guard)))


def _refuse_protected(path: bytes, guard: Guard) -> None:
    reason = protected_reason(path)
    if reason is None and fold_path(path) in {fold_path(p) for p in guard.build_files}:
        reason = "the build consists of it"
    if reason is None and _is_beneath(path, guard.executed):
        reason = "git executes or obeys it, by its settings"
    if reason is None and _is_beneath(path, guard.linked):
        reason = "a protected name is a link to it"
    if reason is not None:
        raise ForbiddenPath(reason)


def _is_beneath(path: bytes, places: frozenset[bytes]) -> bool:
    folded = {fold_path(each) for each in places}
    return any(fold_path(each) in folded for each in (*list_parents(path), path))


def _refuse_nested(path: bytes, checkout: Checkout) -> None:
    """Raise ForbiddenPath for git's own folder, and for another repository.

    A change in another repository shows in no ``git diff`` of this one. git's own folder may have
    another name than ``.git``.
    """
    place = fold_path(os.fsencode(checkout.root) + b"/" + path)
    for own in (checkout.repository.git_dir, checkout.repository.common_dir):
        if f"{place}/".startswith(f"{fold_path(os.fsencode(own))}/"):
            raise ForbiddenPath("it is in git's own folder")
    for folder in list_parents(path):
        try:
            nested = checkout.files.exists(folder + b"/.git")
        except ForbiddenPath:
            return  # reading the path itself says which part of it is no folder
        if nested:
            raise ForbiddenPath(f"'{folder.decode()}' is another repository")


def _make_change(block: Block, checkout: Checkout) -> Change:
    old = checkout.files.read(block.path)
    if block.body is None:
        return Change(block.path, old, None, block.line)
    content = adapt_line_ends(block.body, None if old is None else old.content)
    mode = None if old is None else old.mode
    return Change(block.path, old, File(content, mode), block.line)


def _find_git_faults(
    changes: Sequence[Change], checkout: Checkout, guard: Guard
) -> Iterator[Fault]:
    paths = [change.path for change in changes]
    if not paths:
        return
    inside = checkout.find_in_submodules(paths)
    outside = [p for p in paths if p not in inside]
    ignored = checkout.find_ignored(outside)
    unwatched = checkout.find_unwatched(outside)
    patterns = read_protective_patterns(guard.patterns)
    for change in changes:
        if change.path in inside:
            yield _make_fault(change.line, change.path, "it is in a submodule")
        elif patterns.matches(change.path):
            yield _make_fault(change.line, change.path, "'codecommit.protect' protects it")
        elif change.path in ignored:
            yield _make_fault(
                change.line, change.path, "git ignores it, so its change would not show"
            )
        elif change.path in unwatched:
            yield _make_fault(change.line, change.path, "git is set not to show its changes")


def _find_collisions(changes: Sequence[Change], checkout: Checkout) -> Iterator[Fault]:
    """Paths of one answer that cannot both exist."""
    kept = {change.path: change for change in changes if change.new is not None}
    for path, change in kept.items():
        for above in list_parents(path):
            if above in kept:
                yield _make_fault(change.line, path, f"'{above.decode()}' is a file in this answer")
    if not checkout.repository.config.boolean("core.ignorecase"):
        return
    seen: dict[str, bytes] = {}
    for change in changes:
        other = seen.setdefault(fold_path(change.path), change.path)
        if other != change.path:
            yield _make_fault(
                change.line, change.path, f"this file system takes it for '{other.decode()}'"
            )


def _find_secrets(changes: Sequence[Change], redactor: Redactor) -> Iterator[Fault]:
    for change in changes:
        old = change.old.content if change.old else b""
        new = change.new.content if change.new else b""
        if old == new:
            continue
        reason = redactor.find_fault(old, new)
        if reason is None and contains_mask(new) and not contains_mask(old):
            reason = "it contains a masked secret"
        # By count: a secret that the file had before may stay where it is.
        if reason is None and any(new.count(s) > old.count(s) for s in redactor.known):
            reason = "it contains a secret of this machine"
        if reason is not None:
            yield _make_fault(change.line, change.path, f"{reason}; leave this file as it is")


def _make_fault(line: int, path: bytes, why: str) -> Fault:
    return Fault(line, f"'{path.decode('utf-8', 'backslashreplace')}': {why}")


def adapt_line_ends(body: Body, old: bytes | None) -> bytes:
    """A file's new bytes.

    An answer that is written with CRLF throughout says nothing about the file's own line ends.
    A file whose lines all ended in CRLF keeps that; a file that did not end in a newline keeps
    that too, so the newline before ``^^^end`` is then no part of it.
    """
    content = body.content
    if not old:
        return content
    if body.crlf and b"\n" in old and b"\r\n" not in old:
        content = content.replace(b"\r\n", b"\n")
    elif not body.crlf and _is_crlf(old) and b"\r\n" not in content:
        content = content.replace(b"\n", b"\r\n")
    if not old.endswith(b"\n"):
        end = b"\r\n" if content.endswith(b"\r\n") else b"\n"
        content = content.removesuffix(end)
    return content


def _is_crlf(content: bytes) -> bool:
    ends = content.count(b"\n")
    return ends > 0 and content.count(b"\r\n") == ends
