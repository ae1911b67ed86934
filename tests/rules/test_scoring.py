"""Scoring: chips, buildings, and what the large buildings add."""

import numpy as np
import pytest

from prico_env.vocabulary import BASE_BUILDINGS
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    CLASSIC,
    DAVE,
    LARGE,
    SMALL_COMMERCIAL,
    board,
    city_of,
    finish_phase,
    play,
)

VP_OF = dict(
    zip(BASE_BUILDINGS, [1, 1, 2, 2, 3, 3, 1, 1, 1, 1, *[2] * 4, *[3] * 4, *[4] * 5], strict=True)
)


def score(edition, seat, **words):
    """Alice's score as if the game ended now."""
    return board(edition=edition, seats={ALICE: seat}, check=False, **words).scores()[ALICE]


def bonus(edition, building, city=None, **seat):
    """What an occupied large building adds to chips and printed VP."""
    city = {building: 1} | (city or {})
    printed = sum(VP_OF[name] for name in city)
    seat.setdefault("vp", 0)
    return score(edition, seat | {"city": city}) - printed - seat["vp"]


# -- the parts of a score --------------------------------------------------------------------------


def test_a_score_is_chips_and_buildings(edition):
    """R-SCO-1, TV-40: printed VP count, occupied or not."""
    city = {"small_market": 0, "harbor": 1, "coffee_roaster": 0}
    assert score(edition, {"vp": 7, "city": city}) == 7 + 1 + 3 + 3


@pytest.mark.parametrize("building", BASE_BUILDINGS)
def test_an_unoccupied_building_scores_its_printed_vp(edition, building):
    """TV-40, TV-24, R-SCO-1, R-SCO-2, R-GEN-2: a large one four, and no bonus."""
    seat = {
        "city": {building: 0},
        "vp": 20,
        "island": {"corn": [5, 0], "sugar": [5, 0]},
        "portrait": 9,
    }
    assert score(edition, seat) == 20 + VP_OF[building]


def test_coins_goods_workers_and_cards_score_nothing(edition):
    """R-SCO-5."""
    seat = {
        "coins": 9,
        "goods": {"coffee": 4},
        "portrait": 5,
        "island": {"corn": [5, 5], "sugar": [4, 0]},
    }
    roles = {"builder": {"coins": 4, "taken_by": None}}
    assert score(edition, seat, roles=roles) == 0


def test_vp_on_paper_count_like_chips(edition):
    """R-SCO-1, R-CAP-14."""
    game = board(edition=edition, seats={ALICE: {"vp": 60}, BOB: {"vp": 55}})
    assert list(game.scores()) == [60, 55, 0, 0]
    assert game.to_dict()["vp"] == -15


def test_the_table_of_a_score_adds_up(edition):
    """R-SCO-1, I-30."""
    seat = {
        "vp": 23,
        "island": {"corn": [5, 5], "sugar": [5, 0]},
        "city": {"residence": 1, "customs_house": 1, "fortress": 0, "small_market": 1},
    }
    game = board(edition=edition, seats={ALICE: seat, BOB: {"vp": 4}})
    assert list(game.scores()) == [23 + 4 + 4 + 4 + 1 + 5 + 5, 4, 0, 0]
    for seat_, row in enumerate(game.score_table()):
        parts = {name: value for name, value in row.items() if name != "total"}
        assert all(value >= 0 for value in parts.values())
        assert sum(parts.values()) == row["total"] == game.scores()[seat_]


# -- large buildings -------------------------------------------------------------------------------


def test_the_guild_hall_counts_plants_by_size(edition):
    """TV-15, R-GUI-1, R-PRD-3, D-34, G097: two mills, an indigo plant and a roaster: six."""
    plants = {"small_sugar_mill": 1, "sugar_mill": 0, "small_indigo_plant": 0, "coffee_roaster": 1}
    assert bonus(edition, "guild_hall", plants) == 1 + 2 + 1 + 2


def test_the_guild_hall_counts_plants_by_size_not_by_circles(edition):
    """TV-16, R-GUI-1, D-34, G097: seven."""
    plants = {"small_indigo_plant": 0, "indigo_plant": 3, "coffee_roaster": 0, "sugar_mill": 0}
    assert bonus(edition, "guild_hall", plants) == 1 + 2 + 2 + 2


def test_the_guild_hall_counts_at_most_ten_in_the_base_game(edition):
    """R-GUI-1."""
    assert bonus(edition, "guild_hall", city_of(6)) == 10
    assert bonus(edition, "guild_hall", {"harbor": 1, "wharf": 1}) == 0


