"""Nothing is lost, nothing overflows: I-01 to I-33 at every step of random games."""

import numpy as np
import pytest

from prico_env import Games, RuleSet
from prico_env.vocabulary import Phase, Point
from tests.properties.random_play import EDITIONS, PLAYERS, RULE_SETS, num_games
from tests.reference.invariants import Watch, broken_invariants

WAYS_TO_PLAY = (
    {},
    {"optional_gains": "ask"},
    {"skip_forced": False},
    {"voluntary_discard": True},
    {"bank_limited": True},
    {"optional_gains": "ask", "skip_forced": False, "voluntary_discard": True},
)


def watch_random_games(switches, games_each, seed, max_steps=20_000):
    """Play games of every edition and player count at random, asking every record every time."""
    rule_sets = [RuleSet(players=p, edition=edition, **switches) for p, edition in RULE_SETS]
    games = Games(rule_sets * games_each, len(rule_sets) * games_each, seed=seed, observe=False)
    table = np.concatenate([rules.table for rules in games.rule_sets])
    watch = Watch(table, games.state)
    assert broken_invariants(table, games.state) == []
    for _ in range(max_steps):
        if games.over.all():
            return
        actions = games.sample()
        games.step(actions)
        assert broken_invariants(table, games.state) == []
        assert watch.see(actions, games.state) == []
    pytest.fail(f"games do not end within {max_steps} decisions")


@pytest.mark.parametrize("switches", WAYS_TO_PLAY, ids=lambda s: "-".join(s) or "plain")
def test_invariants_hold_at_every_step(switches):
    """I-01..I-33 in every edition with 2 to 5 players."""
    watch_random_games(switches, num_games(2), seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("switches", WAYS_TO_PLAY, ids=lambda s: "-".join(s) or "plain")
def test_invariants_hold_in_thousands_of_games(switches):
    """I-01..I-33 in every edition with 2 to 5 players."""
    watch_random_games(switches, num_games(30), seed=10_000)


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_end_by_every_reason_there_is(edition):
    """R-END-1..3: workers, city spaces and VP each end some game of random play."""
    reasons = set()
    for players in PLAYERS:
        games = Games(RuleSet(players=players, edition=edition), 60, seed=1, observe=False)
        while not games.over.all():
            games.step(games.sample())
        reasons |= {bit for bit in (1, 2, 4) if (games.state["end_reasons"] & bit).any()}
        assert (games.state["end_reasons"] != 0)[~games.truncated].all()
    assert reasons == {1, 2, 4}


# -- each check can fail ---------------------------------------------------------------------------


def _change(name, where, by):
    def damage(state):
        state[name][(0, *where)] += by

    return damage


DAMAGES = {
    "I-01": _change("goods_supply", (0,), 1),
    "I-02": _change("worker_supply", (), -1),
    "I-03": _change("citizen_supply", (), 1),
    "I-04": _change("discard", (2,), 1),
    "I-05": _change("quarries", (), -1),
    "I-06": _change("forests", (), 1),
    "I-07": _change("coins", (1,), 1),
    "I-08": _change("vp_pool", (), -2),
    "I-09": _change("building_supply", (3,), -1),
    "I-10": _change("goods", (0, 1), -1),
    "I-11": _change("island_used", (0,), 1),
    "I-12": _change("workers", (0, 3), 3),
    "I-13": _change("ship_load", (0,), 1),
    "I-14": _change("house", (0,), 4),
    "I-15": _change("row", (0,), 1),
    "I-17": _change("picks", (), 1),
    "I-18": _change("governor", (), 5),
    "Seats that nobody plays": _change("coins", (4,), 1),
    "R-GEN-2": _change("powers", (0, 3), 1),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_record_breaks_its_invariant(name):
    """A check that cannot fail would prove nothing."""
    rules = RuleSet(players=4)
    state = Games(rules, 1, seed=1).state.copy()
    DAMAGES[name](state)
    assert any(name in complaint for complaint in broken_invariants(rules.table, state))


def test_moments_are_checked_where_they_belong():
    """I-20, I-23, I-32 in records that stand in the phase."""
    rules = RuleSet(players=4)
    start = Games(rules, 1, seed=1).state.copy()

    mayor = start.copy()
    mayor["phase"], mayor["point"] = Phase.MAYOR, Point.PLACE
    mayor["actor"], mayor["turn"] = 0, 1
    mayor["portrait_workers"][0, 0] += 1
    assert any("I-20" in complaint for complaint in broken_invariants(rules.table, mayor))

    full = start.copy()
    full["ship_good"][0, 0], full["ship_load"][0, 0] = 0, 5
    assert any("I-23" in complaint for complaint in broken_invariants(rules.table, full))

    crafted = start.copy()
    crafted["phase"] = Phase.CRAFTSMAN
    crafted["made"][0, 2, 4] = 1
    assert any("I-32" in complaint for complaint in broken_invariants(rules.table, crafted))


@pytest.mark.parametrize(
    ("name", "role", "field", "where", "by"),
    [
        ("I-22", "mayor", "register_workers", (), -1),
        ("I-23", "captain", "goods", (1, 0), 3),
        ("I-25", "trader", "tiles", (1, 9), 1),
        ("R-STL-1", "trader", "tiles", (1, 0), 1),
        ("I-29", "builder", "workers", (0, 1), 1),
        ("I-31", "builder", "vp", (0,), 1),
        ("I-32", "builder", "goods", (0, 1), 1),
        ("I-18", "builder", "governor", (), 1),
        ("R-EOR-2", "builder", "role_coins", (0,), 1),
    ],
)
def test_a_step_that_does_what_it_must_not_is_seen(name, role, field, where, by):
    """A watch that sees nothing would prove nothing."""
    rules = RuleSet(players=4)
    before = Games(rules, 1, seed=1).state.copy()
    watch = Watch(rules.table, before)
    after = before.copy()
    after["role_owner"][0, int(rules.actions.ids[f"role:{role}"]) - 1] = 0
    after[field][(0, *where)] += by
    actions = np.array([rules.actions.ids[f"role:{role}"]])
    assert any(name in complaint for complaint in watch.see(actions, after))
