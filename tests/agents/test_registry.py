"""Every agent has a name that a person can write, with its settings behind a colon."""

import inspect
import os
import sys
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Literal, TextIO

import numpy as np
import pytest
from numba import config

import prico_agents
from prico_agents import (
    Agent,
    AgentError,
    View,
    agent_label,
    agent_names,
    as_opponent,
    load_agent,
)
from prico_agents.agent_settings import describe_settings, settings_of
from prico_agents.heuristic_engine.weights import WEIGHTS
from prico_agents.human import Human
from prico_agents.neural.checkpoint import CheckpointError, SavedPolicy, save_policy
from prico_agents.neural.policy import Policy
from prico_agents.random import RandomAgent
from prico_agents.registry import ALIASES, agent_class, agent_files
from prico_agents.renamed import RENAMED
from prico_env import ALL_EXPANSIONS, Game, RuleSet
from prico_env.envs.opponents import find_opponent
from prico_env.errors import PricoError
from tests.training.learning.test_checkpoint import RULES, weights

AGENT_FILES = sorted((Path(__file__).parents[2] / "configs" / "agents").glob("*.yaml"))


class Bold(RandomAgent):
    """Somebody's own agent, which can be told all kinds of things."""

    short_setting = "courage"

    def __init__(
        self,
        courage: int = 3,
        hurry: float = 0.5,
        style: Literal["calm", "wild"] = "calm",
        loud: bool = False,
        motto: str | None = None,
        likes: Mapping[str, float] | None = None,
        screen: TextIO | None = None,
    ):
        super().__init__()
        self.told = (courage, hurry, style, loud, motto, likes)


class Free(RandomAgent):
    """Checks its settings by itself."""

    def __init__(self, first, *, luck=7, **virtues):
        super().__init__()
        self.told = (first, luck, virtues)


class Puzzling(RandomAgent):
    """Nobody knows what it can be told."""

    def __init__(self, mood: "Mood" = None):  # noqa: F821
        super().__init__()


BOLD, FREE = f"{__name__}:Bold", f"{__name__}:Free"


@pytest.fixture
def run(tmp_path):
    """A run folder with one checkpoint."""
    folder = tmp_path / "run" / "checkpoints" / "last"
    folder.mkdir(parents=True)
    save_policy(folder, SavedPolicy(RULES, weights(), {}))
    (tmp_path / "run" / "latest").write_text("checkpoints/last")
    return tmp_path / "run"


def complaint(name, **settings):
    """What is said, in one line, of an agent that cannot be had."""
    with pytest.raises(AgentError) as error:
        load_agent(name, **settings)
    assert "\n" not in str(error.value)
    return str(error.value)


# -- built-in agents -------------------------------------------------------------------------------


def test_listing_finds_the_agents_of_the_package_and_none_of_their_helpers():
    home = Path(prico_agents.__file__).parent
    heuristics = {path.stem for path in (home / "heuristics").glob("[!_]*.py")}
    assert set(agent_names()) == {"human", "random", *heuristics} | (
        {"mcts"} if (home / "search" / "mcts.py").exists() else set()
    )
    assert agent_files()["random"] == "prico_agents.random"


@pytest.mark.parametrize("name", agent_names())
def test_an_agent_is_one_and_says_in_a_line_what_it_does(name):
    assert isinstance(load_agent(name), Agent)
    assert (agent_class(name).__doc__ or "").splitlines()[0].endswith(".")


@pytest.mark.parametrize("name", agent_names())
def test_an_agent_is_the_same_by_its_short_name_and_by_its_path(name):
    player = agent_class(name)
    assert type(load_agent(f"{player.__module__}:{player.__name__}")) is player


@pytest.mark.parametrize("name", [*agent_names(), "policy"])
def test_the_short_setting_of_an_agent_is_one_of_its_settings(name):
    player = Policy if name == "policy" else agent_class(name)
    short = getattr(player, "short_setting", None)
    assert short is None or short in [setting.name for setting in settings_of(player)]


@pytest.mark.parametrize(("nickname", "name"), ALIASES.items())
def test_a_nickname_stands_for_a_built_in_agent(nickname, name):
    assert type(load_agent(nickname)) is agent_class(name)


# -- names and what they stand for -----------------------------------------------------------------


def test_an_agent_of_ones_own_is_found_by_its_path():
    assert load_agent(BOLD).told == (3, 0.5, "calm", False, None, None)


def test_the_first_setting_needs_no_name():
    assert load_agent(f"{BOLD}:5").told[0] == 5
    assert load_agent(f"{BOLD}:5,style=wild").told[:3] == (5, 0.5, "wild")


