"""What people see: messages, colour, progress."""
