"""Fields that are called after states."""

import pytest

from git_retcon.allium.extract.state_words import is_called_state


@pytest.mark.parametrize(
    "field", ["state", "_status", "job_phase", "substate", "last_stage", "jobState"]
)
def test_a_field_is_called_a_state_by_what_its_name_ends_with(field: str) -> None:
    assert is_called_state(field)


@pytest.mark.parametrize("field", ["statement", "state_reason", "status_code", "kind", ""])
def test_what_is_said_about_a_state_is_none(field: str) -> None:
    assert not is_called_state(field)
