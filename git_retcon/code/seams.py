"""Where text may be cut: at lines that begin a statement as deep as the run of lines began.

No string or comment is open there, the brackets are balanced, and no clause, comment or decorator
is torn from what it belongs to. So any subset of the parts can be parsed.
"""

from collections.abc import Iterator, Sequence

from git_retcon.code.definitions import indent_of
from git_retcon.code.entries import closes_bracket, ends_item, opens_bracket
from git_retcon.code.languages.language import Blocks, Content
from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.code.versions import Version

_DEEPEST = 24  # blocks around one line; deeper ones are taken for no definition
# From the one to the other is one part: a compiler refuses either alone.
_CONDITION = LazyPattern(rb"\s*#\s*(?:(if)|endif)")


def find_seams(version: Version, start: int, stop: int) -> Iterator[int]:
    """Every line between ``start`` and ``stop`` that may begin a part, and ``stop`` where the
    run of lines is balanced."""
    states = version.states
    level = states.depth[start]
    # The run begins inside a string or comment: no line of it is surely a statement.
    if states.is_open[start]:
        return
    if states.depth[stop] == level and not states.is_open[stop]:
        yield stop
    is_prose = version.language.content in (Content.PROSE, Content.LIST)
    head = _find_head_of_rest(version, start, stop)
    for at in _find_statements(version, start, stop, is_prose):
        is_level = states.depth[at] == level and not states.is_open[at]
        is_whole = is_level and (is_prose or _is_whole_before(version, start, at))
        if at > head and is_whole and not _is_attached(version, at):
            yield at


def find_decorators(version: Version, start: int, stop: int) -> Sequence[int]:
    """The lines that begin a decorator where a run has nothing but these: each of them may be alone
    before the definition behind the run. Empty where it has anything else.
    """
    # Elsewhere a line may have an annotation and what it is about.
    if version.language.blocks is not Blocks.INDENT:
        return ()
    states, level = version.states, version.states.depth[start]
    if states.is_open[start] or states.is_open[stop] or states.depth[stop] != level:
        return ()
    found = [
        at
        for at in range(start, stop)
        if states.depth[at] == level and not states.is_open[at] and version.lines[at].strip()
    ]
    # What closes the brackets of a decorator is as deep as the decorator itself.
    heads = [at for at in found if not closes_bracket(version, at)]
    is_alone = all(version.lines[at].lstrip().startswith(b"@") for at in heads)
    return heads if is_alone else ()


def _find_head_of_rest(version: Version, start: int, stop: int) -> int:
    """The line of the run that begins the block which the lines behind the run are in, or -1.

    Without that line, they would belong to what comes before it in the run.
    """
    if version.language.blocks is not Blocks.INDENT:
        return -1
    # Few lines only: a block seldom begins with many blank ones.
    following = (at for at in range(stop, min(stop + 4, len(version.lines))))
    at = next((at for at in following if version.lines[at].strip()), None)
    # In brackets indentation says nothing.
    if at is None or version.states.depth[at]:
        return -1
    head = version.outline.above(at)
    is_inside = head >= start and indent_of(version.lines[at]) > indent_of(version.lines[head])
    return head if is_inside else -1


def _find_statements(version: Version, start: int, stop: int, is_prose: bool) -> Iterator[int]:
    """The written lines, from the last to the first, that no later line continues and that go on
    with nothing themselves."""
    lines = version.lines
    within = _find_conditional(version, start, stop)
    inside: list[int] = []  # indents of clauses (else, except, end) that a later line continues
    # Backwards: whether a line is continued is known only from the lines after it.
    for at in range(stop - 1, start, -1):
        if not lines[at].strip() or at in within:
            continue
        width = indent_of(lines[at])
        while inside and inside[-1] >= width:
            inside.pop()
        if not is_prose and _continues_before(version, at):
            inside.append(width)
        elif not inside:
            yield at


