"""How long something took, as people read it."""


def show_duration(seconds: float) -> str:
    """ "0.4 s", "59.9 s", "2 min 05 s", "1 h 30 min": more digits would say no more."""
    if seconds < 99.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, left = divmod(minutes, 60)
    return f"{hours} h {left:02} min" if hours else f"{minutes} min {rest:02} s"


def show_elapsed(seconds: float) -> str:
    """ "3 s", "2 min 05 s": the same for what goes on, and is shown again each second."""
    return f"{seconds:.0f} s" if seconds < 99.5 else show_duration(round(seconds))


def note_duration(seconds: float) -> str:
    """The same to put behind a line, in brackets; nothing where it took no time."""
    return f" ({show_duration(seconds)})" if seconds >= 0.1 else ""
