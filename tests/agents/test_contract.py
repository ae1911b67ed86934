"""Every agent of the package, found by listing, keeps to the contract of `agents.base.Agent`."""

import io
import pickle

import numpy as np
import pytest

from agents import Agent, AgentError, View, agent_names, load_agent
from agents.base import agent_class, agent_files
from prico_env import ALL_EXPANSIONS, Game, Games, RuleSet, env
from tests.rule_sets import ALL_RULE_SETS, BASE_RULE_SETS, EXPANDED_RULE_SETS, rule_set_id

TABLES = [*BASE_RULE_SETS, *EXPANDED_RULE_SETS]
BUILT_IN = [name for name in agent_names() if name != "human"]


def play(rules, name, seed):
    """A game among copies of an agent; returns the decisions."""
    game = Game(rules, seed)
    agents = [load_agent(name) for _ in range(rules.players)]
    for seat, agent in enumerate(agents):
        agent.reset(seat, rules, 10 * seed + seat)
    decisions = []
    while not game.over:
        view = View.of(game)
        action = agents[game.turn].act(view)
        assert isinstance(action, int)
        assert view.legal[action], f"{name} wants {game.name(action)}, which is not allowed"
        game.step(action)
        decisions.append(action)
    return decisions


def test_listing_finds_the_agents_of_the_package():
    assert {"random", "human", "merchant"} <= set(agent_names())
    assert agent_files()["merchant"] == "agents.heuristics.merchant"


@pytest.mark.parametrize("name", agent_names())
def test_an_agent_is_one_and_says_in_a_line_what_it_does(name):
    assert isinstance(load_agent(name), Agent)
    assert (agent_class(name).__doc__ or "").splitlines()[0].endswith(".")


@pytest.mark.parametrize("rules", TABLES, ids=rule_set_id)
@pytest.mark.parametrize("name", BUILT_IN)
def test_an_agent_plays_only_what_is_allowed(name, rules):
    """G158, G164."""
    assert play(rules, name, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ALL_RULE_SETS, ids=rule_set_id)
@pytest.mark.parametrize("name", BUILT_IN)
def test_an_agent_plays_only_what_is_allowed_in_every_rule_set(name, rules):
    """G158, G164."""
    for seed in range(3):
        assert play(rules, name, seed)


@pytest.mark.parametrize("expansions", [(), ALL_EXPANSIONS], ids=["base", "expanded"])
@pytest.mark.parametrize("name", BUILT_IN)
def test_an_agent_answers_every_offer_when_optional_gains_are_asked(name, expansions):
    switches = {"optional_gains": "ask", "skip_forced": False, "voluntary_discard": True}
    assert play(RuleSet(3, expansions=expansions, **switches), name, seed=5)


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_same_seed_gives_the_same_game(name):
    rules = RuleSet(players=3)
    assert play(rules, name, seed=4) == play(rules, name, seed=4)


@pytest.mark.parametrize("name", BUILT_IN)
def test_an_agent_survives_pickling_in_the_middle_of_a_game(name):
    rules = RuleSet(players=3)
    game = Game(rules, 6)
    agent = load_agent(name)
    agent.reset(0, rules, 1)
    for _ in range(30):
        game.step(agent.act(View.of(game)))
    twin = pickle.loads(pickle.dumps(agent))
    assert [twin.act(View.of(game)) for _ in range(3)] == [
        agent.act(View.of(game)) for _ in range(3)
    ]


@pytest.mark.parametrize("name", BUILT_IN)
def test_looking_does_not_change_the_game(name):
    game = Game(RuleSet(), 8)
    agent = load_agent(name)
    agent.reset(0, game.rules, 1)
    before = game.to_bytes()
    agent.act(View.of(game))
    assert game.to_bytes() == before


# -- what a view shows -----------------------------------------------------------------------------


def test_a_view_does_not_hold_what_a_seat_cannot_see():
    game = Game(RuleSet(), 9)
    other = game.clone()
    deck = other.state["deck"][0, : int(other.state["deck_size"][0])]
    deck[:] = deck[::-1].copy()
    other.state["rng"][0] += 1
    one, two = View.of(game), View.of(other)
    assert one.game.to_bytes() == two.game.to_bytes()
    assert (one.observation == two.observation).all()
    assert one.game.seed is None
    assert one.game.to_bytes() != game.to_bytes()