def test_settings_stand_behind_a_colon():
    text = "courage=-2,hurry=1e-3,style=wild,loud=yes,motto=to win"
    assert load_agent(f"{BOLD}:{text}").told[:5] == (-2, 0.001, "wild", True, "to win")
    assert load_agent(f"{FREE}:first=2,luck=0.5,calm=true").told == (2, 0.5, {"calm": True})


def test_settings_may_come_from_code():
    likes = {"captain": 1.0}
    assert load_agent(BOLD, hurry=2, likes=likes).told[1:6:4] == (2, likes)
    assert load_agent(f"{BOLD}:5", motto=None, loud=True).told[:5] == (5, 0.5, "calm", True, None)
    assert load_agent(FREE, first=[1], bold=2).told == ([1], 7, {"bold": 2})


def test_an_agent_may_come_from_a_file(tmp_path):
    path = tmp_path / "careful.yaml"
    path.write_text(f"agent: {BOLD}:5\nsettings: {{hurry: 2, likes: {{captain: 1}}}}\n")
    assert load_agent(str(path)).told == (5, 2, "calm", False, None, {"captain": 1})
    assert load_agent(f"{path}:style=wild", loud=True).told[:4] == (5, 2, "wild", True)
    path.write_text("agent: random\n")
    assert isinstance(load_agent(str(path)), RandomAgent)


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="looking ahead takes minutes")
@pytest.mark.parametrize("path", AGENT_FILES, ids=lambda path: path.stem)
def test_agents_that_come_along_as_files_choose_among_what_is_allowed(path):
    """In the base game, and where there is something to draft."""
    agent = load_agent(str(path))
    for rules in (RuleSet(), RuleSet(expansions=ALL_EXPANSIONS)):
        game = Game(rules, seed=5)
        agent.reset(game.turn, rules, 1)
        assert agent.act(View.of(game)) in game.legal_actions()


def test_a_run_or_its_checkpoint_plays_with_its_policy(run):
    for folder in (run, run / "checkpoints" / "last"):
        assert isinstance(load_agent(str(folder)), Policy)
        assert isinstance(load_agent(f"{folder}:sampled"), Policy)
    path = run.parent / "mine.yaml"
    path.write_text(f"agent: {run}\nsettings: {{choice: sampled, temperature: 0.5}}\n")
    assert isinstance(load_agent(str(path)), Policy)


def test_a_folder_does_not_hide_the_package_of_an_agent(tmp_path, monkeypatch):
    (tmp_path / "agents").mkdir()
    monkeypatch.chdir(tmp_path)
    assert isinstance(load_agent("prico_agents.random:RandomAgent"), RandomAgent)
    assert isinstance(load_agent(BOLD), Bold)


def test_tables_print_a_name_without_its_folders(run):
    path = run.parent / "careful.yaml"
    path.write_text("agent: random\n")
    assert agent_label("random") == "random"
    assert agent_label("mcts:400") == "mcts:400"
    assert agent_label(f"{BOLD}:3") == f"{BOLD}:3"
    assert agent_label(f"{run}/") == "run"
    assert agent_label(f"{run}:sampled") == "run:sampled"
    assert agent_label(f"{path}:loud=yes") == "careful:loud=yes"


# -- a policy --------------------------------------------------------------------------------------


def drawn(name, seed=1):
    """Twenty decisions at the same point."""
    agent = load_agent(name)
    agent.reset(0, RULES, seed)
    view = prico_agents.View.of(Game(RULES, 3))
    return [agent.act(view) for _ in range(20)]


def test_a_policy_plays_its_favourite_unless_it_is_told_to_draw(run):
    assert len(set(drawn(f"{run}"))) == 1
    assert drawn(f"{run}") == drawn(f"{run}:greedy")
    assert len(set(drawn(f"{run}:sampled"))) > 1
    assert drawn(f"{run}:sampled") == drawn(f"{run}:sampled")


def test_a_cold_policy_draws_its_favourite(run):
    assert drawn(f"{run}:sampled,temperature=0.0001") == drawn(f"{run}")
    assert drawn(f"{run}:sampled,temperature=1") == drawn(f"{run}:sampled")


@pytest.mark.parametrize("settings", ["sampled,temperature=0", "temperature=0.5"])
def test_a_temperature_must_make_sense(run, settings):
    assert "temperature" in complaint(f"{run}:{settings}")


# -- modules of one's own -------------------------------------------------------------------------

