"""Which of the sandboxes this machine has, for tests that are of one of them."""

import pytest

from git_retcon.run.sandbox.bubblewrap import Bubblewrap, find_bubblewrap

needs_bubblewrap = pytest.mark.skipif(
    not isinstance(find_bubblewrap(), Bubblewrap), reason="bubblewrap does not work here"
)
