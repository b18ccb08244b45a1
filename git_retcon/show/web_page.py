"""One HTML page that needs nothing else: no network, no script; light or dark as its reader is."""

import html
from collections.abc import Iterable
from typing import NamedTuple

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --faint: #59636e; --line: #d1d9e0;
  --card: #f6f8fa; --paper: #ffffff; --accent: #0969da; --good: #1a7f37; --bad: #d1242f; }
@media (prefers-color-scheme: dark) { :root { --ink: #f0f6fc; --faint: #9198a1; --line: #3d444d;
  --card: #151b23; --paper: #0d1117; --accent: #4493f8; --good: #3fb950; --bad: #f85149; } }
body { margin: 0 auto; max-width: 75rem; padding: 1.5rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
p, li { max-width: 50rem; } a { color: var(--accent); } .faint { color: var(--faint); }
code, .code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .875em; }
figure { margin: 0 0 1rem; } figcaption { font-size: .875rem; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; padding: .5rem; }
"""


class WebPage(NamedTuple):
    """A page. ``body`` is HTML; every text of others in it went through ``escape``."""

    title: str
    body: Iterable[str]
    style: str = ""

    def __str__(self) -> str:
        return "\n".join([
            "<!doctype html>",
            '<html lang="en">',
            '<head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            # No name or text of a repository can write a script into the page.
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            f"<title>{escape(self.title)}</title>",
            f"<style>{_STYLE}{self.style}</style></head>",
            "<body>",
            *self.body,
            "</body></html>",
            "",
        ])  # fmt: skip


def escape(text: str) -> str:
    """Text as HTML and SVG have it; what no such document may hold is made visible."""
    from git_retcon.show.style import printable

    return html.escape(printable(text))
