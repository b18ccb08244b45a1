"""What makes an object of a class: its constructor, or what a library runs as that.

GObject runs ``_init(params) { super._init(params); this._state = HIDDEN; }`` once for a new object,
where a class has it and no ``constructor``.
"""

from collections.abc import Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_name, read_text

CONSTRUCTOR = "constructor"
_INIT = "_init"


def find_constructor(body: Node | None) -> Node | None:
    """What makes an object of the class with this body; None where only a base class says that."""
    methods = {read_name(each): each for each in _list_methods(body)}
    made = methods.get(CONSTRUCTOR)
    init = methods.get(_INIT) if made is None else None
    if init is None:
        return made
    # What a class runs again does not only make it.
    is_base = f"super.{_INIT}(" in read_text(init)
    return init if is_base and f"this.{_INIT}(" not in read_text(body) else None


def name_member(item: Node, constructor: Node | None) -> str:
    """The name of a member as code has it, without "#"; what makes objects has the one name."""
    is_making = constructor is not None and item.id == constructor.id
    return CONSTRUCTOR if is_making else read_name(item).lstrip("#")


def _list_methods(body: Node | None) -> Iterator[Node]:
    for each in list_children(body, "method_definition"):
        if not any(part.type in ("static", "get", "set") for part in each.children):
            yield each
