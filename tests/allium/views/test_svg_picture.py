"""One picture: boxes as large as their text, and arrows between them."""

import xml.etree.ElementTree as ElementTree

from git_retcon.allium.views.svg_picture import Picture, Shape


def draw(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring("\n".join(picture.draw()))


def test_long_lines_and_long_lists_are_cut_and_counted() -> None:
    shape = Shape("Order", lines=["x" * 100, *map(str, range(30))])
    assert len(shape.texts[0]) == 46
    assert shape.texts[-1] == "… 17 more"
    assert shape.size.width < 400


def test_an_arrow_is_drawn_once_in_each_direction_and_round_to_itself() -> None:
    picture = Picture("p", [Shape("a"), Shape("b")], [(0, 1), (0, 1), (1, 0), (1, 1)])
    paths = [node.get("d") for node in draw(picture).iter() if node.get("class") == "arrow"]
    assert len(paths) == len(set(paths)) == 3
    title = next(node for node in draw(picture).iter() if node.tag.endswith("title"))
    assert title.text == "p"


def test_an_arrow_past_a_box_is_not_hidden_behind_it() -> None:
    shapes = [Shape("a"), Shape("b", lines=["x" * 20] * 3), Shape("c")]
    for arrows in ([(0, 1), (1, 2), (0, 2)], [(0, 1), (1, 2), (2, 0)]):
        picture = Picture("p", shapes, arrows)
        paths = [node.get("d") or "" for node in draw(picture).iter() if node.get("class")
                 == "arrow"]  # fmt: skip
        (around,) = (path for path in paths if "V" in path)
        passed = picture.lay_out().boxes[1]
        side = float(around.partition("V")[0].split()[-2])
        assert -12 < side < passed.x or passed.x + passed.width < side
