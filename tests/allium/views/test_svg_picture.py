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
