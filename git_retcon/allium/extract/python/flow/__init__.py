"""The states that a field goes through in a method, and what keeps it from going on."""
