"""Every switch: a rule that editions read differently, or that a table may choose.

A row says what a switch is about, what it can be set to, what it is when nobody says anything and
how compiled rules see it. An edition file names the switches that it sets otherwise; the field of
the rules record, its range and its reference follow from the row.
"""

import enum
import typing
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from prico_env.catalog.kinds import VillaMode, Windows
from prico_env.catalog.model import Edition, Value


@dataclass(frozen=True)
class Switch:
    """One row of the table of switches.

    Attributes:
        name: Its name in a rule set.
        values: What it can be set to; a range stands for whole numbers.
        default: What it is unless an edition says otherwise.
        text: What it decides, in one sentence, with the rule it belongs to.
        needs: The expansions without which it decides nothing.
        kernels: How it stands in the rules record. ``True``: in a field of its own name, as the
            number or truth value it is. One of its values: in a field that is 1 for this value,
            called ``<name>_is_<value>``. An enumeration: in a field of its own name, by the number
            of the value there. ``False``: in none; other fields are worked out from it.
        holds_pairs: Whether it holds any pairs of building ids; its values are then examples.
    """

    name: str
    values: Sequence[Value]
    default: Value
    text: str
    needs: tuple[str, ...] = ()
    kernels: bool | str | type[enum.IntEnum] = True
    holds_pairs: bool = False

    @property
    def field(self) -> str | None:
        """Its field in the rules record, if it has one."""
        if self.kernels is False:
            return None
        return f"{self.name}_is_{self.kernels}" if isinstance(self.kernels, str) else self.name

    @property
    def kind(self) -> str:
        """The type of that field: the smallest that holds every value."""
        numbers = self.values if isinstance(self.values, range) else range(2)
        return np.min_scalar_type(-numbers.stop).str[1:]

    def number(self, value: Value) -> int:
        """Return what a value is in the rules record; a switch that decides nothing is 0."""
        if value is None:
            return 0
        if isinstance(self.kernels, str):
            return int(value == self.kernels)
        if isinstance(self.kernels, enum.EnumType):
            return self.kernels[str(value).upper()]
        return int(typing.cast(int, value))

    def accepts(self, value: object) -> bool:
        """Whether it can be set to this value; 1 is not true here, nor 0 false."""
        if isinstance(self.values, range):
            return type(value) is int and value in self.values
        if self.holds_pairs:
            return value is None or _are_pairs(value)
        return any(type(value) is type(known) and value == known for known in self.values)

    @property
    def choices(self) -> str:
        """Its values, as words for a sentence."""
        if isinstance(self.values, range):
            return f"a whole number from {self.values.start} to {self.values.stop - 1}"
        if self.holds_pairs:
            return "None or a list of pairs of building ids, such as [['office', 'trading_post']]"
        return " or ".join(repr(value) for value in self.values)


def _are_pairs(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(pair, tuple)
        and all(isinstance(name, str) for name in pair)
        and len(pair) == len(set(pair)) == _PAIR
        for pair in value
    )


_PAIR: Final = 2
_YES_OR_NO: Final = (False, True)
_X1: Final = ("buildings",)
_X2: Final = ("citizens",)
_X1_AND_X2: Final = ("buildings", "citizens")
_X3: Final = ("smuggler",)
_X1_AND_X3: Final = ("buildings", "smuggler")
_X4: Final = ("festival",)

