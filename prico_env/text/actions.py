"""Actions as words: short names for programs, sentences for people, and the way back from both.

>>> action_name(117)
'load:sugar:3'
>>> from prico_env.ruleset import (RuleSet)
>>> parse_action(RuleSet(edition="1897-de"), "verkaufen:zucker")
Traceback (most recent call last):
prico_env.errors.IllegalActionError: no action is called 'verkaufen:zucker'
>>> parse_action(RuleSet(), "sell:fruit"), parse_action(RuleSet(), "role:Händler")
(105, 5)
>>> describe_action(RuleSet(edition="1897-de"), 106)
'Händler: Zucker verkaufen'
"""

import functools
import re
from typing import Final

from prico_env.actions import IDS, NAMES, NUM_ACTIONS, ActionBlock, block_of
from prico_env.catalog import load, names
from prico_env.core.bank import barrels_in_house
from prico_env.core.phases.builder import price
from prico_env.core.phases.captain import free_space
from prico_env.core.phases.smuggler import MOST_BARRELS
from prico_env.core.state import State
from prico_env.core.units import privilege
from prico_env.errors import IllegalActionError, did_you_mean
from prico_env.ruleset import RuleSet
from prico_env.text.terms import Words, meanings, printed, printed_words, shape
from prico_env.vocabulary import (
    BUILDINGS,
    GOODS,
    NUM_SHIPS,
    PHASES,
    ROLES,
    TILES,
    DecisionPoint,
    Phase,
    Power,
    Role,
    Unit,
    UsedOnce,
)


def action_name(action: int) -> str:
    """Return the name of an action number.

    Raises:
        IllegalActionError: If there is no such action.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise IllegalActionError(
            f"there is no action {action}; actions run from 0 to {NUM_ACTIONS - 1}"
        )
    return NAMES[action]


# -- from words to numbers -------------------------------------------------------------------------


def parse_action(rules: RuleSet, text: str) -> int:
    """Return the number of an action.

    Args:
        rules: The rule set; actions of other rule sets are refused.
        text: The action's name (``"load:sugar:2"``), with the engine's words or with those printed
            in any edition, in any case; or the whole sentence of `describe_action`. A word that
            editions print on different things means what it means in the edition in play.

    Returns:
        The action number.

    Raises:
        IllegalActionError: If no action has this name, if it could mean several, or if it is not
            in this game.
    """
    action = IDS.get(text)
    if action is None:
        action = _parse_words(rules, text)
    if action is None:
        known = [NAMES[number] for number in range(NUM_ACTIONS) if _has_block(rules, number)]
        raise IllegalActionError(f"no action is called {text!r}{did_you_mean(text, known)}")
    if not _has_block(rules, action):
        raise IllegalActionError(
            f"{NAMES[action]!r} belongs to the {block_of(action).module!r} expansion, "
            f"which is not in this game"
        )
    return action


def _parse_words(rules: RuleSet, text: str) -> int | None:
    first, *others = [shape(word) for word in text.split(":")]
    candidates = [[first]]
    for word in others:
        candidates = [
            [*start, end]
            for start in candidates
            for end in sorted(meanings(_kinds_behind(tuple(start)), word, rules.edition) or {word})
        ]
    found = sorted({IDS[name] for name in map(":".join, candidates) if name in IDS})
    if len(found) > 1:
        in_game = [action for action in found if _is_in_game(rules, action)]
        found = in_game if len(in_game) == 1 else found
    if len(found) > 1:
        choices = " or ".join(repr(NAMES[action]) for action in found)
        raise IllegalActionError(f"{text!r} may mean {choices}; say which")
    return found[0] if found else _parse_sentence(rules, text)


@functools.cache
def _kinds_behind(words: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds of words that may follow the first words of an action's name."""
    begun = ":".join((*words, ""))
    behind = {name[len(begun) :].partition(":")[0] for name in NAMES if name.startswith(begun)}
    return tuple(
        kind for kind, of_kind in printed_words(names()[0]).items() if behind & set(of_kind)
    )


def _parse_sentence(rules: RuleSet, text: str) -> int | None:
    """Find a sentence of `describe_action`, whatever phase it names: ours first, then any."""
    one_prospector = not rules.table[0]["role_in_play"][Role.PROSPECTOR_2]
    sentence = without_amounts(text)
    _, _, body = sentence.partition(": ")
    for editions in ((rules.edition,), names()):
        sentences, bodies = _sentences(editions, one_prospector)
        action = sentences.get(shape(sentence), bodies.get(shape(body)))
        if action is not None:
            return action
    return None


