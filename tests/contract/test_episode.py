"""How the end of a game is told: the same figures in every interface."""

from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from prico_env import Game, RuleSet, env
from prico_env.envs import PuertoRicoVectorEnv, SingleSeatEnv, parallel_env
from prico_env.envs.episode import episodes_of_game
from tests.contract.random_players import choose

FIELDS = {"win", "place", "score", "lead", "length"}


def told_of(game: Game, seat: int) -> dict[str, float]:
    """What an episode must say of a game, worked out from what the game says."""
    scores, places = game.scores(), game.ranking()
    won = places[seat] == 1 and not game.truncated
    return {
        "win": 1 / places.count(1) if won else 0.0,
        "place": places[seat],
        "score": scores[seat],
        "lead": scores[seat] - max(scores[:seat] + scores[seat + 1 :]),
    }


def without_length(episode: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in episode.items() if key not in {"length", "r", "l"}}


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_agent_is_told_how_the_game_went_for_it(players: int) -> None:
    table = env(players=players)
    table.reset(seed=5)
    decisions: Counter[str] = Counter()
    for agent in table.agent_iter():
        _, _, done, _, info = table.last()
        assert ("episode" in info) == done
        if done:
            episode = info["episode"]
            assert episode.keys() == FIELDS
            assert without_length(episode) == told_of(table.game, int(agent[-1]))
            assert episode["length"] == decisions[agent] > 0
        decisions[agent] += not done
        table.step(None if done else table.sample_action())


def test_a_game_that_is_cut_off_has_no_winner_but_places_and_scores() -> None:
    table = env(players=3, max_steps=20)
    table.reset(seed=5)
    while not any(table.truncations.values()):
        table.step(table.sample_action())
    episodes = [table.infos[agent]["episode"] for agent in table.agents]
    assert [episode["win"] for episode in episodes] == [0, 0, 0]
    assert [episode["score"] for episode in episodes] == table.game.scores()
    assert sum(episode["length"] for episode in episodes) == 20


def test_the_parallel_form_tells_every_agent_too() -> None:
    tables = parallel_env(players=2)
    tables.reset(seed=5)
    choices = np.random.default_rng(5)
    infos: dict[str, Any] = {}
    while tables.agents:
        masks = {a: tables.aec_env.infos[a]["action_mask"] for a in tables.agents}
        agent = tables.aec_env.agent_selection
        action = int(choices.choice(np.flatnonzero(masks[agent])))
        *_, infos = tables.step(dict.fromkeys(tables.agents, action))
    assert {agent: set(info["episode"]) for agent, info in infos.items()} == {
        "player_0": FIELDS,
        "player_1": FIELDS,
    }


@pytest.mark.parametrize("scheme", ["win", "rank", "margin"])
def test_a_learner_is_told_its_episode_and_what_every_seat_was_paid(scheme: str) -> None:
    seat = SingleSeatEnv(players=3, seat=1, reward=scheme, shaping=0.01)
    choices = np.random.default_rng(2)
    _, info = seat.reset(seed=2)
    assert info["rewards"].tolist() == [0, 0, 0]
    paid, own, steps, done = np.zeros(3), 0.0, 0, False
    while not done:
        assert "episode" not in info
        _, reward, done, _, info = seat.step(
            int(choices.choice(np.flatnonzero(info["action_mask"])))
        )
        assert reward == info["rewards"][1]
        paid, own, steps = paid + info["rewards"], own + reward, steps + 1
    assert paid == pytest.approx(seat.game.rewards(scheme))
    assert info["episode"].keys() == FIELDS | {"r", "l"}
    assert without_length(info["episode"]) == told_of(seat.game, 1)
    assert info["episode"]["r"] == pytest.approx(own)
    assert info["episode"]["l"] == info["episode"]["length"] == steps


def test_gymnasiums_recorder_goes_along_under_another_key() -> None:
    recorded = gymnasium.wrappers.RecordEpisodeStatistics(
        gymnasium.make("prico/PuertoRico-v0", players=2), stats_key="recorded"
    )
    _, info = recorded.reset(seed=1)
    choices = np.random.default_rng(1)
    while "episode" not in info:
        action = int(choices.choice(np.flatnonzero(info["action_mask"])))
        *_, info = recorded.step(action)
    for key in ("r", "l"):
        assert info["recorded"][key] == pytest.approx(info["episode"][key])


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("seat", [None, 1])
def test_a_vector_tells_of_the_games_that_have_just_ended_and_of_no_other(
    mode: AutoresetMode, seat: int | None
) -> None:
    """As Gymnasium wants it: arrays of all games, and in ``_episode`` which of them count."""
    envs = PuertoRicoVectorEnv(6, players=2, seat=seat, shaping=0.01, autoreset_mode=mode)
    _, info = envs.reset(seed=3)
    choices = np.random.default_rng(3)
    ends, told = np.zeros(6, bool), 0
    returns, lengths = np.zeros((6, 2)), np.zeros((6, 2), int)
    while told < 8:
        if mode is AutoresetMode.DISABLED and ends.any():
            _, info = envs.reset(options={"reset_mask": ends})
            assert "episode" not in info
        running = ~ends if mode is AutoresetMode.NEXT_STEP else np.ones(6, bool)
        movers = np.where(info["turn"] >= 0, info["turn"], 0)
        actions = choose(info["action_mask"].astype(bool), choices)
        _, _, terminated, truncated, info = envs.step(actions)
        ends = terminated | truncated
        returns += info["rewards"]
        lengths[np.arange(6), movers] += running
        assert ("episode" in info) == ends.any()
        if not ends.any():
            continue
        assert info["_episode"].tolist() == ends.tolist()
        last = info["final_info"] if mode is AutoresetMode.SAME_STEP else info
        assert last["episode"]["win"] is info["episode"]["win"]
        for game in np.flatnonzero(ends):
            told += 1
            seats = [0, 1] if seat is None else [seat]
            for one in seats:
                at = (game, one) if seat is None else (game,)
                episode = {key: rows[at] for key, rows in info["episode"].items()}
                assert episode.keys() == FIELDS | {"r", "l"}
                assert episode["r"] == pytest.approx(returns[game, one], abs=1e-5)
                assert episode["length"] == episode["l"] == lengths[game, one]
                assert episode["score"] == last["scores"][game, one]
                assert episode["lead"] == last["scores"][game, one] - last["scores"][game, 1 - one]
                assert episode["place"] == last["places"][game, one]
                winners = (last["places"][game] == 1).sum()
                assert episode["win"] == (episode["place"] == 1) / winners
            returns[game], lengths[game] = 0, 0
        assert not any(rows[~ends].any() for rows in info["episode"].values())


def test_who_is_equal_to_the_end_shares_the_win() -> None:
    game = Game(RuleSet(players=2), seed=1)
    while not game.over:
        game.step(game.legal_actions()[0])
    state = game.state[0]
    wealth = state["coins"][:2] + state["goods"][:2].sum(axis=1)
    state["coins"][0] += max(0, wealth[1] - wealth[0])
    state["coins"][1] += max(0, wealth[0] - wealth[1])
    state["vp"][0] += game.scores()[1] - game.scores()[0]
    expected = {"win": 0.5, "place": 1, "score": game.scores()[0], "lead": 0, "length": 9}
    assert episodes_of_game(game, [9, 9]) == [expected, expected]
