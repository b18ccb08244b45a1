"""The text that tools printed, fit to be read by line: no colours, no carriage returns."""

from git_retcon.code.lazy_pattern import LazyPattern

# What a build prints beyond this names nothing new; the head and the tail are kept.
_MOST_BYTES = 2 * 1024 * 1024
# A longer line is data, not a message; the cut also bounds what a regular expression can cost.
_LONGEST_LINE = 1000

_CONTROL = LazyPattern(
    r"\x1b\[[0-9;:?<=>]{0,40}[ -/]{0,4}[@-~]"
    r"|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)"
    r"|\x1b[@-Z\\^_]"
)


def split_output(output: bytes) -> list[str]:
    """The lines of what was printed. Bytes that are no UTF-8 survive as lone surrogates."""
    if len(output) > _MOST_BYTES:
        half = _MOST_BYTES // 2
        output = output[:half] + b"\n" + output[-half:]
    text = output.decode("utf-8", "surrogateescape")
    if "\x1b" in text:
        text = _CONTROL.sub("", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return [line[:_LONGEST_LINE] for line in text.split("\n")]
