"""The weights that ship fit the features that are computed."""

from git_retcon.retcon.planner import (
    classifier,
    confidence,
    evidence,
    features,
    hint_features,
)
from git_retcon.retcon.planner.facts import TRAITS
from git_retcon.retcon.planner.weights import fitted_model


def test_every_feature_has_a_weight() -> None:
    fitted = fitted_model()
    for own in (fitted.plain, fitted.hinted):
        assert len(own.words) == len(features.FEATURES)
        assert len(own.hints) == len(hint_features.FEATURES)
        assert len(own.priors) == len(classifier.COMMIT_TRAITS)
        assert {len(line) for line in own.priors} == {len(TRAITS)}
    assert len(fitted.history) == len(evidence.FEATURES)


def test_confidence_rises_with_probability() -> None:
    squashed, own, answered = fitted_model().confidence
    assert len(squashed) == len(confidence.SQUASHED)
    assert len(own) == len(answered) == len(confidence.FEATURES)
    assert min(own[0], answered[0]) > 0  # log odds
    line = confidence.rate_atoms([(odds, 1.0, 1.0) for odds in range(-14, 15)], squashed)
    assert line == sorted(line)
    assert line[0] < 0.2
    assert line[-1] > 0.8