@pytest.mark.parametrize(
    ("filled", "added"), [(1, 4), (5, 4), (8, 4), (9, 4), (10, 5), (11, 6), (12, 7)]
)
def test_the_residence_counts_filled_spaces(edition, filled, added):
    """TV-17, TX-56, R-RES-1, G091: occupied or not, quarries too."""
    island = {"quarry": [1, 1], "corn": [min(6, filled - 1), 0]}
    island["sugar"] = [filled - 1 - island["corn"][0], 0]
    assert bonus(edition, "residence", island=island) == added


def test_the_residence_of_an_empty_island(edition):
    """TX-56, R-RES-1, D-30, Q-105: four in classic, nothing in 1897."""
    assert bonus(edition, "residence", island={}) == (4 if edition == CLASSIC else 0)


@pytest.mark.parametrize(("units", "added"), [(1, 0), (2, 0), (3, 1), (20, 6), (21, 7), (22, 7)])
def test_the_fortress_counts_workers_on_the_whole_board(edition, units, added):
    """TV-18, TV-19, R-FRT-1, D-34, G092: the portrait included."""
    on_tiles = min(5, units - 1)
    seat = {"island": {"corn": [5, on_tiles], "sugar": [3, 0]}, "portrait": units - 1 - on_tiles}
    assert bonus(edition, "fortress", **seat) == added


@pytest.mark.parametrize(("vp", "added"), [(0, 0), (3, 0), (4, 1), (23, 5), (30, 7)])
def test_the_customs_house_counts_chips(edition, vp, added):
    """TV-20, TV-21, R-CUS-1, R-SCO-3, D-32, D-34, Q-106, G094: no VP of buildings."""
    assert bonus(edition, "customs_house", {"harbor": 1, "wharf": 1, "university": 1}, vp=vp) == (
        added
    )


def test_the_customs_house_counts_vp_on_paper(edition):
    """R-CUS-1, R-CAP-14, Q-106."""
    game = board(
        edition=edition,
        seats={ALICE: {"vp": 41, "city": {"customs_house": 1}}, BOB: {"vp": 70}},
    )
    assert game.scores()[ALICE] == 41 + 4 + 10


def test_the_city_hall_counts_commercial_buildings(edition):
    """TV-22, R-CTY-1, R-GEN-5, G095: seven, the two large ones once each."""
    others = ["hacienda", "harbor", "office", "construction_hut", "large_warehouse", "residence"]
    assert bonus(edition, "city_hall", dict.fromkeys(others, 0)) == 7


def test_the_city_hall_counts_itself(edition):
    """TV-23, R-CTY-1."""
    others = ["construction_hut", "hospice", "large_market", "factory", "university"]
    assert bonus(edition, "city_hall", dict.fromkeys([*others, "customs_house"], 0)) == 7
    assert bonus(edition, "city_hall") == 1


def test_the_city_hall_does_not_count_plants(edition):
    """R-CTY-1, G095."""
    assert bonus(edition, "city_hall", city_of(6)) == 1


def test_a_large_building_is_one_building_on_two_spaces(edition):
    """R-GEN-5, G095: city hall with two others counts three."""
    city = {"guild_hall": 0, "fortress": 0}
    assert bonus(edition, "city_hall", city) == 3
    game = board(edition=edition, seats={ALICE: {"city": {"city_hall": 1} | city}})
    assert game.state["city_used"][0, ALICE] == 6


@pytest.mark.parametrize("building", LARGE)
def test_a_large_building_scores_when_it_is_occupied_at_the_end(edition, building):
    """R-SCO-2, TV-24, R-GEN-7."""
    seat = {"vp": 12, "island": {"corn": [5, 5], "sugar": [5, 0]}}
    rest = {"coffee_roaster": 0}
    empty = score(edition, seat | {"city": rest | {building: 0}})
    occupied = score(edition, seat | {"city": rest | {building: 1}})
    assert empty == 12 + 3 + 4
    assert (
        occupied - empty
        == {
            "guild_hall": 2,
            "residence": 5,
            "fortress": 2,
            "customs_house": 3,
            "city_hall": 1,
        }[building]
    )


def test_bonuses_do_not_feed_each_other(edition):
    """R-SCO-3: the customs house does not count what the others add."""
    city = {"customs_house": 1, "city_hall": 1, "residence": 1}
    seat = {"vp": 10, "island": {"corn": [5, 0], "sugar": [4, 0]}, "city": city}
    assert score(edition, seat) == 10 + 12 + (2 + 3 + 4)


def test_a_further_circle_multiplies_no_function(edition):
    """R-GEN-7: three workers in a sugar mill are worth two in the guild hall all the same."""
    assert bonus(edition, "guild_hall", {"sugar_mill": 3}) == 2
    circles = board(edition=edition).rules.table["circles"][0]
    commercial = [6 + BASE_BUILDINGS.index(name) for name in (*SMALL_COMMERCIAL, *LARGE)]
    assert set(circles[commercial].tolist()) == {1}


