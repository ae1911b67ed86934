"""Games are played to their end whatever the agents do, and told truly."""

import numpy as np
import pytest

from prico_agents.random import RandomAgent
from prico_env import Game, Games, RuleSet
from prico_env.core.scoring import SCORE_PARTS
from prico_env.vocabulary import BUILDINGS, ROLES
from prico_training.arena.match import (
    Contestant,
    Fault,
    game_lines,
    places_with_broken_last,
    play,
    play_compiled,
    table_kind,
)
from prico_training.arena.schedule import LineUp, agent_seed
from tests.training.arena.players import Cheats, Dice, DiceTogether, Last, LastTogether

RULES = RuleSet(players=3)
DICE, LAST, TOGETHER = (
    Contestant(player.__name__, player) for player in (Dice, Last, LastTogether)
)


def lines(table, seeds, rules=RULES, **more):
    ended = play(rules, table, seeds, **more)
    line_up = LineUp(5, "mixed", tuple(contestant.name for contestant in table))
    return game_lines(rules, line_up, seeds[0], range(len(seeds)), ended)


def without_time(found):
    return [{name: value for name, value in line.items() if name != "seconds"} for line in found]


def by_hand(players, seed, rules=RULES):
    """Play one game without the arena."""
    game = Game(rules, seed)
    for seat, player in enumerate(players):
        player.reset(seat, rules, agent_seed(seed, seat))
    while not game.over:
        from prico_agents import View

        game.step(players[game.turn].act(View.of(game)))
    return game


# -- what is told ----------------------------------------------------------------------------------


def test_a_line_tells_what_happened():
    seeds = [7, 8]
    for line, seed in zip(lines([DICE, LAST, DICE], seeds), seeds, strict=True):
        game = by_hand([Dice(), Last(), Dice()], seed)
        assert line["seed"] == seed
        assert (line["line_up"], line["deal"], line["format"]) == (5, seed - 7, "mixed")
        assert line["table"] == ["Dice", "Last", "Dice"]
        assert line["outcome"] == "finished"
        assert line["rounds"] == game.round
        assert line["scores"] == list(game.scores())
        assert line["places"] == list(game.ranking())
        assert line["coins"] == game.state["coins"][0, :3].tolist()
        assert line["goods"] == game.state["goods"][0, :3].sum(axis=1).tolist()
        chosen = [move for move in game.history if not move.forced]
        assert line["decisions"] == [sum(move.seat == seat for move in chosen) for seat in range(3)]
        assert sum(line["wins"]) == pytest.approx(1)
        assert line["faults"] == []
        assert line["end"]
        assert len(line["seconds"]) == 3


def test_the_parts_of_a_score_sum_to_it():
    (line,) = lines([DICE] * 3, [3])
    assert tuple(line["parts"]) == SCORE_PARTS
    assert [sum(parts) for parts in zip(*line["parts"].values(), strict=True)] == line["scores"]


def test_roles_and_buildings_are_counted_for_each_seat():
    (line,) = lines([DICE] * 3, [3])
    game = by_hand([Dice(), Dice(), Dice()], 3)
    for seat in range(3):
        taken = [0] * len(ROLES)
        for move in game.history:
            name = game.name(move.action)
            if move.seat == seat and name.startswith("role:"):
                taken[ROLES.index(name.removeprefix("role:"))] += 1
        assert line["roles"][seat] == taken
        assert sum(taken) == line["rounds"]
        owned = game.to_dict()["players"][seat]["city"]
        assert line["built"][seat] == [name for name in BUILDINGS if name in owned]


def test_purchases_are_told_with_their_rounds_and_buildings_that_nobody_works_in():
    (line,) = lines([DICE] * 3, [3])
    game = by_hand([Dice(), Dice(), Dice()], 3)
    bought = [{} for _ in range(3)]
    again = Game(RULES, 3)
    for move in [move for move in game.history if not move.forced]:
        name, now = game.name(move.action), again.round
        again.step(move.action)
        if name.startswith("build:"):
            bought[move.seat][name.removeprefix("build:")] = now
    assert line["bought"] == bought
    assert [set(rounds) for rounds in line["bought"]] == [set(city) for city in line["built"]]
    cities = [player["city"] for player in game.to_dict()["players"]]
    for seat, city in enumerate(cities):
        empty = {name for name, units in city.items() if not units}
        assert set(line["unstaffed"][seat]) == empty
    assert any(line["unstaffed"])


def test_a_game_that_was_cut_off_has_no_winner():
    """G167."""
    (line,) = lines([DICE] * 3, [3], RuleSet(players=3, max_rounds=2))
    assert line["outcome"] == "truncated"
    assert line["wins"] == [0, 0, 0]
    assert line["end"] == []


# -- fair games ------------------------------------------------------------------------------------


def test_all_seatings_of_a_deal_begin_alike(monkeypatch):
    dealt = []

    class Watched(Game):
        def __init__(self, *words):
            super().__init__(*words)
            dealt.append(self.state.tobytes())

    monkeypatch.setattr("prico_training.arena.match.Game", Watched)
    for table in ([LAST, DICE, DICE], [DICE, LAST, DICE], [DICE, DICE, LAST]):
        play(RULES, table, [40, 41])
    assert dealt[0] != dealt[1]
    assert dealt == dealt[:2] * 3


def test_chance_belongs_to_the_deal_and_the_seat():
    """Whoever sits at seat 0 meets the same players at the others."""
    seeds = {}

    class Spy(Dice):
        def reset(self, seat, rules, seed):
            super().reset(seat, rules, seed)
            seeds.setdefault(seat, set()).add(seed)

    spy = Contestant("spy", Spy)
    for table in ([LAST, spy, spy], [spy, spy, spy], [DICE, spy, spy]):
        play(RULES, table, [9])
    assert seeds == {seat: {agent_seed(9, seat)} for seat in range(3)}


