"""Options that take a number, and what is said of a value that is none."""

import math

import click


class Amount(click.FloatRange):
    """A number of something, from ``least`` on; what is no number is refused by that name."""

    def __init__(self, what: str, *, least: float) -> None:
        super().__init__(min=least)
        self.unit = what
        self._what = f"a number of {what}, {least:g} or more"

    def convert(
        self, value: float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not number >= (self.min or 0):  # as nothing is of nan
            self.fail(f"'{value}' is not {self._what}", param, ctx)
        return number


class Count(click.IntRange):
    """A whole number of something, from ``least`` on."""

    def __init__(self, what: str, *, least: int) -> None:
        super().__init__(min=least)
        self.unit = what
        self._what = f"a whole number of {what}, {least} or more"

    def convert(self, value: int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = int(value)
        except ValueError:
            number = -1
        if number < (self.min or 0):
            self.fail(f"'{value}' is not {self._what}", param, ctx)
        return number