LUCKY = """
class Lucky:
    def reset(self, seat, rules, seed): ...
    def act(self, view):
        import {helper}
        return {helper}.choose(view.choices)
"""
WRITTEN = count()
"""Every test writes modules of new names: Python imports a name but once."""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """The name of a module in the current folder, which is not on the path of modules."""
    number = next(WRITTEN)
    (tmp_path / f"helper_{number}.py").write_text("def choose(choices): return choices[-1]\n")
    package = tmp_path / f"package_{number}"
    package.mkdir()
    for path in (tmp_path / f"lucky_{number}.py", package / "lucky.py"):
        path.write_text(LUCKY.format(helper=f"helper_{number}"))
    (package / "agent.yaml").write_text(f"agent: lucky_{number}:Lucky\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place not in ("", os.curdir)])
    return f"lucky_{number}"


@pytest.mark.parametrize(
    "name",
    ["{}:Lucky", "package_{number}.lucky:Lucky", "package_{number}/agent.yaml"],
    ids=["a module", "a module of a package", "a settings file"],
)
@pytest.mark.parametrize(
    "find",
    [load_agent, as_opponent, find_opponent],
    ids=["by name", "as an opponent", "by an environment"],
)
def test_a_module_in_the_current_folder_is_found(module, name, find):
    player = find(name.format(module, number=module.removeprefix("lucky_")))
    game = Game(RuleSet(3), seed=1)
    if find is load_agent:
        player.reset(0, game.rules, 1)
        choice = player.act(View.of(game))
    else:
        choice = player(game, game.turn, np.random.default_rng(1))
    assert choice == game.legal_actions()[-1]


def test_an_installed_module_is_found_before_one_of_its_name_in_the_current_folder(
    module, tmp_path, monkeypatch
):
    installed = tmp_path / "installed"
    installed.mkdir()
    (installed / f"{module}.py").write_text(
        "from prico_agents.random import RandomAgent as Lucky\n"
    )
    monkeypatch.syspath_prepend(installed)
    before = list(sys.path)
    assert isinstance(load_agent(f"{module}:Lucky"), RandomAgent)
    assert sys.path == [*before, str(tmp_path)]


def test_a_module_written_after_a_failed_try_is_found(module, tmp_path):
    assert "No module named 'late_module'" in complaint("late_module:Lucky")
    (tmp_path / f"{module}.py").rename(tmp_path / "late_module.py")
    assert type(load_agent("late_module:Lucky")).__name__ == "Lucky"


def test_a_removed_current_folder_hides_no_installed_module(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert isinstance(load_agent("prico_agents.random:RandomAgent"), RandomAgent)


# -- mistakes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("randon", "did you mean 'random'"),
        ("randon:3", "did you mean 'random'"),
        ("randon:fast", "No module named 'randon'; did you mean 'random'"),
        ("", "no agent is called ''"),
        (":", "no agent is called ':'"),
        ("no/such/run", "no agent, no file and no checkpoint folder"),
        ("no/such/run:sampled", "no agent, no file and no checkpoint folder 'no/such/run'"),
        ("nowhere.yaml", "no agent, no file and no checkpoint folder"),
        ("x" * 5000, "no agent is called"),
        ("prico_agents.random:Nobody", "has no agent 'Nobody'"),
        ("agents.nowhere:Agent", "cannot be loaded"),
        ("prico_agents.base:View", "needs the methods reset and act"),
        ("prico_agents.base:AgentError", "needs the methods reset and act"),
        ("prico_agents.registry:load_agent", "needs the methods reset and act"),
        (FREE, "missing a required argument: 'first'"),
        (f"{__name__}:Puzzling", "Puzzling cannot be read: name 'Mood' is not defined"),
    ],
)
def test_a_wrong_name_is_explained(name, says):
    assert says in complaint(name)


ALL = "its settings are courage=3, hurry=0.5, style=calm|wild, loud=false, motto=none, likes=none"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (f"{BOLD}:currage=3", f"no setting 'currage'; did you mean 'courage'?; {ALL}"),
        (f"{BOLD}:screen=3", f"no setting 'screen'; {ALL}"),
        (f"{BOLD}:many", f"courage must be a whole number, not 'many'; {ALL}"),
        (f"{BOLD}:2.5", f"courage must be a whole number, not '2.5'; {ALL}"),
        (f"{BOLD}:hurry=fast", f"hurry must be a number, not 'fast'; {ALL}"),
        (f"{BOLD}:hurry=nan", f"hurry must be a number, not nan; {ALL}"),
        (f"{BOLD}:style=wyld", "style must be calm or wild, not 'wyld'; did you mean 'wild'?"),
        (f"{BOLD}:loud=perhaps", "loud must be true or false, not 'perhaps'"),
        (f"{BOLD}:likes=corn", "likes must be values by name, not 'corn'"),
        (f"{BOLD}:", f"sets nothing with ''; write setting=value; {ALL}"),
        (f"{BOLD}:style=wild,3", f"sets nothing with '3'; write setting=value; {ALL}"),
        (f"{BOLD}:3,courage=4", "sets courage twice"),
        (f"{FREE}:3", "sets nothing with '3'; write setting=value; its settings are first="),
        ("random:3", "this agent has no settings"),
    ],
)
def test_a_wrong_setting_is_explained_with_those_there_are(name, says):
    assert says in complaint(name)


