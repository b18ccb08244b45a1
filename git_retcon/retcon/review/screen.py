"""How a page of a review looks."""

import textwrap
from collections.abc import Collection, Iterator, Sequence

from git_retcon.git.atoms import Atom
from git_retcon.retcon.engine import UNSURE
from git_retcon.retcon.planner.pages import MOST_SHOWN, Page, Question
from git_retcon.retcon.rebuild.explanation import describe_hunk, number_patch, show_patch
from git_retcon.retcon.review.session import Moved
from git_retcon.retcon.spec.model import Spec
from git_retcon.show.counting import count
from git_retcon.show.style import Style, clip_text, printable, show_path

_INDENT = 8
_LAST = 2  # of a hunk that is cut
_MOST_MOVED = 5  # named one by one

HELP = """\
Enter     the page is right as shown
2 3       hunk 2 belongs to commit 3; the others are right
1-4 2     hunks 1 to 4 belong to commit 2
2 ?       leave hunk 2 to the planner; several answers are parted by commas
v 2       show all lines of hunk 2, of which a page shows ten at most
s 2 14    split hunk 2 behind its line 14; s 2 shows its lines first
u         undo the last page
n         next page; leave this one open
w         write the answers into the spec, and run it
q         write the answers into the spec, and leave
Q         leave without writing
h         this help"""


def commit_lines(spec: Spec, columns: int) -> Iterator[str]:
    """The commits with their numbers."""
    for index, commit in enumerate(spec.commits):
        yield clip_text(f"  {index + 1}  {printable(commit.subject)}", columns)


def page_lines(page: Page, left: int, style: Style, columns: int) -> Iterator[str]:
    """The hunks of a page, numbered, each with the commit that the plan has for it."""
    more = f"about {count(left - 1, 'more page')}" if left > 1 else "the last page"
    path, note = b"", style.faint(f"  ({more})")
    for number, question in enumerate(page.questions, 1):
        if question.atom.path != path:
            path = question.atom.path
            yield style.title(show_path(path)) + note
            note = ""
        yield from _question_lines(number, question, style, columns)


def _question_lines(number: int, question: Question, style: Style, columns: int) -> Iterator[str]:
    hunk, reason = describe_hunk(question.atom), question.placement.reason
    where = hunk.change or f"line {hunk.line}"
    scope = f"  {printable(hunk.scope)}" if hunk.scope else ""
    head = f"{number:3} -> {question.placement.commit + 1}  {where}{scope}"
    is_doubtful = reason.confidence < UNSURE
    sure = f"{reason.confidence:.0%}"
    yield f"{style.title(head)}  {style.warn('? ' + sure) if is_doubtful else sure}"
    if is_doubtful:
        indent = " " * _INDENT
        yield from textwrap.wrap(
            style.faint(printable(reason.why)),
            max(40, columns),
            initial_indent=indent,
            subsequent_indent=indent,
        )
    yield from _cut_lines(list(show_patch(question.atom, style, indent=_INDENT)), number)


def _cut_lines(lines: Sequence[str], number: int) -> Iterator[str]:
    """The lines of a hunk; of a long one the beginning and the end."""
    # The line that says so is one, too.
    if len(lines) <= MOST_SHOWN:
        yield from lines
        return
    yield from lines[: MOST_SHOWN - 1 - _LAST]
    left_out = count(len(lines) - MOST_SHOWN + 1, "more line")
    yield f"{' ' * _INDENT}… {left_out} (v {number} shows all)"
    yield from lines[-_LAST:]


def whole_lines(atom: Atom, style: Style) -> Iterator[str]:
    """All lines of a hunk, as a page shows them."""
    return show_patch(atom, style, indent=_INDENT)


def split_lines(atom: Atom, borders: Collection[int], style: Style) -> Iterator[str]:
    """The lines of a hunk with their numbers; those that it can be split behind have a star."""
    yield from number_patch(atom, style, borders)
    yield "It can be split behind the lines that have a star."


def moved_lines(moved: Sequence[Moved]) -> Iterator[str]:
    """What a new plan changed besides the answers."""
    if moved:
        yield f"That moves {count(len(moved), 'hunk')} more:"
    for each in moved[:_MOST_MOVED]:
        place = f"{show_path(each.atom.path)}:{each.atom.new.start + 1}"
        yield f"  {each.atom.id}  {place}  {each.before + 1} -> {each.after + 1}"
    if len(moved) > _MOST_MOVED:
        yield f"  and {len(moved) - _MOST_MOVED} more"
