"""What the readers share that have a grammar of tree-sitter: types, bodies, records."""
