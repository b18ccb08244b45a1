"""The sandboxes that hold all that one promises."""

from tests.sandboxes import strong_sandbox as strong_sandbox
