"""Citizens: a second kind of unit, worth a VP, that stands wherever a worker may stand."""

import itertools

import pytest

from prico_env import catalog
from prico_env.vocabulary import BUILDINGS, CITIZEN_BUILDINGS, SPOTS
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    CLASSIC,
    DAVE,
    ENGLISH,
    X1,
    X2,
    all_citizens,
    all_workers,
    board,
    citizens,
    coins,
    copies_in_box,
    end_triggered,
    endings,
    goods,
    moves,
    new_game,
    number,
    options,
    play,
    register,
    staffing_of_both,
    stock,
    workers,
)

FIGURES = {
    # building: cost, VP, column, copies with three players or more, with two (table A.4)
    "land_office": (2, 1, 1, 2, 1),
    "chapel": (3, 1, 1, 2, 1),
    "hunting_lodge": (4, 2, 2, 2, 1),
    "notary": (5, 2, 2, 2, 1),
    "royal_supplier": (6, 2, 2, 2, 1),
    "villa": (7, 3, 3, 2, 1),
    "jeweler": (8, 3, 3, 2, 2),
    "royal_garden": (10, 4, 4, 1, 1),
}


def table(edition, seats=None, **words):
    """A round begins at a table with citizens."""
    return board(edition=edition, expansions=(X2,), seats=seats, **words)


def placing(edition, seat, **words):
    """Alice places the units of a mayor phase."""
    return board("mayor", edition=edition, expansions=(X2,), seats={ALICE: seat}, **words)


def arrangements(circles, workers_, citizens_):
    """Every full staffing of these circles: both kinds on each spot, and both left over."""
    room = sum(circles.values())
    filled = min(workers_ + citizens_, room)
    choices = [
        [(w, c) for w in range(size + 1) for c in range(size + 1 - w)] for size in circles.values()
    ]
    found = set()
    for picked in itertools.product(*choices):
        on_w, on_c = (sum(pair[kind] for pair in picked) for kind in (0, 1))
        if on_w + on_c != filled or on_w > workers_ or on_c > citizens_:
            continue
        rows = [[0] * len(SPOTS), [0] * len(SPOTS)]
        for spot, pair in zip(circles, picked, strict=True):
            for kind in (0, 1):
                rows[kind][SPOTS.index(spot)] = pair[kind]
        found.add((*rows[0], workers_ - on_w, *rows[1], citizens_ - on_c))
    return found


# -- set-up ----------------------------------------------------------------------------------------


def test_all_workers_and_twenty_citizens_are_in_the_game(edition, players):
    """R-X2-2, R-SET-11, R-X2-4, D-59, Q-111, G122: at every number of players."""
    game = new_game(players, edition, expansions=[X2])
    assert register(game) == (players - 1, 1)
    assert number(game, "worker_supply") == 100 - (players - 1)
    assert number(game, "citizen_supply") == 19


def test_the_citizen_on_the_register_replaces_a_worker(edition, players):
    """R-X2-4, G121: it is not put on top."""
    assert sum(register(new_game(players, edition, expansions=[X2]))) == players


def test_the_eight_buildings_are_added_to_the_base_game(edition, players):
    """R-X2-1, R-SET-4, Q-110: whatever else is for sale, these are too."""
    game = new_game(players, edition, expansions=[X2])
    assert game.phase == "role"
    assert {name: stock(game)[name] for name in CITIZEN_BUILDINGS} == {
        name: FIGURES[name][4 if players == 2 else 3] for name in CITIZEN_BUILDINGS
    }
    plain = new_game(players, edition)
    assert stock(game) == stock(plain) | {
        name: copies_in_box(players, name) for name in CITIZEN_BUILDINGS
    }


@pytest.mark.parametrize("name", CITIZEN_BUILDINGS)
def test_the_figures_of_each_building(edition, name):
    """A.4, R-X2-1: each has one circle."""
    rules = table(edition).rules.table[0]
    place = BUILDINGS.index(name)
    assert (*(int(rules[field][place]) for field in ("cost", "vp", "column")),) == FIGURES[name][:3]
    assert int(rules["circles"][6 + place]) == 1


def test_the_two_zoning_offices_are_two_buildings():
    """D-69, G125: classic and 1897 gave the name to different buildings."""
    classic, english = catalog.load(CLASSIC), catalog.load(ENGLISH)
    assert classic.building_names["land_office"] == "land office"
    assert classic.building_names["notary"] == "zoning office"
    assert english.building_names["land_office"] == "Zoning Office"
    assert english.building_names["notary"] == "Notary"


