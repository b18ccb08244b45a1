"""Models of Odoo, whose methods work on sets of records, read as models of one record.

::

    state = fields.Selection([("draft", "Draft"), ("done", "Done")], default="draft")

    def action_done(self):
        for record in self:
            if record.state != "draft":
                raise UserError("too late")
            record.state = "done"

Each record is refused and moved by itself: ``self`` is one of them, which
``self.write({"state": "done"})`` gives a state, and of those in
``self.filtered(lambda record: record.state == "draft")`` each is a draft.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping

from git_retcon.allium.extract.python.classes.django import is_true
from git_retcon.allium.extract.python.rewriting.record_sets import RecordSets
from git_retcon.allium.extract.python.syntax.function_texts import Function, forget_text
from git_retcon.allium.extract.python.syntax.names import expand, get_last, spell_dotted
from git_retcon.allium.extract.source_facts import Import

_HOMES = ("odoo.", "openerp.")
_MODELS = frozenset({"Model", "TransientModel", "AbstractModel"})
# The fields of Django that are like those of Odoo.
_ALIKE = {
    "Char": "CharField", "Text": "TextField", "Html": "TextField", "Integer": "IntegerField",
    "Float": "FloatField", "Monetary": "DecimalField", "Boolean": "BooleanField",
    "Date": "DateField", "Datetime": "DateTimeField", "Selection": "CharField",
}  # fmt: skip
# What has a value where nobody gives it one.
_FILLED = frozenset({"Integer", "Float", "Monetary", "Boolean"})


def open_models(classes: Iterable[ast.ClassDef], imports: Mapping[str, Import]) -> None:
    """Write these models so. Their classes are changed."""
    for node in classes:
        if not _is_model(node, imports):
            continue
        for number, item in enumerate(node.body):
            if isinstance(item, Function):
                _open_method(item)
            else:
                node.body[number] = _open_field(item)


def _is_model(node: ast.ClassDef, imports: Mapping[str, Import]) -> bool:
    bases = (expand(spell_dotted(each), imports) for each in node.bases)
    return any(each.startswith(_HOMES) and get_last(each) in _MODELS for each in bases)


def _open_field(item: ast.stmt) -> ast.stmt:
    match item:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=ast.Attribute(value=ast.Name(id="fields"), attr=kind)) as call,
        ) if kind in _ALIKE:
            words = {each.arg: each.value for each in call.keywords if each.arg}
            if "compute" in words or "related" in words:
                return item  # what follows from others is no state of its own
            field = ast.Attribute(ast.Name("models", ast.Load()), _ALIKE[kind], ast.Load())
            listed = [ast.keyword(*each) for each in _list_words(kind, call, words)]
            found = ast.Assign([ast.Name(name, ast.Store())], ast.Call(field, [], listed))
            return ast.fix_missing_locations(ast.copy_location(found, item))
    return item


def _list_words(
    kind: str, call: ast.Call, words: Mapping[str, ast.expr]
) -> Iterator[tuple[str, ast.expr]]:
    """What Django's field is given for the same."""
    first = call.args[0] if call.args else None
    listed = words.get("selection", first) if kind == "Selection" else None
    if isinstance(listed, ast.List | ast.Tuple | ast.Name | ast.BinOp):
        yield "choices", listed
    if "default" in words:
        yield "default", words["default"]
    elif kind not in _FILLED and not is_true(words.get("required")):
        yield "null", ast.Constant(True)


def _open_method(method: Function) -> None:
    given = [each.arg for each in method.args.args]
    marks = {get_last(spell_dotted(each)) for each in method.decorator_list}
    if given[:1] != ["self"] or not marks.isdisjoint({"model", "model_create_multi"}):
        return
    opened = RecordSets(method).open(method.body)
    if [*map(ast.dump, opened)] != [*map(ast.dump, method.body)]:
        forget_text(method)
        method.body = [*opened]
