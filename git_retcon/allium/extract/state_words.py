"""Which fields are called after states."""

import re

_STATE = re.compile(r"(?:state|status|phase|stage)$", re.IGNORECASE)


def is_called_state(field: str) -> bool:
    """Whether a field is called a state, as ``job_status`` and ``jobStatus`` are."""
    return bool(_STATE.search(field))
