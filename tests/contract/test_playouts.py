"""What a search asks of a batch: guesses at what is hidden, copies, and games played on."""

import os
import subprocess
import sys

import numpy as np
import pytest

from prico_agents import AgentError, load_agent
from prico_agents.compiled import play_games
from prico_env import Games, PricoError, RuleSet
from prico_env.core.calls import play_randomly
from prico_env.playouts import PLAYOUTS, register_playout_loader
from tests.rule_sets import EXPANDED_RULE_SETS

MIXED = (RuleSet(2), RuleSet(3), RuleSet(5, "classic"), *EXPANDED_RULE_SETS)


def games_underway(threads: int = 1, decisions: int = 120) -> Games:
    """Games of several rule sets that stand somewhere in the middle, some of them over."""
    games = Games([rules for rules in MIXED for _ in range(4)], 4 * len(MIXED), 5, threads=threads)
    for _ in range(decisions):
        games.step(games.sample())
    return games


# -- determinize -----------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_deals_anew_what_each_seat_cannot_see_as_its_games_would(threads: int) -> None:
    """R-INF-2: the record, the choices and the view of every game are those of `Game`."""
    games = games_underway(threads)
    seats, seeds = np.zeros(len(games), np.int64), np.arange(len(games)) + 40
    alone = [
        game if game.over else game.determinize(0, int(seed))
        for game, seed in zip(games, seeds, strict=True)
    ]
    games.determinize(seats, seeds)
    for row, game in enumerate(alone):
        assert games[row].to_dict() == game.to_dict()
        assert np.flatnonzero(games.masks[row]).tolist() == game.legal_actions()
    views = games.observe(np.maximum(games.turn, 0))
    assert (games.observations == views)[~games.over].all()


def test_a_seat_sees_and_may_do_the_same_after_its_guess_at_the_rest() -> None:
    games = games_underway()
    before = games.take(np.arange(len(games)))
    games.determinize(games.turn, 3)
    assert (games.state["deck"] != before.state["deck"]).any()
    for name in ("masks", "num_legal", "observations", "rewards", "ended"):
        assert (getattr(games, name) == getattr(before, name)).all(), name


def test_one_seat_and_one_seed_are_enough_for_all_games() -> None:
    one, each = games_underway(), games_underway()
    one.determinize(1, 7)
    each.determinize(np.ones(len(each), np.int64), 7 + np.arange(len(each)))
    assert one.state.tobytes() == each.state.tobytes()


def test_a_game_that_is_over_has_nothing_to_guess_and_no_seat_to_ask() -> None:
    games = games_underway(decisions=400)
    over = games.over
    assert over.any()
    before = games.state[over].tobytes()
    games.determinize(games.turn, 1)
    assert games.state[over].tobytes() == before


@pytest.mark.parametrize(
    ("seats", "seeds", "message"),
    [
        ([0, 1], 1, "seats are whole numbers of shape"),
        (2, 1, "seats that are in their games, 0 to 1, not 2"),
        (-1, 1, "seats that are in their games"),
        (0, -1, "seed"),
        (0, [1, 2, -3], r"seeds run from 0 to 2\*\*63 - 1, and -3 is none"),
        (0, [1, 2], "seeds are whole numbers of shape"),
    ],
)
def test_seats_and_seeds_that_cannot_be_are_refused_before_anything_changes(
    seats, seeds, message
) -> None:
    games = Games(RuleSet(2), 3, seed=5)
    before = games.state.tobytes()
    with pytest.raises(PricoError, match=message):
        games.determinize(seats, seeds)
    assert games.state.tobytes() == before


# -- playouts --------------------------------------------------------------------------------------


def test_a_playout_leaves_the_games_where_they_are() -> None:
    games = games_underway()
    before = games.take(np.arange(len(games)))
    scores = games.playout("random", seeds=1)
    assert scores.dtype == np.int16
    assert scores.shape == (len(games), games.num_seats)
    for name in ("state", "masks", "observations", "rewards", "ended", "seeds"):
        assert getattr(games, name).tobytes() == getattr(before, name).tobytes(), name


@pytest.mark.parametrize("policy", ["random", "corn"])
def test_games_played_on_end_as_their_playouts_say(policy: str) -> None:
    games = games_underway()
    scores = games.playout(policy, seeds=9)
    decisions = games.play(policy, seeds=9)
    assert games.over.all()
    assert (games.scores() == scores).all()
    assert games.ended.all()
    assert not games.masks.any()
    assert np.allclose(games.rewards.sum(axis=1), 0.0, atol=1e-6)
    assert decisions.dtype == np.int32
    assert not games.play(policy).any()


@pytest.mark.parametrize("policy", ["random", "corn"])
def test_threads_do_not_change_what_is_played(policy: str) -> None:
    alone, together = games_underway(1), games_underway(3)
    assert (alone.playout(policy, seeds=4) == together.playout(policy, seeds=4)).all()


def test_many_copies_of_few_games_share_as_many_threads_as_many_games_would() -> None:
    few, many = Games(RuleSet(2), 2), Games(RuleSet(2), 1024)
    assert few.take(np.zeros(1024, np.int64)).threads == many.threads
    assert Games(RuleSet(2), 2, threads=1).take(np.zeros(1024, np.int64)).threads == 1


