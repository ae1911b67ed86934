"""Expansions together: what meets in one phase, and in which order."""

import itertools

import pytest

from prico_env import Game, RuleSetError
from prico_env.vocabulary import EXPANSIONS
from tests.builders import (
    ALICE,
    BOB,
    BOTH_1897,
    CAROL,
    CLASSIC,
    DAVE,
    EDITIONS,
    ENGLISH,
    GERMAN,
    X1,
    X2,
    X3,
    X4,
    all_citizens,
    all_workers,
    board,
    city,
    coins,
    discard,
    festival,
    finish_phase,
    forests,
    goods,
    house,
    laden,
    moves,
    new_game,
    number,
    options,
    play,
    register,
    row,
    rules,
    ship,
    supply,
    tiles,
    vp,
    workers,
)

MIXTURES = [
    (edition, modules)
    for edition in EDITIONS
    for size in range(1, 5)
    for modules in itertools.combinations(EXPANSIONS, size)
    if edition != CLASSIC or not {X3, X4} & set(modules)
]


# -- every mixture ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "modules"), MIXTURES)
def test_expansions_may_be_mixed_freely(edition, modules):
    """R-CMB-1: a game of each mixture is played for a while, saved, and goes on the same."""
    game = new_game(3, edition, seed=11, expansions=modules)
    for step in range(90):
        legal = game.legal_actions()
        game.step(legal[(step * 5 + 3) % len(legal)])
        if game.over:
            break
    copy = Game.from_dict(game.to_dict())
    assert copy.to_bytes() == game.to_bytes()
    assert copy.legal_actions() == game.legal_actions()


@pytest.mark.parametrize("module", [X3, X4])
def test_classic_has_new_buildings_and_citizens_only(module):
    """R-CMB-1, D-70."""
    assert rules(4, CLASSIC, expansions=[X1, X2]).expansions == (X1, X2)
    with pytest.raises(RuleSetError):
        rules(4, CLASSIC, expansions=[X1, module])


# -- the order in which a phase closes -------------------------------------------------------------


def test_a_settler_phase_closes_in_order(edition):
    """R-CMB-8, Q-29: guests, the library's tile, the lodge, and then the row is laid aside."""
    seat = {
        "island": {},
        "city": {"guest_house": [1, 0], "library": [1, 0], "hunting_lodge": [0, 0]},
    }
    game = board(edition=edition, expansions=(X1, X2), seats={ALICE: seat})
    play(game, "alice role settler\nalice pass\nalice take corn\nbob pass\ncarol pass\ndave pass")
    assert "guest:hunting_lodge" in options(game)
    play(game, "alice guest hunting_lodge")
    assert "take:sugar" in options(game)
    play(game, "alice take sugar")
    assert options(game) == {"lodge:corn", "lodge:sugar", "pass"}
    assert discard(game) == {}
    play(game, "alice lodge sugar")
    assert sum(discard(game).values()) == 4
    assert sum(row(game).values()) == 5


def test_a_craftsman_phase_closes_in_order():
    """R-CMB-8, R-CRA-7, R-SPF-3: guests, privilege, specialty, and the German festival last."""
    seat = {
        "island": {"sugar": [2, 2]},
        "city": {"guest_house": 1, "specialty_factory": 1, "library": 0, "sugar_mill": 3},
    }
    game = board(
        edition=GERMAN,
        expansions=(X1, X4),
        seats={ALICE: seat},
        festival={"estate": None, "goods": ["sugar", "sugar", "sugar"], "building": None},
    )
    play(game, "alice role craftsman\nalice pass\nalice pass")
    assert goods(game, ALICE) == {"sugar": 2}
    assert options(game) == {"guest:library", "pass"}
    assert coins(game, ALICE) == 3
    play(game, "alice guest library")
    assert goods(game, ALICE) == {"sugar": 2 + 2}
    assert coins(game, ALICE) == 3 + 3 + 3


def test_a_captain_phase_closes_in_order(edition):
    """R-CMB-8, R-CAP-12: guests, storage, and then full ships are emptied."""
    seat = {"island": {}, "city": {"guest_house": 1, "storehouse": 0}, "goods": {"corn": 5}}
    game = board(
        edition=edition,
        expansions=(X1,),
        seats={ALICE: seat},
        ships=laden(("sugar", 5), ("tobacco", 1), ("indigo", 1)),
    )
    play(game, "alice role captain\nalice pass\nalice pass")
    assert options(game) == {"guest:storehouse", "pass"}
    assert ship(game, 1) == ("sugar", 5)
    play(game, "alice guest storehouse")
    assert goods(game, ALICE) == {"corn": 4}
    assert ship(game, 1) == (None, 0)