def test_playing_together_changes_nothing():
    alone = lines([LAST, DICE, LAST], [1, 2, 3])
    together = lines([TOGETHER, DICE, TOGETHER], [1, 2, 3])
    for one, other in zip(alone, together, strict=True):
        assert one["scores"] == other["scores"]
        assert one["decisions"] == other["decisions"]


def test_compiled_games_are_those_that_are_asked_one_by_one():
    random = Contestant("random", RandomAgent)
    seeds = [3, 11]
    asked = lines([random] * 3, seeds)
    ended = play_compiled(RULES, [random] * 3, seeds)
    line_up = LineUp(5, "mixed", ("random",) * 3)
    found = game_lines(RULES, line_up, seeds[0], range(2), ended)
    assert without_time(found) == without_time(asked)
    assert all(line["bought"] for line in found)
    assert all(seconds > 0 for line in found for seconds in line["seconds"])


def test_players_are_used_again_and_reset():
    made = []

    class Counted(Dice):
        def __init__(self):
            super().__init__()
            made.append(self)

    counted = Contestant("counted", Counted)
    first = lines([counted, DICE, counted], [5])
    second = lines([counted, DICE, counted], [5])
    assert len(made) == 2
    assert without_time(first) == without_time(second)


def test_players_may_remember_the_game():
    seen = []

    class Historian(Dice):
        def act(self, view):
            seen.append(len(view.history))
            return super().act(view)

    play(RULES, [Contestant("historian", Historian), DICE, DICE], [5])
    assert seen == sorted(seen)
    assert seen[-1] > 50


@pytest.mark.parametrize(
    ("kinds", "kind"),
    [
        (["compiled", "compiled"], "compiled"),
        (["compiled", "single"], "single"),
        (["compiled", "batched"], "batched"),
        (["single", "batched"], "single"),
    ],
)
def test_a_table_is_played_as_its_slowest_agent_needs(kinds, kind):
    assert table_kind(kinds) == kind


# -- broken games ----------------------------------------------------------------------------------


def test_who_breaks_a_game_is_last_and_the_others_go_on():
    (line,) = lines([DICE, Contestant("cheat", Cheats), DICE], [4])
    assert line["outcome"] == "broken"
    (fault,) = line["faults"]
    assert (fault["seat"], fault["agent"], fault["kind"], fault["decision"]) == (
        1,
        "cheat",
        "illegal",
        0,
    )
    assert "seat 1 may not take action" in fault["text"]
    assert line["wins"][1] == 0
    assert line["places"][1] == 3
    assert sum(line["wins"]) == pytest.approx(1)
    better = 0 if line["scores"][0] > line["scores"][2] else 2
    assert line["wins"][better] == 1


def test_a_fault_that_is_known_happens_at_its_decision():
    known = {(1, 2): Fault("crash", "it fell over", 4)}
    clean = lines([DICE] * 3, [4, 5])
    found = lines([DICE] * 3, [4, 5], known=known)
    assert without_time(found)[0] == without_time(clean)[0]
    (fault,) = found[1]["faults"]
    assert (fault["seat"], fault["kind"], fault["decision"]) == (2, "crash", 4)


def test_who_is_disqualified_loses_without_being_asked():
    def nobody():
        raise AssertionError("nobody should ask")

    absent = Contestant("absent", nobody, disqualified=Fault("error", "ill"))
    (line,) = lines([absent, LAST, LAST], [4])
    assert line["places"][0] == 3
    assert line["faults"][0]["text"] == "ill"


@pytest.mark.parametrize(
    ("places", "broken", "expected"),
    [
        ([1, 2, 3, 4], [], [1, 2, 3, 4]),
        ([1, 2, 3, 4], [0], [4, 1, 2, 3]),
        ([1, 1, 3, 4], [3], [1, 1, 3, 4]),
        ([2, 1, 2, 4], [1], [1, 4, 1, 3]),
        ([1, 2, 3, 4], [0, 2], [3, 1, 3, 2]),
        ([1, 2, 3, 4], [0, 1, 2, 3], [1, 1, 1, 1]),
    ],
)
def test_those_who_broke_the_game_come_last(places, broken, expected):
    is_broken = np.zeros((1, 4), bool)
    is_broken[0, broken] = True
    assert places_with_broken_last(np.array([places]), is_broken).tolist() == [expected]


def test_a_game_that_everybody_broke_has_no_winner():
    (line,) = lines([Contestant("cheat", Cheats)] * 3, [4])
    assert line["wins"] == [0, 0, 0]
    assert len(line["faults"]) == 3


def test_a_supervisor_that_trusts_lets_errors_out():
    class Wrong(Dice):
        def act(self, view):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play(RULES, [Contestant("wrong", Wrong), DICE, DICE], [1])


def test_answers_for_many_games_must_be_as_many():
    class TooFew(DiceTogether):
        def act_batch(self, observations, legal):
            return super().act_batch(observations, legal)[1:]

    (line,) = lines([Contestant("short", TooFew), DICE, DICE], [1])
    assert "one action for each of 1 games" in line["faults"][0]["text"]


def test_the_batch_of_the_environment_deals_the_same_games():
    """`play` uses single games; the seeds mean the same as everywhere."""
    batch = Games(RULES, 2, seed=40)
    for number in range(2):
        assert batch[number].state.tobytes() == Game(RULES, 40 + number).state.tobytes()
