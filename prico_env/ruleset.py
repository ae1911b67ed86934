"""An edition, a player count and switches, flattened into one record that kernels read.

People build a :class:`RuleSet`; kernels read its row of the rules table. What does not change
during a game stands there, so that no kernel asks for an edition by name.
"""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np

from prico_env import catalog
from prico_env.actions import BLOCKS, NAMES, ActionBlock
from prico_env.catalog.draft import candidates, slots
from prico_env.catalog.model import MIN_PLAYERS, PLAYER_COUNTS, Building, Edition, Setup, Value
from prico_env.catalog.options import SWITCHES, default_switches
from prico_env.core.rules import ROW_SPAN, RULES, Draft
from prico_env.errors import RuleSetError, did_you_mean
from prico_env.observation_layout import ObservationLayout, layout_for
from prico_env.vocabulary import (
    BUILDINGS,
    CITIZEN_BUILDINGS,
    EXPANSIONS,
    NEW_BUILDINGS,
    NOBODY,
    NUM_BASE_BUILDINGS,
    NUM_TILES,
    Expansion,
    Good,
    Power,
    Role,
    Side,
    Windows,
)

ALL_WORKERS: Final = 100
"""With citizens all workers are used at every number of players (R-X2-2)."""
NUM_CITIZENS: Final = 20
NUM_FORESTS: Final = 12
"""Forest tiles in the stack of the classic edition (R-X1-10)."""
FESTIVAL_VP: Final = 3
"""The festival asks for a building worth so many VP (R-FES-4)."""
FESTIVAL_NAMED: Final = ("factory", "university", "harbor", "wharf")
"""What it may ask for in the English base game (R-FES-4)."""
TWO_SIDED: Final = (Power.LAND_TRADE, Power.CHAPEL, Power.HUNT, Power.NOTARY)
"""Powers that differ by the kind of unit on the building (C.6); `Side` is how much of them."""