def _has_block(rules: RuleSet, action: int) -> bool:
    """Whether an action belongs to the base game or to an expansion that is played."""
    return block_of(action).module in ("base", *rules.expansions)


def _is_in_game(rules: RuleSet, action: int) -> bool:
    """Whether an action can occur in this game."""
    verb, word = block_of(action).verb, NAMES[action].rpartition(":")[2]
    if not _has_block(rules, action):
        return False
    is_about_a_card = verb in ("role", "capture")
    return not is_about_a_card or bool(rules.table[0]["role_in_play"][ROLES.index(word)])


_AMOUNTS: Final = re.compile(r" \(\d[^)]*\)")
"""What `describe_action` adds in brackets: the spaces of a ship, and how much is moved."""


def without_amounts(sentence: str) -> str:
    """Return a sentence of `describe_action` without what depends on the position.

    >>> without_amounts("Captain: load sugar on ship 1 (5) (5 barrels)")
    'Captain: load sugar on ship 1'
    """
    return _AMOUNTS.sub("", sentence)


@functools.cache
def _sentences(
    editions: tuple[str, ...], one_prospector: bool
) -> tuple[dict[str, int], dict[str, int]]:
    """Every sentence of `describe_action` that means one action only, with its head and without."""
    found: tuple[dict[str, set[int]], dict[str, set[int]]] = ({}, {})
    for edition in editions:
        for action in range(NUM_ACTIONS):
            head, body = _sentence(edition, action, (), one_prospector)
            sentences = (_joined(head, body), body)
            for table, sentence in zip(found, sentences, strict=True):
                table.setdefault(shape(sentence), set()).add(action)
    full, bare = (
        {text: min(actions) for text, actions in table.items() if len(actions) == 1}
        for table in found
    )
    return full, bare


# -- from numbers to sentences ---------------------------------------------------------------------

_ENGLISH: Final = {
    "pass": "pass",
    "role": "take the {word} card",
    "take": "take a {word} {plantation}",
    "take:quarry": "take a {word}",
    "draw": "draw a further {plantation} first ({hacienda})",
    "hospice:drawn": "put the {worker} of the {hospice} on the tile drawn",
    "hospice:taken": "put the {worker} of the {hospice} on the tile taken",
    "recall": "take a {unit} back from {word}",
    "place": "put a {unit} on {word}",
    "build": "build {word}",
    "privilege": "take a further {barrel} of {word}",
    "sell": "sell {word}",
    "load": "load {word} on ship {ship}",
    "wharf": "ship {word} by the {wharf}",
    "store": "store every {barrel} of {word}",
    "keep": "keep one {barrel} of {word}",
    "gain": "take what is offered",
    "forest_row": "take a {word} {plantation} as a {forest}",
    "forest": "take a {forest}",
    "board": "put {word} into the game",
    "post": "sell {word} to the {trading_post}",
    "small_wharf": "ship a {barrel} of {word} by the {small_wharf}",
    "pay": "pay with a {unit} from {word}",
    "pay:portrait": "pay with a {unit} not placed",
    "pay_good": "pay with a {barrel} of {word}",
    "pay_vp": "pay with a {vp}",
    "guest": "move a {unit} from the {guest_house} to {word}",
    "use:plantation": "lay the tile drawn as it is",
    "use:forest": "lay the tile drawn as a {forest}",
    "deal:worker": "take a {worker}",
    "deal:citizen": "take a {citizen}",
    "villa": "take the unit of the {villa} from the supply",
    "supply": "return a {barrel} of {word} ({royal_supplier})",
    "land_buy": "buy a tile ({land_office})",
    "land_sell": "sell a {word} tile ({land_office})",
    "lodge": "remove a {word} tile ({hunting_lodge})",
    "raid": "empty ship {ship}",
    "plunder": "empty the {trading_house}",
    "poach": "take {workers} from the {register}",
    "capture": "capture the {word} card",
}
_GERMAN: Final = {
    "pass": "passen",
    "role": "{word} nehmen",
    "take": "{plantation} nehmen ({word})",
    "take:quarry": "{word} nehmen",
    "draw": "zuerst eine verdeckte {plantation} ziehen ({hacienda})",
    "hospice:drawn": "{worker} auf das gezogene Plättchen setzen ({hospice})",
    "hospice:taken": "{worker} auf das genommene Plättchen setzen ({hospice})",
    "recall": "{unit} zurücknehmen ({word})",
    "place": "{unit} einsetzen ({word})",
    "build": "{word} bauen",
    "privilege": "ein weiteres Mal {word} nehmen",
    "sell": "{word} verkaufen",
    "load": "{word} auf Schiff {ship} laden",
    "wharf": "{word} über die {wharf} liefern",
    "store": "{word} ganz einlagern",
    "keep": "einmal {word} behalten",
    "gain": "das Angebotene nehmen",
    "forest_row": "{plantation} als {forest} nehmen ({word})",
    "forest": "{forest} nehmen",
    "board": "{word} ins Spiel bringen",
    "post": "{word} an den {trading_post} verkaufen",
    "small_wharf": "{word} über die {small_wharf} liefern",
    "pay": "mit {unit} bezahlen ({word})",
    "pay_good": "mit {word} bezahlen",
    "pay_vp": "mit einem {vp} bezahlen",
    "guest": "{unit} vom {guest_house} umsetzen ({word})",
    "use:plantation": "das gezogene Plättchen als {plantation} legen",
    "use:forest": "das gezogene Plättchen als {forest} legen",
    "deal:worker": "{worker} nehmen",
    "deal:citizen": "{citizen} nehmen",
    "villa": "Figur der {villa} aus dem Vorrat nehmen",
    "supply": "{word} zurückgeben ({royal_supplier})",
    "land_buy": "Plättchen kaufen ({land_office})",
    "land_sell": "Plättchen verkaufen ({word}, {land_office})",
    "lodge": "Plättchen entfernen ({word}, {hunting_lodge})",
    "raid": "Schiff {ship} leeren",
    "plunder": "{trading_house} leeren",
    "poach": "{workers} abwerben ({register})",
    "capture": "{word} abfangen",
}
_LANGUAGES: Final = {"en": _ENGLISH, "de": _GERMAN}

