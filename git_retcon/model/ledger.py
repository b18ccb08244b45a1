"""What was spent, by command and month: ``$XDG_STATE_HOME/git-retcon/ledger/2026-11.jsonl``.

The ledger never stops a run: what cannot be written is warned of, once.
"""

import datetime
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model import jsonl
from git_retcon.model.messages import Usage

_MONTH = re.compile(r"\d{4}-\d{2}$")
BATCH = "batch"  # the way of requests that cost less, as they were answered later


@dataclass(frozen=True, slots=True)
class Total:
    """All requests of one command to one model in one month ("2026-11", UTC). ``way`` is empty, or
    "batch".
    """

    month: str
    command: str
    model: str
    requests: int
    usage: Usage
    dollars: float
    way: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """What the ledger says, in the order of month, command, model."""

    totals: tuple[Total, ...]
    unreadable: int  # lines and files that could not be read

    @property
    def dollars(self) -> float:
        return math.fsum(total.dollars for total in self.totals)


@dataclass
class Ledger:
    """The ledger beneath a state directory. Safe with several processes and threads."""

    directory: Path
    warn: Callable[[str], None]
    _warned: bool = field(default=False, init=False)

    def book(self, command: str, model: str, usage: Usage, dollars: float, way: str = "") -> None:
        """Write down one billed request. Raises nothing."""
        now = datetime.datetime.now(datetime.UTC)
        record = {
            "at": now.isoformat(timespec="seconds"),
            "command": command,
            "model": model,
            "input": usage.input,
            "output": usage.output,
            "cache_read": usage.cache_read,
            "cache_write": usage.cache_write,
            # Nine places: one token of a cheap model is less than a millionth of a dollar.
            "dollars": round(dollars, 9),
            **({"way": way} if way else {}),
        }
        try:
            jsonl.append(self._folder / f"{now:%Y-%m}.jsonl", record)
        except OSError as error:
            if not self._warned:
                self.warn(f"cannot write the ledger: {error.strerror or error}")
            # Once: on a full disk, every request would warn again.
            self._warned = True

    def statement(self, month: str | None = None, command: str | None = None) -> Statement:
        """Totals of all months, or of one ("2026-11"); of all commands, or of one."""
        totals: dict[tuple[str, str, str, str], Total] = {}
        unreadable = 0
        for path in self._list_files(month):
            try:
                lines = jsonl.read(path)
            except OSError:
                unreadable += 1
                continue
            unreadable += lines.broken
            for record in lines.records:
                entry = _read_entry(path.stem, record)
                if entry is None:
                    unreadable += 1
                elif command in (None, entry.command):
                    _add_entry(totals, entry)
        return Statement(tuple(totals[key] for key in sorted(totals)), unreadable)

    @property
    def _folder(self) -> Path:
        return self.directory / "ledger"

    def _list_files(self, month: str | None) -> list[Path]:
        try:
            found = sorted(self._folder.glob("*.jsonl"))
        except OSError:
            return []
        return [path for path in found if _MONTH.match(path.stem) and month in (None, path.stem)]


def _read_entry(month: str, record: Mapping[str, Any]) -> Total | None:
    counts = [record.get(key, 0) for key in ("input", "output", "cache_read", "cache_write")]
    command, model, dollars = record.get("command"), record.get("model"), record.get("dollars")
    way = BATCH if record.get("way") == BATCH else ""
    sound = (
        isinstance(command, str)
        and isinstance(model, str)
        and isinstance(dollars, int | float)
        and all(isinstance(count, int) for count in counts)
    )
    if not sound:
        return None
    return Total(month, str(command), str(model), 1, Usage(*counts), float(dollars or 0), way)


def _add_entry(totals: dict[tuple[str, str, str, str], Total], entry: Total) -> None:
    key = (entry.month, entry.command, entry.model, entry.way)
    so_far = totals.get(key)
    if so_far is not None:
        entry = Total(
            entry.month,
            entry.command,
            entry.model,
            so_far.requests + 1,
            so_far.usage + entry.usage,
            so_far.dollars + entry.dollars,
            entry.way,
        )
    totals[key] = entry
