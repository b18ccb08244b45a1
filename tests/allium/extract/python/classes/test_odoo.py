"""Odoo's models: what their fields are."""

from tests.allium.extract.declared import declare

LOAN = """
from odoo import fields, models

class LibraryLoan(models.Model):
    _name = "library.loan"

    name = fields.Char(required=True)
    note = fields.Text()
    days = fields.Integer()
    member_id = fields.Many2one("library.member", required=True)
    book_ids = fields.One2many(comodel_name="library.book", inverse_name="loan_id")
    tag_ids = fields.Many2many("library.tag")
    state = fields.Selection([("draft", "Draft"), ("done", "Done")], default="draft")
    size = fields.Selection(selection="_list_sizes")
"""


def test_a_model_is_an_entity_with_its_fields() -> None:
    found = declare({"library/loan.py": LOAN})
    assert (
        found
        == """\
external entity LibraryMember {}

external entity LibraryBook {}

external entity LibraryTag {}

entity LibraryLoan {
    name: String
    note: String?
    days: Integer
    member_id: LibraryMember
    book_ids: List<LibraryBook>
    tag_ids: Set<LibraryTag>
    state: draft | done
    size: String?
}"""
    )


def test_a_relation_is_to_the_class_that_is_called_so() -> None:
    member = LOAN.replace("LibraryLoan", "LibraryMember").partition("    name")[0] + (
        "    name = fields.Char()\n"
    )
    found = declare({"library/loan.py": member + LOAN.partition("models\n")[2]})
    assert "external entity LibraryMember" not in found


def test_an_abstract_model_has_no_records() -> None:
    found = declare({"library/loan.py": LOAN.replace("models.Model", "models.AbstractModel")})
    assert "entity LibraryLoan" not in found


def test_a_selection_that_is_added_to_one_elsewhere_is_not_all_of_it() -> None:
    more = LOAN.replace('fields.Selection([("draft"', 'fields.Selection(selection_add=[("draft"')
    assert "state: String" in declare({"library/loan.py": more})


def test_fields_of_other_packages_are_none_of_its() -> None:
    found = declare({"library/loan.py": LOAN.replace("from odoo", "from marshmallow")})
    assert "draft | done" not in found
