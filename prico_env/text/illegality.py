"""Why an action is not allowed: the rule that stands against it, in one clause.

For each kind of action stands a list of what must hold for it, as the phases' own predicates, each
with the sentence that says otherwise. The first that does not hold is the reason; where all hold,
the action is allowed.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from prico_env.actions import NAMES, NUM_ACTIONS, TARGET, UNIT, block_of
from prico_env.arguments import numbered
from prico_env.core import guest_house, island
from prico_env.core.bank import barrels_in_house, can_draw_tile, can_hire, register_of
from prico_env.core.phases import (
    builder,
    captain,
    craftsman,
    draft,
    mayor,
    placement,
    role_choice,
    settler,
    smuggler,
    storage,
    trader,
    unit_handout,
)
from prico_env.core.state import State
from prico_env.core.units import (
    count_citizens,
    empty_circles,
    has_power,
    has_unit,
    holds,
    is_passed,
)
from prico_env.errors import PricoError
from prico_env.ruleset import RuleSet, check_position
from prico_env.text.localization import overridden
from prico_env.text.voices import LibraryVoice, Voice
from prico_env.vocabulary import (
    CITY_SPACES,
    GOODS,
    NOBODY,
    NUM_SHIPS,
    NUM_TILES,
    PHASES,
    PORTRAIT,
    QUARRY,
    ROLES,
    SPOTS,
    DecisionPoint,
    Phase,
    Power,
    Side,
    Unit,
    VillaMode,
)

_UNIT_NAMES: Final = ("worker", "citizen")


class Said(NamedTuple):
    """What is said: a sentence of the section `reasons`, the rule, and figures of its own."""

    key: str
    rule: str = ""
    figures: Mapping[str, object] = MappingProxyType({})


class Case:
    """An action, and the position in which it is asked about.

    Attributes:
        voice: How it is spoken of.
        seat: The seat to act.
        word: The end of the action's name: a good, a spot, a building, a role ...
        place: Where the action stands in its block: the number of a good, a kind of tile ...
        target: The spot or building that it is about, -1 for none.
        unit_kind: The number of the kind of unit that it moves, ``unit`` its name.
    """

    def __init__(self, rules: RuleSet, state: State, action: int, voice: Voice) -> None:
        self.voice = voice
        self.rules, self.table, self.state = rules, rules.table[0], state
        self.action, self.block = action, block_of(action)
        self.seat = int(state["turn"])
        self.phase = Phase(state["phase"])
        self.point = DecisionPoint(state["decision_point"])
        self.word = NAMES[action].rpartition(":")[2]
        self.place = action - self.block.start
        self.target, self.unit_kind = int(TARGET[action]), int(UNIT[action])
        self.unit = _UNIT_NAMES[self.unit_kind]

    def say(self, said: Said) -> str:
        """Return a sentence with its figures, and with those that every sentence may show."""
        voice = self.voice
        figures = {
            "word": voice.name(self.word),
            "unit": voice.term(self.unit),
            "seat": voice.seat(self.seat),
            "seat_has": voice.seat_has(self.seat),
            **said.figures,
        }
        sentence = voice.language.reasons[said.key].format_map(voice.words(figures))
        sentence = voice.language.finish(sentence)
        return f"{sentence} ({said.rule})" if said.rule else sentence

    @property
    def here(self) -> tuple[RuleSet, State, int]:
        """What predicates take first: the rules, the game and the seat to act."""
        return self.table, self.state, self.seat

    def mine(self, field: str) -> int:
        """A number of the seat to act."""
        return int(self.state[field][self.seat])

    def has(self, power: Power) -> bool:
        """Whether an occupied building gives the seat to act a power."""
        return bool(has_power(self.state, self.seat, power))

    def side(self, power: Power) -> int:
        """How much of a two-sided building's power the seat to act has."""
        return int(self.state["powers"][self.seat, power])


Figures = Callable[[Case], Mapping[str, object]]


class Check(NamedTuple):
    """Something that must hold for an action, and what is said if it does not.

    Attributes:
        holds: Whether it does.
        said: The key of a sentence, or what finds out what to say.
        rule: The rule that stands behind it, where there is a key.
        figures: What the sentence shows of its own, where there is a key.
    """

    holds: Callable[[Case], bool]
    said: str | Callable[[Case], Said]
    rule: str = ""
    figures: Figures = lambda c: {}

    def sentence(self, case: Case) -> str:
        """Say that it does not hold."""
        if callable(self.said):
            return case.say(self.said(case))
        return case.say(Said(self.said, self.rule, self.figures(case)))