@pytest.mark.parametrize("expansions", [(), ALL_EXPANSIONS], ids=["base", "expanded"])
def test_a_view_into_a_batch_is_the_view_of_the_single_game(expansions):
    games = Games(RuleSet(3, expansions=expansions), 4, seed=2)
    for _ in range(60):
        games.step(games.sample())
    for number in range(4):
        one, two = View.in_batch(games, number, games.rule_sets[0]), View.of(games[number])
        assert one.seat == two.seat
        assert (one.legal == two.legal).all()
        assert one.choices == two.choices
        assert (one.observation == two.observation).all()
        assert one.game.to_bytes() == two.game.to_bytes()


def test_the_view_of_a_waiting_seat_is_its_own():
    game = Game(RuleSet(players=3), 9)
    assert (View.of(game, 2).observation == game.observation(2)).all()


# -- names -----------------------------------------------------------------------------------------


def test_an_agent_is_found_by_its_path():
    agent = load_agent("agents.heuristics.merchant:Merchant")
    assert type(agent) is type(load_agent("merchant")) is type(load_agent("heuristic"))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("merchand", "did you mean 'merchant'"),
        ("no/such/run", "no agent and no checkpoint folder"),
        ("agents.random:Nobody", "has no agent 'Nobody'"),
        ("agents.nowhere:Agent", "cannot be loaded"),
        ("agents.base:View", "cannot be made"),
        ("agents.base:AgentError", "needs the methods reset and act"),
    ],
)
def test_a_wrong_name_is_explained(name, says):
    with pytest.raises(AgentError, match=says):
        load_agent(name)


def test_a_wrong_setting_is_explained():
    with pytest.raises(AgentError, match="courage"):
        load_agent("merchant", courage=2)


def test_a_named_agent_is_an_opponent_in_the_environments():
    from prico_env.envs.opponents import find_opponent

    game = Game(RuleSet(), 3)
    action = find_opponent("merchant")(game, game.turn, np.random.default_rng(0))
    assert game.mask()[action]


# -- a person --------------------------------------------------------------------------------------


def human(words):
    from agents.human import Human

    screen = io.StringIO()
    return Human(io.StringIO("\n".join(words) + "\n"), screen), screen


def test_a_person_is_asked_until_the_answer_is_allowed():
    game = Game(RuleSet(), 1)
    person, screen = human(["help", "role:setler", "117", "take:corn", "role:settler"])
    person.reset(0, game.rules, 0)
    assert game.name(person.act(View.of(game))) == "role:settler"
    assert "did you mean 'role:settler'" in screen.getvalue()
    assert screen.getvalue().count("is not allowed now") == 2


def test_a_person_chooses_buildings_for_the_board_first():
    game = Game(RuleSet(2, expansions=["buildings"]), 1)
    person, screen = human(["role:settler", "board:guest_hous", "board:guest_house"])
    person.reset(0, game.rules, 0)
    assert game.name(person.act(View.of(game))) == "board:guest_house"
    assert "did you mean 'board:guest_house'" in screen.getvalue()
    assert "draft" in screen.getvalue()


def test_a_person_can_play_a_whole_game_with_expansions():
    """Every decision can be shown and answered by its name."""
    game = Game(RuleSet(2, "1897-de", ALL_EXPANSIONS), 1)
    chance = np.random.default_rng(1)
    while not game.over:
        word = game.name(int(chance.choice(game.legal_actions())))
        person, _ = human([word])
        game.step(person.act(View.of(game)))


def test_a_person_may_type_numbers():
    game = Game(RuleSet(), 1)
    number = game.parse("role:builder")
    person, _ = human([str(number)])
    assert person.act(View.of(game)) == number


@pytest.mark.parametrize("words", [["quit"], ["list", "board", "q"]])
def test_a_person_may_leave(words):
    from agents.human import LeaveGameError

    person, _ = human(words)
    view = View.of(Game(RuleSet(), 1))
    with pytest.raises(LeaveGameError):
        person.act(view)


def test_the_environment_takes_the_actions_of_an_agent():
    table = env(players=2)
    table.reset(seed=1)
    agent = load_agent("merchant")
    agent.reset(0, table.rules, 0)
    for _ in range(20):
        table.step(agent.act(View.of(table.game)))
    assert len(table.game.history) >= 20
