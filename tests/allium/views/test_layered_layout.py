"""Boxes of a picture do not lie on each other, whatever joins them."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.views.layered_layout import Size, lay_out

SIZES = st.lists(st.builds(Size, st.floats(10, 400), st.floats(10, 200)), max_size=12)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Size], list[tuple[int, int]]]:
    sizes = draw(SIZES)
    ends = st.integers(0, len(sizes) - 1)
    edges = draw(st.lists(st.tuples(ends, ends), max_size=20)) if sizes else []
    return sizes, edges


@given(graphs())
def test_no_two_boxes_overlap_and_all_are_inside(
    graph: tuple[list[Size], list[tuple[int, int]]],
) -> None:
    sizes, edges = graph
    layout = lay_out(sizes, edges, 600)
    assert [Size(box.width, box.height) for box in layout.boxes] == sizes
    for one, other in combinations(layout.boxes, 2):
        apart = (one.x + one.width <= other.x or other.x + other.width <= one.x
                 or one.y + one.height <= other.y or other.y + other.height <= one.y)  # fmt: skip
        assert apart
    for box in layout.boxes:
        assert box.x >= 0
        assert box.x + box.width <= layout.size.width + 0.01
        assert box.y + box.height <= layout.size.height + 0.01


def test_arrows_lead_down_and_a_chain_may_be_long() -> None:
    count = 3_000
    layout = lay_out([Size(10, 10)] * count, [(n, n + 1) for n in range(count - 1)])
    heights = [box.y for box in layout.boxes]
    assert heights == sorted(set(heights))


def test_a_layer_is_no_wider_than_a_screen() -> None:
    layout = lay_out([Size(100, 10)] * 41, [(0, n) for n in range(1, 41)])
    assert layout.size.width <= 1100