_CHOICES: Final = {
    "en": {"role": "Choice of role", "storage": "Storage", "draft": "Draft", "one": "number {}"},
    "de": {"role": "Rollenwahl", "storage": "Lagern", "draft": "Auswahl", "one": "Nummer {}"},
}
"""Heads of sentences that no role card names."""

_PASSES: Final = {
    "en": {
        DecisionPoint.DRAW_TILE: "draw no tile",
        DecisionPoint.TAKE_TILE: "take no tile",
        DecisionPoint.STAFF_TILE: "put no {worker} there",
        DecisionPoint.MAYOR_PRIVILEGE: "take no further {worker}",
        DecisionPoint.RECALL: "take no more {workers} back",
        DecisionPoint.PLACE: "put no more {workers} down",
        DecisionPoint.BUY: "build nothing",
        DecisionPoint.STAFF_BUILDING: "put no {worker} there",
        DecisionPoint.PRODUCE: "produce nothing",
        DecisionPoint.CRAFTSMAN_PRIVILEGE: "take no further {barrel}",
        DecisionPoint.SELL: "sell nothing",
        DecisionPoint.LOAD: "load nothing",
        DecisionPoint.STORE: "keep nothing more",
        DecisionPoint.GAIN_COINS: "decline the {coins}",
        DecisionPoint.GAIN_VP: "decline the {vp}",
        DecisionPoint.OPEN_WINDOW: "leave everybody on the {guest_house}",
        DecisionPoint.TURN_WINDOW: "leave everybody on the {guest_house}",
        DecisionPoint.CLOSE_WINDOW: "leave everybody on the {guest_house}",
        DecisionPoint.TAKE_AGAIN: "take no second tile",
        DecisionPoint.HUNT: "remove no tile",
        DecisionPoint.DEAL: "take nobody",
        DecisionPoint.SMALL_SHIP: "ship no more by the {small_wharf}",
        DecisionPoint.SUPPLY: "return no more {barrels}",
        DecisionPoint.SMUGGLE: "do nothing",
        DecisionPoint.RAID: "take no more {barrels}",
        DecisionPoint.PLACE_UNITS: "put nobody more down; the rest go to the {portrait}",
        DecisionPoint.GAIN_UNITS: "decline what the supply gives",
    },
    "de": {
        DecisionPoint.DRAW_TILE: "kein Plättchen ziehen",
        DecisionPoint.TAKE_TILE: "kein Plättchen nehmen",
        DecisionPoint.STAFF_TILE: "keinen {worker} einsetzen",
        DecisionPoint.MAYOR_PRIVILEGE: "keinen weiteren {worker} nehmen",
        DecisionPoint.RECALL: "keine {workers} mehr zurücknehmen",
        DecisionPoint.PLACE: "keine {workers} mehr einsetzen",
        DecisionPoint.BUY: "nichts bauen",
        DecisionPoint.STAFF_BUILDING: "keinen {worker} einsetzen",
        DecisionPoint.PRODUCE: "nichts produzieren",
        DecisionPoint.CRAFTSMAN_PRIVILEGE: "nichts dazunehmen",
        DecisionPoint.SELL: "nichts verkaufen",
        DecisionPoint.LOAD: "nichts laden",
        DecisionPoint.STORE: "nichts mehr behalten",
        DecisionPoint.GAIN_COINS: "auf die {coins} verzichten",
        DecisionPoint.GAIN_VP: "auf die {vp} verzichten",
        DecisionPoint.OPEN_WINDOW: "niemanden vom {guest_house} umsetzen",
        DecisionPoint.TURN_WINDOW: "niemanden vom {guest_house} umsetzen",
        DecisionPoint.CLOSE_WINDOW: "niemanden vom {guest_house} umsetzen",
        DecisionPoint.TAKE_AGAIN: "kein zweites Plättchen nehmen",
        DecisionPoint.HUNT: "kein Plättchen entfernen",
        DecisionPoint.DEAL: "niemanden nehmen",
        DecisionPoint.SMALL_SHIP: "nichts mehr über die {small_wharf} liefern",
        DecisionPoint.SUPPLY: "nichts mehr zurückgeben",
        DecisionPoint.SMUGGLE: "nichts tun",
        DecisionPoint.RAID: "keine {barrels} mehr nehmen",
        DecisionPoint.PLACE_UNITS: "niemanden mehr einsetzen; der Rest kommt auf das {portrait}",
        DecisionPoint.GAIN_UNITS: "auf Figuren aus dem Vorrat verzichten",
    },
}
"""What passing means at each point."""
_GAINS: Final = {
    "en": {
        DecisionPoint.MAYOR_PRIVILEGE: "take a further {worker}",
        DecisionPoint.PRODUCE: "produce",
        DecisionPoint.GAIN_COINS: "take the {coins}",
        DecisionPoint.GAIN_VP: "take the {vp}",
        DecisionPoint.RAID: "take one {barrel} more",
        DecisionPoint.GAIN_UNITS: "take what the supply gives",
    },
    "de": {
        DecisionPoint.MAYOR_PRIVILEGE: "einen weiteren {worker} nehmen",
        DecisionPoint.PRODUCE: "produzieren",
        DecisionPoint.GAIN_COINS: "die {coins} nehmen",
        DecisionPoint.GAIN_VP: "die {vp} nehmen",
        DecisionPoint.RAID: "noch einen {barrel} nehmen",
        DecisionPoint.GAIN_UNITS: "Figuren aus dem Vorrat nehmen",
    },
}
"""What is offered at each point."""
_ENDS_TURN: Final = {"en": "end the turn", "de": "den Zug beenden"}
_REST_RETURNS: Final = {
    "en": "put nobody more down; the rest return to the supply",
    "de": "niemanden mehr einsetzen; der Rest kehrt in den Vorrat zurück",
}
_BY_MARKET: Final = {
    "en": "{gap} of them by the {black_market}",
    "de": "{gap} davon über den {black_market}",
}


