"""Go: structs with their tags, groups of typed constants, interfaces, methods with guards."""
