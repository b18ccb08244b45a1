"""What a person decides about a fix, and what follows from that."""
