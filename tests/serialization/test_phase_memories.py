"""What a phase remembers is its own: other phases refuse it, and it is forgotten when it ends."""

import itertools

import numpy as np
import pytest

from prico_env import Game, Games, RuleSet
from prico_env.errors import PositionError
from prico_env.serialization.phase_state import PENDING_KEYS, misplaced_memories
from prico_env.vocabulary import PHASES
from tests.builders import ALICE, BOB, CAROL, EDITIONS
from tests.rule_sets import ALL_RULE_SETS, EXPANDED_RULE_SETS

FLAGS = [False, True, False, False, False]
BARRELS = {"corn": 1}
MEMORIES = {
    "value": 1,
    "drawn": "corn",
    "taken": "corn",
    "bought": "hospice",
    "recalled": {"corn": 1},
    "cursor": 1,
    "made": [{}, BARRELS, {}, {}, {}],
    "privilege_goods": BARRELS,
    "circuit_loads": 1,
    "idle_turns": 1,
    "captain_loaded": True,
    "wharf_used": FLAGS,
    "passed": FLAGS,
    "stored": BARRELS,
    "kept": BARRELS,
    "small_wharf_used": FLAGS,
    "once": [[], ["villa"], [], [], []],
    "hand": [1, 0],
    "waiting": [{"point": "sell", "turn": 0}],
    "turns": 1,
    "actor": 1,
    "role": "mayor",
    "captured": True,
    "outcome": "finished",
    "first_circuit": True,
    "point": "load",
    "picks": 1,
    "end_reasons": ["workers"],
}
OF_ONE_SEAT = ("made", "wharf_used", "passed", "small_wharf_used", "once")
CLOCKWORK = ("turns", "actor", "role", "picks", "point", "waiting", "captured", "end_reasons")
"""What says where the game stands, rather than what happened in the phase."""


def position_of(rules, phase, **pending):
    place = {"rules": rules.to_dict(), "phase": phase, "pending": pending}
    return place if phase in ("draft", "role", "over") else place | {"actor": ALICE}


def phases_of(rules):
    """The phases that a game of these rules has."""
    there = {
        "draft": rules.board == "draft",
        "smuggler": "smuggler" in rules.expansions,
        "prospector": rules.players != 3,
    }
    return [phase for phase in PHASES if there.get(phase, True)]


def play_out_the_phase(game, choose):
    """Play on until a role is to be picked again."""
    for _ in range(400):
        if game.over or game.phase == "role":
            return
        game.step(choose.choice(game.legal_actions()))
    raise AssertionError("the phase does not end")


def test_every_memory_has_a_value_here():
    assert set(MEMORIES) == set(PENDING_KEYS)


@pytest.mark.parametrize("rules", [RuleSet(3), *EXPANDED_RULE_SETS], ids=repr)
def test_a_memory_is_refused_in_a_phase_that_cannot_have_it_or_forgotten_when_it_ends(rules):
    """R-RND-2: every key in every phase."""
    choose = np.random.default_rng(0)
    blank = {}
    for key, phase in itertools.product(MEMORIES, phases_of(rules)):
        value = MEMORIES[key][: rules.players] if key in OF_ONE_SEAT else MEMORIES[key]
        try:
            game = Game.from_dict(position_of(rules, phase, **{key: value}), seed=1)
        except PositionError:
            continue
        play_out_the_phase(game, choose)
        if game.over or key in CLOCKWORK:
            continue
        pending = {
            key: value
            for key, value in game.to_dict()["pending"].items()
            if key not in ("picks", "end_reasons")
        }
        assert pending == (blank := blank or pending), (key, phase)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase not in ("draft", "smuggler")])
