"""Which commercial buildings a game with the new buildings may have (R-X1-2..7, R-X2-10)."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from prico_env.catalog.kinds import BuildingClass
from prico_env.catalog.model import Building, Edition, Value

SLOTS: Final = MappingProxyType({1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 2, 9: 1, 10: 5})
"""Types of each cost that a game with the new buildings has (R-X1-3)."""
EXTRA_SLOTS: Final = MappingProxyType({1: 1, 2: 3, 3: 2, 4: 2, 5: 3, 6: 2, 7: 2, 8: 3, 9: 1, 10: 6})
"""The same where the buildings of the citizens are drafted too (R-X2-10)."""


def slots(with_citizens: bool) -> Mapping[int, int]:
    """Return how many types of each cost are drafted.

    >>> sum(slots(with_citizens=False).values()), sum(slots(with_citizens=True).values())
    (17, 25)
    """
    return EXTRA_SLOTS if with_citizens else SLOTS


def is_drafted(building: Building, with_citizens: bool) -> bool:
    """Whether a type is one of those that the draft chooses among (R-X1-1, R-X1-2, Q-109)."""
    if building.module == "citizens":
        return with_citizens
    return building.building_class >= BuildingClass.SMALL_COMMERCIAL


def candidates(
    buildings: Iterable[Building], with_citizens: bool
) -> Mapping[int, tuple[Building, ...]]:
    """Return the types that the draft chooses among, by what they cost (R-X1-5).

    >>> from prico_env import catalog
    >>> box = catalog.load("1897-en")
    >>> [building.id for building in candidates(box.buildings, with_citizens=False)[9]]
    ['wharf', 'union_hall']
    """
    by_cost: dict[int, list[Building]] = {cost: [] for cost in SLOTS}
    for building in buildings:
        if is_drafted(building, with_citizens):
            by_cost[building.cost].append(building)
    return {cost: tuple(types) for cost, types in by_cost.items()}


def drafts_citizens(expansions: Iterable[str], switches: Mapping[str, Value]) -> bool:
    """Whether the buildings of the citizens compete for the places on the board (R-X2-10)."""
    return "citizens" in expansions and switches["x2_with_x1_setup"] == "draft_extra_slots"


def priced_buildings(box: Edition, switches: Mapping[str, Value]) -> tuple[Building, ...]:
    """Return the buildings with the prices of this rule set."""
    if not switches["swap_factory_university"]:
        return box.buildings
    factory, university = box.building("factory"), box.building("university")
    return box.changed_buildings(
        factory={"cost": university.cost}, university={"cost": factory.cost}
    )
