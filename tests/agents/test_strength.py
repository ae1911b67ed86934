"""How well the built-in agents play, with seeds fixed."""

import itertools

import pytest

from prico_env import RuleSet
from training.evaluate import Contestant, play_match


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["classic", "1897-en", "1897-de"])
def test_the_merchant_beats_random_in_nine_of_ten_games_of_four(edition):
    match = play_match(
        RuleSet(players=4, edition=edition),
        Contestant.of("merchant"),
        Contestant.of("random"),
        25,
        1,
    )
    assert match.wins.mean() >= 0.9


@pytest.mark.parametrize(
    ("edition", "players"), list(itertools.product(["classic", "1897-en", "1897-de"], [2, 3, 4, 5]))
)
def test_the_merchant_beats_random_at_every_table(edition, players):
    match = play_match(
        RuleSet(players=players, edition=edition),
        Contestant.of("merchant"),
        Contestant.of("random"),
        2,
        1,
    )
    assert match.wins.mean() >= 0.7


def test_the_merchant_buys_something_and_ships_something():
    match = play_match(RuleSet(players=4), Contestant.of("merchant"), Contestant.of("random"), 2, 5)
    assert match.scores.mean() > 40
