"""The eight buildings of the citizens; four of them ask who stands on them."""

import pytest

from prico_env import RuleSetError
from tests.builders import (
    ALICE,
    BOB,
    BOTH_1897,
    CAROL,
    CLASSIC,
    ENGLISH,
    GERMAN,
    X1,
    X2,
    all_citizens,
    all_workers,
    board,
    citizens,
    coins,
    deck_size,
    discard,
    endings,
    finish_phase,
    forest_kinds,
    forests,
    goods,
    laden,
    moves,
    new_game,
    number,
    options,
    play,
    register,
    row,
    rules,
    supply,
    tiles,
    vp,
    workers,
)

WORKER, CITIZEN = [1, 0], [0, 1]


def table(edition, seats=None, expansions=(X2,), **words):
    """A round begins at a table with citizens."""
    return board(edition=edition, expansions=expansions, seats=seats, **words)


def after(edition, script, seats, **words):
    """The board after a script."""
    return play(table(edition, seats, **words), script)


# -- land office: a worker buys --------------------------------------------------------------------


def buyer(**words):
    """Alice's land office, with a worker."""
    return {ALICE: {"city": {"land_office": WORKER}} | words}


def test_a_worker_on_the_land_office_buys_a_tile(edition):
    """R-LND-1, R-LND-2, R-LND-7: one coin, the next tile of the deck, unoccupied."""
    game = after(edition, "alice role trader", buyer(), on_top=("coffee",))
    assert options(game) == {"land:buy", "pass"}
    play(game, "alice land buy")
    assert coins(game, ALICE) == 3 - 1
    assert "coffee" in tiles(game, ALICE)
    assert workers(game, ALICE, "coffee") == 0


def test_the_land_office_works_once_a_turn(edition):
    """R-LND-1, Q-82: the turn is over when nothing else can be done."""
    game = after(edition, "alice role trader\nalice land buy", buyer(), on_top=("coffee",))
    assert game.phase == "role"
    assert coins(game, ALICE) == 2


@pytest.mark.parametrize("order", ["land buy,sell sugar", "sell sugar,land buy"])
def test_a_tile_is_bought_before_or_after_the_sale(edition, order):
    """R-LND-1, R-TRA-1, Q-82: in addition to it."""
    game = after(edition, "alice role trader", buyer(goods={"sugar": 1}), on_top=("coffee",))
    assert options(game) == {"land:buy", "sell:sugar", "pass"}
    for action in order.split(","):
        play(game, f"alice {action}")
    assert coins(game, ALICE) == 3 - 1 + 2 + 1
    assert game.phase == "role"


def test_a_sale_may_bring_the_coin_for_the_tile(edition):
    """Q-82, Q-83: without coins only the sale is possible, and then the purchase."""
    seat = buyer(goods={"indigo": 1}, coins=0)
    game = after(edition, "alice role trader", seat, on_top=("coffee",))
    assert options(game) == {"sell:indigo", "pass"}
    play(game, "alice sell indigo\nalice land buy")
    assert coins(game, ALICE) == 0 + 1 + 1 - 1


def test_a_turn_may_end_with_the_land_office_unused(edition):
    """R-LND-1, R-GEN-3."""
    game = after(
        edition, "alice role trader\nalice sell sugar\nalice pass", buyer(goods={"sugar": 1})
    )
    assert game.phase == "role"
    assert tiles(game, ALICE) == ["indigo"]


def test_a_purchase_needs_a_coin_a_space_and_a_tile(edition):
    """R-LND-2, Q-83, R-STL-4, R-STL-13."""
    assert after(edition, "alice role trader", buyer(coins=0)).phase == "role"
    full = {"corn": [4, 0], "sugar": [4, 0], "tobacco": [4, 0]}
    assert after(edition, "alice role trader", buyer(island=full)).phase == "role"
    game = after(edition, "alice role trader", buyer(), deck={}, discard={})
    assert game.phase == "role"


def test_an_empty_deck_is_shuffled_for_the_land_office(edition):
    """R-LND-2, R-STL-13, Q-18: out of what was laid aside."""
    game = after(edition, "alice role trader", buyer(), deck={}, discard={"tobacco": 2})
    play(game, "alice land buy")
    assert "tobacco" in tiles(game, ALICE)
    assert (deck_size(game), discard(game)) == (1, {})


def test_hospice_and_hacienda_have_no_part_in_it(edition):
    """R-LND-7, R-HOS-7."""
    seats = {ALICE: {"city": {"land_office": WORKER, "hospice": 1, "hacienda": 1}}}
    game = after(edition, "alice role trader\nalice land buy", seats, on_top=("coffee", "sugar"))
    assert tiles(game, ALICE) == ["indigo", "coffee"]
    assert workers(game, ALICE, "coffee") == 0


def test_a_full_house_does_not_close_the_land_office(edition):
    """R-TRA-7, D-81, D-23, Q-77: whoever comes to a turn may use it."""
    full = ["corn", "indigo", "sugar", "coffee"]
    seats = {BOB: {"city": {"land_office": WORKER}, "goods": {"corn": 1}}}
    game = after(edition, "alice role trader", seats, house=full, on_top=("coffee",))
    assert (game.turn, options(game)) == (BOB, {"land:buy", "pass"})


def test_an_empty_land_office_does_nothing(edition):
    """R-GEN-2."""
    seats = {ALICE: {"city": {"land_office": [0, 0]}}}
    assert after(edition, "alice role trader", seats).phase == "role"


def test_an_empty_land_office_does_not_keep_the_turn_open(edition):
    """R-LND-1, R-TRA-1: after the sale nothing can be done, with guests who have no place to go."""
    for city in ({"land_office": [0, 0]}, {"land_office": [0, 0], "guest_house": [0, 0]}):
        seats = {ALICE: {"island": {}, "city": city, "goods": {"sugar": 1}}}
        game = after(edition, "alice role trader\nalice sell sugar", seats, expansions=(X1, X2))
        assert game.phase == "role"


# -- land office: a citizen sells ------------------------------------------------------------------