def describe_action(rules: RuleSet, action: int, state: State | None = None) -> str:
    """Say what an action does, in the words of the edition in play.

    Args:
        rules: The rule set.
        action: The action number.
        state: The game in which it would be played; with it the sentence says how much.

    Returns:
        A sentence without a full stop, such as ``"Trader: sell sugar (3 coins)"``.

    Raises:
        IllegalActionError: If there is no such action.
    """
    action_name(action)
    table = rules.table[0]
    sizes = tuple(int(size) for size in table["ship_size"][: table["num_ships"]])
    one_prospector = not table["role_in_play"][Role.PROSPECTOR_2]
    head, body = _sentence(rules.edition, action, sizes, one_prospector)
    if state is None:
        return _joined(head, body)
    block = block_of(action)
    phase = PHASES[state["phase"]]
    if not block.phases or phase in block.phases:
        head = _head(rules.edition, phase)
    if block.kind in ("pass", "gain"):
        return _joined(head, _pass_or_gain(rules, action, state))
    amount = _amount(rules, action, state)
    return f"{_joined(head, body)} ({amount})" if amount else _joined(head, body)


def describe_kind(block: ActionBlock, edition: str = "classic") -> str:
    """Say what the actions of a block do, with dots for what they range over.

    >>> describe_kind(block_of(117))
    'load … on ship …'
    """
    templates = _LANGUAGES[load(edition).language]
    words = Words(edition, word="…", ship="…")
    words["unit"] = words["citizen" if block.unit == Unit.CITIZEN else "worker"]
    bodies = [_template(templates, block, name) for name in block.names]
    return " / ".join(body.format_map(words) for body in dict.fromkeys(bodies))


