"""The commands that prove a commit."""

import hashlib
import json

from git_retcon.lazy_dataclass import dataclass

DEFAULT_TIMEOUT = 1800.0  # seconds for one command


@dataclass(frozen=True, slots=True)
class Commands:
    """What proves a commit. None is skipped. ``timeout`` is seconds for each."""

    setup: str | None = None
    build: str | None = None
    test: str | None = None
    timeout: float = DEFAULT_TIMEOUT

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        """Build and test as far as they are known, in order."""
        pairs = (("build", self.build), ("test", self.test))
        return tuple((step, command) for step, command in pairs if command)

    @property
    def digest(self) -> str:
        """What says that the same commands proved something. 16 hex digits; "" for none."""
        if not self.steps:
            return ""
        values = json.dumps([self.setup, self.build, self.test])
        return hashlib.sha256(values.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(command for command in (self.setup, self.build, self.test) if command)
