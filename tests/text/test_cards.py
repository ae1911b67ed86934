"""Cards that explain places of the board: complete, true, and silent about what is hidden."""

import random
import re

import pytest

from prico_env import Game, RuleSet
from prico_env.actions import IDS
from prico_env.cards import action_outcome, building_card, card
from prico_env.catalog import load
from prico_env.errors import PricoError
from prico_env.render import anchor_of, render_svg
from prico_env.text.illegality import first_failed
from prico_env.text.localization import codes, language_of, override
from prico_env.text.seats import named_seats
from prico_env.vocabulary import BUILDINGS, GOODS
from tests.properties.random_play import chooser, num_games
from tests.rule_sets import EXPANDED_RULE_SETS, rule_set_id

RULE_SETS = (
    RuleSet(2, "classic"),
    RuleSet(5, "1897-en"),
    *EXPANDED_RULE_SETS[2::3],
    *EXPANDED_RULE_SETS[3:4],
)
CLASSIC = "classic"


def positions(rules, seed=3, skipped=60):
    """A position of random play in each phase, some way into the game, and the end of it."""
    choose = chooser(seed)
    game, seen = Game(rules, seed), {"role"}
    while not game.over:
        is_early = game.phase != "draft" and len(game.history) < skipped
        if game.phase not in seen and not is_early:
            seen.add(game.phase)
            yield game
        game.step(choose(game.legal_actions()))
    yield game


def anchors(game, seat, chance=None):
    """The places of the board; with `chance` one of each kind, and a few more."""
    there = sorted(set(re.findall(r'data-anchor="([^"]+)"', render_svg(game, seat))))
    if chance is None:
        return there
    chance.shuffle(there)
    one_of_each = {anchor.partition("-")[0]: anchor for anchor in there}
    return sorted({*one_of_each.values(), *there[: num_games(8)]})


@pytest.mark.parametrize("rules", RULE_SETS, ids=rule_set_id)
def test_every_place_of_every_board_has_a_card(rules):
    chance = random.Random(1)
    for game in positions(rules):
        seat = chance.choice([None, max(0, game.turn), chance.randrange(rules.players)])
        for anchor in anchors(game, seat, chance):
            with override(chance.choice([None, *codes()])):
                shown = card(game, anchor, seat)
            assert all((shown.title, shown.sort, shown.effect)), anchor
            text = "\n".join(shown.lines())
            assert re.search("{|None", text) is None, text


@pytest.mark.parametrize("rules", RULE_SETS[::3], ids=rule_set_id)
def test_what_a_card_promises_is_what_happens(rules):
    """The changes on the card are those of the game itself, chance left out."""
    for game in positions(rules, seed=5):
        for action in game.legal_actions():
            seat, told = game.turn, action_outcome(game, action)
            before, after = holdings(game, seat), game.clone()
            after.step(action)
            now = holdings(after, seat)
            happened = {what: now[what] - before[what] for what in now if now[what] != before[what]}
            assert figures_of(game, told.changes).items() <= happened.items(), game.name(action)
            is_chance = language_of(rules.edition).cards["chance"] in told.notes
            assert is_chance or len(told.changes) >= len(happened.keys() - {"score"})


def holdings(game, seat):
    state = game.state[0]
    return {
        "coin": int(state["coins"][seat]),
        "vp": int(state["vp"][seat]),
        "score": game.scores()[seat],
        **{good: int(state["goods"][seat, number]) for number, good in enumerate(GOODS)},
    }


def figures_of(game, changes):
    """Read coins and goods back from the words of a card."""
    edition = load(game.rules.edition)
    words = {edition.terms["coin"]: "coin", edition.terms["coins"]: "coin"}
    words |= {edition.good_names[good]: good for good in GOODS}
    words |= {edition.terms["vp"]: "vp"}
    found = {}
    for change in changes:
        figure, _, word = change.partition(" ")
        if word in words:
            found[words[word]] = int(figure.replace("−", "-"))
    return found


@pytest.mark.parametrize("rules", EXPANDED_RULE_SETS[5:8:2], ids=rule_set_id)
def test_a_card_says_the_same_whatever_is_hidden_from_its_reader(rules):
    chance = random.Random(4)
    for game in positions(rules, seed=8):
        seat = max(0, game.turn)
        one, other = game.determinize(seat, 1), game.determinize(seat, 2)
        for anchor in anchors(game, seat, chance):
            assert card(one, anchor, seat) == card(other, anchor, seat), anchor


def test_hidden_vp_of_others_stay_hidden():
    game = Game(RuleSet(3, CLASSIC, vp_hidden=True), seed=2)
    game.state["vp"][0, :3] = [11, 12, 13]
    for anchor in ("vp-1", "score-1"):
        assert not any("12" in fact.value for fact in card(game, anchor, 0).facts)
        assert any("12" in fact.value for fact in card(game, anchor, 1).facts)


@pytest.mark.parametrize("rules", RULE_SETS[::4], ids=rule_set_id)
def test_why_not_is_said_as_everywhere_else(rules):
    chance = random.Random(3)
    for game in positions(rules, seed=2):
        if game.over:
            continue
        for anchor in anchors(game, game.turn, chance):
            for _, reason in card(game, anchor, game.turn).refusals:
                assert reason in {
                    first_failed(rules, game.state[0], action)
                    for action in range(game.num_actions)
                    if anchor_of(rules, action, game.turn) == anchor
                    or anchor_of(game, action, game.turn) == anchor
                }, anchor


