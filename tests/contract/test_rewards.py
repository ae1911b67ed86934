"""What a game pays: the figures that the page on rewards states, worked out anew."""

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from prico_agents import load_agent
from prico_agents.compiled import play_games
from prico_env import Game, RuleSet
from prico_env.vocabulary import Outcome

PAGE = Path(__file__).parents[2] / "docs" / "rewards.md"
DEALS = 1000
of_every_number_of_players = pytest.mark.parametrize("players", [2, 3, 4, 5])


def row_of(players: int) -> list[str]:
    """The cells of the page's table for so many players, but for their number."""
    found = re.search(rf"^\| {players} \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert found
    return found[1].split(" | ")


def all_rewards(players: int, scheme: str) -> dict[tuple[int, ...], np.ndarray]:
    """What is paid for every order of the seats that there is, ties among them, by their scores."""
    game = Game(RuleSet(players=players), seed=1)
    state = game.state[0]
    state["outcome"] = Outcome.FINISHED  # coins and goods are equal: points alone decide
    paid = {}
    for points in product(range(players), repeat=players):
        state["vp"][:players] = points
        paid[points] = game.rewards(scheme)
    return paid


@of_every_number_of_players
def test_the_win_is_shared_and_sums_to_nothing(players: int) -> None:
    rewards = np.array(list(all_rewards(players, "win").values()))
    assert rewards.sum(axis=1) == pytest.approx(0)
    cells = row_of(players)
    assert cells[:2] == [f"{rewards.min():.3f} to {rewards.max():.3f}", "0"]


@of_every_number_of_players
def test_ranks_are_paid_evenly_and_ties_share_what_their_places_get(players: int) -> None:
    paid = all_rewards(players, "rank")
    assert np.array(list(paid.values())).sum(axis=1) == pytest.approx(0)
    without_ties = paid[tuple(reversed(range(players)))]
    values, total = row_of(players)[2:4]
    assert [float(Fraction(value)) for value in values.split(", ")] == pytest.approx(without_ties)
    assert total == "0"
    assert paid[(1,) * players] == pytest.approx(0)


@of_every_number_of_players
def test_margins_sum_to_what_the_third_and_later_lack_to_the_first(players: int) -> None:
    for points, paid in all_rewards(players, "margin").items():
        ordered = sorted(points, reverse=True)
        lacking = sum(ordered[0] - score for score in ordered[2:])
        assert paid.sum() == pytest.approx(-lacking / 100)


@of_every_number_of_players
def test_the_page_states_the_margins_of_a_thousand_games(players: int) -> None:
    deals = np.arange(DEALS)
    player_seeds = np.arange(DEALS * players).reshape(DEALS, players)
    line_up = [load_agent("corn")] * players
    scores = play_games(RuleSet(players=players), line_up, deals, player_seeds).games.scores()
    margins = np.array(
        [
            [row[seat] - max(np.delete(row, seat)) for seat in range(players)]
            for row in scores.astype(int)
        ]
    )
    low, high, total = margins.min() / 100, margins.max() / 100, margins.sum(axis=1).mean() / 100
    assert row_of(players)[4:] == [f"{low:.2f} to {high:.2f}", f"{total:.3f}"]
