"""An edition, a player count and switches, flattened into one record that kernels read.

People build a :class:`RuleSet`; kernels read its row of the rules table. What does not change
during a game stands there, so that no kernel asks for an edition by name.
"""

import functools
import itertools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from prico_env import catalog
from prico_env.action_factors import ACTION_KINDS, FACTOR_NUMBERS, OBJECTS
from prico_env.actions import BLOCKS, NAMES, ActionBlock
from prico_env.arguments import as_integer, instance, record
from prico_env.catalog.model import PLAYER_COUNTS, Building, Value
from prico_env.catalog.options import SWITCHES, default_switches
from prico_env.core.state import STATE
from prico_env.data_frames import data_frame
from prico_env.entity_layout import EntityLayout
from prico_env.errors import RuleSetError, did_you_mean, quoted
from prico_env.observation_layout import ObservationLayout, layout_for
from prico_env.ruleset_checks import (
    DRAFT_BOARD,
    RANDOM_BOARD,
    STANDARD_BOARD,
    check_agreement,
    check_figures,
    checked_board,
    checked_edition,
    checked_expansions,
    checked_players,
    checked_switch,
    default_board,
    expansion_names,
    listed,
)
from prico_env.ruleset_record import rules_record
from prico_env.vocabulary import EXPANSIONS, NUM_BASE_BUILDINGS

