"""Storage: what is left after loading is kept in warehouses, and one barrel beside them."""

import itertools

import pytest

from prico_env.vocabulary import GOODS
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    board,
    endings,
    goods,
    moves,
    options,
    play,
    ship,
    supply,
)

SMALL = {"small_warehouse": 1}
LARGE = {"large_warehouse": 1}
BOTH = SMALL | LARGE


def storing(edition, barrels, city=None, **switches):
    """Alice, the captain, is about to keep what she can."""
    return board(
        "storage",
        edition=edition,
        seats={ALICE: {"goods": barrels, "city": city or {}}},
        switches=switches,
    )


def kept(edition, barrels, city=None, **switches):
    """What Alice may end up with, one entry for each sequence of decisions."""
    game = storing(edition, barrels, city, **switches)
    return [tuple(sorted(goods(end, ALICE).items())) for end in endings(game)]


def vectors(*outcomes):
    """Outcomes in the form of :func:`kept`."""
    return {tuple(sorted(outcome.items())) for outcome in outcomes}


def submultisets(barrels, size):
    """Every way to take so many single barrels."""
    kinds = list(barrels)
    for counts in itertools.product(*(range(barrels[kind] + 1) for kind in kinds)):
        if sum(counts) == size:
            yield dict(zip(kinds, counts, strict=True))


def allowed(barrels, kinds, singles):
    """What the rules allow: so many kinds whole and so many single barrels (section B.13)."""
    outcomes = set()
    for whole in itertools.combinations(barrels, min(kinds, len(barrels))):
        rest = {kind: count for kind, count in barrels.items() if kind not in whole}
        for single in submultisets(rest, min(singles, sum(rest.values()))):
            keep = {kind: barrels[kind] for kind in whole}
            keep |= {kind: count for kind, count in single.items() if count}
            outcomes.add(tuple(sorted(keep.items())))
    return outcomes


def test_one_barrel_is_kept_without_a_warehouse(edition):
    """R-CAP-10, G077: of any kind."""
    outcomes = kept(edition, {"corn": 3, "sugar": 2})
    assert sorted(outcomes) == sorted(vectors({"corn": 1}, {"sugar": 1}))


def test_a_small_warehouse_keeps_a_kind_and_one_barrel_beside_it(edition):
    """TX-50, R-CAP-10, R-SWH-1, Q-100, G077: six outcomes, each by one sequence."""
    outcomes = kept(edition, {"corn": 3, "sugar": 2, "coffee": 1}, SMALL)
    assert sorted(outcomes) == sorted(
        vectors(
            {"corn": 3, "sugar": 1},
            {"corn": 3, "coffee": 1},
            {"sugar": 2, "corn": 1},
            {"sugar": 2, "coffee": 1},
            {"coffee": 1, "corn": 1},
            {"coffee": 1, "sugar": 1},
        )
    )


def test_both_warehouses_keep_three_kinds_and_a_barrel_of_the_fourth(edition):
    """TX-51, R-LWH-1, R-SWH-1, D-26: seven of eight barrels."""
    barrels = {"corn": 2, "indigo": 2, "sugar": 2, "coffee": 2}
    outcomes = kept(edition, barrels, BOTH)
    assert sorted(outcomes) == sorted(
        vectors(*({kind: 1 if kind == last else 2 for kind in barrels} for last in barrels))
    )


BOARDS = [
    ({"corn": 3, "sugar": 2, "coffee": 1}, {}, 0),
    ({"corn": 3, "sugar": 2, "coffee": 1}, SMALL, 1),
    ({"corn": 3, "sugar": 2, "coffee": 1}, LARGE, 2),
    ({"corn": 3, "sugar": 2, "coffee": 1}, BOTH, 3),
    ({"corn": 1, "indigo": 1, "sugar": 1, "tobacco": 1, "coffee": 1}, SMALL, 1),
    ({"corn": 2, "indigo": 1, "sugar": 4, "tobacco": 1, "coffee": 3}, LARGE, 2),
    ({"corn": 2, "indigo": 1, "sugar": 4, "tobacco": 1, "coffee": 3}, BOTH, 3),
    ({"coffee": 5}, {}, 0),
    ({"coffee": 5}, SMALL, 1),
    ({"indigo": 1, "coffee": 1}, SMALL, 1),
]


@pytest.mark.parametrize(("barrels", "city", "kinds"), BOARDS)
def test_every_outcome_the_rules_allow_is_reached_by_exactly_one_sequence(
    edition, barrels, city, kinds
):
    """R-CAP-10, R-CAP-11, Q-100, Q-101, G077, I-23."""
    game = storing(edition, barrels, city)
    wanted = allowed(barrels, kinds, 1)
    if len(wanted) == 1:
        game.settle()
        assert {tuple(sorted(goods(game, ALICE).items()))} == wanted
        assert game.phase == "role"
    else:
        outcomes = kept(edition, barrels, city)
        assert len(outcomes) == len(set(outcomes))
        assert set(outcomes) == wanted


def test_an_empty_warehouse_keeps_nothing(edition):
    """R-GEN-2, R-CAP-10."""
    outcomes = kept(edition, {"corn": 3, "sugar": 2}, {"small_warehouse": 0, "large_warehouse": 0})
    assert set(outcomes) == vectors({"corn": 1}, {"sugar": 1})


