"""Estimates and comparisons: worked out by hand on a few games, and true as often as they say."""

import dataclasses
import math

import numpy as np
import pytest

from prico_training.arena.comparisons import (
    IN_PLACE,
    SAME_TABLE,
    alone,
    block_differences,
    block_win_rates,
    compare,
    compare_all,
    matrix,
    mixed,
)
from prico_training.arena.game_table import GameTable, GameTableError
from prico_training.arena.sample_size import (
    deals_needed,
    deals_to_tell,
    games_needed,
    games_to_tell,
    power_to_tell,
)
from prico_training.arena.statistics import (
    Estimate,
    as_percentage,
    bounded,
    deal_means,
    design_effect,
    holm,
    proportion,
    ratio,
    sign_flip,
    t_quantile,
    wilson,
)
from tests.training.arena.made_games import game, plackett_luce, tables_of

# Ann alone among two Bobs, two deals, each from every seat. Ann's scores: 40, 30, 36; 28, 33, 45.
HAND = [
    game(["ann", "bob", "bob"], [40, 30, 20], deal=0, line_up=0),
    game(["bob", "ann", "bob"], [35, 30, 25], deal=0, line_up=1),
    game(["bob", "bob", "ann"], [30, 30, 36], deal=0, line_up=2),
    game(["ann", "bob", "bob"], [28, 30, 32], deal=1, line_up=0),
    game(["bob", "ann", "bob"], [33, 33, 20], deal=1, line_up=1),
    game(["bob", "bob", "ann"], [20, 25, 45], deal=1, line_up=2),
]
T_1 = 12.706205  # Student's quantile with one degree of freedom


def ann():
    return matrix(GameTable.of(HAND))["ann", "bob"]


# -- one agent, by hand ----------------------------------------------------------------------------


def test_a_shared_victory_counts_half():
    # 1, 0, 1 on the first deal; 0, 1/2, 1 on the second.
    assert ann().win_rate.mean == pytest.approx(3.5 / 6)
    assert (ann().win_rate.count, ann().win_rate.deals) == (6, 2)


def test_the_interval_of_a_share_looks_at_deals():
    # The deals sum to 2 and 1.5, the mean of both is 1.75: z is 0.25 and -0.25, so the variance
    # over deals is 2 / 1 * 0.125 / 36 = 0.25 / 36. Squared distances of the single games from
    # 7 / 12 sum to 29 / 24: the variance of independent games is 29 / 24 / 36. One imagined deal
    # of those beside two real ones: (0.25 + 29 / 24) / 2 / 36 = 35 / 48 / 36. A single game has
    # p (1 - p) = 35 / 144, so this is worth (35 / 144) / (35 / 48 / 36) = 12 games.
    square = T_1**2
    middle = (7 / 12 + square / 24) / (1 + square / 12)
    half = T_1 / (1 + square / 12) * math.sqrt(35 / 144 / 12 + square / (4 * 144))
    assert (ann().win_rate.low, ann().win_rate.high) == pytest.approx(
        (middle - half, middle + half)
    )


def test_the_interval_of_a_score_looks_at_deals():
    # Both deals sum to 106, so deals do not differ. Squared distances of the single scores from
    # 106 / 3 sum to 610 / 3: with one imagined deal of independent games beside, half of 610 / 3
    # over 36 is left as the variance.
    half = T_1 * math.sqrt(610 / 3 / 36 / 2)
    assert ann().score.mean == pytest.approx(106 / 3)
    assert ann().score.high - ann().score.mean == pytest.approx(half)


def test_margins_are_to_the_best_and_to_the_mean_of_the_others():
    # To the best: 10, -5, 6, -4, 0, 20. To the mean: 15, 0, 6, -3, 6.5, 22.5.
    assert ann().margin_best.mean == pytest.approx(27 / 6)
    assert ann().margin_others.mean == pytest.approx(47 / 6)


def test_those_who_tie_share_the_mean_of_their_places():
    # 1, 2, 1, 3, 1.5, 1.
    assert ann().rank.mean == pytest.approx(9.5 / 6)


def test_the_crowd_is_not_measured():
    assert list(matrix(GameTable.of(HAND))) == [("ann", "bob")]
    assert [one.agent for one in alone(GameTable.of(HAND))] == ["ann"]
    assert mixed(GameTable.of(HAND)) == ()


def test_with_two_seats_both_are_alone():
    # Ann wins both games of the first deal and one of the second.
    table = GameTable.of(
        [
            game(["ann", "bob"], [20, 10], deal=0, line_up=0),
            game(["bob", "ann"], [10, 20], deal=0, line_up=1),
            game(["ann", "bob"], [20, 10], deal=1, line_up=0),
            game(["bob", "ann"], [20, 10], deal=1, line_up=1),
        ]
    )
    cells = matrix(table)
    assert cells["ann", "bob"].win_rate.mean == pytest.approx(3 / 4)
    assert cells["bob", "ann"].win_rate.mean == pytest.approx(1 / 4)


