"""What every face begins with: a rule set, its spaces, and a game to play."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces

from prico_env.errors import PositionError, PricoError, RuleSetError
from prico_env.game import Game
from prico_env.ruleset import RuleSet

ILLEGAL: Final = ("replace", "raise")
SEATS: Final = ("random", "rotate")


def rules_from(rules: RuleSet | Mapping[str, Any] | None, fields: Mapping[str, Any]) -> RuleSet:
    """Return the rule set that an environment was asked for.

    Args:
        rules: A rule set, the dict of one, or None.
        fields: Fields of a rule set, such as ``players=3``, in its place.

    Raises:
        RuleSetError: Both were given, or there is no such rule set.
    """
    if rules is None:
        return RuleSet(**fields)
    if fields:
        raise RuleSetError(
            f"give either a rule set or its fields, not both; here are {', '.join(fields)} too"
        )
    return rules if isinstance(rules, RuleSet) else RuleSet.from_dict(rules)


def check_illegal(illegal: str) -> str:
    """Return what an illegal action is to do, or say what it can.

    Raises:
        PricoError: There is no such way.
    """
    if illegal not in ILLEGAL:
        raise PricoError(f"illegal={illegal!r} does not go; choose {' or '.join(ILLEGAL)}")
    return illegal


def check_seat(seat: int | str, players: int) -> int | str:
    """Return a learner's seat, or the way to choose it.

    Raises:
        PricoError: There is no such seat.
    """
    if isinstance(seat, str):
        if seat in SEATS:
            return seat
    elif 0 <= int(seat) < players:
        return int(seat)
    raise PricoError(
        f"there is no seat {seat!r}; it is a number from 0 to {players - 1}, 'random' or 'rotate'"
    )


def action_space(rules: RuleSet) -> spaces.Discrete:
    """Return the flat action space of a rule set."""
    return spaces.Discrete(rules.num_actions)


def feature_space(rules: RuleSet) -> spaces.Box:
    """Return the space of the observation vector: float32 from 0 to 1."""
    return spaces.Box(0.0, 1.0, (rules.observation.num_features,), np.float32)


def masked_space(rules: RuleSet) -> spaces.Dict:
    """Return the space of an observation that carries its action mask."""
    mask = spaces.Box(0, 1, (rules.num_actions,), np.int8)
    return spaces.Dict({"observation": feature_space(rules), "action_mask": mask})


def new_game(rules: RuleSet, seed: int, position: Mapping[str, Any] | None) -> Game:
    """Deal a game, or set up a position of the same rule set.

    Args:
        rules: The rule set of the environment.
        seed: Deals the game; in a position, the order of what lies face down.
        position: A position dict, or None. Its ``"rules"`` may be left out.

    Raises:
        PositionError: The position is wrong, or it is one of another rule set.
    """
    if position is None:
        return Game(rules, seed)
    game = Game.from_dict({"rules": rules.to_dict(), **position}, seed=seed)
    game.settle()
    if game.rules != rules:
        raise PositionError(f"this environment plays {rules}, but the position is of {game.rules}")
    return game
