"""What a write to records may set, where it is not written out, is no state that stays."""

import pytest

from tests.allium.extract.python.rewriting.test_recordsets import declare_order

MOVES = """
    def action_send(self):
        if self.state != "new":
            raise UserError("x")
        self.state = "sent"

    def action_finish(self):
        if self.state != "sent":
            raise UserError("x")
        self.state = "done"

    def action_void(self):
        if self.state != "done":
            raise UserError("x")
        self.state = "void"

"""
STEP = """
    def _prepare(self):
        return {}
"""


def is_terminal(*lines: str, step: str = "dict(state='new')") -> bool:
    body = "".join(f"        {line}\n" for line in lines)
    method = f"    def action_write(self, given):\n{body}"
    return "terminal: void" in declare_order(MOVES + method + STEP.replace("{}", step))


@pytest.mark.parametrize(
    ("lines", "step"),
    [
        (["self.write(given)"], "{}"),
        (["self.write({**given})"], "{}"),
        (["values = dict(given)", "self.write(values)"], "{}"),
        (["values = {'name': 'x'}", "values.update(given)", "self.write(values)"], "{}"),
        (["values = {'name': 'x'}", "values[given] = 'new'", "self.write(values)"], "{}"),
        (["self.write(self._prepare())"], "dict(state='new')"),
        (["values = self._prepare()", "self.write(values)"], "given"),
        (["self.write(self._find())"], "{}"),
    ],
)
def test_what_is_written_may_be_any_state(lines: list[str], step: str) -> None:
    assert not is_terminal(*lines, step=step)


@pytest.mark.parametrize(
    ("lines", "step"),
    [
        (["self.write({'name': given})"], "{}"),
        (["self.write(dict(name=given))"], "{}"),
        (["values = {'name': 'x'}", "values.update({'amount': 3})", "self.write(values)"], "{}"),
        (["values = {'name': 'x'}", "values['amount'] = given", "self.write(values)"], "{}"),
        (["self.write({'name': 'x'} if given else {'amount': 2})"], "{}"),
        (["values = self._prepare()", "self.write(values)"], "dict(name='new')"),
        (["given.write(given)"], "{}"),
    ],
)
def test_what_is_written_is_of_other_fields(lines: list[str], step: str) -> None:
    assert is_terminal(*lines, step=step)
