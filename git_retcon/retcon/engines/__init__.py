"""Who chooses what goes into a commit: the offline planner, or Claude."""