def _template(templates: dict[str, str], block: ActionBlock, name: str) -> str:
    """The sentence of an action: one for its last word if there is one, else that of its kind."""
    own = templates.get(f"{block.message}:{name.rpartition(':')[2]}")
    return own or templates[block.message]


def _joined(head: str, body: str) -> str:
    return f"{head}: {body}" if head else _upper(body)


def _pass_or_gain(rules: RuleSet, action: int, state: State) -> str:
    """What passing gives up here, or what is offered here."""
    edition = rules.edition
    language, point = load(edition).language, DecisionPoint(state["decision_point"])
    kind = block_of(action).kind
    bodies = (_PASSES if kind == "pass" else _GAINS)[language]
    body = bodies.get(point, _LANGUAGES[language][kind])
    if (
        kind == "pass"
        and point == DecisionPoint.PRODUCE
        and not rules.table[0]["optional_gains_is_ask"]
    ):
        body = _GAINS[language][point]  # only guests could still move
    elif point == DecisionPoint.SELL and state["used_once"][state["turn"]] & (
        UsedOnce.SOLD | UsedOnce.LAND
    ):
        body = _ENDS_TURN[language]
    elif point == DecisionPoint.PLACE_UNITS and state["phase"] == Phase.SMUGGLER:
        body = _REST_RETURNS[language]
    body = body.format_map(Words(edition))
    amount = _amount_of_point(edition, point, int(state["value"]))
    return f"{body} ({amount})" if amount else body


def _amount_of_point(edition: str, point: DecisionPoint, value: int) -> str:
    """How much is offered at a point, or how much has been done there."""
    if point == DecisionPoint.GAIN_COINS:
        return _count(edition, "coin", value)
    if point == DecisionPoint.GAIN_VP:
        return _count(edition, "vp", value)
    if point == DecisionPoint.SMALL_SHIP:
        return f"{_count(edition, 'barrel', value)}, {_count(edition, 'vp', value // 2)}"
    return ""


def _sentence(
    edition: str, action: int, ship_sizes: tuple[int, ...], one_prospector: bool
) -> tuple[str, str]:
    """Build the sentence of an action from its kind and its words: the head and the body."""
    block = block_of(action)
    language = load(edition).language
    templates = _LANGUAGES[language]
    parts = NAMES[action].split(":")
    word = parts[-1]
    template = _template(templates, block, NAMES[action])
    unit = "citizen" if block.unit == Unit.CITIZEN else "worker"
    ship = ""
    if block.verb == "load":
        word, ship = parts[1], parts[2]
    elif block.verb == "raid":
        ship = word
    if ship:
        number = int(ship) - 1
        if number < len(ship_sizes):
            ship = f"{ship} ({ship_sizes[number]})"
    if one_prospector and word == ROLES[Role.PROSPECTOR_1]:
        word = "prospector"  # nobody numbers the only one
    words = Words(edition)
    words.update(word=_printed(edition, block, word), ship=ship, unit=words[unit])
    body = template.format_map(words)
    if language == "en":
        body = _BEFORE_A_VOWEL.sub("an ", body)
    return _head(edition, block.phases[0] if block.phases else ""), body