def test_the_order_of_the_games_does_not_matter():
    one, other = GameTable.of(HAND), GameTable.of(HAND[::-1])
    assert matrix(one) == matrix(other)
    assert (one.table == other.table).all()


def test_scores_of_games_that_were_cut_off_do_not_count():
    cut = game(["ann", "bob", "bob"], [9, 9, 9], deal=2, outcome="truncated", wins=[0, 0, 0])
    performance = matrix(GameTable.of([*HAND, cut]))["ann", "bob"]
    assert performance.score.mean == pytest.approx(106 / 3)
    assert performance.win_rate.mean == pytest.approx(3.5 / 7)


def test_there_is_no_interval_for_a_single_deal():
    performance = matrix(GameTable.of(HAND[:3]))["ann", "bob"]
    assert performance.win_rate.mean == pytest.approx(2 / 3)
    assert not performance.win_rate.has_interval
    assert as_percentage(performance.win_rate) == "66.7% [too few deals]"
    assert performance.win_rate.to_dict()["low"] is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"table": ["ann", "bob"]}, "same number of seats, not 2, 3"),
        ({"outcome": "lost"}, "game 6 of the results cannot be read"),
        ({"built": [["palace"], [], []]}, "game 6 of the results lacks 'palace'"),
        ({"scores": [1, 2]}, "game 6 of the results cannot be read"),
    ],
)
def test_a_game_that_does_not_fit_is_named(change, words):
    with pytest.raises(GameTableError, match=words):
        GameTable.of([*HAND, HAND[0] | change])


def test_no_games_are_refused():
    with pytest.raises(GameTableError, match="no game"):
        GameTable.of([])


# -- intervals -------------------------------------------------------------------------------------


def test_an_interval_counts_big_deals_for_more():
    # Deals of 1, 2 and 3 games with sums 1, 1, 0: the ratio is 2 / 6, and not the mean of the
    # deals' means. z is 2/3, 1/3, -1: variance 3 / 2 * 14 / 9 / 36; single games: 4 / 3 / 36.
    values, clusters = np.array([1.0, 1, 0, 0, 0, 0]), np.array([0, 1, 1, 2, 2, 2])
    found = ratio(values, clusters)
    assert found.mean == pytest.approx(1 / 3)
    assert found.standard_error == pytest.approx(math.sqrt(3 / 2 * 14 / 9 / 36))


def test_a_ratio_of_sums_has_its_own_weights():
    # 6 seconds over 3 decisions; the deals have 2 and 2 seconds a decision, exactly.
    found = ratio(np.array([2.0, 4.0]), np.array([0, 1]), np.array([1, 2]))
    assert (found.mean, found.standard_error) == (2, 0)


def test_independent_games_have_nearly_the_wilson_interval():
    wins, clusters = np.array([1.0, 0.0] * 50), np.arange(100)
    found = proportion(wins, clusters)
    # The sample variance makes the effective size 99.
    assert (found.low, found.high) == pytest.approx(wilson(0.5, 99, t_quantile(100)))


def test_games_of_one_deal_that_agree_count_as_one():
    wins = np.array([1.0, 0.0] * 20)
    single = proportion(wins, np.arange(40))
    fourfold = proportion(np.repeat(wins, 4), np.repeat(np.arange(40), 4))
    assert (single.low, single.high) == pytest.approx((fourfold.low, fourfold.high))


def test_winning_everything_is_not_certainty():
    found = proportion(np.ones(40), np.repeat(np.arange(10), 4))
    # Each of ten deals counts once: 1 / (1 + t ** 2 / 10) with t = 2.262157.
    assert found.mean == found.high == 1
    assert found.low == pytest.approx(1 / (1 + 2.262157**2 / 10))


def test_sharing_every_victory_is_not_certainty():
    found = proportion(np.full(40, 0.5), np.repeat(np.arange(10), 4))
    assert found.low < 0.3
    assert found.high > 0.7


def test_a_difference_that_all_deals_agree_on_is_not_certain():
    found = bounded(np.ones(6), np.repeat(np.arange(3), 2), -1, 1)
    # A deal of another kind may hide from three with a chance of t ** 2 / (3 + t ** 2) at most;
    # there the difference may be -1.
    hidden = t_quantile(3) ** 2 / (3 + t_quantile(3) ** 2)
    assert (found.low, found.high) == pytest.approx((1 - 2 * hidden, 1))


