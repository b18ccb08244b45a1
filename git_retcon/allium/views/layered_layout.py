"""Where the boxes of a picture are: in layers, so that most arrows lead down.

After Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
structures" (1981): cycles are broken, layers are assigned with a limit of their width, and boxes
are ordered by the middle of what they are joined to. Boxes without arrows follow below, in rows.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

GAP = 28.0  # pixels between boxes
_BETWEEN_LAYERS = 56.0
_SWEEPS = 4


class Size(NamedTuple):
    """Of a box, in pixels."""

    width: float
    height: float


class Box(NamedTuple):
    """A box in its place: the left upper corner, and its size."""

    x: float
    y: float
    width: float
    height: float


class Layout(NamedTuple):
    """The boxes in the order of their sizes, and the size of the whole."""

    boxes: Sequence[Box]
    size: Size


Edge = tuple[int, int]


def lay_out(sizes: Sequence[Size], edges: Sequence[Edge], most_width: float = 1100.0) -> Layout:
    """Place boxes; ``edges`` join them by number. No layer is wider than ``most_width``, unless a
    single box is.
    """
    down = _break_cycles(len(sizes), edges)
    joined = {end for edge in down for end in edge}
    layers = _assign_layers(sizes, down, joined, most_width)
    _order_layers(layers, down)
    rows = [
        *layers,
        *_fill_rows(sizes, [n for n in range(len(sizes)) if n not in joined], most_width),
    ]
    width = max((_measure(row, sizes) for row in rows), default=0.0)
    boxes: dict[int, Box] = {}
    y = 0.0
    for number, row in enumerate(rows):
        x = (width - _measure(row, sizes)) / 2 if number < len(layers) else 0.0
        for each in row:
            boxes[each] = Box(x, y, *sizes[each])
            x += sizes[each].width + GAP
        height = max(sizes[each].height for each in row)
        y += height + (_BETWEEN_LAYERS if number < len(layers) else GAP)
    bottom = max((box.y + box.height for box in boxes.values()), default=0.0)
    return Layout([boxes[each] for each in range(len(sizes))], Size(width, bottom))


def _break_cycles(count: int, edges: Sequence[Edge]) -> Sequence[Edge]:
    """The edges without loops, those that lead back turned round, each pair once."""
    below: dict[int, list[int]] = {each: [] for each in range(count)}
    for one, other in edges:
        below[one].append(other)
    found: dict[Edge, None] = {}
    finished: set[int] = set()
    for root in range(count):
        # No recursion: a chain may be as long as a specification is large.
        path, pending = {root: None}, [(root, iter(below[root]))]
        while pending and root not in finished:
            at, following = pending[-1]
            nearest = next(following, None)
            if nearest is None:
                pending.pop()
                path.pop(at)
                finished.add(at)
            elif nearest != at:
                is_back = nearest in path
                found[(nearest, at) if is_back else (at, nearest)] = None
                if not is_back and nearest not in finished:
                    path[nearest] = None
                    pending.append((nearest, iter(below[nearest])))
    return list(found)


def _assign_layers(
    sizes: Sequence[Size], edges: Sequence[Edge], joined: set[int], most_width: float
) -> list[list[int]]:
    """Each box below all that lead to it, in the first layer that has room."""
    above: dict[int, list[int]] = {each: [] for each in joined}
    below: dict[int, list[int]] = {each: [] for each in joined}
    for one, other in edges:
        above[other].append(one)
        below[one].append(other)
    missing = {each: len(above[each]) for each in joined}
    ready = [each for each in sorted(joined) if not missing[each]]
    layer_of: dict[int, int] = {}
    layers: list[list[int]] = []
    for each in ready:
        at = max((layer_of[parent] + 1 for parent in above[each]), default=0)
        while at < len(layers) and _measure([*layers[at], each], sizes) > most_width:
            at += 1
        layers += [[] for _ in range(at + 1 - len(layers))]
        layers[at].append(each)
        layer_of[each] = at
        for child in below[each]:
            missing[child] -= 1
            if not missing[child]:
                ready.append(child)
    return layers


def _order_layers(layers: list[list[int]], edges: Sequence[Edge]) -> None:
    """Sort each layer by the middle of what its boxes are joined to, down and up in turn."""
    joined: dict[int, list[int]] = {each: [] for layer in layers for each in layer}
    for one, other in edges:
        joined[one].append(other)
        joined[other].append(one)
    place = {each: at / len(layer) for layer in layers for at, each in enumerate(layer)}
    for sweep in range(_SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            layer.sort(key=lambda each: _find_middle(joined[each], place))
            place.update((each, at / len(layer)) for at, each in enumerate(layer))


def _find_middle(boxes: Sequence[int], place: Mapping[int, float]) -> float:
    return sum(place[each] for each in boxes) / len(boxes)


def _fill_rows(sizes: Sequence[Size], boxes: Sequence[int], most_width: float) -> list[list[int]]:
    rows: list[list[int]] = []
    for each in boxes:
        if not rows or _measure([*rows[-1], each], sizes) > most_width:
            rows.append([])
        rows[-1].append(each)
    return rows


def _measure(row: Sequence[int], sizes: Sequence[Size]) -> float:
    return sum(sizes[each].width for each in row) + GAP * (len(row) - 1)
