"""What threads that heal side by side tell: one line at a time, each with its number."""

import threading

from git_retcon.heal.check_events import StepBegan, StepEnded
from git_retcon.heal.healing.heal_events import HealEvent, StepTried, Tell
from git_retcon.interrupts import raise_if_halted


def speak_alone(tell: Tell, lock: "threading.RLock | None" = None) -> Tell:
    """The same for several threads, of which one speaks at a time, and one that is to end not."""
    held = lock or threading.RLock()

    def tell_alone(event: HealEvent) -> None:
        raise_if_halted()
        with held:
            tell(event)

    return tell_alone


def number_progress(number: int, tell: Tell) -> Tell:
    """The same with the number of the worktree before the names of steps."""

    def tell_numbered(event: HealEvent) -> None:
        match event:
            case StepBegan(step):
                event = StepBegan(f"[{number}] {step}")
            case StepEnded(step, line, verdict, reason, seconds):
                event = StepEnded(f"[{number}] {step}", line, verdict, reason, seconds)
            case StepTried(step, passed, left, seconds):
                event = StepTried(f"[{number}] {step}", passed, left, seconds)
        tell(event)

    return tell_numbered
