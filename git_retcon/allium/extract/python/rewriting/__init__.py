"""Functions in other words: what a method asks or runs elsewhere, written where it is asked."""