def seller(island, expansions=(X2,), **words):
    """Alice's land office, with a citizen."""
    return {ALICE: {"city": {"land_office": CITIZEN}, "island": island} | words}


def test_a_citizen_on_the_land_office_sells_a_plantation(edition):
    """TX-66, R-LND-3, R-LND-4, R-LND-5, D-60, D-65, G131: the worker goes to the portrait."""
    game = after(edition, "alice role trader", seller({"corn": [1, 1]}))
    before = row(game)
    assert options(game) == {"land:sell:corn", "pass"}
    play(game, "alice land sell corn")
    assert coins(game, ALICE) == 3 + 1
    assert tiles(game, ALICE) == []
    assert workers(game, ALICE, "portrait") == 1
    if edition == ENGLISH:
        assert row(game) == before | {"corn": before["corn"] + 1}
        assert discard(game) == {}
    else:
        assert row(game) == before
        assert discard(game) == {"corn": 1}


def test_the_row_of_the_english_game_may_overflow():
    """D-85, D-60, Q-85, I-15: the next refresh lays everything aside."""
    game = after(ENGLISH, "alice role trader\nalice land sell corn", seller({"corn": [1, 0]}))
    assert sum(row(game).values()) == 6
    play(game, "bob role settler\nbob pass\ncarol pass\ndave pass\nalice pass")
    assert sum(row(game).values()) == 5
    assert sum(discard(game).values()) == 6


def test_one_of_each_kind_of_plantation_may_be_sold_but_no_quarry(edition):
    """R-LND-3, Q-84, G131."""
    island = {"corn": [2, 1], "sugar": [1, 0], "quarry": [2, 1]}
    game = after(edition, "alice role trader", seller(island))
    assert options(game) == {"land:sell:corn", "land:sell:sugar", "pass"}


STANDING = {"empty": (1, 1, 0, 0), "worker": (0, 1, 1, 0), "citizen": (1, 0, 0, 1)}
"""Who is left on the corn, workers and citizens, and who comes to the portrait."""


@pytest.mark.parametrize("choice", STANDING)
def test_the_owner_chooses_which_tile_of_a_kind_is_sold(edition, choice):
    """R-LND-3, R-LND-5, Q-84: an empty one, one with a worker or one with a citizen."""
    seats = seller({"corn": [3, 1, 1]})
    game = after(edition, "alice role trader\nalice land sell corn", seats)
    assert (game.phase, game.turn) == ("trader", ALICE)
    assert options(game) == {"remove:empty", "remove:worker", "remove:citizen"}
    play(game, f"alice remove {choice}")
    left = (workers(game, ALICE, "corn"), citizens(game, ALICE, "corn"))
    home = (workers(game, ALICE, "portrait"), citizens(game, ALICE, "portrait"))
    assert (*left, *home) == STANDING[choice]
    assert tiles(game, ALICE) == ["corn", "corn"]
    assert coins(game, ALICE) == 3 + 1


@pytest.mark.parametrize(
    ("standing", "choices"),
    [([2, 1], {"empty", "worker"}), ([2, 0, 1], {"empty", "citizen"}),
     ([2, 1, 1], {"worker", "citizen"})],
)  # fmt: skip
def test_only_tiles_that_are_there_can_be_chosen(edition, standing, choices):
    """R-LND-3: what differs is asked, and nothing else."""
    game = after(edition, "alice role trader\nalice land sell corn", seller({"corn": standing}))
    assert options(game) == {f"remove:{choice}" for choice in choices}


@pytest.mark.parametrize("standing", [[2, 0], [2, 2], [2, 0, 2]])
def test_tiles_that_are_alike_are_not_asked_about(edition, standing):
    """R-LND-3: even where nothing is decided by itself."""
    switches = {"skip_forced": False}
    script = "alice role trader\nalice land sell corn"
    game = after(edition, script, seller({"corn": standing}), switches=switches)
    assert not any(name.startswith("remove") for name in options(game))
    assert tiles(game, ALICE) == ["corn"]


def test_a_citizen_on_the_tile_goes_to_the_portrait_too(edition):
    """R-LND-5, R-GEN-9."""
    game = after(edition, "alice role trader\nalice land sell corn", seller({"corn": [1, 0, 1]}))
    assert citizens(game, ALICE, "portrait") == 1


def test_the_two_sides_do_not_mix(edition):
    """C.6: whoever has a worker there does not sell, and a citizen does not buy."""
    game = after(edition, "alice role trader", seller({"corn": [1, 0]}), on_top=("coffee",))
    assert "land:buy" not in options(game)
    game = after(edition, "alice role trader", buyer(island={"corn": [1, 0]}))
    assert not any(name.startswith("land:sell") for name in options(game))


def test_a_tile_sold_may_be_followed_by_a_barrel(edition):
    """R-LND-1, Q-82."""
    seats = seller({"corn": [1, 0]}, goods={"sugar": 1})
    game = after(edition, "alice role trader\nalice land sell corn\nalice sell sugar", seats)
    assert coins(game, ALICE) == 3 + 1 + 2 + 1
    assert game.phase == "role"


@pytest.mark.parametrize(("sells", "options_"), [(True, 2), (False, 1)])
def test_forests_are_for_sale_in_german_only_unless_agreed(edition, sells, options_):
    """D-61, R-LND-3, Q-84, R-CMB-2: `land_office_sells_forest`."""
    island = {"forest": [1, 0], "corn": [1, 0]}
    game = after(edition, "alice role trader", seller(island), expansions=(X1, X2))
    assert ("land:sell:forest" in options(game)) is (edition == GERMAN)
    switches = {"land_office_sells_forest": sells}
    game = after(
        edition, "alice role trader", seller(island), expansions=(X1, X2), switches=switches
    )
    assert len(options(game) - {"pass"}) == options_


