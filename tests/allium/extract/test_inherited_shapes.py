"""Classes have what their base classes have, whichever is asked for first."""

import itertools

import pytest

from git_retcon.allium.extract.inherited_shapes import InheritedShapes
from git_retcon.allium.extract.source_facts import Shape
from git_retcon.allium.extract.symbol_finder import DEEPEST, SymbolFinder
from tests.allium.extract.declared import Sources

# Imports that lead in a circle, and a class that has its base class below itself.
CIRCLE = {
    "a.py": "from b import B\n\nclass A(B):\n    id: int\n    one: int\n",
    "b.py": "from c import C\n\nclass B(C):\n    two: int\n",
    "c.py": "from a import A\n\nclass C(A):\n    three: int\n",
}
CHAIN = {
    f"m{n}.py": f"from m{n + 1} import M{n + 1}\n\nclass M{n}(M{n + 1}):\n    f{n}: int\n"
    for n in range(DEEPEST + 3)
}


def join(files: dict[str, str], paths: tuple[str, ...]) -> dict[str, Shape | None]:
    tree = Sources(files)
    shapes = InheritedShapes(SymbolFinder(tree), "entity")
    found: dict[str, Shape | None] = {}
    for path in paths:
        facts = tree.read(path.encode())
        assert facts is not None
        shape = facts.declarations[0]
        assert isinstance(shape, Shape)
        found[path] = shapes.join(path.encode(), shape)
    return found


def test_classes_in_a_circle_are_the_same_in_any_order() -> None:
    found = [join(CIRCLE, order) for order in itertools.permutations(CIRCLE)]
    assert all(each == found[0] for each in found)
    first = found[0]["a.py"]
    assert first is not None
    assert {each.name for each in first.fields} == {"id", "one", "two", "three"}


@pytest.mark.parametrize("path", ["m0.py", f"m{DEEPEST}.py", f"m{DEEPEST + 2}.py"])
def test_classes_of_a_long_line_are_the_same_in_any_order(path: str) -> None:
    alone = join(CHAIN, (path,))[path]
    for order in ((*CHAIN,), (*reversed(CHAIN),)):
        assert join(CHAIN, order)[path] == alone
