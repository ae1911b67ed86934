"""What the powers of buildings are worth to the heuristics: one row for each.

The few powers that the evaluation has terms of their own for, such as ``OWN_SHIP``, weigh nothing
here. A power without a row is worth what `UNKNOWN_POWER` says.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from prico_env.vocabulary import Power, Role


class PowerValue(NamedTuple):
    """What a power is worth.

    Attributes:
        weight: What it brings each time its phase is played; of a bonus at the end, how much of it
            counts.
        role: The phase that uses it; any for a bonus.
        in_coins: Whether the weight is counted in coins, and not in VP.
    """

    weight: float
    role: Role = Role.BUILDER
    in_coins: bool = False


UNKNOWN_POWER: Final = PowerValue(0.5)
POWER_VALUES: Final = {
    Power.SALE_BONUS: PowerValue(0.0),
    Power.EXTRA_TILE: PowerValue(0.2, Role.SETTLER),
    Power.QUARRY_RIGHT: PowerValue(0.54, Role.SETTLER, in_coins=True),
    Power.STORE_KINDS: PowerValue(0.17, Role.CAPTAIN),
    Power.STAFF_TILE: PowerValue(0.26, Role.SETTLER),
    Power.SELL_ANY_KIND: PowerValue(0.0),
    Power.KIND_INCOME: PowerValue(2.15, Role.CRAFTSMAN, in_coins=True),
    Power.STAFF_BUILDING: PowerValue(0.35, Role.BUILDER),
    Power.LOAD_VP: PowerValue(0.7, Role.CAPTAIN),
    Power.OWN_SHIP: PowerValue(0.0),
    Power.SCORE_PLANTS: PowerValue(1.43),
    Power.SCORE_ISLAND: PowerValue(1.38),
    Power.SCORE_UNITS: PowerValue(0.86),
    Power.SCORE_VP: PowerValue(1.07),
    Power.SCORE_COMMERCE: PowerValue(1.64),
    Power.EXTRA_CROP: PowerValue(0.8, Role.CRAFTSMAN),
    Power.FOREST: PowerValue(0.3, Role.BUILDER, in_coins=True),
    Power.BARTER: PowerValue(0.8, Role.BUILDER, in_coins=True),
    Power.STORE_BARRELS: PowerValue(0.2, Role.CAPTAIN),
    Power.GUESTS: PowerValue(0.3, Role.MAYOR),
    Power.OWN_MARKET: PowerValue(1.0, Role.TRADER, in_coins=True),
    Power.BUILD_VP: PowerValue(0.8, Role.BUILDER),
    Power.SMALL_SHIP: PowerValue(0.8, Role.CAPTAIN),
    Power.LOAD_COINS: PowerValue(1.5, Role.CAPTAIN, in_coins=True),
    Power.CROP_INCOME: PowerValue(1.5, Role.CRAFTSMAN, in_coins=True),
    Power.DOUBLE_PRIVILEGE: PowerValue(0.7, Role.BUILDER, in_coins=True),
    Power.PAIR_VP: PowerValue(0.8, Role.CAPTAIN),
    Power.SCORE_SETS: PowerValue(1.0),
    Power.LAND_TRADE: PowerValue(0.3, Role.TRADER, in_coins=True),
    Power.CHAPEL: PowerValue(0.5, Role.CRAFTSMAN, in_coins=True),
    Power.HUNT: PowerValue(0.4, Role.SETTLER),
    Power.NOTARY: PowerValue(0.7, Role.BUILDER, in_coins=True),
    Power.SUPPLY: PowerValue(0.8, Role.CAPTAIN),
    Power.VILLA: PowerValue(0.6, Role.MAYOR),
    Power.CITIZEN_INCOME: PowerValue(0.3, Role.CRAFTSMAN, in_coins=True),
    Power.SCORE_CITIZENS: PowerValue(1.0),
}


def power_values(powers: Iterable[Power]) -> list[PowerValue]:
    """Return what each of some powers is worth, known or not."""
    return [POWER_VALUES.get(power, UNKNOWN_POWER) for power in powers]


PHASE_OF: Final = np.array([value.role for value in power_values(Power)], dtype=np.int64)
IN_COINS: Final = np.array([value.in_coins for value in power_values(Power)])
IS_BONUS: Final = np.array([power.name.startswith("SCORE_") for power in Power])