def test_a_forest_sold_lies_there_under_its_printed_kind():
    """R-LND-4, D-61, Q-31: nobody knew it before."""
    seats = seller({"forest": [1, 0]}, forest_kinds={"coffee": 1})
    game = after(GERMAN, "alice role trader\nalice land sell forest", seats, expansions=(X1, X2))
    assert discard(game) == {"coffee": 1}
    assert (forests(game, ALICE), forest_kinds(game, ALICE)) == (0, {})
    assert coins(game, ALICE) == 3 + 1


@pytest.mark.parametrize(("place", "laid", "shown"), [("discard", 1, 5), ("face_up_row", 0, 6)])
def test_a_table_may_agree_where_a_tile_sold_goes(edition, place, laid, shown):
    """D-60: `land_office_sale_to`."""
    switches = {"land_office_sale_to": place}
    script = "alice role trader\nalice land sell corn"
    game = after(edition, script, seller({"corn": [1, 0]}), switches=switches)
    assert (sum(discard(game).values()), sum(row(game).values())) == (laid, shown)


# -- land office and forest house ------------------------------------------------------------------


def forester():
    """Alice's land office with a worker, and her forest house."""
    return {ALICE: {"city": {"land_office": WORKER, "forest_house": 1}, "island": {}}}


def test_classic_takes_a_forest_without_drawing():
    """R-LND-6, D-62, Q-122: coin paid, forest from the stack, deck as it was."""
    game = table(CLASSIC, forester(), (X1, X2), on_top=("coffee",))
    before = deck_size(game)
    play(game, "alice role trader\nalice land buy")
    assert options(game) == {"use:plantation", "use:forest"}
    play(game, "alice use forest")
    assert (forests(game, ALICE), number(game, "forests")) == (1, 11)
    assert (coins(game, ALICE), deck_size(game)) == (2, before)


def test_classic_takes_a_forest_when_nothing_can_be_drawn():
    """R-LND-6, Q-122, D-62: deck and discard are empty, the stack is not; nobody is asked."""
    game = table(CLASSIC, forester(), (X1, X2), deck={}, discard={})
    play(game, "alice role trader\nalice land buy")
    assert (forests(game, ALICE), number(game, "forests")) == (1, 11)
    assert coins(game, ALICE) == 2


def test_classic_may_draw_all_the_same():
    """R-LND-6, D-62: the tile is seen after the choice."""
    game = table(CLASSIC, forester(), (X1, X2), on_top=("coffee",))
    play(game, "alice role trader\nalice land buy\nalice use plantation")
    assert tiles(game, ALICE) == ["coffee"]


@pytest.mark.parametrize("edition", BOTH_1897)
def test_1897_decides_after_seeing_the_tile(edition):
    """R-LND-6, D-62."""
    for use, found in (("plantation", (["coffee"], {})), ("forest", ([], {"coffee": 1}))):
        game = table(edition, forester(), (X1, X2), on_top=("coffee",))
        before = deck_size(game)
        play(game, "alice role trader\nalice land buy")
        assert deck_size(game) == before - 1
        assert options(game) == {"use:plantation", "use:forest"}
        play(game, f"alice use {use}")
        assert (tiles(game, ALICE), forest_kinds(game, ALICE)) == found


def test_a_table_may_agree_on_forests_that_are_plantations():
    """D-62, D-36: `land_office_forest_buy` follows `forest_source`, here in classic."""
    flip = {"land_office_forest_buy": "flip_bought_tile"}
    with pytest.raises(RuleSetError):
        rules(4, CLASSIC, expansions=[X1, X2], **flip)
    switches = {"forest_source": "facedown_estate"} | flip
    game = table(CLASSIC, forester(), (X1, X2), on_top=("coffee",), switches=switches)
    play(game, "alice role trader\nalice land buy\nalice use forest")
    assert forest_kinds(game, ALICE) == {"coffee": 1}


# -- chapel ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("unit", "paid", "scored"), [(WORKER, 1, 0), (CITIZEN, 0, 1)])
def test_the_chapel_gives_a_coin_or_a_vp(edition, unit, paid, scored):
    """R-CHP-1, R-CRA-6, Q-69: nothing need be produced, and anybody may be craftsman."""
    game = after(edition, "alice role craftsman", {BOB: {"city": {"chapel": unit}}})
    assert (coins(game, BOB), vp(game, BOB)) == (3 + paid, scored)
    assert number(game, "vp_pool") == game.rules.vp_pool - scored


def test_when_the_chapel_pays(edition):
    """R-CHP-2, D-63: at the opening, or with the own production, which Alice's guest delays."""
    seats = {
        ALICE: {"island": {}, "city": {"guest_house": 1, "office": 0}},
        BOB: {"city": {"chapel": WORKER}},
    }
    game = after(edition, "alice role craftsman\nalice pass", seats, expansions=(X1, X2))
    assert (game.turn, game.phase) == (ALICE, "craftsman")
    assert coins(game, BOB) == 3 + (edition == ENGLISH)
    finish_phase(game)
    assert coins(game, BOB) == 4


@pytest.mark.parametrize(("timing", "paid"), [("phase_start", 1), ("with_production", 0)])
def test_a_table_may_agree_when_the_chapel_pays(edition, timing, paid):
    """D-63: `chapel_timing`."""
    seats = {
        ALICE: {"island": {}, "city": {"guest_house": 1, "office": 0}},
        BOB: {"city": {"chapel": WORKER}},
    }
    game = after(
        edition,
        "alice role craftsman\nalice pass",
        seats,
        expansions=(X1, X2),
        switches={"chapel_timing": timing},
    )
    assert coins(game, BOB) == 3 + paid


def test_the_last_vp_may_be_that_of_a_chapel(edition):
    """Q-103, R-END-3, R-CHP-1, Q-67."""
    game = after(edition, "alice role craftsman", {BOB: {"city": {"chapel": CITIZEN}}}, vp=1)
    assert number(game, "end_reasons") != 0


# -- hunting lodge ---------------------------------------------------------------------------------

NOBODY_SETTLES = "alice role settler\nalice pass\nbob pass\ncarol pass"


def hunting(edition, seats, expansions=(X2,), **words):
    """The close of a settler phase of three in which nobody took a tile."""
    game = table(edition, seats, expansions, players=3, **words)
    return play(game, NOBODY_SETTLES)


