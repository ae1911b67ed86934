"""Every switch of the base game, at each of its values."""

import pytest

from prico_env import RuleSet
from prico_env.vocabulary import BASE_BUILDINGS
from tests.builders import (
    ALICE,
    BOB,
    CLASSIC,
    EDITIONS,
    ENGLISH,
    GERMAN,
    all_workers,
    board,
    coins,
    finish_phase,
    goods,
    new_game,
    number,
    options,
    play,
    role_coins,
    rules,
    workers,
)

DEFAULTS = {
    # switch: classic, 1897-en, 1897-de (section 0.6)
    "bank_limited": (False, False, False),
    "coin_total_value": (86, 83, 83),
    "corn_start_penalty": (0, 0, 0),
    "craftsman_privilege_domain": ("can_produce", "produced", "produced"),
    "hospice_scope": ("normal_tile", "either_tile_once", "normal_tile"),
    "max_rounds": (200, 200, 200),
    "optional_gains": ("auto", "auto", "auto"),
    "residence_zero_tiles_vp": (4, 0, 0),
    "shared_victory": (True, True, True),
    "skip_forced": (True, True, True),
    "swap_factory_university": (False, False, False),
    "vp_hidden": (True, False, False),
    "voluntary_discard": (False, False, False),
    "wharf_capacity": (11, None, None),
}


@pytest.mark.parametrize("switch", DEFAULTS)
def test_a_switch_is_what_the_edition_says(switch):
    """D-03, D-12, D-21, D-25, D-27, D-30, Q-06, Q-11, Q-14, Q-101, Q-104."""
    assert tuple(getattr(rules(4, edition), switch) for edition in EDITIONS) == DEFAULTS[switch]


@pytest.mark.parametrize(
    ("edition", "pools"),
    [
        (CLASSIC, (65, 75, 100, 122)),
        (ENGLISH, (65, 75, 100, 126)),
        (GERMAN, (65, 75, 100, 126)),
    ],
)
def test_the_vp_pool_depends_on_the_table_size(edition, pools):
    """D-01, D-02, Q-01, Q-02, G007."""
    assert tuple(rules(players, edition).vp_pool for players in (2, 3, 4, 5)) == pools


def test_the_vp_pool_may_be_set(edition, players):
    """R-SET-10, D-02, Q-01: for instance 122 with five players in 1897."""
    game = new_game(players, edition, vp_pool=122)
    assert number(game, "vp_pool") == 122
    assert game.to_dict()["vp"] == 122


def test_the_value_of_all_coins_may_be_set(edition, players):
    """D-03, I-07."""
    game = new_game(players, edition, coin_total_value=60)
    assert number(game, "bank") == 60 - sum(coins(game, seat) for seat in range(players))


# -- the bank --------------------------------------------------------------------------------------


def test_the_bank_pays_without_limit_by_default(edition):
    """Q-06, R-CMP-2, I-07: its account goes below zero."""
    game = new_game(4, edition, coin_total_value=12)
    play(game, "alice role prospector_1")
    assert coins(game, ALICE) == 4
    assert number(game, "bank") == -1


def test_a_limited_bank_pays_what_it_has(edition):
    """Q-06, I-07, I-10."""
    game = new_game(4, edition, coin_total_value=12, bank_limited=True)
    play(game, "alice role prospector_1")
    assert coins(game, ALICE) == 3
    assert number(game, "bank") == 0


def test_a_limited_bank_pays_a_part(edition):
    """Q-06: two coins are there when coffee is sold for five."""
    game = board(
        edition=edition,
        seats={ALICE: {"goods": {"coffee": 1}}},
        switches={"coin_total_value": 14, "bank_limited": True},
    )
    play(game, "alice role trader\nalice sell coffee")
    assert coins(game, ALICE) == 5
    assert number(game, "bank") == 0


@pytest.mark.parametrize(("total", "laid"), [(12, 0), (13, 1), (20, 3)])
def test_a_limited_bank_lays_on_roles_what_it_has(edition, total, laid):
    """Q-06, R-EOR-2, I-07: coins are neither made nor lost."""
    game = new_game(4, edition, coin_total_value=total, bank_limited=True)
    for role in ("trader", "craftsman", "captain", "settler"):
        game.step(f"role:{role}")
        finish_phase(game)
    assert sum(role_coins(game).values()) == laid
    assert number(game, "bank") == total - 12 - laid


