"""A test that may be asked at any time errs no more often than it says."""

import math

import numpy as np
import pytest

from prico_training.arena.sequential import (
    ACCEPT_H0,
    ACCEPT_H1,
    GO_ON,
    LEAST_BLOCKS,
    SequentialError,
    Sprt,
)

CHUNK = 4


def run(sprt, scores):
    """Ask after every chunk of deals, and return the first verdict that is final."""
    for blocks in range(CHUNK, len(scores) + 1, CHUNK):
        verdict = sprt.decide(scores[:blocks])
        if verdict.is_final:
            break
    return verdict


def made_scores(chance, share, deals=800, games=4, luck=0.3):
    """Mean share of each deal; games of a deal share its luck."""
    fate = chance.choice([-1, 1], (deals, 1)) * min(share, 1 - share) * luck
    return (chance.random((deals, games)) < share + fate).mean(axis=1)


def test_the_bounds_are_those_of_wald():
    sprt = Sprt(0.25, 0.3, alpha=0.05, beta=0.1)
    assert sprt.high == pytest.approx(math.log(0.9 / 0.05))
    assert sprt.low == pytest.approx(math.log(0.1 / 0.95))


def test_the_ratio_is_that_of_games_over_the_design_effect():
    # 20 deals of one game each, half of them won. A deal's variance is that of a game: residuals
    # of 20 / 4 over 1 / 4 are 20, with the imagined deal 21, over 19 + 1: an effect of 1.05.
    scores = np.array([0.0, 1.0] * 10)
    each = 0.5 * math.log(0.6 / 0.4) + 0.5 * math.log(0.4 / 0.6)
    assert Sprt(0.4, 0.6).decide(scores).log_ratio == pytest.approx(each)
    each = 0.5 * math.log(0.5 / 0.3) + 0.5 * math.log(0.5 / 0.7)
    assert Sprt(0.3, 0.5).decide(scores).log_ratio == pytest.approx(20 * each / 1.05)


def test_a_clear_winner_is_accepted_and_a_clear_loser_is_not():
    chance = np.random.default_rng(1)
    sprt = Sprt(0.25, 0.3)
    assert run(sprt, made_scores(chance, 0.5)).decision == ACCEPT_H1
    assert run(sprt, made_scores(chance, 0.1)).decision == ACCEPT_H0
    assert run(sprt, np.ones(40)).decision == ACCEPT_H1
    assert run(sprt, np.zeros(80)).decision == ACCEPT_H0


def test_a_few_deals_decide_nothing():
    assert Sprt(0.25, 0.3).decide(np.array([])).decision == GO_ON
    verdict = Sprt(0.25, 0.3).decide(np.ones(LEAST_BLOCKS - 1))
    assert verdict.decision == GO_ON
    assert verdict.log_ratio > 0
    assert "go on after 9 deals" in str(verdict)


@pytest.mark.parametrize(("p0", "p1"), [(0.25, 0.35), (0.9, 0.95), (0.02, 0.07)])
def test_errors_are_as_rare_as_they_should_be(p0, p1):
    chance = np.random.default_rng(7)
    sprt, runs = Sprt(p0, p1), 200
    false_alarms = sum(
        run(sprt, made_scores(chance, p0)).decision == ACCEPT_H1 for _ in range(runs)
    )
    misses = sum(run(sprt, made_scores(chance, p1)).decision == ACCEPT_H0 for _ in range(runs))
    # 5 % of 200 are 10, with a standard deviation of 3.1.
    assert false_alarms <= 16
    assert misses <= 16


def test_differences_of_two_candidates_are_tested_too():
    chance = np.random.default_rng(8)
    sprt, runs = Sprt.of_difference(0.0, 0.1), 100
    verdicts = {}
    for gain in (0.0, 0.1):
        verdicts[gain] = [
            run(sprt, made_scores(chance, 0.3 + gain) - made_scores(chance, 0.3)).decision
            for _ in range(runs)
        ]
    # 5 % of 100 are 5, with a standard deviation of 2.2.
    assert verdicts[0.0].count(ACCEPT_H1) <= 10
    assert verdicts[0.1].count(ACCEPT_H0) <= 10
    assert verdicts[0.1].count(ACCEPT_H1) >= 85


def test_it_takes_about_as_many_deals_as_expected():
    chance = np.random.default_rng(9)
    sprt = Sprt(0.25, 0.35)
    taken = [run(sprt, made_scores(chance, 0.35, luck=0)).blocks for _ in range(200)]
    _, expected = sprt.expected_blocks(effect=1 / 4)
    assert expected <= np.mean(taken) <= 1.6 * expected  # whole chunks, and caution at first


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ((0.3, 0.25), "the first must be the smaller"),
        ((0.0, 0.25), "between 0 and 1"),
        ((0.25, 0.3, 0.0), "chances of error"),
        ((0.25, 0.3, 0.6, 0.5), "sum below 1"),
    ],
)
def test_a_test_that_decides_nothing_is_refused(fields, words):
    with pytest.raises(SequentialError, match=words):
        Sprt(*fields)