KINDS = ("sugar", "indigo", "tobacco")


def island(spaces_left, kind="sugar"):
    """An island with so many empty spaces."""
    return {kind: [12 - spaces_left, 0]}


@pytest.mark.parametrize(
    ("empty", "scored"),
    [((8, 8, 5), 0), ((8, 7, 5), 2), ((7, 8, 5), 0), ((9, 8, 8), 2)],
)
def test_a_citizen_on_the_lodge_scores_the_emptiest_island(edition, empty, scored):
    """TX-67, R-LDG-2, D-66, G124: a tie gives nothing."""
    seats = {
        seat: {"island": island(spaces, kind)}
        for seat, (spaces, kind) in enumerate(zip(empty, KINDS, strict=True))
    }
    seats[ALICE]["city"] = {"hunting_lodge": CITIZEN}
    game = hunting(edition, seats)
    assert vp(game, ALICE) == scored
    assert (game.phase, game.turn) == ("role", BOB)


def test_the_lodge_looks_at_the_end_of_the_phase(edition):
    """R-LDG-2, R-STL-11, G124: Bob was level before he took a tile."""
    seats = {
        ALICE: {"island": island(8), "city": {"hunting_lodge": CITIZEN}},
        BOB: {"island": island(8, "indigo")},
        CAROL: {"island": island(5, "tobacco")},
    }
    game = table(edition, seats, players=3)
    play(game, "alice role settler\nalice pass\nbob take corn\ncarol pass")
    assert vp(game, ALICE) == 2


def test_a_worker_on_the_lodge_may_remove_a_tile(edition):
    """R-LDG-1, R-LDG-4, R-LDG-5, D-64, Q-120, G131: plantations only, to the discard."""
    seats = {
        ALICE: {
            "island": {"corn": [1, 1], "sugar": [1, 0], "quarry": [1, 1]},
            "city": {"hunting_lodge": WORKER},
        }
    }
    game = hunting(edition, seats, row={"indigo": 4})
    assert options(game) == {"lodge:corn", "lodge:sugar", "pass"}
    play(game, "alice lodge corn")
    assert tiles(game, ALICE) == ["sugar", "quarry"]
    assert workers(game, ALICE, "portrait") == 1
    assert discard(game) == {"corn": 1, "indigo": 4}


def test_the_owner_chooses_which_tile_the_lodge_returns(edition):
    """R-LDG-1, R-LDG-5: and the next owner is asked after that."""
    seats = {
        ALICE: {"island": {"corn": [2, 1]}, "city": {"hunting_lodge": WORKER}},
        BOB: {"island": {"sugar": [1, 0]}, "city": {"hunting_lodge": WORKER}},
    }
    for choice, left, home in (("empty", 1, 0), ("worker", 0, 1)):
        game = play(hunting(edition, seats), "alice lodge corn")
        assert (game.phase, game.turn) == ("settler", ALICE)
        assert options(game) == {"remove:empty", "remove:worker"}
        play(game, f"alice remove {choice}")
        assert workers(game, ALICE, "corn") == left
        assert workers(game, ALICE, "portrait") == home
        assert (game.turn, options(game)) == (BOB, {"lodge:sugar", "pass"})


def test_the_lodge_need_not_be_used(edition):
    """R-LDG-1, R-GEN-3."""
    game = hunting(edition, {ALICE: {"city": {"hunting_lodge": WORKER}}})
    play(game, "alice pass")
    assert tiles(game, ALICE) == ["indigo"]
    assert (game.phase, game.turn) == ("role", BOB)


def test_a_forest_may_be_removed(edition):
    """R-LDG-1, R-LDG-4, Q-121, R-CMB-2, I-06: to its stack, or aside under its printed kind."""
    seat = {"island": {"forest": [2, 0]}, "city": {"hunting_lodge": WORKER}}
    if edition != CLASSIC:
        seat["forest_kinds"] = {"tobacco": 1, "coffee": 1}
    game = hunting(edition, {ALICE: seat}, (X1, X2), row={"indigo": 4})
    play(game, "alice lodge forest")
    assert forests(game, ALICE) == 1
    if edition == CLASSIC:
        assert number(game, "forests") == 11
        assert discard(game) == {"indigo": 4}
    else:
        gone = next(iter({"tobacco", "coffee"} - set(forest_kinds(game, ALICE))))
        assert discard(game) == {"indigo": 4, gone: 1}


@pytest.mark.parametrize("edition", BOTH_1897)
@pytest.mark.parametrize(
    ("kinds", "blind", "left"),
    [
        (("corn", "sugar", "coffee"), ("corn", "sugar"), ("corn", "sugar")),
        (("corn", "sugar"), ("corn", "sugar"), ("sugar",)),
        (("sugar",), ("sugar",), ()),
    ],
)
def test_a_forest_that_all_have_seen_goes_first(edition, kinds, blind, left):
    """R-LDG-4, Q-31: then those that only their owner has seen, lowest kind first."""
    seat = {
        "island": {"forest": [len(kinds), 0]},
        "forest_kinds": dict.fromkeys(kinds, 1),
        "forest_blind": dict.fromkeys(blind, 1),
        "city": {"hunting_lodge": WORKER},
    }
    game = play(hunting(edition, {ALICE: seat}, (X1, X2)), "alice lodge forest")
    assert tuple(forest_kinds(game, ALICE)) == left
    assert int(game.state["forest_blind"][0, ALICE].sum()) == len(left)


def test_lodges_work_clockwise_from_the_settler(edition):
    """R-LDG-3, Q-119: a tile that Alice removes counts for Bob's citizen."""
    seats = {
        ALICE: {"island": island(8), "city": {"hunting_lodge": WORKER}},
        BOB: {"island": island(9, "indigo"), "city": {"hunting_lodge": CITIZEN}},
        CAROL: {"island": island(5, "tobacco")},
    }
    for answer, scored in (("pass", 2), ("lodge sugar", 0)):
        game = play(hunting(edition, seats, row={"corn": 4}), f"alice {answer}")
        assert vp(game, BOB) == scored


