"""The searches in NumPy: a flat Monte Carlo player, and trees of many games side by side."""

import numpy as np
import pytest

from prico_agents import AgentError, View, load_agent
from prico_env import Game, Games, RuleSet
from prico_training.examples import batched_puct, flat_monte_carlo
from prico_training.examples.batched_puct import BatchedPuct, search
from tests.agents.endings import last_load, last_pick
from tests.rule_sets import EXPANDED_RULE_SETS, rule_set_id

FLAT = "prico_training.examples.flat_monte_carlo:FlatMonteCarlo"
PUCT = "prico_training.examples.batched_puct:BatchedPuct"


class Even:
    """Judges every position alike, and keeps count of what it was asked."""

    def __init__(self, players: int, favourite: int | None = None) -> None:
        self.players = players
        self.favourite = favourite
        self.rows: list[int] = []

    def __call__(self, observations, masks):
        self.rows.append(len(masks))
        priors = masks / masks.sum(axis=1, keepdims=True)
        if self.favourite is not None:
            priors[:, self.favourite] = 0.9 * masks[:, self.favourite]
        return priors, np.full((len(masks), self.players), 1 / self.players)


def choice_of(agent, game: Game) -> str:
    """What an agent plays, by name."""
    agent.reset(game.turn, game.rules, 3)
    return game.name(agent.act(View.of(game)))


# -- flat Monte Carlo ------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["random", "corn"])
@pytest.mark.parametrize(("ending", "wins"), [(last_load, "corn"), (last_pick, "role:captain")])
def test_flat_monte_carlo_finds_the_only_move_that_wins(policy, ending, wins) -> None:
    game = ending()
    chosen = choice_of(load_agent(FLAT, playouts=4, policy=policy), game)
    assert wins in chosen
    assert not game.history


def test_flat_monte_carlo_plays_alike_with_the_same_seed() -> None:
    game = Game(RuleSet(3), seed=5)
    chosen = [choice_of(load_agent(FLAT, playouts=3), game) for _ in range(2)]
    assert chosen[0] == chosen[1]


def test_flat_monte_carlo_says_what_each_first_choice_is_worth(capsys) -> None:
    flat_monte_carlo.main(["--players", "3", "--playouts", "3"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == Games(RuleSet(3), 1, 7).num_legal[0]
    worth = [float(line.split()[1]) for line in lines]
    assert worth == sorted(worth, reverse=True)


# -- trees side by side ----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [RuleSet(2), EXPANDED_RULE_SETS[4]], ids=rule_set_id)
def test_a_search_visits_only_what_is_allowed_and_leaves_the_positions_where_they_are(
    rules: RuleSet,
) -> None:
    positions, judge = Games(rules, 6, seed=5), Even(rules.players)
    for _ in range(40):
        positions.step(positions.sample())
    before = positions.state.tobytes()
    found = search(positions, judge, 20, seed=1)
    assert found.visits.sum(axis=1).tolist() == [20] * 6
    assert not found.visits[~positions.masks].any()
    assert np.allclose(found.values.sum(axis=1), 1.0)
    assert positions.state.tobytes() == before
    assert max(judge.rows) == 6  # all trees are judged in one call
    assert len(judge.rows) <= 21


def test_a_prior_decides_what_is_tried_when_all_is_worth_the_same() -> None:
    positions = Games(RuleSet(4), 3, seed=5)
    favourite = int(np.flatnonzero(positions.masks[0])[3])
    found = search(positions, Even(4, favourite), 12, seed=1)
    assert (found.visits.argmax(axis=1) == favourite).all()


@pytest.mark.parametrize(("ending", "wins"), [(last_load, "corn"), (last_pick, "role:captain")])
def test_a_search_finds_the_only_move_that_wins(ending, wins) -> None:
    positions = Games.of([ending()] * 2)
    found = search(positions, Even(4), 60, seed=1)
    for row in range(2):
        assert wins in positions[row].name(int(found.visits[row].argmax()))
        assert found.values[row].argmax() == positions.turn[row]


def test_trees_side_by_side_do_not_mix_their_games() -> None:
    """The winning move of one, the even choice of the other."""
    positions = Games.of([last_pick(), Game(RuleSet(4), seed=5)])
    found = search(positions, Even(4), 60, seed=1)
    assert positions[0].name(int(found.visits[0].argmax())) == "role:captain"
    tried = found.visits[1][positions.masks[1]]
    assert tried.max() - tried.min() <= 1
    assert np.allclose(found.values[1], 0.25)


def test_the_network_that_ships_plays_by_the_search_at_any_table() -> None:
    for players in (2, 5):
        game = Game(RuleSet(players), seed=5)
        assert choice_of(load_agent(PUCT, simulations=4), game) in map(
            game.name, game.legal_actions()
        )


def test_only_a_network_that_judges_can_evaluate() -> None:
    with pytest.raises(AgentError, match="what evaluates is a network"):
        batched_puct.network_evaluator("corn", RuleSet(3))


def test_the_search_plays_many_games_side_by_side_the_same_with_the_same_seed(monkeypatch) -> None:
    monkeypatch.setattr(batched_puct, "network_evaluator", lambda *_: Even(2))
    runs = []
    for _ in range(2):
        player = BatchedPuct(simulations=2)
        won = batched_puct.play_among(player, RuleSet(2), "random", games=4, seed=1)
        runs.append((won.tolist(), player.made))
    assert runs[0] == runs[1]
    assert set(runs[0][0]) <= {0.0, 0.5, 1.0}
    assert runs[0][1] > 4 * 2 * 20  # a seat of two decides more than twenty times a game
