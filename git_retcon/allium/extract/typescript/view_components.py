"""What draws a screen: components of Angular, React and their like say nothing of the domain."""

from collections.abc import Iterable, Mapping

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
from git_retcon.allium.extract.source_facts import Import

_FRAMEWORKS = frozenset(
    {"@angular/core", "react", "preact", "vue", "vue-class-component", "vue-property-decorator",
     "vue-facing-decorator", "lit", "lit/decorators", "lit/decorators.js", "lit-element",
     "@stencil/core", "@ember/component", "@glimmer/component"}
)  # fmt: skip
_MARKS = frozenset({"Component", "Directive", "Pipe", "NgModule", "customElement", "Options"})
_BASES = frozenset({"Component", "PureComponent", "LitElement", "ReactiveElement", "Vue"})
_WHOLE_NAMES = frozenset({"React.Component", "React.PureComponent"})
_SCREENS = (b".tsx", b".jsx")


def is_component(node: Node, marks: Iterable[str], imports: Mapping[str, Import]) -> bool:
    """Whether a class is a component, by its decorators or what it extends.

    Their names count where a framework of screens brings them: a part of a machine may be a
    ``Component``, too.
    """
    extended = [*_list_extended(node)]
    return any(each in _WHOLE_NAMES for each in extended) or any(
        _is_of_framework(each, imports) for each in (*(_MARKS & {*marks}), *(_BASES & {*extended}))
    )


def is_element(node: Node) -> bool:
    """Whether a class is an element of a page itself: it may be a machine as well as a screen."""
    return "HTMLElement" in _list_extended(node)


def are_properties(path: bytes, symbol: str) -> bool:
    """Whether a type is what a component is given: ``ButtonProps`` beside what draws it."""
    return path.endswith(_SCREENS) and symbol.endswith("Props")


def _list_extended(node: Node) -> Iterable[str]:
    for part in node.named_children:
        if part.type == "class_heritage":
            # Of JavaScript the words themselves, of TypeScript a clause.
            text = read_text(part).removeprefix("extends")
            yield text.partition("<")[0].partition("{")[0].partition(" implements ")[0].strip()


def _is_of_framework(name: str, imports: Mapping[str, Import]) -> bool:
    found = imports.get(name)
    return found is not None and found.full_name.removesuffix(f".{found.symbol}") in _FRAMEWORKS
