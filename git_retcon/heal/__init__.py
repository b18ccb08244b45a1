"""``git heal``: what CI would reject, fixed and proved in a worktree of its own."""
