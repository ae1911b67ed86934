"""An edition, a player count and switches, flattened into one record that kernels read.

People build a :class:`RuleSet`; kernels read its row of the rules table. What does not change
during a game stands there, so that no kernel asks for an edition by name.
"""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

import numpy as np

from prico_env import catalog
from prico_env.actions import BLOCKS, NAMES, ActionBlock
from prico_env.catalog.model import MIN_PLAYERS, PLAYER_COUNTS, Building, Edition, Setup, Value
from prico_env.catalog.switches import SWITCHES, default_switches
from prico_env.errors import RuleSetError, did_you_mean
from prico_env.features import ObservationLayout, layout_for_seats
from prico_env.vocabulary import (
    CITIZEN_BUILDINGS,
    EXPANSIONS,
    MAX_PLAYERS,
    NEW_BUILDINGS,
    NOBODY,
    NUM_BASE_BUILDINGS,
    NUM_BUILDINGS,
    NUM_GOODS,
    NUM_ROLES,
    NUM_SHIPS,
    NUM_SPOTS,
    NUM_TILES,
    Expansion,
    Good,
    Role,
)

Rules: TypeAlias = Any
"""What does not change during a game: a record of :data:`RULES`."""

ROW_SPAN: Final = 32
"""The spots of the base game, rounded up to what processors copy at once."""

RULES_FIELDS: Final = (
    ("num_players", "i1", (), "Seats."),
    ("edition", "i1", (), "An `Edition`."),
    ("expansions", "i1", (), "Bits of `Expansion`."),
    ("num_actions", "i2", (), "Size of the action space of this rule set."),
    ("num_spots", "i1", (), "Spots units can stand on in this rule set: 29 in the base game."),
    ("num_buildings", "i1", (), "Building numbers that can occur: 23 in the base game."),
    ("row_span", "i1", (), "How much of a row of spots is copied at once: 32, see observation."),
    ("picks_per_round", "i1", (), "Role cards taken in a round."),
    ("row_size", "i1", (), "Tiles in a full row."),
    ("starting_coins", "i1", (MAX_PLAYERS,), "Coins by seat at set-up."),
    ("starting_tile", "i1", (MAX_PLAYERS,), "Plantation by seat at set-up."),
    ("role_in_play", "i1", (NUM_ROLES,), "Which role cards are on the table."),
    ("worker_supply", "i2", (), "Workers in the supply at set-up."),
    ("register_workers", "i2", (), "Workers on the register at set-up."),
    ("vp_pool", "i2", (), "VP at set-up."),
    ("coin_total", "i2", (), "Value of all coins."),
    ("quarries", "i1", (), "Quarries at set-up."),
    ("goods", "i1", (NUM_GOODS,), "Barrels of each kind."),
    ("plantations", "i1", (NUM_GOODS,), "Plantations of each kind, starting tiles included."),
    ("num_ships", "i1", (), "Cargo ships."),
    ("ship_size", "i1", (NUM_SHIPS,), "Capacities, ascending; 0 for a ship that is not in play."),
    ("good_price", "i1", (NUM_GOODS,), "What the trading house pays."),
    ("kind_income", "i1", (NUM_GOODS + 1,), "Factory income by number of kinds produced."),
    ("island_score", "i1", (13,), "Residence score by filled island spaces."),
    ("cost", "i1", (NUM_BUILDINGS,), "Price before discounts."),
    ("vp", "i1", (NUM_BUILDINGS,), "Printed VP."),
    ("column", "i1", (NUM_BUILDINGS,), "Column 1 to 4: the most quarries that may discount it."),
    ("spaces", "i1", (NUM_BUILDINGS,), "City spaces it fills."),
    ("copies", "i1", (NUM_BUILDINGS,), "Copies at set-up; 0 for a type that is not in the game."),
    ("building_class", "i1", (NUM_BUILDINGS,), "A `BuildingClass`."),
    ("crop", "i1", (NUM_BUILDINGS,), "The good a production building processes, -1 none."),
    ("power", "i1", (NUM_BUILDINGS,), "The `Power` it gives, -1 none."),
    ("power_amount", "i1", (NUM_BUILDINGS,), "How much of it."),
    ("circles", "i1", (NUM_SPOTS,), "Circles of one tile or building of each spot."),
    # -- switches: 1 is on -----------------------------------------------------------------------
    ("skip_forced", "i1", (), "Carry out forced decisions without asking."),
    ("ask_gains", "i1", (), "`optional_gains` is ask: every optional gain is a decision."),
    ("bank_limited", "i1", (), "The bank pays only what it has."),
    ("hospice_either_tile", "i1", (), "`hospice_scope` is either_tile_once."),
    ("privilege_of_capacity", "i1", (), "`craftsman_privilege_domain` is can_produce."),
    ("voluntary_discard", "i1", (), "Storable barrels may be given up."),
    ("vp_hidden", "i1", (), "Opponents' VP are hidden."),
    ("shared_victory", "i1", (), "A tie after the tie-break is shared."),
    ("max_rounds", "i2", (), "Rounds after which a game is truncated."),
)
"""Every field: name, type of an element, shape, meaning."""