def test_a_wrong_setting_in_code_is_explained_too():
    assert "no setting 'luck'" in complaint("random", luck=2)
    assert "courage must be a whole number, not True" in complaint(BOLD, courage=True)
    assert "loud must be true or false, not 1" in complaint(BOLD, loud=1)
    assert "sets courage twice" in complaint(f"{BOLD}:3", courage=3)


@pytest.mark.parametrize(
    "text",
    [
        "agent: 3",
        "agent: random\ncolour: red",
        "agent: random\nsettings: loud",
        "agent: random\nsettings: {1: 2}",
        "- 1",
        "a: [",
        "",
        "agent: wrong.yaml",
        "\xff\x00",
    ],
)
def test_a_file_that_names_no_agent_is_refused(tmp_path, text):
    path = tmp_path / "wrong.yaml"
    path.write_text(text, encoding="latin-1")
    assert "wrong.yaml" in complaint(str(path))


def test_a_mistake_in_a_file_names_the_setting(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(f"agent: {BOLD}\nsettings: {{hurry: 3e-1}}\n")
    assert "hurry must be a number, not '3e-1'" in complaint(str(path))
    assert "sets hurry twice" in complaint(f"{path}:hurry=1")


def test_a_folder_without_a_checkpoint_is_refused(tmp_path):
    with pytest.raises(CheckpointError, match="holds no checkpoint"):
        load_agent(str(tmp_path))


# -- where names are used --------------------------------------------------------------------------


def test_a_named_agent_is_an_opponent_in_the_environments():
    game = Game(RuleSet(), 3)
    for name in ("heuristic", f"{BOLD}:5"):
        assert game.mask()[find_opponent(name)(game, game.turn, np.random.default_rng(0))]


def test_the_environments_say_what_is_wrong_with_an_opponent():
    with pytest.raises(PricoError, match="there is no opponent 'nobody'"):
        find_opponent("nobody")
    with pytest.raises(AgentError, match="courage must be a whole number"):
        find_opponent(f"{BOLD}:many")


# -- settings as a list prints them ----------------------------------------------------------------


def test_settings_are_described_with_their_defaults():
    assert describe_settings(Bold) == ALL.removeprefix("its settings are ")
    assert describe_settings(Free) == "first=(anything), luck=7, any of its virtues"
    assert describe_settings(RandomAgent) == ""
    assert describe_settings(Human) == ""
    assert describe_settings(Policy) == "choice=greedy|sampled, temperature=1.0"


def test_only_what_a_person_can_write_is_a_setting():
    assert "screen" in inspect.signature(Bold).parameters
    assert "screen" not in [setting.name for setting in settings_of(Bold)]


# -- former names ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "now"),
    [
        ("planner:temper=0.1", "'temperature'"),
        ("corn:envy=0.1", "'opponent_weight'"),
        ("planner:foresight_within=2", "'lookahead_phases_within'"),
        ("mcts:leaf=habits", "'greedy'"),
        ("mcts:prior=appraisal", "'evaluation'"),
        ("mcts:elsewhere=habit", "'default_policy'"),
        ("mcts:depth=1", "'rollout_depth'"),
    ],
)
def test_a_former_setting_is_answered_with_its_new_name(name, now):
    with pytest.raises(AgentError, match=f"it is called {now} now"):
        load_agent(name)


def test_every_former_setting_leads_to_one_that_there_is():
    settings = {each.name: each for each in settings_of(agent_class("mcts"))}
    words = {word for setting in settings.values() for word in setting.words}
    assert set(RENAMED.values()) <= {*settings, *words, *WEIGHTS.names}


@pytest.mark.parametrize(
    ("former", "now"), [("Opinion", "Analysis"), ("opinion_of", "analysis_of")]
)
def test_a_former_name_of_the_package_still_works_with_a_warning(former, now):
    with pytest.warns(DeprecationWarning, match=f"{former} is called {now} now"):
        assert getattr(prico_agents, former) is getattr(prico_agents, now)
