"""Anchors: which part of the drawing an action belongs to, and where its effect can be seen.

An anchor is named by what stands there: ``role-mayor``, ``row-corn``, ``shop-hospice``, ``ship-2``,
``goods-1-corn`` for the barrels of seat 1, ``city-1-hospice``. In the drawing it carries its name
as ``data-anchor``. Places to which no action belongs have a name as well, such as ``score-1`` or
``festival-estate``: `prico_env.cards` explains them all.
"""

from collections.abc import Mapping
from typing import Final

from prico_env.actions import NAMES, block_of
from prico_env.arguments import numbered
from prico_env.render.drawable import Drawable, check_view
from prico_env.ruleset import RuleSet
from prico_env.text.actions import action_name
from prico_env.vocabulary import FOREST, NOBODY, TILES

NOWHERE: Final = ""

_ISLAND: Final = (*TILES, "forest")


def anchor_of(game: Drawable | RuleSet, action: int, seat: int) -> str:
    """Return the anchor of an action.

    >>> from prico_env.actions import IDS
    >>> rules = RuleSet()
    >>> [anchor_of(rules, IDS[name], 1) for name in ("role:mayor", "load:corn:2", "place:hospice")]
    ['role-mayor', 'ship-2', 'city-1-hospice']
    >>> anchor_of(rules, IDS["pass"], 1)
    ''

    Args:
        game: The game, or its rules if it does not stand before this decision.
        action: The action number.
        seat: Who decides.

    Returns:
        The name of the anchor; empty for an action without one, such as a pass. Several actions may
        share an anchor.

    Raises:
        IllegalActionError: There is no such action.
    """
    name = action_name(action)
    if not isinstance(game, RuleSet):
        check_view(game, None)
    rules = game if isinstance(game, RuleSet) else game.rules
    seat = numbered(seat, "seat", rules.players)
    if name.startswith("hospice:") and not isinstance(game, RuleSet):
        return _tile_of_turn(game, name, seat)
    if name.startswith("remove:") and not isinstance(game, RuleSet):
        return _spot(TILES[int(game.state[0]["value"])], seat)
    return _filled(_ANCHORS, action, seat) or NOWHERE


def effect_anchor_of(action: int, seat: int) -> str:
    """Return the anchor where an action that was carried out can be seen, empty if nowhere."""
    effect = _filled(_EFFECTS, action, seat)
    return _filled(_ANCHORS, action, seat) or NOWHERE if effect is None else effect


def _filled(templates: Mapping[str, str], action: int, seat: int) -> str | None:
    """The template of an action's name, kind or verb, filled in; None if it has none."""
    name, block = NAMES[action], block_of(action)
    word = name.rpartition(":")[2]
    for key in (name, block.kind, block.verb):
        if key in templates:
            return templates[key].format(
                seat=seat,
                word=word,
                spot=_spot(word, seat),
                stack=_STACKS.get(word, f"row-{word}"),
                purse=f"{word}-{seat}" if word in ("vp", "portrait") else _spot(word, seat),
            )
    return None


def _spot(word: str, seat: int) -> str:
    """The anchor of a tile or a building that somebody has."""
    return f"{'island' if word in _ISLAND else 'city'}-{seat}-{word}"


def _tile_of_turn(game: Drawable, name: str, seat: int) -> str:
    """The tile on which the hospice would put its worker."""
    tile = int(game.state[0]["drawn" if name == "hospice:drawn" else "taken"])
    if tile in (NOBODY, FOREST):
        return f"island-{seat}"
    return _spot(TILES[tile], seat)


_STACKS: Final = {"quarry": "quarries", "forest": "forests"}
"""Where a tile lies that is in no row."""

_ANCHORS: Final[dict[str, str]] = {
    "role": "role-{word}",
    "capture": "role-{word}",
    "take": "{stack}",
    "forest": "{stack}",
    "draw": "deck",
    "use": "drawn",
    "hospice": "island-{seat}",
    "recall": "{spot}",
    "place": "{spot}",
    "guest": "{spot}",
    "build": "shop-{word}",
    "board": "shop-{word}",
    "privilege": "supply-{word}",
    "sell": "goods-{seat}-{word}",
    "post": "goods-{seat}-{word}",
    "load": "ship-{word}",
    "wharf": "goods-{seat}-{word}",
    "small_wharf": "goods-{seat}-{word}",
    "store": "goods-{seat}-{word}",
    "keep": "goods-{seat}-{word}",
    "supply": "goods-{seat}-{word}",
    "pay": "{purse}",
    "pay_good": "goods-{seat}-{word}",
    "deal:worker": "workers",
    "deal:citizen": "citizens",
    "villa": "{spot}",
    "land": "{spot}",
    "land:buy": "deck",
    "lodge": "{spot}",
    "remove": "island-{seat}",
    "raid": "ship-{word}",
    "plunder": "house",
    "poach": "register",
}
"""The anchor of an action by its name, its kind or its verb; others have none."""

_EFFECTS: Final[dict[str, str]] = {
    "take": "{spot}",
    "forest": "island-{seat}-forest",
    "use": NOWHERE,
    "use:forest": "island-{seat}-forest",
    "build": "{spot}",
    "privilege": "goods-{seat}-{word}",
    "sell": "house",
    "deal": "portrait-{seat}",
}
"""Where something else than the anchor of an action shows that it was carried out."""