RULES: Final = np.dtype([(name, kind, shape) for name, kind, shape, _ in RULES_FIELDS])
"""The record of one rule set."""

PLAYABLE_EXPANSIONS: Final[tuple[str, ...]] = ()
"""The expansions that the engine plays. The others are in the catalog, and refused here."""

STANDARD_BOARD: Final = "standard"
"""The commercial buildings for sale are those of the base game."""


class Preset(NamedTuple):
    """What a source document allows (rules.md 0.6)."""

    edition: str
    expansions: tuple[str, ...]
    text: str


PRESETS: Final = {
    "doc000": Preset("1897-en", EXPANSIONS, "the 1897 rules in English"),
    "doc001": Preset("classic", (), "the original rules"),
    "doc002": Preset("1897-de", EXPANSIONS, "the 1897 rules in German"),
    "doc003": Preset("classic", (), "the summary of the original, which plays like doc001"),
    "doc004": Preset("classic", ("buildings", "citizens"), "the original rules and expansions"),
}
"""A rule set for each source document."""


@dataclass(frozen=True)
class ActionTable:
    """The actions of one rule set: a prefix of the table of all actions, or the whole of it.

    Attributes:
        names: Action names by number.
        ids: Action numbers by name.
        blocks: The blocks of actions, by their numbers.
        slices: Where each kind of action stands, by the block's kind.
    """

    names: tuple[str, ...]
    ids: Mapping[str, int]
    blocks: tuple[ActionBlock, ...]
    slices: Mapping[str, slice]

    def __len__(self) -> int:
        return len(self.names)