def why_not(rules: RuleSet, state: State, action: int) -> str:
    """Say why the seat to act may not take an action, in English and by the engine's names.

    Where `override` speaks a language it is said as players are told.

    Raises:
        ValueError: It may.
    """
    check_position(rules, state)
    action = numbered(action, "action", NUM_ACTIONS)
    voice = LibraryVoice(rules) if overridden() is None else Voice(rules)
    failed = _first_failed(rules, state, action, voice)
    if failed is None:
        raise PricoError(f"action {action} ({NAMES[action]}) is allowed here")
    return failed


def first_failed(rules: RuleSet, state: State, action: int) -> str | None:
    """Say why an action is not allowed, as players are told; nothing if it is.

    It is the first thing that must hold for the action and does not, in the language that is spoken
    and in the words of the edition.
    """
    return _first_failed(rules, state, action, Voice(rules))


def _first_failed(rules: RuleSet, state: State, action: int, voice: Voice) -> str | None:
    case = Case(rules, state, action, voice)
    for check in (*_ANY, *_CHECKS[case.block.message]):
        if not check.holds(case):
            return check.sentence(case)
    return None


# -- what every kind of action needs ---------------------------------------------------------------

_ANY: Final = (
    Check(
        lambda c: not c.rules.lacks(c.block),
        "lacks",
        "",
        lambda c: {"lacks": str(c.rules.lacks(c.block))},
    ),
    Check(
        lambda c: not c.block.phases or PHASES[c.phase] in c.block.phases,
        "phase",
        "",
        lambda c: {"phases": c.voice.phases(c.block.phases)},
    ),
)

_COMES_FIRST: Final = {
    DecisionPoint.PAY: Said("first_pay", "R-BLK-3"),
    DecisionPoint.USE_TILE: Said("first_use_tile", "R-FOH-3"),
    DecisionPoint.HIRE: Said("first_hire", "R-X2-7"),
    DecisionPoint.GATHER: Said("first_gather", "Q-129"),
    DecisionPoint.PLACE_UNITS: Said("first_place_units", ""),
    DecisionPoint.SMALL_SHIP: Said("first_small_ship", "R-SWF-1"),
    DecisionPoint.SUPPLY: Said("first_supply", "R-RSP-1"),
    DecisionPoint.RAID: Said("first_raid", "R-SMG-4"),
    DecisionPoint.HUNT: Said("first_hunt", "R-LDG-3"),
    DecisionPoint.REMOVE_TILE: Said("first_remove_tile", "R-LND-3, R-LDG-1"),
    DecisionPoint.TAKE_AGAIN: Said("first_take_again", "R-LIB-4"),
    DecisionPoint.OPEN_WINDOW: Said("first_open_window", "R-GST-3"),
    DecisionPoint.TURN_WINDOW: Said("first_turn_window", "R-GST-3"),
    DecisionPoint.CLOSE_WINDOW: Said("first_close_window", "R-GST-3"),
    DecisionPoint.GAIN_COINS: Said("first_offer", "R-ROL-9"),
    DecisionPoint.GAIN_VP: Said("first_offer", "R-ROL-9"),
    DecisionPoint.GAIN_UNITS: Said("first_offer", "R-ROL-9"),
    DecisionPoint.DEAL: Said("first_deal", "R-MAY-4"),
    DecisionPoint.DRAW_TILE: Said("first_draw_tile", "R-STL-7"),
    DecisionPoint.TAKE_TILE: Said("first_take_tile", "R-STL-8"),
    DecisionPoint.STAFF_TILE: Said("first_staff_tile", "R-HOS-1"),
    DecisionPoint.STAFF_BUILDING: Said("first_staff_building", "R-UNI-1"),
    DecisionPoint.RECALL: Said("first_recall", "R-MAY-5"),
    DecisionPoint.PLACE: Said("first_place", "R-MAY-5"),
}


_NOT_NOW: Final = {
    "pay": Said("not_now_pay", "R-BLK-1"),
    "use": Said("not_now_use", "R-FOH-3"),
    "supply": Said("not_now_supply", "R-RSP-1"),
    "deal": Said("not_now_deal", "R-X2-6"),
    "place": Said("not_now_place", "R-MAY-10"),
    "recall": Said("first_deal", "R-MAY-4"),
    "lodge": Said("not_now_lodge", "R-LDG-3"),
    "draw": Said("not_now_draw", "R-STL-7, R-HAC-6"),
    "villa": Said("not_now_villa", "R-VIL-1"),
    "remove": Said("not_now_remove", "R-LND-3, R-LDG-1"),
    "privilege": Said("not_now_privilege", "R-CRA-7"),
}
"""Why a kind of action is not asked here, where nothing in particular comes first."""


