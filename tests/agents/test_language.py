"""A language model at the table: what it is asked, and what is made of what it answers."""

import random

import pytest

from prico_agents import AgentError, View, load_agent
from prico_agents.analysis import analysis_of
from prico_agents.language import LanguageAgent
from prico_env import ALL_EXPANSIONS, Game, Games, RuleSet
from tests.rule_sets import rule_set_id

RICH = RuleSet(3, "1897-de", ALL_EXPANSIONS, board="random", max_rounds=6)
TABLES = [RuleSet(2, max_rounds=6), RuleSet(3, "classic", ["buildings"], max_rounds=4), RICH]


def offered(prompt):
    """The names and sentences that a prompt offers."""
    _, _, rest = prompt.partition("each with its name first:\n")
    lines = rest.partition("\n\n")[0].splitlines()
    return [tuple(line.split(" - ", 1)) for line in lines]


class Chatterbox:
    """A stand-in for a model: decides at random, and says so in ever other ways."""

    def __init__(self, seed=1):
        self.chance = random.Random(seed)

    def __call__(self, prompt):
        name, sentence = self.chance.choice(offered(prompt))
        return self.chance.choice(
            (
                f"ACTION: {name}",
                f"There is much to be said for others.\n\n**Action:** `{name.upper()}`.",
                name,
                f"{name} - {sentence}",
                f"Let me think.\nACTION: {name} - {sentence}",
            )
        )


class Script:
    """A stand-in that gives one answer after another, and keeps what it was asked."""

    def __init__(self, *answers):
        self.answers, self.prompts = list(answers), []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        return self.answers.pop(0)


class Prosaic(LanguageAgent):
    """Somebody's own model, which has a name."""

    def __init__(self, retries: int = 2, fallback: str | None = None):
        super().__init__(first_of_all, retries, fallback)


def first_of_all(prompt):
    """The first action that is offered, in prose."""
    return f"I go for {offered(prompt)[0][0]}, which cannot be wrong."


def settled(*names, rules=None):
    """A game after a few decisions."""
    game = Game(rules or RuleSet(3), 7)
    for name in names:
        game.step(name)
    return game


def answered(game, *answers, **settings):
    """What an agent plays whose model gives these answers."""
    model = Script(*answers)
    agent = LanguageAgent(model, **settings)
    agent.reset(game.turn, game.rules, 1)
    return game.name(agent.act(View.of(game))), agent, model


# -- what is played --------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", TABLES, ids=rule_set_id)
def test_a_model_can_play_whole_games(rules):
    game = Game(rules, 3)
    agents = [LanguageAgent(Chatterbox(seat)) for seat in range(rules.players)]
    for seat, agent in enumerate(agents):
        agent.reset(seat, rules, seat)
    while not game.over:
        game.step(agents[game.turn].act(View.of(game)))
    assert not any(agent.retried for agent in agents)
    assert all(exchange.action is not None for exchange in agents[0].exchanges)


@pytest.mark.parametrize(
    "answer",
    [
        "ACTION: sell:indigo",
        "action: SELL:INDIGO",
        "I could pass, but coins matter.\n\n**ACTION:** `sell:fruit`",
        "ACTION: sell:Früchte (2 coins)",
        "ACTION: sell:indigo - Trader: sell fruit (2 coins)",
        "ACTION: pass\nNo, wait.\nACTION: sell:indigo",
        "Corn is worth nothing, so I sell fruit.",
        "pass is too weak\nTrader: sell fruit",
        '"sell fruit"',
        "sell f",
    ],
)
def test_a_decision_is_understood_however_it_is_put(answer):
    seats = [{"goods": {"corn": 1, "indigo": 1}}]
    game = Game.from_dict({"phase": "trader", "actor": 0, "players": seats}, check=False)
    name, agent, _ = answered(game, answer)
    assert name == "sell:indigo"
    assert agent.retried == 0


def test_a_longer_sentence_is_not_taken_for_a_shorter_one():
    seats = [{"goods": {"corn": 1}, "city": {"trading_post": 1}}]
    game = Game.from_dict(
        {"rules": {"expansions": ["buildings"]}, "phase": "trader", "actor": 0, "players": seats},
        check=False,
    )
    assert answered(game, "I sell corn to the Trading Post.")[0] == "post:corn"
    assert answered(game, "I sell corn.")[0] == "sell:corn"


