"""Whether attempts at one commit lead anywhere: new verdicts, or fewer errors."""

import hashlib
import re
from dataclasses import dataclass, field

from git_retcon.run.failure import Failure

IDLE_ATTEMPTS = 3
MOST_ATTEMPTS = 24
# Numbers are times, sizes, addresses and line numbers more often than causes.
_NUMBER = re.compile(rb"0x[0-9a-f]+|[0-9]+(?:\.[0-9]+)?")


@dataclass
class Trail:
    """The failures of one logical commit, as they came."""

    _seen: set[bytes] = field(default_factory=set)
    _fewest: int | None = None
    _idle: int = 0
    _attempts: int = 0

    def hopeless(self, failure: Failure) -> str | None:
        """Note a failure; why to give up, or None."""
        self._attempts += 1
        key = hashlib.sha256(
            failure.step.encode() + b"\0" + _NUMBER.sub(b"#", failure.output)
        ).digest()
        errors = len(failure.diagnostics)
        fewer = self._fewest is not None and 0 < errors < self._fewest
        self._idle = 0 if key not in self._seen or fewer else self._idle + 1
        self._seen.add(key)
        if errors:
            self._fewest = errors if self._fewest is None else min(errors, self._fewest)
        if self._idle >= IDLE_ATTEMPTS:
            return f"{IDLE_ATTEMPTS} fixes in a row brought no new verdict and no fewer errors"
        if self._attempts > MOST_ATTEMPTS:
            return f"{MOST_ATTEMPTS} fixes did not make it pass"
        return None
