"""A regular expression that is compiled when it is first used.

Tables hold hundreds of them, and a run needs those of two or three languages: to compile all of
them on import would take longer than most runs.
"""

import functools
import re
from typing import TYPE_CHECKING, Any, AnyStr, Generic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    class _Match(Protocol[AnyStr]):
        def __call__(self, text: AnyStr, pos: int = 0, /) -> re.Match[AnyStr] | None: ...


class LazyPattern(Generic[AnyStr]):
    """Used like the pattern that ``re.compile(text)`` returns.

    The first use of a method puts the compiled pattern's own method in its place, so every later
    use costs what it costs there.
    """

    def __init__(self, text: AnyStr) -> None:
        self.text: AnyStr = text

    @functools.cached_property
    def compiled(self) -> re.Pattern[AnyStr]:
        return re.compile(self.text)

    @functools.cached_property
    def match(self) -> "_Match[AnyStr]":
        return self.compiled.match

    @functools.cached_property
    def search(self) -> "_Match[AnyStr]":
        return self.compiled.search

    @functools.cached_property
    def fullmatch(self) -> "_Match[AnyStr]":
        return self.compiled.fullmatch

    @functools.cached_property
    def finditer(self) -> "Callable[[AnyStr], Iterator[re.Match[AnyStr]]]":
        return self.compiled.finditer

    @functools.cached_property
    def findall(self) -> "Callable[[AnyStr], list[Any]]":
        return self.compiled.findall

    @functools.cached_property
    def sub(self) -> "Callable[[AnyStr, AnyStr], AnyStr]":
        return self.compiled.sub
