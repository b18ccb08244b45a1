"""What the functions of a class, or of a file, do, as statements of Python."""

from collections.abc import Mapping

from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import Statements, drop_results
from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
from git_retcon.allium.extract.python.rewriting.empty_states import empty_texts
from git_retcon.allium.extract.typescript.accessors import make_scope
from git_retcon.allium.extract.typescript.dialect import TypeScriptDialect
from git_retcon.allium.extract.typescript.held_values import list_holders, open_holders
from git_retcon.allium.extract.typescript.local_functions import settle_functions
from git_retcon.allium.extract.typescript.made_fields import list_emptied
from git_retcon.allium.extract.typescript.object_unions import ObjectUnion, open_unions
from git_retcon.allium.extract.typescript.own_names import list_own_names
from git_retcon.allium.extract.typescript.promises import list_later, raise_failed
from git_retcon.allium.extract.typescript.refusing_functions import list_refusing, open_refusals

# How a method is written that answers nothing.
_VOID = frozenset({": void", ": Promise<void>", ": Promise<undefined>"})


class MemberBodies:
    """Translates the functions of the class with this body, or those of no class."""

    def __init__(self, body: Node | None, unions: Mapping[str, ObjectUnion] = {}) -> None:
        self._later, self._scope = list_later(body), make_scope(body)
        self._bodies = Bodies(TypeScriptDialect(self._later), self._scope)
        self._emptied, self._holders = list_emptied(body), list_holders(body)
        self._unions = unions

    def translate(self, function: Node) -> Statements:
        """What a function does."""
        inner = function.child_by_field_name("body")
        own = list_own_names(function)
        named = Bodies(TypeScriptDialect(self._later, own), self._scope) if own else self._bodies
        translated = open_holders(named.translate_block([inner]), self._holders)
        statements = open_unions(settle_functions(translated), self._unions)
        raise_failed(statements)
        empty_texts(statements, self._emptied)
        open_refusals(statements, list_refusing(function))
        if read_text(function.child_by_field_name("return_type")) in _VOID:
            drop_results(statements)
        return statements