def test_a_trader_phase_closes_in_order(edition):
    """R-CMB-8, R-TRA-8: guests, and then the full house is emptied."""
    seat = {"island": {}, "city": {"guest_house": 1, "office": 0}, "goods": {"sugar": 1}}
    game = board(
        edition=edition, expansions=(X1,), seats={ALICE: seat}, house=["corn", "indigo", "coffee"]
    )
    play(game, "alice role trader\nalice pass\nalice sell sugar")
    assert options(game) == {"guest:office", "pass"}
    assert len(house(game)) == 4
    play(game, "alice pass")
    assert house(game) == {}


def test_a_mayor_phase_ends_with_the_refill(edition):
    """R-CMB-8, R-MAY-12, R-X2-4: no window follows, and the register has its citizen."""
    seat = {"island": {}, "city": {"guest_house": 0}}
    game = board(edition=edition, expansions=(X1, X2), seats={ALICE: seat})
    play(game, "alice role mayor\nalice deal worker\nbob deal worker\ncarol deal worker")
    game = finish_phase(game)
    assert game.turn == BOB
    assert register(game) == (3, 1)


# -- new buildings and citizens --------------------------------------------------------------------


def test_lodge_and_land_office_know_forests(edition):
    """R-CMB-2: the lodge in every edition, the land office in German only."""
    seat = {
        "island": {"forest": [2, 0], "quarry": [1, 0]},
        "city": {"land_office": [0, 1], "hunting_lodge": [1, 0]},
    }
    game = board(edition=edition, expansions=(X1, X2), seats={ALICE: seat})
    play(game, "alice role settler\nalice pass\nbob pass\ncarol pass\ndave pass")
    assert options(game) == {"lodge:forest", "pass"}
    play(game, "alice lodge forest")
    assert forests(game, ALICE) == 1
    play(game, "bob role trader")
    assert (game.turn == ALICE) is (edition == GERMAN)


def test_forest_discount_and_notary_add_up(edition):
    """R-BLD-4, R-NOT-2, R-FOH-6: ten less one for forests, two for the citizen, one as builder."""
    seat = {"island": {"forest": [2, 0]}, "city": {"notary": [0, 1]}, "coins": 6}
    game = board(edition=edition, expansions=(X1, X2), seats={ALICE: seat}, for_sale=("fortress",))
    play(game, "alice role builder\nalice build fortress")
    assert coins(game, ALICE) == 0


def test_a_lodge_that_removes_forests_makes_buildings_dearer(edition):
    """R-FOH-6, R-LDG-1: one forest alone saves nothing."""
    seat = {"island": {"forest": [2, 0]}, "city": {"hunting_lodge": [1, 0]}, "coins": 3}
    for answer, affordable in (("pass", True), ("lodge forest", False)):
        game = board(
            edition=edition, expansions=(X1, X2), seats={ALICE: seat}, for_sale=("guest_house",)
        )
        play(game, "alice role settler\nalice pass\nbob pass\ncarol pass\ndave pass")
        play(game, f"alice {answer}\nbob role builder\nbob pass\ncarol pass\ndave pass")
        assert ("build:guest_house" in options(game)) is affordable


def test_the_library_doubles_the_mayor_with_workers_only(edition):
    """R-LIB-1, R-X2-7: citizens are not for the privilege."""
    game = board(
        edition=edition,
        expansions=(X1, X2),
        seats={ALICE: {"city": {"library": [1, 0]}}},
        citizens={"supply": 20, "register": 0},
        workers={"supply": 50, "register": 4},
        check=False,
    )
    play(game, "alice role mayor")
    assert (all_workers(game, ALICE), all_citizens(game, ALICE)) == (1 + 2 + 1, 0)


def test_the_church_scores_the_buildings_of_the_citizens_by_column(edition):
    """R-CHU-1, Q-55: land office none, notary one, royal garden two."""
    for name, scored in (("land_office", 0), ("notary", 1), ("jeweler", 1), ("royal_garden", 2)):
        game = board(
            edition=edition,
            expansions=(X1, X2),
            seats={ALICE: {"coins": 12, "city": {"church": [0, 1]}}},
            for_sale=(name,),
        )
        play(game, f"alice role builder\nalice build {name}")
        assert vp(game, ALICE) == scored


def test_quarries_of_the_english_land_office_are_never_sold(edition):
    """R-LND-3, R-CMB-2, G131."""
    seat = {"island": {"quarry": [3, 1]}, "city": {"land_office": [0, 1]}}
    game = board(edition=edition, expansions=(X1, X2), seats={ALICE: seat})
    play(game, "alice role trader")
    assert game.phase == "role"


# -- with the smuggler -----------------------------------------------------------------------------


