"""What git heal keeps of a repository in ``<common dir>/heal/heal.db``: runs, errors, heals."""
