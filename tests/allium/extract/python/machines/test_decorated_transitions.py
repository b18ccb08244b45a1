"""Transitions that decorate methods, as django-fsm has them."""

from tests.allium.extract.declared import declare_python


def test_decorators_of_django_fsm_are_rules_and_the_whole_graph() -> None:
    source = """
from django.db import models
from django_fsm import FSMField, transition

class Post(models.Model):
    state = FSMField(default="draft")

    @transition(field=state, source="draft", target="live")
    def publish(self): ...

    @transition(field=state, source=["draft", "live"], target="gone")
    def drop(self): ...
"""
    assert (
        declare_python(source)
        == """\
entity Post {
    state: draft | live | gone

    transitions state {
        draft -> live
        draft -> gone
        live -> gone
        terminal: gone
    }
}

rule PostPublish {
    when: PublishPost(post)
    requires: post.state = draft
    ensures: post.state = live
}

rule PostDrop {
    when: DropPost(post)
    requires: post.state in {draft, live}
    ensures: post.state = gone
}"""
    )


def test_states_from_elsewhere_have_the_names_of_their_constants_and_callers_are_rules() -> None:
    told = declare_python("""
from django.db import models
from django_fsm import FSMField, transition
from . import states

class Post(models.Model):
    state = FSMField(default=states.DRAFT, choices=states.ALL)

    @transition(field=state, source=states.DRAFT, target=states.LIVE)
    def _go_live(self): ...

    def publish(self, user):
        self._go_live()
        self.save()
""")
    assert "    state: draft | live\n" in told
    assert """
rule PostPublish {
    when: PublishPost(post)
    requires: post.state = draft
    ensures: post.state = live
}""" in told  # fmt: skip


def test_a_projects_own_decorator_around_django_fsm_is_a_transition_too() -> None:
    found = declare_python("""
from django.db import models
from django_fsm import FSMField
from .locks import locked_transition

class Payment(models.Model):
    class States:
        Waiting = "waiting"
        Settled = "settled"

        @classmethod
        def list_all(cls):
            return ()

    state = FSMField(default=States.Waiting, choices=States.list_all())

    @locked_transition(field=state, source=States.Waiting, target=States.Settled)
    def settle(self):
        pass
""")
    assert "enum PaymentStates { waiting | settled }\n" in found
    assert "    state: PaymentStates\n" in found
    assert "        waiting -> settled\n" in found
    assert "rule PaymentSettle" in found


MODEL = """
from django.db import models
from django_fsm import GET_STATE, RETURN_VALUE, FSMField, FSMKeyField, transition

class Post(models.Model):
    state = FSMField(default="new")

    @transition(field=state, source="new", target="open")
    def begin(self): ...

"""


def list_edges(told: str) -> list[str]:
    return [line.strip() for line in told.split("\n") if "->" in line]


def test_a_target_may_be_one_of_some() -> None:
    told = declare_python(
        MODEL
        + """
    @transition(field=state, source="open", target=RETURN_VALUE("live", "gone"))
    def review(self): ...

    @transition(field=state, source="live", target=GET_STATE(choose, states=["open", "gone"]))
    def check(self): ...
"""
    )
    assert list_edges(told) == [
        "new -> open", "open -> live", "open -> gone", "live -> open", "live -> gone",
    ]  # fmt: skip
    assert "    requires: post.state = open\n    ensures: post.state in {live, gone}\n" in told


def test_a_target_that_nobody_knows_leaves_the_states_open() -> None:
    told = declare_python(
        MODEL
        + """
    @transition(field=state, source="open", target=RETURN_VALUE())
    def review(self): ...
"""
    )
    assert "    state: String\n" in told
    assert "rule PostReview" not in told


def test_any_other_state_is_refused_where_it_is_that_already_and_an_error_has_a_state() -> None:
    told = declare_python(
        MODEL
        + """
    @transition(field=state, source="+", target="gone", on_error="broken")
    def drop(self): ...
"""
    )
    assert "    requires: post.state != gone\n    ensures: post.state = gone\n" in told
    assert list_edges(told) == [
        "new -> open", "new -> gone", "new -> broken", "open -> gone", "open -> broken",
        "gone -> broken", "broken -> gone",
    ]  # fmt: skip


