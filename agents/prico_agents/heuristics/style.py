"""Players of many styles, drawn by a generator with a seed: whom an agent should not be prey to.

A style is a greedy player whose weights are drawn from the ranges of its kind. Those of the
published seed are a fixed pool: two thirds for training, and a third, three of each kind, held out
to measure with. Other seeds draw styles that nobody has met.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from prico_agents.base import AgentError
from prico_agents.compiled import CompiledAgent, GreedyAgent
from prico_agents.heuristic_engine.weights import by_field, describe_weights
from prico_agents.heuristics.builder import Builder
from prico_agents.heuristics.corn import Corn
from prico_agents.heuristics.planner import Planner
from prico_agents.heuristics.trader import Trader
from prico_env.arguments import flag, whole

_Range = tuple[float, float]

KINDS: Final[Mapping[str, Mapping[str, _Range]]] = {
    "rush shipper": {
        "hold": (5.0, 9.0), "stock": (0.9, 1.5), "sale": (0.1, 0.35), "spend": (0.0, 0.12),
        "crop.corn": (1.1, 2.0), "crop.indigo": (0.8, 1.4), "crop.sugar": (0.8, 1.4),
        "crop.tobacco": (0.4, 0.9), "crop.coffee": (0.4, 0.9), "aboard": (0.4, 0.9),
        "power.load_vp": (1.1, 2.2), "power.small_ship": (0.8, 1.6), "role.craftsman": (0.3, 2.0),
        "role.captain": (0.8, 2.5), "role.trader": (-1.0, -0.2), "role.builder": (-0.6, 0.2),
    },
    "pure builder": {
        "coin": (0.7, 1.1), "hold": (1.0, 2.5), "quarry": (0.8, 1.5), "quarry_later": (0.5, 1.1),
        "sale": (0.4, 0.8), "spend": (0.25, 0.6), "space": (0.0, 0.08),
        "power.quarry_right": (0.5, 1.2), "power.score_plants": (1.2, 2.0),
        "power.score_island": (1.2, 2.0), "power.score_units": (1.2, 2.0),
        "power.score_vp": (1.0, 1.6), "power.score_commerce": (1.2, 2.0),
        "power.build_vp": (0.8, 1.6), "power.notary": (0.8, 1.6), "power.forest": (0.3, 1.0),
        "role.builder": (0.6, 2.0), "role.settler": (0.2, 0.8), "role.captain": (-1.5, -0.3),
    },
    "hoarder": {
        "coin": (1.15, 1.7), "coin_patience": (0.2, 1.0), "stock": (1.1, 1.6), "spend": (0.0, 0.05),
        "space": (0.2, 0.8), "sale": (0.4, 0.9), "power.store_kinds": (0.5, 1.5),
        "power.store_barrels": (0.5, 1.5), "role.prospector_1": (0.5, 1.5),
        "role.prospector_2": (0.5, 1.5), "role.trader": (0.4, 1.5), "role.craftsman": (0.0, 1.0),
        "role.builder": (-1.5, -0.4), "role.captain": (-1.5, -0.3),
    },
    "role denier": {"opponent_weight": (1.1, 2.6), "taken_later": (0.0, 0.3)},
    "coin starver": {
        "coin": (1.1, 1.6), "sale": (0.6, 1.1), "sale_any_kind": (0.4, 1.0),
        "opponent_weight": (0.8, 1.8), "power.own_market": (0.8, 1.6),
        "power.sell_any_kind": (0.2, 0.6), "role.trader": (0.8, 2.2),
        "role.prospector_1": (0.5, 1.5), "role.prospector_2": (0.5, 1.5),
        "role.builder": (-0.6, 0.2),
    },
    "corn starver": {
        "crop.corn": (1.8, 3.0), "hold": (4.0, 7.0), "tile": (1.2, 2.0),
        "opponent_weight": (0.8, 1.8), "role.settler": (0.8, 2.2), "role.captain": (0.3, 1.2),
    },
    "leader basher": {"leader_weight": (1.2, 2.8), "opponent_weight": (0.0, 0.4)},
    "mixture": {},
}  # fmt: skip
"""What the weights of each kind are drawn from; all others are the usual ones of greedy players.

