"""States of attributes that a class and its base classes set together, each to some texts.

A client that is connected where its base class, in another file, began as disconnected has both
states: neither class shows them alone.
"""

from collections.abc import Iterable, Iterator, Sequence

from git_retcon.allium.extract.python.classes.inferred_values import is_word
from git_retcon.allium.extract.source_facts import STRING, Field, Shape, SharedState, Type
from git_retcon.allium.extract.spelling import is_value, spell_field_name
from git_retcon.allium.extract.state_words import is_called_state


def share_states(shape: Shape, parents: Sequence[Shape]) -> tuple[SharedState, ...]:
    """What a class and its base classes say together of the attributes that they set."""
    found: dict[str, SharedState] = {}
    for each in (each for one in (*parents, shape) for each in one.shared):
        known = found.get(each.symbol, each)
        values = dict.fromkeys((*known.values, *each.values)) if known.values else {}
        found[each.symbol] = SharedState(
            each.symbol, tuple(values) if each.values else (), known.is_begun or each.is_begun,
            known.is_compared or each.is_compared,
            tuple(sorted({*known.asked, *each.asked})),
        )  # fmt: skip
    return tuple(found.values())


def list_complete(shared: Iterable[SharedState]) -> Iterator[SharedState]:
    """Those whose values are all known. What is asked for and never set comes from elsewhere: of
    what is called a state it is one.
    """
    for each in shared:
        values = dict.fromkeys(each.values)
        if is_called_state(each.symbol):
            values |= dict.fromkeys(filter(is_value, each.asked))
        is_known = len(each.values) > 1 and {*each.asked} <= values.keys()
        is_group = len(each.values) > 2 and all(map(is_word, each.values))
        is_stateful = each.is_compared or (is_called_state(each.symbol) and is_group)
        if is_known and each.is_begun and is_stateful:
            yield each._replace(values=tuple(values))


def add_states(shape: Shape, states: Iterable[SharedState]) -> Shape:
    """A shape with the values of the texts that it shares."""
    fields = {each.symbol or each.name: each for each in shape.fields}
    for each in sorted(states):
        field = fields.get(each.symbol)
        name = spell_field_name(each.symbol.lstrip("_"))
        is_text = field is None or field.type.name == STRING.name
        if (
            name is not None
            and is_text
            and name not in {f.name for f in fields.values() if f != field}
        ):
            fields[each.symbol] = Field(name, Type("", values=each.values), each.symbol)
    return shape._replace(
        fields=tuple(fields.values()), is_abstract=shape.is_abstract and not states
    )