def _is_whole_before(version: Version, start: int, at: int) -> bool:
    """Whether what is above a line does not need the line: no head whose block it begins, and no
    block but a definition's around it."""
    previous = _last_written(version.lines, at, start)
    if previous >= 0 and indent_of(version.lines[at]) > indent_of(version.lines[previous]):
        return False
    by_indent = version.language.blocks is Blocks.INDENT
    return not by_indent or _in_definitions(version, start, at)


def _is_attached(version: Version, at: int) -> bool:
    """Whether the line belongs to a comment or decorator above it."""
    attached = version.language.attached
    return attached is not None and attached.match(_read_statement(version, at)) is not None


def _continues_before(version: Version, at: int) -> bool:
    """Whether a line goes on with the statement before it. A row of a table begins with a brace
    too: behind a comma."""
    line = version.lines[at][:80]
    if version.language.continuation.match(line) is None:
        return False
    return not (line.lstrip().startswith(b"{") and ends_item(version, at))


def _find_conditional(version: Version, start: int, stop: int) -> frozenset[int]:
    """The lines behind an ``#if`` and before the end of its ``#endif``, where both are there."""
    if version.language.blocks is not Blocks.BRACKETS:
        return frozenset()
    found: set[int] = set()
    ends: list[int] = []
    for at in range(stop - 1, start - 1, -1):
        mark = _CONDITION.match(version.lines[at][:80])
        if mark is not None and mark[1] is None:
            ends.append(at)
        elif mark is not None and ends and not _guards_body(version, at, end := ends.pop()):
            found.update(range(at + 1, end + 1))
    return frozenset(found)


def _guards_body(version: Version, start: int, end: int) -> bool:
    """Whether an ``#if`` and its ``#endif`` have a whole header between them: else it would be one
    part."""
    attached = version.language.attached
    # A header's guard may have a licence above it, at most this long.
    outside = (*version.lines[end + 1 : end + 3], *version.lines[max(0, start - 40) : start])
    return not any(line.strip() and not (attached and attached.match(line)) for line in outside)


def _read_statement(version: Version, at: int) -> bytes:
    """The first line of the statement that ends before line ``at``: a decorator may be long."""
    level, states = version.states.depth[at], version.states
    first = at - 1
    while first > 0 and (states.depth[first] > level or states.is_open[first]):
        first -= 1
    return version.lines[first][:240]


def _in_definitions(version: Version, start: int, at: int) -> bool:
    """Whether every block around a line that begins in its run is a definition's: the rest of an
    ``if`` means nothing without its head, or something else."""
    shape = version.outline
    above = shape.above(at)
    for _ in range(_DEEPEST):
        if above < start:
            return True
        if not shape.names(above):
            return False
        above = shape.above(above)
    return False


def _last_written(lines: Sequence[bytes], at: int, start: int) -> int:
    """The last line before ``at`` that is not blank, or -1; looks back a few lines only."""
    for before in range(at - 1, max(start, at - 4) - 1, -1):
        if lines[before].strip():
            return before
    return -1


def keeps_commas(old: Version, new: Version, cut: tuple[int, int]) -> bool:
    """Whether items of a list keep their commas whichever side of the cut is taken alone.

    A comma that comes or goes with a line belongs to what follows it: ``a`` that becomes ``a,``
    stays with the new ``b`` behind it.
    """
    if not (old.states.depth[cut[0]] and new.states.depth[cut[1]]):
        return True
    before, after = (old, cut[0]), (new, cut[1])
    return _may_precede(before, after) and _may_precede(after, before)


def _may_precede(one: tuple[Version, int], two: tuple[Version, int]) -> bool:
    """Whether the text before each of two lines may come before the other one, judged by the
    comma before the first."""
    if not ends_item(*one) or ends_item(*two) or opens_bracket(*two):
        return (
            one[0].language.ends_with_comma
            or not ends_item(*one)
            or closes_bracket(*one) == closes_bracket(*two)
        )
    return closes_bracket(*one)
