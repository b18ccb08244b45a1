"""``git allium graph``: the domain as a picture."""

import sys
from pathlib import Path

from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.allium.subcommands.spec_views import find_spec, open_view
from git_retcon.allium.views.domain_model import read_domain
from git_retcon.allium.views.domain_picture import count_domain, make_page, make_sections, make_svg
from git_retcon.errors import Fatal, WrongUsage
from git_retcon.files.atomic import save
from git_retcon.git.graph import is_commit, read_commit, tree_of
from git_retcon.git.short_ids import shorten_id
from git_retcon.options import Output
from git_retcon.show.envelope import DONE, Ending
from git_retcon.show.notices import say_line
from git_retcon.show.style import shell_word, write_line

_USUAL = "allium.html"


def _find_usual() -> Path:
    """Where a picture goes that nobody named a file for. Raises Fatal for a link: the repository
    would choose the file that is overwritten.
    """
    path = Path(_USUAL)
    if path.is_symlink():
        raise Fatal(f"'{path}' is a symbolic link", hint="name the file to write: -o FILE")
    return path


def draw_graph(revision: str, target: Path | None, output: Output) -> Ending:
    """Write the picture of the specification of a revision to a file, by whose name it is a page or
    an SVG. Raises WrongUsage for another name.
    """
    path = target or _find_usual()
    if path.suffix not in (".html", ".htm", ".svg"):
        raise WrongUsage(
            f"'{path}' is neither a page nor a picture", hint="end it in .html or .svg"
        )
    view = open_view()
    spec = find_spec(view, revision)
    source = view.read_source(spec)
    modules = read_domain(SpecTrees(view.repository).read(tree_of(view.repository, spec)).store)
    # A reconciliation has a subject of its own: the source's says more.
    named = source if is_commit(view.repository, source) else spec
    subject = read_commit(view.repository, named).subject.removeprefix("allium: ")
    title = f"The domain at {shorten_id(source)}: {subject}"
    sections = list(make_sections(modules))
    text = make_svg(title, sections) if path.suffix == ".svg" else str(make_page(title, sections))
    save(path, text.encode("utf-8", "backslashreplace"))
    pictures = sum(len(each.pictures) for each in sections)
    if not output.json:
        write_line(sys.stdout, shell_word(str(path)))
    if not (output.json or output.quiet):
        say_line(count_domain(modules) or "the specification declares nothing")
    return Ending(DONE, {"file": str(path), "modules": len(modules), "pictures": pictures})
