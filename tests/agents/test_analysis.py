"""Opinions: what players think is what they play, said in numbers and words that can be kept."""

import functools
import json

import numpy as np
import pytest

from prico_agents import AgentError, Analysis, View, analysis_of, load_agent
from prico_agents.analysis import AnalysisError, Analyst, Candidate, brief
from prico_agents.heuristic_engine.explanations import Afterstate, score_breakdown
from prico_agents.neural.checkpoint import SavedPolicy
from prico_agents.neural.policy import Policy
from prico_env import ALL_EXPANSIONS, Game, RuleSet
from prico_env.vocabulary import DecisionPoint
from tests.agents.endings import last_load

DECISIONS = 120
BASE = (RuleSet(2), RuleSet(5))
ADDED = (RuleSet(3, "1897-en", ALL_EXPANSIONS), RuleSet(4, "1897-de", ALL_EXPANSIONS))
PLAYERS = {
    "planner": (*BASE, *ADDED),
    "corn": ADDED,
    "mcts:12": (BASE[1], ADDED[0]),
    "mcts:simulations=12,temperature=1,branch=main": ADDED[:1],
    "governor": BASE,
    "governor:sampled": BASE[:1],
}
"""Who thinks, and at which tables it is watched."""
WATCHED = [(name, rules) for name, tables in PLAYERS.items() for rules in tables]


def watched(test):
    """Give a test every player at every table."""
    names = [f"{name}-{rules.edition}-{rules.players}" for name, rules in WATCHED]
    return pytest.mark.parametrize(("name", "rules"), WATCHED, ids=names)(test)


@functools.cache
def thoughts(name, rules):
    """A game in which a player at every seat is asked before each decision.

    Of each decision: the game, what was thought, what was played, and what a twin played that was
    not asked.
    """
    game, chance = Game(rules, 11), np.random.default_rng(1)
    asked, silent = ([load_agent(name) for _ in range(rules.players)] for _ in range(2))
    for agents in (asked, silent):
        for seat, agent in enumerate(agents):
            agent.reset(seat, rules, seat)
    found = []
    while not game.over and len(found) < DECISIONS:
        seat, view = game.turn, View.of(game)
        opinion = analysis_of(asked[seat], view)
        found.append((game.clone(), opinion, asked[seat].act(view), silent[seat].act(view)))
        by_chance = chance.random() < 0.3  # so that players see more than their own plans
        game.step(int(chance.choice(game.legal_actions())) if by_chance else found[-1][2])
    return found


# -- what they think is what they play -------------------------------------------------------------


@watched
def test_a_player_plays_what_it_said_it_would(name, rules):
    for _, opinion, played, _ in thoughts(name, rules):
        assert opinion.action == played


@watched
def test_a_player_that_is_asked_plays_as_one_that_is_not(name, rules):
    for _, _, played, unasked in thoughts(name, rules):
        assert played == unasked


@watched
def test_the_best_candidate_is_what_is_played_unless_moves_are_drawn(name, rules):
    if "temperature" in name or "sampled" in name:
        assert any(o.action != o.candidates[0].action for _, o, _, _ in thoughts(name, rules))
        return
    for _, opinion, _, _ in thoughts(name, rules):
        assert opinion.action == opinion.candidates[0].action


@watched
def test_candidates_are_allowed_moves_in_the_words_of_the_edition(name, rules):
    for game, opinion, _, _ in thoughts(name, rules):
        actions = [each.action for each in opinion.candidates]
        assert len(set(actions)) == len(actions)
        assert set(actions) <= set(game.legal_actions())
        assert [each.words for each in opinion.candidates] == list(map(game.describe, actions))


@watched
def test_shares_sum_to_one(name, rules):
    shares = [[each.share for each in o.candidates] for _, o, _, _ in thoughts(name, rules)]
    divided = [row for row in shares if row[0] is not None]
    assert bool(divided) == name.startswith(("mcts", "governor"))
    for row in divided:
        assert sum(row) == pytest.approx(1, abs=0.01)


@watched
def test_chances_to_win_sum_to_one(name, rules):
    for _, opinion, _, _ in thoughts(name, rules):
        for chances in (opinion.chances, *(each.chances for each in opinion.candidates)):
            if chances:
                assert len(chances) == rules.players
                assert sum(chances) == pytest.approx(1, abs=0.001)
                assert min(chances) >= 0


@watched
def test_the_first_reason_names_the_move(name, rules):
    for _, opinion, _, _ in thoughts(name, rules):
        assert opinion.reasons[0].startswith(brief(opinion.words))
        assert all(reason.endswith(".") for reason in opinion.reasons)


@watched
def test_an_opinion_survives_a_file(name, rules):
    for _, opinion, _, _ in thoughts(name, rules):
        page = opinion.to_dict()
        assert Analysis.from_dict(json.loads(json.dumps(page))).to_dict() == page


@watched
def test_an_opinion_depends_on_nothing_that_is_hidden(name, rules):
    """R-INF-2."""
    for game, _, _, _ in thoughts(name, rules)[::10]:
        other = game.clone()
        other.state[0] = game.determinize(game.turn, seed=5).state[0]
        pages = []
        for each in (game, other):
            agent = load_agent(name)
            agent.reset(each.turn, rules, 7)
            pages.append(analysis_of(agent, View.of(each)).to_dict())
        assert pages[0] == pages[1]


