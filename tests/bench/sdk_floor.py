"""What the model's SDK costs alone: as many requests of the same size, and nothing else."""

import os
import resource
import subprocess
import sys
from collections.abc import Mapping

from tests.model.loopback import LoopbackApi, answers

# As ``git_retcon.model.service`` asks: streamed, with the events read raw.
_ASK = """\
import json, sys
import anthropic
requests, size = map(int, sys.argv[1:])
client = anthropic.Anthropic(max_retries=0, open_telemetry=False)
schema = {"type": "object", "properties": {"spec": {"type": "string"}}, "required": ["spec"],
          "additionalProperties": False}
for number in range(requests):
    text = f"{number} " + "a line of some length\\n" * (size // 22)
    with client.messages.create(
        model="claude-sonnet-5-5", max_tokens=32_000, stream=True,
        messages=[{"role": "user", "content": [{"type": "text", "text": text}]}],
        output_config={"format": {"type": "json_schema", "schema": schema}},
    ) as stream:
        for event in anthropic.Stream.raw_events(stream.response):
            if event.data:
                json.loads(event.data)
"""


def measure_sdk(requests: int, size: int) -> float:
    """Processor seconds of a process that imports the SDK and makes so many requests of ``size``
    bytes each.
    """
    api = LoopbackApi()
    api.responder = lambda _: answers({"spec": "entity Order {\n    total: Integer\n}\n" * 5})
    try:
        return _measure([sys.executable, "-c", _ASK, str(requests), str(size)], api.env)
    finally:
        api.close()


def _measure(command: list[str], env: Mapping[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env={**os.environ, **env}, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
