"""Finding the declarations that speak of a file."""

from git_retcon.allium.reconcile.spec_index import SpecIndex, find_orphans, list_symbols
from git_retcon.allium.store.module_text import DeclarationText, cut_module
from git_retcon.allium.store.spec_store import SpecStore
from tests.allium.specs import HEAD

CITED = "-- Source: src/shop/order.py, Order\nentity Order {\n    total: Integer\n}\n"
BARE = "entity Order {\n    total: Decimal\n}\n"


def store(**modules: str) -> SpecStore:
    texts = {f"{name}.allium".encode(): (HEAD + text).encode() for name, text in modules.items()}
    return SpecStore(modules=texts)


def declared(kind: str, name: str, path: str) -> DeclarationText:
    return DeclarationText(kind, name, 0, b"", (path,))


def test_a_citation_counts_wherever_the_declaration_is() -> None:
    index = SpecIndex(store(shop=BARE, elsewhere=CITED))
    order = declared("entity", "Order", "src/shop/order.py")
    found = index.find(order, b"src/shop/order.py")
    assert found is not None
    assert found.module == b"elsewhere.allium"
    other = index.find(declared("entity", "Order", "src/shop/x.py"), b"src/shop/x.py")
    assert other is not None
    assert other.module == b"shop.allium", "without a citation, the file's module counts"
    assert index.find(declared("entity", "Order", "tax/x.py"), b"tax/x.py") is None


def test_its_own_citation_counts_before_that_of_an_heir() -> None:
    heir = "-- Source: src/client/order.py, Order\n" + CITED
    index = SpecIndex(store(client=heir, shop=CITED))
    for path, module in (("src/client/order.py", "client"), ("src/shop/order.py", "shop")):
        found = index.find(declared("value", "Order", path), path.encode())
        assert found is not None
        assert found.module == f"{module}.allium".encode()


def test_a_type_of_another_kind_is_the_same_type_but_a_rule_is_not() -> None:
    index = SpecIndex(store(shop=CITED))
    assert index.find(declared("value", "Order", "src/shop/order.py"), b"src/shop/order.py")
    assert not index.find(declared("rule", "Order", "src/shop/order.py"), b"src/shop/order.py")


def test_an_orphan_cites_only_what_is_gone() -> None:
    both = CITED.replace("entity", "-- Source: b.py, B\nentity").replace("Order {", "Both {")

    class Tree:
        def has_file(self, tree: str, path: bytes) -> bool:
            return path == b"b.py"

    found = list(find_orphans(store(shop=CITED + "\n" + both), Tree(), ""))
    assert [(each.section, each.paths) for each in found] == [
        ("entity Order", ("src/shop/order.py",))
    ]


def test_a_symbol_is_read_behind_the_last_comma() -> None:
    text = HEAD + "-- Source: a, b.py, A.b\nrule R {\n    when: B()\n    ensures: C()\n}\n"
    (declaration,) = cut_module(text.encode()).declarations
    assert list(list_symbols(declaration)) == [("a, b.py", "A.b")]
