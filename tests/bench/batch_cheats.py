"""The cheats of ``tests/heal/engines/claude/cheats.py`` in answers of a batch: none is healed.

    python -m tests.bench.batch_cheats [--from N] [--seconds N]

Those that are edits alone, which is all that an answer of a batch can hold. Each is a repository of
its own, and a model that is played over a socket of this machine. The exit status is 1 where one is
called healed, is applied, or is caught otherwise than in a conversation.
"""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.heal.engines.claude.cheats import Cheat
from tests.heal.engines.claude.test_cheats import cheat_in_batch, list_batched
from tests.model.loopback import LoopbackApi

_PERSON = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))
}


def try_cheat(cheat: Cheat, home: Path) -> str:
    """What caught it, in the words of the table; what went wrong, where nothing did."""
    api = LoopbackApi()
    os.environ.update({**api.env, **_PERSON, "HOME": str(home), "XDG_DATA_HOME": f"{home}/data"})
    try:
        caught = cheat_in_batch(home, api, cheat)
    except AssertionError as wrong:
        return f"NOT CAUGHT: {str(wrong)[:500]}"
    finally:
        api.close()
    return caught.value if caught is cheat.caught else f"OTHERWISE: {caught.value}"


def main() -> None:
    """Print what catches each, then how many are caught by what."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="N")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin none after these")
    options = parser.parse_args()
    until = time.monotonic() + options.seconds
    caught: Counter[str] = Counter()
    for number, cheat in enumerate(list_batched()):
        if number < options.first or time.monotonic() > until:
            continue
        with tempfile.TemporaryDirectory(prefix="cheat-") as home:
            found = try_cheat(cheat, Path(home))
        caught[found.partition(":")[0]] += 1
        print(number, cheat.kind, cheat.name, found, sep=" | ", flush=True)
    for name, times in caught.most_common():
        print(f"{times:3} {name}")
    sys.exit(bool(caught["NOT CAUGHT"] or caught["OTHERWISE"]))


if __name__ == "__main__":
    main()