Deniers mind what a role brings to the others, bashers what it brings to the leader; starvers take
what carries coins or corn before the others do; a mixture is one of the heuristics' weights.
"""
SPREAD: Final = (0.85, 1.15)
"""By what a weight that its kind says nothing of is multiplied."""
MIXTURE_SPREAD: Final = (0.6, 1.5)
"""The same of a mixture."""
STYLES: Final = 72
"""Styles of the published pool."""
SEED: Final = 1
"""Seed of the published pool."""
_THIRD: Final = 3
_MIXED: Final[tuple[type[CompiledAgent], ...]] = (Corn, Builder, Trader, Planner)
_USUAL: Final[tuple[type[CompiledAgent], ...]] = (GreedyAgent,)
_MOST: Final = 1_000_000
_DIGITS: Final = 3


class Style(GreedyAgent):
    """Plays a style that a generator drew, such as style:12; a third of them are held out."""

    short_setting = "number"

    def __init__(self, number: int = 0, seed: int = SEED) -> None:
        """Draw the weights.

        Args:
            number: Which style of the seed; its kind is ``number`` modulo the number of kinds.
            seed: Of the generator; that of the published pool by default.

        Raises:
            AgentError: One of them is no whole number from 0.
        """
        self.number = whole(number, "the number of a style", 0, _MOST, AgentError)
        self.seed = whole(seed, "the seed of styles", 0, _MOST, AgentError)
        super().__init__(**draw_weights(self.number, self.seed))

    @property
    def kind(self) -> str:
        """What kind of style it is, one of `KINDS`."""
        return tuple(KINDS)[self.number % len(KINDS)]

    @property
    def is_held_out(self) -> bool:
        """Whether nobody may train with it who is measured against the held-out styles."""
        return self.seed == SEED and self.number < STYLES and _is_third(self.number)


def style_names(*, held_out: bool) -> tuple[str, ...]:
    """Names of the published styles that are held out, or of those for training.

    >>> style_names(held_out=True)[:3], len(style_names(held_out=False))
    (('style:16', 'style:17', 'style:18'), 48)
    """
    held_out = flag(held_out, "held_out")
    return tuple(f"style:{number}" for number in range(STYLES) if _is_third(number) == held_out)


def draw_weights(number: int, seed: int = SEED) -> dict[str, Any]:
    """Draw the weights of a style, by field; of a field with names, a mapping.

    Only additions and multiplications of `random.Random.random`, whose numbers Python promises not
    to change, go into them, so that a style is the same everywhere.
    """
    chance = random.Random(f"{seed}/{number}")
    kind = tuple(KINDS)[number % len(KINDS)]
    if kind == "mixture":
        spread, makers = MIXTURE_SPREAD, _MIXED
        shares = [chance.random() for _ in makers]
    else:
        spread, makers, shares = SPREAD, _USUAL, [1.0]
    drawn = {}
    for name, value in _mean_weights([make() for make in makers], shares).items():
        if name.startswith("lookahead"):  # greedy players do not look ahead
            continue
        low, high = KINDS[kind].get(name, (spread[0] * value, spread[1] * value))
        drawn[name] = round(low + (high - low) * chance.random(), _DIGITS)
    return by_field(drawn)


def _is_third(number: int) -> bool:
    """Whether a style is in every third row of kinds."""
    return number // len(KINDS) % _THIRD == _THIRD - 1


def _mean_weights(players: Sequence[CompiledAgent], shares: Sequence[float]) -> dict[str, float]:
    """Weights by ``field`` or ``field.name``: a mean of players' weights, with shares."""
    mean: dict[str, float] = {}
    for player, share in zip(players, shares, strict=True):
        for name, value, _ in describe_weights(player.weights):
            mean[name] = mean.get(name, 0.0) + share / sum(shares) * value
    return mean
