"""What an object has when: parts, flags and values that come and go with its states."""
