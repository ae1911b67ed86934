"""Who meets whom on which deals is fair, complete, and decided beforehand."""

import collections
import itertools

import numpy as np
import pytest

from prico_env import RuleSet
from prico_training.arena.schedule import (
    ScheduleError,
    agent_seed,
    deal_seed,
    make_schedule,
    mixed_groups,
    work_units,
)
from prico_training.arena.settings import Entry, Tournament


def tournament(names, players=4, **settings):
    entries = tuple(Entry(name) for name in names)
    return Tournament(entries, RuleSet(players=players), **settings)


def schedule(names, players=4, **settings):
    return make_schedule(tournament(names, players, **settings))


def tables(found):
    return [line_up.table for line_up in found.line_ups]


# -- one against copies ----------------------------------------------------------------------------


def test_everybody_sits_alone_among_copies_of_everybody_else_at_every_seat():
    found = tables(schedule("abc", formats=("copies",)))
    assert len(found) == 3 * 2 * 4
    for alone, other in itertools.permutations("abc", 2):
        for seat in range(4):
            table = [other] * 4
            table[seat] = alone
            assert tuple(table) in found


def test_at_two_seats_each_is_alone_and_the_games_are_the_same():
    assert tables(schedule("ab", players=2)) == [("a", "b"), ("b", "a")]


def test_a_tournament_may_have_copies_of_some_only():
    found = tables(schedule("abc", players=3, formats=("copies",), against=("c",)))
    assert len(found) == 2 * 3
    assert all(table.count("c") == 2 for table in found)


# -- mixed tables ----------------------------------------------------------------------------------


def test_with_enough_agents_all_different_ones_meet():
    fields = list(mixed_groups("abcde", 4))
    assert sorted(fields) == sorted(itertools.combinations("abcde", 4))


@pytest.mark.parametrize(
    ("names", "seats", "fields"),
    [
        ("abc", 4, ["aabc", "abbc", "abcc"]),
        ("ab", 4, ["aabb"]),
        ("ab", 5, ["aaabb", "aabbb"]),
        ("abc", 3, ["abc"]),
    ],
)
def test_with_few_agents_each_sits_about_equally_often(names, seats, fields):
    assert ["".join(field) for field in mixed_groups(names, seats)] == fields


def test_every_deal_is_played_from_every_seat():
    found = schedule("abcd", deals=12, formats=("mixed",))
    seats = collections.Counter()
    for deal, line_up in zip(*np.nonzero(found.planned()), strict=True):
        for seat, name in enumerate(found.line_ups[line_up].table):
            seats[deal, name, seat] += 1
    assert set(seats) == set(itertools.product(range(12), "abcd", range(4)))
    assert set(seats.values()) == {1}


def test_who_sits_left_of_whom_takes_turns():
    found = schedule("abcd", deals=6, formats=("mixed",))
    neighbours = collections.Counter(
        (table[seat], table[(seat + 1) % 4])
        for deal, line_up in zip(*np.nonzero(found.planned()), strict=True)
        for table in [found.line_ups[line_up].table]
        for seat in range(4)
    )
    assert set(neighbours) == set(itertools.permutations("abcd", 2))
    assert len(set(neighbours.values())) == 1


def test_all_orders_can_be_asked_for_on_every_deal():
    found = schedule("abcd", deals=2, formats=("mixed",), seatings="all")
    assert tables(found) == sorted(itertools.permutations("abcd"))
    assert found.planned().all()


def test_a_table_of_both_formats_is_played_once():
    """Two agents at three seats: every mixed table is one against two copies."""
    found = schedule("ab", players=3)
    assert len(set(tables(found))) == len(found.line_ups) == 6
    assert {line_up.format for line_up in found.line_ups} == {"copies"}


def test_a_tournament_that_would_never_end_is_refused():
    with pytest.raises(ScheduleError, match="name fewer agents"):
        schedule([f"agent{number}" for number in range(20)], players=5)


# -- deals and chance ------------------------------------------------------------------------------


def test_line_ups_share_their_deals_and_more_deals_keep_what_was_there():
    few, many = schedule("abcde", deals=3), schedule("abcde", deals=30)
    assert few.line_ups == many.line_ups
    assert (few.planned() == many.planned()[:3]).all()


def test_seeds_of_deals_and_players_do_not_meet():
    deals = [deal_seed(7, deal) for deal in range(50)]
    assert deals == list(range(7, 57))
    players = {agent_seed(seed, seat) for seed in deals for seat in range(5)}
    assert len(players) == 250
    assert agent_seed(2**63 - 1, 4) < 2**63


# -- units of work ---------------------------------------------------------------------------------


def played(found, work):
    games = np.zeros_like(found.planned(), dtype=int)
    for unit in work:
        games[list(unit.deals), unit.line_up] += 1
    return games


@pytest.mark.parametrize("kind", ["compiled", "batched", "single"])
def test_every_game_is_in_one_unit_of_work(kind):
    found = schedule("abcd", deals=70)
    kinds = [kind] * len(found.line_ups)
    games = played(found, work_units(found, kinds, found.planned()))
    assert (games == found.planned()).all()


def test_games_that_were_played_are_left_out():
    found = schedule("ab", players=2, deals=10)
    missing = found.planned()
    missing[:4] = False
    games = played(found, work_units(found, ["single"] * 2, missing))
    assert (games == missing).all()


def test_games_that_share_their_chance_are_played_together_again():
    found = schedule("ab", players=2, deals=10)
    missing = found.planned()
    missing[:4, 0] = False
    first, second = work_units(found, ["batched"] * 2, missing)
    assert first.deals == second.deals == tuple(range(10))


def test_slow_games_come_in_the_order_of_deals():
    found = schedule("abc", players=3, deals=5)
    work = list(work_units(found, ["single"] * len(found.line_ups), found.planned()))
    deals = [unit.deals for unit in work]
    assert deals == sorted(deals)
