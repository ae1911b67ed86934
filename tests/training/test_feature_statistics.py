"""The command that makes the published means and deviations of features."""

import json

import numpy as np
import pytest

from prico_env.feature_scaling import STATISTICS_FILE, feature_statistics, shared_name
from prico_env.observation_layout import layout_for
from prico_env.ruleset import every_rule_set
from prico_env.vocabulary import MAX_PLAYERS
from prico_training import feature_statistics as command
from prico_training.feature_statistics import Moments, measure, play, publish

FEW = every_rule_set()[4::40]
"""A base game and three with expansions."""


@pytest.fixture(scope="module")
def sample() -> Moments:
    moments, _ = measure(every_rule_set()[::9], 1, seed=5)
    return moments


def test_a_few_other_games_have_about_the_published_statistics(sample: Moments) -> None:
    published = feature_statistics().moments
    found = sample.rows()
    assert found.keys() == published.keys()
    means, deviations = (np.array(part) for part in zip(*published.values(), strict=True))
    others, spreads = (np.array([found[n] for n in published]).T)[:2]
    varied = deviations > 0.1
    away = np.abs(others - means)[varied] / deviations[varied]
    assert np.median(away) < 0.1
    assert np.quantile(away, 0.95) < 0.6
    assert np.median(np.abs(spreads - deviations)[varied] / deviations[varied]) < 0.2


def test_the_same_command_writes_the_same_file_bit_for_bit(tmp_path) -> None:
    for name in "ab":
        publish(tmp_path / name, FEW, 1, seed=3)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    publish(tmp_path / "c", FEW, 1, seed=4)
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


def test_the_published_file_says_what_it_was_made_from() -> None:
    page = json.loads(STATISTICS_FILE.read_text())
    origin = page["origin"]
    assert page["version"] == command.VERSION
    assert origin["players"] == list(command.PLAYERS)
    assert origin["seed"] == command.SEED
    assert origin["rule_sets"] == len(every_rule_set()) == 144
    assert origin["games"] == 2 * 132 * command.GAMES_OF_EACH
    assert origin["decisions"] > 200 * origin["games"]


def test_means_and_deviations_are_those_of_the_decisions_that_were_counted() -> None:
    rules = FEW[0]
    seen = play(rules, 2, seed=9)
    moments = Moments()
    moments.add(rules, seen[:100])
    moments.add(rules, seen[100:])
    rows = moments.rows()
    coins = rules.observation.feature_names.index("self.coins")
    assert rows["self.coins"] == pytest.approx((seen[:, coins].mean(), seen[:, coins].std()), 1e-4)
    others = [
        number
        for number, name in enumerate(rules.observation.feature_names)
        if shared_name(name) == "others.vp"
    ]
    assert len(others) == rules.players - 1
    assert rows["others.vp"] == pytest.approx((seen[:, others].mean(), seen[:, others].std()), 1e-4)


def test_the_file_has_a_line_for_each_feature_in_the_order_of_the_largest_layout() -> None:
    names = layout_for(MAX_PLAYERS, with_expansions=True).feature_names
    lines = [line for line in STATISTICS_FILE.read_text().splitlines() if line.startswith('  "')]
    features = [line.split('"')[1] for line in lines][-len(feature_statistics().moments) :]
    assert features == list(dict.fromkeys(map(shared_name, names)))
