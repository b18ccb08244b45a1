"""Classes that have the name of a type of the language itself."""

import json

import pytest

from git_retcon.allium.extract import spec_layout
from git_retcon.allium.extract.grammar.syntax_nodes import is_available
from tests.allium.history_shapes import BRANCH, evolve, spec
from tests.program import allium_here
from tests.repository import TestRepository

OWN = ("Duration", "String", "Timestamp", "Integer", "Boolean", "Decimal")


@pytest.mark.parametrize("name", OWN)
def test_a_class_with_the_name_of_a_type_of_the_language_is_another(
    repo: TestRepository, name: str
) -> None:
    repo.commit(
        "a",
        {
            "src/shop/order.py": (
                f"class {name}:\n    amount: int\n    text: str\n\n\n"
                f"class Order:\n    own: {name}\n    count: int\n    label: str\n"
            ),
            "src/post/letter.py": (
                "from datetime import datetime, timedelta\n\nfrom shop.order import "
                f"{name}\n\n\nclass Letter:\n    own: {name}\n    at: datetime\n"
                "    took: timedelta\n    paid: bool\n    price: float\n"
            ),
        },
    )
    evolve(repo)
    shop = spec(repo, "shop")
    assert f"entity Order{name} {{" in shop
    assert f"    own: Order{name}\n    count: Integer\n    label: String\n" in shop
    assert (
        f"    own: shop/Order{name}\n    at: Timestamp\n    took: Duration\n"
        "    paid: Boolean\n    price: Decimal\n"
    ) in spec(repo, "post")
    assert allium_here(repo.path, "check", "--drift").ok().err == "no divergence\n"
    tree = repo.tree(BRANCH)
    done = allium_here(repo.path, "reconcile", "--offline", "--full", "--json").ok()
    assert json.loads(done.out)["findings"] == []
    assert repo.tree(BRANCH) == tree


def test_a_class_that_comes_to_have_such_a_name_leaves_the_others_as_they_are(
    repo: TestRepository,
) -> None:
    source = "class Span:\n    amount: int\n\n\nclass Order:\n    own: Span\n    took: {}\n"
    repo.commit(
        "a", {"src/shop/order.py": "import datetime\n" + source.format("datetime.timedelta")}
    )
    evolve(repo)
    renamed = source.replace("Span", "Duration").format("datetime.timedelta")
    repo.commit("b", {"src/shop/order.py": "import datetime\n" + renamed})
    evolve(repo)
    assert "    own: OrderDuration\n    took: Duration\n" in spec(repo, "shop")
    assert allium_here(repo.path, "check", "--drift").ok().err == "no divergence\n"


def test_a_class_of_a_file_of_its_own_name_is_told_apart_too(repo: TestRepository) -> None:
    repo.commit(
        "a", {"src/shop/duration.py": "class Duration:\n    n: int\n    next: 'Duration'\n"}
    )
    evolve(repo)
    assert "entity DurationDuration {" in spec(repo, "shop")
    assert "    next: DurationDuration\n" in spec(repo, "shop")


@pytest.mark.parametrize("name", ["Boolean", "Decimal", "String"])
def test_so_it_is_in_typescript(repo: TestRepository, name: str) -> None:
    own = f"export class {name} {{\n  amount: number;\n}}\n"
    order = (
        f"import {{ {name} }} from './own';\n\nexport class Order {{\n  own: {name};\n"
        "  text: string;\n  paid: boolean;\n  price: number;\n}\n"
    )
    other = f"export class Letter {{\n  plain: {name};\n}}\n"
    repo.commit("a", {"src/shop/own.ts": own, "src/shop/order.ts": order, "src/post/a.ts": other})
    evolve(repo)
    assert (
        f"    own: Own{name}\n    text: String\n    paid: Boolean\n    price: Decimal\n"
    ) in spec(repo, "shop")
    assert f"    plain: {name}\n" in spec(repo, "post")
    assert allium_here(repo.path, "check", "--drift").ok().err == "no divergence\n"


