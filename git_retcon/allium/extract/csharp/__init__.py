"""C#: classes with their properties, records, enums, interfaces, methods with guards."""