def test_one_seed_stands_for_a_row_of_them() -> None:
    games = games_underway()
    each = games.playout(seeds=7 + np.arange(len(games)))
    assert (games.playout(seeds=7) == each).all()


def test_without_seeds_every_playout_of_a_position_goes_another_way() -> None:
    games = Games(RuleSet(2), 1, seed=5)
    copies = games.take(np.zeros(50, np.int64))
    assert len(np.unique(copies.playout(), axis=0)) > 40
    assert (games.playout() != games.playout()).any()


def test_without_seeds_a_batch_of_the_same_seed_plays_the_same() -> None:
    one, other = (Games(RuleSet(3), 20, seed=5) for _ in range(2))
    for _ in range(2):
        assert (one.playout() == other.playout()).all()


def test_a_limit_stops_after_so_many_decisions_and_shows_where_games_stand() -> None:
    whole, begun = Games(RuleSet(3), 6, seed=5), Games(RuleSet(3), 6, seed=5)
    assert begun.play("corn", limit=0, seeds=2).tolist() == [0] * 6
    assert begun.state.tobytes() == whole.state.tobytes()
    assert begun.play("corn", limit=25, seeds=2).tolist() == [25] * 6
    assert not begun.over.any()
    assert not begun.rewards.any()
    for row, game in enumerate(begun):
        assert np.flatnonzero(begun.masks[row]).tolist() == game.legal_actions()
        assert (begun.observations[row] == game.observation()).all()
    assert (begun.playout("corn", seeds=2) == whole.playout("corn", seeds=2)).all()
    assert (whole.playout("corn", limit=25, seeds=2) == begun.scores()).all()


@pytest.mark.parametrize("name", ["corn", "builder"])
def test_a_named_agent_plays_on_as_it_plays_at_a_table(name: str) -> None:
    rules, deals = RuleSet(3), np.arange(8)
    played = play_games(rules, [load_agent(name)] * 3, deals, np.zeros((8, 3), np.int64))
    games = Games(rules, 8, seed=0)
    assert (games.playout(name) == played.games.scores()).all()


def test_random_playouts_choose_every_legal_action_as_often() -> None:
    games = Games(RuleSet(4), 6000, seed=5).take(np.zeros(6000, np.int64))
    choices = int(games.num_legal[0])
    games.play(limit=1)
    _, counts = np.unique(games.observations, axis=0, return_counts=True)
    assert len(counts) == choices
    expected = 6000 / choices
    assert ((counts - expected) ** 2 / expected).sum() < 30  # chi-square, 6 degrees of freedom


def test_a_policy_of_ones_own_may_be_handed_in_or_registered(monkeypatch) -> None:
    games = Games(RuleSet(3), 5, seed=5)
    seen = []

    def policy(table, states, seeds, limit, decisions, start, stop) -> None:
        seen.append((start, stop, limit))
        play_randomly(table, states, seeds, limit, decisions, start, stop)

    def loader(name: str):
        if name != "mine":
            raise LookupError(name)
        return policy

    monkeypatch.setattr(PLAYOUTS, "loaders", list(PLAYOUTS.loaders))
    register_playout_loader(loader)
    for given in (policy, "mine"):
        assert (games.playout(given, seeds=1) == games.playout("random", seeds=1)).all()
    assert seen == [(0, 5, -1)] * 2
    assert games.playout("corn").any()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"policy": "nobody"}, PricoError, "no playout policy 'nobody': 'random' is built in"),
        ({"policy": 3}, PricoError, "a playout policy is a name or a callable"),
        ({"policy": "mcts"}, AgentError, "by compiled agents, such as 'corn', and 'mcts' is none"),
        ({"limit": -1}, PricoError, "the limit of decisions is a whole number from 0"),
        ({"seeds": [1, 2]}, PricoError, "seeds are whole numbers of shape"),
    ],
)
def test_what_cannot_play_on_is_refused_in_words(arguments, error, message) -> None:
    games = Games(RuleSet(2), 3, seed=5)
    for call in (games.play, games.playout):
        with pytest.raises(error, match=message):
            call(**arguments)
    assert games.state.tobytes() == Games(RuleSet(2), 3, seed=5).state.tobytes()


_PLAIN = """
import hashlib
import prico_agents
from prico_env import Games, RuleSet

games = Games(RuleSet(2), 2, seed=1)
games.determinize(games.turn, 3)
for policy in ("random", "corn"):
    games.play(policy, limit=8, seeds=1)
print(hashlib.sha256(games.state.tobytes()).hexdigest())
"""


def test_plain_python_plays_on_as_compiled_code_does() -> None:
    """Section 1 of the design: the same functions run with the compiler off."""
    digests = {
        subprocess.run(
            [sys.executable, "-c", _PLAIN],
            env={**os.environ, "NUMBA_DISABLE_JIT": word, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for word in ("0", "1")
    }
    assert len(digests) == 1


def test_a_playout_of_one_game_is_that_of_its_batch() -> None:
    rules = RuleSet(4)
    alone = Games(rules, 1, seed=6).playout("corn", seeds=31)
    batch = Games(rules, 3, seed=5).playout("corn", seeds=30)
    assert batch[1].tolist() == alone[0].tolist()