def test_an_earlier_citizen_does_not_see_a_later_removal(edition):
    """R-LDG-3, Q-119: here Bob hunts first, since Alice is the last in turn."""
    seats = {
        ALICE: {"island": island(8), "city": {"hunting_lodge": WORKER}},
        BOB: {"island": island(9, "indigo"), "city": {"hunting_lodge": CITIZEN}},
        CAROL: {"island": island(5, "tobacco")},
    }
    game = table(edition, seats, players=3, actor=BOB, row={"corn": 4})
    play(game, "bob role settler\nbob pass\ncarol pass\nalice pass")
    assert vp(game, BOB) == 2
    play(game, "alice lodge sugar")
    assert vp(game, BOB) == 2


def test_the_lodge_comes_after_the_librarys_tile(edition):
    """Q-29, R-CMB-8, R-LDG-3, R-STL-11: the second tile may go at once; then the row is laid
    aside."""
    seats = {ALICE: {"island": {}, "city": {"library": 1, "hunting_lodge": WORKER}}}
    game = hunting(edition, seats, (X1, X2), row={"corn": 2, "coffee": 2})
    play(game, "alice take coffee")
    assert options(game) == {"lodge:coffee", "pass"}
    assert discard(game) == {}
    play(game, "alice lodge coffee")
    assert discard(game) == {"coffee": 2, "corn": 2}


def test_an_island_without_plantations_has_nothing_to_remove(edition):
    """R-LDG-1: quarries stay."""
    seats = {ALICE: {"island": {"quarry": [2, 0]}, "city": {"hunting_lodge": WORKER}}}
    assert hunting(edition, seats).phase == "role"


# -- notary ----------------------------------------------------------------------------------------


def price(edition, building, unit):
    """What Bob pays for a building with this unit on his notary."""
    for purse in range(11):
        game = board(
            "builder",
            edition=edition,
            expansions=(X2,),
            turn=BOB,
            seats={BOB: {"island": {}, "city": {"notary": unit}, "coins": purse}},
        )
        if f"build:{building}" in options(game):
            game.step(f"build:{building}")
            assert coins(game, BOB) == 0
            return purse
    raise AssertionError(f"nobody can buy {building}")


@pytest.mark.parametrize(
    ("unit", "office", "fortress"), [(WORKER, 4, 10), (CITIZEN, 5, 8), ([0, 0], 5, 10)]
)
def test_the_notary_makes_small_or_large_buildings_cheaper(edition, unit, office, fortress):
    """TX-68, R-NOT-1, R-BLD-8, G128: a coin with a worker, two with a citizen, never both."""
    assert price(edition, "office", unit) == office
    assert price(edition, "fortress", unit) == fortress


@pytest.mark.parametrize(
    ("building", "cost"),
    [("coffee_roaster", 5), ("small_sugar_mill", 1), ("small_market", 0), ("jeweler", 7)],
)
def test_production_buildings_are_small_ones(edition, building, cost):
    """R-NOT-1, Q-57."""
    assert price(edition, building, WORKER) == cost


def test_the_notary_adds_to_all_other_discounts(edition):
    """R-NOT-2, R-BLD-4, R-BLD-9: quarries, privilege and notary, not below nothing."""
    seat = {"island": {"quarry": [3, 3]}, "city": {"notary": WORKER}, "coins": 1}
    game = after(edition, "alice role builder\nalice build office", {ALICE: seat})
    assert coins(game, ALICE) == 1 - (5 - 2 - 1 - 1)
    game = after(edition, "alice role builder\nalice build hacienda", {ALICE: seat})
    assert coins(game, ALICE) == 1 - 0


# -- royal supplier --------------------------------------------------------------------------------

NO_SHIP = laden(("tobacco", 1), ("tobacco", 1), ("tobacco", 1))
"""No ship that takes anything but tobacco."""


def supplier(edition, seat, who=BOB, expansions=(X2,), **words):
    """The captain phase of Alice; one seat has an occupied royal supplier, and no ship fits."""
    seat = {"city": {"royal_supplier": WORKER}} | seat
    words = {"ships": NO_SHIP, "check": False} | words
    return after(edition, "alice role captain", {who: seat}, expansions=expansions, **words)


def test_barrels_are_returned_for_vp(edition):
    """R-RSP-1, R-RSP-2, R-RSP-5: up to one for each citizen, all of different kinds."""
    game = supplier(edition, {"goods": {"corn": 3, "sugar": 2, "coffee": 1}, "portrait": [0, 2]})
    before = supply(game, "corn")
    assert options(game) == {"supply:corn", "supply:sugar", "supply:coffee", "pass"}
    play(game, "bob supply corn")
    assert options(game) == {"supply:sugar", "supply:coffee", "pass"}
    play(game, "bob supply coffee")
    assert vp(game, BOB) == 2
    assert supply(game, "corn") == before + 1
    assert game.phase == "storage"
    assert goods(game, BOB) == {"corn": 2, "sugar": 2}


def test_fewer_barrels_may_be_returned(edition):
    """R-RSP-5, Q-92, D-67."""
    for script, scored in (("bob pass", 0), ("bob supply sugar\nbob pass", 1)):
        game = supplier(
            edition, {"goods": {"corn": 1, "sugar": 1, "coffee": 1}, "portrait": [0, 2]}
        )
        if "sugar" in script:
            play(game, "bob supply sugar")
            if "supply:coffee" in options(game):
                play(game, "bob pass")
        else:
            play(game, script)
        assert vp(game, BOB) == scored


def test_the_citizen_on_the_supplier_counts(edition):
    """R-RSP-1, R-RSP-2: it is one's own like all others."""
    seat = {"city": {"royal_supplier": CITIZEN}, "goods": {"corn": 1, "coffee": 1}}
    game = supplier(edition, seat)
    play(game, "bob supply coffee")
    assert vp(game, BOB) == 1


def test_without_citizens_nothing_is_returned(edition):
    """R-RSP-1."""
    game = supplier(edition, {"goods": {"corn": 1, "coffee": 1}})
    assert game.phase == "storage"