class RuleSet:
    """What is played: an edition, a number of players, expansions and switches.

    It never changes, can be a key of a dictionary and survives JSON, YAML and pickle. Every switch
    is an attribute: ``rules.hospice_scope``.

    >>> rules = RuleSet(players=3, edition="classic", vp_pool=60)
    >>> rules
    RuleSet(players=3, edition='classic', vp_pool=60)
    >>> RuleSet.from_dict(rules.to_dict()) == rules
    True
    >>> rules.num_actions
    140

    Attributes:
        players: Number of players, 2 to 5.
        edition: ``"1897-en"``, ``"1897-de"`` or ``"classic"``.
        expansions: The expansions in play, in one fixed order.
        board: Which commercial buildings are for sale.
        switches: What every switch is in this rule set.
    """

    players: int
    edition: str
    expansions: tuple[str, ...]
    board: str | tuple[str, ...]
    switches: Mapping[str, Value]

    def __init__(
        self,
        /,
        players: int = 4,
        edition: str = "1897-en",
        expansions: Iterable[str] = (),
        board: str | Iterable[str] = STANDARD_BOARD,
        **switches: Value,
    ) -> None:
        """Check what is asked for and fill in the defaults.

        Args:
            players: Number of players, 2 to 5.
            edition: ``"1897-en"``, ``"1897-de"`` or ``"classic"``.
            expansions: Any of ``"buildings"``, ``"citizens"``, ``"smuggler"``, ``"festival"``.
            board: Which commercial buildings are for sale.
            **switches: Switches that differ from what the edition says; `SWITCHES` lists them.

        Raises:
            RuleSetError: There is no such rule set, or it contradicts itself.
        """
        box = _checked_edition(edition)
        seats = _checked_players(players)
        modules = _checked_expansions(expansions, box)
        defaults = default_switches(box, seats, modules)
        values = defaults | {
            name: _checked_switch(name, value, box, seats, modules, defaults)
            for name, value in switches.items()
        }
        _check_figures(values, box.setups[seats], seats)
        self.__dict__.update(
            values,
            players=seats,
            edition=box.key,
            expansions=modules,
            board=_checked_board(board),
            switches=MappingProxyType(values),
            _changes=tuple(
                (name, value) for name, value in values.items() if value != defaults[name]
            ),
        )

    @classmethod
    def preset(cls, name: str, players: int = 4, **fields: Any) -> "RuleSet":
        """Return the rules as a source document has them.

        Args:
            name: ``"doc000"`` to ``"doc004"``.
            players: Number of players, 2 to 5.
            **fields: Further fields, as `RuleSet` takes them, except the edition.

        Raises:
            RuleSetError: There is no such preset, or the document does not have what is asked for.
        """
        if name not in PRESETS:
            raise RuleSetError(
                f"no preset is called {name!r}; the presets are {', '.join(PRESETS)}"
                f"{did_you_mean(name, PRESETS)}"
            )
        preset = PRESETS[name]
        edition = fields.pop("edition", preset.edition)
        if edition != preset.edition:
            raise RuleSetError(
                f"{name} is {preset.text}, edition {preset.edition!r}, so it cannot be played as "
                f"{edition!r}; leave the edition out, or use RuleSet(edition={edition!r})"
            )
        modules = _expansion_names(fields.get("expansions", ()))
        missing = [module for module in modules if module not in preset.expansions]
        if missing and set(missing) <= set(EXPANSIONS):
            has = _listed(preset.expansions) if preset.expansions else "the base game only"
            others = [key for key in PRESETS if set(modules) <= set(PRESETS[key].expansions)]
            raise RuleSetError(
                f"{name} does not have the expansion {_listed(missing)}; it has {has}. "
                f"Presets that have it: {', '.join(others)}"
            )
        return cls(players=players, edition=edition, **fields)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> "RuleSet":
        """Return the rule set that :meth:`to_dict` wrote; what is left out has its default."""
        if not isinstance(fields, Mapping):
            raise RuleSetError(
                f"a rule set is read from a mapping of fields, not from {fields!r}; "
                "for instance {'players': 4, 'edition': '1897-en'}"
            )
        odd = [key for key in fields if not isinstance(key, str)]
        if odd:
            raise RuleSetError(f"the fields of a rule set are words, and {odd[0]!r} is not one")
        return cls(**fields)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON or YAML; switches only where they differ from defaults."""
        fields: dict[str, Any] = {
            "players": self.players,
            "edition": self.edition,
            "expansions": list(self.expansions),
        }
        if self.board != STANDARD_BOARD:
            fields["board"] = self.board if isinstance(self.board, str) else list(self.board)
        return fields | dict(self._changes)

    @functools.cached_property
    def table(self) -> np.ndarray:
        """These rules as kernels read them: a read-only array of `RULES`, shape ``(1,)``."""
        table = np.zeros(1, dtype=RULES)
        _fill_table(table[0], self, catalog.load(self.edition))
        table.flags.writeable = False
        return table

    @property
    def num_actions(self) -> int:
        """Size of the action space."""
        return len(self.actions)

    @property
    def actions(self) -> ActionTable:
        """The actions of this rule set: their names, numbers, blocks and slices."""
        return _action_table(self.expansions)

    @property
    def observation(self) -> ObservationLayout:
        """What the features of an observation mean: their places, ranges and labels."""
        return layout_for_seats(self.players)

    def __getattr__(self, name: str) -> Any:
        # Only asked when nothing of this name exists.
        known = ("players", "edition", "expansions", "board", *SWITCHES)
        raise AttributeError(f"a rule set has no {name!r}{did_you_mean(name, known)}")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"a rule set does not change; make another one to have {name} = {value!r}"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a rule set does not change; {name} cannot be deleted")

    def __repr__(self) -> str:
        parts: dict[str, object] = {"players": self.players, "edition": self.edition}
        if self.expansions:
            parts["expansions"] = self.expansions
        if self.board != STANDARD_BOARD:
            parts["board"] = self.board
        parts.update(self._changes)
        return f"RuleSet({', '.join(f'{name}={value!r}' for name, value in parts.items())})"

    def _identity(self) -> tuple[object, ...]:
        return (self.players, self.edition, self.expansions, self.board, self._changes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleSet):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self) -> tuple[Any, ...]:
        return RuleSet.from_dict, (self.to_dict(),)

    def __copy__(self) -> "RuleSet":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "RuleSet":
        return self


# -- what may be asked for -------------------------------------------------------------------------


def _checked_edition(edition: object) -> Edition:
    known = catalog.names()
    if not isinstance(edition, str) or edition not in known:
        raise RuleSetError(
            f"no edition is called {edition!r}; the editions are {', '.join(known)}"
            f"{did_you_mean(edition, known)}"
        )
    return catalog.load(edition)


def _checked_players(players: object) -> int:
    players = _plain(players)
    if type(players) is not int or players not in PLAYER_COUNTS:
        raise RuleSetError(f"players={players!r} is not a number of players; choose 2, 3, 4 or 5")
    return players


def _expansion_names(expansions: object) -> tuple[str, ...]:
    if isinstance(expansions, str) or not isinstance(expansions, Iterable):
        raise RuleSetError(
            f"expansions={expansions!r} is not a list of expansions; give a list such as "
            "['buildings'], or leave it out"
        )
    return tuple(expansions)


def _checked_expansions(expansions: object, box: Edition) -> tuple[str, ...]:
    asked = _expansion_names(expansions)
    for name in asked:
        if name not in EXPANSIONS:
            raise RuleSetError(
                f"no expansion is called {name!r}; the expansions are {', '.join(EXPANSIONS)}"
                f"{did_you_mean(name, EXPANSIONS)}"
            )
    strange = [name for name in EXPANSIONS if name in asked and name not in box.expansions]
    if strange:
        editions = [key for key in catalog.names() if set(strange) <= set(_has(key))]
        verb = "does" if len(strange) == 1 else "do"
        raise RuleSetError(
            f"{_listed(strange)} {verb} not exist in {box.key}; leave that out, or choose the "
            f"edition {_listed(editions, 'or')}"
        )
    modules = tuple(name for name in EXPANSIONS if name in asked)
    missing = [name for name in modules if name not in PLAYABLE_EXPANSIONS]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise RuleSetError(
            f"the expansion {_listed(missing)} {verb} not there yet; only the base game can be "
            "played so far, so leave expansions out"
        )
    return modules


def _checked_board(board: object) -> str:
    if isinstance(board, str) and board == STANDARD_BOARD:
        return STANDARD_BOARD
    shown = board if isinstance(board, str) or not isinstance(board, Iterable) else tuple(board)
    raise RuleSetError(
        f"board={shown!r} chooses among the buildings of the expansion 'buildings', which is not "
        f"in this rule set; leave the board out (it is {STANDARD_BOARD!r})"
    )


def _checked_switch(
    name: str,
    given: object,
    box: Edition,
    players: int,
    modules: tuple[str, ...],
    defaults: Mapping[str, Value],
) -> Value:
    value: Value = _plain(given)
    if name not in SWITCHES:
        known = ("players", "edition", "expansions", "board", *SWITCHES)
        guess = did_you_mean(name, known) or f"; the switches are {', '.join(SWITCHES)}"
        raise RuleSetError(f"no switch is called {name!r}{guess}")
    switch = SWITCHES[name]
    strange = [module for module in switch.needs if module not in box.expansions]
    if strange and value is not None:
        raise RuleSetError(
            f"{name}={value!r} is about the {_listed(strange)}, which does not exist in {box.key}; "
            "leave it out"
        )
    if strange:
        return None
    if not switch.accepts(value):
        guess = did_you_mean(value, [one for one in switch.values if isinstance(one, str)])
        raise RuleSetError(f"{name}={value!r} does not go; choose {switch.choices}{guess}")
    missing = [module for module in switch.needs if module not in modules]
    if missing and value != defaults[name]:
        raise RuleSetError(
            f"{name}={value!r} changes nothing without the expansion {_listed(missing)}, which is "
            f"not in this rule set; leave it out (it is {defaults[name]!r})"
        )
    if name == "two_player_setup":
        _check_two_player_setup(value, box, players, defaults)
    return value


def _check_two_player_setup(
    value: Value, box: Edition, players: int, defaults: Mapping[str, Value]
) -> None:
    """Two-player rules are those of 1897: own ones there, borrowed ones elsewhere (Q-02)."""
    if players != MIN_PLAYERS:
        raise RuleSetError(
            f"two_player_setup={value!r} is about the game with 2 players, and this one has "
            f"{players}; leave it out, or set players=2"
        )
    right = defaults["two_player_setup"]
    if value != right:
        why = "has no two-player rules of its own" if right == "borrowed" else "has its own rules"
        raise RuleSetError(
            f"two_player_setup={value!r} does not go: {box.key} {why}; choose {right!r}, or leave "
            "it out"
        )


def _check_figures(values: Mapping[str, Value], setup: Setup, players: int) -> None:
    penalty, coins = int(values["corn_start_penalty"] or 0), int(values["coin_total_value"] or 0)
    if penalty > setup.coins:
        raise RuleSetError(
            f"corn_start_penalty={penalty} takes more than the {setup.coins} starting coins of "
            f"{players} players; choose 0 to {setup.coins}"
        )
    dealt = setup.coins * players - penalty * setup.starting_tiles.count(Good.CORN)
    if coins < dealt:
        raise RuleSetError(
            f"coin_total_value={coins} does not cover the {dealt} starting coins of {players} "
            f"players; choose {dealt} or more"
        )


def _has(edition: str) -> tuple[str, ...]:
    return catalog.load(edition).expansions


def _listed(words: Iterable[str], joint: str = "and") -> str:
    *first, last = words
    return f"{', '.join(first)} {joint} {last}" if first else last


def _plain(value: object) -> Any:
    """Take a NumPy number for what it says."""
    return value.item() if isinstance(value, np.generic) else value


# -- as kernels read it ----------------------------------------------------------------------------


@functools.cache
def _action_table(expansions: tuple[str, ...]) -> ActionTable:
    stop = max(block.stop for block in BLOCKS if block.module in ("base", *expansions))
    blocks = tuple(block for block in BLOCKS if block.start < stop)
    names = NAMES[:stop]
    return ActionTable(
        names=names,
        ids=MappingProxyType({name: number for number, name in enumerate(names)}),
        blocks=blocks,
        slices=MappingProxyType({block.kind: slice(block.start, block.stop) for block in blocks}),
    )


@functools.lru_cache(maxsize=256)
def kernel_table(rules: RuleSet) -> np.ndarray:
    """Return the table of a rule set as kernels take it, shape ``(1,)``; shared, so never written.

    `RuleSet.table` is read-only, which Numba counts as another type and would compile for again.
    """
    return rules.table.copy()


def _num_buildings(expansions: tuple[str, ...]) -> int:
    """How many building numbers can occur; those of an expansion left out may lie between."""
    if "citizens" in expansions:
        return NUM_BASE_BUILDINGS + len(NEW_BUILDINGS) + len(CITIZEN_BUILDINGS)
    if "buildings" in expansions:
        return NUM_BASE_BUILDINGS + len(NEW_BUILDINGS)
    return NUM_BASE_BUILDINGS


def _fill_table(row: Any, rules: RuleSet, box: Edition) -> None:
    """Write a rule set into its record."""
    row["num_players"] = rules.players
    row["edition"] = box.number
    row["expansions"] = sum(Expansion[name.upper()] for name in rules.expansions)
    row["num_actions"] = rules.num_actions
    row["num_buildings"] = _num_buildings(rules.expansions)
    row["num_spots"] = NUM_TILES + row["num_buildings"]
    row["row_span"] = ROW_SPAN
    _fill_setup(row, rules, box.setups[rules.players])
    _fill_buildings(row, rules, box.buildings)
    row["good_price"] = box.good_price
    row["kind_income"] = box.kind_income
    row["island_score"] = box.island_score
    row["island_score"][0] = rules.residence_zero_tiles_vp
    _fill_switches(row, rules)


def _fill_setup(row: Any, rules: RuleSet, setup: Setup) -> None:
    """Write the figures of A.2."""
    row["picks_per_round"] = setup.picks_per_round
    row["row_size"] = setup.row_size
    row["starting_tile"] = NOBODY
    for seat, good in enumerate(setup.starting_tiles):
        row["starting_tile"][seat] = good
        penalty = rules.corn_start_penalty if good == Good.CORN else 0
        row["starting_coins"][seat] = setup.coins - penalty
    row["role_in_play"][: Role.PROSPECTOR_1 + setup.prospectors] = 1
    row["role_in_play"][Role.SMUGGLER] = "smuggler" in rules.expansions
    row["worker_supply"] = setup.worker_supply
    row["register_workers"] = setup.register_workers
    row["vp_pool"] = rules.vp_pool
    row["coin_total"] = rules.coin_total_value
    row["quarries"] = setup.quarries
    row["goods"] = setup.goods
    row["plantations"] = setup.plantations
    row["num_ships"] = len(setup.ships)
    row["ship_size"][: len(setup.ships)] = setup.ships


def _fill_buildings(row: Any, rules: RuleSet, buildings: tuple[Building, ...]) -> None:
    """Write the table of A.4. Every type has its figures; only types in the game have copies."""
    row["circles"][:NUM_TILES] = 1
    for building in buildings:
        number = building.number
        row["cost"][number] = building.cost
        row["vp"][number] = building.vp
        row["column"][number] = building.column
        row["spaces"][number] = building.spaces
        if building.module in ("base", *rules.expansions):
            row["copies"][number] = building.copies_for(rules.players)
        row["building_class"][number] = building.building_class
        row["crop"][number] = NOBODY if building.crop is None else building.crop
        row["power"][number] = NOBODY if building.power is None else building.power
        row["power_amount"][number] = building.power_amount
        row["circles"][NUM_TILES + number] = building.circles
    if rules.swap_factory_university:
        by_name = {building.id: building for building in buildings}
        factory, university = by_name["factory"], by_name["university"]
        row["cost"][factory.number] = university.cost
        row["cost"][university.number] = factory.cost


def _fill_switches(row: Any, rules: RuleSet) -> None:
    """Write the switches that a kernel asks for."""
    row["skip_forced"] = rules.skip_forced
    row["ask_gains"] = rules.optional_gains == "ask"
    row["bank_limited"] = rules.bank_limited
    row["hospice_either_tile"] = rules.hospice_scope == "either_tile_once"
    row["privilege_of_capacity"] = rules.craftsman_privilege_domain == "can_produce"
    row["voluntary_discard"] = rules.voluntary_discard
    row["vp_hidden"] = rules.vp_hidden
    row["shared_victory"] = rules.shared_victory
    row["max_rounds"] = rules.max_rounds
