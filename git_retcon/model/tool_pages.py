"""What a tool shows a model, in pages that leave room for the answer."""

from collections.abc import Iterable, Sequence

# Small enough that a page or two leave room for the answer in any model's window.
PAGE = 24_000  # characters
_LONGEST_LINE = 1_000


def clip_line(line: str) -> str:
    """Shorten a long line, and say how much is left out."""
    more = len(line) - _LONGEST_LINE
    return line if more <= 0 else f"{line[:_LONGEST_LINE]} [{more} more characters]"


def divide_into_pages(lines: Iterable[str], size: int = PAGE) -> list[str]:
    """Divide lines into pages of about ``size`` characters, never within a line. At least one."""
    pages: list[list[str]] = [[]]
    length = 0
    for line in lines:
        if pages[-1] and length + len(line) > size:
            pages.append([])
            length = 0
        pages[-1].append(line)
        length += len(line) + 1
    return ["\n".join(page) for page in pages]


def show_page(pages: Sequence[str], number: int) -> str:
    """One page, counted from 1, and how to ask for the next. Beyond the last: the last."""
    number = min(max(number, 1), len(pages))
    if len(pages) == 1:
        return pages[0]
    follows = f"; ask for page {number + 1} next" if number < len(pages) else ""
    return f"{pages[number - 1]}\n[page {number} of {len(pages)}{follows}]"
