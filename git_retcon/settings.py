"""Every configuration key with its default, side by side (git-retcon(1), CONFIGURATION).

An option beats the environment, the environment beats git config, config beats the default.
"""

import math
import os
from collections.abc import Mapping

from git_retcon.errors import Fatal, Reason
from git_retcon.git.config import Config
from git_retcon.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """One key of git config, the environment variable that overrides it, and its default."""

    name: str
    variable: str
    default: str | None = None


BUILD = Key("retcon.build", "GIT_RETCON_BUILD")
TEST = Key("retcon.test", "GIT_RETCON_TEST")
SETUP = Key("retcon.setup", "GIT_RETCON_SETUP")
ENGINE = Key("retcon.engine", "GIT_RETCON_ENGINE", "auto")
SMALL_MODEL = Key("retcon.smallModel", "GIT_RETCON_SMALL_MODEL", "claude-haiku-5-5")
MODEL = Key("retcon.model", "GIT_RETCON_MODEL", "claude-sonnet-5-5")
LARGE_MODEL = Key("retcon.largeModel", "GIT_RETCON_LARGE_MODEL", "claude-opus-5-5")
MAX_COST = Key("retcon.maxCost", "GIT_RETCON_MAX_COST", "2")
EXTRACT = Key("retcon.extract", "GIT_RETCON_EXTRACT", "pages")
WIP = Key("retcon.wip", "GIT_RETCON_WIP", "keep")
LEFTOVER = Key("retcon.leftover", "GIT_RETCON_LEFTOVER", "commit")
SANDBOX = Key("retcon.sandbox", "GIT_RETCON_SANDBOX", "auto")
WORKTREE_DIR = Key("retcon.worktreeDir", "GIT_RETCON_WORKTREE_DIR")
NEVER_SEND = Key("retcon.neverSend", "GIT_RETCON_NEVER_SEND")
# Read from the user's own configuration alone (run/trust.py), so it is no Key.
TRUSTED = "retcon.trusted"

CODE_COMMIT_BUILD = Key("codecommit.build", "GIT_CODE_COMMIT_BUILD")
CODE_COMMIT_PROTECT = Key("codecommit.protect", "GIT_CODE_COMMIT_PROTECT")
CODE_COMMIT_REPAIRS = Key("codecommit.repairs", "GIT_CODE_COMMIT_REPAIRS", "3")
CODE_COMMIT_MAX_COST = Key("codecommit.maxCost", "GIT_CODE_COMMIT_MAX_COST", "1")

ALLIUM_BRANCH = Key("allium.branch", "GIT_ALLIUM_BRANCH", "allium/evolution")
ALLIUM_ROOT = Key("allium.root", "GIT_ALLIUM_ROOT")
ALLIUM_IGNORE = Key("allium.ignore", "GIT_ALLIUM_IGNORE")
ALLIUM_WINDOW_SIZE = Key("allium.windowSize", "GIT_ALLIUM_WINDOW_SIZE", "5")
ALLIUM_PROCESS_DEPTH = Key("allium.processDepth", "GIT_ALLIUM_PROCESS_DEPTH", "1")
ALLIUM_MAX_DIFF_TOKENS = Key("allium.maxDiffTokens", "GIT_ALLIUM_MAX_DIFF_TOKENS", "80000")
ALLIUM_MAX_MODULE_TOKENS = Key("allium.maxModuleTokens", "GIT_ALLIUM_MAX_MODULE_TOKENS", "8000")
ALLIUM_MAX_CONCURRENCY = Key("allium.maxConcurrency", "GIT_ALLIUM_MAX_CONCURRENCY", "5")
ALLIUM_MAX_SOURCE_TOKENS = Key("allium.maxSourceTokens", "GIT_ALLIUM_MAX_SOURCE_TOKENS", "2000000")
ALLIUM_MAX_FILE_TOKENS = Key("allium.maxFileTokens", "GIT_ALLIUM_MAX_FILE_TOKENS", "20000")
ALLIUM_STRATEGY = Key("allium.strategy", "GIT_ALLIUM_STRATEGY", "n-trunk-commits")
# Without a default: that of the strategy, in steps or tokens.
ALLIUM_INTERVAL = Key("allium.interval", "GIT_ALLIUM_INTERVAL")
ALLIUM_RECONCILE_MODEL = Key("allium.reconcileModel", "GIT_ALLIUM_RECONCILE_MODEL")

