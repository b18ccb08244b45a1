"""No secret is in JSON that is sent, answered or recorded."""

from git_retcon.model.masked_json import mask_json
from git_retcon.model.redaction import Redactor

REDACTOR = Redactor(frozenset({b"hunter2-hunter2"}))
MASK = "[masked secret ..r2]"


def test_values_and_names_are_masked_at_any_depth() -> None:
    found = mask_json({"a": ["x hunter2-hunter2", {"hunter2-hunter2": 1}], "b": None}, REDACTOR)
    assert found == {"a": [f"x {MASK}", {MASK: 1}], "b": None}


def test_what_is_no_text_stays() -> None:
    assert mask_json([1, 2.5, True, None], REDACTOR) == [1, 2.5, True, None]


def test_thinking_is_signed_so_it_stays_whole_or_goes() -> None:
    fine = {"type": "thinking", "thinking": "hm", "signature": "s"}
    odd = {"type": "thinking", "thinking": "hm hunter2-hunter2", "signature": "s"}
    text = {"type": "text", "text": "hunter2-hunter2"}
    assert mask_json([fine, odd, text], REDACTOR) == [fine, {"type": "text", "text": MASK}]
