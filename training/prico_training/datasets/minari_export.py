"""Handing a data set on to Minari, the format of the Farama Foundation for offline learning."""

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from prico_env import Game, RuleSet
from prico_env.arguments import instance, words
from prico_env.errors import PricoError, from_extra
from prico_training.datasets.dataset import Columns, Dataset
from prico_training.datasets.shards import MASK, OBSERVATION
from prico_training.errors import DatasetError

if TYPE_CHECKING:
    from minari import MinariDataset
    from minari.data_collector import EpisodeBuffer

ENVIRONMENT: Final = "prico/PuertoRico-v0"
_MOVES: Final = ("step", "action")
_INFOS: Final = ("policy_action", "policy", "game", "seat", "step", "place", "score", "lead")


def to_minari(data: Dataset, dataset_id: str, **about: Any) -> "MinariDataset":
    """Write a data set for Minari: an episode is what one seat decided in one game.

    That is what the environment ``prico/PuertoRico-v0`` is for its learner, whose spaces it has:
    observations are dicts of ``observation`` (raw, uint8) and ``action_mask``, one more than there
    are decisions; the reward is ``"win"``, zero before the end, with the share ``1 / players``
    taken off. The other seats are part of the world, and `recover_environment` seats the first
    policy there. A game of four gives four episodes; their ``infos`` tell of each decision
    the policy's own action, the policy (its number), game, seat and step, and how the game ended
    for the seat (-1 in the row after the last decision). Seed and options of an episode are those
    with which a `reset` of the environment deals the same game and sits at the same seat.

    Args:
        data: The data set, or a part of a `Dataset.split`.
        dataset_id: What Minari calls it, such as ``"prico/planner-4p-v0"``.
        **about: What `minari.create_dataset_from_buffers` takes beside: ``algorithm_name``,
            ``author``, ``description``, ``data_format`` (default: ``"arrow"``) and so on.

    Raises:
        MissingExtraError: Minari is not installed.
    """
    with from_extra("minari", "to_minari"):
        import minari
    instance(data, Dataset, "what is handed on is a Dataset", DatasetError)
    environment = gymnasium.make(
        ENVIRONMENT,
        rules=data.rules.to_dict(),
        opponents=data.policies[0],
        seat="random",
        scaling="raw",
    )
    names = ", ".join(data.policies)
    usual = {
        "data_format": "arrow",
        "algorithm_name": names,
        "description": f"Puerto Rico, {data.rules}: {data.num_games:,} games of {names}",
        "eval_env": environment,
    }
    written = minari.create_dataset_from_buffers(
        dataset_id=words(dataset_id, "a Minari dataset_id", DatasetError),
        buffer=list(_episodes(data)),
        env=environment,
        **{**usual, **about},
    )
    environment.close()
    return written


def _episodes(data: Dataset) -> "Iterator[EpisodeBuffer]":
    """Every episode as Minari takes it."""
    from minari.data_collector import EpisodeBuffer

    rules = data.rules
    for game in _games(data):
        last = _last_observations(rules, game)
        for episode in game:
            length = len(episode["action"])
            rewards = np.zeros(length)
            rewards[-1] = episode["win"][0] - 1 / rules.players
            after = np.ones((1, rules.num_actions), np.int8)
            yield EpisodeBuffer(
                seed=int(episode["deal_seed"][0]),
                options={"seat": int(episode["seat"][0])},
                observations={
                    "observation": np.vstack((episode[OBSERVATION], last[episode["seat"][0]])),
                    "action_mask": np.vstack((episode[MASK], after)),
                },
                actions=episode["action"],
                rewards=rewards.tolist(),
                terminations=[False] * (length - 1) + [True],
                truncations=[False] * length,
                infos={name: [*episode[name].tolist(), -1] for name in _INFOS},
            )


def _games(data: Dataset) -> Iterator[list[Columns]]:
    """The episodes of a game together."""
    for _, episodes in itertools.groupby(data.episodes(), lambda episode: episode["game"][0]):
        yield list(episodes)


def _last_observations(rules: RuleSet, episodes: list[Columns]) -> list[NDArray[np.uint8]]:
    """What each seat sees when the game is over, by playing it again."""
    first = episodes[0]
    steps, actions = (np.concatenate([each[name] for each in episodes]) for name in _MOVES)
    try:
        game = Game(rules, seed=int(first["deal_seed"][0]))
        for action in actions[np.argsort(steps)].tolist():
            game.step(action)
    except PricoError as error:
        raise DatasetError(
            f"game {first['game'][0]} cannot be played again with the rules of this prico: {error}"
        ) from None
    return [game.observation(seat) for seat in range(rules.players)]
