"""The same game twice: what a single decision changes."""

import numpy as np
import pytest

from prico_agents import load_agent
from prico_env import Games, RuleSet
from prico_env.actions import NAMES, PASS
from prico_env.vocabulary import BUILDINGS, NUM_TILES, DecisionPoint
from prico_training.arena.counterfactual import leads, pick_decisions, try_choices

THREE = RuleSet(3)


@pytest.fixture(scope="module")
def purchases():
    return pick_decisions(THREE, load_agent("corn"), DecisionPoint.BUY, 12, seed=5)


@pytest.fixture(scope="module")
def trials(purchases):
    return try_choices(purchases, load_agent("corn"), seed=5)


def test_every_game_stops_at_a_purchase(purchases):
    assert len(purchases) == 12
    assert (purchases.state["decision_point"] == int(DecisionPoint.BUY)).all()
    assert (purchases.num_legal > 1).all()
    assert len(set(purchases.state["round"].tolist())) > 3


def test_the_purchase_is_one_that_the_players_came_to(purchases):
    """The games go as they would without anybody stopping them."""
    again = pick_decisions(THREE, load_agent("corn"), DecisionPoint.BUY, 12, seed=5)
    assert again.state.tobytes() == purchases.state.tobytes()


def test_every_choice_is_made_once_and_played_to_the_end(purchases, trials):
    assert len(trials.actions) == purchases.num_legal.sum()
    assert purchases.masks[trials.rows, trials.actions].all()
    assert trials.games.over.all()
    assert (trials.seats == purchases.turn[trials.rows]).all()


def test_the_choice_of_the_players_leads_to_the_game_they_would_have_played(purchases, trials):
    """Nothing but the choice differs, so making the usual one changes nothing."""
    player = load_agent("corn")
    only = try_choices(purchases, player, seed=5, among=[PASS])
    passed = trials.actions == PASS
    assert only.games.scores().tolist() == trials.games.scores()[passed].tolist()


def test_what_is_bought_stands_in_the_city_in_the_end(trials):
    for number, (action, seat) in enumerate(zip(trials.actions, trials.seats, strict=True)):
        if action != PASS:
            building = BUILDINGS.index(NAMES[action].removeprefix("build:"))
            assert trials.games.state["owned"][number, seat, NUM_TILES + building] == 1


def test_only_what_is_asked_for_is_tried(purchases):
    tried = try_choices(purchases, load_agent("corn"), seed=5, among=[PASS])
    assert set(tried.actions.tolist()) == {PASS}


def test_leads_of_all_seats_cancel(trials):
    assert leads(trials.games).sum(axis=1) == pytest.approx(0)
    assert trials.leads() == pytest.approx(
        leads(trials.games)[np.arange(len(trials.seats)), trials.seats]
    )


def test_games_that_never_come_to_such_a_decision_are_left_out():
    few = pick_decisions(
        RuleSet(3, max_rounds=1), load_agent("random"), DecisionPoint.BUY, 30, seed=1
    )
    assert 0 < len(few) < 30
    assert isinstance(few, Games)