# -- dealing ---------------------------------------------------------------------------------------


def test_each_taker_chooses_the_kind(edition):
    """R-X2-6, R-MAY-3, Q-35, Q-114: as long as both kinds are on the register."""
    game = table(
        edition, workers={"supply": 80, "register": 4}, citizens={"supply": 9, "register": 2}
    )
    play(game, "alice role mayor")
    for name in ("alice", "bob", "carol", "dave"):
        assert options(game) == {"deal:worker", "deal:citizen"}
        play(game, f"{name} deal worker")
    # two citizens are left, which nobody chooses
    assert [all_citizens(game, seat) for seat in range(4)] == [1, 1, 0, 0]


def test_the_last_unit_is_not_chosen(edition):
    """Q-114: three decline the citizen, the fourth has it."""
    game = play(table(edition), "alice role mayor")
    play(game, "alice deal worker\nbob deal worker\ncarol deal worker")
    assert [all_citizens(game, seat) for seat in range(4)] == [0, 0, 0, 1]
    assert [all_workers(game, seat) for seat in range(4)] == [2, 1, 1, 0]


def test_one_kind_is_dealt_unasked(edition):
    """R-X2-6, R-MAY-2: the first takes the citizen, the rest is workers."""
    game = play(table(edition), "alice role mayor\nalice deal citizen")
    assert [all_citizens(game, seat) for seat in range(4)] == [1, 0, 0, 0]
    assert [all_workers(game, seat) for seat in range(4)] == [1, 1, 1, 1]
    assert not any("deal" in move for move in moves(game)[2:] if not move.endswith("!"))


def test_the_privilege_is_a_worker(edition):
    """R-X2-7, Q-112: from the supply, although citizens lie there."""
    game = play(table(edition, citizens={"supply": 20, "register": 0}), "alice role mayor")
    assert (all_workers(game, ALICE), all_citizens(game, ALICE)) == (2, 0)


def test_the_privilege_is_lost_when_no_worker_is_left(edition):
    """Q-123, R-X2-7, R-MAY-1: no citizen instead."""
    game = table(
        edition, workers={"supply": 0, "register": 4}, citizens={"supply": 5, "register": 0}
    )
    play(game, "alice role mayor")
    assert [all_workers(game, seat) for seat in range(4)] == [1, 1, 1, 1]
    assert all_citizens(game, ALICE) == 0


def test_an_empty_register_still_lets_everybody_move(edition):
    """Q-123, R-MAY-5: the phase goes on with nothing to deal."""
    seat = {"island": {"corn": [1, 1], "sugar": [1, 0]}}
    game = table(
        edition,
        {ALICE: seat},
        workers={"supply": 0, "register": 0},
        citizens={"supply": 0, "register": 0},
    )
    play(game, "alice role mayor")
    assert options(game) == {"recall:corn", "pass"}


# -- the register ----------------------------------------------------------------------------------


def refilled(edition, players, supplies, empty_circles):
    """The board after a mayor phase that leaves so many empty circles on buildings."""
    city = {}
    for plant in ("indigo_plant", "sugar_mill", "tobacco_storage"):
        city[plant] = max(0, 3 - empty_circles)
        empty_circles -= 3 - city[plant]
    workers_, citizens_ = supplies
    game = board(
        "mayor",
        players=players,
        edition=edition,
        expansions=(X2,),
        turn=players - 1,
        seats={ALICE: {"island": {}, "city": city}},
        workers={"supply": workers_, "register": 0},
        citizens={"supply": citizens_, "register": 0},
        check=False,
    )
    game.settle()
    assert game.phase == "role"
    return game


@pytest.mark.parametrize(
    ("supplies", "on_register"), [((50, 20), (5, 1)), ((50, 0), (6, 0)), ((2, 3), (2, 1))]
)
def test_one_citizen_comes_with_each_refill(edition, supplies, on_register):
    """TX-63, TX-64, R-X2-4, Q-113, G121, I-22: also when workers are missing."""
    game = refilled(edition, 4, supplies, empty_circles=6)
    assert register(game) == on_register
    left = (number(game, "worker_supply"), number(game, "citizen_supply"))
    assert left == (supplies[0] - on_register[0], supplies[1] - on_register[1])


