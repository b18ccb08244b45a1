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


def list_edges(*lines: str) -> list[str]:
    body = "".join(f"    {line}\n" for line in lines)
    found = declare({"shop/order.py": ORDER + body})
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


COMPUTED = [
    "is_ready = fields.Boolean(compute='_compute_is_ready')",
    "def _compute_is_ready(self):",
    "    for order in self:",
    "        order.is_ready = order.state == 'new' and order.amount > 0",
    "def action_send(self):",
    "    for order in self:",
    "        if not order.is_ready:",
    "            raise UserError('x')",
    "        order.state = 'sent'",
    "def action_void(self):",
    "    self.write({'state': 'void'})",
    "def action_end(self):",
    "    self.filtered(lambda o: o.state == 'sent').write({'state': 'done'})",
]


def test_a_field_that_is_computed_when_it_is_asked_for_is_an_answer() -> None:
    assert list_edges(*COMPUTED) == sorted([SENDING, "sent -> done", *VOIDING])


def test_one_that_is_stored_may_be_what_it_was() -> None:
    stored = [each.replace("compute=", "store=True, compute=") for each in COMPUTED]
    assert "done -> sent" in list_edges(*stored)


def test_a_state_that_is_computed_moves_as_what_it_follows_from() -> None:
    lines = ["def action_send(self):", "    self.write({'state': 'sent'})"]
    computed = ORDER.replace('default="new"', 'compute="_compute_state"')
    found = declare({"shop/order.py": computed + "".join(f"    {each}\n" for each in lines)})
    assert "state: new | sent | done | void" in found
    assert "->" not in found


def test_behind_a_loop_all_records_are_meant() -> None:
    lines = ["def action_send(self):", "    for order in self:", "        if order.state != 'new':",
             "            continue", "        order.state = 'sent'",
             "    self.write({'state': 'done'})"]  # fmt: skip
    told = list_edges(*lines, "def action_void(self):", "    self.state = 'void'")
    assert told == sorted([SENDING, "sent -> done", "void -> done", *VOIDING])