def test_a_transition_without_a_target_only_refuses() -> None:
    told = declare_python(
        MODEL
        + """
    @transition(field=state, source="open", target=None)
    def check(self): ...
"""
    )
    assert told.endswith("""
rule PostCheck {
    when: CheckPost(post)
    requires: post.state = open
}""")
    assert list_edges(told) == ["new -> open"]


def test_several_transitions_of_a_method_are_one_rule() -> None:
    told = declare_python(
        MODEL
        + """
    @transition(field=state, source="new", target="open")
    @transition(field=state, source="open", target="live")
    def go_on(self): ...
"""
    )
    assert told.endswith("""
rule PostGoOn {
    when: GoOnPost(post)
    requires: post.state in {new, open}
    ensures:
        if post.state = new: post.state = open
        else if post.state = open: post.state = live
}""")


def test_keys_of_rows_are_states_too_and_sources_may_have_a_name() -> None:
    told = declare_python(
        MODEL.replace("FSMField(", "FSMKeyField(Row, ").partition("    @")[0]
        + """
    OPEN = ("open", "live")

    @transition(field=state, source=OPEN, target="gone")
    def drop(self): ...
"""
    )
    assert "    state: open | gone | live\n" in told
    assert "    requires: post.state in {open, live}\n" in told


def test_a_condition_without_a_source_may_say_from_where_so_that_nothing_is_claimed() -> None:
    source = """
from django.db import models
from django_fsm import FSMField, transition

class Post(models.Model):
    state = FSMField(default="draft", choices=[("draft", "d"), ("live", "l"), ("gone", "g")])

    @transition(field=state, source="draft", target="live")
    def publish(self): ...

    @transition(field=state, target="gone", conditions=[lambda self: self.may_be_dropped])
    def drop(self): ...
"""
    declared = declare_python(source)
    assert "        draft -> live\n" not in declared  # where all that moves it is not known
    assert "requires: post.state = draft\n" in declared
    assert "DropPost" not in declared
    unconditional = declare_python(
        source.replace(", conditions=[lambda self: self.may_be_dropped]", "")
    )
    assert "        live -> gone\n" in unconditional


def test_members_of_choices_go_by_what_is_stored_and_a_list_of_targets_is_one_of_them() -> None:
    told = declare_python("""
from django.db import models
from django_fsm import FSMField, transition
from model_utils import Choices

class Visit(models.Model):
    DRAFT = "draft"
    ACCEPTED = "visit_accepted"
    STATUSES = Choices((DRAFT, "Draft"), (ACCEPTED, "Accepted"), ("closed", "Closed"))
    status = FSMField(choices=STATUSES, default=STATUSES.draft)

    @transition(status, source=[STATUSES.draft], target=[STATUSES.visit_accepted])
    def accept(self): ...

    @transition(status, source=STATUSES.visit_accepted, target=["closed", DRAFT])
    def review(self): ...
""")
    assert list_edges(told) == [
        "draft -> visit_accepted", "visit_accepted -> draft", "visit_accepted -> closed",
    ]  # fmt: skip
    assert "    ensures: visit.status = visit_accepted\n" in told
    assert "    ensures: visit.status in {closed, draft}\n" in told


def test_what_any_other_object_has_by_the_name_of_a_state_is_none() -> None:
    told = declare_python("""
from django.db import models
from model_utils import Choices

class Visit(models.Model):
    STATUSES = Choices("draft", "closed")
    status = models.CharField(choices=STATUSES, default=STATUSES.draft)

    def close(self):
        self.status = self.STATUSES.closed

    def reset(self, labels):
        self.status = labels.draft
""")
    assert "rule VisitClose" in told
    assert "ensures: visit.status = draft" not in told