def captured(edition, role, seats, expansions, **words):
    """Alice has captured a role, and Dave ends the round with his pick."""
    free = [name for name in ("settler", "builder", "mayor") if name != role]
    game = board(
        edition=edition,
        expansions=expansions,
        turn=DAVE,
        seats=seats,
        roles={
            "smuggler": {"coins": 0, "taken_by": ALICE},
            free[0]: {"coins": 0, "taken_by": BOB},
            free[1]: {"coins": 0, "taken_by": CAROL},
        },
        smuggler={"tile": ALICE, "captured": {role: ALICE}},
        **words,
    )
    return play(game, "dave role prospector_1")


@pytest.mark.parametrize("edition", BOTH_1897)
def test_effects_of_others_rest_in_a_german_captured_role(edition):
    """R-SMG-14, D-71: chapel, union hall and villa of Bob work in English only."""
    all_act = edition == ENGLISH
    game = captured(edition, "craftsman", {BOB: {"city": {"chapel": [1, 0]}}}, (X2, X3))
    assert coins(game, BOB) == 3 + all_act
    game = captured(
        edition,
        "captain",
        {BOB: {"city": {"union_hall": 1}, "goods": {"corn": 4}}},
        (X1, X3),
        ships=laden(("sugar", 1), ("tobacco", 1), ("indigo", 1)),
    )
    assert vp(game, BOB) == (2 if all_act else 0)
    game = captured(
        edition,
        "mayor",
        {BOB: {"city": {"villa": [1, 0]}}},
        (X2, X3),
        workers={"supply": 60, "register": 4},
        citizens={"supply": 9, "register": 0},
        check=False,
    )
    assert all_citizens(game, BOB) == all_act


@pytest.mark.parametrize("edition", BOTH_1897)
def test_lodges_of_others_rest_in_a_german_captured_settler(edition):
    """R-SMG-14, R-LDG-1."""
    seats = {BOB: {"island": {"corn": [1, 0]}, "city": {"hunting_lodge": [1, 0]}}}
    game = captured(edition, "settler", seats, (X2, X3))
    play(game, "alice pass")
    if edition == ENGLISH:
        play(game, "bob pass\ncarol pass\ndave pass")
        assert (game.turn, options(game)) == (BOB, {"lodge:corn", "pass"})
    else:
        assert game.round == 2


@pytest.mark.parametrize("edition", BOTH_1897)
def test_effects_of_the_captor_work(edition):
    """R-CMB-3, R-SMG-14: lighthouse, union hall and jeweler are no privilege."""
    seat = {
        "city": {"lighthouse": 1, "union_hall": 1},
        "goods": {"corn": 4},
    }
    ships = laden(("sugar", 1), ("tobacco", 1), ("indigo", 1))
    game = captured(edition, "captain", {ALICE: seat}, (X1, X3), ships=ships)
    assert (coins(game, ALICE), vp(game, ALICE)) == (3 + 1, 2)


@pytest.mark.parametrize("edition", BOTH_1897)
@pytest.mark.parametrize("role", ["builder", "trader", "craftsman", "mayor", "captain"])
def test_the_library_doubles_nothing_in_a_captured_role(edition, role):
    """R-CMB-3, R-LIB-1, R-LIB-9, Q-134."""
    seat = {
        "city": {"library": 1},
        "island": {"corn": [1, 1]},
        "goods": {"corn": 1, "sugar": 1} if role == "trader" else {},
        "coins": 3,
    }
    if role == "captain":
        seat["goods"] = {"corn": 1}
    game = captured(edition, role, {ALICE: seat}, (X1, X3), for_sale=("office",))
    if role == "builder":
        # five less the privilege of one: four, and Alice has three
        assert "build:office" not in options(game)
    elif role == "trader":
        play(game, "alice sell sugar")
        assert coins(game, ALICE) == 3 + 2 + 1
    elif role == "craftsman":
        assert goods(game, ALICE) == {"corn": 2}
    elif role == "mayor":
        finish_phase(game)
        assert all_workers(game, ALICE) == 2 + 1 + (1 if edition == ENGLISH else 4)
    else:
        while game.phase == "captain" and game.turn == ALICE:
            game.step(game.legal_actions()[0])
        assert vp(game, ALICE) == 1 + 1


@pytest.mark.parametrize("edition", BOTH_1897)
def test_the_second_tile_of_a_library_is_not_for_a_captured_settler(edition):
    """R-CMB-3, R-SMG-14, R-LIB-9."""
    game = captured(edition, "settler", {ALICE: {"city": {"library": 1}}}, (X1, X3))
    play(game, "alice take corn")
    if edition == ENGLISH:
        play(game, "bob pass\ncarol pass\ndave pass")
    assert game.round == 2
    assert tiles(game, ALICE) == ["corn", "indigo"]


