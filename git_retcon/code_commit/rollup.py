"""The rollup: every tracked text file behind its path, in the order of the paths' bytes.

The same files always make the same rollup. Secrets are masked in it, since it is made to leave
the machine.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from git_retcon import settings
from git_retcon.code_commit.gate import check_gate
from git_retcon.code_commit.inputs import ROLLUP, make_redactor
from git_retcon.code_commit.working_tree import Checkout, open_checkout
from git_retcon.errors import Reason, Refused
from git_retcon.files.atomic import save
from git_retcon.files.lockfiles import is_lock_file
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.git.repository import open_repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.never_send import NeverSend
from git_retcon.model.redaction import Redactor
from git_retcon.model.token_count import count_tokens
from git_retcon.options import Output
from git_retcon.settings import Settings
from git_retcon.show.counting import count
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say_line
from git_retcon.show.style import show_path

_LARGEST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a rollup: its header line and its content."""

    path: bytes
    text: bytes

    @property
    def tokens(self) -> int:
        return count_tokens(self.text)


@dataclass(frozen=True, slots=True)
class Rollup:
    """The files in it, and those left out with the reason."""

    parts: tuple[Part, ...]
    left_out: tuple[tuple[bytes, str], ...]

    @property
    def text(self) -> bytes:
        return b"".join(part.text for part in self.parts)

    @property
    def tokens(self) -> int:
        return count_tokens(self.text)


def make_rollup(
    checkout: Checkout, pathspecs: Sequence[bytes], never_send: Sequence[str], redactor: Redactor
) -> Rollup:
    """Read the tracked files that the pathspecs name (all, where there are none)."""
    parts: list[Part] = []
    left_out: list[tuple[bytes, str]] = []
    paths = checkout.list_tracked(*pathspecs)
    never_sent = NeverSend(never_send)
    for path in paths:
        found = (
            "named by retcon.neverSend"
            if never_sent.matches(path)
            else _read_content(path, checkout)
        )
        if isinstance(found, str):
            left_out.append((path, found))
        else:
            parts.append(Part(path, _make_block(path, redactor.redact_bytes(found))))
    return Rollup(tuple(parts), tuple(left_out))


def write_rollup(pathspecs: Sequence[str], budget: int, output: Output) -> Ending:
    """``git code-commit rollup``: make and save it, and say how large it is.

    Raises Refused where it is larger than ``budget`` tokens; the old one then stays.
    """
    checkout = open_checkout(open_repository(Path.cwd()))
    check_gate(checkout)
    never_send = Settings.of(checkout.repository.config).all(settings.NEVER_SEND)
    redactor = make_redactor(checkout, os.environ)
    specs = [_resolve_pathspec(spec, checkout) for spec in pathspecs]
    rollup = make_rollup(checkout, specs, never_send, redactor)
    if not rollup.parts:
        raise Refused("no tracked text file is named", hint="'git add' what belongs to the project")
    if rollup.tokens > budget:
        raise Refused(
            f"the rollup has {rollup.tokens:,} tokens, and the limit is {budget:,}\n"
            + "\n".join(_list_largest(rollup)),
            hint="name the paths that matter, leave some out as ':!PATH', or raise --max-tokens",
            reason=Reason.INVALID,
        )
    place = checkout.config_folder / ROLLUP
    place.parent.mkdir(exist_ok=True)
    save(place, rollup.text)
    if not (output.quiet or output.json):
        _report_rollup(rollup, place, output)
    return Ending(
        data={
            "path": str(place),
            "files": len(rollup.parts),
            "bytes": len(rollup.text),
            "tokens": rollup.tokens,
            "left_out": [{"path": show_path(path), "why": why} for path, why in rollup.left_out],
        }
    )


def _resolve_pathspec(spec: str, checkout: Checkout) -> bytes:
    """A pathspec as it means the same from the top; magic and absolute ones do already."""
    here = os.path.relpath(Path.cwd(), checkout.root)
    if spec.startswith(("/", ":(", ":/")) or here == os.curdir:
        return os.fsencode(spec)
    for magic in (":!", ":^"):
        if spec.startswith(magic):
            return os.fsencode(magic + os.path.normpath(os.path.join(here, spec[2:])))  # noqa: PTH118
    return os.fsencode(os.path.normpath(os.path.join(here, spec)))  # noqa: PTH118


def _read_content(path: bytes, checkout: Checkout) -> bytes | str:
    """A file's bytes, or why it is left out."""
    if is_lock_file(path):
        return "a lock file"
    try:
        file = checkout.files.read(path)
    except ForbiddenPath as error:
        return str(error)
    if file is None:
        return "missing in the working tree"
    # A NUL byte: git's own sign of a binary file.
    return "binary" if b"\0" in file.content else file.content


def _make_block(path: bytes, content: bytes) -> bytes:
    end = b"" if not content or content.endswith(b"\n") else b"\n"
    return b"--- %s ---\n%s%s\n" % (show_path(path).encode(), content, end)


def _list_largest(rollup: Rollup) -> Iterator[str]:
    largest = sorted(rollup.parts, key=lambda part: -part.tokens)[:_LARGEST_SHOWN]
    yield from (f"{part.tokens:>10,}  {show_path(part.path)}" for part in largest)


def _report_rollup(rollup: Rollup, place: Path, output: Output) -> None:
    say_line(f"{place}: {count(len(rollup.parts), 'file')}, about {count(rollup.tokens, 'token')}")
    for path, why in rollup.left_out if output.verbose else ():
        say_line(f"  left out: {show_path(path)} ({why})")
    if rollup.left_out and not output.verbose:
        say_line(f"  {len(rollup.left_out)} left out (-v says which, and why)")
