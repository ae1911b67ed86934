"""A position in words says everything that a seat may know of it, and nothing else."""

import random

import numpy as np
import pytest

from prico_env import ALL_EXPANSIONS, Game, RuleSet
from prico_env.catalog import load
from prico_env.core.state import FIELDS
from prico_env.text import rules_text
from prico_env.vocabulary import BUILDINGS, GOODS
from tests.rule_sets import BASE_RULE_SETS, EXPANDED_RULE_SETS, X1_AND_X2, rule_set_id

TOGETHER = (
    ("own_forests", "forest_kinds", "forest_blind", "island_used"),
    ("owned", "workers", "citizens"),
    ("ship_good", "ship_load"),
    ("deck_size", "deck_tiles", "deck"),
)
"""Fields that make sense only together."""
NOT_SEEN = ("rng", "rules", "powers", "reserved")
"""What nobody sees, what a game does not change, and what follows from the rest."""
WHERE_IT_WAITS = (
    "value", "depth", "stack_point", "stack_turn", "stack_value", "phase", "turn", "turns", "actor",
    "role", "picks", "cursor",
)  # fmt: skip
"""Fields that mean something else at another point."""
MEMORIES = (
    "wharf_used", "small_wharf_used", "passed", "used_once", "stored", "kept", "produced",
    "privilege_goods",
    "recalled", "circuit_loads", "idle_turns", "first_circuit", "captain_loaded", "captured",
    "hand_workers", "hand_citizens",
)  # fmt: skip
"""Fields that are zero unless something has happened in the phase."""
TALKATIVE = [
    RuleSet(3, "classic", X1_AND_X2, board="random", optional_gains="ask"),
    RuleSet(4, "1897-de", ALL_EXPANSIONS, board="random"),
]
"""Rule sets with every kind of decision, and with hidden VP in one."""


def positions(rules, every):
    """Positions of a random game before it ends, one in so many decisions."""
    chance, game = random.Random(3), Game(rules, 3)
    decisions = 0
    while not game.over:
        if decisions % every == 0:
            yield game.clone()
        game.step(chance.choice(game.legal_actions()))
        decisions += 1


def looks_the_same(game, other, seat):
    """Whether a seat sees no difference, as far as an observation shows it."""
    return bool((game.observation(seat) == other.observation(seat)).all())


def with_fields_of(game, other, fields):
    """A game in which a few things are as they are in another."""
    changed = game.clone()
    for field in fields:
        changed.state[field] = other.state[field]
    return changed


@pytest.mark.parametrize("rules", TALKATIVE, ids=rule_set_id)
def test_whatever_a_seat_can_see_makes_another_text(rules):
    """Take any one thing from another position: if an observation shows it, the text says it."""
    chance, pool = random.Random(3), list(positions(rules, every=24))
    together = {field for fields in TOGETHER for field in fields}
    alone = [(name,) for name, *_ in FIELDS if name not in (*NOT_SEEN, *together)]
    told_apart = set()
    for game in pool:
        here = (game.state["decision_point"], game.state["depth"])
        alike = [one for one in pool if (one.state["decision_point"], one.state["depth"]) == here]
        seat = chance.randrange(rules.players)
        for fields in (*TOGETHER, *alone):
            other = chance.choice(alike if fields[0] in WHERE_IT_WAITS else pool)
            changed = with_fields_of(game, other, fields)
            if not looks_the_same(game, changed, seat):
                assert changed.text(seat) != game.text(seat), fields
                told_apart.add(fields)
    assert len(told_apart) > 30


@pytest.mark.parametrize("field", MEMORIES)
@pytest.mark.parametrize("rules", TALKATIVE, ids=rule_set_id)
def test_whatever_a_phase_remembers_is_said(rules, field):
    game = Game(rules, 1)
    texts = {game.text(0)}
    places = game.clone().state[field][0].ravel()
    seats = (
        rules.players
        if field in ("wharf_used", "small_wharf_used", "passed", "used_once")
        else None
    )
    for place in range(places[:seats].size):
        changed = game.clone()
        changed.state[field].reshape(-1)[place] = 1
        if field != "produced" or place < rules.players * len(GOODS):
            assert changed.text(0) not in texts, place
            texts.add(changed.text(0))


@pytest.mark.parametrize("rules", TALKATIVE, ids=rule_set_id)
def test_two_choices_that_look_different_read_different(rules):
    for game in positions(rules, every=6):
        seat, found = game.turn, {}
        for action in game.legal_actions():
            after = game.clone()
            after.step(action)
            other = found.setdefault(after.text(seat), after)
            assert looks_the_same(other, after, seat)


@pytest.mark.parametrize("rules", TALKATIVE, ids=rule_set_id)
def test_a_text_says_nothing_that_its_seat_may_not_know(rules):
    """R-INF-2: however the hidden tiles are dealt, the words are the same."""
    for game in positions(rules, every=10):
        for seat in range(rules.players):
            other = game.determinize(seat, 5)
            for hidden in range(rules.players):
                if hidden != seat and rules.vp_hidden:
                    other.state["vp"][0, hidden] += 3
            assert other.text(seat) == game.text(seat)


@pytest.mark.parametrize("rules", TALKATIVE, ids=rule_set_id)
def test_a_name_and_a_sentence_lead_back_to_every_choice(rules):
    for game in positions(rules, every=6):
        for action in game.legal_actions():
            assert game.parse(game.name(action)) == action
            assert (
                game.name(action) in ("pass", "gain") or game.parse(game.describe(action)) == action
            )


def test_who_comes_next_is_said():
    game = Game(RuleSet(players=4), 1)
    game.step("role:builder")
    assert (
        "still to come: in this phase player 1, player 2, player 3; "
        "to choose a role player 1, player 2, player 3\n"
    ) in game.text()


def test_a_limited_bank_is_counted():
    assert " coins (bank)" in Game(RuleSet(bank_limited=True), 1).text()
    assert "(bank)" not in Game(RuleSet(), 1).text()


# -- the rules in short ----------------------------------------------------------------------------


def test_the_rules_in_short_name_every_role_and_building_of_the_game():
    for rules in (*BASE_RULE_SETS, *EXPANDED_RULE_SETS):
        text, game, catalog = rules_text(rules), Game(rules, 1), load(rules.edition)
        assert "{" not in text
        named = {line.partition(" (")[0][2:].casefold() for line in text.splitlines()}
        for number in np.flatnonzero(game.state["building_supply"][0]):
            assert catalog.building_names[BUILDINGS[number]].casefold() in named
        for role in game.to_dict()["roles"]:
            assert f"- {catalog.role_names[role]}: ".casefold() in text.casefold()


def test_the_rules_in_short_have_the_figures_of_the_game():
    text = rules_text(RuleSet(3, "classic", vp_pool=60, swap_factory_university=True))
    assert "the last of the 60 VP" in text
    assert "3 role cards" in text
    assert "- University (7, 3, 3, 1): In the builder phase you may put a colonist" in text
    assert "The VP of others are hidden." in text
    assert "Fruit 1, Sugar 2" in rules_text(RuleSet())