@pytest.mark.parametrize("supplies", [(2, 3), (0, 1), (0, 0), (3, 0)])
def test_a_shortage_does_not_end_the_game(edition, supplies):
    """R-X2-3, TX-64, Q-123, R-END-1, G122: neither of workers nor of citizens."""
    assert not end_triggered(refilled(edition, 4, supplies, empty_circles=6))


def test_the_other_triggers_stay(edition):
    """R-X2-3, R-END-2, R-END-3: city and VP."""
    seat = {"coins": 9, "city": dict.fromkeys(BUILDINGS[:11], 0)}
    game = play(table(edition, {ALICE: seat}), "alice role builder\nalice build office")
    assert end_triggered(game)


# -- placing ---------------------------------------------------------------------------------------

BOARDS = {
    "one of each in hand": ({"corn": [2, 0, 0], "sugar": [1, 0, 0]}, {}, [1, 1]),
    "a chapel and two fields": ({"corn": [2, 1, 0]}, {"chapel": [0, 1]}, [1, 0]),
    "more units than circles": ({"corn": [1, 1, 0]}, {"notary": [1, 0]}, [1, 1]),
    "citizens only": ({"corn": [1, 0, 1], "coffee": [1, 0, 0]}, {"chapel": [0, 0]}, [0, 1]),
    "nobody in hand": ({"corn": [2, 1, 1]}, {"chapel": [1, 0], "notary": [0, 0]}, [0, 0]),
    "a large plant": ({"indigo": [1, 0, 1]}, {"indigo_plant": [2, 0], "villa": [0, 0]}, [0, 1]),
    "all full, kinds may change places": (
        {"corn": [1, 1, 0]},
        {"chapel": [0, 1], "notary": [1, 0]},
        [0, 0],
    ),
}


@pytest.mark.parametrize("name", BOARDS)
def test_every_arrangement_of_both_kinds_comes_by_exactly_one_sequence(edition, name):
    """R-X2-8, R-X2-5, R-MAY-5, R-MAY-7, Q-115, section I.4: none is missing, none comes twice."""
    island, city, portrait = BOARDS[name]
    room = {"indigo_plant": 3}
    circles = {kind: tiles_ for kind, (tiles_, *_) in island.items()}
    circles |= {building: room.get(building, 1) for building in city}
    units = [portrait[kind] for kind in (0, 1)]
    for _, *pair in island.values():
        units = [have + more for have, more in zip(units, pair, strict=True)]
    for pair in city.values():
        units = [have + more for have, more in zip(units, pair, strict=True)]
    game = placing(edition, {"island": island, "city": city, "portrait": portrait})
    found = [staffing_of_both(end, ALICE) for end in endings(game)]
    assert set(found) == arrangements(circles, *units)
    assert len(found) == len(set(found))


def test_the_surplus_may_be_of_either_kind(edition):
    """R-X2-8, Q-115: one circle, one worker, one citizen: either stays on the portrait."""
    game = placing(edition, {"island": {"corn": [1, 0, 0]}, "portrait": [1, 1]})
    kept = {
        (workers(end, ALICE, "portrait"), citizens(end, ALICE, "portrait")) for end in endings(game)
    }
    assert kept == {(1, 0), (0, 1)}


def test_a_circle_may_change_from_one_kind_to_the_other(edition):
    """R-X2-8, Q-115: the worker leaves the chapel and the citizen enters it."""
    seat = {"island": {"corn": [1, 0, 1]}, "city": {"chapel": [1, 0]}}
    game = placing(edition, seat)
    play(game, "alice recall chapel")  # from there on only one way is left
    assert citizens(game, ALICE, "chapel") == 1
    assert workers(game, ALICE, "corn") == 1


def test_without_citizens_placing_is_as_in_the_base_game(edition):
    """R-X2-5: the same questions, and the same answers lead to the same board."""
    seat = {"island": {"corn": [2, 1], "sugar": [2, 0]}, "city": {"hospice": 1}, "portrait": 1}
    plain = board("mayor", edition=edition, seats={ALICE: seat})
    game = placing(edition, seat)
    assert options(game) == options(plain)
    rows = [sorted(staffing_of_both(end, ALICE) for end in endings(here)) for here in (game, plain)]
    assert rows[0] == rows[1]


