"""Operations as rules: what they demand, what they move, and from where private steps begin."""