def test_a_warehouse_has_no_limit(edition):
    """R-SWH-3: ten barrels are kept, and they stay with their owner."""
    game = storing(edition, {"corn": 10}, SMALL)
    game.settle()
    assert goods(game, ALICE) == {"corn": 10}


def test_the_owner_chooses_also_a_kind_that_keeps_fewer_barrels(edition):
    """R-CAP-11, Q-101, G077: one coffee in the warehouse instead of five corn."""
    outcomes = kept(edition, {"corn": 5, "coffee": 1, "sugar": 1}, SMALL)
    assert (("coffee", 1), ("sugar", 1)) in outcomes


def test_nothing_that_can_be_kept_is_thrown_away(edition):
    """R-CAP-11, Q-101, G080: one barrel may be stored, so it is."""
    game = storing(edition, {"coffee": 1})
    game.settle()
    assert goods(game, ALICE) == {"coffee": 1}
    assert "pass" not in options(storing(edition, {"corn": 3, "sugar": 2}))


def test_voluntary_discards_may_be_allowed(edition):
    """R-CAP-11, Q-101, G080: with the switch on, less may be kept."""
    outcomes = kept(edition, {"corn": 2, "sugar": 1}, voluntary_discard=True)
    assert len(outcomes) == len(set(outcomes))
    assert set(outcomes) == vectors({}, {"corn": 1}, {"sugar": 1})


def test_voluntary_discards_may_leave_a_warehouse_empty(edition):
    """R-CAP-11, Q-101: up to one kind and up to one barrel."""
    outcomes = kept(edition, {"corn": 2, "sugar": 1}, SMALL, voluntary_discard=True)
    assert len(outcomes) == len(set(outcomes))
    assert set(outcomes) == vectors(
        {}, {"corn": 1}, {"corn": 2}, {"sugar": 1}, {"corn": 1, "sugar": 1}, {"corn": 2, "sugar": 1}
    )


def test_what_is_not_kept_goes_back_to_the_supply(edition):
    """R-CAP-10, G076, I-01."""
    game = storing(edition, {"corn": 3, "sugar": 2})
    play(game, "alice keep corn")
    assert goods(game, ALICE) == {"corn": 1}
    assert (supply(game, "corn"), supply(game, "sugar")) == (9, 11)


def test_storing_goes_clockwise_from_the_captain(edition):
    """R-CAP-12, Q-102."""
    barrels = {"goods": {"sugar": 1, "coffee": 1}}
    game = board(
        "storage", edition=edition, actor=BOB, seats={ALICE: barrels, BOB: barrels, CAROL: barrels}
    )
    play(game, "bob keep sugar\ncarol keep coffee\nalice keep sugar")
    assert [goods(game, seat) for seat in (ALICE, BOB, CAROL)] == [
        {"sugar": 1},
        {"sugar": 1},
        {"coffee": 1},
    ]


def test_goods_are_stored_even_if_nothing_was_loaded(edition):
    """TX-53, R-CAP-9: three coffee, no warehouse, no ship for them."""
    game = board(
        edition=edition,
        seats={ALICE: {"goods": {"coffee": 3}}},
        ships=[
            {"size": 5, "good": "corn", "barrels": 1},
            {"size": 6, "good": "indigo", "barrels": 1},
            {"size": 7, "good": "sugar", "barrels": 1},
        ],
    )
    play(game, "alice role captain")
    assert goods(game, ALICE) == {"coffee": 1}
    assert supply(game, "coffee") == 8
    assert (game.phase, game.turn) == ("role", BOB)


def test_full_ships_are_emptied_after_everybody_has_stored(edition):
    """R-CAP-12, Q-102: while Alice chooses, the full ship still lies there."""
    game = board(
        edition=edition,
        seats={ALICE: {"goods": {"sugar": 2, "coffee": 2}}},
        ships=[
            {"size": 5, "good": "corn", "barrels": 5},
            {"size": 6, "good": "indigo", "barrels": 1},
            {"size": 7, "good": "tobacco", "barrels": 1},
        ],
    )
    play(game, "alice role captain")
    assert game.phase == "storage"
    assert ship(game, 1) == ("corn", 5)
    play(game, "alice keep sugar")
    assert ship(game, 1) == (None, 0)
    assert ship(game, 2) == ("indigo", 1)


def test_goods_are_stored_in_the_captain_phase_only(edition):
    """R-CAP-9, G079: other phases throw nothing away."""
    game = board(edition=edition, seats={ALICE: {"goods": dict.fromkeys(GOODS, 2)}})
    play(game, "alice role craftsman\nbob role prospector_1\ncarol role trader\nalice pass")
    assert goods(game, ALICE) == dict.fromkeys(GOODS, 2)


def test_a_storage_without_a_choice_asks_nobody(edition):
    """R-CAP-10, R-SWH-1: two kinds and two slots."""
    game = storing(edition, {"corn": 3, "sugar": 1}, LARGE)
    game.settle()
    assert goods(game, ALICE) == {"corn": 3, "sugar": 1}
    assert all(move.endswith("!") for move in moves(game))
