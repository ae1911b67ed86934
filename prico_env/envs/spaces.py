"""What environments share: a rule set, its spaces, a game to play, and what they warn of."""

from collections.abc import Mapping
from typing import Any, Final, TypeGuard

from gymnasium import logger, spaces

from prico_env.arguments import as_integer
from prico_env.errors import PositionError, PricoError, RuleSetError, quoted
from prico_env.game import Game, check_seed
from prico_env.render import RENDER_MODES
from prico_env.ruleset import RuleSet, check_rules

METADATA: Final[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}
"""How environments can be rendered, as Gymnasium and PettingZoo ask."""
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
    return RuleSet.from_dict(rules) if isinstance(rules, Mapping) else check_rules(rules)


def check_illegal(illegal: str) -> str:
    """Return what an illegal action is to do, or say what it can.

    Raises:
        PricoError: There is no such way.
    """
    if not isinstance(illegal, str) or illegal not in ILLEGAL:
        raise PricoError(f"illegal={quoted(illegal)} does not go; choose {' or '.join(ILLEGAL)}")
    return illegal


def check_seat(seat: int | str, players: int) -> int | str:
    """Return a learner's seat, or the way to choose it.

    Raises:
        PricoError: There is no such seat.
    """
    if isinstance(seat, str) and seat in SEATS:
        return seat
    number = as_integer(seat)
    if number is not None and 0 <= number < players:
        return number
    raise PricoError(
        f"there is no seat {quoted(seat)}; it is a number from 0 to {players - 1}, 'random' or "
        "'rotate'"
    )


def check_reset(seed: object, options: object) -> tuple[int | None, Mapping[str, Any]]:
    """Return what a reset was asked for, as its own kinds.

    Raises:
        PricoError: The seed is none, or the options are no dict.
    """
    if not isinstance(options, Mapping | None):
        raise PricoError(f"the options of a reset are a dict or None, not {quoted(options)}")
    return None if seed is None else check_seed(seed), options or {}


def action_space(rules: RuleSet) -> spaces.Discrete:
    """Return the flat action space of a rule set."""
    return spaces.Discrete(rules.num_actions)


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
    if not isinstance(position, Mapping):
        raise PositionError(f"options['position'] is a position dict, not {quoted(position)}")
    game = Game.from_dict({"rules": rules.to_dict(), **position}, seed=seed)
    game.settle()
    if game.rules != rules:
        raise PositionError(f"this environment plays {rules}, but the position is of {game.rules}")
    return game


def has_render_mode(render_mode: str | None) -> TypeGuard[str]:
    """Whether an environment can be rendered; warns if it was made without a render mode."""
    if render_mode is None:
        logger.warn(
            "render() does nothing without a render mode; make the environment with "
            f"render_mode= one of {', '.join(RENDER_MODES)}"
        )
    return render_mode is not None


def warn_of_illegal(what: str) -> None:
    """Warn that illegal actions were replaced by random legal ones."""
    logger.warn(
        f"{what} Choose with the mask in info['action_mask'] or action_masks(), or make the "
        "environment with illegal='raise'. (This is said once.)"
    )
