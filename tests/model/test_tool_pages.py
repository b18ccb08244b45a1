"""What a tool shows, in pages that hold every line once."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.model.tool_pages import clip_line, divide_into_pages, show_page


@given(st.lists(st.text("ab", max_size=30), max_size=40), st.integers(1, 50))
def test_pages_hold_every_line_once_and_in_order(lines: list[str], size: int) -> None:
    pages = divide_into_pages(lines, size)
    assert "\n".join(pages).split("\n") == (lines or [""])
    assert all(len(page) <= size or "\n" not in page for page in pages)
    assert show_page(pages, 10**9) == show_page(pages, len(pages))
    assert show_page(pages, -1) == show_page(pages, 1)


def test_a_long_line_says_what_is_missing() -> None:
    assert clip_line("x" * 1500) == "x" * 1000 + " [500 more characters]"
