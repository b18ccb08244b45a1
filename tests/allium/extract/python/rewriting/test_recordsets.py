"""What Odoo's models do with many records is said of each of them."""

import pytest

from tests.allium.extract.declared import declare

ORDER = """
from odoo import api, fields, models
from odoo.exceptions import UserError

class Order(models.Model):
    _name = "shop.order"
    name = fields.Char()
    amount = fields.Float()
    state = fields.Selection(
        [("new", "New"), ("sent", "Sent"), ("done", "Done"), ("void", "Void")], default="new"
    )

"""
SENDING = "new -> sent"
VOIDING = ["done -> void", "new -> void", "sent -> void"]


def declare_order(body: str) -> str:
    return declare({"shop/order.py": ORDER + body})


def list_edges(*lines: str) -> list[str]:
    found = declare_order("".join(f"    {line}\n" for line in lines))
    graph = found.partition("transitions state {")[2].partition("}")[0]
    told = [line.strip() for line in graph.split("\n") if "->" in line]
    # Where not all states are known to be entered or left, rules alone say what moves.
    return sorted(told or _list_moves(found))


def _list_moves(found: str) -> list[str]:
    return [line.strip() for line in found.split("\n") if "order.state" in line]


@pytest.mark.parametrize(
    "lines",
    [
        ["for order in self:", "    if order.state != 'new':", "        raise UserError('x')",
         "    order.state = 'sent'"],
        ["for order in self:", "    if order.state != 'new':", "        continue",
         "    order.write({'state': 'sent', 'name': 'x'})"],
        ["self.ensure_one()", "if self.state != 'new':", "    return False",
         "return self.write({'state': 'sent'})"],
        ["self.filtered(lambda order: order.state == 'new').write({'state': 'sent'})"],
        ["for order in self.filtered(lambda o: o.state == 'new'):", "    order.state = 'sent'"],
        ["new = self.filtered(lambda o: o.state == 'new')", "new.sudo().write({'state': 'sent'})"],
        ["values = {'state': 'sent'}", "others = self.filtered(lambda o: o.state != 'new')",
         "(self - others).write(values)"],
        ["for order in self:", "    values = {'name': 'x'}", "    if order.state == 'new':",
         "        values['state'] = 'sent'", "    order.write(values)"],
        ["if any(order.state != 'new' for order in self):", "    raise UserError('x')",
         "self.write({'state': 'sent'})"],
        ["if not all(order.state == 'new' for order in self):", "    raise UserError('x')",
         "self.write({'state': 'sent'})"],
        ["if self.filtered(lambda o: o.state != 'new'):", "    raise UserError('x')",
         "self.write({'state': 'sent'})"],
    ],
)  # fmt: skip
def test_what_is_done_with_records_is_done_with_each(lines: list[str]) -> None:
    sending = ["def action_send(self):", *(f"    {line}" for line in lines)]
    voiding = ["def action_void(self):", "    self.write({'state': 'void'})"]
    ending = [
        "def action_end(self):",
        "    if self.state == 'sent':",
        "        self.state = 'done'",
    ]
    assert list_edges(*sending, *voiding, *ending) == sorted([SENDING, "sent -> done", *VOIDING])


@pytest.mark.parametrize(
    "lines",
    [
        ["for each in self.env['shop.order'].search([]):", "    each.state = 'sent'"],
        ["orders = self.browse_others()", "orders.write({'state': 'sent'})"],
        ["self.parent_id.write({'state': 'sent'})"],
        ["self.write({'state': 'sent', **values})"],
        ["values = {'state': 'sent'}", "values['state'] = self.find_state()", "self.write(values)"],
        ["for each in self.filtered(self._may_send):", "    each.state = 'sent'"],
    ],
)
def test_other_records_say_nothing(lines: list[str]) -> None:
    sending = ["def action_send(self):", *(f"    {line}" for line in lines)]
    voiding = ["def action_void(self):", "    self.write({'state': 'void'})"]
    assert not any(each.endswith("-> sent") for each in list_edges(*sending, *voiding))


@pytest.mark.parametrize(
    "lines",
    [
        ["other = self.browse(self.env.context['next'])", "other.write({'state': 'sent'})"],
        ["values = {'state': 'sent'}", "values.update(self.find_more())", "self.write(values)"],
        ["values = {'state': 'sent'}", "values.pop('state')", "self.write(values)"],
        ["for each in self:", "    each = each.parent_id", "    each.write({'state': 'sent'})"],
        ["if not others:", "    others = self", "others.write({'state': 'sent'})"],
    ],
)
def test_what_may_be_something_else_says_nothing(lines: list[str]) -> None:
    sending = ["def action_send(self, others=None):", *(f"    {line}" for line in lines)]
    voiding = ["def action_void(self):", "    self.write({'state': 'void'})"]
    assert not any(each.endswith("-> sent") for each in list_edges(*sending, *voiding))


def test_a_filter_says_nothing_behind_a_write() -> None:
    lines = ["def action_send(self):", "    new = self.filtered(lambda o: o.state == 'new')",
             "    self.write({'state': 'sent'})", "    new.write({'state': 'done'})"]  # fmt: skip
    voiding = ["def action_void(self):", "    self.write({'state': 'void'})"]
    assert not any("-> done" in each for each in list_edges(*lines, *voiding))


def test_records_beside_each_other_are_not_one() -> None:
    lines = ["def action_send(self):", "    for one in self:", "        for two in self:",
             "            if one.state == 'new' and two.state == 'sent':",
             "                two.state = 'done'"]  # fmt: skip
    assert "new -> done" not in list_edges(*lines)


def test_a_method_of_the_model_has_no_record() -> None:
    found = declare({
        "shop/order.py": ORDER + (
            "    @api.model\n    def create(self, values):\n        self.state = 'sent'\n"
            "    def action_void(self):\n        self.state = 'void'\n"
        )
    })  # fmt: skip
    assert "OrderCreate" not in found


def test_a_loop_that_ends_early_is_as_it_was() -> None:
    lines = ["def action_send(self):", "    for order in self:", "        if order.amount > 1:",
             "            break", "        order.state = 'sent'"]  # fmt: skip
    assert list_edges(*lines) == []


@pytest.mark.parametrize(
    "asked",
    [
        "any(self.mapped(lambda o: o.state == 'done'))",
        "'done' in self.filtered(self._may_send).mapped('state')",
        "len([o for o in self if o.state == 'done']) > 0",
        "self.filtered(self._is_held) and self.mapped('state')[0] == 'done'",
    ],
)
def test_what_is_asked_of_several_records_leaves_open_what_begins(asked: str) -> None:
    lines = ["def action_send(self):", f"    if {asked}:", "        raise UserError('x')",
             "    self.write({'state': 'sent'})"]  # fmt: skip
    assert not any("done -> sent" in each for each in list_edges(*lines))


def test_what_is_asked_of_other_things_changes_nothing() -> None:
    lines = ["def action_send(self):", "    if any(self.mapped('amount')):",
             "        raise UserError('x')", "    if self.state != 'new':",
             "        raise UserError('x')", "    self.write({'state': 'sent'})"]  # fmt: skip
    voiding = ["def action_void(self):", "    self.write({'state': 'void'})"]
    ending = [
        "def action_end(self):",
        "    if self.state == 'sent':",
        "        self.state = 'done'",
    ]
    assert SENDING in list_edges(*lines, *voiding, *ending)