# -- who thinks ------------------------------------------------------------------------------------


class Stranger:
    """A player that says nothing."""

    def reset(self, seat, rules, seed):
        """Sit down."""

    def act(self, view):
        return view.choices[0]


@pytest.mark.parametrize("agent", [load_agent("random"), load_agent("human"), Stranger()])
def test_some_players_keep_their_thoughts_to_themselves(agent):
    assert analysis_of(agent, View.of(Game(RuleSet(3), 1))) is None


def test_nobody_thinks_when_the_game_is_over():
    game = last_load()
    game.step("load:corn:3")
    assert game.over
    with pytest.raises(AgentError, match="the game is over"):
        analysis_of(load_agent("planner"), View.of(game))


@pytest.mark.parametrize("name", ["planner", "corn", "builder", "trader", "mcts:2", "governor"])
def test_players_that_think_can_be_told_from_others(name):
    assert isinstance(load_agent(name), Analyst)


# -- a player that plans ---------------------------------------------------------------------------


def asked(game, name="planner"):
    agent = load_agent(name)
    agent.reset(game.turn, game.rules, 1)
    return analysis_of(agent, View.of(game))


def test_a_plan_tells_everybodys_chance_after_every_move():
    game = Game(RuleSet(4), 3)
    opinion = asked(game)
    assert {each.action for each in opinion.candidates} == set(game.legal_actions())
    assert all(len(each.chances) == 4 for each in opinion.candidates)
    assert opinion.chances == opinion.candidates[0].chances


@pytest.mark.parametrize("name", ["planner", "corn"])
def test_where_workers_stand_is_left_to_habit(name):
    found = [o for game, o, _, _ in thoughts(name, ADDED[0]) if is_placing(game)]
    assert found
    for opinion in found:
        (only,) = opinion.candidates
        assert only.chances == ()
        assert opinion.reasons == (f"{brief(only.words)}: {GOOD}.",)


GOOD = "without looking ahead, workers go where they do most good"


def is_placing(game):
    return game.state["decision_point"][0] == DecisionPoint.PLACE and len(game.legal_actions()) > 1


def test_a_habit_weighs_roles_in_points():
    opinion = asked(Game(RuleSet(4), 3), "corn")
    best, other, *_ = opinion.candidates
    assert best.chances == ()
    assert "less what others gain" in opinion.reasons[0]
    assert opinion.reasons[0].endswith(f"with the next best ({brief(other.words)}).")


def test_an_end_is_seen_with_its_score():
    opinion = asked(last_load())
    assert opinion.chances == (0, 0, 0, 1)
    assert any(reason.startswith("By then the game is over, with") for reason in opinion.reasons)


def test_reasons_name_what_a_player_has_in_the_words_of_the_edition():
    said = {
        edition: " ".join(
            reason for _, o, _, _ in thoughts("planner", rules) for reason in o.reasons
        )
        for edition, rules in (("en", ADDED[0]), ("de", ADDED[1]))
    }
    assert "from coins" in said["en"]
    assert "Estate more" in said["en"]
    assert "durch Münzen" in said["de"]
    assert " SP, " in said["de"]
    assert "coins" not in said["de"]


def test_who_pays_most_is_named_with_its_chance():
    for _, opinion, _, _ in thoughts("planner", RuleSet(5)):
        for reason in opinion.reasons:
            if reason.startswith("It costs player"):
                loser = int(reason.split()[3])
                best, other = opinion.candidates[:2]
                gaps = np.subtract(best.chances, other.chances)
                gaps[opinion.seat] = np.inf
                assert gaps[loser] == pytest.approx(gaps.min(), abs=0.0002)
                assert f"{best.chances[loser]:.1%}" in reason


def test_the_parts_of_a_score_sum_to_it():
    game, agent = thoughts("planner", ADDED[0])[-1][0], load_agent("planner")
    horizon = np.full(12, 2.0)
    prospect = Afterstate(0, 0.0, np.zeros(3), game.state, horizon)
    parts = score_breakdown(game.rules, 1, prospect, agent.weights)
    without = game.clone()
    without.state["coins"][0, 1] = 0
    less = score_breakdown(game.rules, 1, prospect._replace(state=without.state), agent.weights)
    coins = int(game.state["coins"][0, 1])
    assert coins > 0
    assert sum(parts.values()) - sum(less.values()) == pytest.approx(coins * horizon[-1], abs=1e-9)
    assert parts["coins"] == pytest.approx(coins * horizon[-1])


# -- a network -------------------------------------------------------------------------------------


def policy(rules, judged, **settings):
    """A small made-up policy that judges so many seats."""
    chance, width = np.random.default_rng(0), 8
    sizes = {
        "layer_0": (width, rules.observation.num_features),
        "layer_1": (rules.num_actions, width),
        **({"value": (judged, width)} if judged else {}),
    }
    weights = {f"{name}.weight": chance.normal(0, 0.1, size) for name, size in sizes.items()}
    weights |= {f"{name}.bias": np.full(size[0], 0.3) for name, size in sizes.items()}
    cast = {name: array.astype(np.float32) for name, array in weights.items()}
    return Policy(SavedPolicy(rules, cast, {}), **settings)


