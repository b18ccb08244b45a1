"""``git allium graph``, as its users run it."""

import json
import xml.etree.ElementTree as ElementTree

from tests.allium.history_shapes import entity, evolve
from tests.program import allium_here
from tests.repository import TestRepository


def test_a_page_or_a_picture_is_written_where_it_is_wanted(repo: TestRepository) -> None:
    repo.commit("Take orders", {"src/shop/order.py": entity("Order", "total")})
    evolve(repo)
    done = allium_here(repo.path, "graph").ok()
    assert (done.out, done.err) == ("allium.html\n", "1 entity\n")
    page = (repo.path / "allium.html").read_text()
    assert f"<h1>The domain at {repo.rev('HEAD')[:12]}: Take orders</h1>" in page
    assert ">total: Integer</text>" in page
    told = json.loads(allium_here(repo.path, "graph", "-o", "a b.svg", "--json").ok().out)
    assert (told["file"], told["modules"], told["pictures"]) == ("a b.svg", 1, 1)
    ElementTree.parse(repo.path / "a b.svg")
    wrong = allium_here(repo.path, "graph", "-o", "domain.pdf")
    assert (wrong.status, "end it in .html or .svg" in wrong.err) == (129, True)


def test_a_link_at_the_usual_place_is_not_followed(repo: TestRepository) -> None:
    repo.commit("Take orders", {"src/shop/order.py": entity("Order", "total"), "mine": "mine\n"})
    evolve(repo)
    (repo.path / "allium.html").symlink_to("mine")
    done = allium_here(repo.path, "graph")
    assert (done.status, done.err) == (
        128,
        "fatal: 'allium.html' is a symbolic link\nhint: name the file to write: -o FILE\n",
    )
    assert (repo.path / "mine").read_text() == "mine\n"
