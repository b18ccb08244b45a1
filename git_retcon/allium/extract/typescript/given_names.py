"""Names for what code names beside it: a class by what keeps it, a member by a symbol.

``const Order = class extends Row { … }`` is as good as ``const Order = class Order …``; and where
``kState`` is a symbol, ``this[kState]`` is a member that might as well be ``this.kState``. What an
object keeps of its file, ``this.states = states``, and a type that is imported once more by another
name, as a value, have one name.
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
_KEPT = re.compile(rb"^\s*this\.(?P<name>[A-Za-z_$][\w$]*)\s*=\s*(?P=name)\s*;?\s*$", re.MULTILINE)
_ANY_CLASS = re.compile(rb"^[^\n/*'\"]*\bclass\b[^\n{}()]*\{", re.MULTILINE)
_IMPORT = re.compile(
    rb"^import\s+(?:type\s+)?\{(?P<names>[^{}]*)\}\s*from\s*(?P<file>['\"][^'\"\n]+['\"])",
    re.MULTILINE,
)
_NAMED = re.compile(rb"\b(?:type\s+)?(?P<symbol>[\w$]+)(?:\s+as\s+(?P<name>[\w$]+))?\s*(?:,|$)")


def name_twice_imported(content: bytes) -> bytes:
    """A source in which members of what is imported under its own name have no other owner."""
    if b" as " not in content:
        return content
    found: dict[tuple[bytes, bytes], set[bytes]] = {}
    for each in _IMPORT.finditer(content):
        for part in _NAMED.finditer(each["names"].strip()):
            name = part["name"] or part["symbol"]
            found.setdefault((each["file"], part["symbol"]), set()).add(name)
    for (_, symbol), names in found.items():
        for name in sorted(names - {symbol}) if symbol in names else ():
            content = re.sub(rb"(?<![\w$.'\"])%s(?=\.[A-Za-z])" % re.escape(name), symbol, content)
    return content


def name_kept(content: bytes) -> bytes:
    """A source that names its constants where the objects of its only class keep them."""
    if b"this." not in content or len(_ANY_CLASS.findall(content)) != 1:
        return content
    for each in {*_KEPT.findall(content)}:
        if _is_constant(re.escape(each), content):
            kept = rb"\bthis\.%s\.(?=[A-Za-z_$])" % re.escape(each)
            content = re.sub(kept, each + b".", content)
    return content


def _is_constant(name: bytes, content: bytes) -> bool:
    """Whether a file has an object by a name that nothing else in it has, and that is kept once."""
    made = rb"^(?:export )?const %s = (?:Object\.freeze\()?\{" % name
    if re.search(made, content, re.MULTILINE) is None:
        return False
    given = re.findall(rb"\.%s\s*(?:[-+*/|&?]{0,2}=(?!=)|\+\+|--)" % name, content)
    others = rb"[(,]\s*(?:\w+\s+)*%s\s*[?:=,)]|^\s*(?:(?!const\b)\w+\s+)*%s\s*[?:=;(]"
    return len(given) == 1 and not re.search(others % (name, name), content, re.MULTILINE)


def name_classes(content: bytes) -> bytes:
    """A source with a name in each class that is kept by one."""
    if b"class" not in content:
        return content
    named = [each["name"] for each in _CLASS.finditer(content)]
    alone = {each for each in named if named.count(each) == 1}
    return _CLASS.sub(
        lambda each: each[0] + (b" " + each["name"] if each["name"] in alone else b""), content
    )


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
