"""The offline engine: which atoms belong to which logical commit, with no model and no network."""
