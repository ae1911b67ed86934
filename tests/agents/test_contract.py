"""Every agent of the package, found by listing, keeps to the contract of `base.Agent`."""

import pickle

import pytest

from prico_agents import View, agent_names, load_agent
from prico_env import ALL_EXPANSIONS, Game, Games, RuleSet, env
from tests.rule_sets import ALL_RULE_SETS, BASE_RULE_SETS, EXPANDED_RULE_SETS, rule_set_id

TABLES = [*BASE_RULE_SETS, *EXPANDED_RULE_SETS]
QUICK = {"mcts": "mcts:4"}
"""How to name agents that think for long unless they are told not to."""
BUILT_IN = [QUICK.get(name, name) for name in agent_names() if name != "human"]
RICH = RuleSet(3, expansions=ALL_EXPANSIONS)
"""Where much is hidden and every kind of decision comes up."""
PLAIN = RuleSet(players=3)


def seated(name, rules, seed):
    """A copy of an agent at every seat, ready for a new game."""
    agents = [load_agent(name) for _ in range(rules.players)]
    sit_down(agents, rules, seed)
    return agents


def sit_down(agents, rules, seed):
    for seat, agent in enumerate(agents):
        agent.reset(seat, rules, 10 * seed + seat)


def decide(agent, view):
    """A decision, if it is one."""
    action = agent.act(view)
    assert isinstance(action, int)
    assert view.legal[action], f"action {action} is not allowed"
    return action


def play(game, agents, most=10**9):
    """Go on with a game to its end, or for so many decisions; return the decisions."""
    decisions = []
    while not game.over and len(decisions) < most:
        decisions.append(decide(agents[game.turn], View.of(game)))
        game.step(decisions[-1])
    return decisions


def play_anew(name, rules, seed):
    return play(Game(rules, seed), seated(name, rules, seed))


# -- what is allowed -------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", TABLES, ids=rule_set_id)
@pytest.mark.parametrize("name", BUILT_IN)
def test_an_agent_plays_only_what_is_allowed(name, rules):
    """G158, G164."""
    assert play_anew(name, rules, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", sorted(set(ALL_RULE_SETS) - set(TABLES), key=rule_set_id), ids=rule_set_id
)
@pytest.mark.parametrize("name", BUILT_IN)
def test_an_agent_plays_only_what_is_allowed_in_every_rule_set(name, rules):
    """G158, G164."""
    assert play_anew(name, rules, seed=1)


@pytest.mark.parametrize("rules", [PLAIN, RICH], ids=["base", "expanded"])
@pytest.mark.parametrize("name", BUILT_IN)
def test_an_agent_answers_every_offer_when_optional_gains_are_asked(name, rules):
    asking = {"optional_gains": "ask", "skip_forced": False, "voluntary_discard": True}
    asked = RuleSet.from_dict({**rules.to_dict(), **asking})
    assert play_anew(name, asked, seed=5)


# -- what a game depends on ------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_same_seed_gives_the_same_game_whatever_was_played_before(name):
    agents = seated(name, RICH, seed=2)
    play(Game(RICH, 2), agents, most=50)
    sit_down(agents, PLAIN, seed=4)
    assert play(Game(PLAIN, 4), agents) == play_anew(name, PLAIN, seed=4)


@pytest.mark.parametrize("name", BUILT_IN)
def test_an_agent_survives_pickling_in_the_middle_of_a_game(name):
    game, agents = Game(PLAIN, 6), seated(name, PLAIN, seed=6)
    play(game, agents, most=60)
    twins = pickle.loads(pickle.dumps(agents))
    assert play(game.clone(), agents, most=30) == play(game.clone(), twins, most=30)


@pytest.mark.parametrize("name", BUILT_IN)
def test_looking_does_not_change_the_game(name):
    game, agents = Game(RICH, 8), seated(name, RICH, seed=8)
    for _ in range(100):
        before = game.to_bytes(), game.history, game.legal_actions()
        action = decide(agents[game.turn], View.of(game))
        assert (game.to_bytes(), game.history, game.legal_actions()) == before
        game.step(action)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_decision_depends_on_nothing_that_is_hidden(name):
    """R-INF-2."""
    game = Game(RICH, 9)
    agents, twins = (seated(name, RICH, seed=9) for _ in range(2))
    while not game.over:
        seat = game.turn
        other = game.clone()
        other.state[0] = game.determinize(seat, seed=5).state[0]
        action = decide(agents[seat], View.of(game))
        assert decide(twins[seat], View.of(other)) == action
        game.step(action)


@pytest.mark.parametrize("name", BUILT_IN)
def test_an_agent_plays_in_a_batch_as_in_a_single_game(name):
    game, games = Game(RICH, 7), Games(RICH, 1, seed=7)
    agents, twins, forgetful = (seated(name, RICH, seed=7) for _ in range(3))
    while not game.over:
        seat = game.turn
        action = decide(agents[seat], View.of(game))
        assert decide(twins[seat], View.in_batch(games, 0, RICH, game.history)) == action
        decide(forgetful[seat], View.in_batch(games, 0, RICH))
        game.step(action)
        games.step([action])


def test_the_environment_takes_the_actions_of_an_agent():
    table = env(players=2)
    table.reset(seed=1)
    agent = load_agent("heuristic")
    agent.reset(0, table.rules, 0)
    for _ in range(20):
        table.step(agent.act(View.of(table.game)))
    assert len(table.game.history) >= 20


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


def test_a_view_remembers_the_decisions_of_a_single_game():
    game = Game(PLAIN, 9)
    assert View.of(game).history == []
    game.step("role:settler")
    view = View.of(game)
    assert view.history == game.history
    assert [(game.name(move.action), move.seat) for move in view.history] == [("role:settler", 0)]


def test_a_view_into_a_batch_remembers_what_its_caller_kept():
    games, game = Games(PLAIN, 1, seed=9), Game(PLAIN, 9)
    game.step("role:settler")
    games.step([game.parse("role:settler")])
    assert View.in_batch(games, 0, PLAIN).history is None
    assert View.in_batch(games, 0, PLAIN, game.history).history == game.history


def test_the_view_of_a_waiting_seat_is_its_own():
    game = Game(RuleSet(players=3), 9)
    assert (View.of(game, 2).observation == game.observation(2)).all()