# -- buildings -------------------------------------------------------------------------------------


def test_the_hospice_may_serve_the_normal_tile_only_or_either(edition):
    """D-12, R-HOS-3: in any edition, as the switch says."""
    seats = {ALICE: {"city": {"hospice": 1, "hacienda": 1}}}
    script = "alice role settler\nalice draw\nalice take sugar"
    normal = board(
        edition=edition,
        seats=seats,
        on_top=("coffee",),
        switches={"hospice_scope": "normal_tile"},
    )
    play(normal, script)
    assert normal.turn == BOB
    assert workers(normal, ALICE, "sugar") == 1
    either = board(
        edition=edition,
        seats=seats,
        on_top=("coffee",),
        switches={"hospice_scope": "either_tile_once"},
    )
    play(either, script)
    assert options(either) == {"hospice:drawn", "hospice:taken"}
    assert all_workers(either, ALICE) == 2


@pytest.mark.parametrize("domain", ["produced", "can_produce"])
def test_both_readings_of_the_craftsman_agree_in_the_base_game(edition, domain):
    """D-21, Q-62, R-CRA-7, G046: what could be made and is left in the supply was made."""
    farm = {
        "island": {"corn": [1, 1], "coffee": [1, 1], "sugar": [1, 1]},
        "city": {"coffee_roaster": 1, "small_sugar_mill": 1},
    }
    game = board(
        edition=edition,
        seats={ALICE: farm},
        goods={"corn": 9, "indigo": 9, "sugar": 9, "tobacco": 9, "coffee": 0},
        switches={"craftsman_privilege_domain": domain},
    )
    play(game, "alice role craftsman")
    assert options(game) == {"privilege:corn", "privilege:sugar"}


@pytest.mark.parametrize("domain", ["produced", "can_produce"])
def test_nothing_produced_is_no_privilege_in_either_reading(edition, domain):
    """Q-63, D-21, R-CRA-7."""
    farm = {"island": {"corn": [1, 1]}}
    game = board(
        edition=edition,
        seats={ALICE: farm},
        goods={"corn": 0, "indigo": 9, "sugar": 9, "tobacco": 9, "coffee": 9},
        switches={"craftsman_privilege_domain": domain},
    )
    play(game, "alice role craftsman")
    assert goods(game, ALICE) == {}


@pytest.mark.parametrize("points", [0, 4])
def test_a_residence_without_tiles_scores_what_the_table_agreed_on(edition, points):
    """D-30, Q-105, R-RES-1, TX-56."""
    game = board(
        edition=edition,
        seats={ALICE: {"island": {}, "city": {"residence": 1}}},
        switches={"residence_zero_tiles_vp": points},
    )
    assert game.scores()[ALICE] == 4 + points


def price_of(name, edition, **switches):
    """What a building costs at a table."""
    table = rules(4, edition, **switches).table
    return int(table["cost"][0, BASE_BUILDINGS.index(name)])


def test_factory_and_university_may_change_prices(edition):
    """Q-04: section 0.6, a tournament variant."""
    assert (price_of("factory", edition), price_of("university", edition)) == (7, 8)
    swapped = {"swap_factory_university": True}
    assert price_of("factory", edition, **swapped) == 8
    assert price_of("university", edition, **swapped) == 7
    game = board("builder", edition=edition, turn=BOB, seats={BOB: {"coins": 7}}, switches=swapped)
    assert "build:university" in options(game)
    assert "build:factory" not in options(game)


@pytest.mark.parametrize("penalty", [0, 1, 2])
def test_corn_may_start_with_fewer_coins(edition, penalty):
    """R-SET-5: section 0.6, a tournament variant; the coins stay in the bank."""
    game = new_game(4, edition, corn_start_penalty=penalty)
    assert [coins(game, seat) for seat in range(4)] == [3, 3, 3 - penalty, 3 - penalty]
    plain = number(new_game(4, edition), "bank")
    assert number(game, "bank") == plain + 2 * penalty


# -- the end ---------------------------------------------------------------------------------------


TIED = {ALICE: {"vp": 9}, BOB: {"vp": 9}}


def tied_game(edition, shared):
    """Alice and Bob are equal in everything when the game ends."""
    game = board(
        edition=edition, seats=TIED, end_triggered=True, switches={"shared_victory": shared}
    )
    return play(
        game,
        """
        alice  role trader
        bob    role craftsman
        carol  role captain
        dave   role prospector_1
        """,
    )