def test_rotation_that_makes_up_for_luck_narrows_the_interval():
    chance = np.random.default_rng(3)
    seats = np.array([0.9, 0.4, 0.1, 0.0])
    wins = (chance.random((200, 4)) < seats).astype(float).reshape(-1)
    clusters = np.repeat(np.arange(200), 4)
    assert design_effect(wins, clusters) < 0.6
    assert proportion(wins, clusters).half_width < 0.8 * proportion(wins, np.arange(800)).half_width


def made_shares(chance, mean, luck, deals):
    fate = chance.uniform(-luck, luck, (deals, 1))
    sizes = chance.integers(1, 6, deals)
    wins = (chance.random((deals, 5)) < mean + fate).astype(float)
    kept = np.arange(5) < sizes[:, None]
    return wins[kept], np.repeat(np.arange(deals), sizes)


@pytest.mark.parametrize("deals", [6, 40])
@pytest.mark.parametrize(("mean", "luck"), [(0.25, 0.2), (0.6, 0.4), (0.93, 0.05)])
def test_intervals_of_shares_hold_the_truth_as_often_as_they_say(mean, luck, deals):
    chance = np.random.default_rng(1)
    held = [proportion(*made_shares(chance, mean, luck, deals)).contains(mean) for _ in range(400)]
    assert np.mean(held) >= 0.93


def test_intervals_of_scores_hold_the_truth_as_often_as_they_say():
    chance = np.random.default_rng(2)
    held = []
    for _ in range(500):
        scores = 40 + chance.normal(0, 3, (12, 1)) + chance.normal(0, 6, (12, 4))
        held.append(ratio(scores.reshape(-1), np.repeat(np.arange(12), 4)).contains(40))
    assert 0.93 <= np.mean(held) <= 0.97


# -- two candidates --------------------------------------------------------------------------------


def test_candidates_are_compared_in_each_others_place():
    # Deal 0, seat 0, among copies of Cid: Ann wins and Bob does not: 1. Seat 1: both win: 0.
    # Deal 1, seat 0: neither wins: 0. Seat 1 was played by Ann only, and says nothing.
    table = GameTable.of(
        [
            game(["ann", "cid", "cid"], [50, 1, 1], deal=0, line_up=0),
            game(["bob", "cid", "cid"], [30, 40, 1], deal=0, line_up=1),
            game(["cid", "ann", "cid"], [10, 41, 1], deal=0, line_up=2),
            game(["cid", "bob", "cid"], [10, 41, 1], deal=0, line_up=3),
            game(["ann", "cid", "cid"], [20, 30, 1], deal=1, line_up=0),
            game(["bob", "cid", "cid"], [24, 30, 1], deal=1, line_up=1),
            game(["cid", "ann", "cid"], [20, 99, 1], deal=1, line_up=2),
        ]
    )
    found = compare(table, "ann", "bob")
    assert (found.how, found.pairs) == (IN_PLACE, 3)
    assert found.win_rate.mean == pytest.approx(1 / 3)
    assert found.score.mean == pytest.approx((20 + 0 - 4) / 3)
    # Margins to the others' mean: 49 - 9.5, 0 and 4.5 - 8.5.
    assert found.margin.mean == pytest.approx((39.5 + 0 - 4) / 3)
    # Deals sum to 1 and 0; the sign of the only one that differs may be either.
    assert found.p_value == 1
    assert found.better is None
    assert "cannot be told apart" in str(found)
    assert "more deals" in str(found)
    assert block_differences(table, "ann", "bob").tolist() == [0.5, 0]


def test_where_candidates_meet_each_other_their_places_are_changed():
    # Ann among Bobs wins at seat 0, Bob among Anns does not.
    table = GameTable.of(
        [
            game(["ann", "bob", "bob"], [50, 1, 1], deal=0, line_up=0),
            game(["bob", "ann", "ann"], [1, 50, 2], deal=0, line_up=1),
        ]
    )
    found = compare(table, "ann", "bob")
    assert (found.how, found.pairs, found.win_rate.mean) == (IN_PLACE, 1, 1)


def test_candidates_who_never_change_places_are_compared_in_the_same_games():
    table = GameTable.of(
        [
            game(["ann", "bob", "cid"], [50, 1, 1], deal=0, line_up=0),
            game(["bob", "cid", "ann"], [50, 1, 2], deal=1, line_up=1),
        ]
    )
    found = compare(table, "ann", "bob")
    assert (found.how, found.pairs, found.win_rate.mean) == (SAME_TABLE, 2, 0)


def test_candidates_who_have_nothing_in_common_are_not_compared():
    table = GameTable.of(
        [
            game(["ann", "cid", "cid"], [50, 1, 1], deal=0, line_up=0),
            game(["bob", "dan", "dan"], [50, 1, 1], deal=0, line_up=1),
        ]
    )
    assert compare(table, "ann", "bob") is None