JAVA = {
    "src/shop/Duration.java": "package shop;\n\npublic class Duration {\n  private int n;\n}\n",
    "src/shop/Order.java": "package shop;\n\npublic class Order {\n  private Long id;\n"
    "  private Duration own;\n  private String text;\n  private Boolean paid;\n}\n",
    "src/post/Letter.java": "package post;\n\nimport java.time.Duration;\n\n"
    "public class Letter {\n  private Long id;\n  private Duration plain;\n}\n",
}
CSHARP = {
    "src/shop/Own.cs": "namespace Shop;\npublic class Boolean { public int N { get; set; } }\n",
    "src/shop/Order.cs": "namespace Shop;\npublic class Order {\n  public int Id { get; set; }\n"
    "  public Boolean Own { get; set; }\n  public string Text { get; set; }\n}\n",
    "src/post/Letter.cs": "using System;\nnamespace Post;\npublic class Letter {\n"
    "  public int Id { get; set; }\n  public Boolean Plain { get; set; }\n}\n",
}
GO = {
    "src/shop/own.go": "package shop\n\ntype Duration struct {\n\tN int\n}\n",
    "src/shop/order.go": 'package shop\n\nimport "time"\n\ntype Order struct {\n\tID int\n'
    "\tOwn Duration\n\tTook time.Duration\n}\n",
    "src/post/letter.go": 'package post\n\nimport "time"\n\ntype Letter struct {\n\tID int\n'
    "\tPlain time.Duration\n}\n",
}
RUST = {
    "src/shop/own.rs": "pub struct Duration {\n    pub n: u8,\n}\n",
    "src/shop/order.rs": "use crate::shop::own::Duration;\n\npub struct Order {\n    pub id: u8,\n"
    "    pub own: Duration,\n    pub text: String,\n}\n",
    "src/post/letter.rs": "use std::time::Duration;\n\npub struct Letter {\n    pub id: u8,\n"
    "    pub plain: Duration,\n}\n",
}


@pytest.mark.parametrize(
    ("files", "name", "grammar", "line"),
    [
        (JAVA, "Duration", "tree_sitter_java", "own: DurationDuration\n    text: String"),
        (CSHARP, "Boolean", "tree_sitter_c_sharp", "own: OwnBoolean\n    text: String"),
        (GO, "Duration", "tree_sitter_go", "own: OwnDuration\n    took: Duration"),
        (RUST, "Duration", "tree_sitter_rust", "own: OwnDuration\n    text: String"),
    ],
    ids=["java", "csharp", "go", "rust"],
)
def test_so_it_is_in_other_languages(
    repo: TestRepository, files: dict[str, str], name: str, grammar: str, line: str
) -> None:
    if not is_available(grammar):
        pytest.skip(f"{grammar} is not installed")
    repo.commit("a", files)
    evolve(repo)
    assert f"    {line}\n" in spec(repo, "shop").lower() or f"    {line}\n" in spec(repo, "shop")
    assert f"    plain: {name}" in spec(repo, "post")
    assert allium_here(repo.path, "check", "--drift").ok().err == "no divergence\n"


def test_an_older_specification_keeps_its_names(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a class had the name of a type of the language, as it was written before."""
    monkeypatch.setattr(spec_layout, "_PLAIN_TYPES", frozenset())
    source = "class String:\n    n: int\n\n\nclass Order:\n    own: String\n    all: list\n"
    repo.commit("a", {"src/shop/order.py": source})
    evolve(repo)
    before = spec(repo, "shop")
    monkeypatch.undo()
    assert "entity String {" in before
    assert allium_here(repo.path, "check", "--drift").ok().err == "no divergence\n"
    repo.commit("b", {"src/shop/order.py": source + "    m: int\n"})
    evolve(repo, "--reconciliation-interval", "1")
    assert spec(repo, "shop") == before.replace(
        "    all: List<Any>\n", "    all: List<Any>\n    m: Integer\n"
    )
