"""Functions that name the fields and states which their variables, calls and decorators mean."""

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence

from git_retcon.allium.extract.assigned_properties import open_properties
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.rewriting.answered_parts import answer_parts
from git_retcon.allium.extract.python.rewriting.awaited_calls import open_awaited
from git_retcon.allium.extract.python.rewriting.called_bases import open_base_calls
from git_retcon.allium.extract.python.rewriting.changed_copies import replace_copies
from git_retcon.allium.extract.python.rewriting.checked_rules import open_rules, spell_rules
from git_retcon.allium.extract.python.rewriting.decided_variables import decide_variables
from git_retcon.allium.extract.python.rewriting.empty_states import empty_states
from git_retcon.allium.extract.python.rewriting.enum_groups import (
    Groups,
    replace_groups,
    spell_groups,
)
from git_retcon.allium.extract.python.rewriting.enum_questions import inline_questions
from git_retcon.allium.extract.python.rewriting.enum_tables import open_tables
from git_retcon.allium.extract.python.rewriting.event_flags import replace_events
from git_retcon.allium.extract.python.rewriting.flow_classes import open_flows
from git_retcon.allium.extract.python.rewriting.handed_states import inline_handed
from git_retcon.allium.extract.python.rewriting.held_answers import ask_steps
from git_retcon.allium.extract.python.rewriting.keyed_fields import open_keys
from git_retcon.allium.extract.python.rewriting.listed_conditions import join_conditions
from git_retcon.allium.extract.python.rewriting.local_answers import spell_tables
from git_retcon.allium.extract.python.rewriting.local_tables import open_local_tables
from git_retcon.allium.extract.python.rewriting.locked_rows import open_locked
from git_retcon.allium.extract.python.rewriting.made_properties import write_properties
from git_retcon.allium.extract.python.rewriting.made_states import name_made
from git_retcon.allium.extract.python.rewriting.matched_tuples import open_matches
from git_retcon.allium.extract.python.rewriting.named_elements import name_elements
from git_retcon.allium.extract.python.rewriting.nested_callbacks import open_callbacks
from git_retcon.allium.extract.python.rewriting.next_states import open_next
from git_retcon.allium.extract.python.rewriting.plain_assignments import replace_setters
from git_retcon.allium.extract.python.rewriting.predicates import inline_predicates
from git_retcon.allium.extract.python.rewriting.raised_events import handle_events
from git_retcon.allium.extract.python.rewriting.raising_calls import raise_errors
from git_retcon.allium.extract.python.rewriting.record_models import open_records
from git_retcon.allium.extract.python.rewriting.refusing_calls import open_refusing
from git_retcon.allium.extract.python.rewriting.refusing_decorators import inline_decorators
from git_retcon.allium.extract.python.rewriting.refusing_questions import open_refusals
from git_retcon.allium.extract.python.rewriting.returned_fields import run_returned
from git_retcon.allium.extract.python.rewriting.returned_states import name_returned
from git_retcon.allium.extract.python.rewriting.said_refusals import open_reasons
from git_retcon.allium.extract.python.rewriting.scheduled_calls import open_scheduled
from git_retcon.allium.extract.python.rewriting.split_conditions import split_conditions
from git_retcon.allium.extract.python.rewriting.stored_moves import open_updates_of_own
from git_retcon.allium.extract.python.rewriting.told_answers import spell_functions
from git_retcon.allium.extract.python.syntax.constants import Constants, read_constants, spell_lists
from git_retcon.allium.extract.python.syntax.function_texts import note_texts
from git_retcon.allium.extract.python.syntax.local_values import inline_values
from git_retcon.allium.extract.source_facts import Import


def name_values(
    content: bytes,
    text: bytes,
    statements: Iterable[ast.stmt],
    classes: Sequence[ast.ClassDef],
    imports: Mapping[str, Import],
    groups: Groups,
) -> None:
    """Let the functions and methods of one file say themselves what they ask, set and refuse.

    Their trees are changed: each step here writes one way to say it as the plain one. ``text`` is
    the content as it was parsed.
    """
    functions = {each.name: each for each in statements if isinstance(each, Function)}
    methods = [item for each in classes for item in each.body if isinstance(item, Function)]
    note_texts(text, everything := (*functions.values(), *methods))
    _open_frameworks(everything, classes, imports)
    open_matches(everything)
    join_conditions(everything)
    name_made(everything)
    write_properties(content, classes)
    empty_states(content, classes)
    replace_events(classes, imports)
    replace_groups(groups, everything)
    types = {*imports, *(each.name for each in classes)}
    open_flows(content, classes, types)
    open_keys(content, functions.values(), classes, types)
    name_elements(content, functions.values(), classes)
    inline_handed(content, functions.values(), classes)
    replace_setters(content, everything)
    raise_errors(everything)
    _open_demands(functions, classes, imports)
    open_next(classes, read_constants([*statements]))
    open_awaited(content, classes)
    open_base_calls(classes)
    inline_questions(classes)
    inline_decorators(functions.values(), classes)
    open_properties(content, classes)
    open_callbacks(content, methods)
    open_scheduled(content, classes)
    replace_copies(content, everything)
    for each in everything:
        each.body = inline_values(each).body
    decide_variables(methods)
    _answer_steps(functions, classes, methods)


def _open_frameworks(
    functions: Collection[Function],
    classes: Sequence[ast.ClassDef],
    imports: Mapping[str, Import],
) -> None:
    """Let classes do themselves what frameworks do for them: with each record, or by events."""
    open_records(classes, imports)
    open_locked(classes)
    open_updates_of_own(classes)
    handle_events(functions, classes, imports)


def _open_demands(
    functions: Mapping[str, Function],
    classes: Sequence[ast.ClassDef],
    imports: Mapping[str, Import],
) -> None:
    """Let what has others demand something, or asks tables, say what."""
    methods = (item for each in classes for item in each.body if isinstance(item, Function))
    open_rules((*functions.values(), *methods), classes)
    open_tables(classes)
    open_local_tables(classes)
    open_refusing(functions, classes, imports)


def _answer_steps(
    functions: Mapping[str, Function], classes: Sequence[ast.ClassDef], methods: Sequence[Function]
) -> None:
    """Let what runs steps, or asks them, say what they answer."""
    open_reasons(classes)  # before texts that say why are taken for states
    run_returned(classes)
    name_returned(functions, classes)
    answer_parts(classes)
    ask_steps(methods)
    split_conditions(classes)
    open_refusals(classes)
    inline_predicates(functions.values(), classes)


def spell_named(
    statements: Sequence[ast.stmt],
    classes: Sequence[ast.ClassDef],
    constants: Constants,
    groups: Groups,
) -> Mapping[str, str]:
    """What names of a file mean, as Python: lists, groups of members, tables, and what rules and
    functions refuse.
    """
    return {
        **spell_lists(constants), **spell_groups(groups), **spell_rules(classes),
        **spell_tables(constants), **spell_functions(statements, constants),
    }  # fmt: skip
