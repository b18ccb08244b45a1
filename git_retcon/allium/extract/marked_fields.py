"""Fields that tell why or of which kind, and go through no states though they have values."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from git_retcon.allium.extract.source_facts import Edge, Rule, Shape
from git_retcon.allium.extract.spelling import spell_words
from git_retcon.allium.extract.state_words import is_called_state

_WORDS = frozenset(
    {"by", "reason", "cause", "type", "kind", "category", "source", "origin",
     "role", "mode", "priority", "level", "severity", "policy", "outcome", "verdict",
     "direction"}
)  # fmt: skip
_KINDS = frozenset({"type", "kind"})
# What is agreed on once, though it may be another one on a second try.
_AGREED = frozenset({"protocol", "version"})
_LEADS = re.compile(r"(?:May lead|Leads) to (\w+)\.$")
_ANY_STATE = "*"


def is_mark(field: str, edges: Sequence[Edge], values: Collection[str]) -> bool:
    """Whether a field is called after a reason or a kind, and every value comes from all others:
    nothing then says that one follows another. A version is no state from wherever it comes.
    """
    if field.rpartition("_")[2] in _AGREED:
        return bool(edges)
    return (
        _names_mark(field)
        and bool(edges)
        and all(_is_from_all(target, edges, values) for target in {each.target for each in edges})
    )


def list_beside(shape: Shape, rules: Sequence[Rule]) -> Set[str]:
    """The fields of a class that it keeps beside its state: its operations ask for what is called
    a state before they work, and for none of the values of these.
    """
    own = [each for each in rules if each.entity == shape.name]
    moved = {each.field for each in shape.graphs} | {each.field for each in own if each.field}
    whole = {each.field for each in shape.graphs if each.is_whole}
    others = {name for name in moved - whole if not is_called_state(name)}
    if not others or not any(is_called_state(name) and _is_asked(name, own) for name in moved):
        return frozenset()
    return frozenset(name for name in others if not _is_asked(name, own))


def _is_asked(field: str, rules: Iterable[Rule]) -> bool:
    place = re.compile(rf"\._?{field}\b")
    return any(place.search(text) for each in rules for text in (*each.requires, *each.guidance))


def leave_out_moves(rules: Iterable[Rule], beside: Mapping[str, Set[str]]) -> Iterator[Rule]:
    """Rules without the transitions of fields that an entity keeps beside its state."""
    for each in rules:
        yield each._replace(edges=()) if each.field in beside.get(each.entity, ()) else each


def leave_out_marks(rules: Sequence[Rule], moved: Mapping[str, Set[str]]) -> Sequence[Rule]:
    """Rules without those that set no more than a kind or a reason of their entity, or lead to such
    a one. ``moved`` are the fields that go through states, by the entities of a file.
    """
    kept = [
        each
        if each.field in moved.get(each.entity, {each.field})
        else _leave_out_mark(each, {state for edge in each.edges for state in edge})
        for each in rules
    ]
    left = {each.trigger for each, said in zip(rules, kept, strict=True) if said is None}
    said = (_leave_out_led(each, left) for each in kept if each is not None)
    return [each for each in said if each is not None]


def _leave_out_mark(rule: Rule, values: Collection[str]) -> Rule | None:
    """A rule without the transitions of such a field; None where it says nothing else."""
    if not is_mark(rule.field, rule.edges, values):
        return rule
    guidance = {*rule.guidance} - {say_change(rule.field)}
    ensures = [each for each in rule.ensures if f".{rule.field} = " not in each]
    is_bare = not (rule.requires or guidance or ensures)
    return None if is_bare else rule._replace(field="", edges=())


def _leave_out_led(rule: Rule, triggers: Set[str]) -> Rule | None:
    """A rule that leads to none of these; None where it says nothing else."""
    guidance = [each for each in rule.guidance if _name_led(each) not in triggers]
    ensures = [each for each in rule.ensures if each.partition("(")[0] not in triggers]
    if len(guidance) == len(rule.guidance) and len(ensures) == len(rule.ensures):
        return rule
    is_bare = not (rule.field or rule.requires or guidance or ensures)
    return None if is_bare else rule._replace(guidance=tuple(guidance), ensures=tuple(ensures))


def _name_led(text: str) -> str:
    """The trigger that a sentence says an operation leads to."""
    said = _LEADS.match(text)
    return said[1] if said is not None else ""


def say_change(field: str) -> str:
    """The guidance of an operation that may give a field other values."""
    return f"May change the {field}."


def _names_mark(field: str) -> bool:
    words, _, last = spell_words(field).rpartition("_")
    # The type of a state is what it is; its reason or source is something else.
    return last in _WORDS and not (last in _KINDS and is_called_state(words))


def _is_from_all(target: str, edges: Iterable[Edge], values: Collection[str]) -> bool:
    sources = {each.source for each in edges if each.target == target}
    return _ANY_STATE in sources or {*values} - {target} <= sources
