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
            limits.append(f"${cents if float(cents) == self.max_cost else self.max_cost}")
        if self.max_tokens is not None:
            limits.append(f"{self.max_tokens:,} tokens")
        return " and ".join(limits) or "no limit"