__all__ = [
    "DRAFT_BOARD",
    "PRESETS",
    "RANDOM_BOARD",
    "STANDARD_BOARD",
    "ActionTable",
    "Preset",
    "RuleSet",
    "check_position",
    "check_rules",
    "rules_or_default",
]


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
        factors: Kind, object and place of each action by number, int16, shape
            ``(num_actions, 3)``: ``load:sugar:2`` is ``load``, ``good:sugar``, ``ship:2``.
        kinds: Names of the kinds by number.
        objects: Names of the objects by number, which are those of places, too; 0 stands for none.
            The rows ``objects`` of an entity observation are in this order.
    """

    names: tuple[str, ...]
    ids: Mapping[str, int]
    blocks: tuple[ActionBlock, ...]
    slices: Mapping[str, slice]
    factors: NDArray[np.int16]
    kinds: tuple[str, ...]
    objects: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def to_frame(self) -> Any:
        """Return the actions as a `pandas.DataFrame`: a row each, with its name and its parts.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        kinds, objects, places = self.factors.T.tolist()
        return data_frame(
            {
                "name": self.names,
                "kind": [self.kinds[kind] for kind in kinds],
                "object": [self.objects[number] for number in objects],
                "place": [self.objects[number] for number in places],
                "block": [block.kind for block in self.blocks for _ in block.names],
                "module": [block.module for block in self.blocks for _ in block.names],
            },
            "action",
        )


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
        box = checked_edition(edition)
        seats = checked_players(players)
        modules = checked_expansions(expansions, box)
        defaults = default_switches(box, seats, modules)
        values = defaults | {
            name: checked_switch(name, value, box, seats, modules, defaults)
            for name, value in switches.items()
        }
        chosen = checked_board(board, box, modules, values)
        check_figures(values, box.setups[seats], seats)
        check_agreement(values, box, seats, modules, chosen, defaults)
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
        if not isinstance(name, str) or name not in PRESETS:
            raise RuleSetError(
                f"no preset is called {quoted(name)}; the presets are {', '.join(PRESETS)}"
                f"{did_you_mean(name, PRESETS)}"
            )
        preset = PRESETS[name]
        edition = fields.pop("edition", preset.edition)
        if checked_edition(edition).key != preset.edition:
            raise RuleSetError(
                f"{name} is {preset.text}, edition {preset.edition!r}, so it cannot be played as "
                f"{edition!r}; leave the edition out, or use RuleSet(edition={edition!r})"
            )
        modules = expansion_names(fields.get("expansions", ()))
        missing = [module for module in modules if module not in preset.expansions]
        if missing and set(missing) <= set(EXPANSIONS):
            has = listed(preset.expansions) if preset.expansions else "the base game only"
            others = [key for key in PRESETS if set(modules) <= set(PRESETS[key].expansions)]
            raise RuleSetError(
                f"{name} does not have the expansion {listed(missing)}; it has {has}. "
                f"Presets that have it: {', '.join(others)}"
            )
        return cls(players=players, edition=edition, **fields)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> "RuleSet":
        """Return the rule set that :meth:`to_dict` wrote; what is left out has its default."""
        if not isinstance(fields, Mapping):
            raise RuleSetError(
                f"a rule set is read from a mapping of fields, not from {quoted(fields)}; "
                "for instance {'players': 4, 'edition': '1897-en'}"
            )
        odd = [key for key in fields if not isinstance(key, str)]
        if odd:
            raise RuleSetError(
                f"the fields of a rule set are words, and {quoted(odd[0])} is not one"
            )
        try:
            return _remembered(json.dumps(fields))
        except (TypeError, ValueError, RecursionError):
            return cls(**fields)  # whatever JSON would change is judged as it was given

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON or YAML; switches only where they differ from defaults."""
        fields: dict[str, Any] = {
            "players": self.players,
            "edition": self.edition,
            "expansions": list(self.expansions),
        }
        if self.board != default_board(self.expansions):
            fields["board"] = self.board if isinstance(self.board, str) else list(self.board)
        plain = (
            (name, [list(pair) for pair in value] if isinstance(value, tuple) else value)
            for name, value in self._changes
        )
        return fields | dict(plain)

    @functools.cached_property
    def table(self) -> np.ndarray:
        """These rules as kernels read them: a read-only array of `RULES`, shape ``(1,)``."""
        return _table(self)

    @functools.cached_property
    def num_actions(self) -> int:
        """Size of the action space."""
        return len(self.actions)

    @functools.cached_property
    def actions(self) -> ActionTable:
        """The actions of this rule set: their names, numbers, blocks and slices."""
        return _action_table(self.expansions, frozenset(row.id for row in self.buildings))

    def lacks(self, block: ActionBlock) -> str | None:
        """Return why the actions of a block are not in the game, or None if they are."""
        instance(block, ActionBlock, "a block of actions is one of RuleSet.actions.blocks")
        if block.module not in ("base", *self.expansions):
            return f"belongs to the {block.module!r} expansion, which is not in this game"
        if block.building and block.building not in (row.id for row in self.buildings):
            return f"is about the {block.building}, which {self.edition} does not have"
        return None

    @functools.cached_property
    def buildings(self) -> tuple[Building, ...]:
        """The types of building that may be in the game, by number, as the edition has them."""
        modules = ("base", *self.expansions)
        rows = catalog.load(self.edition).buildings
        return tuple(row for row in rows if row.module in modules)

    @functools.cached_property
    def observation(self) -> ObservationLayout:
        """What the features of an observation mean: their places, ranges and labels."""
        goes_on = bool(self.expansions) or self.buildings[-1].number >= NUM_BASE_BUILDINGS
        return layout_for(self.players, goes_on)

    @functools.cached_property
    def entities(self) -> EntityLayout:
        """What the numbers of an entity observation mean, and how they come from the vector."""
        return EntityLayout(self.observation, self.actions.objects, self.table[0])

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
        if self.board != default_board(self.expansions):
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


@functools.lru_cache(maxsize=256)
def _remembered(fields: str) -> RuleSet:
    """Return the rule set of these fields, with all that was laid out for it before."""
    return RuleSet(**json.loads(fields))


@functools.lru_cache(maxsize=256)
def _table(rules: RuleSet) -> np.ndarray:
    """Lay a rule set out for kernels; equal ones share it, because that takes long."""
    return rules_record(rules)


@functools.cache
def _action_table(expansions: tuple[str, ...], buildings: frozenset[str]) -> ActionTable:
    modules, there = ("base", *expansions), buildings | {""}
    stop = max(one.stop for one in BLOCKS if one.module in modules and one.building in there)
    blocks = tuple(block for block in BLOCKS if block.start < stop)
    names, factors = NAMES[:stop], FACTOR_NUMBERS[:stop]
    return ActionTable(
        names=names,
        ids=MappingProxyType({name: number for number, name in enumerate(names)}),
        blocks=blocks,
        slices=MappingProxyType({block.kind: slice(block.start, block.stop) for block in blocks}),
        factors=factors,
        kinds=ACTION_KINDS[: factors[:, 0].max() + 1],
        objects=OBJECTS[: factors[:, 1:].max() + 1],
    )


_DEFAULT: Final = RuleSet()


def every_rule_set() -> tuple[RuleSet, ...]:
    """Return each edition with each choice among its expansions, for each number of players: 144.

    Options are those of the edition; the base games of an edition come first.
    """
    return tuple(
        RuleSet(players, edition, modules)
        for edition in catalog.names()
        for size in range(len(catalog.load(edition).expansions) + 1)
        for modules in itertools.combinations(catalog.load(edition).expansions, size)
        for players in PLAYER_COUNTS
    )


def rules_or_default(rules: object) -> RuleSet:
    """Return the rule set that was given; that of four players if it is None."""
    return _DEFAULT if rules is None else check_rules(rules)


def check_position(rules: object, state: object) -> None:
    """Check that a rule set and a record of one game were given, which together are a position."""
    check_rules(rules)
    record(state, STATE, "a state")


def check_rules(rules: object) -> RuleSet:
    """Return the rule set that was given.

    Raises:
        RuleSetError: It is something else; says what was probably meant.
    """
    if isinstance(rules, RuleSet):
        return rules
    meant = "RuleSet(players=4)"
    if as_integer(rules) in PLAYER_COUNTS:
        meant = f"RuleSet(players={rules})"
    elif isinstance(rules, Mapping):
        meant = "RuleSet.from_dict of this"
    elif isinstance(rules, str) and rules in catalog.names():
        meant = f"RuleSet(edition={rules!r})"
    elif isinstance(rules, str) and rules in PRESETS:
        meant = f"RuleSet.preset({rules!r})"
    raise RuleSetError(f"rules are a rule set such as {meant}, not {quoted(rules)}")