_BEFORE_A_VOWEL: Final = re.compile(r"\ba (?=[aeio])")


def _printed(edition: str, block: ActionBlock, word: str) -> str:
    """The printed word, as a sentence has it."""
    catalog = load(edition)
    name = printed(edition, "prospector_1" if word == "prospector" else word)
    bare, _, number = word.rpartition("_")
    if bare and number.isdigit() and block.verb in ("role", "capture"):
        return f"{name} {number}"
    if catalog.language == "en" and word in (*TILES, "forest"):
        name = name.lower()
    if word in GOODS and block.unit is not None:  # it stands for its plantation
        plantation = Words(edition)["plantation"]
        name = f"{name} {plantation}" if catalog.language == "en" else f"{plantation} {name}"
    return name


def _head(edition: str, phase: str) -> str:
    """What stands before the colon: the role that asks, or the kind of choice."""
    if not phase:
        return ""
    catalog = load(edition)
    choices = _CHOICES[catalog.language]
    if phase in choices:
        return choices[phase]
    name = catalog.role_names.get(phase) or catalog.phase_names.get(phase, phase)
    return _upper(name)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _count(edition: str, what: str, number: int) -> str:
    """A number of coins, barrels or VP."""
    key = what if number == 1 or what == "vp" else f"{what}s"
    return f"{number} {Words(edition)[key]}"


def _amount(rules: RuleSet, action: int, state: State) -> str:
    """How much an action moves in this game, if that says something."""
    kind, words = block_of(action).verb, NAMES[action].split(":")
    if kind in ("role", "capture"):
        coins = int(state["role_coins"][ROLES.index(words[1])])
        return _count(rules.edition, "coin", coins) if coins else ""
    if kind in ("plunder", "poach", "raid"):
        return _booty(rules, kind, words, state)
    if state["turn"] < 0:
        return ""
    if kind == "build":
        return _costs(rules, BUILDINGS.index(words[1]), state)
    if kind == "land":
        return _count(rules.edition, "coin", 1)
    if kind == "supply":
        return _count(rules.edition, "vp", 1)
    if kind == "villa":
        unit = "citizen" if state["citizen_supply"] > 0 else "worker"
        return _count(rules.edition, unit, 1)
    if kind in ("sell", "post", "load", "wharf", "store"):
        return _barrels_or_price(rules, kind, words, state)
    return ""


def _booty(rules: RuleSet, kind: str, words: list[str], state: State) -> str:
    """What the smuggler gets, or takes off the register (R-SMG-4..6)."""
    if kind == "plunder":
        return _count(rules.edition, "vp", int(barrels_in_house(state)))
    if kind == "raid":
        load_on_ship = int(state["ship_load"][int(words[1]) - 1])
        return _count(rules.edition, "barrel", min(MOST_BARRELS, load_on_ship))
    units = int(state["register_workers"] + state["register_citizens"]) - rules.players
    return _count(rules.edition, "worker", max(0, units))


def _costs(rules: RuleSet, building: int, state: State) -> str:
    """What a building costs, and how much of it the black market would have to make up for."""
    player, edition = int(state["turn"]), rules.edition
    coins = int(price(rules.table[0], state, player, building))
    costs = _count(edition, "coin", coins)
    gap = coins - int(state["coins"][player])
    if gap <= 0 or state["powers"][player, Power.BARTER] == 0:
        return costs
    by_market = _BY_MARKET[load(edition).language].format_map(Words(edition, gap=str(gap)))
    return f"{costs}, {by_market}"


def _barrels_or_price(rules: RuleSet, kind: str, words: list[str], state: State) -> str:
    """How many barrels of a kind are moved, or what one sells for (R-TRA-4, R-TPO-2)."""
    table, player, good = rules.table[0], int(state["turn"]), GOODS.index(words[1])
    if kind in ("sell", "post"):
        coins = int(table["good_price"][good] + privilege(table, state, player))
        if kind == "sell":
            coins += int(state["powers"][player, Power.SALE_BONUS])
        return _count(rules.edition, "coin", coins)
    barrels = int(state["goods"][player, good])
    if kind == "load":
        ship = int(words[2]) - 1
        if ship < NUM_SHIPS:
            barrels = min(barrels, int(free_space(table, state, ship)))
    return _count(rules.edition, "barrel", barrels)
