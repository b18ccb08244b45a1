"""``git retcon cost``: what models have cost, from the ledger."""


def show_cost(*, as_json: bool) -> int:
    """Print totals by month and command."""
    raise NotImplementedError