def test_nobody_may_hold_a_citizen_back(edition):
    """R-X2-5, R-MAY-7, I-20: a circle is empty, so the portrait is emptied."""
    game = placing(edition, {"island": {"corn": [2, 0, 0], "sugar": [1, 0, 0]}, "portrait": [1, 1]})
    assert {citizens(end, ALICE, "portrait") for end in endings(game)} == {0}


# -- at work ---------------------------------------------------------------------------------------


def test_citizens_work_like_workers(edition):
    """R-X2-5, R-GEN-9, Q-116: fields, plants and offices do not ask for the kind."""
    seat = {
        "island": {"sugar": [2, 1, 1], "quarry": [1, 0, 1]},
        "city": {"sugar_mill": [1, 1], "small_market": [0, 1]},
        "goods": {"sugar": 1},
    }
    game = table(edition, {BOB: seat})
    play(game, "alice role craftsman")
    assert goods(game, BOB) == {"sugar": 3}
    play(game, "bob role trader\nbob sell sugar")
    assert coins(game, BOB) == 3 + 2 + 1 + 1
    play(game, "carol role builder\ncarol pass\ndave pass\nalice pass\nbob build hospice")
    assert coins(game, BOB) == 3 + 4 - (4 - 1)


def test_citizens_on_quarries_and_buildings_count_for_the_register(edition):
    """R-MAY-11, R-X2-5: a circle that a citizen fills is not empty."""
    city = {"indigo_plant": [0, 3], "sugar_mill": [0, 3]}
    game = board(
        "mayor",
        edition=edition,
        expansions=(X2,),
        turn=DAVE,
        seats={ALICE: {"island": {}, "city": city}},
    )
    game.settle()
    assert sum(register(game)) == 4


def test_the_hospice_gives_workers(edition):
    """R-X2-7, Q-112: a citizen in the supply is not for it."""
    game = table(edition, {ALICE: {"city": {"hospice": 1}}})
    play(game, "alice role settler\nalice take corn")
    assert (workers(game, ALICE, "corn"), citizens(game, ALICE, "corn")) == (1, 0)


@pytest.mark.parametrize("kind", ["worker", "citizen"])
def test_an_effect_that_falls_back_on_the_register_takes_either_kind(edition, kind):
    """R-X2-7, Q-44, section I.12: the hospice, with no worker in the supply."""
    game = table(
        edition,
        {ALICE: {"city": {"hospice": 1}}},
        workers={"supply": 0, "register": 2},
        citizens={"supply": 5, "register": 1},
    )
    play(game, "alice role settler\nalice take corn")
    assert options(game) == {"deal:worker", "deal:citizen"}
    play(game, f"alice deal {kind}")
    assert workers(game, ALICE, "corn") == (kind == "worker")
    assert citizens(game, ALICE, "corn") == (kind == "citizen")
    assert register(game) == ((1, 1) if kind == "worker" else (2, 0))


@pytest.mark.parametrize("kind", ["worker", "citizen"])
def test_the_university_falls_back_on_the_register_too(edition, kind):
    """R-X2-7, R-UNI-2, section I.12."""
    game = table(
        edition,
        {ALICE: {"coins": 9, "city": {"university": 1}}},
        workers={"supply": 0, "register": 2},
        citizens={"supply": 5, "register": 1},
    )
    play(game, f"alice role builder\nalice build chapel\nalice deal {kind}")
    assert workers(game, ALICE, "chapel") == (kind == "worker")
    assert citizens(game, ALICE, "chapel") == (kind == "citizen")


def test_a_register_with_citizens_only_gives_a_citizen(edition):
    """R-X2-7, Q-44: there is nothing to choose."""
    game = table(
        edition,
        {ALICE: {"city": {"hospice": 1}}},
        workers={"supply": 0, "register": 0},
        citizens={"supply": 5, "register": 1},
    )
    play(game, "alice role settler\nalice take corn")
    assert citizens(game, ALICE, "corn") == 1
    assert register(game) == (0, 0)


FREE = {"citizens_from_supply_by_worker_effects": True}


@pytest.mark.parametrize("kind", ["worker", "citizen"])
def test_a_table_may_let_the_hospice_give_citizens(edition, kind):
    """Q-112: `citizens_from_supply_by_worker_effects`."""
    game = table(edition, {ALICE: {"city": {"hospice": 1}}}, switches=FREE)
    play(game, f"alice role settler\nalice take corn\nalice deal {kind}")
    assert citizens(game, ALICE, "corn") == (kind == "citizen")


