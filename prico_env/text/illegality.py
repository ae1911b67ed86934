"""Why an action is not allowed: the rule that stands against it, in one clause.

For each kind of action stands a list of what must hold for it, as the phases' own predicates, each
with the sentence that says otherwise. The first that does not hold is the reason; where all hold,
the action is allowed.
"""

from collections.abc import Callable
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
from prico_env.text.seats import given_name
from prico_env.vocabulary import (
    CITY_SPACES,
    DECISION_POINTS,
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


class Case:
    """An action, and the position in which it is asked about.

    Attributes:
        seat: The seat to act.
        word: The end of the action's name: a good, a spot, a building, a role ...
        place: Where the action stands in its block: the number of a good, a kind of tile ...
        target: The spot or building that it is about, -1 for none.
        unit: The kind of unit that it moves, ``unit_kind`` its number.
    """

    def __init__(self, rules: RuleSet, state: State, action: int) -> None:
        self.rules, self.table, self.state = rules, rules.table[0], state
        self.action, self.block = action, block_of(action)
        self.seat = int(state["turn"])
        self.phase = Phase(state["phase"])
        self.point = DecisionPoint(state["decision_point"])
        self.word = NAMES[action].rpartition(":")[2]
        self.place = action - self.block.start
        self.target, self.unit_kind = int(TARGET[action]), int(UNIT[action])
        self.unit = _UNIT_NAMES[self.unit_kind]

    @property
    def here(self) -> tuple[RuleSet, State, int]:
        """What predicates take first: the rules, the game and the seat to act."""
        return self.table, self.state, self.seat

    @property
    def seat_has(self) -> str:
        """The beginning of a sentence about what the seat to act has."""
        return self.has_of(self.seat)

    def has_of(self, seat: int) -> str:
        """The beginning of a sentence about what a seat has: "Ann has", "you have"."""
        name = given_name(int(seat)) or f"seat {seat}"
        return f"{name} have" if name == "you" else f"{name} has"

    def mine(self, field: str) -> int:
        """A number of the seat to act."""
        return int(self.state[field][self.seat])

    def has(self, power: Power) -> bool:
        """Whether an occupied building gives the seat to act a power."""
        return bool(has_power(self.state, self.seat, power))

    def side(self, power: Power) -> int:
        """How much of a two-sided building's power the seat to act has."""
        return int(self.state["powers"][self.seat, power])


class Check(NamedTuple):
    """Something that must hold for an action, and what is said if it does not."""

    holds: Callable[[Case], bool]
    sentence: str | Callable[[Case], str]


def why_not(rules: RuleSet, state: State, action: int) -> str:
    """Say why the seat to act may not take an action.

    Raises:
        ValueError: It may.
    """
    check_position(rules, state)
    action = numbered(action, "action", NUM_ACTIONS)
    failed = first_failed(rules, state, action)
    if failed is None:
        raise PricoError(f"action {action} ({NAMES[action]}) is allowed here")
    return failed


def first_failed(rules: RuleSet, state: State, action: int) -> str | None:
    """Return the sentence of the first thing that must hold for an action and does not, if any."""
    case = Case(rules, state, action)
    for check in (*_ANY, *_CHECKS[case.block.message]):
        if not check.holds(case):
            said = check.sentence
            return said.format(c=case) if isinstance(said, str) else said(case)
    return None


# -- what every kind of action needs ---------------------------------------------------------------

_ANY: Final = (
    Check(
        lambda c: not c.rules.lacks(c.block),
        lambda c: f"it {c.rules.lacks(c.block)}",
    ),
    Check(
        lambda c: not c.block.phases or PHASES[c.phase] in c.block.phases,
        lambda c: f"it belongs to the {' or '.join(c.block.phases)} phase",
    ),
)

_COMES_FIRST: Final = {
    DecisionPoint.PAY: "the building bought is paid for first, through the black market (R-BLK-3)",
    DecisionPoint.USE_TILE: "it is decided first how the tile drawn is laid (R-FOH-3)",
    DecisionPoint.HIRE: "it is decided first which kind of unit is taken (R-X2-7)",
    DecisionPoint.GATHER: "it is decided first which kinds of units are taken (Q-129)",
    DecisionPoint.PLACE_UNITS: "the units in hand are placed first",
    DecisionPoint.SMALL_SHIP: (
        "the small wharf's barrels are chosen first; pass when they are (R-SWF-1)"
    ),
    DecisionPoint.SUPPLY: "the royal supplier comes before loading; pass when it is done (R-RSP-1)",
    DecisionPoint.RAID: "the barrels of the raid are chosen first (R-SMG-4)",
    DecisionPoint.HUNT: "only the hunting lodges are left in this phase (R-LDG-3)",
    DecisionPoint.REMOVE_TILE: "it is chosen first which of the tiles goes (R-LND-3, R-LDG-1)",
    DecisionPoint.TAKE_AGAIN: "the library's second tile is chosen first (R-LIB-4)",
    DecisionPoint.OPEN_WINDOW: "only guests move as a phase opens (R-GST-3)",
    DecisionPoint.TURN_WINDOW: "only guests move before the effects of a first turn (R-GST-3)",
    DecisionPoint.CLOSE_WINDOW: "only guests move as a phase closes (R-GST-3)",
    DecisionPoint.GAIN_COINS: "an offer is taken or declined first (R-ROL-9)",
    DecisionPoint.GAIN_VP: "an offer is taken or declined first (R-ROL-9)",
    DecisionPoint.GAIN_UNITS: "an offer is taken or declined first (R-ROL-9)",
    DecisionPoint.DEAL: "the units of the register are dealt first (R-MAY-4)",
    DecisionPoint.DRAW_TILE: "a tile is drawn or declined first (R-STL-7)",
    DecisionPoint.TAKE_TILE: "a tile is taken or declined first (R-STL-8)",
    DecisionPoint.STAFF_TILE: "only the hospice's worker is left to be placed (R-HOS-1)",
    DecisionPoint.STAFF_BUILDING: "only the university's worker is left to be placed (R-UNI-1)",
    DecisionPoint.RECALL: "pass first: units are taken back before any is put down (R-MAY-5)",
    DecisionPoint.PLACE: (
        "the units in hand are put down now, and nobody is taken back any more (R-MAY-5)"
    ),
}


_NOT_NOW: Final = {
    "pay": "resources are returned only while a building is being paid for (R-BLK-1)",
    "use": "no tile has just been drawn (R-FOH-3)",
    "supply": "the royal supplier works once, before the loading (R-RSP-1)",
    "deal": "no unit is being dealt or handed out here (R-X2-6)",
    "place": "no unit is in hand here (R-MAY-10)",
    "recall": "the units of the register are dealt first (R-MAY-4)",
    "lodge": "the hunting lodges work as the phase closes (R-LDG-3)",
    "draw": "the draw comes once, before the normal action (R-STL-7, R-HAC-6)",
    "villa": "the villa works while the register is being dealt (R-VIL-1)",
    "remove": "no tile is being sold or removed (R-LND-3, R-LDG-1)",
    "privilege": "the privilege comes when all have produced (R-CRA-7)",
}
"""Why a kind of action is not asked here, where nothing in particular comes first."""


def _why_not_here(c: Case) -> str:
    """Say what comes first here, or why this kind of action is not asked."""
    verb = c.block.verb
    otherwise = _NOT_NOW.get(
        verb, f"this is not asked here; the game waits at {DECISION_POINTS[c.point]!r}"
    )
    if verb == "draw" and c.point in (DecisionPoint.TAKE_TILE, DecisionPoint.STAFF_TILE):
        return otherwise  # too late for it, whatever comes first
    return _COMES_FIRST.get(c.point, otherwise)


def _at(*points: DecisionPoint) -> Check:
    """An action is asked for at these points only."""
    return Check(lambda c: c.point in points, _why_not_here)


# -- passing ---------------------------------------------------------------------------------------

_NO_PASSING: Final = {
    DecisionPoint.CHOOSE_ROLE: "a role must be taken (R-ROL-1)",
    DecisionPoint.LOAD: "goods that a cargo ship can take must be loaded (R-CAP-2)",
    DecisionPoint.PLACE: "no worker is held back while a circle is empty (R-MAY-7)",
    DecisionPoint.RECALL: (
        "as many circles as there are units for must be filled in the end (R-MAY-7)"
    ),
    DecisionPoint.DRAFT: "everybody chooses a building; nobody passes (R-X1-4)",
    DecisionPoint.PAY: "the rest of the price is still missing (R-BLK-3)",
    DecisionPoint.USE_TILE: "the tile drawn must be laid one way or the other (R-HAC-2)",
    DecisionPoint.DEAL: "a unit must be taken, and only its kind can be chosen (R-MAY-3)",
    DecisionPoint.MAYOR_PRIVILEGE: "a worker or the villa's citizen is taken (R-MAY-1, Q-117)",
    DecisionPoint.REMOVE_TILE: "one of the tiles goes, and only which can be chosen (R-LND-3)",
    DecisionPoint.HIRE: "a unit is being taken, and only its kind can be chosen (R-X2-7)",
    DecisionPoint.GATHER: "the units are being taken, and only their kinds can be chosen (Q-129)",
    DecisionPoint.SUPPLY: "exactly one barrel is returned for each citizen (R-RSP-5)",
    DecisionPoint.STORE: "as much as may be kept must be kept (R-CAP-11)",
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

# -- what several kinds of actions need ------------------------------------------------------------

_IS_HELD: Final = Check(lambda c: holds(c.state, c.seat, c.place), "{c.seat_has} no {c.word}")
_HAS_SPACE: Final = Check(
    lambda c: island.has_space(c.state, c.seat), "all twelve island spaces are filled (R-STL-4)"
)
_HAS_NOT_SOLD: Final = Check(
    lambda c: not trader.has_sold(c.state, c.seat),
    "{c.seat_has} sold a barrel already (R-TRA-1)",
)
_HAS_NOT_TRADED_LAND: Final = Check(
    lambda c: not trader.has_traded_land(c.state, c.seat),
    "the land office trades once a phase (R-LND-1)",
)
_TAKES: Final = (DecisionPoint.TAKE_TILE, DecisionPoint.TAKE_AGAIN)


def _needs(power: Power, building: str, rule: str) -> Check:
    """An action needs an occupied building."""
    return Check(lambda c: c.has(power), f"{{c.seat_has}} no occupied {building} ({rule})")


def _needs_side(power: Power, side: Side, building: str, rule: str) -> Check:
    """An action needs a certain kind of unit on a building."""
    unit = "worker" if side == Side.WORKER else "citizen"
    return Check(
        lambda c: c.side(power) == side, f"{{c.seat_has}} no {unit} on a {building} ({rule})"
    )


def _card_checks(rule: str) -> tuple[Check, Check]:
    """A role card must be in play, and nobody must have taken it."""
    return (
        Check(
            lambda c: role_choice.is_in_play(c.state, ROLES.index(c.word)),
            "{c.word} is not in play with so many players",
        ),
        Check(
            lambda c: role_choice.is_on_table(c.state, ROLES.index(c.word)),
            lambda c: (
                f"{c.has_of(c.state['role_owner'][ROLES.index(c.word)])} taken {c.word} this round "
                f"({rule})"
            ),
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
    lambda c: f"spots are chosen in ascending order, and the place of {SPOTS[c.target]} has passed",
)
_FITS: Final = Check(
    lambda c: placement.leaves_room(*c.here, c.target, c.unit_kind),
    "the units in hand would not all find a circle (R-MAY-7)",
)


def _has_unit_to_place(c: Case) -> bool:
    if _is_handout(c):
        return unit_handout.is_in_hand(c.state, c.unit_kind)
    return _is_university(c) or has_unit(c.state, c.seat, PORTRAIT, c.unit_kind)


# -- what is said of a price, of a ship and of a payment -------------------------------------------


def _price_of(c: Case) -> str:
    price = builder.price(*c.here, c.target)
    has = f"{c.word} costs {price} and {c.seat_has} {c.mine('coins')} coins"
    if not c.has(Power.BARTER):
        return f"{has} (R-BLD-4)"
    barter = builder.barter(*c.here)
    return f"{has}, and its black market makes up for {barter} more at most (R-BLK-3)"


def _room_for(c: Case) -> str:
    spaces, free = c.table["spaces"][c.target], CITY_SPACES - c.mine("city_used")
    return f"{c.word} takes {spaces} city spaces and {free} are free (R-BLD-3)"


def _good_and_ship(c: Case) -> tuple[int, int]:
    return divmod(c.place, NUM_SHIPS)


def _cargo(c: Case) -> str:
    return GOODS[c.place // NUM_SHIPS]


def _who_carries(c: Case) -> str:
    good, ship = _good_and_ship(c)
    carrier = captain.ship_that_carries(c.state, good)
    if carrier == NOBODY:
        return f"ship {ship + 1} carries {GOODS[c.state['ship_good'][ship]]} (R-CAP-3)"
    return f"ship {carrier + 1} carries {GOODS[good]} (R-CAP-3)"


_PAY_ORDER: Final = (
    "what is left to return would not make up for the missing coins, or its turn has passed"
)


def _is_next(stage: int, said: str) -> Check:
    """A resource must be the next to return, and those behind it must be enough."""
    return Check(lambda c: builder.may_return_next(*c.here, stage), said.format(order=_PAY_ORDER))


_SHIPS: Final = "there are only {c.table[num_ships]} ships"

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


def _why_no_unit_is_dealt(c: Case) -> str:
    if c.point == DecisionPoint.GATHER:
        return f"there are not enough {c.word}s where the units are taken from (Q-129)"
    if c.point == DecisionPoint.DEAL:
        return f"no {c.word} is on the register (R-X2-6)"
    return f"no {c.word} may be taken from the supply, or from the register behind it (R-X2-7)"


def _may_be_dealt(c: Case) -> bool:
    if c.point == DecisionPoint.DEAL:
        return register_of(c.state, c.place) > 0
    return unit_handout.may_take(c.table, c.state, c.place)


def _is_small_ship(c: Case) -> bool:
    return c.point == DecisionPoint.SMALL_SHIP


_KEEPS_ON: Final = Check(
    lambda c: storage.may_take_next(*c.here, c.action),
    "no more {c.word} may be kept, or its place in the ascending order has passed (R-CAP-10)",
)

# -- the list --------------------------------------------------------------------------------------

_CHECKS: Final[dict[str, tuple[Check, ...]]] = {
    "pass": (
        Check(lambda c: c.point not in _MAY_PASS or _MAY_PASS[c.point](c),
              lambda c: _NO_PASSING.get(c.point, "this choice is not optional")),
    ),
    "role": (
        *_card_checks("R-ROL-2"),
        Check(lambda c: c.word != "smuggler" or not role_choice.has_smuggler_tile(c.state, c.seat),
              "{c.seat_has} the smuggler tile and waits until somebody takes it (R-SMG-3)"),
        Check(
            lambda c: not role_choice.is_captor(c.state, c.seat, ROLES.index(c.word)),
            "{c.seat_has} captured {c.word} and plays it at the end of the round, unless "
            "somebody else takes it (R-SMG-12)",
        ),
    ),
    "board": (
        Check(lambda c: draft.is_drafted(c.table, c.target),
              "{c.word} is in every game and is not drafted (R-X1-1)"),
        Check(lambda c: not draft.is_chosen(c.state, c.target),
              "{c.word} has been chosen already (R-X1-4)"),
        Check(
            lambda c: draft.slots_left(c.table, c.state, c.table["cost"][c.target]) > 0,
            lambda c: (
                "the board has no place left for a building that costs "
                f"{c.table['cost'][c.target]} (R-X1-3)"
            ),
        ),
        Check(lambda c: draft.leaves_a_board(c.table, c.state, c.target),
              "{c.word} excludes a building of this board, or one that it still needs (R-X1-9)"),
    ),
    # -- settler -----------------------------------------------------------------------------------
    "take": (
        _HAS_SPACE,
        Check(lambda c: c.place == QUARRY or settler.is_in_row(c.state, c.place),
              "no {c.word} lies in the row"),
        Check(lambda c: c.place != QUARRY or settler.is_quarry_left(c.state),
              "no quarry is left (R-STL-5)"),
        Check(
            lambda c: c.place != QUARRY or settler.has_quarry_right(c.state, c.seat),
            lambda c: (
                "the second tile is a quarry only with an occupied construction hut (R-LIB-5)"
                if c.point == DecisionPoint.TAKE_AGAIN
                else "only the actor or an occupied construction hut may take a quarry (R-STL-2)"
            ),
        ),
        Check(lambda c: c.point != DecisionPoint.DRAW_TILE, "a tile is drawn or declined first"),
        _at(*_TAKES),
    ),
    "draw": (
        _at(DecisionPoint.DRAW_TILE),
        _needs(Power.EXTRA_TILE, "hacienda", "R-HAC-1"),
        _HAS_SPACE._replace(sentence="all twelve island spaces are filled (R-HAC-3)"),
        Check(lambda c: can_draw_tile(c.state), "no plantation is left to draw (R-STL-13)"),
    ),
    "hospice": (
        _at(DecisionPoint.STAFF_TILE),
        _needs(Power.STAFF_TILE, "hospice", "R-HOS-1"),
        Check(lambda c: can_hire(c.table, c.state),
              "no unit is left in supply and register (R-HOS-2)"),
        Check(lambda c: c.word == "taken" or bool(c.table["hospice_scope_is_either_tile_once"]),
              "in this game the hospice serves the tile taken only (R-HOS-3)"),
        Check(lambda c: c.state[c.word] != NOBODY, "no tile was {c.word} this turn (R-HOS-1)"),
        Check(lambda c: c.word == "taken" or settler.is_another_tile(c.state),
              "it is the same as hospice:taken, for both tiles are of one kind (R-HOS-3)"),
        Check(lambda c: settler.is_free(c.state, c.seat, c.state[c.word]),
              "the tile has a unit already (R-HOS-1)"),
    ),
    "forest_row": (
        _at(*_TAKES),
        Check(lambda c: not c.table[_FROM_STACK],
              "in this game forests come from a stack of their own: take 'forest' (R-FOH-1)"),
        _HAS_FOREST_HOUSE,
        _HAS_SPACE,
        Check(lambda c: settler.is_in_row(c.state, c.place), "no {c.word} lies in the row"),
    ),
    "forest": (
        _at(*_TAKES),
        Check(lambda c: bool(c.table[_FROM_STACK]),
              "in this game a tile of the row becomes the forest: 'forest:corn' ... (R-FOH-2)"),
        _HAS_FOREST_HOUSE,
        _HAS_SPACE,
        Check(lambda c: island.is_forest_left(c.table, c.state),
              "no forest is left in the stack (R-FOH-1)"),
    ),
    "use": (_at(DecisionPoint.USE_TILE),),
    "lodge": (
        _at(DecisionPoint.HUNT),
        _needs_side(Power.HUNT, Side.WORKER, "hunting_lodge", "R-LDG-1"),
        Check(lambda c: island.has_tile(c.state, c.seat, island.removed_kind(c.place, 0)),
              "{c.seat_has} no {c.word} on its island (R-LDG-1)"),
    ),
    "remove": (
        _at(DecisionPoint.REMOVE_TILE),
        Check(
            lambda c: island.may_remove(c.state, c.seat, int(c.state["value"]), c.action),
            "{c.seat_has} no such tile of the kind that goes (R-LND-3, R-LDG-1)",
        ),
    ),
    # -- units -------------------------------------------------------------------------------------
    "recall": (
        _at(DecisionPoint.RECALL),
        Check(lambda c: has_unit(c.state, c.seat, c.target, c.unit_kind),
              "{c.seat_has} no {c.unit} on {c.word} (R-MAY-5)"),
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
            "the university's worker goes on the building just bought (R-UNI-1)",
        ),
        Check(
            _has_unit_to_place,
            lambda c: (
                f"no {c.unit} is in hand"
                if _is_handout(c)
                else f"{c.seat_has} no {c.unit} in hand (R-MAY-5)"
            ),
        ),
        Check(lambda c: empty_circles(*c.here, c.target) > 0,
              "{c.seat_has} no empty circle on {c.word} (R-MAY-6)"),
        Check(
            lambda c: (
                c.point != DecisionPoint.PLACE
                or not placement.was_recalled(c.state, c.target, c.unit_kind)
            ),
            "no {c.unit} returns to {c.word}, where one was taken back in this phase",
        ),
        _ASCENDS._replace(holds=lambda c: _is_university(c) or _ASCENDS.holds(c)),
        _FITS._replace(holds=lambda c: c.point != DecisionPoint.PLACE or _FITS.holds(c)),
    ),
    "deal": (
        _at(DecisionPoint.DEAL, DecisionPoint.HIRE, DecisionPoint.GATHER),
        Check(lambda c: unit_handout.comes_in_order(c.state, c.place),
              "citizens are taken before workers (Q-129)"),
        Check(_may_be_dealt, _why_no_unit_is_dealt),
    ),
    "villa": (
        _at(DecisionPoint.DEAL, DecisionPoint.MAYOR_PRIVILEGE),
        _needs(Power.VILLA, "villa", "R-VIL-1"),
        Check(lambda c: c.table["villa_mode"] != VillaMode.EXTRA,
              "in this game the villa's unit comes on top, without a choice (R-VIL-1)"),
        Check(
            lambda c: (c.table["villa_mode"] == VillaMode.REPLACE_PRIVILEGE)
            == (c.point == DecisionPoint.MAYOR_PRIVILEGE),
            "in this game the villa works at another moment of the phase (Q-117)",
        ),
        Check(lambda c: mayor.is_supply_left(c.state), "no unit is left in the supply (R-VIL-2)"),
        Check(
            lambda c: mayor.uses_villa(*c.here) or mayor.may_replace_privilege(*c.here),
            "the villa works once, on its owner's first turn or for a citizen (R-VIL-1)",
        ),
    ),
    "guest": (
        Check(lambda c: bool(c.table["guest_windows"]), "nobody can be a guest in this game"),
        Check(lambda c: has_unit(c.state, c.seat, c.table["power_spot"][Power.GUESTS], c.unit_kind),
              "{c.seat_has} no {c.unit} on a guest_house (R-GST-2)"),
        Check(lambda c: c.target != c.table["power_spot"][Power.GUESTS],
              "a guest moves to another building or tile (R-GST-2)"),
        Check(lambda c: empty_circles(*c.here, c.target) > 0,
              "{c.seat_has} no empty circle on {c.word} (R-GST-2)"),
        Check(lambda c: c.phase not in (Phase.MAYOR, Phase.SMUGGLER),
              "guests do not move in this phase (R-GST-3, Q-138)"),
        Check(
            lambda c: guest_house.is_open(*c.here, 1),
            "guests move as a phase opens or closes, and at the decisions of an own turn (R-GST-3)",
        ),
    ),
    # -- builder -----------------------------------------------------------------------------------
    "build": (
        _at(DecisionPoint.BUY),
        Check(lambda c: not builder.has_building(c.state, c.seat, c.target),
              "{c.seat_has} a {c.word} already (R-BLD-2)"),
        Check(
            lambda c: not draft.is_drafted(c.table, c.target) or draft.is_chosen(c.state, c.target),
            "{c.word} is not on the board of this game (R-X1-4)",
        ),
        Check(lambda c: builder.is_left(c.state, c.target), "no {c.word} is left to buy (R-BLD-2)"),
        Check(lambda c: builder.has_room_for(*c.here, c.target), _room_for),
        Check(lambda c: builder.can_pay(*c.here, c.target), _price_of),
    ),
    "pay": (
        _at(DecisionPoint.PAY),
        Check(lambda c: has_unit(c.state, c.seat, c.target, c.unit_kind),
              "{c.seat_has} no {c.unit} there: {c.word} (R-BLK-5)"),
        Check(lambda c: builder.may_return_from(c.table, c.target),
              "the unit on the black market itself cannot be returned (R-BLK-5)"),
        _is_next(
            builder.UNIT_STAGE,
            "one unit at most is returned, and first of all: {order} (R-BLK-2, R-BLK-3)",
        ),
    ),
    "pay_good": (
        _at(DecisionPoint.PAY),
        _IS_HELD,
        _is_next(
            builder.GOOD_STAGE,
            "one barrel at most is returned, after the unit: {order} (R-BLK-2, R-BLK-3)",
        ),
    ),
    "pay_vp": (
        _at(DecisionPoint.PAY),
        Check(lambda c: builder.has_vp(c.state, c.seat), "{c.seat_has} no VP"),
        _is_next(builder.VP_STAGE, "{order} (R-BLK-3)"),
    ),
    # -- what is offered, and storage --------------------------------------------------------------
    "gain": (Check(_is_offered, "nothing is offered here (R-ROL-9)"),),
    "store": (
        _IS_HELD,
        Check(lambda c: storage.kinds_to_store(c.state, c.seat) > 0,
              "{c.seat_has} no occupied warehouse (R-CAP-10)"),
        _KEEPS_ON,
    ),
    "keep": (_IS_HELD, _KEEPS_ON),
    # -- craftsman and trader ----------------------------------------------------------------------
    "privilege": (
        _at(DecisionPoint.CRAFTSMAN_PRIVILEGE),
        Check(lambda c: craftsman.is_another_kind(c.table, c.state, c.place),
              "the library's second barrel is of another kind than {c.word} (R-LIB-7)"),
        Check(lambda c: craftsman.is_privilege_kind(*c.here, c.place),
              "no {c.word} was produced, or none is left in the supply"),
    ),
    "sell": (
        _at(DecisionPoint.SELL),
        _HAS_NOT_SOLD,
        _IS_HELD,
        Check(lambda c: not trader.is_house_full(c.state), "the trading house is full (R-TRA-2)"),
        Check(lambda c: trader.house_takes(c.state, c.seat, c.place),
              "the trading house holds {c.word} already (R-TRA-3)"),
    ),
    "post": (
        _at(DecisionPoint.SELL),
        _needs(Power.OWN_MARKET, "trading_post", "R-TPO-1"),
        _HAS_NOT_SOLD,
        _IS_HELD,
        Check(lambda c: trader.is_post_open(c.table, c.state),
              "in this game the trading post closes with a full trading house (R-TPO-5)"),
    ),
    "land_buy": (
        _at(DecisionPoint.SELL),
        _HAS_NOT_TRADED_LAND,
        _needs_side(Power.LAND_TRADE, Side.WORKER, "land_office", "R-LND-2"),
        Check(lambda c: trader.can_pay_land(c.state, c.seat),
              "a tile costs 1 coin, and {c.seat_has} none (R-LND-2)"),
        _HAS_SPACE._replace(sentence="all twelve island spaces are filled (R-LND-2)"),
        Check(lambda c: trader.is_land_left(*c.here), "no plantation is left to draw (R-LND-2)"),
    ),
    "land_sell": (
        _at(DecisionPoint.SELL),
        _HAS_NOT_TRADED_LAND,
        _needs_side(Power.LAND_TRADE, Side.CITIZEN, "land_office", "R-LND-3"),
        Check(lambda c: c.word != "forest" or bool(c.table["land_office_sells_forest"]),
              "in this game forests are not sold (R-LND-3)"),
        Check(lambda c: island.has_tile(c.state, c.seat, island.removed_kind(c.place, 0)),
              "{c.seat_has} no {c.word} on its island (R-LND-3)"),
    ),
    # -- captain -----------------------------------------------------------------------------------
    "load": (
        _at(DecisionPoint.LOAD),
        Check(lambda c: _good_and_ship(c)[1] < c.table["num_ships"], _SHIPS),
        Check(lambda c: holds(c.state, c.seat, _good_and_ship(c)[0]),
              lambda c: f"{c.seat_has} no {_cargo(c)}"),
        Check(lambda c: captain.carries_alone(c.state, *_good_and_ship(c)), _who_carries),
        Check(lambda c: captain.free_space(c.table, c.state, _good_and_ship(c)[1]) > 0,
              "ship {c.word} is full (R-CAP-3)"),
        Check(lambda c: captain.takes_most(*c.here, *_good_and_ship(c)),
              lambda c: f"another empty ship takes more {_cargo(c)} (R-CAP-3)"),
    ),
    "wharf": (
        _at(DecisionPoint.LOAD),
        _needs(Power.OWN_SHIP, "wharf", "R-WHF-1"),
        Check(lambda c: not captain.wharf_used(c.state, c.seat),
              "the wharf works once a phase (R-WHF-1)"),
        _IS_HELD,
    ),
    "small_wharf": (
        _at(DecisionPoint.LOAD, DecisionPoint.SMALL_SHIP),
        Check(lambda c: _is_small_ship(c) or c.has(Power.SMALL_SHIP),
              "{c.seat_has} no occupied small_wharf (R-SWF-1)"),
        Check(lambda c: _is_small_ship(c) or not captain.small_wharf_used(c.state, c.seat),
              "the small wharf works once a phase (R-SWF-1)"),
        _IS_HELD,
        Check(lambda c: c.place >= c.state["cursor"],
              "kinds are chosen in ascending order, and the place of {c.word} has passed"),
    ),
    "supply": (
        _at(DecisionPoint.SUPPLY),
        _needs(Power.SUPPLY, "royal_supplier", "R-RSP-1"),
        Check(
            lambda c: captain.has_barrels_to_return(c.state, c.seat),
            lambda c: (
                f"one barrel is returned for each citizen, and {c.seat_has} "
                f"{count_citizens(c.state, c.seat)} (R-RSP-1)"
            ),
        ),
        _IS_HELD,
        Check(
            lambda c: c.place >= c.state["cursor"],
            "the barrels are of different kinds, chosen in ascending order, and the place of "
            "{c.word} has passed (R-RSP-1)",
        ),
        Check(lambda c: captain.leaves_enough_kinds(*c.here, c.place),
              "the barrels must be exactly as many as the citizens (R-RSP-5)"),
    ),
    # -- smuggler ----------------------------------------------------------------------------------
    "raid": (
        _at(DecisionPoint.SMUGGLE),
        Check(lambda c: c.place < c.table["num_ships"], _SHIPS),
        Check(lambda c: smuggler.is_loaded(c.state, c.place),
              "ship {c.word} is empty (R-SMG-4, Q-126)"),
    ),
    "plunder": (
        _at(DecisionPoint.SMUGGLE),
        Check(
            lambda c: barrels_in_house(c.state) > 0, "the trading house is empty (R-SMG-5, Q-127)",
        ),
    ),
    "poach": (
        _at(DecisionPoint.SMUGGLE),
        Check(
            lambda c: smuggler.units_too_many(c.table, c.state) > 0,
            lambda c: (
                f"{c.rules.players} units stay on the register, and it has "
                f"{sum(int(c.state[f'register_{kind}']) for kind in ('workers', 'citizens'))}, so "
                "none can be "
                "taken (R-SMG-6)"
            ),
        ),
    ),
    "capture": (_at(DecisionPoint.SMUGGLE), *_card_checks("R-SMG-7")),
}  # fmt: skip
"""What must hold for each kind of action, in the order in which it is looked at."""