def _why_not_here(c: Case) -> Said:
    """Say what comes first here, or why this kind of action is not asked."""
    verb = c.block.verb
    otherwise = _NOT_NOW.get(verb) or Said(
        "not_asked", "", {"point": c.voice.point(c.point, int(c.state["value"]))}
    )
    if verb == "draw" and c.point in (DecisionPoint.TAKE_TILE, DecisionPoint.STAFF_TILE):
        return otherwise  # too late for it, whatever comes first
    return _COMES_FIRST.get(c.point, otherwise)


def _at(*points: DecisionPoint) -> Check:
    """An action is asked for at these points only."""
    return Check(lambda c: c.point in points, _why_not_here)


# -- passing ---------------------------------------------------------------------------------------

_NO_PASSING: Final = {
    DecisionPoint.CHOOSE_ROLE: Said("no_pass_choose_role", "R-ROL-1"),
    DecisionPoint.LOAD: Said("no_pass_load", "R-CAP-2"),
    DecisionPoint.PLACE: Said("no_pass_place", "R-MAY-7"),
    DecisionPoint.RECALL: Said("no_pass_recall", "R-MAY-7"),
    DecisionPoint.DRAFT: Said("no_pass_draft", "R-X1-4"),
    DecisionPoint.PAY: Said("no_pass_pay", "R-BLK-3"),
    DecisionPoint.USE_TILE: Said("no_pass_use_tile", "R-HAC-2"),
    DecisionPoint.DEAL: Said("no_pass_deal", "R-MAY-3"),
    DecisionPoint.MAYOR_PRIVILEGE: Said("no_pass_mayor_privilege", "R-MAY-1, Q-117"),
    DecisionPoint.REMOVE_TILE: Said("no_pass_remove_tile", "R-LND-3"),
    DecisionPoint.HIRE: Said("no_pass_hire", "R-X2-7"),
    DecisionPoint.GATHER: Said("no_pass_gather", "Q-129"),
    DecisionPoint.SUPPLY: Said("no_pass_supply", "R-RSP-5"),
    DecisionPoint.STORE: Said("no_pass_store", "R-CAP-11"),
}

_MAY_PASS: Final[dict[DecisionPoint, Callable[[Case], bool]]] = {
    **dict.fromkeys(
        (
            DecisionPoint.CHOOSE_ROLE,
            DecisionPoint.PLACE,
            DecisionPoint.DRAFT,
            DecisionPoint.PAY,
            DecisionPoint.USE_TILE,
            DecisionPoint.HIRE,
            DecisionPoint.GATHER,
            DecisionPoint.REMOVE_TILE,
        ),
        lambda c: False,
    ),
    **dict.fromkeys(
        (
            DecisionPoint.STAFF_TILE,
            DecisionPoint.STAFF_BUILDING,
            DecisionPoint.CRAFTSMAN_PRIVILEGE,
        ),
        lambda c: bool(c.table["optional_gains_is_ask"]),
    ),
    DecisionPoint.MAYOR_PRIVILEGE: lambda c: (
        bool(c.table["optional_gains_is_ask"]) or not can_hire(c.table, c.state)
    ),
    DecisionPoint.LOAD: lambda c: not captain.must_load(*c.here),
    DecisionPoint.RECALL: lambda c: placement.may_stop(*c.here),
    DecisionPoint.DEAL: lambda c: mayor.is_register_empty(c.state),
    DecisionPoint.SUPPLY: lambda c: captain.may_stop_returning(c.table, c.state),
    DecisionPoint.STORE: lambda c: storage.may_take_next(*c.here, c.action),
}
"""Whether a seat may pass at a point; at the others it always may."""


def _why_no_passing(c: Case) -> Said:
    return _NO_PASSING.get(c.point, Said("no_pass"))


# -- what a sentence shows beside the action itself ------------------------------------------------


def _building(name: str) -> Figures:
    """The word of a building."""
    return lambda c: {"building": c.voice.name(name)}


