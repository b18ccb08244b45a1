"""Running a command where it can harm nothing: no network, no secrets, one writable directory."""