def test_a_wharf_that_has_sailed_is_remembered_in_the_captain_phase_only(edition, phase):
    """R-WHF-4: the next captain phase offers the wharf again."""
    used = [False, True, False, False]
    position = position_of(RuleSet(4, edition), phase, wharf_used=used)
    if phase in ("captain", "storage"):
        assert Game.from_dict(position).to_dict()["pending"]["wharf_used"] == used
        return
    with pytest.raises(PositionError) as error:
        Game.from_dict(position)
    assert str(error.value) == (
        f"pending.wharf_used: {used} belongs to phase 'captain' or 'storage', not to {phase!r}, "
        "which is played"
    )


def test_barrels_that_were_made_before_production_are_refused():
    """R-CRA-2: without its point the craftsman phase stands before it."""
    position = position_of(RuleSet(3), "craftsman", made=[{"corn": 1}, {}, {}])
    with pytest.raises(PositionError, match=r"pending.made\[0\]: seat 0 is still to produce at"):
        Game.from_dict(position)
    position["pending"]["point"] = "craftsman_privilege"
    position["pending"]["turns"] = 3
    assert Game.from_dict(position).to_dict()["pending"]["made"][0]["corn"] == 1


def test_barrels_made_by_those_who_had_their_turn_are_remembered():
    """R-CRA-2, R-ROL-9: where seats are asked, they produce one by one."""
    rules = RuleSet(3, optional_gains="ask")
    position = position_of(rules, "craftsman", made=[{"corn": 1}, {}, {}]) | {"turn": BOB}
    assert Game.from_dict(position).state["produced"][0, ALICE, 0] == 1
    position["pending"]["made"] = [{}, {}, {"corn": 1}]
    with pytest.raises(PositionError, match=rf"pending.made\[{CAROL}\]: seat {CAROL} is still"):
        Game.from_dict(position)


def test_what_is_remembered_before_a_phase_has_begun_is_refused():
    """R-GST-3: guests may move before a phase, and then no wharf has sailed."""
    rules = RuleSet(3, "classic", ("buildings",), board="random")
    position = position_of(rules, "captain", point="open_window", captain_loaded=True)
    with pytest.raises(PositionError, match="captain_loaded: True is remembered once the phase"):
        Game.from_dict(position)


@pytest.mark.parametrize(
    ("phase", "pending", "words"),
    [
        ("role", {"outcome": "finished"}, "pending.outcome: 'finished' cannot be in phase 'role'"),
        ("over", {"outcome": "running"}, "pending.outcome: 'running' cannot be in phase 'over'"),
        ("role", {"point": "game_over"}, "'game_over' is a point of phase 'over', not of 'role'"),
        ("role", {"point": "phase_begin"}, "'phase_begin' is a point of phase 'settler' or"),
        ("storage", {"point": "phase_begin"}, "not of 'storage', which is played"),
    ],
)
def test_a_clockwork_that_contradicts_itself_is_refused_unchecked_too(phase, pending, words):
    with pytest.raises(PositionError) as error:
        Game.from_dict(position_of(RuleSet(3), phase, **pending), check=False)
    assert words in str(error.value)


def test_a_phase_of_a_card_that_is_not_in_play_is_refused():
    """A.2: with three players there is no prospector."""
    with pytest.raises(PositionError, match="there is no prospector phase in this game"):
        Game.from_dict({"rules": {"players": 3}, "phase": "prospector", "actor": 0}, check=False)


@pytest.mark.parametrize("gains", ["auto", "ask"])
def test_no_phase_of_a_played_game_remembers_what_is_anothers(gains):
    """R-RND-2: leaving a phase forgets what it remembered, whatever the rule set."""
    rule_sets = ALL_RULE_SETS[gains == "ask" :: 2]
    if gains == "ask":
        asked = {"optional_gains": gains}
        rule_sets = [RuleSet.from_dict(one.to_dict() | asked) for one in rule_sets]
    games = Games(rule_sets, len(rule_sets), seed=6, autoreset=True, observe=False)
    rng = np.random.default_rng(1)
    for step in range(240):
        games.step(games.sample())
        if step % 3 == 0:
            for number in rng.choice(len(games), 6, replace=False).tolist():
                assert misplaced_memories(rule_sets[number], games.state[number]) == []
