"""Styles of play: a generator with a seed, a pool for training, and a third held out."""

import pytest

from prico_agents import AgentError, load_agent
from prico_agents.compiled import CompiledAgent, play_games
from prico_agents.heuristic_engine.weights import describe_weights
from prico_agents.heuristics.style import KINDS, STYLES, Style, draw_weights, style_names
from prico_env import RuleSet

TRAINING, HELD_OUT = style_names(held_out=False), style_names(held_out=True)


def weights_of(agent):
    return {name: value for name, value, _ in describe_weights(agent.weights)}


def test_there_are_at_least_sixty_styles_and_a_third_of_each_kind_is_held_out():
    assert STYLES == len(TRAINING) + len(HELD_OUT) >= 60
    assert len(HELD_OUT) * 3 == STYLES
    assert not set(TRAINING) & set(HELD_OUT)
    for kind in KINDS:
        assert sum(load_agent(name).kind == kind for name in HELD_OUT) == 3
    assert all(load_agent(name).is_held_out for name in HELD_OUT)
    assert not any(load_agent(name).is_held_out for name in TRAINING)


def test_a_style_is_a_compiled_player_by_its_number_and_its_seed():
    style = load_agent("style:12")
    assert isinstance(style, Style)
    assert isinstance(style, CompiledAgent)
    assert (style.number, style.seed) == (12, 1)
    assert weights_of(style) == weights_of(load_agent("style:number=12,seed=1"))
    assert weights_of(style) != weights_of(load_agent("style:number=12,seed=2"))
    assert not load_agent("style:number=16,seed=2").is_held_out


def test_no_two_styles_are_the_same():
    drawn = [tuple(weights_of(load_agent(name)).values()) for name in (*TRAINING, *HELD_OUT)]
    assert len(set(drawn)) == STYLES


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_a_style_has_weights_in_the_ranges_of_its_kind(number):
    weights = weights_of(Style(number))
    for name, (low, high) in KINDS[Style(number).kind].items():
        assert low <= weights[name] <= high


def test_a_style_is_drawn_alike_everywhere():
    assert draw_weights(12)["hold"] == 4.306
    assert draw_weights(71)["role"]["captain"] == 0.42


@pytest.mark.parametrize("text", ["style:-1", "style:1.5", "style:red", "style:number=1,seed=-1"])
def test_a_style_that_is_none_is_refused_in_words(text):
    with pytest.raises(AgentError, match=r"number|seed"):
        load_agent(text)


def test_styles_sit_in_whole_games_with_other_compiled_players():
    line_up = [load_agent(name) for name in ("style:0", "style:6", "planner", HELD_OUT[-1])]
    played = play_games(RuleSet(4), line_up, [1, 2], [[1, 2, 3, 4], [5, 6, 7, 8]])
    assert (played.games.places() > 0).all()


def test_a_leader_basher_minds_what_a_role_brings_to_the_leader():
    usual, basher = load_agent("builder"), load_agent("builder", leader_weight=5.0)
    rules, taken = RuleSet(3), []
    for agent in (usual, basher):
        played = play_games(rules, [agent, usual, usual], [1, 2, 3], [[1, 2, 3]] * 3)
        taken.append(played.roles[:, 0].tolist())
    assert taken[0] != taken[1]