# -- with the festival -----------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH_1897)
def test_goals_may_be_reached_in_a_captured_role(edition):
    """R-FES-10, R-SMG-15: whatever the phase."""
    goals = {"estate": "sugar", "goods": None, "building": "harbor"}
    seats = {ALICE: {"island": {"sugar": [2, 0]}, "coins": 12}}
    game = captured(edition, "settler", seats, (X3, X4), festival=goals)
    play(game, "alice take sugar\nalice pass")
    assert workers(game, ALICE, "portrait") == 3
    game = captured(edition, "builder", seats, (X3, X4), festival=goals)
    play(game, "alice build harbor")
    assert vp(game, ALICE) == 3
    assert "harbor" in city(game, ALICE)


@pytest.mark.parametrize("edition", BOTH_1897)
def test_plunder_and_poach_reach_no_goal(edition):
    """R-CMB-7: barrels are not produced, and poached workers are not the festival's."""
    game = board(
        edition=edition,
        expansions=(X3, X4),
        house=["corn", "sugar"],
        festival={"estate": "corn", "goods": ["corn", "corn", "sugar"], "building": "wharf"},
    )
    before = supply(game, "corn")
    play(game, "alice role smuggler\nalice plunder")
    assert supply(game, "corn") == before + 1
    assert set(festival(game)) == {"estate", "goods", "building"}
    assert coins(game, ALICE) == 3


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_forest_and_a_goal(edition):
    """R-CMB-4: the third plantation face down does not win, face up it does."""
    seat = {"island": {"sugar": [2, 0]}, "city": {"forest_house": 1}}
    for action, open_ in (("forest sugar", True), ("take sugar", False)):
        game = board(
            edition=edition,
            expansions=(X1, X4),
            seats={ALICE: seat},
            festival={"estate": "sugar", "goods": None, "building": None},
        )
        play(game, f"alice role settler\nalice {action}")
        assert bool(festival(game)) is open_


@pytest.mark.parametrize("edition", BOTH_1897)
def test_the_festival_may_ask_for_the_jeweler(edition):
    """R-CMB-6, Q-148, R-FES-9: three VP for whoever buys it first."""
    game = board(
        edition=edition,
        expansions=(X2, X4),
        seats={ALICE: {"coins": 12}},
        festival={"estate": None, "goods": None, "building": "jeweler"},
    )
    play(game, "alice role builder\nalice build jeweler")
    assert vp(game, ALICE) == 3


# -- the last window -------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH_1897)
def test_the_last_window_after_a_captured_role(edition):
    """Q-90, R-SMG-14: Bob had his in the English trader phase, and had none in the German one."""
    seats = {BOB: {"island": {}, "city": {"guest_house": 1, "customs_house": 0}, "vp": 8}}
    game = captured(edition, "trader", seats, (X1, X3), end_triggered=True)
    phases = []
    while not game.over:
        assert game.turn == BOB
        phases.append(game.phase)
        play(game, "bob pass")
    assert phases == (["trader"] * 3 if edition == ENGLISH else ["end"])


@pytest.mark.parametrize("edition", BOTH_1897)
def test_no_last_window_after_a_phase_that_had_one(edition):
    """Q-90, R-GST-3."""
    seats = {ALICE: {"island": {}, "city": {"guest_house": 1, "customs_house": 0}}}
    game = captured(edition, "trader", seats, (X1, X3), end_triggered=True)
    phases = []
    while not game.over:
        phases.append(game.phase)
        play(game, "alice pass")
    assert phases == ["trader"] * 3
    assert not any("guest" in move for move in moves(game))
    assert number(game, "smuggler_tile") == ALICE


def test_the_last_window_after_a_german_captured_mayor():
    """Q-90, R-SMG-14: only the captor re-placed, so the others may move their guests once more."""
    inn = {"island": {}, "city": {"guest_house": 1, "customs_house": 0}, "vp": 8}
    game = captured(GERMAN, "mayor", {BOB: inn}, (X1, X3), end_triggered=True)
    assert "mayor" not in game.phase
    assert (game.phase, game.turn, options(game)) == ("end", BOB, {"guest:customs_house", "pass"})
    play(game, "bob guest customs_house")
    assert game.over
    assert game.score_table()[BOB]["customs_house"] == 2


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_captured_prospector_at_the_end_leaves_the_others_a_window(edition):
    """Q-90: nobody but the captor had one."""
    inn = {"island": {}, "city": {"guest_house": 1, "customs_house": 0}}
    game = board(
        edition=edition,
        expansions=(X1, X3),
        turn=DAVE,
        seats={CAROL: inn},
        roles={
            "smuggler": {"coins": 0, "taken_by": ALICE},
            "settler": {"coins": 0, "taken_by": BOB},
            "builder": {"coins": 0, "taken_by": CAROL},
        },
        smuggler={"tile": ALICE, "captured": {"prospector_1": ALICE}},
        end_triggered=True,
    )
    play(game, "dave role craftsman\ncarol pass\ncarol pass\ncarol pass")
    assert coins(game, ALICE) == 4
    assert (game.phase, game.turn) == ("end", CAROL)
