"""Reading and writing files: atomically, beneath a root, under a lock."""
