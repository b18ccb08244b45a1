"""Names for what code names beside it: a class by what keeps it, a member by a symbol.

``const Order = class extends Row { … }`` is as good as ``const Order = class Order …``; and where
``kState`` is a symbol, ``this[kState]`` is a member that might as well be ``this.kState``.
"""

import re
from collections.abc import Sequence

from git_retcon.allium.extract.source_facts import Declaration, Rule

_CLASS = re.compile(
    rb"(?<![\w$.])(?:(?:const|let|var)\s+|(?:[\w$]+\s*\.\s*)+)(?P<name>[A-Z][\w$]*)\s*=\s*class\b"
    rb"(?=\s*\{|\s+extends\b)"
)
# A symbol of the file, or one that is called as those of Node are.
_MADE = re.compile(rb"\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*Symbol(?:\.for)?\(")
_CALLED = re.compile(rb"\[(k[A-Z]\w*)\]")
_MEMBER = (
    rb"^(?P<marks>[ \t]*(?:(?:private|protected|public|override|readonly|async|get|set|\*)[ \t]*)*)"
    rb"\[(?P<name>%s)\](?P<call>[ \t]*[?!]?(?:[(:;=]|$))"
)
_REACHED = rb"(?P<owner>[\w$)\]](?:\?\.|!)?)\[(?P<name>%s)\]"


def name_classes(content: bytes) -> bytes:
    """A source with a name in each class that is kept by one."""
    if b"class" not in content:
        return content
    return _CLASS.sub(rb"\g<0> \g<name>", content)


def list_symbols(content: bytes) -> Sequence[bytes]:
    """The symbols by which a source names members of its objects."""
    if b"this[" not in content:
        return ()
    made = {*_MADE.findall(content)} if b"Symbol" in content else set()
    named = {each for each in made if b"this[%s]" % each in content}
    return sorted({*named, *_CALLED.findall(content)})


def name_members(content: bytes, symbols: Sequence[bytes]) -> bytes:
    """A source in which members have their symbols' names."""
    if not symbols:
        return content
    listed = b"|".join(map(re.escape, symbols))
    content = re.sub(_MEMBER % listed, rb"\g<marks>\g<name>\g<call>", content, flags=re.MULTILINE)
    return re.sub(_REACHED % listed, _name_reached, content)


def _name_reached(found: "re.Match[bytes]") -> bytes:
    owner = found["owner"]
    return owner + (b"" if owner.endswith(b".") else b".") + found["name"]


def place_symbols(
    declared: Sequence[Declaration], symbols: Sequence[bytes]
) -> Sequence[Declaration]:
    """What a source declares, with rules where it has them: ``Order.[kClose]``."""
    names = {each.decode() for each in symbols}
    return [_place_rule(e, names) if isinstance(e, Rule) else e for e in declared]


def _place_rule(rule: Rule, names: set[str]) -> Rule:
    place = rule.evidence[0]
    owner, _, name = place.symbol.rpartition(".")
    if name not in names:
        return rule
    return rule._replace(evidence=(place._replace(symbol=f"{owner}.[{name}]"), *rule.evidence[1:]))