def _owner(c: Case) -> dict[str, object]:
    """Who has a role card."""
    owner = int(c.state["role_owner"][ROLES.index(c.word)])
    return {"owner": c.voice.seat(owner), "owner_has": c.voice.seat_has(owner)}


def _number_of_ships(c: Case) -> dict[str, object]:
    return {"ships": int(c.table["num_ships"])}


def _citizens_held(c: Case) -> dict[str, object]:
    return {"held": int(count_citizens(c.state, c.seat))}


def _on_register(c: Case) -> dict[str, object]:
    there = sum(int(c.state[f"register_{kind}"]) for kind in ("workers", "citizens"))
    return {"stay": c.rules.players, "there": there}


# -- what several kinds of actions need ------------------------------------------------------------

_IS_HELD: Final = Check(lambda c: holds(c.state, c.seat, c.place), "has_none")
_HAS_SPACE: Final = Check(lambda c: island.has_space(c.state, c.seat), "island_full", "R-STL-4")
_HAS_NOT_SOLD: Final = Check(
    lambda c: not trader.has_sold(c.state, c.seat),
    "has_sold",
    "R-TRA-1",
)
_HAS_NOT_TRADED_LAND: Final = Check(
    lambda c: not trader.has_traded_land(c.state, c.seat),
    "has_traded_land",
    "R-LND-1",
)
_TAKES: Final = (DecisionPoint.TAKE_TILE, DecisionPoint.TAKE_AGAIN)


def _needs(power: Power, building: str, rule: str) -> Check:
    """An action needs an occupied building."""
    return Check(lambda c: c.has(power), "needs", rule, _building(building))


def _needs_side(power: Power, side: Side, building: str, rule: str) -> Check:
    """An action needs a certain kind of unit on a building."""
    unit = "worker" if side == Side.WORKER else "citizen"
    return Check(
        lambda c: c.side(power) == side,
        "needs_unit",
        rule,
        lambda c: {"unit": c.voice.term(unit), "building": c.voice.name(building)},
    )


def _card_checks(rule: str) -> tuple[Check, Check]:
    """A role card must be in play, and nobody must have taken it."""
    return (
        Check(
            lambda c: role_choice.is_in_play(c.state, ROLES.index(c.word)),
            "role_not_in_play",
        ),
        Check(
            lambda c: role_choice.is_on_table(c.state, ROLES.index(c.word)),
            "role_taken",
            rule,
            _owner,
        ),
    )


# -- forests ---------------------------------------------------------------------------------------

_FROM_STACK: Final = "forest_source_is_own_stack_12"
_HAS_FOREST_HOUSE: Final = _needs(Power.FOREST, "forest_house", "R-FOH-1")

# -- staffing --------------------------------------------------------------------------------------


def _is_handout(c: Case) -> bool:
    return c.point == DecisionPoint.PLACE_UNITS


def _is_university(c: Case) -> bool:
    return c.point == DecisionPoint.STAFF_BUILDING


_ASCENDS: Final = Check(
    lambda c: not is_passed(c.state, c.target, c.unit_kind),
    "ascending_spots",
    "",
    lambda c: {"spot": c.voice.name(SPOTS[c.target])},
)
_FITS: Final = Check(
    lambda c: placement.leaves_room(*c.here, c.target, c.unit_kind),
    "no_circle_left",
    "R-MAY-7",
)


def _has_unit_to_place(c: Case) -> bool:
    if _is_handout(c):
        return unit_handout.is_in_hand(c.state, c.unit_kind)
    return _is_university(c) or has_unit(c.state, c.seat, PORTRAIT, c.unit_kind)


# -- what is said of a price, of a ship and of a payment -------------------------------------------


def _price_of(c: Case) -> Said:
    figures = {
        "price": int(builder.price(*c.here, c.target)),
        "held": c.voice.coins(c.mine("coins")),
    }
    if not c.has(Power.BARTER):
        return Said("price", "R-BLD-4", figures)
    return Said("price_barter", "R-BLK-3", figures | {"barter": int(builder.barter(*c.here))})


def _room_for(c: Case) -> Said:
    spaces, free = int(c.table["spaces"][c.target]), CITY_SPACES - c.mine("city_used")
    return Said("room", "R-BLD-3", {"spaces": spaces, "free": free})


def _good_and_ship(c: Case) -> tuple[int, int]:
    return divmod(c.place, NUM_SHIPS)


