"""A page stands alone, and nothing in it is more than text."""

from git_retcon.show.web_page import WebPage, escape


def test_a_page_asks_for_nothing_and_allows_no_script() -> None:
    page = str(WebPage("a <b>", ["<p>body</p>"]))
    assert "<title>a &lt;b&gt;</title>" in page
    assert "default-src 'none'" in page
    assert not any(word in page for word in ("http:", "https:", "src=", "<script", "url("))


def test_what_others_wrote_stays_text() -> None:
    assert escape("<script>\"'&\x1b\x00") == "&lt;script&gt;&quot;&#x27;&amp;\\x1b\\x00"
