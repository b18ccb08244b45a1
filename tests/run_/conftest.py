"""Each sandbox of this machine, for the tests of this room."""

from tests.sandboxes import sandbox as sandbox
from tests.sandboxes import strong_sandbox as strong_sandbox