def test_a_clear_difference_is_told_and_an_equal_pair_is_not():
    strength = {"ann": 1.5, "bob": 0.0, "cid": 0.0}
    games = plackett_luce(strength, tables_of(strength, 3), 40, np.random.default_rng(5))
    verdicts = {(one.first, one.second): one for one in compare_all(GameTable.of(games))}
    assert verdicts["ann", "bob"].better == verdicts["ann", "cid"].better == "ann"
    assert verdicts["bob", "cid"].better is None
    assert verdicts["ann", "bob"].questions == 3
    assert verdicts["ann", "bob"].turned().better == "ann"
    assert verdicts["ann", "bob"].turned().win_rate.mean == -verdicts["ann", "bob"].win_rate.mean


def test_shares_of_deals_are_those_of_the_seats_that_are_measured():
    assert block_win_rates(GameTable.of(HAND), "ann").tolist() == pytest.approx([2 / 3, 0.5])
    assert block_win_rates(GameTable.of(HAND), "ann", "bob").tolist() == pytest.approx([2 / 3, 0.5])
    assert block_win_rates(GameTable.of(HAND), "bob").size == 0


@pytest.mark.parametrize(
    ("sums", "p_value"),
    [
        ([3, 1], 2 / 4),  # 4, 2, -2, -4: two of four are as far from 0 as 4
        ([1, 1, 1], 2 / 8),
        ([2, -1, -1], 1),
        ([5, 0, 0], 1),  # a deal without a difference has no sign
        ([], 1),
    ],
)
def test_a_p_value_counts_the_signs_that_chance_could_have_given(sums, p_value):
    assert sign_flip(np.array(sums, float)) == pytest.approx(p_value)


def test_many_deals_are_flipped_at_random():
    # A sum 3 standard errors from 0 has a two-sided chance of 0.0027.
    sums = np.where(np.arange(3600) < 1890, 1.0, -1.0)
    assert sign_flip(sums) == pytest.approx(0.0027, abs=0.002)
    assert sign_flip(np.ones(20)) == pytest.approx(1 / 10_001)


def test_p_values_are_corrected_by_holm():
    # 3 * 0.01; 2 * 0.03; then 1 * 0.04, which may not be smaller than the one before.
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.4, 0.9]) == pytest.approx([0.8, 0.9])
    assert holm([0.01], tests=10) == pytest.approx([0.1])


# -- planning --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "share_", "games"),
    [(2, None, 2401), (3, None, 2135), (4, None, 1801), (5, None, 1537), (4, 0.9, 865)],
)
def test_games_for_two_points_either_way(players, share_, games):
    assert games_needed(0.02, players, share_) == games


def test_playing_from_every_seat_saves_games():
    assert games_needed(0.02, 4, effect=0.5) == 901


def test_games_to_tell_three_points():
    # (1.95996 + 0.84162) ** 2 is 7.8489; times 4/9 and over 0.03 ** 2 that is 3875.99, and a
    # correlation of 0.19 saves 19 %: 3139.6.
    assert games_to_tell(0.03, 1 / 3) == 3876
    assert games_to_tell(0.03, 1 / 3, correlation=0.19) == 3140
    assert power_to_tell(3876, 0.03, 1 / 3) == pytest.approx(0.8, abs=1e-4)
    assert power_to_tell(3140, -0.03, 1 / 3, correlation=0.19) == pytest.approx(0.8, abs=1e-4)


def test_a_pilot_says_how_many_deals_are_needed():
    # 100 deals gave a standard error of 0.02, so 1.96 * 0.02 either way; half of that takes 400.
    pilot = Estimate(0.3, 0.26, 0.34, standard_error=0.02, count=400, deals=100)
    assert deals_needed(pilot, 1.959964 * 0.01) == 400
    assert deals_needed(dataclasses.replace(pilot, standard_error=math.nan), 0.01) is None
    # A difference of 0.03 is 1.5 standard errors; 2.8016 are needed: 100 * (2.8016 / 1.5) ** 2.
    seen = dataclasses.replace(pilot, mean=0.03)
    assert deals_to_tell(seen) == math.ceil(100 * (2.801585 / 1.5) ** 2)
    assert deals_to_tell(seen, questions=10) > deals_to_tell(seen)
    assert deals_to_tell(dataclasses.replace(pilot, mean=0.0)) is None


def test_means_of_deals_leave_out_deals_that_do_not_occur():
    assert deal_means(np.array([1.0, 3.0, 5.0]), np.array([4, 4, 7])).tolist() == [2, 5]
