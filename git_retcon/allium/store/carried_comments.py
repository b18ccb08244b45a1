"""Comments that people wrote at something of the source: they stay when the source changes it."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from git_retcon.allium.store.module_text import cut_comment, list_comments, read_citation


def carry_comments(
    old: bytes, new: bytes, is_kept: Callable[[str], bool] = lambda comment: True
) -> bytes:
    """The new text of a declaration, or of an item of one, with the comments of the old one: each
    behind the line that it is behind, else above all.

    ``is_kept`` says of a comment, without its dashes, whether it is wanted.
    """
    lines = new.split(b"\n")
    known = {*list_comments(new)}
    above: list[bytes] = []
    is_line = old.strip().count(b"\n") == new.strip().count(b"\n") == 0
    for code, comment in _list_comment_lines(old, lambda each: each not in known and is_kept(each)):
        at = _find_line(lines, code, is_line=is_line) if code else None
        if at is None:
            above.append(comment)
        else:
            lines[at] = lines[at].rstrip() + b" " + comment
    first = next((at for at, line in enumerate(lines) if _cut_line(line)[0]), len(lines))
    indent = (
        lines[first][: len(lines[first]) - len(lines[first].lstrip())] if lines[first:] else b""
    )
    lines[first:first] = [indent + comment for comment in above]
    return b"\n".join(lines)


def follow_citations(text: bytes, before: Iterable[bytes], now: bytes) -> bytes:
    """The text of a declaration with the sources that it came to have since it was as ``before``,
    and without those that it has no more; what else it cites stays.
    """
    cited = list(_list_citations(text))
    known = dict.fromkeys(line for each in before for line in _list_citations(each))
    new = list(_list_citations(now))
    wanted = [each for each in cited if each in new or each not in known]
    wanted += [each for each in new if known and each not in known and each not in wanted]
    if {*wanted} == {*new}:
        wanted = new
    if wanted == cited or not wanted:
        return text
    rest = [line for line in text.split(b"\n") if line not in cited]
    return b"\n".join([*wanted, *rest])


def _list_citations(text: bytes) -> Iterator[bytes]:
    for line in text.split(b"\n"):
        if line.startswith(b"-- ") and read_citation(line[3:].decode("utf-8", "replace")):
            yield line


def select_comments(text: bytes, is_kept: Callable[[str], bool]) -> Sequence[bytes]:
    """The comments at a declaration and in it, with their dashes; what it cites is none."""
    return [comment for _, comment in _list_comment_lines(text, is_kept)]


def strip_comments(text: bytes) -> bytes:
    """What a text says, on one line."""
    return b" ".join(b" ".join(cut_comment(line)[0] for line in text.split(b"\n")).split())


def _list_comment_lines(
    text: bytes, is_kept: Callable[[str], bool]
) -> Iterator[tuple[bytes, bytes]]:
    """What is on the line of each comment, and the comment."""
    for line in text.split(b"\n"):
        code, comment = _cut_line(line)
        said = comment[2:].strip().decode("utf-8", "replace")
        if said and read_citation(said) is None and is_kept(said):
            yield code, comment


def _find_line(lines: Sequence[bytes], code: bytes, *, is_line: bool) -> int | None:
    """The line that a comment is to be behind: it says the same, or is the only one."""
    for at, line in enumerate(lines):
        found, comment = _cut_line(line)
        if found and not comment and (is_line or found == code):
            return at
    return None


def _cut_line(line: bytes) -> tuple[bytes, bytes]:
    code, comment = cut_comment(line)
    return code.strip(), comment.strip()