def test_supplier_first_then_union_hall(edition):
    """TX-62, R-RSP-4, R-UNH-1, Q-93: two VP for barrels returned, one for the pair that is left."""
    seat = {
        "city": {"royal_supplier": WORKER, "union_hall": WORKER},
        "portrait": [0, 2],
        "goods": {"corn": 3, "sugar": 2},
    }
    game = supplier(edition, seat, expansions=(X1, X2))
    play(game, "bob supply corn\nbob supply sugar")
    assert vp(game, BOB) == 2 + 1


def test_the_union_hall_counts_what_was_kept_back(edition):
    """R-RSP-4, Q-93: who returns nothing has two pairs."""
    seat = {
        "city": {"royal_supplier": WORKER, "union_hall": WORKER},
        "portrait": [0, 2],
        "goods": {"corn": 3, "sugar": 2},
    }
    game = supplier(edition, seat, expansions=(X1, X2))
    play(game, "bob pass")
    assert vp(game, BOB) == 1 + 1


def test_returned_barrels_are_no_load(edition):
    """R-RSP-3, R-HBR-3, R-CAP-7: no harbor, no lighthouse, no captain's VP."""
    seat = {
        "city": {"royal_supplier": WORKER, "harbor": WORKER, "lighthouse": WORKER},
        "portrait": [0, 1],
        "goods": {"corn": 1},
    }
    game = supplier(edition, seat, ALICE, (X1, X2))
    play(game, "alice supply corn")
    assert vp(game, ALICE) == 1
    assert coins(game, ALICE) == 3 + 1


def test_when_barrels_are_returned(edition):
    """R-RSP-4, D-67: at the opening, or on one's own first turn, when Alice has loaded."""
    seats = {
        ALICE: {"goods": {"indigo": 1, "coffee": 1}},
        BOB: {"city": {"royal_supplier": WORKER}, "portrait": [0, 1], "goods": {"corn": 2}},
    }
    game = after(edition, "alice role captain", seats)
    assert game.turn == (BOB if edition == ENGLISH else ALICE)
    if edition != ENGLISH:
        play(game, "alice load coffee 1")
    assert options(game) == {"supply:corn", "pass"}


@pytest.mark.parametrize(("timing", "turn"), [("phase_start", BOB), ("first_turn", ALICE)])
def test_a_table_may_agree_when_barrels_are_returned(edition, timing, turn):
    """D-67: `royal_supplier_timing`."""
    seats = {
        ALICE: {"goods": {"indigo": 1, "coffee": 1}},
        BOB: {"city": {"royal_supplier": WORKER}, "portrait": [0, 1], "goods": {"corn": 2}},
    }
    switches = {"royal_supplier_timing": timing}
    assert after(edition, "alice role captain", seats, switches=switches).turn == turn


def test_a_table_may_ask_for_exactly_as_many_barrels_as_citizens(edition):
    """D-67, Q-92: `royal_supplier_count`; more citizens than kinds make it useless."""
    switches = {"royal_supplier_count": "exactly"}
    held = {"goods": {"corn": 1, "sugar": 1, "coffee": 1}}
    game = supplier(edition, held | {"portrait": [0, 2]}, switches=switches)
    assert options(game) == {"supply:corn", "supply:sugar", "pass"}
    play(game, "bob supply corn")
    assert options(game) == {"supply:sugar", "supply:coffee"}
    game = supplier(edition, held | {"portrait": [0, 4]}, switches=switches)
    assert game.phase == "storage"


def test_barrels_may_be_returned_by_whoever_cannot_load(edition):
    """Q-91, R-CAP-8: the first circuit always takes place."""
    game = supplier(edition, {"goods": {"corn": 1}, "portrait": [0, 1]})
    assert game.turn == BOB
    play(game, "bob supply corn")
    assert vp(game, BOB) == 1


# -- villa -----------------------------------------------------------------------------------------


def mayor_of_three(edition, **words):
    """Alice takes the mayor; Bob's villa is occupied; a citizen and two workers are dealt."""
    words = {
        "workers": {"supply": 60, "register": 2},
        "citizens": {"supply": 9, "register": 1},
        "check": False,
    } | words
    seats = {BOB: {"island": {}, "city": {"villa": WORKER}}}
    return after(edition, "alice role mayor", seats, players=3, **words)


def units(game):
    """Workers and citizens of each seat."""
    return [(all_workers(game, seat), all_citizens(game, seat)) for seat in range(3)]


@pytest.mark.parametrize("edition", BOTH_1897)
def test_the_villa_brings_one_citizen_more(edition):
    """TX-65, R-VIL-1, D-68, G127: from the supply, besides what the register gives."""
    game = mayor_of_three(edition)
    play(game, "alice deal citizen")
    assert units(game) == [(1, 1), (1 + 1, 1), (1, 0)]


def test_the_german_villa_of_the_mayor_comes_between_privilege_and_register():
    """R-VIL-1, Q-118: both are there when the first unit is chosen."""
    seats = {ALICE: {"island": {}, "city": {"villa": WORKER}}}
    game = after(GERMAN, "alice role mayor", seats, players=3)
    assert options(game) == {"deal:worker", "deal:citizen"}
    assert (all_workers(game, ALICE), all_citizens(game, ALICE)) == (1 + 1, 1)
    play(game, "alice deal worker")
    assert (all_workers(game, ALICE), all_citizens(game, ALICE)) == (3, 1)


def test_the_classic_villa_replaces_a_unit_of_the_register():
    """TX-65, R-VIL-1, D-68, Q-117, G127: which the others receive: mayor, third, mayor."""
    game = mayor_of_three(CLASSIC)
    play(game, "alice deal citizen")
    assert (game.turn, options(game)) == (BOB, {"deal:worker", "villa"})
    play(game, "bob villa")
    assert units(game) == [(2, 1), (1, 1), (1, 0)]


