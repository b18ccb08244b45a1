"""``git code-commit``: one question in, a change out that builds."""