def test_a_tie_is_shared(edition):
    """Q-104, R-SCO-4."""
    game = tied_game(edition, shared=True)
    assert game.ranking()[:2] == [1, 1]
    assert game.rewards("win").tolist() == pytest.approx([0.25, 0.25, -0.25, -0.25])


def test_a_tie_may_have_one_winner(edition):
    """Q-104: with the switch off no place is shared."""
    game = tied_game(edition, shared=False)
    assert sorted(game.ranking()) == [1, 2, 3, 4]
    assert sorted(game.ranking()[:2]) == [1, 2]
    assert sorted(game.rewards("win").tolist()) == pytest.approx([-0.25, -0.25, -0.25, 0.75])


@pytest.mark.parametrize("limit", [1, 2, 200])
def test_a_game_is_cut_off_after_so_many_rounds(edition, limit):
    """I-33."""
    game = new_game(3, edition, max_rounds=limit)
    for rounds in range(1, 5):
        for role in ("trader", "craftsman", "captain"):
            game.step(f"role:{role}")
        assert game.over is game.truncated is (rounds == limit)
        if game.over:
            break


def test_a_game_that_ends_in_its_last_round_is_not_cut_off(edition):
    """I-33, R-END-5: it has a winner."""
    game = board(
        players=3,
        edition=edition,
        end_triggered=True,
        seats={BOB: {"vp": 3}},
        switches={"max_rounds": 1},
    )
    play(game, "alice role trader\nbob role craftsman\ncarol role captain")
    assert game.over
    assert not game.truncated
    assert game.ranking()[BOB] == 1
    assert game.rewards("win")[BOB] > 0


# -- forced decisions ------------------------------------------------------------------------------


def test_forced_decisions_may_be_asked(edition):
    """R-CRA-7, R-ROL-7: section B.0 lets the engine carry them out, the switch lets it ask."""
    farm = {"island": {"corn": [1, 1]}}
    auto = play(board(edition=edition, seats={ALICE: farm}), "alice role craftsman")
    asked = board(edition=edition, seats={ALICE: farm}, switches={"skip_forced": False})
    play(asked, "alice role craftsman")
    assert options(asked) == {"privilege:corn"}
    play(asked, "alice privilege corn")
    assert goods(asked, ALICE) == goods(auto, ALICE) == {"corn": 2}
    assert [move.forced for move in auto.history] == [False, True]
    assert [move.forced for move in asked.history] == [False, False]


FULL_ISLAND = {"corn": [4, 0], "indigo": [4, 0], "sugar": [4, 0]}


@pytest.mark.parametrize(
    ("phase", "seat"), [("trader", {}), ("builder", {"coins": 0}), ("settler", FULL_ISLAND)]
)
def test_a_seat_without_an_option_says_pass_itself(edition, phase, seat):
    """R-ROL-7: outside captain circuits, where it is skipped (R-CAP-8)."""
    seat = {"island": seat} if phase == "settler" else seat
    game = board(
        phase, edition=edition, turn=BOB, seats={BOB: seat}, switches={"skip_forced": False}
    )
    game.settle()
    assert game.turn == BOB
    assert options(game) == {"pass"}
    assert game.history == []


def test_both_ways_of_playing_lead_to_the_same_game(edition, players):
    """R-ROL-7: section I.5, forced moves asked one by one are those that are carried out."""
    asked = new_game(players, edition, skip_forced=False)
    auto = new_game(players, edition)
    for _ in range(120):
        if auto.over:
            break
        action = auto.legal_actions()[-1]
        auto.step(action)
    for move in auto.history:
        assert asked.turn == move.seat
        asked.step(move.action)
    while not auto.over and len(asked.legal_actions()) == 1:
        asked.step(asked.legal_actions()[0])
    for field in ("coins", "vp", "goods", "workers", "tiles", "turn", "phase", "bank", "rng"):
        assert auto.state[field].tolist() == asked.state[field].tolist()


def test_a_switch_is_part_of_the_rule_set():
    """R-SET-1: it is kept with the rules, and nothing else is."""
    first = RuleSet(players=3, edition=GERMAN, voluntary_discard=True)
    assert RuleSet.from_dict(first.to_dict()) == first
    assert first != RuleSet(players=3, edition=GERMAN)
    assert hash(first) == hash(RuleSet(players=3, edition=GERMAN, voluntary_discard=True))
