"""Nothing is lost, nothing overflows: I-01 to I-33 at every step of random games."""

import numpy as np
import pytest
from numba import config

from prico_env import ALL_EXPANSIONS, Games, RuleSet
from prico_env.catalog.options import SWITCHES
from prico_env.vocabulary import DecisionPoint, Phase
from tests.oracle.invariants import Watch, broken_invariants
from tests.properties.mass_play import (
    CHECKS,
    LARGEST,
    BrokenGameError,
    broken_bits,
    main,
    play_games,
)
from tests.properties.random_play import EDITIONS, MIXED_RULE_SETS, PLAYERS, num_games, playable
from tests.rule_sets import ALL_RULE_SETS, EXPANDED_RULE_SETS

WAYS_TO_PLAY = (
    {},
    {"optional_gains": "ask"},
    {"skip_forced": False},
    {"voluntary_discard": True},
    {"bank_limited": True},
    {"optional_gains": "ask", "skip_forced": False, "voluntary_discard": True},
)


def watch_random_games(rule_sets, seed, max_steps=20_000):
    """Play a game of each at random, asking every record every time."""
    games = Games(list(rule_sets), len(rule_sets), seed=seed, observe=False)
    table = np.concatenate([rules.table for rules in games.rule_sets])
    watch = Watch(table, games.state)
    assert broken_invariants(table, games.state) == []
    for _ in range(max_steps):
        if games.over.all():
            return
        actions = games.sample()
        games.step(actions)
        complaints = broken_invariants(table, games.state) + watch.see(actions, games.state)
        assert complaints == [], f"{complaints} in {dict(enumerate(rule_sets))}"
    pytest.fail(f"games do not end within {max_steps} decisions")


def with_switches(rule_sets, switches):
    """The same rule sets with other switches."""
    return [RuleSet.from_dict({**rules.to_dict(), **switches}) for rules in rule_sets]


def test_invariants_hold_in_every_rule_set():
    """I-01..I-33 in a game of each of the 144."""
    watch_random_games(playable(ALL_RULE_SETS) * num_games(1), seed=2)


def test_invariants_hold_in_every_way_to_play():
    """I-01..I-33 whoever is asked for what, in the base game and with expansions."""
    rule_sets = [
        rules
        for start, switches in enumerate(WAYS_TO_PLAY[1:])
        for rules in with_switches(MIXED_RULE_SETS[start % 2 :: 2], switches)
    ]
    watch_random_games(playable(rule_sets) * num_games(1), seed=1)


@pytest.mark.slow
def test_invariants_hold_in_every_way_to_play_every_other_rule_set():
    """I-01..I-33 in hundreds of games; two ways after each other have all the rule sets."""
    rule_sets = [
        rules
        for way, switches in enumerate(WAYS_TO_PLAY[1:])
        for rules in with_switches(ALL_RULE_SETS[way % 2 :: 2], switches)
    ]
    watch_random_games(rule_sets * num_games(1), seed=10_000)


def other_rule_sets(name, value):
    """Every expanded rule set with a switch at a value that its edition does not give it."""
    for rules in EXPANDED_RULE_SETS:
        is_about = set(SWITCHES[name].needs) <= set(rules.expansions)
        if not is_about or getattr(rules, name) == value:
            continue
        if name == "festival_two_player_refill" and rules.players > 2:
            continue
        fields = {**rules.to_dict(), name: value}
        if name == "x2_with_x1_setup":
            fields["board"] = "draft"
        if name == "exclusive_buildings":
            fields["board"] = "random"
        if name == "villa_mode" and value != "extra":
            fields["villa_timing"] = "first_turn"
        if (name, value) == ("villa_timing", "phase_start"):
            fields["villa_mode"] = "extra"
        if name in ("forest_source", "land_office_forest_buy") and "citizens" in rules.expansions:
            stacked = value in ("own_stack_12", "take_from_forest_stack")
            fields["forest_source"] = ("facedown_estate", "own_stack_12")[stacked]
            fields["land_office_forest_buy"] = (
                "flip_bought_tile",
                "take_from_forest_stack",
            )[stacked]
        yield RuleSet.from_dict(fields)


def test_invariants_hold_whatever_the_switches_of_expansions_say():
    """I-01..I-33 with every value of every switch, where it is not what the edition says."""
    rule_sets = {
        (name, value): list(other_rule_sets(name, value))
        for name, switch in SWITCHES.items()
        if switch.needs
        for value in switch.values
    }
    assert {name for (name, _), few in rule_sets.items() if few} == {name for name, _ in rule_sets}
    watch_random_games(playable(rules for few in rule_sets.values() for rules in few), seed=5)


# -- many games, counted by a compiled check -------------------------------------------------------

compiled = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="counting takes minutes")


@compiled
def test_a_game_of_every_rule_set_is_counted_anew_at_every_step():
    """I-01..I-19 and what records note beside the pieces."""
    rule_sets = list(ALL_RULE_SETS) * num_games(1)
    tally = play_games(rule_sets, len(rule_sets), seed=1)
    assert tally.games == len(rule_sets)
    assert tally.truncated < tally.games