HEAL_RUNNER = Key("heal.runner", "GIT_HEAL_RUNNER", "host")
HEAL_WORKTREE_DIR = Key("heal.worktreeDir", "GIT_HEAL_WORKTREE_DIR")
HEAL_INCLUDE = Key("heal.include", "GIT_HEAL_INCLUDE")
HEAL_STEP = Key("heal.step", "GIT_HEAL_STEP")
HEAL_ESCALATE = Key("heal.escalate", "GIT_HEAL_ESCALATE", "false")
HEAL_JOBS = Key("heal.jobs", "GIT_HEAL_JOBS", "1")
HEAL_COMMAND = Key("heal.command", "GIT_HEAL_COMMAND")
HEAL_MAX_COST = Key("heal.maxCost", "GIT_HEAL_MAX_COST", "1")
HEAL_MAX_COST_MONTH = Key("heal.maxCostMonth", "GIT_HEAL_MAX_COST_MONTH", "20")
HEAL_TRUSTED = "heal.trusted"  # as retcon.trusted

_FACTORS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_MOST_DIGITS = 18

KEYS = (
    BUILD,
    TEST,
    SETUP,
    ENGINE,
    SMALL_MODEL,
    MODEL,
    LARGE_MODEL,
    MAX_COST,
    EXTRACT,
    WIP,
    LEFTOVER,
    SANDBOX,
    WORKTREE_DIR,
    NEVER_SEND,
)

CODE_COMMIT_KEYS = (
    CODE_COMMIT_BUILD,
    CODE_COMMIT_PROTECT,
    CODE_COMMIT_REPAIRS,
    CODE_COMMIT_MAX_COST,
)

ALLIUM_KEYS = (
    ALLIUM_BRANCH,
    ALLIUM_ROOT,
    ALLIUM_IGNORE,
    ALLIUM_WINDOW_SIZE,
    ALLIUM_PROCESS_DEPTH,
    ALLIUM_MAX_DIFF_TOKENS,
    ALLIUM_MAX_MODULE_TOKENS,
    ALLIUM_MAX_CONCURRENCY,
    ALLIUM_MAX_SOURCE_TOKENS,
    ALLIUM_MAX_FILE_TOKENS,
    ALLIUM_STRATEGY,
    ALLIUM_INTERVAL,
    ALLIUM_RECONCILE_MODEL,
)

HEAL_KEYS = (
    HEAL_RUNNER,
    HEAL_WORKTREE_DIR,
    HEAL_INCLUDE,
    HEAL_STEP,
    HEAL_ESCALATE,
    HEAL_JOBS,
    HEAL_COMMAND,
    HEAL_MAX_COST,
    HEAL_MAX_COST_MONTH,
)


@dataclass(frozen=True)
class Settings:
    """The environment over git config over defaults; options are the caller's."""

    config: Config
    env: Mapping[str, str]

    @classmethod
    def of(cls, config: Config) -> "Settings":
        """With this process's environment."""
        return cls(config, os.environ)

    def get(self, key: Key) -> str | None:
        """The value that counts. An empty variable counts as unset."""
        # "" unsets a variable for one command (``GIT_RETCON_BUILD= git retcon``), as people expect.
        return self.env.get(key.variable) or self.config.get(key.name) or key.default

    def get_required(self, key: Key) -> str:
        """The value of a key that has a default."""
        value = self.get(key)
        assert value is not None, key.name
        return value

    def all(self, key: Key) -> tuple[str, ...]:
        """Every value of a key that may be given more than once."""
        single = self.env.get(key.variable)
        return (single,) if single else self.config.all(key.name)

    def one_of(self, key: Key, allowed: tuple[str, ...]) -> str:
        """A value out of a short list. Raises Fatal naming the list and what set it."""
        value = self.get(key) or ""
        if value not in allowed:
            raise Fatal(
                f"bad value '{value}' for '{self._find_origin(key)}'",
                hint=f"use one of: {', '.join(allowed)}",
                reason=Reason.INVALID,
            )
        return value

    def number(self, key: Key) -> float:
        """A number of at least 0. Raises Fatal naming what set it."""
        value = self.get(key) or ""
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not (math.isfinite(number) and number >= 0):
            raise self._refuse_number(key, "use a number such as 2.50")
        return number

    def whole_number(self, key: Key, least: int = 0) -> int:
        """A whole number from ``least`` on. Raises Fatal naming what set it."""
        value = (self.get(key) or "").strip()
        # As git reads its own: 80k is 81,920.
        factor = _FACTORS.get(value[-1:].lower(), 1)
        digits = value if factor == 1 else value[:-1]
        is_number = digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS
        number = int(digits) * factor if is_number else -1
        if number < least:
            raise self._refuse_number(key, f"use a whole number, {least} or more")
        return number

    def _refuse_number(self, key: Key, hint: str) -> Fatal:
        what = f"bad number '{self.get(key) or ''}' for '{self._find_origin(key)}'"
        return Fatal(what, hint=hint, reason=Reason.INVALID)

    def _find_origin(self, key: Key) -> str:
        """What to correct: the environment variable where it counts, else the key."""
        return key.variable if self.env.get(key.variable) else key.name
