"""``git retcon``: a messy branch rebuilt as the commits a TOML spec names, each one building."""