@compiled
def test_games_of_the_largest_rule_set_are_counted_anew_at_every_step():
    """Five players with all expansions."""
    assert play_games([LARGEST], num_games(100), seed=1).games == num_games(100)


@pytest.mark.slow
def test_many_games_of_every_rule_set_are_counted_anew_at_every_step():
    """I-01..I-19 and what records note beside the pieces."""
    play_games(list(ALL_RULE_SETS), len(ALL_RULE_SETS) * num_games(40), seed=1_000)


@pytest.mark.slow
def test_thousands_of_games_of_the_largest_rule_set_are_counted_anew_at_every_step():
    """Five players with all expansions; as a command it plays a hundred thousand."""
    play_games([LARGEST], num_games(2_000), seed=1_000)


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_end_by_every_reason_there_is(edition):
    """R-END-1..3: workers, city spaces and VP each end some game of random play."""
    reasons = set()
    for players in (3,) if config.DISABLE_JIT else PLAYERS:
        number = 12 if config.DISABLE_JIT else 60
        games = Games(RuleSet(players=players, edition=edition), number, seed=1, observe=False)
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


def _set(name, where, to):
    def damage(state):
        state[name][(0, *where)] = to

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
LARGE_DAMAGES = {
    **{name: damage for name, damage in DAMAGES.items() if name != "I-15"},
    "I-03": _change("hand_citizens", (), 1),
    "I-06": _change("forest_blind", (0, 1), 1),
    "I-09": _change("building_supply", (25,), 1),
    "I-19": _set("smuggler_tile", (), 5),
    "R-X1-3": _change("board", (6,), 1),
    "R-FES-1": _set("festival_building", (), 6),
}
"""With everything: the row may be longer than a full one, so I-15 has nothing to say."""


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_record_breaks_its_invariant(name):
    """A check that cannot fail would prove nothing."""
    rules = RuleSet(players=4)
    state = Games(rules, 1, seed=1).state.copy()
    DAMAGES[name](state)
    assert any(name in complaint for complaint in broken_invariants(rules.table, state))
    assert any(name in complaint for complaint in counted_anew(rules, state))


@pytest.mark.parametrize("name", LARGE_DAMAGES)
def test_a_damaged_record_of_the_expansions_breaks_its_invariant(name):
    """The same with every piece there is."""
    rules = RuleSet(4, "1897-en", ALL_EXPANSIONS, board="random")
    state = Games(rules, 1, seed=1).state.copy()
    assert broken_invariants(rules.table, state) == counted_anew(rules, state) == []
    LARGE_DAMAGES[name](state)
    assert any(name in complaint for complaint in broken_invariants(rules.table, state))
    assert any(name in complaint for complaint in counted_anew(rules, state))


def counted_anew(rules, state):
    """What the compiled check says of a record."""
    bits = int(broken_bits(rules.table[0], state[0], np.zeros(64, dtype=np.int64)))
    return [name for check, name in enumerate(CHECKS) if bits >> check & 1]


@compiled
@pytest.mark.parametrize(
    ("words", "name"), [([], "1897-en-X1X2X3X4-5p"), (["--all-rule-sets"], "144 rule sets")]
)
def test_the_command_says_what_it_played(words, name, capsys):
    """``python -m tests.properties.mass_play --games 2``."""
    main(["--games", "2", "--seed", "9", *words])
    said = " ".join(capsys.readouterr().out.split())
    assert f"{name}: 2 games ended" in said
    assert "every invariant held" in said


def test_a_broken_game_is_named_with_its_seed(monkeypatch):
    """Whoever plays a hundred thousand games must know which one it was."""
    monkeypatch.setattr(Games, "sample", lambda games: damaged_sample(games))
    with pytest.raises(BrokenGameError, match=r"seed 3, round 1, draft: I-01"):
        play_games([LARGEST], 1, seed=3)


def damaged_sample(games):
    """A sampler that loses a barrel."""
    games.state["goods_supply"][0, 0] -= 1
    return games.masks.argmax(axis=1)


def test_moments_are_checked_where_they_belong():
    """I-20, I-23, I-32 in records that stand in the phase."""
    rules = RuleSet(players=4)
    start = Games(rules, 1, seed=1).state.copy()

    mayor = start.copy()
    mayor["phase"], mayor["decision_point"] = Phase.MAYOR, DecisionPoint.PLACE
    mayor["actor"], mayor["turn"] = 0, 1
    mayor["portrait_workers"][0, 0] += 1
    assert any("I-20" in complaint for complaint in broken_invariants(rules.table, mayor))

    full = start.copy()
    full["ship_good"][0, 0], full["ship_load"][0, 0] = 0, 5
    assert any("I-23" in complaint for complaint in broken_invariants(rules.table, full))

    crafted = start.copy()
    crafted["phase"] = Phase.CRAFTSMAN
    crafted["produced"][0, 2, 4] = 1
    assert any("I-32" in complaint for complaint in broken_invariants(rules.table, crafted))


@pytest.mark.parametrize(
    ("name", "role", "field", "where", "by"),
    [
        ("I-22", "mayor", "register_workers", (), -1),
        ("I-23", "captain", "goods", (1, 0), 3),
        ("I-25", "trader", "owned", (1, 9), 1),
        ("R-STL-1", "trader", "owned", (1, 0), 1),
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
