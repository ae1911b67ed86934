"""The weights of the evaluation and the greedy policy: numbers that were tuned, or chosen for a style.

Everything else is counted. A persona is a player with some weights of its own.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from prico_agents.base import AgentError
from prico_agents.heuristic_engine.power_values import power_values
from prico_agents.renamed import name_hint
from prico_env.errors import quoted
from prico_env.vocabulary import GOODS, POWERS, ROLES, Power

_ROLES = dict.fromkeys(ROLES, 1.0)
_NOTHING = dict.fromkeys(ROLES, 0.0)
_CROPS = dict.fromkeys(GOODS, 1.0)

FIELDS: Final = (
    # -- how long the game lasts -----------------------------------------------------------------
    ("pace_vp", 0.34, "How much of the VP two rounds use up, before this game has shown its pace."),
    ("pace_workers", 0.15, "The same of the workers."),
    ("pace_city", 0.35, "The same of the spaces of the fullest city."),
    ("often", {
        **_ROLES, "settler": 0.76, "mayor": 3.41, "builder": 1.77, "craftsman": 0.49, "trader": 1.06, "captain": 1.54,
        "prospector_1": 1.31,
    }, "How often each role is taken, beside the mean of all."),
    # -- what things are worth, in VP ------------------------------------------------------------
    ("coin", 1.1, "A coin while there is time to spend it."),
    ("coin_patience", 1.53, "Builder phases left at which it is worth half of that."),
    ("hold", 3.02, "Barrels a seat can ship in a captain phase."),
    ("hold_own_ship", 5.22, "How many more with a ship of one's own."),
    ("stock", 0.71, "A barrel in store, beside one still to be produced."),
    ("crop", {
        **_CROPS, "corn": 0.83, "indigo": 0.59, "sugar": 0.9, "tobacco": 0.58, "coffee": 1.17,
    }, "A barrel of each kind still to be produced, beside any other."),
    ("sale", 0.42, "The chance to sell in a trader phase."),
    ("sale_any_kind", 0.34, "What it gains where a kind may be sold twice."),
    ("second_kind", 0.56, "How much a second kind to sell adds, beside the best."),
    ("vacant", 0.68, "The chance that an empty circle is staffed if units are enough."),
    ("units_in_phase", 3.06, "Units a mayor phase brings a seat."),
    ("field_alone", 0.39, "A field nobody can process, beside one that is."),
    ("plant_alone", 0.12, "A circle of a plant without a field, beside one that has it."),
    ("quarry", 0.43, "How often one of the first quarries saves its coin in a builder phase."),
    ("quarry_later", 0.45, "The same of the others."),
    ("plants_to_come", 0.63, "Production buildings that a builder phase brings, for a bonus on them."),
    ("commerce_to_come", 0.22, "Commercial buildings, for a bonus on those."),
    ("vp_to_come", 4.91, "VP that a captain phase brings, for a bonus on them."),
    ("space", 0.12, "A free city space, for each builder phase to come."),
    ("power", dict(zip(POWERS, (value.weight for value in power_values(Power)), strict=True)),
     "What a power brings each time its phase is played, in its unit; see `evaluation.power_value`."),
    # -- lookahead -------------------------------------------------------------------------------
    ("lookahead_phases", 4.0, "Phases of the rollout after a choice of role, its own included."),
    ("lookahead_phases_within", 1.0, "Phases of the rollout after other moves, the present one included."),
    # -- win probabilities -----------------------------------------------------------------------
    ("temperature", 2.44, "Softmax temperature of win probabilities at the end of the game, in VP."),
    ("temperature_by_round", 1.3, "How much higher it is with every round to come."),
    # -- roles, to the greedy policy --------------------------------------------------------------
    ("opponent_weight", 0.47, "How much the mean gain of the others counts against one's own."),
    ("leader_weight", 0.0, "How much the gain of the leader among the others counts against one's own besides."),
    ("taken_later", 0.43, "How sure it is that somebody else takes a role that is left."),
    ("tile", 0.9, "A tile, for each craftsman phase to come."),
    ("unit", 0.26, "A unit that finds a circle, for each craftsman phase to come."),
    ("spend", 0.09, "What a coin gains when it is spent."),
    ("aboard", 0.3, "What a barrel gains when it is shipped."),
    ("role", {
        **_NOTHING, "settler": -0.19, "mayor": -1.33, "builder": -0.02, "craftsman": -0.03, "trader": -0.13,
        "captain": 0.46, "prospector_1": -0.01,
    }, "What a player likes about a role besides, in VP."),
)  # fmt: skip
"""Every field: name, value or values by name, meaning."""

GREEDY_WEIGHTS: Final[Mapping[str, Any]] = {
    "pace_vp": 0.16,
    "pace_workers": 0.17,
    "pace_city": 0.17,
    "often": {
        "settler": 0.78, "mayor": 1.8, "builder": 1.08, "craftsman": 0.89, "trader": 0.8,
        "captain": 1.93, "prospector_1": 1.47,
    },
    "coin": 1.07,
    "coin_patience": 1.16,
    "hold": 4.12,
    "hold_own_ship": 3.25,
    "stock": 0.91,
    "sale": 0.38,
    "sale_any_kind": 0.26,
    "second_kind": 0.35,
    "vacant": 0.48,
    "units_in_phase": 1.57,
    "field_alone": 0.32,
    "plant_alone": 0.18,
    "quarry": 0.53,
    "quarry_later": 0.44,
    "plants_to_come": 0.3,
    "commerce_to_come": 0.31,
    "vp_to_come": 4.08,
    "space": 0.11,
    "power": {
        "extra_tile": 0.36, "quarry_right": 0.3, "store_kinds": 0.27, "staff_tile": 0.45,
        "kind_income": 1.03, "staff_building": 0.45, "load_vp": 1.02, "score_plants": 1.19,
        "score_island": 0.88, "score_units": 1.09, "score_vp": 1.32, "score_commerce": 1.05,
    },
    "opponent_weight": 0.58,
    "taken_later": 0.27,
    "tile": 0.99,
    "unit": 0.36,
    "spend": 0.16,
    "aboard": 0.43,
    "role": {
        "settler": 0.18, "mayor": -0.77, "builder": 0.03, "craftsman": -0.51, "trader": 0.33,
        "captain": 0.49, "prospector_1": 0.25,
    },
}  # fmt: skip
"""Style weights of greedy players.

