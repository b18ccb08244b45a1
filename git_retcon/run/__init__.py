"""Other people's commands: process groups, timeouts, bounded output, sandbox, worktrees."""
