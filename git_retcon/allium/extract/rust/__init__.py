"""Rust: structs and enums, traits, methods with guards."""
