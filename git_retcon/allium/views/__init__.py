"""What a spec branch tells people: who changed what, when, and a picture of it."""
