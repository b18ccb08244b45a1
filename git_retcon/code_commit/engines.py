"""The engines, which answer prompts: Claude, or a person who brings an answer from anywhere."""

from dataclasses import field

from git_retcon.code_commit.loop import RawAnswer
from git_retcon.code_commit.prompts import Prompt
from git_retcon.errors import Reason, Refused
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.client import Completer
from git_retcon.model.failures import WindowExceeded
from git_retcon.model.messages import Request, StopReason, user

_LONGEST_ANSWER = 64_000  # tokens


class PastedAnswer:
    """Gives one answer of a person (``--response``), then none: the next run brings another."""

    name = "offline"

    def __init__(self, answer: bytes | None = None) -> None:
        self._answer = answer

    def take(self) -> bytes | None:
        """The answer, once."""
        answer, self._answer = self._answer, None
        return answer

    def answer(self, prompt: Prompt) -> RawAnswer | None:
        answer = self.take()
        return None if answer is None else RawAnswer(answer)


@dataclass(frozen=True)
class Claude:
    """Asks a model once for each prompt."""

    client: Completer
    model: str
    name: str = field(default="claude", init=False)

    def answer(self, prompt: Prompt) -> RawAnswer | None:
        """Raises Refused where the model declines or the prompt is too long for it."""
        request = Request(
            model=self.model,
            system=prompt.system,
            messages=(user(prompt.parts.decode("utf-8", "replace")),),
            max_output_tokens=_LONGEST_ANSWER,
        )
        try:
            reply = self.client.complete(request)
        except WindowExceeded:
            raise _refuse_length() from None
        if reply.stop is StopReason.REFUSAL:
            reason = f" ({reply.detail})" if reply.detail else ""
            raise Refused(
                f"the model declined to answer{reason}",
                hint="change the query ('git code-commit --abort' ends this one), or bring an "
                "answer from elsewhere with --response",
                reason=Reason.DECLINED,
                commands=[
                    ["git", "code-commit", "--response", "-"],
                    ["git", "code-commit", "--abort"],
                ],
            )
        if reply.stop is StopReason.WINDOW_EXCEEDED:
            raise _refuse_length()
        text = reply.text.encode("utf-8", "surrogatepass")
        return RawAnswer(text, is_cut_off=reply.stop is StopReason.MAX_TOKENS)


def _refuse_length() -> Refused:
    return Refused(
        "the prompt is too long for the model",
        hint="make a smaller rollup: 'git code-commit rollup PATH...'",
        reason=Reason.INVALID,
    )