@pytest.mark.parametrize("kind", ["worker", "citizen"])
def test_a_table_may_let_the_mayor_take_a_citizen(edition, kind):
    """Q-112: the privilege is from the supply as well."""
    game = table(edition, switches=FREE, citizens={"supply": 20, "register": 0})
    play(game, f"alice role mayor\nalice deal {kind}")
    assert all_citizens(game, ALICE) == (kind == "citizen")


# -- scoring ---------------------------------------------------------------------------------------


def test_each_citizen_scores_a_vp(edition):
    """R-X2-9, R-SCO-1: on the island, in the city and on the portrait."""
    seat = {
        "island": {"corn": [2, 1, 1]},
        "city": {"hospice": [0, 1]},
        "portrait": [3, 2],
        "vp": 5,
    }
    game = table(edition, {ALICE: seat})
    assert game.scores()[ALICE] == 5 + 2 + 4
    assert game.score_table()[ALICE]["citizens"] == 4


def test_citizens_count_for_the_fortress(edition):
    """R-X2-5, R-FRT-1, Q-124: units of both kinds, and the citizens' own VP besides."""
    seat = {"island": {"corn": [3, 1, 2]}, "city": {"fortress": [0, 1]}, "portrait": [1, 1]}
    game = table(edition, {ALICE: seat})
    assert game.score_table()[ALICE]["fortress"] == 2
    assert game.scores()[ALICE] == 4 + 2 + 4


def test_the_vp_of_citizens_are_none_for_the_customs_house(edition):
    """Q-124, R-CUS-1: eight chips make two, whatever stands around."""
    seat = {"city": {"customs_house": 1}, "vp": 8, "portrait": [0, 4]}
    assert table(edition, {ALICE: seat}).score_table()[ALICE]["customs_house"] == 2


def test_citizens_break_no_tie(edition):
    """Q-124, R-SCO-4: equal scores, and coins with barrels decide."""
    game = table(
        edition,
        {
            ALICE: {"vp": 1, "coins": 5},
            BOB: {"portrait": [0, 1], "coins": 6},
            CAROL: {"coins": 0},
            DAVE: {"coins": 0},
        },
    )
    assert game.ranking()[:2] == [2, 1]


# -- who sees what ---------------------------------------------------------------------------------


PUBLIC = {
    "citizens on a tile": {"seats": {DAVE: {"island": {"corn": [1, 0, 1]}}}},
    "citizens in a building": {"seats": {DAVE: {"city": {"chapel": [0, 1]}}}},
    "workers there": {"seats": {DAVE: {"city": {"chapel": [1, 0]}}}},
    "citizens on the portrait": {"seats": {DAVE: {"portrait": [0, 2]}}},
    "citizen supply": {"citizens": {"supply": 3, "register": 1}},
    "citizens on the register": {"citizens": {"supply": 18, "register": 2}},
    "buildings for sale": {"buildings": {"chapel": 1}},
}


@pytest.mark.parametrize("what", PUBLIC)
def test_citizens_are_seen_by_everybody(edition, what):
    """R-INF-1: wherever they are."""
    plain = table(edition, check=False)
    changed = table(edition, check=False, **PUBLIC[what])
    for seat in range(4):
        assert plain.observation(seat).tobytes() != changed.observation(seat).tobytes()


# -- nothing gets lost -----------------------------------------------------------------------------


def test_units_of_both_kinds_are_conserved(edition, players):
    """I-02, I-03: twenty citizens and a hundred workers, whatever happens."""
    game = new_game(players, edition, seed=5, expansions=[X2])
    for step in range(120):
        if game.over:
            break
        legal = game.legal_actions()
        game.step(legal[step * 7 % len(legal)])
        found = [0, 0]
        for seat in range(players):
            found[0] += all_workers(game, seat)
            found[1] += all_citizens(game, seat)
        on_register = register(game)
        assert found[0] + on_register[0] + number(game, "worker_supply") == 100
        assert found[1] + on_register[1] + number(game, "citizen_supply") == 20


def test_new_buildings_and_citizens_go_together(edition):
    """R-X2-10, D-84: one board with types of all three sets."""
    game = board(edition=edition, expansions=(X1, X2), for_sale=("library", "notary"))
    assert {"library", "notary", "coffee_roaster"} <= set(stock(game))
