"""A builder whose verdicts count: its command is known to work in the sandbox, or may leave it."""

from dataclasses import replace

from git_retcon.code_commit import events
from git_retcon.code_commit.building import Builder
from git_retcon.code_commit.events import Listener
from git_retcon.code_commit.session import Session
from git_retcon.errors import Refused
from git_retcon.run.sandbox.level import Level, Policy, choose
from git_retcon.show.question import Asker


def fitting(
    builder: Builder, session: Session | None, policy: Policy, ask: Asker, tell: Listener
) -> Builder:
    """The builder, or the same without a sandbox where somebody agreed to that.

    Tried once a session, on the user's own tree: with an answer in it, a failure says nothing
    about the sandbox. What was agreed to counts for the whole session. Raises Refused where the
    build does not work inside and has to.
    """
    if builder.sandbox.level is Level.NONE:
        return builder
    if session is not None and session.unconfined == builder.command:
        if policy is Policy.REQUIRE:
            raise Refused(
                f"'{builder.command}' cannot be sandboxed, and a sandbox is required",
                hint="leave out '--sandbox=require', or build with another command",
            )
        tell(events.Warned(f"'{builder.command}' runs without a sandbox, as was agreed to"))
        return _unconfined(builder)
    if session is not None and (session.latest or session.build == builder.command):
        return builder
    found = builder.fits(lambda: tell(events.Trying(builder.command)))
    if found is None:
        return builder
    if policy is Policy.REQUIRE or not ask(f"{found.message}; run it without the sandbox?"):
        raise found.refusal()
    tell(events.Warned(f"{found.message}; it runs without"))
    return _unconfined(builder)


def _unconfined(builder: Builder) -> Builder:
    return replace(builder, sandbox=choose(Policy.OFF))