def test_the_classic_villa_need_not_be_used():
    """R-VIL-1, R-ROL-9: Bob takes his turn at the register instead."""
    game = mayor_of_three(CLASSIC)
    play(game, "alice deal citizen\nbob deal worker")
    assert units(game) == [(1, 1), (2, 0), (1, 0)]


def test_the_classic_villa_is_asked_on_the_first_turn_only():
    """R-VIL-1: the second time round, Bob takes from the register."""
    game = mayor_of_three(
        CLASSIC, workers={"supply": 60, "register": 6}, citizens={"supply": 9, "register": 0}
    )
    play(game, "bob villa")
    assert units(game) == [(1 + 3, 0), (1 + 1, 1), (2, 0)]


def test_the_classic_villa_with_an_empty_register():
    """Section I.11, R-VIL-1: the unit still comes; there is nothing left to replace."""
    game = mayor_of_three(
        CLASSIC, workers={"supply": 60, "register": 0}, citizens={"supply": 9, "register": 0}
    )
    assert (game.turn, options(game)) == (BOB, {"villa", "pass"})
    play(game, "bob villa")
    assert units(game) == [(1, 0), (1, 1), (0, 0)]


def test_the_classic_villa_may_rest_when_the_register_is_empty():
    """Section I.11, R-VIL-1: whoever does not use it gets nothing."""
    game = mayor_of_three(
        CLASSIC, workers={"supply": 60, "register": 0}, citizens={"supply": 9, "register": 0}
    )
    play(game, "bob pass")
    assert units(game) == [(1, 0), (1, 0), (0, 0)]


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_villa_without_citizens_brings_a_worker(edition):
    """R-VIL-2, R-VIL-3, G127: from the supply, not from the register."""
    game = mayor_of_three(edition, citizens={"supply": 0, "register": 1})
    play(game, "alice deal citizen")
    assert units(game) == [(1, 1), (1 + 1 + 1, 0), (1, 0)]


def test_the_classic_villa_without_citizens_brings_a_worker():
    """R-VIL-2, R-VIL-3."""
    game = mayor_of_three(CLASSIC, citizens={"supply": 0, "register": 1})
    play(game, "alice deal citizen\nbob villa")
    assert units(game) == [(2, 1), (2, 0), (1, 0)]


def test_villa_or_privilege_when_one_worker_is_left(edition):
    """Q-118, R-VIL-2: at the opening the villa has it, on a first turn the mayor."""
    game = mayor_of_three(
        edition,
        workers={"supply": 1, "register": 3},
        citizens={"supply": 0, "register": 0},
    )
    found = units(game)
    if edition == ENGLISH:
        assert found == [(1, 0), (1 + 1 + 1, 0), (1, 0)]
    else:
        assert found == [(2, 0), (2, 0), (1, 0)]


def test_an_empty_villa_brings_nobody(edition):
    """R-VIL-1, R-GEN-2."""
    seats = {BOB: {"city": {"villa": [0, 0]}}}
    game = after(
        edition,
        "alice role mayor",
        seats,
        players=3,
        workers={"supply": 60, "register": 3},
        citizens={"supply": 9, "register": 0},
        check=False,
    )
    assert units(game) == [(2, 0), (1, 0), (1, 0)]


@pytest.mark.parametrize("mode", ["extra", "replace_first_take"])
def test_a_table_may_agree_what_the_villa_does(edition, mode):
    """D-68, Q-117: `villa_mode`."""
    switches = {"villa_mode": mode, "villa_timing": "first_turn"}
    game = mayor_of_three(edition, switches=switches)
    play(game, "alice deal citizen")
    if mode == "extra":
        assert units(game) == [(1, 1), (2, 1), (1, 0)]
    else:
        assert options(game) == {"deal:worker", "villa"}


def mayor_with_villa(edition, city=None, **words):
    """Alice takes the mayor; her villa's citizen may replace a worker of her privilege."""
    words = {
        "workers": {"supply": 60, "register": 3},
        "citizens": {"supply": 9, "register": 0},
        "check": False,
    } | words
    seats = {ALICE: {"island": {}, "city": {"villa": WORKER} | (city or {})}}
    switches = {"villa_mode": "replace_privilege", "villa_timing": "first_turn"}
    return after(edition, "alice role mayor", seats, players=3, switches=switches, **words)


def test_a_villa_may_replace_the_worker_of_the_privilege(edition):
    """R-VIL-1, Q-117: a citizen from the supply in its place, or the worker all the same."""
    for answer, found in (("villa", (1 + 1, 1)), ("gain", (1 + 1 + 1, 0))):
        game = mayor_with_villa(edition)
        assert (game.turn, options(game)) == (ALICE, {"villa", "gain"})
        play(game, f"alice {answer}")
        assert units(game)[0] == found


def test_a_villa_replaces_one_worker_of_a_double_privilege(edition):
    """R-VIL-1, R-LIB-1, Q-117: with a library the first or the second worker, not both."""
    for script, found in (
        ("alice villa", (2 + 1 + 1, 1)),
        ("alice gain\nalice villa", (2 + 1 + 1, 1)),
        ("alice gain\nalice gain", (2 + 2 + 1, 0)),
    ):
        game = mayor_with_villa(edition, {"library": WORKER}, expansions=(X1, X2))
        play(game, script)
        assert units(game)[0] == found


def test_a_villa_that_replaces_the_privilege_needs_one_and_a_citizen(edition):
    """R-VIL-1, Q-117: another seat's villa rests, and so does one without citizens."""
    switches = {"villa_mode": "replace_privilege", "villa_timing": "first_turn"}
    game = mayor_of_three(edition, switches=switches, citizens={"supply": 9, "register": 0})
    assert [all_citizens(game, seat) for seat in range(3)] == [0, 0, 0]
    game = mayor_with_villa(edition, citizens={"supply": 0, "register": 0})
    assert units(game)[0] == (1 + 1 + 1, 0)


def test_without_a_worker_the_villas_citizen_may_still_come(edition):
    """R-VIL-1, Q-117: it comes in place of nobody, or stays away."""
    for answer, found in (("villa", (1 + 1, 1)), ("pass", (1 + 1, 0))):
        game = mayor_with_villa(edition, workers={"supply": 0, "register": 3})
        assert options(game) == {"villa", "pass"}
        play(game, f"alice {answer}")
        assert units(game)[0] == found


