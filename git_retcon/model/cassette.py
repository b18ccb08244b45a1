"""What ``GIT_RETCON_CASSETTE`` asks for: answers recorded (``record:FILE``) or replayed."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from git_retcon.errors import Fatal
from git_retcon.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Cassette:
    """What GIT_RETCON_CASSETTE asks for."""

    mode: Literal["record", "replay"]
    path: Path


def cassette_in(env: Mapping[str, str]) -> Cassette | None:
    """Read GIT_RETCON_CASSETTE. Raises Fatal where it is neither of the two forms."""
    setting = env.get("GIT_RETCON_CASSETTE", "")
    if not setting:
        return None
    mode, _, name = setting.partition(":")
    if not name or mode not in ("record", "replay"):
        raise Fatal(
            "bad value of GIT_RETCON_CASSETTE",
            hint="write record:FILE or replay:FILE",
        )
    return Cassette("record" if mode == "record" else "replay", Path(os.path.abspath(name)))  # noqa: PTH100
