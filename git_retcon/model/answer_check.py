"""Reading a final answer, and saying to the model what is wrong with it."""

import json
from collections.abc import Callable
from typing import Any

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.messages import Json, Reply, StopReason
from git_retcon.model.schema import fault_in


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an answer cannot be used."""

    why: str
    cut_off: bool = False

    @property
    def feedback(self) -> str:
        """What to say to the model."""
        return f"Your answer cannot be used: {self.why}. Answer again, with this put right."


def read_answer(
    reply: Reply, schema: Json | None, check: Callable[[Json], str | None]
) -> Json | Fault:
    """The answer as JSON (empty for free text), or its fault. It is hostile input."""
    if reply.stop is StopReason.MAX_TOKENS:
        return Fault("it was longer than the output limit and was cut off", cut_off=True)
    if schema is None:
        return {} if reply.text.strip() else Fault("it is empty")
    answer = _parse_json(reply.text)
    if answer is _NOTHING:
        return Fault("it is not JSON of the shape asked for" if reply.text else "it is empty")
    wrong = fault_in(answer, schema)
    if wrong is None and isinstance(answer, dict):
        wrong = check(answer)
        return answer if wrong is None else Fault(wrong)
    return Fault(wrong or "it is not a JSON object")


_NOTHING = object()


def _parse_json(text: str) -> Any:
    # Words or a fence around the object are a model's habit; asking again would cost a request.
    inner = text[text.find("{") : text.rfind("}") + 1]
    for each in (text, inner):
        try:
            return json.loads(each)
        # Brackets nested thousands deep are no error of the grammar, but of the parser.
        except (ValueError, RecursionError):
            continue
    return _NOTHING
