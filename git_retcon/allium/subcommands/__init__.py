"""What each subcommand of ``git allium`` does."""
