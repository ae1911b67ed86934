"""Which spot of the drawing an action belongs to, and where it leaves its trace.

Spots are named by what stands there: ``role-mayor``, ``row-corn``, ``shop-hospice``, ``ship-2``,
``goods-1-corn`` for the barrels of seat 1, ``city-1-hospice``. In the drawing they carry their name
as ``data-place``.
"""

from collections.abc import Callable
from typing import Final

from prico_env.actions import NAMES, block_of
from prico_env.render.drawable import Shown
from prico_env.ruleset import RuleSet
from prico_env.text.actions import action_name
from prico_env.vocabulary import FOREST, NOBODY, TILES

NOWHERE: Final = ""

_TILES_AND_FORESTS: Final = (*TILES, "forest")


def place_of(game: Shown | RuleSet, action: int, seat: int) -> str:
    """Return the spot of the drawing that an action belongs to.

    >>> from prico_env.actions import IDS
    >>> rules = RuleSet()
    >>> [place_of(rules, IDS[name], 1) for name in ("role:mayor", "load:corn:2", "place:hospice")]
    ['role-mayor', 'ship-2', 'city-1-hospice']
    >>> place_of(rules, IDS["pass"], 1)
    ''

    Args:
        game: The game, or its rules if it does not stand before this decision.
        action: The action number.
        seat: Who decides.

    Returns:
        The name of the spot; empty for an action without one, such as a pass. Several actions may
        share a spot.

    Raises:
        IllegalActionError: There is no such action.
    """
    name = action_name(action)
    if name.startswith("hospice:") and not isinstance(game, RuleSet):
        return _tile_of_turn(game, name, seat)
    block = block_of(action)
    return _PLACES.get(block.verb, _fixed(NOWHERE))(block.kind, name.rpartition(":")[2], seat)


def trace_of(action: int, seat: int) -> str:
    """Return the spot where an action that was carried out can be seen, empty if nowhere."""
    block, word = block_of(action), NAMES[action].rpartition(":")[2]
    trace = _TRACES.get(block.verb) or _PLACES.get(block.verb, _fixed(NOWHERE))
    return trace(block.kind, word, seat)


def on_board(word: str, seat: int) -> str:
    """Return the spot of a tile or a building that somebody has."""
    return f"{'island' if word in _TILES_AND_FORESTS else 'city'}-{seat}-{word}"


def _tile_of_turn(game: Shown, name: str, seat: int) -> str:
    """The tile on which the hospice would put its worker."""
    tile = int(game.state[0]["drawn" if name == "hospice:drawn" else "taken"])
    if tile in (NOBODY, FOREST):
        return f"island-{seat}"
    return on_board(TILES[tile], seat)


_Place = Callable[[str, str, int], str]


def _fixed(name: str) -> _Place:
    return lambda kind, word, seat: name


def _named(prefix: str) -> _Place:
    return lambda kind, word, seat: f"{prefix}-{word}"


def _goods(kind: str, word: str, seat: int) -> str:
    return f"goods-{seat}-{word}"


def _spot(kind: str, word: str, seat: int) -> str:
    return on_board(word, seat)


def _island(kind: str, word: str, seat: int) -> str:
    return f"island-{seat}"


def _from_row(kind: str, word: str, seat: int) -> str:
    if word in ("quarry", "forest"):
        return "quarries" if word == "quarry" else "forests"
    return f"row-{word}"


def _payment(kind: str, word: str, seat: int) -> str:
    if kind == "pay_good":
        return f"goods-{seat}-{word}"
    if word in ("vp", "portrait"):
        return f"{word}-{seat}"
    return on_board(word, seat)


def _land(kind: str, word: str, seat: int) -> str:
    return "deck" if kind == "land_buy" else on_board(word, seat)


def _kind_of_unit(kind: str, word: str, seat: int) -> str:
    return "workers" if word == "worker" else "citizens"


_PLACES: Final[dict[str, _Place]] = {
    "pass": _fixed(NOWHERE),
    "gain": _fixed(NOWHERE),
    "role": _named("role"),
    "capture": _named("role"),
    "take": _from_row,
    "forest": _from_row,
    "draw": _fixed("deck"),
    "use": _fixed("drawn"),
    "hospice": _island,
    "recall": _spot,
    "place": _spot,
    "guest": _spot,
    "build": _named("shop"),
    "board": _named("shop"),
    "privilege": _named("supply"),
    "sell": _goods,
    "post": _goods,
    "load": lambda kind, word, seat: f"ship-{word}",
    "wharf": _goods,
    "small_wharf": _goods,
    "store": _goods,
    "keep": _goods,
    "supply": _goods,
    "pay": _payment,
    "deal": _kind_of_unit,
    "villa": lambda kind, word, seat: on_board("villa", seat),
    "land": _land,
    "lodge": _spot,
    "raid": _named("ship"),
    "plunder": _fixed("house"),
    "poach": _fixed("register"),
}
"""The spot of an action by the first word of its name."""

_TRACES: Final[dict[str, _Place]] = {
    "take": _spot,
    "forest": lambda kind, word, seat: on_board("forest", seat),
    "use": lambda kind, word, seat: on_board("forest", seat) if word == "forest" else NOWHERE,
    "build": _spot,
    "privilege": _goods,
    "sell": _fixed("house"),
    "deal": lambda kind, word, seat: f"portrait-{seat}",
}
"""Where something else than the spot of an action shows that it was carried out."""
