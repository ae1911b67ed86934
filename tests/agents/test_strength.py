"""How well the built-in agents play, with seeds fixed."""

import itertools

import pytest

from prico_env import RuleSet
from tests.agents.tables import wins_alone
from tests.rule_sets import EXPANDED_RULE_SETS, rule_set_id

HEURISTICS = ["planner", "corn", "builder", "trader"]


@pytest.mark.parametrize("edition", ["classic", "1897-en", "1897-de"])
@pytest.mark.parametrize("agent", HEURISTICS)
def test_a_heuristic_beats_three_random_players_nearly_always(agent, edition):
    assert wins_alone(RuleSet(4, edition), agent, "random", deals=25).mean() >= 0.97


@pytest.mark.parametrize(
    ("edition", "players"), list(itertools.product(["classic", "1897-en", "1897-de"], [2, 3, 5]))
)
@pytest.mark.parametrize("agent", HEURISTICS)
def test_a_heuristic_beats_random_at_every_table(agent, edition, players):
    assert wins_alone(RuleSet(players, edition), agent, "random", deals=10).mean() >= 0.9


@pytest.mark.parametrize("rules", EXPANDED_RULE_SETS, ids=rule_set_id)
def test_the_planner_beats_random_with_the_expansions(rules):
    assert wins_alone(rules, "planner", "random", deals=4).mean() >= 0.9


@pytest.mark.parametrize("opponent", ["corn", "builder", "trader"])
def test_the_planner_is_well_above_even_play_against_each_idea(opponent):
    assert wins_alone(RuleSet(4), "planner", opponent, deals=40).mean() >= 0.4
