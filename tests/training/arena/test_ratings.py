"""Ratings find the strengths that games were made with, and say when one number is not enough."""

import itertools
import math

import numpy as np
import pytest

from prico_training.arena.game_table import GameTable
from prico_training.arena.ratings import (
    ELO_CENTRE,
    ELO_PER_UNIT,
    Likelihood,
    rate,
    sets_left,
    subsets,
)
from prico_training.arena.statistics import Estimate
from prico_training.arena.transitivity import against_even, check_transitivity
from tests.training.arena.made_games import game, plackett_luce, tables_of

STRENGTH = {"ann": 0.75, "bob": 0.25, "cid": -0.25, "dan": -0.75}
SEATS = (0.4, -0.3, -0.1)


def made_table(strength, deals, seed=0, seat_terms=SEATS, **luck):
    tables = tables_of(strength, len(seat_terms))
    chance = np.random.default_rng(seed)
    return GameTable.of(plackett_luce(strength, tables, deals, chance, seat_terms, **luck))


def duels(outcomes, deals=1):
    """Two-seat games: each outcome names the winner, then the loser."""
    return [
        game([winner, loser][:: 1 - 2 * (deal % 2)], [2, 1][:: 1 - 2 * (deal % 2)], deal, number)
        for deal in range(deals)
        for number, (winner, loser) in enumerate(outcomes)
    ]


# -- the likelihood --------------------------------------------------------------------------------


def test_sets_of_seats_are_numbered_by_their_bits():
    assert subsets(2).tolist() == [[1, 0], [0, 1], [1, 1]]


def test_without_ties_each_place_leaves_one_set():
    # All three; then seats 0 and 2, when seat 1 is placed first; then seat 0, which is last.
    left = dict(enumerate(sets_left([3, 1, 2]), start=1))
    assert {bits for bits, times in left.items() if times} == {0b111, 0b101, 0b001}


def test_seats_that_tie_are_taken_in_every_order():
    # Seats 0 and 1 share the first place: all; then {1, 2} or {0, 2}, each half; then {2}.
    left = dict(enumerate(sets_left([1, 1, 3]), start=1))
    assert {bits: times for bits, times in left.items() if times} == {
        0b111: 1,
        0b110: 0.5,
        0b101: 0.5,
        0b100: 1,
    }


def test_the_likelihood_is_that_of_plackett_and_luce():
    # Ann, Bob, Cid with strengths 3, 2, 1 come in in this order with a chance of 3/6 * 2/3.
    table = GameTable.of([game(["ann", "bob", "cid"], [30, 20, 10])])
    likelihood = Likelihood(table, np.array([0]))
    terms = np.array([*np.log([3, 2, 1]), 0, 0, 0])
    value, _ = likelihood.log_likelihood(terms, likelihood.counts())
    assert value == pytest.approx(math.log(3 / 6 * 2 / 3))


def test_a_tie_has_the_mean_of_its_orders():
    # First ann, bob: 3/6 * 2/3; first bob, ann: 2/6 * 3/4.
    table = GameTable.of([game(["ann", "bob", "cid"], [30, 30, 10])])
    likelihood = Likelihood(table, np.array([0]))
    terms = np.array([*np.log([3, 2, 1]), 0, 0, 0])
    value, _ = likelihood.log_likelihood(terms, likelihood.counts())
    assert value == pytest.approx((math.log(3 / 6 * 2 / 3) + math.log(2 / 6 * 3 / 4)) / 2)


def test_the_gradient_is_exact():
    table = made_table(STRENGTH, deals=2, ties=0.3)
    likelihood = Likelihood(table, np.arange(table.games))
    counts = likelihood.counts()
    terms = np.random.default_rng(1).normal(size=7)
    _, gradient = likelihood.log_likelihood(terms, counts)
    for number, step in enumerate(1e-5 * np.eye(7)):
        above, _ = likelihood.log_likelihood(terms + step, counts)
        below, _ = likelihood.log_likelihood(terms - step, counts)
        assert gradient[number] == pytest.approx((above - below) / 2e-5, abs=1e-4)


