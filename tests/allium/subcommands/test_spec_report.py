"""``git allium report``, as its users run it."""

from tests.allium.history_shapes import entity, evolve
from tests.program import allium_here
from tests.repository import TestRepository


def test_the_timeline_is_told_as_text_and_as_a_page(repo: TestRepository) -> None:
    repo.commit("Take <b>orders", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("Weigh", {"src/shop/order.py": "class Order:\n    total: str\n    n: int\n"})
    evolve(repo)
    new, old = (oid[:12] for oid in repo.git("rev-list", "HEAD").split())
    date = repo.git("log", "-1", "--format=%ad", "--date=format:%Y-%m-%d")
    done = allium_here(repo.path, "report").ok()
    assert done.out.splitlines() == [
        f"{date} {old} Take <b>orders",
        "  + entity Order",
        f"{date} {new} Weigh",
        "  ~ entity Order: field total: Integer became String",
        "  + entity Order: field n",
    ]
    assert done.err == "2 commits changed the domain, which is 1 entity now\n"
    assert allium_here(repo.path, "report", "-o", "t.html").ok().out == "t.html\n"
    page = (repo.path / "t.html").read_text()
    assert "Take &lt;b&gt;orders" in page
    assert '<polyline points="0,0 1,0"/>' in page


def test_a_page_is_written_to_no_picture(repo: TestRepository) -> None:
    wrong = allium_here(repo.path, "report", "-o", "t.svg")
    assert (wrong.status, wrong.err) == (129, "error: 't.svg' is no page\nhint: end it in .html\n")
    assert not (repo.path / "t.svg").exists()
