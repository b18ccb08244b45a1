"""What a run may spend."""

from git_retcon.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """US dollars and tokens that one run may spend; None is no limit."""

    max_cost: float | None = None
    max_tokens: int | None = None

    def __str__(self) -> str:
        limits = []
        if self.max_cost is not None:
            cents = f"{self.max_cost:.2f}"
            # Never fewer digits than were given.
            exact = f"{self.max_cost:.12f}".rstrip("0")  # no exponent, as people read it
            limits.append(f"${cents if float(cents) == self.max_cost else exact}")
        if self.max_tokens is not None:
            limits.append(f"{self.max_tokens:,} tokens")
        return " and ".join(limits) or "no limit"
