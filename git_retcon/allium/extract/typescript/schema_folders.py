"""Where the schemas of Prisma may be that a TypeScript file works with.

The client is made of them, and is not in the repository: what a file imports of it is in a schema.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from git_retcon.allium.extract.asked_classes import STORED
from git_retcon.allium.extract.source_facts import Import, ServiceOperation

# What a file imports that is the client, or made by it.
_CLIENT = re.compile(r"@prisma/client|(?:^|/)(?:generated|\.?prisma)(?:/prisma)?(?:/client)?/?$")
# A package of the repository that may have the schemas.
_PACKAGE = re.compile(r"@[\w.-]+/([\w.-]*(?:prisma|database|db|dal|data|shared|core|orm)[\w.-]*)")
_INSIDE = (b"prisma", b"prisma/schema", b"prisma/models", b"schema", b"")
_USUAL = (b"prisma", b"database", b"db")
_PLACES = (b"packages", b"libs", b"internal-packages")


def list_schemas(path: bytes, source: str) -> Iterator[bytes]:
    """The folders, each as all its schemas, that what a file imports from ``source`` may be of."""
    package = _PACKAGE.match(source)
    roots = _list_roots(path)
    if package is not None:
        name = package[1].encode("utf-8", "surrogateescape")
        for root in roots:
            yield from _list_inside(root, [name])
    if _CLIENT.search(source):
        yield from _list_around(roots)


def is_client(source: str) -> bool:
    """Whether what a file imports from is the client, or may be a package that passes it on."""
    return _CLIENT.search(source) is not None or _PACKAGE.match(source) is not None


def import_models(
    path: bytes, services: Iterable[ServiceOperation], sources: Sequence[str]
) -> dict[str, Import]:
    """Where the models are that operations work on. ``sources`` are what the file imports from."""
    is_asked = any(each.type.startswith(STORED) for one in services for each in one.handled)
    if not is_asked and not (services and any(map(is_client, sources))):
        return {}
    named = (each for source in sources for each in list_schemas(path, source))
    targets = dict.fromkeys([*named, *_list_around(_list_roots(path))])
    return {STORED.rstrip("."): Import(tuple(targets), "", "@prisma/client")}


def _list_roots(path: bytes) -> list[bytes]:
    """The folders around a file, the nearest first."""
    roots = [posixpath.dirname(path)]
    while roots[-1]:
        roots.append(posixpath.dirname(roots[-1]))
    return roots


def _list_around(roots: Iterable[bytes]) -> Iterator[bytes]:
    listed = [*roots]
    for root in listed:
        for folder in _INSIDE:
            yield posixpath.join(root, folder, b"*.prisma")
    for root in listed:
        yield from _list_inside(root, _USUAL)


def _list_inside(root: bytes, names: Iterable[bytes]) -> Iterator[bytes]:
    for name in names:
        for place in _PLACES:
            for folder in _INSIDE:
                yield posixpath.join(root, place, name, folder, b"*.prisma")
