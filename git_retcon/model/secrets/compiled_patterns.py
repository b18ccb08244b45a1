"""Patterns of bytes, each compiled when it is first used: compiling them costs at every start."""

import functools
import re


@functools.cache
def compile_pattern(pattern: bytes) -> re.Pattern[bytes]:
    """The pattern that ``re.compile`` makes, once."""
    return re.compile(pattern)
