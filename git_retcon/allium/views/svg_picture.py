"""Pictures of a domain as SVG: boxes with lines and arrows between them, and states."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.allium.views.layered_layout import Box, Layout, Size, lay_out
from git_retcon.show.style import shorten
from git_retcon.show.web_page import escape

_CHARACTER = 7.3  # pixels: a little more than a monospace letter of 12 pixels is wide
_ROW = 17.0
_PADDING = 10.0
LONGEST_LINE = 46  # characters
_MOST_LINES = 14
_MARGIN = 12.0
_BESIDE = 9.0  # between an arrow and the boxes that it goes around
_Point = tuple[float, float]

STYLE = """
svg { display: block; font: 12px ui-monospace, "DejaVu Sans Mono", monospace; }
svg rect { fill: var(--card, #f6f8fa); stroke: var(--line, #9198a1); }
svg text { fill: var(--ink, #1f2328); } svg .faint { fill: var(--faint, #59636e); }
svg .title { font-weight: bold; } svg a .title { fill: var(--accent, #0969da); }
svg .arrow { fill: none; stroke: var(--faint, #59636e); }
svg .rule { stroke: var(--line, #9198a1); }
svg .foreign rect { stroke-dasharray: 4 3; fill: none; }
svg .state rect { fill: var(--paper, #ffffff); } svg .terminal rect { stroke-width: 3; }
svg marker path { fill: var(--faint, #59636e); }
"""


class Shape(NamedTuple):
    """A box to draw. ``look`` is a class of the style, ``link`` where its title leads, "" for
    nowhere; ``hint`` is what a reader sees who waits over it.
    """

    title: str
    above: str = ""
    lines: Sequence[str] = ()
    look: str = ""
    link: str = ""
    hint: str = ""

    @property
    def texts(self) -> Sequence[str]:
        """The lines that are drawn."""
        shown = [shorten(line, LONGEST_LINE) for line in self.lines[:_MOST_LINES]]
        left = len(self.lines) - len(shown)
        return [*shown, f"… {left} more"] if left else shown

    @property
    def size(self) -> Size:
        """What it takes, in pixels."""
        rows = [shorten(self.title, LONGEST_LINE), self.above, *self.texts]
        width = max(map(len, rows)) * _CHARACTER + 2 * _PADDING
        count = 1 + bool(self.above) + len(self.texts)
        return Size(max(width, 60.0), count * _ROW + 2 * _PADDING - 4)


class Picture(NamedTuple):
    """Boxes, and arrows between them by number. ``name`` says for everybody what it shows."""

    name: str
    shapes: Sequence[Shape]
    arrows: Sequence[tuple[int, int]]

    def lay_out(self) -> Layout:
        """Where all of it is."""
        return lay_out([shape.size for shape in self.shapes], self.arrows)

    def draw(self) -> Iterator[str]:
        """The picture as an ``svg`` element."""
        layout = self.lay_out()
        width, height = (each + 2 * _MARGIN for each in layout.size)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="{-_MARGIN:.0f} {-_MARGIN:.0f} {width:.0f} {height:.0f}" role="img">'
        )
        yield f"<title>{escape(self.name)}</title>"
        yield (
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
            'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
        )
        # Arrows first: a box covers those that pass behind it.
        for one, other in dict.fromkeys(self.arrows):
            path = _draw_arrow(layout.boxes[one], layout.boxes[other], layout.boxes)
            yield f'<path class="arrow" marker-end="url(#head)" d="{path}"/>'
        for shape, box in zip(self.shapes, layout.boxes, strict=True):
            yield from _draw_shape(shape, box)
        yield "</svg>"


def _draw_shape(shape: Shape, box: Box) -> Iterator[str]:
    yield f'<g class="{shape.look}">'
    if shape.hint:
        yield f"<title>{escape(shape.hint)}</title>"
    radius = box.height / 2 if "state" in shape.look else 6
    yield (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="{min(radius, 14):.0f}"/>'
    )
    x, y = box.x + _PADDING, box.y + _PADDING + 9
    if shape.above:
        yield f'<text class="faint" x="{x:.1f}" y="{y:.1f}">{escape(shape.above)}</text>'
        y += _ROW
    title = escape(shorten(shape.title, LONGEST_LINE))
    text = f'<text class="title" x="{x:.1f}" y="{y:.1f}">{title}</text>'
    yield f'<a href="{escape(shape.link)}">{text}</a>' if shape.link else text
    if shape.texts:
        line = y + 6
        yield f'<path class="rule" d="M{box.x:.1f} {line:.1f}h{box.width:.1f}"/>'
    for row in shape.texts:
        y += _ROW
        yield f'<text x="{x:.1f}" y="{y + 3:.1f}">{escape(row)}</text>'
    yield "</g>"


def _draw_arrow(one: Box, other: Box, boxes: Sequence[Box]) -> str:
    if one == other:
        x, y = one.x + one.width, one.y + one.height / 2
        return f"M{x:.1f} {y - 8:.1f}c26 -10 26 26 0 16"
    is_down = other.y >= one.y + one.height
    is_up = one.y >= other.y + other.height
    if not (is_down or is_up):  # side by side
        is_right = other.x > one.x
        x1, x2 = (one.x + one.width, other.x) if is_right else (one.x, other.x + other.width)
        y1, y2 = one.y + one.height / 2, other.y + other.height / 2
        middle = (x1 + x2) / 2
        return f"M{x1:.1f} {y1:.1f}C{middle:.1f} {y1:.1f} {middle:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    # An arrow and the one that leads back do not lie on each other.
    shift = 0.0 if is_down else 12.0
    x1, x2 = one.x + one.width / 2 + shift, other.x + other.width / 2 + shift
    y1, y2 = (one.y + one.height, other.y) if is_down else (one.y, other.y + other.height)
    passed = [each for each in boxes if _is_between(each, (x1, y1), (x2, y2))]
    if passed:
        return _draw_around(passed, (x1, y1), (x2, y2))
    middle = (y1 + y2) / 2
    return f"M{x1:.1f} {y1:.1f}C{x1:.1f} {middle:.1f} {x2:.1f} {middle:.1f} {x2:.1f} {y2:.1f}"


def _is_between(box: Box, start: _Point, end: _Point) -> bool:
    """Whether a box lies on the way from one point to another, so that it would hide an arrow."""
    low, high = sorted((start[1], end[1]))
    left, right = sorted((start[0], end[0]))
    is_beside = box.x > right or box.x + box.width < left
    return low < box.y and box.y + box.height < high and not is_beside


def _draw_around(passed: Sequence[Box], start: _Point, end: _Point) -> str:
    """An arrow past some boxes, on the side that is nearer to where it begins."""
    left = min(each.x for each in passed) - _BESIDE
    right = max(each.x + each.width for each in passed) + _BESIDE
    side = left if start[0] - left < right - start[0] else right
    ends = [min(each.y for each in passed), max(each.y + each.height for each in passed)]
    near, far = ends if start[1] < end[1] else reversed(ends)
    one, two = (start[1] + near) / 2, (end[1] + far) / 2
    return (
        f"M{start[0]:.1f} {start[1]:.1f}"
        f"C{start[0]:.1f} {one:.1f} {side:.1f} {one:.1f} {side:.1f} {near:.1f}V{far:.1f}"
        f"C{side:.1f} {two:.1f} {end[0]:.1f} {two:.1f} {end[0]:.1f} {end[1]:.1f}"
    )
