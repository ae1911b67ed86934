"""The shape of an edition: what may stand in a file of `catalog.editions`, checked when it loads.

Figures that were only printed on artwork are data with a mark of how sure we are of them:
``[T]`` stated in the text of a rulebook, ``[X]`` forced by its examples or by arithmetic over what
it states, ``[K]`` published component values that no text of it states.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from prico_env.catalog.kinds import (
    GOODS,
    MAX_PLAYERS,
    NUM_GOODS,
    PHASES,
    ROLES,
    BuildingClass,
    Good,
    Power,
)

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""Pairs of building ids."""
Value: TypeAlias = bool | int | str | Pairs | None
"""What a switch can be set to."""

MIN_PLAYERS: Final = 2
PLAYER_COUNTS: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)
BUILDING_MODULES: Final = ("base", "buildings", "citizens")
"""What may bring a building: the base game, and two expansions."""
LARGE_COLUMN: Final = 4
"""Buildings of this column fill two city spaces (A.4)."""

TERMS: Final = (
    "worker",
    "workers",
    "citizen",
    "citizens",
    "register",
    "worker_supply",
    "portrait",
    "player_board",
    "island",
    "city",
    "plantation",
    "plantations",
    "island_tile",
    "quarry",
    "quarries",
    "forest",
    "forests",
    "row",
    "deck",
    "discard",
    "circle",
    "circles",
    "column",
    "commercial_building",
    "privilege",
    "coin",
    "coins",
    "good",
    "goods",
    "barrel",
    "barrels",
    "cargo_ship",
    "private_ship",
    "trading_house",
    "governor",
    "vp",
)
"""The general words that an edition prints in its own way."""


@dataclass(frozen=True)
class Building:
    """A type of building: one row of the table of buildings (A.4).

    Attributes:
        id: Its engine id.
        code: Its code in the rules, of a few capitals.
        cost: Coins before discounts.
        vp: Victory points printed on it.
        column: 1 to 4, which is also the most quarries that may discount it.
        circles: How many units fit on it.
        copies: Tiles in the game with three or more players.
        copies_two_players: Tiles in the game with two players.
        building_class: What sort it is.
        text: What it does, in a sentence of our own.
        powers: What it gives while occupied: a power and how much of it, one at most.
        crop: The good it processes, if it is a production building.
        evidence: How sure the figures are.
        module: ``"base"``, or the expansion that brings it.
        number: Its number, the same in every edition, which the catalog counts: buildings that a
            row of an earlier edition has come first, new ones behind all others.
    """

    id: str
    code: str
    cost: int
    vp: int
    column: int
    circles: int
    copies: int
    copies_two_players: int
    building_class: BuildingClass
    text: str
    powers: Mapping[Power, int] = field(default_factory=dict, hash=False)
    crop: Good | None = None
    evidence: str = "[T]"
    module: str = "base"
    number: int = -1

    def __post_init__(self) -> None:
        object.__setattr__(self, "powers", MappingProxyType(dict(self.powers)))
        _check(
            self.module in BUILDING_MODULES,
            f"{self.id} is of no module {self.module!r}; choose {', '.join(BUILDING_MODULES)}",
        )
        _check(len(self.powers) <= 1, f"{self.id} has more than one power; the record holds one")
        _check(1 <= self.column <= LARGE_COLUMN, f"{self.id} is in no column {self.column}")
        for name in ("cost", "vp", "circles", "copies", "copies_two_players"):
            _check(getattr(self, name) >= 0, f"{self.id} has a negative {name}")

    @property
    def spaces(self) -> int:
        """City spaces it fills (R-GEN-5)."""
        return 2 if self.column == LARGE_COLUMN else 1

    @property
    def power(self) -> Power | None:
        """The power it gives while occupied, if any."""
        return next(iter(self.powers), None)

    @property
    def power_amount(self) -> int:
        """How much of its power it gives; 0 when it gives none."""
        return sum(self.powers.values())

    def copies_for(self, players: int) -> int:
        """Tiles in the game with so many players (R-SET-4)."""
        return self.copies_two_players if players == MIN_PLAYERS else self.copies