# -- ratings ---------------------------------------------------------------------------------------


def test_three_wins_in_four_are_odds_of_three():
    # 300 of 400 games, seats in turn: log odds of log(3), half of it either way from the mean.
    games = duels([("ann", "bob")] * 3 + [("bob", "ann")], deals=100)
    ratings = rate(GameTable.of(games))
    assert [line.agent for line in ratings.agents] == ["ann", "bob"]
    assert ratings.of("ann").log_strength.mean == pytest.approx(math.log(3) / 2, abs=0.002)
    assert ratings.of("ann").elo.mean == pytest.approx(
        ELO_CENTRE + ELO_PER_UNIT * math.log(3) / 2, abs=0.4
    )
    assert ratings.win_rate_alone("ann", "bob") == pytest.approx(0.75, abs=0.001)


def test_strengths_and_seats_are_found():
    ratings = rate(made_table(STRENGTH, deals=60))
    for line in ratings.agents:
        assert line.log_strength.mean == pytest.approx(STRENGTH[line.agent], abs=0.12)
        assert line.bound == ""
    for term in ratings.seats:
        assert term.log_strength.mean == pytest.approx(SEATS[term.seat], abs=0.1)
    assert sum(term.win_rate.mean for term in ratings.seats) == pytest.approx(1)
    assert [line.best_place for line in ratings.agents] == [1, 2, 3, 4]


def test_ratings_do_not_depend_on_the_order_of_the_games():
    tables = tables_of(STRENGTH, 3)
    games = plackett_luce(STRENGTH, tables, 5, np.random.default_rng(2), SEATS)
    shuffled = [games[row] for row in np.random.default_rng(3).permutation(len(games))]
    assert rate(GameTable.of(games)) == rate(GameTable.of(shuffled))


def test_intervals_of_ratings_hold_the_truth_as_often_as_they_say():
    strength = {"ann": 0.5, "bob": 0.0, "cid": -0.5}
    tables = tables_of(strength, 2)
    held = []
    for seed in range(50):
        chance = np.random.default_rng(seed)
        games = plackett_luce(strength, tables, 12, chance, (0.2, -0.2))
        ratings = rate(GameTable.of(games), resamples=40, seed=seed)
        held += [line.log_strength.contains(strength[line.agent]) for line in ratings.agents]
        held += [term.log_strength.contains((0.2, -0.2)[term.seat]) for term in ratings.seats]
    assert 0.91 <= np.mean(held) <= 0.99


def test_those_who_always_tie_are_equal():
    games = [
        game(table, [30, 30], deal, number)
        for deal in range(3)
        for number, table in enumerate((["ann", "bob"], ["bob", "ann"]))
    ]
    ratings = rate(GameTable.of(games))
    assert ratings.of("ann").log_strength.mean == pytest.approx(0, abs=1e-6)
    assert [term.win_rate.mean for term in ratings.seats] == pytest.approx([0.5, 0.5])


def test_an_agent_that_always_loses_is_bounded_only():
    outcomes = [("ann", "bob"), ("bob", "ann"), ("ann", "cid"), ("bob", "cid")]
    ratings = rate(GameTable.of(duels(outcomes, deals=10)))
    assert ratings.of("cid").bound == "at most"
    assert ratings.of("ann").bound == ratings.of("bob").bound == ""
    # The scale is centred on those whose distance is known.
    assert ratings.of("ann").log_strength.mean + ratings.of(
        "bob"
    ).log_strength.mean == pytest.approx(0, abs=1e-6)


def test_agents_that_never_met_the_others_are_not_placed_among_them():
    outcomes = [("ann", "bob"), ("bob", "ann"), ("ann", "bob")]
    outcomes += [("cid", "ann"), ("ann", "cid"), ("eve", "fay"), ("fay", "eve")]
    ratings = rate(GameTable.of(duels(outcomes, deals=4)))
    assert ratings.of("eve").bound == ratings.of("fay").bound == "unknown"
    assert ratings.of("cid").bound == ""