The numbers above are the best for positions that a lookahead arrives at, these for the moves
themselves. Both were found by playing: small changes were kept when they won more games.
"""

WEIGHTS: Final = np.dtype(
    [(name, "f8", (len(value),) if isinstance(value, dict) else ()) for name, value, _ in FIELDS]
)
"""The record of one player's weights."""
_LARGEST: Final = 1_000_000
"""The largest weight in either direction; beyond that evaluations are no numbers any more."""
_FIELD_NAMES: Final = tuple(name for name, _, _ in FIELDS)
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(value) for name, value, _ in FIELDS if isinstance(value, dict)
}


def new_weights(**changes: Any) -> NDArray[Any]:
    """Return the usual weights with some of them changed, shape ``(1,)``.

    Args:
        **changes: New values by field; of a field with names, a mapping of some of them.

    Raises:
        AgentError: There is no such field or name, or a value is no number.

    >>> float(new_weights(coin=0.5, role={"captain": 1})["coin"][0])
    0.5
    """
    record = np.zeros(1, WEIGHTS)
    for name, value, _ in FIELDS:
        record[name] = list(value.values()) if isinstance(value, dict) else value
    set_weights(record, changes)
    return record


def set_weights(record: NDArray[Any], changes: Mapping[str, Any]) -> None:
    """Change some weights in place; see `new_weights`."""
    for name, value in changes.items():
        if name not in _FIELD_NAMES:
            raise AgentError(f"there is no weight {name!r}{name_hint(name, _FIELD_NAMES)}")
        if name in _NAMES:
            _change_some(record[name][0], name, value)
        else:
            record[name] = _number(name, value)


def by_field(weights: Mapping[str, float]) -> dict[str, Any]:
    """Weights by name, as `describe_weights` has them, as the changes `set_weights` takes.

    >>> by_field({"coin": 1.0, "role.captain": 0.5})
    {'coin': 1.0, 'role': {'captain': 0.5}}
    """
    changes: dict[str, Any] = {}
    for name, value in weights.items():
        field, _, part = name.partition(".")
        into, key = (changes.setdefault(field, {}), part) if part else (changes, field)
        into[key] = value
    return changes


def describe_weights(record: NDArray[Any]) -> list[tuple[str, float, str]]:
    """Name, value and meaning of each weight of a record of shape ``(1,)``."""
    lines = []
    for name, _, meaning in FIELDS:
        if name in _NAMES:
            lines += [
                (f"{name}.{part}", float(value), meaning)
                for part, value in zip(_NAMES[name], record[name][0], strict=True)
            ]
        else:
            lines.append((name, float(record[name][0]), meaning))
    return lines


def _change_some(row: NDArray[np.float64], field: str, changes: ArrayLike) -> None:
    names = _NAMES[field]
    if not isinstance(changes, Mapping):
        raise AgentError(f"the weight {field!r} takes numbers by name, not {quoted(changes)}")
    for name, value in changes.items():
        if name not in names:
            raise AgentError(f"the weight {field!r} has no {name!r}{name_hint(name, names)}")
        row[names.index(name)] = _number(f"{field}.{name}", value)


def _number(name: str, value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number:
        raise AgentError(f"the weight {name!r} must be a number, not {quoted(value)}")
    if not abs(value) <= _LARGEST:
        raise AgentError(
            f"the weight {name!r} must be a number from -{_LARGEST:,} to {_LARGEST:,}, not {quoted(value)}"
        )
    return float(value)