SWITCHES: Final = {
    switch.name: switch
    for switch in (
        # -- figures ------------------------------------------------------------------------------
        Switch("vp_pool", range(1, 10_000), None, "VP in the pool at set-up (A.2, D-02)."),
        Switch("coin_total_value", range(1, 10_000), 83, "Value of all coins (D-03)."),
        Switch("max_rounds", range(1, 32_768), 200, "A game is cut off after these rounds (I-33)."),
        # -- the base game ------------------------------------------------------------------------
        Switch("bank_limited", _YES_OR_NO, False, "The bank pays only what it has (Q-06)."),
        Switch(
            "two_player_setup", ("own", "borrowed"), "own",
            "Whether two players use rules of this edition or those of 1897 (D-04, Q-02).",
            kernels=False,
        ),
        Switch(
            "hospice_scope", ("normal_tile", "either_tile_once"), "normal_tile",
            "Which tile the hospice's worker may join: only the tile of the normal action, or "
            "instead the one drawn with the hacienda (R-HOS-3).", kernels="either_tile_once",
        ),
        Switch(
            "craftsman_privilege_domain", ("produced", "can_produce"), "produced",
            "What the craftsman's further barrel may be: a kind just produced, or any kind the "
            "player could produce (R-CRA-7).", kernels="can_produce",
        ),
        Switch(
            "voluntary_discard", _YES_OR_NO, False,
            "Barrels that could be stored may be given up (R-CAP-11).",
        ),
        Switch(
            "wharf_capacity", (11, None), None,
            "The most barrels a wharf ships; it never binds (R-WHF-5).", kernels=False,
        ),
        Switch(
            "residence_zero_tiles_vp", (0, 4), 0,
            "What an occupied residence scores for an empty island (R-RES-1).", kernels=False,
        ),
        Switch("vp_hidden", _YES_OR_NO, False, "Opponents' VP are hidden (D-25)."),
        Switch(
            "optional_gains", ("auto", "ask"), "auto",
            "Whether gains that nobody refuses are taken unasked (R-ROL-9).", kernels="ask",
        ),
        Switch(
            "shared_victory", _YES_OR_NO, True,
            "A tie in VP and in coins with barrels is a shared victory (R-SCO-4).",
        ),
        Switch(
            "skip_forced", _YES_OR_NO, True,
            "A decision with a single legal action is carried out without asking.",
        ),
        # -- tournament variants ------------------------------------------------------------------
        Switch(
            "swap_factory_university", _YES_OR_NO, False,
            "The factory costs what the university costs, and the other way round.",
            kernels=False,
        ),
        Switch(
            "corn_start_penalty", range(10), 0,
            "Coins that each seat starting with corn has fewer at set-up.", kernels=False,
        ),
        # -- new buildings (X1) -------------------------------------------------------------------
        Switch(
            "forest_source", ("own_stack_12", "facedown_estate"), "facedown_estate",
            "Whether forests are tiles of their own or plantations face down (D-36).", _X1,
            kernels="own_stack_12",
        ),
        Switch(
            "lighthouse_counts_wharves", _YES_OR_NO, True,
            "The lighthouse pays for loads onto the wharf and small wharf too (R-LGT-1).", _X1,
        ),
        Switch(
            "specialty_counts_privilege", _YES_OR_NO, True,
            "The specialty factory counts the craftsman's further barrels (R-SPF-3).", _X1,
        ),
        Switch(
            "library_two_same_goods", _YES_OR_NO, True,
            "The craftsman with a library may take two barrels of one kind (R-LIB-7).", _X1,
        ),
        Switch(
            "union_hall_timing", ("first_turn", "phase_start"), "first_turn",
            "When the union hall gives its VP (R-UNH-3).", _X1, kernels="phase_start",
        ),
        Switch(
            "trading_post_after_house_full", _YES_OR_NO, True,
            "The trading post buys even when the trading house is full (R-TPO-5).", _X1,
        ),
        Switch(
            "black_market_excludes_own_worker", _YES_OR_NO, True,
            "The unit on the black market cannot be returned through it (R-BLK-5).", _X1,
        ),
        Switch(
            "guest_windows", ("full", "reduced"), "full",
            "Whether guests may move at every point, or only on own turns and as a phase closes "
            "(R-GST-3).", _X1, kernels=Windows,
        ),
        Switch(
            "exclusive_buildings", (None, (("office", "trading_post"),)), None,
            "Pairs of buildings of which a draft, a random and a fixed board hold one at most "
            "(R-X1-9, D-41).", _X1, kernels=False, holds_pairs=True,
        ),
        # -- citizens (X2) ------------------------------------------------------------------------
        Switch(
            "royal_supplier_timing", ("first_turn", "phase_start"), "first_turn",
            "When the royal supplier returns barrels (R-RSP-4).", _X2, kernels="phase_start",
        ),
        Switch(
            "royal_supplier_count", ("up_to", "exactly"), "up_to",
            "Whether fewer barrels than citizens may be returned (R-RSP-5).", _X2,
            kernels="exactly",
        ),
        Switch(
            "chapel_timing", ("with_production", "phase_start"), "with_production",
            "When the chapel pays (R-CHP-2).", _X2, kernels="phase_start",
        ),
        Switch(
            "villa_mode", ("extra", "replace_first_take", "replace_privilege"), "extra",
            "Whether the villa's citizen comes on top, or instead of its owner's first unit from "
            "the register, or instead of a worker of the mayor's privilege (R-VIL-1, Q-117).", _X2,
            kernels=VillaMode,
        ),
        Switch(
            "villa_timing", ("first_turn", "phase_start"), "first_turn",
            "When the villa's citizen comes (R-VIL-1).", _X2, kernels="phase_start",
        ),
        Switch(
            "land_office_sale_to", ("discard", "face_up_row"), "discard",
            "Where a tile sold at the land office goes (R-LND-4).", _X2, kernels="face_up_row",
        ),
        Switch(
            "citizens_from_supply_by_worker_effects", _YES_OR_NO, False,
            "Effects that give a worker from the supply may give a citizen (R-X2-7).", _X2,
        ),
        Switch(
            "land_office_sells_forest", _YES_OR_NO, False,
            "A forest may be sold at the land office (R-LND-3).", _X1_AND_X2,
        ),
        Switch(
            "land_office_forest_buy", ("take_from_forest_stack", "flip_bought_tile"),
            "flip_bought_tile",
            "How a tile bought at the land office becomes a forest (R-LND-6).", _X1_AND_X2,
            kernels="flip_bought_tile",
        ),
        Switch(
            "x2_with_x1_setup", ("add_all_8", "draft_extra_slots"), "add_all_8",
            "How the buildings of the citizens join the draft (R-X2-10).", _X1_AND_X2,
            kernels=False,
        ),
        # -- smuggler (X3) ------------------------------------------------------------------------
        Switch(
            "capture_others_act", _YES_OR_NO, False,
            "Others act too when a captured role is played at the end of a round (R-SMG-14).", _X3,
        ),
        Switch(
            "smuggler_affected_by_buildings", _YES_OR_NO, False,
            "The library doubles the privilege of a captured role that its captor plays (R-SMG-9).",
            _X1_AND_X3,
        ),
        # -- festival (X4) ------------------------------------------------------------------------
        Switch(
            "festival_building_pool", ("four_named", "all_vp3"), "all_vp3",
            "Which buildings the festival may ask for (R-FES-4).", _X4, kernels=False,
        ),
        Switch(
            "festival_redraw_if_same_product", _YES_OR_NO, True,
            "Another building is drawn if the first suits the goal's plantation (R-FES-5).", _X4,
        ),
        Switch(
            "festival_two_player_refill", _YES_OR_NO, True,
            "With two players the building drawn is replaced in the supply (R-FES-6).", _X4,
        ),
        Switch(
            "festival_estate_returns_to", ("face_up_row", "deck"), "deck",
            "Where the festival's plantation goes once it is won (R-FES-7).", _X4,
            kernels="face_up_row",
        ),
        Switch(
            "festival_production_window", ("own_turn", "whole_phase"), "whole_phase",
            "Which barrels count for the festival's goods (R-FES-8).", _X4, kernels="whole_phase",
        ),
    )
}  # fmt: skip
"""Every switch by its name."""


def default_switches(
    edition: Edition, players: int, expansions: Sequence[str] = ()
) -> dict[str, Value]:
    """Return what every switch is when nobody says anything.

    A switch about an expansion that the edition does not have is `None`.
    """
    values = {name: switch.default for name, switch in SWITCHES.items()}
    values.update(edition.switches)
    if {"buildings", "citizens"} & set(expansions):
        values.update(edition.switches_with_new_buildings)
    values["vp_pool"] = edition.setups[players].vp_pool
    for name, switch in SWITCHES.items():
        if not set(switch.needs) <= set(edition.expansions):
            values[name] = None
    return values
