"""The engine that needs no model: it plans from evidence and repairs from errors."""
