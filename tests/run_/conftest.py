"""Each sandbox of this machine, for the tests of this room."""

from tests.sandboxes import sandbox as sandbox