def _cargo(c: Case) -> str:
    return GOODS[c.place // NUM_SHIPS]


def _who_carries(c: Case) -> Said:
    good, ship = _good_and_ship(c)
    carrier = captain.ship_that_carries(c.state, good)
    if carrier == NOBODY:
        carrier, good = ship, int(c.state["ship_good"][ship])
    return Said("carries", "R-CAP-3", {"ship": carrier + 1, "cargo": c.voice.name(GOODS[good])})


def _is_next(stage: int, key: str, rule: str) -> Check:
    """A resource must be the next to return, and those behind it must be enough."""
    return Check(lambda c: builder.may_return_next(*c.here, stage), key, rule)


_OFFERS: Final = (
    DecisionPoint.GAIN_COINS,
    DecisionPoint.GAIN_VP,
    DecisionPoint.RAID,
    DecisionPoint.GAIN_UNITS,
)


def _is_offered(c: Case) -> bool:
    if c.point == DecisionPoint.PRODUCE:
        return bool(c.table["optional_gains_is_ask"]) and craftsman.can_produce(*c.here)
    if c.point == DecisionPoint.MAYOR_PRIVILEGE:
        return can_hire(c.table, c.state)
    return c.point in _OFFERS


def _why_no_unit_is_dealt(c: Case) -> Said:
    if c.point == DecisionPoint.GATHER:
        return Said("unit_gather", "Q-129", {"units": c.voice.term(f"{c.word}s")})
    if c.point == DecisionPoint.DEAL:
        return Said("unit_register", "R-X2-6")
    return Said("unit_supply", "R-X2-7")


def _may_be_dealt(c: Case) -> bool:
    if c.point == DecisionPoint.DEAL:
        return register_of(c.state, c.place) > 0
    return unit_handout.may_take(c.table, c.state, c.place)


def _is_small_ship(c: Case) -> bool:
    return c.point == DecisionPoint.SMALL_SHIP


_KEEPS_ON: Final = Check(
    lambda c: storage.may_take_next(*c.here, c.action),
    "keeps_on",
    "R-CAP-10",
)

# -- the list --------------------------------------------------------------------------------------

_CHECKS: Final[dict[str, tuple[Check, ...]]] = {
    "pass": (
        Check(lambda c: c.point not in _MAY_PASS or _MAY_PASS[c.point](c),
              _why_no_passing),
    ),
    "role": (
        *_card_checks("R-ROL-2"),
        Check(lambda c: c.word != "smuggler" or not role_choice.has_smuggler_tile(c.state, c.seat),
              "has_smuggler_tile", "R-SMG-3"),
        Check(
            lambda c: not role_choice.is_captor(c.state, c.seat, ROLES.index(c.word)),
            "has_captured", "R-SMG-12",
        ),
    ),
    "board": (
        Check(lambda c: draft.is_drafted(c.table, c.target),
              "not_drafted", "R-X1-1"),
        Check(lambda c: not draft.is_chosen(c.state, c.target),
              "chosen_already", "R-X1-4"),
        Check(
            lambda c: draft.slots_left(c.table, c.state, c.table["cost"][c.target]) > 0,
            "no_slot", "R-X1-3", lambda c: {"cost": c.table["cost"][c.target]},
        ),
        Check(lambda c: draft.leaves_a_board(c.table, c.state, c.target),
              "excludes", "R-X1-9"),
    ),
    # -- settler -----------------------------------------------------------------------------------
    "take": (
        _HAS_SPACE,
        Check(lambda c: c.place == QUARRY or settler.is_in_row(c.state, c.place),
              "not_in_row"),
        Check(lambda c: c.place != QUARRY or settler.is_quarry_left(c.state),
              "no_quarry", "R-STL-5"),
        Check(
            lambda c: c.place != QUARRY or settler.has_quarry_right(c.state, c.seat),
            lambda c: (
                Said("quarry_second", "R-LIB-5")
                if c.point == DecisionPoint.TAKE_AGAIN
                else Said("quarry_right", "R-STL-2")
            ),
        ),
        Check(lambda c: c.point != DecisionPoint.DRAW_TILE, "first_draw_tile"),
        _at(*_TAKES),
    ),
    "draw": (
        _at(DecisionPoint.DRAW_TILE),
        _needs(Power.EXTRA_TILE, "hacienda", "R-HAC-1"),
        _HAS_SPACE._replace(rule="R-HAC-3"),
        Check(lambda c: can_draw_tile(c.state), "no_draw", "R-STL-13"),
    ),
    "hospice": (
        _at(DecisionPoint.STAFF_TILE),
        _needs(Power.STAFF_TILE, "hospice", "R-HOS-1"),
        Check(lambda c: can_hire(c.table, c.state),
              "no_unit_left", "R-HOS-2"),
        Check(lambda c: c.word == "taken" or bool(c.table["hospice_scope_is_either_tile_once"]),
              "hospice_taken_only", "R-HOS-3"),
        Check(lambda c: c.state[c.word] != NOBODY, lambda c: Said(f"no_tile_{c.word}", "R-HOS-1")),
        Check(lambda c: c.word == "taken" or settler.is_another_tile(c.state),
              "hospice_same", "R-HOS-3"),
        Check(lambda c: settler.is_free(c.state, c.seat, c.state[c.word]),
              "tile_has_unit", "R-HOS-1"),
    ),
    "forest_row": (
        _at(*_TAKES),
        Check(lambda c: not c.table[_FROM_STACK],
              "forest_own_stack", "R-FOH-1"),
        _HAS_FOREST_HOUSE,
        _HAS_SPACE,
        Check(lambda c: settler.is_in_row(c.state, c.place), "not_in_row"),
    ),
    "forest": (
        _at(*_TAKES),
        Check(lambda c: bool(c.table[_FROM_STACK]),
              "forest_from_row", "R-FOH-2"),
        _HAS_FOREST_HOUSE,
        _HAS_SPACE,
        Check(lambda c: island.is_forest_left(c.table, c.state),
              "no_forest", "R-FOH-1"),
    ),
    "use": (_at(DecisionPoint.USE_TILE),),
    "lodge": (
        _at(DecisionPoint.HUNT),
        _needs_side(Power.HUNT, Side.WORKER, "hunting_lodge", "R-LDG-1"),
        Check(lambda c: island.has_tile(c.state, c.seat, island.removed_kind(c.place, 0)),
              "none_on_island", "R-LDG-1"),
    ),
    "remove": (
        _at(DecisionPoint.REMOVE_TILE),
        Check(
            lambda c: island.may_remove(c.state, c.seat, int(c.state["value"]), c.action),
            "no_such_tile", "R-LND-3, R-LDG-1",
        ),
    ),
    # -- units -------------------------------------------------------------------------------------
    "recall": (
        _at(DecisionPoint.RECALL),
        Check(lambda c: has_unit(c.state, c.seat, c.target, c.unit_kind),
              "no_unit_on", "R-MAY-5"),
        _ASCENDS,
        _FITS,
    ),
    "place": (
        _at(DecisionPoint.PLACE, DecisionPoint.STAFF_BUILDING, DecisionPoint.PLACE_UNITS),
        Check(
            lambda c: (
                not _is_university(c)
                or (c.unit_kind == Unit.WORKER and c.target == NUM_TILES + c.state["bought"])
            ),
            "university_spot", "R-UNI-1",
        ),
        Check(
            _has_unit_to_place,
            lambda c: (
                Said("no_unit_in_hand")
                if _is_handout(c)
                else Said("has_no_unit_in_hand", "R-MAY-5")
            ),
        ),
        Check(lambda c: empty_circles(*c.here, c.target) > 0,
              "no_empty_circle", "R-MAY-6"),
        Check(
            lambda c: (
                c.point != DecisionPoint.PLACE
                or not placement.was_recalled(c.state, c.target, c.unit_kind)
            ),
            "taken_back_there",
        ),
        _ASCENDS._replace(holds=lambda c: _is_university(c) or _ASCENDS.holds(c)),
        _FITS._replace(holds=lambda c: c.point != DecisionPoint.PLACE or _FITS.holds(c)),
    ),
    "deal": (
        _at(DecisionPoint.DEAL, DecisionPoint.HIRE, DecisionPoint.GATHER),
        Check(lambda c: unit_handout.comes_in_order(c.state, c.place),
              "citizens_first", "Q-129"),
        Check(_may_be_dealt, _why_no_unit_is_dealt),
    ),
    "villa": (
        _at(DecisionPoint.DEAL, DecisionPoint.MAYOR_PRIVILEGE),
        _needs(Power.VILLA, "villa", "R-VIL-1"),
        Check(lambda c: c.table["villa_mode"] != VillaMode.EXTRA,
              "villa_extra", "R-VIL-1"),
        Check(
            lambda c: (c.table["villa_mode"] == VillaMode.REPLACE_PRIVILEGE)
            == (c.point == DecisionPoint.MAYOR_PRIVILEGE),
            "villa_other_moment", "Q-117",
        ),
        Check(lambda c: mayor.is_supply_left(c.state), "supply_empty", "R-VIL-2"),
        Check(
            lambda c: mayor.uses_villa(*c.here) or mayor.may_replace_privilege(*c.here),
            "villa_once", "R-VIL-1",
        ),
    ),
    "guest": (
        Check(lambda c: bool(c.table["guest_windows"]), "no_guests"),
        Check(lambda c: has_unit(c.state, c.seat, c.table["power_spot"][Power.GUESTS], c.unit_kind),
              "needs_unit", "R-GST-2", _building("guest_house")),
        Check(lambda c: c.target != c.table["power_spot"][Power.GUESTS],
              "guest_elsewhere", "R-GST-2"),
        Check(lambda c: empty_circles(*c.here, c.target) > 0,
              "no_empty_circle", "R-GST-2"),
        Check(lambda c: c.phase not in (Phase.MAYOR, Phase.SMUGGLER),
              "guests_not_here", "R-GST-3, Q-138"),
        Check(
            lambda c: guest_house.is_open(*c.here, 1),
            "guests_when", "R-GST-3",
        ),
    ),
    # -- builder -----------------------------------------------------------------------------------
    "build": (
        _at(DecisionPoint.BUY),
        Check(lambda c: not builder.has_building(c.state, c.seat, c.target),
              "has_building", "R-BLD-2"),
        Check(
            lambda c: not draft.is_drafted(c.table, c.target) or draft.is_chosen(c.state, c.target),
            "not_on_board", "R-X1-4",
        ),
        Check(lambda c: builder.is_left(c.state, c.target), "none_to_buy", "R-BLD-2"),
        Check(lambda c: builder.has_room_for(*c.here, c.target), _room_for),
        Check(lambda c: builder.can_pay(*c.here, c.target), _price_of),
    ),
    "pay": (
        _at(DecisionPoint.PAY),
        Check(lambda c: has_unit(c.state, c.seat, c.target, c.unit_kind),
              "no_unit_there", "R-BLK-5"),
        Check(lambda c: builder.may_return_from(c.table, c.target),
              "black_market_unit", "R-BLK-5"),
        _is_next(
            builder.UNIT_STAGE,
            "not_next_unit",
            "R-BLK-2, R-BLK-3",
        ),
    ),
    "pay_good": (
        _at(DecisionPoint.PAY),
        _IS_HELD,
        _is_next(
            builder.GOOD_STAGE,
            "not_next_good",
            "R-BLK-2, R-BLK-3",
        ),
    ),
    "pay_vp": (
        _at(DecisionPoint.PAY),
        Check(lambda c: builder.has_vp(c.state, c.seat), "no_vp"),
        _is_next(builder.VP_STAGE, "not_next_vp", "R-BLK-3"),
    ),
    # -- what is offered, and storage --------------------------------------------------------------
    "gain": (Check(_is_offered, "nothing_offered", "R-ROL-9"),),
    "store": (
        _IS_HELD,
        Check(lambda c: storage.kinds_to_store(c.state, c.seat) > 0,
              "no_warehouse", "R-CAP-10"),
        _KEEPS_ON,
    ),
    "keep": (_IS_HELD, _KEEPS_ON),
    # -- craftsman and trader ----------------------------------------------------------------------
    "privilege": (
        _at(DecisionPoint.CRAFTSMAN_PRIVILEGE),
        Check(lambda c: craftsman.is_another_kind(c.table, c.state, c.place),
              "library_kind", "R-LIB-7"),
        Check(lambda c: craftsman.is_privilege_kind(*c.here, c.place),
              "not_produced"),
    ),
    "sell": (
        _at(DecisionPoint.SELL),
        _HAS_NOT_SOLD,
        _IS_HELD,
        Check(lambda c: not trader.is_house_full(c.state), "house_full", "R-TRA-2"),
        Check(lambda c: trader.house_takes(c.state, c.seat, c.place),
              "house_holds", "R-TRA-3"),
    ),
    "post": (
        _at(DecisionPoint.SELL),
        _needs(Power.OWN_MARKET, "trading_post", "R-TPO-1"),
        _HAS_NOT_SOLD,
        _IS_HELD,
        Check(lambda c: trader.is_post_open(c.table, c.state),
              "post_closed", "R-TPO-5"),
    ),
    "land_buy": (
        _at(DecisionPoint.SELL),
        _HAS_NOT_TRADED_LAND,
        _needs_side(Power.LAND_TRADE, Side.WORKER, "land_office", "R-LND-2"),
        Check(lambda c: trader.can_pay_land(c.state, c.seat),
              "land_price", "R-LND-2"),
        _HAS_SPACE._replace(rule="R-LND-2"),
        Check(lambda c: trader.is_land_left(*c.here), "no_draw", "R-LND-2"),
    ),
    "land_sell": (
        _at(DecisionPoint.SELL),
        _HAS_NOT_TRADED_LAND,
        _needs_side(Power.LAND_TRADE, Side.CITIZEN, "land_office", "R-LND-3"),
        Check(lambda c: c.word != "forest" or bool(c.table["land_office_sells_forest"]),
              "forests_not_sold", "R-LND-3"),
        Check(lambda c: island.has_tile(c.state, c.seat, island.removed_kind(c.place, 0)),
              "none_on_island", "R-LND-3"),
    ),
    # -- captain -----------------------------------------------------------------------------------
    "load": (
        _at(DecisionPoint.LOAD),
        Check(lambda c: _good_and_ship(c)[1] < c.table["num_ships"], "ships", "", _number_of_ships),
        Check(lambda c: holds(c.state, c.seat, _good_and_ship(c)[0]),
              "has_none", "", lambda c: {"word": c.voice.name(_cargo(c))}),
        Check(lambda c: captain.carries_alone(c.state, *_good_and_ship(c)), _who_carries),
        Check(lambda c: captain.free_space(c.table, c.state, _good_and_ship(c)[1]) > 0,
              "ship_full", "R-CAP-3"),
        Check(lambda c: captain.takes_most(*c.here, *_good_and_ship(c)),
              "ship_takes_more", "R-CAP-3", lambda c: {"cargo": c.voice.name(_cargo(c))}),
    ),
    "wharf": (
        _at(DecisionPoint.LOAD),
        _needs(Power.OWN_SHIP, "wharf", "R-WHF-1"),
        Check(lambda c: not captain.wharf_used(c.state, c.seat),
              "wharf_once", "R-WHF-1"),
        _IS_HELD,
    ),
    "small_wharf": (
        _at(DecisionPoint.LOAD, DecisionPoint.SMALL_SHIP),
        Check(lambda c: _is_small_ship(c) or c.has(Power.SMALL_SHIP),
              "needs", "R-SWF-1", _building("small_wharf")),
        Check(lambda c: _is_small_ship(c) or not captain.small_wharf_used(c.state, c.seat),
              "small_wharf_once", "R-SWF-1"),
        _IS_HELD,
        Check(lambda c: c.place >= c.state["cursor"],
              "ascending_kinds"),
    ),
    "supply": (
        _at(DecisionPoint.SUPPLY),
        _needs(Power.SUPPLY, "royal_supplier", "R-RSP-1"),
        Check(
            lambda c: captain.has_barrels_to_return(c.state, c.seat),
            "barrel_each_citizen", "R-RSP-1", _citizens_held,
        ),
        _IS_HELD,
        Check(
            lambda c: c.place >= c.state["cursor"],
            "ascending_barrels", "R-RSP-1",
        ),
        Check(lambda c: captain.leaves_enough_kinds(*c.here, c.place),
              "as_many_as_citizens", "R-RSP-5"),
    ),
    # -- smuggler ----------------------------------------------------------------------------------
    "raid": (
        _at(DecisionPoint.SMUGGLE),
        Check(lambda c: c.place < c.table["num_ships"], "ships", "", _number_of_ships),
        Check(lambda c: smuggler.is_loaded(c.state, c.place),
              "ship_empty", "R-SMG-4, Q-126"),
    ),
    "plunder": (
        _at(DecisionPoint.SMUGGLE),
        Check(
            lambda c: barrels_in_house(c.state) > 0, "house_empty", "R-SMG-5, Q-127",
        ),
    ),
    "poach": (
        _at(DecisionPoint.SMUGGLE),
        Check(
            lambda c: smuggler.units_too_many(c.table, c.state) > 0,
            "register_stays", "R-SMG-6", _on_register,
        ),
    ),
    "capture": (_at(DecisionPoint.SMUGGLE), *_card_checks("R-SMG-7")),
}  # fmt: skip
"""What must hold for each kind of action, in the order in which it is looked at."""
