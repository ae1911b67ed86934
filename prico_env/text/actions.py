"""Actions as words: short names for programs, and sentences for people.

>>> action_name(117)
'load:sugar:3'
>>> from prico_env.ruleset import (RuleSet)
>>> describe_action(RuleSet(edition="1897-de"), 106)
'Händler: Zucker verkaufen'
"""

from prico_env.actions import NAMES, NUM_ACTIONS, ActionBlock, block_of
from prico_env.arguments import instance, numbered, record
from prico_env.core.bank import barrels_in_house
from prico_env.core.phases.builder import price
from prico_env.core.phases.captain import free_space
from prico_env.core.phases.smuggler import MOST_BARRELS
from prico_env.core.state import STATE, State
from prico_env.core.units import privilege
from prico_env.errors import IllegalActionError
from prico_env.ruleset import RuleSet, check_rules
from prico_env.text.localization import edition_words, language_of
from prico_env.text.terms import Words, capital, count_of, printed
from prico_env.vocabulary import (
    BUILDINGS,
    DECISION_POINTS,
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
    return NAMES[numbered(action, "action", NUM_ACTIONS, IllegalActionError)]


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
    check_rules(rules)
    action = numbered(action, "action", NUM_ACTIONS, IllegalActionError)
    table = rules.table[0]
    sizes = tuple(int(size) for size in table["ship_size"][: table["num_ships"]])
    head, body = head_and_body(rules.edition, action, sizes, has_one_prospector(rules))
    if state is None:
        return joined(rules.edition, head, body)
    record(state, STATE, "a state")
    block = block_of(action)
    phase = PHASES[state["phase"]]
    if not block.phases or phase in block.phases:
        head = _head(rules.edition, phase)
    if block.kind in ("pass", "gain"):
        return joined(rules.edition, head, _pass_or_gain(rules, block, state))
    amount = _amount(rules, action, state)
    sentence = joined(rules.edition, head, body)
    return f"{sentence} ({amount})" if amount else sentence


def describe_kind(block: ActionBlock, edition: str = "classic") -> str:
    """Say what the actions of a block do, with dots for what they range over.

    >>> describe_kind(block_of(117))
    'load … on ship …'
    """
    instance(block, ActionBlock, "what is described is a block of actions")
    language = language_of(edition)
    words = _words(edition, block, "…", "…")
    bodies = [language.action(block, name) for name in block.names]
    return " / ".join(body.format_map(words) for body in dict.fromkeys(bodies))


def head_and_body(
    edition: str, action: int, ship_sizes: tuple[int, ...] = (), one_prospector: bool = False
) -> tuple[str, str]:
    """Return the two parts of a sentence: who usually asks for an action, and what it does.

    Args:
        edition: Whose words to use.
        action: The action number.
        ship_sizes: Spaces of the cargo ships, to be shown; empty where they are not known.
        one_prospector: Whether there is one prospector card, which nobody numbers then.
    """
    block, language = block_of(action), language_of(edition)
    _, *words = NAMES[action].split(":")
    ship = words.pop() if block.verb in ("load", "raid") else ""
    word = words[-1] if words else ""
    if ship and int(ship) <= len(ship_sizes):
        ship = f"{ship} ({ship_sizes[int(ship) - 1]})"
    if one_prospector and word == ROLES[Role.PROSPECTOR_1]:
        word = "prospector"
    sentence = language.action(block, NAMES[action])
    body = sentence.format_map(_words(edition, block, _printed(edition, block, word), ship))
    return _head(edition, block.phases[0] if block.phases else ""), language.finish(body)


def joined(edition: str, head: str, body: str) -> str:
    """Return a whole sentence of its two parts."""
    colon = language_of(edition).labels["colon"]
    return f"{head}{colon}{body}" if head else capital(body)


def has_one_prospector(rules: RuleSet) -> bool:
    """Whether at most one prospector card is in play."""
    return not rules.table[0]["role_in_play"][Role.PROSPECTOR_2]


def _words(edition: str, block: ActionBlock, word: str, ship: str) -> Words:
    words = Words(edition, word=word, ship=ship)
    words["unit"] = words["citizen" if block.unit == Unit.CITIZEN else "worker"]
    return words


def _printed(edition: str, block: ActionBlock, word: str) -> str:
    """The printed word, as a sentence has it."""
    language = language_of(edition)
    name = printed(edition, "prospector_1" if word == "prospector" else word)
    bare, _, number = word.rpartition("_")
    if bare and number.isdigit() and block.verb in ("role", "capture"):
        return f"{name} {number}"
    if word in (*TILES, "forest", "worker", "citizen"):
        name = language.inside(name)
    if word in GOODS and block.unit is not None:  # it stands for its plantation
        return language.labels["tile_of_good"].format_map(Words(edition, word=name))
    return name


def _head(edition: str, phase: str) -> str:
    """What stands before the colon: the role that asks, or the kind of choice."""
    if not phase:
        return ""
    heads, catalog = language_of(edition).heads, edition_words(edition)
    if phase in heads:
        return heads[phase]
    return capital(catalog.role_names.get(phase) or catalog.phase_names.get(phase, phase))


# -- how much --------------------------------------------------------------------------------------


def _pass_or_gain(rules: RuleSet, block: ActionBlock, state: State) -> str:
    """What passing gives up here, or what is offered here."""
    edition, point = rules.edition, DecisionPoint(state["decision_point"])
    language = language_of(edition)
    decision = language.decisions[DECISION_POINTS[point]]
    body = (decision.passing if block.kind == "pass" else decision.gain) or (
        language.actions[block.message]
    )
    seller_is_done = UsedOnce.SOLD | UsedOnce.LAND
    asks_gains = rules.table[0]["optional_gains_is_ask"]
    if block.kind == "pass" and point == DecisionPoint.PRODUCE and not asks_gains:
        body = decision.gain  # only guests could still move
    elif point == DecisionPoint.SELL and state["used_once"][state["turn"]] & seller_is_done:
        body = language.labels["end_turn"]
    elif point == DecisionPoint.PLACE_UNITS and state["phase"] == Phase.SMUGGLER:
        body = language.labels["rest_returns"]
    body = language.finish(body.format_map(Words(edition)))
    amount = _amount_of_point(Words(edition), point, int(state["value"]))
    return f"{body} ({amount})" if amount else body


def _amount_of_point(words: Words, point: DecisionPoint, value: int) -> str:
    """How much is offered at a point, or how much has been done there."""
    if point == DecisionPoint.GAIN_COINS:
        return count_of(words, "coin", value)
    if point == DecisionPoint.GAIN_VP:
        return count_of(words, "vp", value)
    if point == DecisionPoint.SMALL_SHIP:
        return f"{count_of(words, 'barrel', value)}, {count_of(words, 'vp', value // 2)}"
    return ""


def _amount(rules: RuleSet, action: int, state: State) -> str:
    """How much an action moves in this game, if that says something."""
    verb, words = block_of(action).verb, NAMES[action].split(":")
    if verb == "build":
        return _costs(rules, BUILDINGS.index(words[1]), state) if state["turn"] >= 0 else ""
    amount = _of_role_or_smuggler(rules, verb, words, state)
    if amount is None and state["turn"] >= 0:
        amount = _of_own_turn(rules, verb, words, state)
    return count_of(Words(rules.edition), *amount) if amount else ""


def _of_role_or_smuggler(
    rules: RuleSet, verb: str, words: list[str], state: State
) -> tuple[str, int] | None:
    """The coins on a card, and what the smuggler gets or takes off the register (R-SMG-4..7)."""
    if verb in ("role", "capture"):
        coins = int(state["role_coins"][ROLES.index(words[1])])
        return ("coin", coins) if coins else None
    if verb == "plunder":
        return "vp", int(barrels_in_house(state))
    if verb == "raid":
        return "barrel", min(MOST_BARRELS, int(state["ship_load"][int(words[1]) - 1]))
    if verb == "poach":
        units = int(state["register_workers"]) + int(state["register_citizens"])
        return "worker", max(0, units - rules.players)
    return None


def _of_own_turn(
    rules: RuleSet, verb: str, words: list[str], state: State
) -> tuple[str, int] | None:
    """How many barrels are moved, what one sells for (R-TRA-4, R-TPO-2), or the fixed gain."""
    if verb in ("sell", "post"):
        return "coin", _sale(rules, verb, GOODS.index(words[1]), state)
    if verb in ("load", "wharf", "store"):
        return "barrel", _barrels(rules, verb, words, state)
    if verb == "villa":
        return ("citizen" if state["citizen_supply"] > 0 else "worker"), 1
    return {"land": ("coin", 1), "supply": ("vp", 1)}.get(verb)


def _sale(rules: RuleSet, verb: str, good: int, state: State) -> int:
    table, player = rules.table[0], int(state["turn"])
    bonus = state["powers"][player, Power.SALE_BONUS] if verb == "sell" else 0
    return int(table["good_price"][good] + privilege(table, state, player) + bonus)


def _barrels(rules: RuleSet, verb: str, words: list[str], state: State) -> int:
    barrels = int(state["goods"][int(state["turn"]), GOODS.index(words[1])])
    ship = int(words[2]) - 1 if verb == "load" else NUM_SHIPS
    if ship < NUM_SHIPS:
        barrels = min(barrels, int(free_space(rules.table[0], state, ship)))
    return barrels


def _costs(rules: RuleSet, building: int, state: State) -> str:
    """What a building costs, and how much of it the black market would have to make up for."""
    player, words = int(state["turn"]), Words(rules.edition)
    coins = int(price(rules.table[0], state, player, building))
    costs = count_of(words, "coin", coins)
    gap = coins - int(state["coins"][player])
    if gap <= 0 or state["powers"][player, Power.BARTER] == 0:
        return costs
    words["gap"] = str(gap)
    return f"{costs}, {language_of(rules.edition).labels['by_market'].format_map(words)}"
