"""GitHub's expressions, ``${{ }}``: read, checked and evaluated."""
