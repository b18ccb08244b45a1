"""A diff in colour says the same as without, and controls no terminal."""

from git_retcon.show.painted_diff import paint_diff
from git_retcon.show.style import Style

DIFF = b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\x1b[2J\n+new\n"


def test_only_colours_are_added() -> None:
    plain = paint_diff(DIFF, Style(on=False))
    assert plain[:3] == ["--- a/x", "+++ b/x", "@@ -1 +1 @@"]
    assert plain[4] == "+new"
    assert "\x1b" not in plain[3]
    assert len(paint_diff(DIFF, Style(on=True))) == len(plain)