@pytest.mark.parametrize(("timing", "mayors"), [("phase_start", 1), ("first_turn", 2)])
def test_a_table_may_agree_when_the_villa_works(timing, mayors):
    """D-68, Q-118: `villa_timing`; the last worker goes to the villa, or to the mayor."""
    game = mayor_of_three(
        GERMAN,
        switches={"villa_timing": timing},
        workers={"supply": 1, "register": 3},
        citizens={"supply": 0, "register": 0},
    )
    assert units(game)[0] == (mayors, 0)


def test_the_citizen_of_a_villa_is_placed_in_the_same_phase(edition):
    """R-VIL-1, R-MAY-4: dealing comes before placing."""
    seats = {ALICE: {"island": {"corn": [3, 0, 0]}, "city": {"villa": WORKER}}}
    game = after(
        edition,
        "alice role mayor",
        seats,
        players=3,
        workers={"supply": 60, "register": 3},
        citizens={"supply": 9, "register": 0},
        check=False,
    )
    if edition == CLASSIC:
        play(game, "alice villa")
    assert all_citizens(game, ALICE) == 1
    placed = (
        [citizens(end, ALICE, "portrait") for end in endings(game)] if game.turn == ALICE else [0]
    )
    assert set(placed) == {0}


# -- jeweler and royal garden ----------------------------------------------------------------------


def test_the_jeweler_pays_a_coin_for_each_citizen(edition):
    """TX-69, R-JEW-1, R-CRA-6, Q-69: one of three on the portrait, and nothing is produced."""
    seat = {"island": {"corn": [2, 0, 1]}, "city": {"jeweler": CITIZEN}, "portrait": [0, 1]}
    game = after(edition, "alice role craftsman", {BOB: seat | {"island": {"quarry": [1, 0, 1]}}})
    assert coins(game, BOB) == 3 + 3
    assert goods(game, BOB) == {}


def test_a_worker_runs_the_jeweler_as_well(edition):
    """R-JEW-1, G130: whoever stands there."""
    seat = {"city": {"jeweler": WORKER}, "portrait": [0, 2]}
    assert coins(after(edition, "alice role craftsman", {BOB: seat}), BOB) == 3 + 2


def test_the_jeweler_makes_no_barrels(edition):
    """R-JEW-3: it needs no plantation and has no good."""
    seat = {"island": {"coffee": [1, 1]}, "city": {"jeweler": WORKER}}
    assert goods(after(edition, "alice role craftsman", {BOB: seat}), BOB) == {}


def test_the_jeweler_is_a_large_production_building(edition):
    """R-JEW-2, R-GUI-1, R-PRD-3, Q-107, G130: two for the guild hall, none for the city hall."""
    seats = {
        ALICE: {"city": {"guild_hall": 1, "jeweler": [0, 0]}},
        BOB: {"city": {"city_hall": 1, "jeweler": [0, 0]}},
    }
    scores = table(edition, seats).score_table()
    assert scores[ALICE]["guild_hall"] == 2
    assert scores[BOB]["city_hall"] == 1


def test_the_royal_garden_scores_every_citizen_again(edition):
    """TX-70, R-GDN-1, R-SCO-1: five, five and the four of the building."""
    seat = {"island": {"corn": [2, 1, 1]}, "city": {"royal_garden": CITIZEN}, "portrait": [0, 3]}
    game = table(edition, {ALICE: seat})
    assert game.score_table()[ALICE]["royal_garden"] == 5
    assert game.scores()[ALICE] == 5 + 5 + 4


def test_an_empty_royal_garden_scores_citizens_once(edition):
    """R-GDN-1, R-SCO-2."""
    seat = {"city": {"royal_garden": [0, 0]}, "portrait": [0, 3]}
    assert table(edition, {ALICE: seat}).scores()[ALICE] == 3 + 4


def test_x2_buildings_count_for_the_city_hall(edition):
    """R-CTY-1, R-X2-1: six small types, the royal garden and the hall itself."""
    small = ("land_office", "chapel", "hunting_lodge", "notary", "royal_supplier", "villa")
    city = {name: [0, 0] for name in small}
    seat = {"city": city | {"royal_garden": [0, 0], "city_hall": 1}}
    assert table(edition, {ALICE: seat}).score_table()[ALICE]["city_hall"] == 8


# -- all together ----------------------------------------------------------------------------------


def test_switches_of_the_citizens(edition):
    """D-56, D-60, D-61, D-62, D-63, D-67, D-68, Q-112: as section 0.6 has them."""
    found = new_game(4, edition, expansions=[X1, X2], board="random").rules
    english, classic = edition == ENGLISH, edition == CLASSIC
    timing = "phase_start" if english else "first_turn"
    assert found.royal_supplier_timing == found.villa_timing == timing
    assert found.royal_supplier_count == "up_to"
    assert found.chapel_timing == ("phase_start" if english else "with_production")
    assert found.villa_mode == ("replace_first_take" if classic else "extra")
    assert found.land_office_sale_to == ("face_up_row" if english else "discard")
    assert found.land_office_sells_forest is (edition == GERMAN)
    assert found.land_office_forest_buy == (
        "take_from_forest_stack" if classic else "flip_bought_tile"
    )
    assert found.x2_with_x1_setup == ("draft_extra_slots" if english else "add_all_8")
    assert found.citizens_from_supply_by_worker_effects is False


def test_nothing_is_left_of_a_villa_used_before(edition):
    """R-VIL-1, R-GEN-8: the next mayor phase asks anew."""
    game = mayor_of_three(edition)
    play(game, "alice deal citizen")
    if edition == CLASSIC:
        play(game, "bob villa")
    before = all_citizens(game, BOB)
    assert before == 1
    assert not any("villa" in name for name in options(game))
    assert register(game) is not None
    assert moves(game)[0] == "alice role mayor"
