"""The repository: opening, config, identity, objects, trees, atoms, refs, notes, graph."""
