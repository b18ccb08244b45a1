"""How many tokens a text has: one estimate for everything that is printed."""

_BYTES_PER_TOKEN = 4


def count_tokens(content: bytes) -> int:
    """Bytes over four, rounded up."""
    return -(-len(content) // _BYTES_PER_TOKEN)
