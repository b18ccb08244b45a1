"""Files: read and written safely, and what their names and places mean."""
