"""The states that a field goes through in a method.

A method is followed statement by statement with the set of states that the field may be in.
Loops are followed twice, which is enough for a set that only grows.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence

from git_retcon.allium.extract.python.flow.assigned_states import AssignedStates
from git_retcon.allium.extract.python.flow.called_methods import (
    CalledMethod,
    Method,
    bind_called,
    find_called,
    split_given,
)
from git_retcon.allium.extract.python.flow.field_answers import tells_field
from git_retcon.allium.extract.python.flow.given_states import find_given_states
from git_retcon.allium.extract.python.flow.narrowed_states import StateNarrowing
from git_retcon.allium.extract.python.flow.own_contexts import find_context, open_context
from git_retcon.allium.extract.python.flow.possible_states import (
    NOWHERE,
    Answers,
    HeldStates,
    LeftRounds,
    Possible,
    join_held,
    join_states,
    keep_states,
)
from git_retcon.allium.extract.python.flow.state_questions import StateQuestions
from git_retcon.allium.extract.python.flow.sure_steps import Interruptions
from git_retcon.allium.extract.python.flow.waiting_steps import WaitingSteps, is_waiting
from git_retcon.allium.extract.python.syntax.caught_errors import may_catch_all, swallows_errors
from git_retcon.allium.extract.python.syntax.conditions import Subject, find_property
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.touched_names import list_assigned, list_set_names

_DEEPEST = 3  # methods that call each other
_ROUNDS = 2  # of a loop
_RUNNING = ast.Expr | ast.Assign | ast.AnnAssign | ast.Return


class StateFlow:
    """Follows one field through a method. ``only_named`` are transitions from states that it asks
    for, and none from those that it does not refuse.
    """

    def __init__(
        self, subject: Subject, field: str, states: States, *, only_named: bool = False
    ) -> None:
        self._subject = subject
        self._field = field
        self._states = states
        self.begun: dict[ast.Call, Possible] = {}  # in which states other methods were run
        self.marks: Mapping[ast.stmt, ast.FunctionDef] = {}  # statements, with what waits behind
        self._returned: Possible = NOWHERE
        self._said = self._told = Answers()  # of this method, and of the one that was run last
        self._left = LeftRounds()  # out of a round of the loop around
        self._interrupted = Interruptions(is_counted=False)
        # The methods that call each other here, and what the parameters of the last one are given.
        self._called: list[str] = []
        self._given: Mapping[str, ast.expr] = {}
        self._held = HeldStates(states, subject.constants)
        self._answers: set[str] = set()  # variables that were set where the field was asked for
        self._waiting = WaitingSteps()
        self._asked = StateQuestions(
            subject, field, states, self._resolve, lambda node: self._held.find(node)
        )
        self.is_field = self._asked.is_field
        self._narrowing = StateNarrowing(subject, field, states, self._asked, only_named=only_named)
        self.gets = AssignedStates(states, self._narrowing, self._resolve)
        self.edges = self.gets.edges

    def run(self, body: Iterable[ast.stmt], before: Possible) -> Possible:
        """The possible states when the operation is over, without those that end in an error."""
        self._returned = NOWHERE
        end = self.follow(body, before)
        self._waiting.leave(end)
        found, self.gets.is_set_now = join_states(end, self._returned), self.gets.is_set
        for step in self._waiting.run():
            self._narrowing.is_doubtful = step.is_doubtful
            self._held.forget()
            self._returned = NOWHERE
            step.end = join_states(self.follow(step.body, step.states), self._returned)
            self._waiting.leave(step.end)
        return found

    def run_method(self, node: Method, before: Possible, call: ast.Call | None = None) -> Possible:
        """The same, of a method with what a call gives it."""
        bound = bind_called(open_context(node), call, self._subject, self._resolve) if call else {}
        end, doubted = NOWHERE, self._narrowing.is_doubtful
        for self._given in split_given(bound or {}, node):
            self._narrowing.is_doubtful, self._waiting = doubted, WaitingSteps()
            self._held.forget()
            end = join_states(end, self.run(node.body, before))
        return end

    def follow(self, body: Iterable[ast.stmt], before: Possible) -> Possible:
        """The possible states behind the statements; those that left early are in none."""
        for node in body:
            if before == NOWHERE:
                return before
            before = self._follow_statement(node, before)
        return before

    def _follow_statement(self, node: ast.stmt, before: Possible) -> Possible:
        self._add_waiting(self.marks.get(node), before)
        before = self._follow_call(node, before)
        if before == NOWHERE:
            return before
        match node:
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(map(self._asked.is_field, targets)):
                    return self.gets.assign(value, before, self._held)
                self._hold_value(targets, value, before)
            case ast.AugAssign(target=target):
                self._held.drop(target)
            case ast.Return(value=answer):
                return self._leave(before, answer)
            case ast.FunctionDef() if is_waiting(node):
                self._add_waiting(node, before)
            case ast.Raise():
                return NOWHERE
            case ast.Continue() | ast.Break():
                return self._left.leave(node, before)
            case ast.If():
                return self._follow_if(node, before)
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._follow_loop(node, before)
            case ast.With() | ast.AsyncWith():
                return self._follow_with(node, before)
            case ast.Try():
                return self._follow_try(node, before)
            case ast.Match():
                return self._follow_match(node, before)
            case ast.Assert(test=test):
                self._narrowing.is_doubtful |= not self._asked.understands(test)
                self._held.hold(*self._asked.read_demanded(test))
                return self._narrowing.narrow_states(test, before, True)
        return before

    def _hold_value(self, targets: Sequence[ast.expr], value: ast.expr, before: Possible) -> None:
        """Keep which states variables may hold, or that they tell of the field's."""
        if self._asked.is_field(find_property(value, self._subject) or value):
            self._held.keep(targets, before)
        else:
            self._held.hold(targets, self._held.read(self._resolve(value)))
        if names := {each.id for each in targets if isinstance(each, ast.Name)}:
            self._answers |= names if tells_field(value, self._field, self._subject) else set()

    def _add_waiting(self, node: ast.FunctionDef | None, before: Possible) -> None:
        if node is not None:
            self._waiting.add(node, before, is_doubtful=self._narrowing.is_doubtful)

    def _leave(self, before: Possible, answer: ast.expr | None) -> Possible:
        self._said.add(answer, before)
        self._returned = join_states(self._returned, before)
        self._waiting.leave(before)
        return NOWHERE

    def _follow_if(self, node: ast.If, before: Possible) -> Possible:
        said = self._follow_asked(node.test, before)
        is_moved = said.is_plain or (said.yes, said.no) != (before, before)
        doubted, held = self._narrowing.is_doubtful, self._held.copy()
        entered = self._narrowing.narrow_states(node.test, said.yes, True)
        # What a variable tells of the state, a question about it asks of the state.
        is_told = self._asked.is_told(node.test, self._answers)
        self._narrowing.is_doubtful |= is_told
        self.gets.asked.append(self._asked.read_asked_states(node.test))
        mark = self._waiting.mark()
        yes = self.follow(node.body, entered)
        waiting = self._waiting.set_aside(mark)
        self.gets.asked.pop()
        is_doubtful = self._narrowing.is_doubtful and yes != NOWHERE
        self._narrowing.is_doubtful = doubted or is_told
        held_then, self._held = self._held, held
        known = len(self._narrowing.unless)
        if node.orelse:
            self._narrowing.add_unless(node.test)
        left = self._narrowing.narrow_states(node.test, said.no, False)
        no = self.follow(node.orelse, left)
        self._waiting.bring_back(waiting, yes)
        del self._narrowing.unless[known:]
        if (entered, left) != (before, before):
            self._answers |= {*list_assigned(node)}
        if NOWHERE in (yes, no):
            self._held = self._held if yes == NOWHERE else held_then
            if yes == NOWHERE:
                refused = ast.UnaryOp(op=ast.Not(), operand=node.test)
                self._held.hold(*self._asked.read_demanded(refused))
        else:
            self._held.join(held_then)
        self._narrowing.is_doubtful = is_doubtful or (self._narrowing.is_doubtful and no != NOWHERE)
        if is_told and NOWHERE not in (yes, no):
            self._narrowing.is_doubtful = doubted
        # Behind what the condition itself has set, its answer lets none of the states pass alone.
        if NOWHERE in (yes, no) and not is_moved and not self._asked.understands(node.test):
            self._narrowing.is_doubtful = True
        return join_states(yes, no)

    def _follow_loop(self, node: ast.For | ast.AsyncFor | ast.While, before: Possible) -> Possible:
        outer, self._left = self._left, LeftRounds()
        self._held.drop(node.target if not isinstance(node, ast.While) else None)
        held, test = self._held.copy(), node.test if isinstance(node, ast.While) else None
        head, left = before, self._returned
        decided, doubted = self._narrowing.decided, self._narrowing.is_doubtful
        self._returned = NOWHERE
        for _ in range(_ROUNDS):
            begun, known = (head, self._narrowing.is_doubtful), self._held.copy()
            head = join_states(head, self._follow_round(node, test, head))
            # Another round that begins as this one did leads to nothing else.
            if begun == (head, self._narrowing.is_doubtful) and known.is_like(self._held):
                break
        if test is not None and self._is_waiting(node, test):
            self._follow_round(node, test, None)
        # Behind a loop all goes on, where only its rounds are left early.
        is_silent = (self._narrowing.decided, self._returned) == (decided, NOWHERE)
        if test is None and is_silent and not node.orelse:
            self._answers |= self._narrowing.go_on(node, doubted)
        self._returned = join_states(left, self._returned)
        self._held.join(held)
        # "else" runs where no "break" left the loop.
        end = self.follow(node.orelse, self._narrowing.end_loop(test, head))
        end = join_states(end, self._left.over)
        self._left = outer
        return end

    def _follow_round(
        self, node: ast.For | ast.AsyncFor | ast.While, test: ast.expr | None, head: Possible
    ) -> Possible:
        """The states where a loop begins again that began in some states."""
        if test is not None:
            head = self._narrowing.narrow_states(test, head, True)
            self._narrowing.is_doubtful |= not self._asked.understands(test)
        return join_states(self.follow(node.body, head), self._left.again)

    def _is_waiting(self, node: ast.stmt, test: ast.expr) -> bool:
        """Whether an endless loop has only asked for the state, and would never leave in it."""
        is_left = join_states(self._returned, self._left.over) != NOWHERE
        is_endless = isinstance(test, ast.Constant) and not is_left
        return is_endless and f".{self._field}" not in list_set_names(node, self._subject)

    def _follow_asked(self, test: ast.expr, before: Possible) -> Answers:
        """What a condition asks a method to do has been done where that answers so."""
        if isinstance(test, ast.IfExp):
            return self._follow_ways(test, before)
        is_set = f".{self._field}" in list_set_names(test, self._subject)
        if is_set or not self._asked.understands(test):
            asked = test.operand if isinstance(test, ast.UnaryOp) else test
            if (called := self._find_called(asked)) is not None:
                self._run_called(called, before)
                return self._told.turn(is_negated=asked is not test, is_plain=is_set)
        return Answers(before, before, is_plain=False)

    def _follow_ways(self, test: ast.IfExp, before: Possible) -> Answers:
        """The same where one of two things is asked, by the answer of another."""
        first, found = self._follow_asked(test.test, before), Answers(is_plain=False)
        for way, states, holds in ((test.body, first.yes, True), (test.orelse, first.no, False)):
            begun = self._narrowing.narrow_states(test.test, states, holds)
            if begun != NOWHERE:
                found.join(Answers.read(way, begun) or self._follow_asked(way, begun))
        return found

    def _follow_call(self, node: ast.stmt, before: Possible) -> Possible:
        """A method of the same object that a statement runs; anything else may fail."""
        called = self._find_called(node.value) if isinstance(node, _RUNNING) else None
        if called is not None:
            known = self._narrowing.decided, before
            doubted, end = self._narrowing.is_doubtful, self._run_called(called, before)
            # Where such a step returns early, what runs it goes on.
            if isinstance(node, ast.Expr) and known == (self._narrowing.decided, end):
                self._answers |= self._narrowing.go_on(node, doubted)
            return end
        self._narrowing.decided += isinstance(node, ast.Raise | ast.Assert)
        self._interrupted.note(node, before)
        return before

    def _find_called(self, value: ast.expr | None) -> CalledMethod | None:
        """A method of the same object that a statement runs, if it may be followed."""
        called = find_called(value, self._subject, self._resolve)
        is_open = called is None or called.name in self._called or len(self._called) == _DEEPEST
        return None if is_open else called

    def _run_called(self, called: CalledMethod, before: Possible) -> Possible:
        """What a method of the same object makes of the states."""
        self.begun[called.call] = join_states(self.begun.get(called.call, NOWHERE), before)
        outer = self._given, self._returned, self._left, self.gets.is_set, self._waiting
        held, said, self._said = self._held, self._said, Answers()
        self._left = LeftRounds()
        self._waiting = WaitingSteps()
        self._called.append(called.name)
        in_setter = self._interrupted.in_setter
        end = NOWHERE
        doubted = self._narrowing.is_doubtful
        for given in split_given(called.given, called.method):
            self._given, self._returned = given, NOWHERE
            self._held = held.hand(called.method, given)
            self._narrowing.is_doubtful = doubted
            is_given = any(map(self._states.read, given.values()))
            self._interrupted.in_setter = in_setter or (is_given and self._sets_given(called))
            followed = self.follow(called.method.body, before)
            self._said.add(None, followed)
            end = join_states(end, join_states(followed, self._returned))
        self._said.keep(called.method, end)
        self._told, self._said = self._said, said
        self._interrupted.in_setter = in_setter
        self._called.pop()
        self._given, self._returned, self._left, assigned, self._waiting = outer
        self._held = held.leave(called.method, end != before)
        # What another operation does is that operation's rule; what a setter gets is this one's.
        self.gets.is_set = assigned or (self.gets.is_set and self._sets_given(called))
        return end

    def _sets_given(self, called: CalledMethod) -> bool:
        return bool(find_given_states(called.method, self.is_field, self._subject.methods))

    def _resolve(self, value: ast.expr) -> ast.expr:
        return self._given.get(value.id, value) if isinstance(value, ast.Name) else value

    def _follow_try(self, node: ast.Try, before: Possible) -> Possible:
        left, self._returned = self._returned, NOWHERE
        broken = self._held.copy()
        broken.interrupt(node.body, self._resolve)
        mark = self._waiting.mark()
        end, raised = self._follow_tried(node, before)
        outer = self._interrupted
        self._interrupted = outer.open_block(has_end=bool(node.finalbody))
        end = tried = self.follow(node.orelse, end)
        waiting = self._waiting.set_aside(mark)  # not all of them where an error comes
        doubted = self._narrowing.is_doubtful
        for handler in node.handlers:
            held, self._held = self._held, broken.copy()
            caught = self.follow(handler.body, raised)
            broken.interrupt(handler.body, self._resolve)
            self._held = join_held(held, self._held, end, caught)
            end = join_states(end, caught)
        raised = join_states(raised, self._interrupted.states)
        outer.add(self._interrupted.states)
        self._interrupted = outer
        self._waiting.bring_back(waiting, tried)
        returned, self._returned = self._returned, left
        broken.interrupt(node.orelse, self._resolve)
        broken.join(self._held)
        ends: dict[Possible, Possible] = {}
        for states in dict.fromkeys((raised, returned, end)) if node.finalbody else ():
            self._narrowing.is_doubtful = doubted
            self._held = broken.copy()
            ends[states] = self.follow(node.finalbody, states)
        returned, end = ends.get(returned, returned), ends.get(end, end)
        self._returned = join_states(self._returned, returned)
        return end

    def _follow_tried(
        self, node: ast.Try | ast.With | ast.AsyncWith, before: Possible
    ) -> tuple[Possible, Possible]:
        """The possible states behind a body, and where an error may have interrupted it."""
        outer, self._interrupted = self._interrupted, Interruptions()
        end = self.follow(node.body, before)
        raised = self._interrupted.list_raised(before, end)
        self._interrupted = outer
        if not may_catch_all(node):
            outer.add(raised)
        return end, raised

    def _follow_with(self, node: ast.With | ast.AsyncWith, before: Possible) -> Possible:
        context = find_context(node, self._subject)
        if context is not None and len(self._called) < _DEEPEST:
            self.begun[context.call] = join_states(self.begun.get(context.call, NOWHERE), before)
            self._called.append("")
            end = self.follow(context.open_body(node.body), before)
            self._called.pop()
            return end
        self._held.drop(*(each.optional_vars for each in node.items))
        if not swallows_errors(node):
            return self.follow(node.body, before)
        end, raised = self._follow_tried(node, before)
        self._held.forget()
        return join_states(end, raised)

    def _follow_match(self, node: ast.Match, before: Possible) -> Possible:
        """Each case with the states that it names, in their order."""
        end, is_asked = NOWHERE, self._asked.is_field(node.subject)
        self._held.forget()
        for case in node.cases:
            if before == NOWHERE:
                break
            named = self._asked.read_pattern(case.pattern) if is_asked else None
            entered = before if named is None else keep_states(before, named)
            if case.guard is not None:
                entered = self._narrowing.narrow_states(case.guard, entered, True)
            elif named is not None:
                before = self._narrowing.exclude_states(before, named)
            elif isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None:
                before = NOWHERE
            end = join_states(end, self.follow(case.body, entered))
            self._held.forget()
        return join_states(end, before)
