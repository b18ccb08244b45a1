"""Fields that tell why or of which kind, and go through no states though they have values."""

from collections.abc import Collection, Iterable, Sequence

from git_retcon.allium.extract.source_facts import Edge, Rule

_WORDS = frozenset({"by", "reason", "cause", "type", "kind", "category", "source", "origin"})
# What is agreed on once, though it may be another one on a second try.
_AGREED = frozenset({"protocol", "version"})
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


def leave_out_mark(rule: Rule, values: Collection[str]) -> Rule | None:
    """A rule without the transitions of such a field; None where it says nothing else."""
    if not is_mark(rule.field, rule.edges, values):
        return rule
    guidance = {*rule.guidance} - {say_change(rule.field)}
    ensures = [each for each in rule.ensures if f".{rule.field} = " not in each]
    is_bare = not (rule.requires or guidance or ensures)
    return None if is_bare else rule._replace(field="", edges=())


def say_change(field: str) -> str:
    """The guidance of an operation that may give a field other values."""
    return f"May change the {field}."


def _names_mark(field: str) -> bool:
    return field.rpartition("_")[2] in _WORDS


def _is_from_all(target: str, edges: Iterable[Edge], values: Collection[str]) -> bool:
    sources = {each.source for each in edges if each.target == target}
    return _ANY_STATE in sources or {*values} - {target} <= sources
