"""A domain in pictures: its modules, then each module with its types, and the states of each."""

from collections.abc import Iterator, Sequence
from itertools import chain
from textwrap import wrap
from typing import NamedTuple

from git_retcon.allium.views.domain_model import DomainModule, Machine, TypeBox
from git_retcon.allium.views.domain_timeline import count_kinds
from git_retcon.allium.views.svg_picture import LONGEST_LINE, STYLE, Picture, Shape
from git_retcon.show.web_page import WebPage, escape


class DomainSection(NamedTuple):
    """One heading with its pictures. ``anchor`` is what links lead to."""

    title: str
    anchor: str
    told: str
    pictures: Sequence[Picture]


def make_sections(modules: Sequence[DomainModule]) -> Iterator[DomainSection]:
    """The overview, where there is more than one module, then each of them."""
    if len(modules) > 1:
        yield DomainSection("Modules", "modules", count_domain(modules), [_make_overview(modules)])
    for module in modules:
        machines = [_make_machine(box, machine) for box in module.boxes for machine in box.machines]
        pictures = [_make_module(module, modules)] if module.boxes else []
        yield DomainSection(
            module.name, _name_anchor(module.path, modules), count_domain([module]),
            [*pictures, *machines],
        )  # fmt: skip


def make_page(title: str, sections: Sequence[DomainSection]) -> WebPage:
    """All of it as a page."""
    return WebPage(title, _write_body(title, sections), STYLE)


def make_svg(title: str, sections: Sequence[DomainSection]) -> str:
    """All of it as one SVG, picture below picture."""
    parts: list[str] = []
    width, y = 0.0, 40.0
    for section in sections:
        parts.append(f'<text class="title" x="12" y="{y:.0f}">{escape(section.title)}</text>')
        y += 10
        for picture in section.pictures:
            size = picture.lay_out().size
            inner = "\n".join(picture.draw())
            parts.append(f'<g transform="translate(0 {y:.0f})">{inner}</g>')
            width, y = max(width, size.width + 24), y + size.height + 34
        y += 30
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{y:.0f}" '
        f'viewBox="0 0 {width:.0f} {y:.0f}"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style>"
    )
    background = '<rect width="100%" height="100%" style="fill:#fff;stroke:none"/>'
    return "\n".join([head, background, *parts, "</svg>", ""])


def count_domain(modules: Sequence[DomainModule]) -> str:
    """What there is: "3 entities, 1 rule"."""
    counts: dict[str, int] = {}
    for module in modules:
        for kind in chain((box.kind for box in module.boxes), *(
            [kind] * number for kind, number in module.others.items()
        )):  # fmt: skip
            counts[kind] = counts.get(kind, 0) + 1
    return count_kinds(counts)


def _write_body(title: str, sections: Sequence[DomainSection]) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    if not sections:
        yield "<p>The specification declares nothing.</p>"
    for section in sections:
        yield f'<h2 id="{escape(section.anchor)}">{escape(section.title)}</h2>'
        yield f'<p class="faint">{escape(section.told)}</p>'
        for picture in section.pictures:
            yield f'<figure><figcaption class="faint">{escape(picture.name)}</figcaption>'
            yield '<div class="wide">'
            yield from picture.draw()
            yield "</div></figure>"


def _make_overview(modules: Sequence[DomainModule]) -> Picture:
    at = {module.path: number for number, module in enumerate(modules)}
    shapes = [
        Shape(each.name, "module", wrap(count_domain([each]), LONGEST_LINE), "module",
              f"#{_name_anchor(each.path, modules)}")
        for each in modules
    ]  # fmt: skip
    arrows = [
        (at[module.path], at[path])
        for module in modules
        for box in module.boxes
        for path, _ in box.targets
        if path != module.path
    ]
    return Picture("Modules, and which refers to which", shapes, list(dict.fromkeys(arrows)))


def _make_module(module: DomainModule, modules: Sequence[DomainModule]) -> Picture:
    names = {each.path: each.name for each in modules}
    own = {box.key: box for box in module.boxes}
    foreign = dict.fromkeys(key for box in module.boxes for key in box.targets if key not in own)
    at = {key: number for number, key in enumerate([*own, *foreign])}
    shapes = [
        Shape(box.name, box.kind, box.lines, "type", hint=f"{box.kind} {box.name}")
        for box in own.values()
    ]
    shapes += [
        Shape(name, f"in {names[path]}", (), "foreign", f"#{_name_anchor(path, modules)}")
        for path, name in foreign
    ]
    arrows = [(at[box.key], at[key]) for box in own.values() for key in box.targets]
    return Picture(f"Types of {module.name}, and what they refer to", shapes, arrows)


def _make_machine(box: TypeBox, machine: Machine) -> Picture:
    at = {state: number for number, state in enumerate(machine.states)}
    reached = {target for _, target in machine.edges}
    shapes = [
        Shape(
            state,
            "first" if state not in reached else "last" if state in machine.terminal else "",
            look="state terminal" if state in machine.terminal else "state",
        )
        for state in machine.states
    ]
    arrows = [(at[one], at[other]) for one, other in machine.edges]
    return Picture(f"States of {box.name}.{machine.field}", shapes, arrows)


def _name_anchor(path: bytes, modules: Sequence[DomainModule]) -> str:
    # By number: a path may hold what no anchor may.
    return f"module-{next(n for n, each in enumerate(modules) if each.path == path)}"
