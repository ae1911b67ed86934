"""The review of a game: what decisions cost, how close players came, what lines are told."""

import random

import pytest

from prico_agents import View, load_agent
from prico_env import Game, RuleSet
from prico_env.vocabulary import DecisionPoint
from prico_training.ui.game_review import LEAST_LOSS, MOST_COSTLY, accuracy_of, review_game
from prico_training.ui.transcripts import read_recorded, recorded_text

SHORT = RuleSet(3, max_rounds=3)


def played(*names: str, seed: int = 4):
    """A short game among agents, "" for one that decides at random, as it is recorded."""
    game, chance = Game(SHORT, seed), random.Random(seed)
    agents = [load_agent(name) if name else None for name in names]
    for seat, agent in enumerate(agents):
        if agent:
            agent.reset(seat, SHORT, seat)
    while not game.over:
        agent = agents[game.turn]
        game.step(agent.act(View.of(game)) if agent else chance.choice(game.legal_actions()))
    return read_recorded(recorded_text(game))


@pytest.fixture(scope="module")
def recorded():
    return played("planner", "", "planner")


@pytest.fixture(scope="module")
def review(recorded):
    return review_game(recorded, "planner")


def test_who_plays_as_the_adviser_would_loses_nothing(review):
    first, second, third = review.accuracies
    for accuracy in (first, third):
        assert accuracy.agreed == accuracy.decisions > 0
        assert accuracy.mean_loss < LEAST_LOSS
        assert accuracy.accuracy > 99.9
    assert second.agreed < second.decisions
    assert second.accuracy < 99


def test_the_costliest_decisions_are_those_of_who_plays_at_random_the_costliest_first(review):
    losses = [review.judgements[place].loss for place in review.costliest]
    assert len(losses) == MOST_COSTLY
    assert losses == sorted(losses, reverse=True)
    assert losses[0] == max(each.loss or 0 for each in review.judgements.values())
    assert {review.judgements[place].analysis.seat for place in review.costliest} == {1}


def test_the_line_begins_with_what_the_adviser_would_have_played_there(review, recorded):
    for place, judgement in review.judgements.items():
        assert bool(judgement.line) == (place in review.costliest)
        if judgement.line:
            words = {each.action: each.words for each in judgement.analysis.candidates}
            assert judgement.line[0] == (judgement.analysis.seat, words[judgement.best])
            assert judgement.best != recorded.actions[place].action


def test_a_loss_is_the_difference_of_two_chances_of_the_seat_to_decide(review, recorded):
    for place, judgement in review.judgements.items():
        seat, played_there = judgement.analysis.seat, recorded.actions[place].action
        chances = {each.action: each.chances for each in judgement.analysis.candidates}
        if chances.get(judgement.best) and chances.get(played_there):
            gap = chances[judgement.best][seat] - chances[played_there][seat]
            assert judgement.loss == pytest.approx(max(0, gap))


def test_workers_placed_one_after_the_other_are_one_decision_in_whatever_order():
    """Where all of them end up is what counts."""
    game = Game(RuleSet(3, max_rounds=2), 4)
    game.step("role:settler")
    while game.phase != "role":
        game.step(game.legal_actions()[0])
    game.step("role:mayor")
    while game.state[0]["decision_point"] == DecisionPoint.PLACE:
        game.step(game.legal_actions()[-1])
    review = review_game(read_recorded(recorded_text(game)), "planner")
    placing = [
        judgement for judgement in review.judgements.values()
        if "worker" in judgement.analysis.words and not judgement.analysis.candidates[0].chances
    ]  # fmt: skip
    seats = [judgement.analysis.seat for judgement in placing]
    told = [judgement.analysis.seat for judgement in placing if judgement.loss is not None]
    assert told == sorted(set(seats), key=seats.index)


def test_a_review_is_the_same_every_time(recorded):
    one, other = review_game(recorded), review_game(recorded)
    for place, judgement in one.judgements.items():
        again = other.judgements[place]
        assert judgement.analysis.to_dict() == again.analysis.to_dict()
        assert (judgement.loss, judgement.line) == (again.loss, again.line)
    assert (one.costliest, one.accuracies) == (other.costliest, other.accuracies)


def test_an_agent_that_only_knows_its_chance_to_win_tries_both_choices(recorded):
    review = review_game(recorded, "corn")
    assert any(judgement.loss for judgement in review.judgements.values())
    assert all(accuracy is not None for accuracy in review.accuracies)


def test_a_game_of_no_decisions_has_a_review_that_says_nothing():
    review = review_game(read_recorded(recorded_text(Game(RuleSet(2), 1))))
    assert (review.costliest, review.accuracies) == ((), (None, None))


def test_the_accuracy_of_a_decision_falls_with_what_it_lost():
    values = [accuracy_of(loss / 100) for loss in range(101)]
    assert values == sorted(values, reverse=True)
    assert (round(values[0]), values[-1]) == (100, 0)