@dataclass(frozen=True)
class Setup:
    """What lies on the table when a game of so many players starts (A.2).

    Attributes:
        vp_pool: VP to be won before the game ends.
        worker_supply: Workers in the supply.
        register_workers: Workers on the register.
        coins: Coins of each player.
        starting_tiles: Plantation of each seat; the first governor sits at 0.
        row_size: Plantations face up.
        prospectors: Prospector cards in play.
        picks_per_round: Role cards taken in a round.
        ships: Capacities of the cargo ships, ascending.
        goods: Barrels of each kind.
        plantations: Plantations of each kind, starting tiles included.
        quarries: Quarries.
        evidence: How sure the figures are.
    """

    vp_pool: int
    worker_supply: int
    register_workers: int
    coins: int
    starting_tiles: tuple[Good, ...]
    row_size: int
    prospectors: int
    picks_per_round: int
    ships: tuple[int, ...]
    goods: tuple[int, ...]
    plantations: tuple[int, ...]
    quarries: int
    evidence: str = "[T]"

    def __post_init__(self) -> None:
        _check(len(self.goods) == NUM_GOODS, "a set-up counts the barrels of five goods")
        _check(len(self.plantations) == NUM_GOODS, "a set-up counts plantations of five kinds")
        _check(list(self.ships) == sorted(self.ships), "ships are listed by capacity, ascending")


@dataclass(frozen=True)
class Edition:
    """One edition of the game: its figures, its words and how its rules differ.

    Attributes:
        key: Its name in a rule set.
        title: Its name for a reader.
        language: Language of its printed words, as a two-letter code.
        expansions: The expansions that exist in this edition.
        buildings: Every building of it.
        setups: The set-up for each number of players.
        good_price: What the trading house pays for each good.
        kind_income: Factory income by the number of kinds produced (R-FAC-1).
        island_score: Residence score by filled island spaces (R-RES-1); what an empty island
            gives is the switch ``residence_zero_tiles_vp``.
        switches: Where its rules differ from the defaults of `catalog.switches`.
        switches_with_new_buildings: Further differences when X1 or X2 is in the game.
        good_names: Printed name of each good.
        role_names: Printed name of each role card.
        building_names: Printed name of each building; the catalog adds the ids of those that only
            other editions have.
        phase_names: What each phase is called.
        terms: Printed words for general things.
        number: Its number in the rules record; one of your own leaves it to the catalog.
    """

    key: str
    title: str
    language: str
    expansions: tuple[str, ...]
    buildings: tuple[Building, ...]
    setups: Mapping[int, Setup] = field(hash=False)
    good_price: tuple[int, ...]
    kind_income: tuple[int, ...]
    island_score: tuple[int, ...]
    switches: Mapping[str, Value] = field(hash=False)
    good_names: Mapping[str, str] = field(hash=False)
    role_names: Mapping[str, str] = field(hash=False)
    building_names: Mapping[str, str] = field(hash=False)
    phase_names: Mapping[str, str] = field(hash=False)
    terms: Mapping[str, str] = field(hash=False)
    switches_with_new_buildings: Mapping[str, Value] = field(default_factory=dict, hash=False)
    number: int = -1

    def __post_init__(self) -> None:
        ids = [building.id for building in self.buildings]
        _check(len(set(ids)) == len(ids), f"{self.key} repeats a building")
        _check(
            set(self.setups) == set(PLAYER_COUNTS), f"{self.key} lacks a set-up for 2 to 5 seats"
        )
        for players, setup in self.setups.items():
            seats = len(setup.starting_tiles)
            _check(seats == players, f"{self.key}: {seats} starting tiles for {players} players")
        words = {
            "good_names": GOODS,
            "role_names": ROLES if "smuggler" in self.expansions else ROLES[:-1],
            "building_names": ids,
            "phase_names": PHASES,
            "terms": TERMS,
        }
        for name, wanted in words.items():
            missing = [word for word in wanted if word not in getattr(self, name)]
            _check(not missing, f"{self.key}: {name} lacks {', '.join(missing)}")
        frozen = ("setups", "switches", "switches_with_new_buildings", *words)
        for name in frozen:
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def building(self, name: str) -> Building:
        """Return a building by its engine id.

        Raises:
            KeyError: This edition has no such building.
        """
        for row in self.buildings:
            if row.id == name:
                return row
        raise KeyError(f"{self.key} has no building {name!r}")

    def changed_buildings(self, **changes: Mapping[str, Any]) -> tuple[Building, ...]:
        """Return this edition's buildings with other figures in the rows that are named."""
        return tuple(replace(row, **changes.get(row.id, {})) for row in self.buildings)


def _check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
