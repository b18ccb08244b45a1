"""Models of Odoo, whose methods work on sets of records, read as models of one record."""

import pytest

from tests.allium.extract.declared import declare_python

LOAN = """
from odoo import api, fields, models
from odoo.exceptions import UserError

class Loan(models.Model):
    _name = "library.loan"

    name = fields.Char(required=True)
    returned_on = fields.Date()
    state = fields.Selection(
        [("draft", "Draft"), ("open", "Open"), ("done", "Done")], default="draft"
    )

    def action_open(self):
        OPEN

    def action_done(self):
        for loan in self:
            if loan.state != "open":
                raise UserError("not open")
            loan.state = "done"
"""
FOR_EACH = """
for loan in self:
    if loan.state != "draft":
        continue
    loan.write({"state": "open"})
return True
"""
ANY = """
if any(loan.state != "draft" for loan in self):
    raise UserError("no draft")
self.sudo().write({"state": "open"})
"""
SOME = """
others = self.filtered(lambda loan: loan.state != "draft")
if others:
    raise UserError("no draft")
return self.write({"state": "open"})
"""
FILTERED = 'self.filtered(lambda loan: loan.state == "draft").write({"state": "open"})'
LOOPED = """
for loan in self.filtered(lambda one: one.state == "draft"):
    loan.state = "open"
"""
EDGES = ["draft -> open", "open -> done"]


def declare(opened: str, source: str = LOAN) -> str:
    return declare_python(source.replace("OPEN", opened.strip().replace("\n", "\n        ")))


def list_edges(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if "->" in line]


@pytest.mark.parametrize("opened", [FOR_EACH, ANY, SOME, FILTERED, LOOPED])
def test_each_record_is_refused_and_moved_by_itself(opened: str) -> None:
    found = declare(opened)
    assert list_edges(found) == EDGES
    assert (
        "    name: String\n    returned_on: Timestamp?\n    state: draft | open | done\n" in found
    )
    assert "    requires: loan.state = open\n    ensures: loan.state = done\n" in found


@pytest.mark.parametrize(
    "opened",
    [
        'self.env["other"].write({"state": "open"})',
        'self.search([]).write({"state": "open"})',
        'for loan in self.search([]):\n    loan.state = "open"',
        "self.write(values)",
        'self.write({"state": "open", **values})',
    ],
)
def test_what_happens_to_other_records_moves_none(opened: str) -> None:
    assert list_edges(declare(opened)) == []


def test_behind_a_loop_that_goes_on_early_all_records_are_meant() -> None:
    more = FOR_EACH.replace("return True", 'self.write({"state": "done"})')
    assert list_edges(declare(more)) == ["draft -> done", "open -> done"]


def test_what_follows_from_other_fields_is_no_state() -> None:
    computed = LOAN.replace('default="draft"', 'compute="_compute_state"')
    assert "state:" not in declare(FOR_EACH, computed)


def test_models_of_others_are_not_changed() -> None:
    other = LOAN.replace("from odoo import", "from fields import")
    assert list_edges(declare(FOR_EACH, other)) == []
