"""One module a subcommand of ``git heal``."""
