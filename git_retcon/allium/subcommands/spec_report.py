"""``git allium report``: the timeline of the domain, as text or as a page."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from git_retcon.allium.store.declared_facts import FactChange
from git_retcon.allium.subcommands.spec_views import find_spec, open_view
from git_retcon.allium.views.domain_timeline import Moment, count_kinds, list_moments
from git_retcon.errors import WrongUsage
from git_retcon.files.atomic import save
from git_retcon.git.short_ids import shorten_id
from git_retcon.options import Output
from git_retcon.show.counting import count, list_some
from git_retcon.show.envelope import DONE, Ending
from git_retcon.show.notices import say_line
from git_retcon.show.style import printable, shell_word, show_path, write_line
from git_retcon.show.web_page import WebPage, escape

_SIGNS = {"added": "+", "removed": "-", "changed": "~"}
_MOST_CHANGES = 12
_STYLE = """
ol { list-style: none; padding: 0; } li { margin: 0 0 1.25rem; } ul { list-style: none; margin: 0;
  padding: 0 0 0 1rem; } ul li { margin: 0; } .added { color: var(--good); }
.removed { color: var(--bad); } svg { width: 100%; height: 8rem; } polyline { fill: none;
  stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; }
"""


def report_timeline(revision: str, target: Path | None, output: Output) -> Ending:
    """Print the timeline up to a revision, or write it to a page. Raises WrongUsage for a file that
    is none by its name.
    """
    if target is not None and target.suffix not in (".html", ".htm"):
        raise WrongUsage(f"'{target}' is no page", hint="end it in .html")
    view = open_view()
    moments = list(list_moments(view.repository, find_spec(view, revision)))
    if target is not None:
        page = WebPage("Timeline of the domain", _write_page(moments), _STYLE)
        save(target, str(page).encode("utf-8", "backslashreplace"))
    if not output.json:
        for line in [shell_word(str(target))] if target else _list_lines(moments):
            write_line(sys.stdout, line)
        sys.stdout.flush()  # the count on standard error comes last
    if not (output.json or output.quiet):
        say_line(_summarize(moments))
    return Ending(DONE, {"file": str(target) if target else None,
                         "moments": [_describe(each) for each in moments]})  # fmt: skip


def _list_lines(moments: Sequence[Moment]) -> Iterator[str]:
    for each in moments:
        who = shorten_id(each.source) if each.source else "by hand"
        yield printable(f"{each.date} {who} {each.subject}")
        changes = [printable(f"  {_say(change)}") for change in each.changes]
        for line in list_some(changes, _MOST_CHANGES, "change"):
            yield line if line.startswith(" ") else f"  {line}"


def _say(change: FactChange) -> str:
    return f"{_SIGNS[change.kind]} {change.summary}"


def _summarize(moments: Sequence[Moment]) -> str:
    if not moments:
        return "no commit changed the domain"
    now = count_kinds(moments[-1].counts) or "nothing"
    return f"{count(len(moments), 'commit')} changed the domain, which is {now} now"


def _write_page(moments: Sequence[Moment]) -> Iterator[str]:
    yield "<h1>Timeline of the domain</h1>"
    yield f"<p>{escape(_summarize(moments))}</p>"
    if len(moments) > 1:
        yield '<figure><figcaption class="faint">Declarations, commit by commit</figcaption>'
        yield f'<div class="wide">{_draw_growth([each.total for each in moments])}</div></figure>'
    yield "<ol>"
    for each in reversed(moments):
        who = shorten_id(each.source) if each.source else "by hand"
        yield f"<li><b>{escape(each.subject)}</b><br>"
        yield f'<span class="faint">{each.date} <code>{who}</code> {escape(each.author)}</span><ul>'
        for change in each.changes:
            yield f'<li class="code {change.kind}">{escape(_say(change))}</li>'
        yield "</ul></li>"
    yield "</ol>"


def _draw_growth(totals: Sequence[int]) -> str:
    highest = max(totals) or 1
    points = " ".join(f"{at},{highest - total}" for at, total in enumerate(totals))
    return (
        f'<svg viewBox="0 0 {len(totals) - 1} {highest}" preserveAspectRatio="none" role="img">'
        f'<title>From {totals[0]} to {totals[-1]}</title><polyline points="{points}"/></svg>'
    )


def _describe(moment: Moment) -> dict[str, object]:
    return {
        "spec": moment.spec,
        "source": moment.source,
        "date": moment.date,
        "author": moment.author,
        "subject": moment.subject,
        "declarations": moment.total,
        "changes": [
            {
                "module": show_path(each.module),
                "kind": each.kind,
                "section": each.title,
                "before": each.before,
                "after": each.after,
            }
            for each in moment.changes
        ],
    }
