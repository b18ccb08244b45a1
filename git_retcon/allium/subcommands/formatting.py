"""``git allium format``: specifications in the one layout."""

import enum
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.allium.language import Diagnostic, format_spec, parse
from git_retcon.allium.language.parser.cursor import PARSE_ERROR
from git_retcon.allium.spec_files import SpecFile, SpecSet
from git_retcon.allium.subcommands.diagnosis import report_skipped
from git_retcon.errors import Fatal, Reason
from git_retcon.files.atomic import save
from git_retcon.options import Output
from git_retcon.show.counting import count
from git_retcon.show.envelope import DONE, FAILED, PLANNED, Ending, Failure
from git_retcon.show.notices import say, say_line
from git_retcon.show.style import show_path, write_line


class Purpose(enum.Enum):
    """What to do with a layout that differs. ``CHECK`` fails there, ``NAME`` does not."""

    WRITE = enum.auto()
    CHECK = enum.auto()
    NAME = enum.auto()


class Layout(NamedTuple):
    """A file, and its bytes in the one layout; ``fault``: why it has none."""

    file: SpecFile
    data: bytes
    fault: Diagnostic | None

    @property
    def differs(self) -> bool:
        return self.data != self.file.data


def format_specs(sets: Sequence[SpecSet], purpose: Purpose, output: Output) -> Ending:
    """Lay every file out, or name those that would change. A file that does not parse is named and
    left as it is, which is a failure.
    """
    changed: list[SpecFile] = []
    faults: list[Diagnostic] = []
    for layout in _lay_out(sets):
        if layout.fault is not None:
            faults.append(layout.fault)
            _report_fault(layout.fault)
        elif layout.differs:
            if purpose is Purpose.WRITE:
                _write_layout(layout)
            changed.append(layout.file)
            _report_change(layout.file, purpose, output)
    sys.stdout.flush()  # the counts on standard error come last
    skipped = [each for one in sets for each in one.skipped]
    report_skipped(skipped)
    total = sum(len(one.files) for one in sets)
    if not (output.json or output.quiet):
        say_line(_summarize_changes(len(changed), total, purpose))
    data = {
        "files": total,
        "changed": [show_path(file.path) for file in changed],
        "unparsed": [show_path(fault.file) for fault in faults],
        "skipped": [{"path": show_path(path), "why": why} for path, why in skipped],
    }
    failure = _explain_failure(changed, faults, purpose)
    done = PLANNED if purpose is Purpose.NAME else DONE
    return Ending(FAILED if failure else done, data, failure)


def _lay_out(sets: Sequence[SpecSet]) -> Iterator[Layout]:
    for file in (file for one in sets for file in one.files):
        data = format_spec(file.data)
        fault = None
        if data == file.data:  # also how the formatter answers to what it cannot parse
            fault = next(filter(_is_syntax_error, parse(file.data, file.path).diagnostics), None)
        yield Layout(file, data, fault)


def _is_syntax_error(diagnostic: Diagnostic) -> bool:
    return diagnostic.code == PARSE_ERROR


def _write_layout(layout: Layout) -> None:
    """Replace a file. Raises Fatal where somebody has changed it since it was read."""
    place = layout.file.place
    assert place is not None, "only files on disk are laid out"
    try:
        now = place.read_bytes()
    except OSError:
        now = None
    if now != layout.file.data:
        raise Fatal(
            f"'{show_path(layout.file.path)}' changed meanwhile, and is left as it is",
            hint="run the same command again",
            reason=Reason.STALE_PLAN,
        )
    save(place, layout.data)


def _report_fault(fault: Diagnostic) -> None:
    place = f"{show_path(fault.file)}:{fault.line}:{fault.column}"
    say("error", f"{place}: left as it is: {fault.message}")


def _report_change(file: SpecFile, purpose: Purpose, output: Output) -> None:
    if output.json or (output.quiet and purpose is Purpose.WRITE):
        return
    verb = "formatted" if purpose is Purpose.WRITE else "would format"
    write_line(sys.stdout, f"{verb} {show_path(file.path)}")


def _summarize_changes(changed: int, total: int, purpose: Purpose) -> str:
    if not total:
        return "there is no *.allium file"
    verb = "changed" if purpose is Purpose.WRITE else "would change"
    return f"{changed:,} of {count(total, 'file')} {verb}"


def _explain_failure(
    changed: Sequence[SpecFile], faults: Sequence[Diagnostic], purpose: Purpose
) -> Failure | None:
    if faults:
        message = f"{count(len(faults), 'file')} cannot be parsed"
        return Failure(
            Reason.INVALID, message, "'git allium check' says why",
            commands=[["git", "allium", "check", *(show_path(fault.file) for fault in faults)]],
        )  # fmt: skip
    if changed and purpose is Purpose.CHECK:
        message = f"{count(len(changed), 'file')} would change"
        return Failure(
            Reason.INVALID, message, "'git allium format' changes them",
            commands=[["git", "allium", "format", *(str(file.place) for file in changed)]],
        )  # fmt: skip
    return None
