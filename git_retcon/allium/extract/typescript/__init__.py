"""TypeScript and JavaScript: by tree-sitter where it is installed, else by their outline."""
