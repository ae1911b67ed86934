"""Why an action is not allowed comes from the predicates that decide whether it is."""

import itertools
import random

import pytest

from prico_env import Game, RuleSet
from prico_env.catalog import load, names
from prico_env.text.illegality import first_failed, why_not
from prico_env.text.localization import codes, language_of, override
from prico_env.text.seats import named_seats
from tests.builders import board
from tests.properties.random_play import chooser, num_games, playable
from tests.rule_sets import ALL_RULE_SETS, EXPANDED_RULE_SETS

SHARE = 0.03
"""How many of the positions of a game are looked at."""
ASKING = {"optional_gains": "ask", "skip_forced": False}
"""Switches that make every gain a decision, and every forced decision one to be seen."""


def sampled_positions(rules, seed):
    """Positions of random play at which a seat decides."""
    chance, choose = random.Random(seed), chooser(seed)
    game = Game(rules, seed)
    while not game.over:
        if chance.random() < SHARE:
            yield game
        game.step(choose(game.legal_actions()))


def assert_reasons_agree(game):
    """For an illegal action something does not hold, and is said; for a legal one all holds."""
    legal, state = game.mask(), game.state[0]
    for action in range(game.num_actions):
        reason = first_failed(game.rules, state, action)
        assert (reason is None) == bool(legal[action]), (game.name(action), reason, game.text())
        assert reason is None or reason.strip()


@pytest.mark.parametrize("rules", playable(ALL_RULE_SETS), ids=repr)
def test_what_must_hold_for_an_action_holds_exactly_where_it_is_legal(rules):
    """G034: in every rule set, at positions of random play."""
    for seed in range(num_games(1)):
        for game in sampled_positions(rules, seed):
            assert_reasons_agree(game)


@pytest.mark.parametrize("rules", playable([*ALL_RULE_SETS[::5], *EXPANDED_RULE_SETS]), ids=repr)
def test_what_must_hold_also_decides_offers_and_forced_decisions(rules):
    """R-ROL-9: with every gain asked for, and no decision skipped."""
    asking = type(rules).from_dict({**rules.to_dict(), **ASKING})
    for seed in range(num_games(1)):
        for game in sampled_positions(asking, seed):
            assert_reasons_agree(game)


def test_there_is_no_reason_against_what_is_allowed():
    """So that nobody is told a wrong one."""
    game = Game(seed=1)
    action = game.legal_actions()[0]
    with pytest.raises(ValueError, match="is allowed here"):
        why_not(game.rules, game.state[0], action)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("en", "you have no Fruit"),
        ("de", "du hast nichts davon: Früchte"),
        ("fr", "pas de fruits pour vous"),
    ],
)
def test_players_are_told_why_not_in_their_language_and_a_program_in_english(code, told):
    rules = RuleSet(players=3, edition="1897-en")
    game = board("trader", edition="1897-en")
    sell = rules.actions.ids["sell:indigo"]
    with override(code), named_seats([language_of().labels["you"], "Ann", "Bob"]):
        assert first_failed(game.rules, game.state[0], sell).casefold() == told.casefold()
    assert why_not(game.rules, game.state[0], sell) == "seat 0 has no indigo"


@pytest.mark.parametrize("code", codes())
def test_every_reason_can_be_said_in_every_language(code):
    """Each sentence finds all that it shows, in the words of each edition."""
    found = set()
    with override(code):
        for edition in names():
            rules = RuleSet(players=3, edition=edition, expansions=load(edition).expansions)
            for game in itertools.islice(sampled_positions(rules, seed=1), 12):
                for action in range(0, game.num_actions, 7):
                    found.add(first_failed(game.rules, game.state[0], action))
    assert len(found) > 40
    assert not [reason for reason in found if reason and "{" in reason]
