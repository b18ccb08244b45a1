"""Secrets of a public rule set are masked, where its checkout is at hand; it is no part of this.

``$GIT_RETCON_GITLEAKS`` names a checkout of gitleaks/gitleaks.
"""

import os
import random
import re
from pathlib import Path

import pytest

from git_retcon.model.redaction import Redactor
from tests.bench.gitleaks_rules import read_positives, read_text, translate_pattern
from tests.bench.pattern_samples import make_sample
from tests.bench.secrets import is_masked, list_masked, list_texts

_CHECKOUT = os.environ.get("GIT_RETCON_GITLEAKS")


@pytest.mark.skipif(_CHECKOUT is None, reason="no rules are at hand")
@pytest.mark.parametrize("seed", [0, 1])
def test_nineteen_of_twenty_public_positives_are_masked(seed: int) -> None:
    positives, _ = read_positives(Path(_CHECKOUT or ""), seed)
    masked = sum(is_masked(positive, Redactor()) for positive in positives)
    assert len(positives) > 4000
    assert masked >= 0.95 * len(positives)


# A rule as gitleaks generates them, and one by hand.
CONFIG = """\
[[rules]]
id = "example-token"
regex = '''(?i)(?:example)(?:[\\w.-]{0,20})[\\s'"]{0,3}(?:=|:)[\\x60'"\\s=]{0,5}([a-z0-9]{32})'''
[[rules]]
id = "bare"
regex = '''\\b(ex_(?i)[a-z0-9]{8})\\b'''
"""
RULE = """\
package rules

func Example() *config.Rule {
	r := config.Rule{
		RuleID: "example-token",
		Regex: utils.GenerateSemiGenericRegex([]string{"example"}, utils.AlphaNumeric("32"), true),
	}
	// validate
	tps := utils.GenerateSampleSecrets("example", secrets.NewSecret(utils.AlphaNumeric("32")))
	tps = append(tps,
		`exampleKey = "` + secrets.NewSecret("[a-f]{16}") + "0123456789abcdef\\"", // mixed
		"nothing",
	)
	fps := []string{`example = "short"`}
	return utils.Validate(r, tps, fps)
}

func Bare() *config.Rule {
	r := config.Rule{RuleID: "bare"}
	token := "ex_" + secrets.NewSecret("[A-Z][0-9][A-Z]{6}")
	tps := map[string]string{"a.txt": token, "b.txt": other(token)}
	tps = []string{token}
	return utils.Validate(r, tps, nil)
}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "gitleaks.toml").write_text(CONFIG)
    rules = tmp_path / "cmd" / "generate" / "config" / "rules"
    rules.mkdir(parents=True)
    (rules / "example.go").write_text(RULE)
    return tmp_path


def test_positives_are_made_of_what_a_rule_lists(checkout: Path) -> None:
    positives, without = read_positives(checkout)
    assert without == []
    assert {positive.rule for positive in positives} == {"example-token", "bare"}
    for positive in positives:
        secret = positive.text[slice(*positive.secret)]
        assert re.fullmatch("[a-z0-9]{32}|ex_[A-Z][0-9][A-Z]{6}", secret)
    assert len(positives) == 15
    assert read_positives(checkout) == (positives, without)
    assert read_positives(checkout, seed=1) != (positives, without)


def test_a_positive_counts_only_if_nothing_is_left_of_it(checkout: Path) -> None:
    positives, _ = read_positives(checkout)
    (bare,) = (positive for positive in positives if positive.rule == "bare")
    secret = bare.text.encode()
    assert not is_masked(bare, Redactor())
    assert is_masked(bare, Redactor(frozenset({secret})))
    assert not is_masked(bare, Redactor(frozenset({secret[:3]})))


def test_flags_amid_a_pattern_hold_to_the_end_of_their_group() -> None:
    pattern = translate_pattern(r"a(b(?i)c|d)e")
    assert [bool(pattern.fullmatch(text)) for text in ("abCe", "aDe", "aBCe", "abcE")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_texts_of_go_are_read() -> None:
    assert read_text(r'"a\n\x41\u00e9\"\\"') == 'a\nAé"\\'


@pytest.mark.parametrize(
    "pattern", [r"[a-f0-9]{8}-\w{4}", r"(?:ab|cd)+x?", r"[^\W_]{5}\.\d+", r"sk_[\S]{9}"]
)
def test_samples_fit_their_pattern(pattern: str) -> None:
    chance = random.Random(1)
    for _ in range(50):
        assert re.fullmatch(pattern, make_sample(pattern, chance))


def test_masked_parts_are_listed_with_their_places(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text('x = 1\npassword = "Tr0ub4dor&3"\n')
    (folder / "b.bin").write_bytes(b"\0password = 'Tr0ub4dor&3'\n")
    (alarm,) = list_masked(folder, Redactor())
    assert (alarm.path, alarm.line, alarm.masked) == (Path("a.py"), 2, b"Tr0ub4dor&3")
    assert list(list_texts(folder)) == [folder / "a.py"]
