"""What a model sees of a build: its head and tail."""

from git_retcon.retcon.engines.claude.bench import shorten_output


def test_long_output_keeps_its_head_and_tail() -> None:
    text = "".join(f"line {n}\n" for n in range(5000))
    shown = shorten_output(text, 100, 100)
    assert shown.startswith("line 0\n") and shown.endswith("line 4999\n")
    assert "characters left out]\n" in shown
    assert len(shown) < 300
    assert shorten_output("short") == "short"