BUILDING = {
    "rules": {"players": 3, "edition": CLASSIC},
    "phase": "builder",
    "actor": 0,
    "turn": 1,
    "players": [{}, {"coins": 6, "island": {"quarry": [3, 2]}}, {}],
}


def test_the_price_of_a_building_is_the_one_to_be_paid_now():
    game = Game.from_dict(BUILDING, check=False)
    shown = card(game, "shop-harbor", 1)
    facts = dict(shown.facts)
    assert facts["list price"] == "8 doubloons"
    assert facts["your price now"] == "6 doubloons"
    assert facts["with the privilege of the Builder"] == "5 doubloons"
    assert facts["your quarries take off"] == "2 doubloons"
    (outcome,) = shown.outcomes
    assert outcome.changes == ("+3 VP in the final score", "−6 doubloons")
    too_dear = card(game, "shop-wharf", 1)
    assert [refusal.reason for refusal in too_dear.refusals] == [
        "wharf costs 7 and player 1 has 6 doubloons (R-BLD-4)"
    ]


def test_a_card_tells_what_storage_and_the_trader_would_make_of_barrels():
    seller = {"goods": {"sugar": 3}, "city": {"small_market": 1}}
    game = Game.from_dict(
        {"rules": {"players": 3, "edition": CLASSIC}, "phase": "role", "players": [seller, {}, {}]},
        check=False,
    )
    facts = dict(card(game, "goods-0-sugar", 0).facts)
    assert facts["storage now would take at least"] == "2 sugar"
    assert facts["Sugar sells now for"].startswith("3 doubloons (")
    assert "storage now would take at least" not in dict(card(game, "goods-1-sugar", 1).facts)


def test_a_card_tells_what_is_produced():
    maker = {"island": {"corn": [2, 2]}}
    game = Game.from_dict(
        {"rules": {"players": 3, "edition": CLASSIC}, "phase": "role", "players": [maker, {}, {}]},
        check=False,
    )
    shown = card(game, "role-craftsman", 0)
    assert dict(shown.facts)["player 0 would produce now"] == "2 corn"
    assert shown.outcomes[0].changes == ("+3 corn",)  # the privilege included


def test_a_role_card_tells_what_it_would_bring():
    holder = {"goods": {"corn": 4, "sugar": 1}}
    position = {"phase": "role", "players": [holder, {}, {}], "workers": {"register": 4}}
    rules = {"rules": {"players": 3, "edition": CLASSIC}}
    game = Game.from_dict(rules | position, check=False)
    assert dict(card(game, "role-captain", 0).facts)["Corn could be loaded now for"] == "5 VP"
    assert dict(card(game, "ship-2", 0).facts)["Corn could be loaded now for"] == "4 VP"
    sales = dict(card(game, "role-trader", 0).facts)
    assert sales["Sugar sells now for"].startswith("2 doubloons (")
    affordable = dict(card(game, "role-builder", 0).facts)["you could build"]
    assert affordable.startswith("Small indigo plant, Small sugar mill,")
    arrivals = dict(card(game, "role-mayor", 0).facts)
    assert arrivals["you would get so many colonists"] == "3"  # one of them by the privilege


def test_a_load_tells_what_storage_would_take_after_it():
    game = Game.from_dict(
        {
            "rules": {"players": 3, "edition": CLASSIC},
            "phase": "captain",
            "actor": 0,
            "players": [{"goods": {"sugar": 3, "corn": 4}}, {"goods": {"corn": 1}}, {}],
        },
        check=False,
    )
    loaded = action_outcome(game, IDS["load:corn:1"])
    assert loaded.changes == ("+5 VP", "−4 corn")
    assert loaded.notes == ("If storage came right after it, it would take at least 2 sugar.",)


def test_a_choice_of_the_draft_tells_what_it_does_and_what_it_keeps_out():
    pair = ["office", "trading_post"]
    game = Game(RuleSet(3, CLASSIC, ("buildings",), exclusive_buildings=[pair]), seed=1)
    assert game.phase == "draft"
    shown = building_card(game, BUILDINGS.index("office"), 0)
    facts = dict(shown.facts)
    assert shown.kind == "draft"
    assert shown.effect == ("You may sell a kind that the trading house already holds.",)
    assert facts["list price"] == "5 doubloons"
    assert facts["keeps out of the game"] == "Trading post"
    assert facts["buildings still to choose for 5 doubloons"] == "2"
    last_of_its_price = building_card(game, BUILDINGS.index("wharf"), 0)
    assert dict(last_of_its_price.facts)["keeps out of the game"] == "Union hall"


def test_nobody_is_told_what_to_do_in_the_turn_of_another():
    game = Game(RuleSet(3, CLASSIC), seed=1)
    with named_seats(["Ann", "Bob", "Cid"]):
        shown = card(game, "role-mayor", 1)
    assert shown.outcomes == ()
    assert [refusal.reason for refusal in shown.refusals] == [
        "it is not your turn: Ann decides now"
    ]


@pytest.mark.parametrize("anchor", ["", "nowhere", "ship-9", "shop-", "city-7-harbor", "role-x"])
def test_a_place_that_is_not_there_has_no_card(anchor):
    with pytest.raises(PricoError, match="no place of this board is called"):
        card(Game(seed=1), anchor, 0)
