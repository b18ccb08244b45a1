"""A conversation in which the model may use tools, until it gives its answer.

Turns, output and faults are bounded; the client keeps the budget. A tool's failure, an unknown
tool and a wrong input go to the model as an answer, and are not raised.
"""

from collections.abc import Callable, Sequence
from dataclasses import field

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.answer_check import Fault, read_answer
from git_retcon.model.client import Completer
from git_retcon.model.failures import CutOff, Declined, TurnsSpent, WindowExceeded, WrongShape
from git_retcon.model.messages import (
    Json,
    Message,
    Reply,
    Request,
    StopReason,
    Text,
    ToolDeclaration,
    ToolResult,
    ToolUse,
    Usage,
    user,
)
from git_retcon.model.schema import fault_in

# Each such turn costs a request; who does nothing three times does nothing the fourth time.
_MOST_IDLE = 3


class ToolFault(Exception):
    """A tool could not do what was asked; the message is for the model."""


@dataclass(frozen=True, slots=True)
class Tool:
    """Something the model can have done. ``run`` answers text, or raises ToolFault.

    ``schema`` is a JSON schema of type object; input that does not fit it never reaches ``run``.
    """

    name: str
    description: str
    schema: Json
    run: Callable[[Json], str]

    @property
    def declaration(self) -> ToolDeclaration:
        return ToolDeclaration(self.name, self.description, self.schema)


def _no_fault(answer: Json) -> str | None:
    return None


def _is_never_done() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of a model.

    ``schema`` is the shape of the final answer (None: free text). ``check`` names what is wrong
    with an answer of the right shape, or None. ``done`` is asked after every round of tools, and
    ends the conversation without a final answer. ``max_faults`` final answers may be wrong.
    ``shared`` comes before the prompt: what other conversations begin with, too, so that the
    service's cache holds it. ``earlier`` is a conversation that the prompt goes on with.
    """

    model: str
    system: str
    prompt: str
    tools: tuple[Tool, ...] = ()
    schema: Json | None = None
    check: Callable[[Json], str | None] = _no_fault
    done: Callable[[], bool] = _is_never_done
    max_turns: int = 40
    max_faults: int = 3
    max_output_tokens: int = 16_000
    effort: str | None = None
    shared: str = ""
    earlier: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One round, as a watcher sees it: what the model said, what its calls answered."""

    number: int
    reply: Reply
    results: tuple[ToolResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a conversation ended. ``answer`` is empty for free text or where ``done`` ended it."""

    answer: Json
    text: str
    turns: int
    usage: Usage
    messages: tuple[Message, ...] = field(repr=False)


def _ignore_turn(turn: Turn) -> None:
    pass


def hold_conversation(
    client: Completer, task: Task, watch: Callable[[Turn], None] = _ignore_turn
) -> Outcome:
    """Hold the conversation. ``watch`` sees each turn as it is over.

    Raises NoAnswer (one of its kinds), BudgetSpent or ModelFailure.
    """
    messages = _open_messages(task)
    usage, faults, idle = Usage(), 0, 0
    for number in range(1, task.max_turns + 1):
        reply = client.complete(_make_request(task, messages))
        # Counted before anything can fail: a refused answer is billed too.
        usage += reply.usage
        _raise_if_over(reply)
        messages.append(Message("assistant", reply.blocks))
        idle = idle + 1 if _does_nothing(reply, task.tools) else 0
        if idle >= _MOST_IDLE:
            raise TurnsSpent(f"the model did nothing in {idle} turns, one after another")
        if reply.tool_uses:
            # Every call must have an answer in the next turn, or the service refuses the request.
            results = tuple(_call_tool(task.tools, use, reply.stop) for use in reply.tool_uses)
            messages.append(Message("user", results))
            watch(Turn(number, reply, results))
            if task.done():
                return Outcome({}, reply.text, number, usage, tuple(messages))
            continue
        watch(Turn(number, reply))
        # The service paused a long turn: sent back as it is, it goes on.
        if reply.stop is StopReason.PAUSE_TURN:
            continue
        judged = read_answer(reply, task.schema, task.check)
        if not isinstance(judged, Fault):
            return Outcome(judged, reply.text, number, usage, tuple(messages))
        faults += 1
        if faults >= task.max_faults:
            raise _hopeless_answer(judged, faults)
        messages.append(user(judged.feedback))
    raise TurnsSpent(f"the model had no answer after {task.max_turns} turns")


def _does_nothing(reply: Reply, tools: Sequence[Tool]) -> bool:
    """Whether a turn is a pause, or calls tools only that there are not."""
    if reply.tool_uses:
        return not {use.name for use in reply.tool_uses} & {tool.name for tool in tools}
    return reply.stop is StopReason.PAUSE_TURN


def _open_messages(task: Task) -> list[Message]:
    if not task.earlier:
        shared = (Text(task.shared, cached=True),) if task.shared else ()
        return [Message("user", (*shared, Text(task.prompt)))]
    *before, last = task.earlier
    if last.role == "assistant":
        return [*task.earlier, user(task.prompt)]
    # The results of tools that ended the conversation: a turn of the user's that goes on here.
    return [*before, Message("user", (*last.blocks, Text(task.prompt)))]


def _make_request(task: Task, messages: Sequence[Message]) -> Request:
    return Request(
        model=task.model,
        system=task.system,
        messages=tuple(messages),
        max_output_tokens=task.max_output_tokens,
        tools=tuple(tool.declaration for tool in task.tools),
        schema=task.schema,
        effort=task.effort,
    )


def _raise_if_over(reply: Reply) -> None:
    if reply.stop is StopReason.REFUSAL:
        reason = f" ({reply.detail})" if reply.detail else ""
        raise Declined(f"the model declined to answer{reason}")
    if reply.stop is StopReason.WINDOW_EXCEEDED:
        raise WindowExceeded("the conversation no longer fits into the model's context window")


def _call_tool(tools: Sequence[Tool], use: ToolUse, stop: StopReason) -> ToolResult:
    tool = next((tool for tool in tools if tool.name == use.name), None)
    if tool is None:
        names = ", ".join(tool.name for tool in tools)
        return ToolResult(use.id, f"there is no tool '{use.name}'; there are: {names}", True)
    wrong = use.fault or fault_in(use.input, tool.schema)
    # Half a JSON object looks like a mistake; saying why stops the model from repeating it.
    if wrong and stop is StopReason.MAX_TOKENS:
        wrong = f"{wrong} (your turn was cut off at the output limit; do less in one call)"
    if wrong:
        return ToolResult(use.id, f"nothing was done: {wrong}", True)
    try:
        return ToolResult(use.id, tool.run(use.input))
    except ToolFault as fault:
        return ToolResult(use.id, str(fault), True)


def _hopeless_answer(fault: Fault, faults: int) -> CutOff | WrongShape:
    kind = CutOff if fault.cut_off else WrongShape
    return kind(f"the model's answer was unusable {faults} times: {fault.why}")
