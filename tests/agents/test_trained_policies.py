"""The trained players that come along: small, free of Torch, stronger than their teachers."""

import subprocess
import sys

import numpy as np
import pytest

from prico_agents import AgentError, View, load_agent
from prico_agents.heuristics.style import style_names
from prico_agents.neural.checkpoint import (
    ABOUT_FILE,
    POLICIES,
    WEIGHTS_FILE,
    load_policy,
    policy_names,
)
from prico_env import ALL_EXPANSIONS, Game, Games, RuleSet
from prico_env.ruleset import every_rule_set
from prico_training.learning.learning_curve import Curve
from prico_training.learning.metrics import win_of
from prico_training.rule_sets import HELD_OUT, expand_mix
from prico_training.sections import read_mix

COUNTS = (2, 3, 4, 5)


def test_what_an_agent_loads_takes_at_most_a_megabyte():
    """The card and the curves beside it tell how it was trained; they may grow with its story."""
    for name in policy_names():
        files = [(POLICIES / name / file).stat().st_size for file in (WEIGHTS_FILE, ABOUT_FILE)]
        assert sum(files) <= 1_000_000


@pytest.mark.parametrize("name", policy_names())
def test_it_says_how_it_was_trained(name):
    folder = POLICIES / name
    names = {path.name for path in folder.iterdir()}
    assert {"README.md", "config.yaml", "curve.csv"} <= names
    about = load_policy(folder).about
    assert about["seed"] == about["settings"]["seed"]
    assert about["seconds"] > 0
    assert about["decisions"] > 0


@pytest.mark.parametrize("players", COUNTS)
def test_it_plays_only_what_is_allowed_at_every_table(players):
    agent, games = load_agent("governor"), Games(RuleSet(players), 16, seed=5)
    agent.reset(0, games.rule_sets[0], 0)
    for _ in range(800):
        rows = np.flatnonzero(games.num_legal)
        if not rows.size:
            break
        actions = games.sample()
        actions[rows] = agent.act_batch(games.observations[rows], games.masks[rows])
        assert games.masks[rows, actions[rows]].all()
        games.step(actions)
    assert not games.num_legal.any()


def test_the_generalist_plays_only_what_is_allowed_in_every_rule_set():
    for rules in every_rule_set():
        agent, games = load_agent("generalist"), Games(rules, 2, seed=5)
        agent.reset(0, rules, 0)
        for _ in range(60):
            rows = np.flatnonzero(games.num_legal)
            actions = games.sample()
            actions[rows] = agent.act_batch(games.observations[rows], games.masks[rows])
            assert games.masks[rows, actions[rows]].all(), rules
            games.step(actions)


def test_the_generalist_has_not_learnt_what_is_held_out():
    settings = load_policy("generalist").about["settings"]
    learnt = expand_mix(read_mix(settings["games"]))
    assert len(set(learnt)) == 120
    assert not set(learnt) & set(HELD_OUT)
    assert not set(settings["opponents"]["agents"]) & set(style_names(held_out=True))


def test_it_refuses_what_it_cannot_read():
    rules = RuleSet(4, expansions=("smuggler",))
    with pytest.raises(AgentError, match=r"has learnt 1897-en, .* cannot play RuleSet"):
        load_agent("governor").reset(0, rules, 0)


def test_it_draws_its_moves_if_asked_to():
    game = Game(RuleSet(4), seed=3)
    drawn = set()
    for seed in range(30):
        agent = load_agent("governor:sampled,temperature=3")
        agent.reset(game.turn, game.rules, seed)
        drawn.add(agent.act(View.of(game)))
    assert len(drawn) > 1


@pytest.mark.parametrize(
    ("name", "expansions"), [("governor", ()), ("generalist", ()), ("generalist", ALL_EXPANSIONS)]
)
def test_a_search_may_think_with_it(name, expansions):
    game = Game(RuleSet(4, expansions=expansions), seed=3)
    agent = load_agent(f"mcts:simulations=20,leaf=network,network={name}")
    agent.reset(game.turn, game.rules, 1)
    assert agent.act(View.of(game)) in game.legal_actions()


@pytest.mark.parametrize("name", policy_names())
def test_it_plays_without_torch(name):
    code = (
        "import sys; from prico_agents import View, load_agent; from prico_env import Game; "
        f"game = Game(); agent = load_agent({name!r}); agent.reset(game.turn, game.rules, 0); "
        "game.step(agent.act(View.of(game))); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("rival", ["planner", "corn", "trader", "builder"])
def test_it_wins_far_more_than_its_share_among_three_of_any_other(rival):
    """An even share is a quarter."""
    curve = Curve((RuleSet(4),), [rival], deals=24)
    point = curve.point(load_policy("governor"), lambda: True)
    assert point[f"{win_of(rival)}_low"] > 0.4, point


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [RuleSet(4), RuleSet(2, "classic"), RuleSet(4, "1897-de"), HELD_OUT[4], HELD_OUT[17]],
    ids=str,
)
def test_the_generalist_wins_more_than_its_share_among_planners(rules):
    """Two of these rule sets are held out."""
    point = Curve((rules,), ["planner"], deals=24).point(load_policy("generalist"), lambda: True)
    assert point[f"{win_of('planner')}_low"] > 1 / rules.players, point
