"""Models of Odoo as classes of one record."""

import pytest

from tests.allium.extract.declared import declare
from tests.allium.extract.python.rewriting.test_recordsets import (
    ORDER,
    SENDING,
    VOIDING,
    list_edges,
)

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


@pytest.mark.parametrize(
    "lines",
    [
        ["for order in self:", "    if order.state == 'done':", "        raise UserError('x')"],
        ["if values.get('state') == 'sent':", "    values['state'] = 'done'"],
    ],
)
def test_a_model_that_writes_in_its_own_way_says_nothing_of_its_writes(lines: list[str]) -> None:
    writing = ["def write(self, values):", *(f"    {line}" for line in lines)]
    voiding = ["def action_void(self):", "    self.write({'state': 'void'})"]
    assert list_edges(*writing, "    return super().write(values)", *voiding) == []


def test_one_that_only_keeps_some_fields_from_being_written_does() -> None:
    writing = ["def write(self, values):", "    if 'name' in values and self.state == 'done':",
               "        raise UserError('x')", "    return super().write(values)"]  # fmt: skip
    voiding = ["def action_void(self):", "    self.write({'state': 'void'})"]
    assert any("void" in each for each in list_edges(*writing, *voiding))