@pytest.mark.parametrize("judged", [0, 1, 3])
def test_a_network_tells_chances_if_it_judges(judged):
    game = Game(RuleSet(3), 2)
    game.step("role:mayor")
    agent = policy(game.rules, judged)
    agent.reset(game.turn, game.rules, 0)
    opinion = agent.analyse(View.of(game))
    assert len(opinion.chances) == (3 if judged else 0)
    assert opinion.action == agent.act(View.of(game))
    assert len(opinion.reasons) == (2 if judged else 1)


def test_seats_are_judged_in_their_order():
    """A network that sees the seat to decide first, then clockwise."""
    game = Game(RuleSet(3), 2)
    game.step("role:mayor")
    agent = policy(game.rules, 3)
    agent.network._value[0][:] = 0
    agent.network._value[1][:] = (0.6, 0.3, 0.1)
    seat = game.turn
    chances = agent.analyse(View.of(game)).chances
    assert chances[seat] == pytest.approx(0.6, abs=0.001)
    assert chances[(seat + 1) % 3] == pytest.approx(0.3, abs=0.001)


# -- a search --------------------------------------------------------------------------------------


def test_a_search_that_was_asked_in_vain_plays_on_as_if_it_was_not():
    game = Game(RuleSet(3), 5)
    vain, silent = load_agent("mcts:30"), load_agent("mcts:30")
    for agent in (vain, silent):
        agent.reset(game.turn, game.rules, 1)
    vain.analyse(View.of(game))
    game.step(game.legal_actions()[0])
    while game.turn != 0:
        game.step(game.legal_actions()[0])
    view = View.of(game)
    assert vain.act(view) == silent.act(view)
    assert vain.report().to_dict() == silent.report().to_dict()


def test_a_search_does_not_think_twice_about_the_same():
    game = Game(RuleSet(3), 5)
    agent = load_agent("mcts:30")
    agent.reset(game.turn, game.rules, 1)
    first = agent.analyse(View.of(game))
    assert agent.analyse(View.of(game)) == first
    agent.act(View.of(game))
    assert agent.report() == first
    agent.act(View.of(game))
    assert agent.report() != first


def test_a_search_tells_what_it_expects():
    game = Game(RuleSet(3), 5)
    agent = load_agent("mcts:200")
    agent.reset(game.turn, game.rules, 1)
    opinion = agent.analyse(View.of(game))
    seat, words = opinion.principal_variation[1]
    assert f"it expects: player {seat}, {brief(words)}" in opinion.reasons[-1]


# -- to be read ------------------------------------------------------------------------------------


def test_an_opinion_is_a_table_everywhere():
    opinion = asked(Game(RuleSet(4), 3))
    page = str(opinion)
    assert opinion.candidates[0].words in page
    assert "others win, by seat" in page
    assert "share" not in page
    assert opinion.__rich__().row_count == len(opinion.candidates)
    shown = opinion._repr_mimebundle_([], [])
    assert "<pre" in shown["text/html"]


def test_only_the_best_of_many_moves_are_shown():
    moves = tuple(Candidate(number, words=f"Move {number}") for number in range(20))
    assert str(Analysis(0, 0, moves)).endswith("Move 11\nand 8 more moves")


# -- a damaged file --------------------------------------------------------------------------------

SOUND = {
    "seat": 1,
    "action": 5,
    "candidates": [{"action": 5, "words": "Wait", "share": 1.0, "chances": [0.5, 0.5]}],
    "chances": [0.4, 0.6],
    "reasons": ["It is late."],
}
MOVE = SOUND["candidates"][0]


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ([], "analysis: .* should be a dict"),
        ({"seat": True}, "seat: True should be a whole number"),
        ({"seat": 2}, "one for each seat, 2 included"),
        ({"action": 6}, "action: 6 should be one of the candidates"),
        ({"candidates": {}}, "candidates: .* should be a list"),
        ({"candidates": [{**MOVE, "share": 1.5}]}, r"candidates\[0\].share: 1.5 should be"),
        ({"candidates": [{**MOVE, "chances": [0.5]}]}, "one for each seat"),
        ({"candidates": [{"action": 5}]}, "the field 'words' is missing"),
        ({"chances": [0.4, float("nan")]}, r"chances\[1\]: nan should be a number from 0 to 1"),
        ({"reasons": [4]}, r"reasons\[0\]: 4 should be text"),
        ({"reason": []}, "no field 'reason'; did you mean 'reasons'"),
    ],
)
def test_a_damaged_opinion_is_refused_in_one_line(damage, complaint):
    assert Analysis.from_dict(SOUND).to_dict() == SOUND
    page = {**SOUND, **damage} if isinstance(damage, dict) else damage
    with pytest.raises(AnalysisError, match=complaint) as refused:
        Analysis.from_dict(page)
    assert "\n" not in str(refused.value)