# -- who has won -----------------------------------------------------------------------------------


def finished(edition, seats, **words):
    """The last round has been played, with nothing more for anybody than Dave's coin."""
    game = board(edition=edition, seats=seats, end_triggered=True, **words)
    play(game, "alice role trader")
    finish_phase(game)
    return play(game, "bob role craftsman\ncarol role mayor\ndave role prospector_1")


def test_the_highest_score_wins(edition):
    """R-SCO-4."""
    game = finished(edition, {ALICE: {"vp": 5}, BOB: {"vp": 9}, CAROL: {"vp": 7}})
    assert game.over
    assert list(game.ranking()) == [3, 1, 2, 4]
    assert game.rewards("win").tolist() == pytest.approx([-0.25, 0.75, -0.25, -0.25])


def test_a_tie_goes_to_coins_and_goods(edition):
    """TX-58, R-SCO-4, G089: five against four."""
    game = finished(
        edition,
        {
            ALICE: {"vp": 9, "coins": 2, "goods": {"corn": 2}},
            BOB: {"vp": 9, "coins": 1, "goods": {"coffee": 4}},
            CAROL: {"vp": 7, "coins": 20},
        },
    )
    assert list(game.ranking()) == [2, 1, 3, 4]
    assert game.rewards("win").tolist() == pytest.approx([-0.25, 0.75, -0.25, -0.25])


def test_a_tie_that_remains_is_a_shared_victory(edition):
    """R-SCO-4, Q-104, G089: section I.7 gives equal pairs one rank."""
    game = finished(
        edition,
        {ALICE: {"vp": 9, "coins": 2, "goods": {"corn": 2}}, BOB: {"vp": 9, "coins": 4}},
    )
    assert list(game.ranking())[:2] == [1, 1]
    assert game.rewards("win").tolist() == pytest.approx([0.25, 0.25, -0.25, -0.25])


def test_places_are_shared_by_everybody_who_is_equal(edition):
    """R-SCO-4, Q-104: three share the second place, so nobody is third."""
    game = finished(edition, {BOB: {"vp": 9}, DAVE: {"coins": 2}})
    assert list(game.ranking()) == [2, 1, 2, 2]


def test_a_ranking_can_be_asked_for_at_any_time(edition):
    """R-SCO-4."""
    game = board(edition=edition, seats={ALICE: {"coins": 9}, DAVE: {"vp": 1}})
    assert list(game.ranking()) == [2, 3, 3, 1]


@pytest.mark.parametrize("scheme", ["win", "rank", "margin"])
def test_rewards_are_nothing_until_the_end_and_then_reach_every_seat(edition, scheme):
    """R-SCO-4, G163, G146: every seat gets its reward, whoever moved last."""
    seats = {ALICE: {"vp": 5}, BOB: {"vp": 9}, CAROL: {"vp": 7}}
    assert not np.any(board(edition=edition, seats=seats).rewards(scheme))
    rewards = finished(edition, seats).rewards(scheme)
    assert rewards.shape == (4,)
    if scheme != "margin":
        assert rewards.sum() == pytest.approx(0)
    assert rewards.argmax() == BOB
    if scheme != "win":
        assert rewards.argsort().tolist() == [DAVE, ALICE, CAROL, BOB]


@pytest.mark.parametrize(
    ("scheme", "rewards"),
    [
        ("win", [-0.25, 0.75, -0.25, -0.25]),
        ("rank", [-1 / 3, 1, 1 / 3, -1]),
        ("margin", [-0.04, 0.02, -0.02, -0.09]),
    ],
)
def test_each_scheme_pays_what_it_says(edition, scheme, rewards):
    """G163: a share of the win, even steps from first to last, the lead over the best other."""
    game = finished(edition, {ALICE: {"vp": 5}, BOB: {"vp": 9}, CAROL: {"vp": 7}})
    assert game.rewards(scheme).tolist() == pytest.approx(rewards)


def test_tied_places_share_their_mean(edition):
    """G163, Q-104: three second places are worth the third each."""
    game = finished(edition, {BOB: {"vp": 9}, DAVE: {"coins": 2}})
    assert game.rewards("rank").tolist() == pytest.approx([-1 / 3, 1, -1 / 3, -1 / 3])
    assert game.rewards("margin").tolist() == pytest.approx([-0.09, 0.09, -0.09, -0.09])


def test_reward_schemes_differ_on_one_final_position(edition):
    """G163."""
    game = finished(edition, {ALICE: {"vp": 5}, BOB: {"vp": 9}, CAROL: {"vp": 7}})
    rewards = {tuple(game.rewards(scheme).tolist()) for scheme in ("win", "rank", "margin")}
    assert len(rewards) == 3
