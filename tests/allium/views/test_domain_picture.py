"""The pictures are sound documents; in a real browser every text lies within its box."""

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.views.domain_model import DomainModule, TypeBox, read_domain
from git_retcon.allium.views.domain_picture import make_page, make_sections, make_svg
from tests.allium.views.test_domain_model import PEOPLE, SHOP

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
MODULES = read_domain(SpecStore(modules={b"shop.allium": SHOP, b"people.allium": PEOPLE}))
# Counts each text that is drawn beyond the box that it belongs to.
MEASURE = """<script>
const wrong = [];
for (const group of document.querySelectorAll('svg > g')) {
  const box = group.querySelector('rect').getBBox();
  for (const text of group.querySelectorAll('text')) {
    const t = text.getBBox();
    if (t.x < box.x || t.x + t.width > box.x + box.width
        || t.y < box.y || t.y + t.height > box.y + box.height) wrong.push(text.textContent);
  }
}
document.title = JSON.stringify({wrong, drawn: document.querySelectorAll('svg > g').length});
</script>"""


def test_all_of_it_is_in_the_pictures() -> None:
    sections = list(make_sections(MODULES))
    assert [each.title for each in sections] == ["Modules", "people", "shop"]
    assert [picture.name for picture in sections[2].pictures] == [
        "Types of shop, and what they refer to",
        "States of Order.status",
    ]
    drawn = ElementTree.fromstring(make_svg("Title", sections))
    texts = {node.text for node in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"Order", "buyer: people/Customer", "in people", "new", "paid"} <= texts


def test_a_module_of_many_kinds_says_them_all() -> None:
    others = dict.fromkeys(("external entity", "value", "enum", "config", "contract"), 12)
    modules = [*MODULES, DomainModule(b"a.allium", [], others)]
    (overview,) = next(make_sections(modules)).pictures
    said = overview.shapes[-1].texts
    assert " ".join(said) == (
        "12 external entities, 12 values, 12 enums, 12 configs and 12 contracts"
    )
    assert len(said) == 2


def test_a_name_is_text_whatever_it_holds() -> None:
    evil = '"><script>alert(1)</script>'
    box = TypeBox(b"a.allium", "entity", evil, [evil], [])
    sections = list(make_sections([DomainModule(f"{evil}.allium".encode(), [box], {})]))
    assert "<script" not in str(make_page(evil, sections))
    ElementTree.fromstring(make_svg(evil, sections))


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium to look at it with")
def test_in_a_browser_every_text_is_within_its_box(tmp_path: Path) -> None:
    box = TypeBox(b"a.allium", "external entity", "W" * 60, ["M" * 60] * 30, [])
    modules = [*MODULES, DomainModule(b"a.allium", [box], {"open question": 2})]
    page = str(make_page("Title", list(make_sections(modules))))
    page = re.sub(r"<meta http-equiv[^>]*>", "", page).replace("</body>", f"{MEASURE}</body>")
    (tmp_path / "page.html").write_text(page)
    assert CHROMIUM is not None
    done = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
            f"--user-data-dir={tmp_path / 'profile'}", (tmp_path / "page.html").as_uri(),
        ],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    title = re.search(r"<title>(\{.*?\})</title>", done.stdout)
    assert title is not None
    assert json.loads(title[1].replace("&quot;", '"')) == {"wrong": [], "drawn": 11}