# -- what is not -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "the answer is empty"),
        ("I had rather not say.", "there is no action 'I had rather not say'"),
        ("ACTION: take:coffee", "no coffee lies in the row"),
        (
            "role:mayor or take:sugar? take:quarry!",
            "names several actions: take:sugar, take:quarry",
        ),
        ("ACTION: take", "'take' may mean pass, take:indigo, take:sugar, take:quarry"),
    ],
)
def test_an_answer_that_cannot_be_played_is_asked_for_again_with_the_reason(answer, reason):
    game = settled("role:settler")
    name, agent, model = answered(game, answer, "ACTION: take:sugar")
    assert name == "take:sugar"
    assert (agent.asked, agent.retried, agent.gave_up) == (2, 1, 0)
    first, second = model.prompts
    assert second.startswith(first)
    assert reason in second
    assert "pass, take:indigo, take:sugar, take:quarry" in second
    assert "Legal:" not in second
    assert [exchange.action for exchange in agent.exchanges] == [None, game.parse("take:sugar")]


def test_a_model_that_never_answers_is_an_error_that_quotes_it():
    with pytest.raises(
        AgentError, match=r"3 attempts; the last was 'What\?': .* no action"
    ) as error:
        answered(settled(), "Hm.", "Hm?", "What?")
    assert "\n" not in str(error.value)


def test_a_model_that_does_not_return_text_is_an_error():
    with pytest.raises(AgentError, match="with a text, not with 7"):
        answered(settled(), 7)


@pytest.mark.parametrize("fallback", ["random", "planner"])
def test_a_fallback_decides_for_a_model_that_could_not(fallback):
    game = settled()
    name, agent, _ = answered(game, "Hm.", "Hm?", retries=1, fallback=fallback)
    other = load_agent(fallback)
    other.reset(0, game.rules, 1)
    assert name == game.name(other.act(View.of(game)))
    assert (agent.asked, agent.gave_up) == (2, 1)


@pytest.mark.parametrize(
    ("settings", "says"),
    [({"retries": -1}, "from 0 on, not -1"), ({"fallback": "plannr"}, "'planner'")],
)
def test_settings_that_cannot_be_are_refused(settings, says):
    with pytest.raises(AgentError, match=says):
        LanguageAgent(first_of_all, **settings)


# -- what it is asked ------------------------------------------------------------------------------


def test_nothing_hidden_is_in_a_prompt():
    """R-INF-2."""
    game, chance, agent = Game(RICH, 9), random.Random(1), LanguageAgent(first_of_all)
    while not game.over:
        other = game.clone()
        other.state[0] = game.determinize(game.turn, seed=5).state[0]
        assert agent.prompt(View.of(other)) == agent.prompt(View.of(game))
        game.step(chance.choice(game.legal_actions()))


def test_a_prompt_has_the_rules_the_position_and_every_action():
    game = settled("role:builder")
    prompt = LanguageAgent(first_of_all).prompt(View.of(game))
    assert "Hospital (4, 2, 2, 1): In the Planting phase you may put a worker on" in prompt
    assert game.text() in prompt
    assert [name for name, _ in offered(prompt)] == [
        game.name(each) for each in game.legal_actions()
    ]
    bare = LanguageAgent(first_of_all, primer=False).prompt(View.of(game))
    assert prompt.endswith(bare)
    assert "Planting phase you" not in bare


def test_a_prompt_tells_what_has_happened_since_the_last_decision():
    agent = LanguageAgent(first_of_all)
    game = settled("role:settler", "take:quarry")
    news = "player 0 - Choice of role: take the Planter card\nplayer 0 - Planter: take a quarry\n\n"
    assert f"So far:\n{news}" in agent.prompt(View.of(game))
    game.step("pass")
    told = agent.prompt(View.of(game, 0)).partition("Since your last decision:\n")[2]
    assert told.startswith("player 1 - Pass\n\n")
    games = Games(RuleSet(3), 1, seed=1)
    assert "So far" not in agent.prompt(View.in_batch(games, 0, games.rule_sets[0]))


def test_a_model_is_not_asked_where_nothing_is_to_be_decided():
    game = Game(RuleSet(2, skip_forced=False), 1)
    game.step("role:captain")
    assert len(game.legal_actions()) == 1
    assert answered(game)[0] == "pass"


# -- how it is found -------------------------------------------------------------------------------


def test_a_model_of_ones_own_is_found_by_its_path():
    agent = load_agent(f"{__name__}:Prosaic:retries=0,fallback=corn")
    game = settled()
    agent.reset(0, game.rules, 1)
    assert game.name(agent.act(View.of(game))) == "role:settler"
    with pytest.raises(AgentError, match="missing a required argument: 'ask'"):
        load_agent("prico_agents.language:LanguageAgent")


def test_what_a_model_says_on_the_way_is_its_reason():
    game = settled()
    agent = LanguageAgent(Script("I need workers.\nACTION: role:mayor"))
    agent.reset(0, game.rules, 1)
    opinion = analysis_of(agent, View.of(game))
    assert opinion is not None
    assert game.name(opinion.action) == "role:mayor"
    assert opinion.reasons == ("I need workers.",)
    assert agent.act(View.of(game)) == opinion.action
    assert agent.asked == 1
