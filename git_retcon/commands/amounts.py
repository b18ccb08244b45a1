"""Options that take a number, and what is said of a value that is none."""

import math
from typing import ClassVar

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


class Age(click.FloatRange):
    """A time span such as 30d, in seconds: a whole number of hours, days or weeks."""

    _UNITS: ClassVar = {"h": 3600.0, "d": 86400.0, "w": 604800.0}

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number, unit = str(value)[:-1], str(value)[-1:]
        if not (number.isascii() and number.isdigit() and len(number) < 6 and unit in self._UNITS):
            self.fail(f"'{value}' is not an age such as 12h, 30d or 8w", param, ctx)
        return int(number) * self._UNITS[unit]