STANDARD_BOARD: Final = "standard"
"""The commercial buildings for sale are those of the base game."""
DRAFT_BOARD: Final = "draft"
"""The players choose the commercial buildings of a game with the new buildings."""
RANDOM_BOARD: Final = "random"
"""The game's generator chooses them."""


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
        board: Which commercial buildings are for sale: ``"standard"`` without the new buildings;
            with them ``"draft"``, ``"random"``, or the ids of a fixed board by their numbers.
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
            board: With the new buildings which commercial buildings are for sale: ``"draft"``,
                where the players choose them before the first round, ``"random"``, or the ids of
                the 17 types (25 where those of the citizens are drafted too).
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
        chosen = _checked_board(board, box, modules, values)
        _check_figures(values, box.setups[seats], seats)
        _check_agreement(values, seats, modules, chosen, defaults)
        self.__dict__.update(
            values,
            players=seats,
            edition=box.key,
            expansions=modules,
            board=chosen,
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
        if self.board != _default_board(self.expansions):
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
        return layout_for(self.players, bool(self.expansions))

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
        if self.board != _default_board(self.expansions):
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
    return modules


def _default_board(modules: tuple[str, ...]) -> str:
    """Without new buildings there is nothing to choose; with them the players choose (R-X1-4)."""
    return DRAFT_BOARD if "buildings" in modules else STANDARD_BOARD


def _checked_board(
    board: object, box: Edition, modules: tuple[str, ...], values: Mapping[str, Value]
) -> str | tuple[str, ...]:
    """Return how the board is chosen, or the types on it in the order of their numbers."""
    if isinstance(board, str) and board == STANDARD_BOARD:
        return _default_board(modules)
    is_list = isinstance(board, Iterable) and not isinstance(board, str | bytes | Mapping)
    names: tuple[object, ...] = tuple(board) if is_list else ()  # type: ignore[arg-type]
    if "buildings" not in modules:
        raise RuleSetError(
            f"board={names if is_list else board!r} chooses among the buildings of the expansion "
            "'buildings', which is not in this rule set; leave the board out (it is "
            f"{STANDARD_BOARD!r})"
        )
    if is_list:
        return _checked_types(names, box, modules, values)
    if not isinstance(board, str) or board not in (DRAFT_BOARD, RANDOM_BOARD):
        raise RuleSetError(
            f"board={board!r} does not go; choose {DRAFT_BOARD!r}, {RANDOM_BOARD!r} or a list of "
            f"building ids{did_you_mean(board, (DRAFT_BOARD, RANDOM_BOARD))}"
        )
    return board


def _checked_types(
    names: Iterable[object], box: Edition, modules: tuple[str, ...], values: Mapping[str, Value]
) -> tuple[str, ...]:
    """Return the types of a board that is given as a list, if a draft could choose them."""
    extra = _drafts_citizens(modules, values)
    by_cost = candidates(_priced_buildings(box, values), extra)
    among = [building.id for types in by_cost.values() for building in types]
    chosen: set[str] = set()
    for name in names:
        if not isinstance(name, str) or name not in BUILDINGS:
            guess = did_you_mean(name, among) or f"; a draft chooses among {', '.join(among)}"
            raise RuleSetError(f"board: no building is called {name!r}{guess}")
        if name not in among:
            raise RuleSetError(
                f"board: nobody chooses {name!r}: {_why_not_drafted(box.building(name), modules)}; "
                "leave it out"
            )
        if name in chosen:
            raise RuleSetError(
                f"board: {name!r} is there twice, and each type is chosen once; the game has "
                "every copy of it anyway"
            )
        chosen.add(name)
    _check_slots(chosen, by_cost, slots(extra))
    return tuple(name for name in BUILDINGS if name in chosen)


def _why_not_drafted(building: Building, modules: tuple[str, ...]) -> str:
    if building.module == "base":
        return "production buildings are always in the game"
    if building.module in modules:
        return "with x2_with_x1_setup='add_all_8' it is in the game anyway"
    return f"it belongs to the expansion {building.module!r}, which is not in this rule set"


def _check_slots(
    chosen: set[str],
    by_cost: Mapping[int, tuple[Building, ...]],
    wanted: Mapping[int, int],
) -> None:
    """As many types of each cost as the board has room for (R-X1-3, R-X2-10)."""
    wrong = [
        cost
        for cost, types in by_cost.items()
        if sum(building.id in chosen for building in types) != wanted[cost]
    ]
    if not wrong:
        return
    cost, *more = wrong
    there = [building.id for building in by_cost[cost]]
    have = [name for name in there if name in chosen]
    shown = f"{len(have)} ({', '.join(have)})" if have else "0"
    verb = "does" if len(more) == 1 else "do"
    others = f"; cost {_listed(map(str, more))} {verb} not fit either" if more else ""
    raise RuleSetError(
        f"board: of the buildings that cost {cost} it has {shown}, and a draft chooses "
        f"{wanted[cost]} of {', '.join(there)}{others}"
    )


def _drafts_citizens(modules: tuple[str, ...], values: Mapping[str, Value]) -> bool:
    """Whether the buildings of the citizens compete for the places on the board (R-X2-10)."""
    return "citizens" in modules and values["x2_with_x1_setup"] == "draft_extra_slots"


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


def _check_agreement(
    values: Mapping[str, Value],
    players: int,
    modules: tuple[str, ...],
    board: str | tuple[str, ...],
    defaults: Mapping[str, Value],
) -> None:
    """Refuse switches that leave each other nothing to do."""
    if "citizens" in modules:
        _check_villa(values)
        if "buildings" in modules:
            _check_forests(values)
    if "festival" in modules:
        _check_festival(values, players, board, defaults)


def _check_villa(values: Mapping[str, Value]) -> None:
    """As the phase starts nothing has been dealt that a citizen could replace (R-VIL-1)."""
    if values["villa_mode"] == "replace_first_take" and values["villa_timing"] == "phase_start":
        raise RuleSetError(
            "villa_mode='replace_first_take' needs a turn whose unit the citizen replaces, and "
            "villa_timing='phase_start' comes before all turns; choose villa_timing='first_turn', "
            "or villa_mode='extra'"
        )


def _check_forests(values: Mapping[str, Value]) -> None:
    """The land office takes forests from where the forest house does (R-FOH-1, R-LND-6)."""
    source, buys = values["forest_source"], values["land_office_forest_buy"]
    if source == "facedown_estate" and buys == "take_from_forest_stack":
        raise RuleSetError(
            f"land_office_forest_buy={buys!r} needs a stack of forests, and with "
            f"forest_source={source!r} there is none; choose "
            "land_office_forest_buy='flip_bought_tile', or forest_source='own_stack_12'"
        )
    if source == "own_stack_12" and buys == "flip_bought_tile":
        raise RuleSetError(
            f"land_office_forest_buy={buys!r} lays plantations face down, and with "
            f"forest_source={source!r} forests are tiles of their own; choose "
            "land_office_forest_buy='take_from_forest_stack', or forest_source='facedown_estate'"
        )


def _check_festival(
    values: Mapping[str, Value],
    players: int,
    board: str | tuple[str, ...],
    defaults: Mapping[str, Value],
) -> None:
    """The festival asks for a building that is for sale (R-FES-4), refilled for two (R-FES-6)."""
    pool, refill = values["festival_building_pool"], values["festival_two_player_refill"]
    if pool == "four_named" and isinstance(board, tuple) and not set(FESTIVAL_NAMED) & set(board):
        raise RuleSetError(
            f"festival_building_pool={pool!r} asks for the {_listed(FESTIVAL_NAMED, 'or')}, and "
            "the board has none of them; put one on the board, or choose 'all_vp3'"
        )
    if players != MIN_PLAYERS and refill != defaults["festival_two_player_refill"]:
        raise RuleSetError(
            f"festival_two_player_refill={refill!r} is about the game with 2 players, and this "
            f"one has {players}; leave it out, or set players=2"
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
    _fill_buildings(row, rules, _priced_buildings(box, rules.switches))
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
    if "citizens" in rules.expansions:
        row["citizens"] = NUM_CITIZENS
        row["worker_supply"] = ALL_WORKERS - setup.register_workers
    row["vp_pool"] = rules.vp_pool
    row["coin_total"] = rules.coin_total_value
    row["quarries"] = setup.quarries
    row["goods"] = setup.goods
    row["plantations"] = setup.plantations
    row["num_ships"] = len(setup.ships)
    row["ship_size"][: len(setup.ships)] = setup.ships


def _priced_buildings(box: Edition, values: Mapping[str, Value]) -> tuple[Building, ...]:
    """Return the buildings with the prices of this rule set."""
    if not values["swap_factory_university"]:
        return box.buildings
    factory, university = box.building("factory"), box.building("university")
    return box.changed_buildings(
        factory={"cost": university.cost}, university={"cost": factory.cost}
    )


def _fill_buildings(row: Any, rules: RuleSet, buildings: tuple[Building, ...]) -> None:
    """Write the table of A.4. Every type has its figures; only types in the game have copies."""
    row["circles"][:NUM_TILES] = 1
    row["power_spot"] = NOBODY
    for building in buildings:
        number = building.number
        row["cost"][number] = building.cost
        row["vp"][number] = building.vp
        row["column"][number] = building.column
        row["spaces"][number] = building.spaces
        if building.module in ("base", *rules.expansions):
            row["copies"][number] = building.copies_for(rules.players)
            row["spare_copies"][number] = building.copies - building.copies_for(rules.players)
        row["building_class"][number] = building.building_class
        row["crop"][number] = NOBODY if building.crop is None else building.crop
        row["power"][number] = NOBODY if building.power is None else building.power
        row["power_amount"][number] = building.power_amount
        row["citizen_amount"][number] = building.power_amount
        if building.power in TWO_SIDED:
            row["citizen_amount"][number] = Side.CITIZEN
        if building.power is not None and row["power_spot"][building.power] == NOBODY:
            row["power_spot"][building.power] = NUM_TILES + number
        row["circles"][NUM_TILES + number] = building.circles
    row["start_supply"] = row["copies"]
    if "buildings" in rules.expansions:
        _fill_draft(row, rules, buildings)
    if "festival" in rules.expansions:
        _fill_festival(row, rules, buildings)


def _fill_draft(row: Any, rules: RuleSet, buildings: tuple[Building, ...]) -> None:
    """Write what the draft chooses among, or what has been chosen (R-X1-1..6, R-X2-10)."""
    extra = _drafts_citizens(rules.expansions, rules.switches)
    chosen = rules.board if isinstance(rules.board, tuple) else ()
    for cost, types in candidates(buildings, extra).items():
        row["draft_slots"][cost] = slots(extra)[cost]
        for building in types:
            row["draft_pool"][building.number] = 1
            if building.id in chosen:
                row["board"][building.number] = 1
            else:
                row["start_supply"][building.number] = 0
    if not chosen:
        row["draft"] = Draft.BY_PLAYERS if rules.board == DRAFT_BOARD else Draft.AT_RANDOM


def _fill_festival(row: Any, rules: RuleSet, buildings: tuple[Building, ...]) -> None:
    """Write which buildings the festival may ask for (R-FES-4, Q-148)."""
    row["festival"] = 1
    named = rules.festival_building_pool == "four_named"
    for building in buildings:
        asked = building.id in FESTIVAL_NAMED if named else building.vp == FESTIVAL_VP
        row["festival_pool"][building.number] = asked and row["copies"][building.number] > 0


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
    if "buildings" in rules.expansions:
        row["windows"] = Windows.FULL if rules.guest_windows == "full" else Windows.REDUCED
        row["forest_stack"] = rules.forest_source == "own_stack_12"
        row["forests"] = NUM_FORESTS if row["forest_stack"] else 0
    for field, name, value in _FLAGS:
        if set(SWITCHES[name].needs) <= set(rules.expansions):
            row[field] = getattr(rules, name) == value


_FLAGS: Final = (
    ("lighthouse_counts_wharves", "lighthouse_counts_wharves", True),
    ("specialty_counts_privilege", "specialty_counts_privilege", True),
    ("library_two_same_goods", "library_two_same_goods", True),
    ("union_hall_at_start", "union_hall_timing", "phase_start"),
    ("post_when_house_full", "trading_post_after_house_full", True),
    ("market_spares_own_unit", "black_market_excludes_own_worker", True),
    ("supplier_at_start", "royal_supplier_timing", "phase_start"),
    ("supplier_exactly", "royal_supplier_count", "exactly"),
    ("chapel_at_start", "chapel_timing", "phase_start"),
    ("villa_at_start", "villa_timing", "phase_start"),
    ("villa_extra", "villa_mode", "extra"),
    ("land_sale_to_row", "land_office_sale_to", "face_up_row"),
    ("land_sells_forest", "land_office_sells_forest", True),
    ("land_flips_tile", "land_office_forest_buy", "flip_bought_tile"),
    ("citizens_for_workers", "citizens_from_supply_by_worker_effects", True),
    ("captured_all_act", "capture_others_act", True),
    ("captured_doubles", "smuggler_affected_by_buildings", True),
    ("festival_redraw", "festival_redraw_if_same_product", True),
    ("festival_refill", "festival_two_player_refill", True),
    ("festival_to_row", "festival_estate_returns_to", "face_up_row"),
    ("festival_whole_phase", "festival_production_window", "whole_phase"),
)
"""The switches of the expansions that are on for one value: field, switch, value."""
