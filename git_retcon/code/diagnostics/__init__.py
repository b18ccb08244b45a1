"""Reading what compilers, interpreters, linters and test runners print when they fail."""
