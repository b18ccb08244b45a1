"""Java: classes with their annotations, records, enums, interfaces, methods with guards."""