def test_one_deal_gives_ratings_without_intervals():
    ratings = rate(GameTable.of(duels([("ann", "bob")] * 3 + [("bob", "ann")])))
    assert not ratings.of("ann").elo.has_interval
    assert ratings.agents[0].p_above_next is None


def test_games_without_a_winner_rate_nobody():
    cut = game(["ann", "bob"], [9, 9], outcome="truncated", wins=[0, 0])
    assert rate(GameTable.of([cut])) is None


def test_a_forfeit_is_a_lost_game():
    lost = game(["ann", "bob"], [40, 10], outcome="broken", wins=[0, 1], places=[2, 1])
    won = game(["bob", "ann"], [40, 10], line_up=1)
    ratings = rate(GameTable.of([lost, won]))
    assert ratings.agents[0].agent == "bob"
    assert ratings.games == 2


# -- who beats whom --------------------------------------------------------------------------------


def test_being_ahead_counts_every_pair_of_seats_of_a_game_together():
    # Ann first, and between two Bobs, and behind both: 1, 1/2 and 0.
    scores = ([30, 20, 10], [20, 30, 10], [10, 20, 30])
    table = GameTable.of([game(["ann", "bob", "bob"], s, deal) for deal, s in enumerate(scores)])
    (duel,) = check_transitivity(table).head_to_head
    assert duel.ahead.mean == pytest.approx(0.5)
    assert (duel.ahead.count, duel.ahead.deals) == (3, 3)
    assert duel.p_value == pytest.approx(1)


def test_a_share_is_held_against_one_half():
    # 64 of 100 independent games are 2.8 standard errors of 0.05 above one half: with 99 degrees
    # of freedom that has a two-sided chance of 0.0061.
    estimate = Estimate(0.64, 0.5, 0.7, standard_error=0.048, count=100, deals=100)
    assert against_even(estimate) == pytest.approx(0.0061, abs=1e-4)
    assert against_even(Estimate(1.0, count=4, deals=1)) == 1


def test_rock_paper_scissors_is_found():
    chance = np.random.default_rng(4)
    beats = [("paper", "rock"), ("rock", "scissors"), ("scissors", "paper")]
    games = []
    for deal, (number, (winner, loser)) in itertools.product(range(60), enumerate(beats)):
        scores = [20, 10] if chance.random() < 0.75 else [10, 20]
        games.append(game([winner, loser], scores, deal, number))
    found = check_transitivity(GameTable.of(games))
    (cycle,) = found.cycles
    assert cycle.agents == ("paper", "rock", "scissors")
    assert cycle.p_value < 0.05
    assert cycle.bootstrap_support > 0.95
    assert found.bradley_terry.p_value < 0.001
    assert found.bradley_terry.explained_deviance < 0.2
    assert found.bradley_terry.max_residual > 0.15


def test_an_order_is_no_circle():
    found = check_transitivity(made_table(STRENGTH, deals=12))
    assert found.complete
    assert found.cycles == ()
    assert found.bradley_terry.explained_deviance > 0.95
    assert found.bradley_terry.degrees_of_freedom == 3  # six pairs, and three distances


def test_equals_seldom_look_like_a_circle():
    equals = dict.fromkeys(STRENGTH, 0.0)
    alarms = residuals = 0
    for seed in range(30):
        found = check_transitivity(made_table(equals, deals=8, seed=seed, luck=0.3))
        alarms += any(cycle.p_value < 0.05 for cycle in found.cycles)
        residuals += found.bradley_terry.p_value < 0.05
    assert alarms <= 2
    assert residuals <= 5  # 5 % of 30 are 1.5, with a standard deviation of 1.2


def test_a_pair_that_never_met_leaves_circles_open():
    found = check_transitivity(GameTable.of(duels([("ann", "bob"), ("bob", "cid")], deals=4)))
    assert not found.complete
    assert found.cycles == ()
    assert found.bradley_terry is None
