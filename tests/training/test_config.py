"""Settings are checked before any time is spent, and mistakes are answered with the way out."""

import ast
import dataclasses
import inspect
import operator
import re
from pathlib import Path

import pytest
import yaml

from prico_env import RuleSet
from prico_env.errors import PricoError
from prico_training import config as settings
from prico_training.config import Config, load_config
from prico_training.errors import ConfigError
from prico_training.reference import stale_pages
from prico_training.sections import from_dict, to_plain, translated

HOME = Path(settings.__file__).parents[2]
EXPERIMENTS = sorted((HOME / "configs" / "experiments").glob("*.yaml"))
SECTIONS = [
    each
    for _, each in inspect.getmembers(settings, inspect.isclass)
    if dataclasses.is_dataclass(each) and each.__module__ == settings.__name__
]


def test_the_default_file_holds_the_defaults_all_of_them():
    path = HOME / settings.DEFAULT
    assert load_config(path) == Config()
    assert yaml.safe_load(path.read_text()) == to_plain(Config())


def test_every_line_of_the_default_file_says_what_it_sets():
    for line in (HOME / settings.DEFAULT).read_text().splitlines():
        if ":" in line and not line.startswith("#") and not line.endswith(":"):
            assert "#" in line, line


def test_pages_written_from_the_fields_are_up_to_date():
    assert stale_pages() == []


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_every_experiment_can_be_read(path):
    assert load_config(path).name == path.stem


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__name__)
def test_every_setting_has_its_sentence(section):
    body = ast.parse(inspect.getsource(section)).body[0].body
    for line, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(line, ast.AnnAssign):
            assert isinstance(after, ast.Expr), f"{section.__name__}.{line.target.id}"
            assert after.value.value.strip().endswith(".")


def test_settings_survive_the_way_through_a_file():
    config = from_dict({"game": {"players": 3, "bank_limited": True}, "seed": 5}, Config)
    assert from_dict(yaml.safe_load(yaml.safe_dump(to_plain(config))), Config) == config
    assert config.game == RuleSet(players=3, bank_limited=True)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"ppo": {"learning_rte": 1.0}}, "'ppo.learning_rte'; did you mean 'learning_rate'?"),
        ({"pppo": {}}, "'pppo'; did you mean 'ppo'?"),
        ({"ppo": {"learning_rate": "3e-4"}}, "must be a number, not '3e-4'.*write 3.0e-4"),
        ({"ppo": {"learning_rate": True}}, "must be a number"),
        ({"ppo": {"update_epochs": 1.5}}, "must be a whole number"),
        ({"ppo": 3}, "must hold named settings"),
        ({"network": {"hidden": 256}}, r"must be a list, such as \[256, 256\]"),
        ({"network": {"hidden": []}}, "at least one layer"),
        ({"network": {"hidden": ["wide"]}}, "must be a whole number"),
        ({"trainer": "dqn"}, "one of ppo, maskable_sb3"),
        ({"network": {"values": "both"}}, "one of all, own"),
        ({"opponents": {"share": 1.5}}, "must lie from 0 to 1"),
        ({"opponents": {"agents": "corn"}}, r"must be a list, such as \[random\]"),
        ({"behaviour_cloning": {"share": -0.1}}, "must lie from 0 to 1"),
        ({"evaluation": {"curve": []}}, "at least one agent"),
        ({"self_play": {"num_envs": 0}}, "at least 1"),
        ({"budget": {"decisions": 0}}, "training would never end"),
        ({"game": 4}, "fields of a rule set"),
        ({"name": "a/b"}, "a word for a folder"),
        ([1], "must hold named settings"),
    ],
)
def test_a_setting_that_cannot_be_used_is_explained(fields, says):
    with pytest.raises(ConfigError, match=says):
        from_dict(fields, Config)


@pytest.mark.parametrize(
    "game",
    [
        {"players": 6},
        {"edition": "1879"},
        {"playrs": 4},
        {"expansions": ["festivals"]},
        {"edition": "classic", "expansions": ["festival"]},
        {"expansions": ["buildings"], "board": ["wharf"]},
    ],
)
def test_a_rule_set_that_does_not_exist_is_refused_by_the_game_itself(game):
    with pytest.raises(PricoError):
        from_dict({"game": game}, Config)


def test_what_yaml_reads_as_text_is_a_trap_that_is_caught(tmp_path):
    path = tmp_path / "trap.yaml"
    path.write_text("ppo:\n  learning_rate: 3e-4\n")
    with pytest.raises(ConfigError, match=re.escape("write 3.0e-4")):
        load_config(path)


def test_single_settings_can_be_changed():
    config = load_config(
        None, ["ppo.update_epochs=7", "game.players=3", "network.hidden=[8, 4]", "seed=1"]
    )
    assert (config.ppo.update_epochs, config.game.players) == (7, 3)
    assert (config.network.hidden, config.seed) == ((8, 4), 1)


@pytest.mark.parametrize(
    ("override", "says"),
    [
        ("ppo.update_epochs", "write setting=value"),
        ("seed.low=3", "must be a whole number"),
        ("ppo.update_epochs=[", "cannot be read"),
        ("ppo.update_epoch=3", "did you mean 'update_epochs'"),
    ],
)
def test_an_override_that_cannot_be_used_is_explained(override, says):
    with pytest.raises(ConfigError, match=says):
        load_config(None, [override])


@pytest.mark.parametrize("text", ["a: [", "- 1\n", "\xff"])
def test_a_file_that_is_no_settings_file_is_refused(tmp_path, text):
    path = tmp_path / "broken.yaml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"broken\.yaml"):
        load_config(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere\.yaml cannot be read"):
        load_config(tmp_path / "nowhere.yaml")


@pytest.mark.parametrize(
    "path", sorted((HOME / "configs" / "games").glob("*.yaml")), ids=lambda path: path.stem
)
def test_a_game_may_be_named_by_its_file(path):
    config = from_dict({"game": f"configs/games/{path.name}"}, Config)
    name = f"{config.game.edition}_{config.game.players}_players".replace("-", "_")
    assert path.stem == (f"{name}_expansions" if config.game.expansions else name)


def test_a_game_file_that_is_not_there_is_named():
    with pytest.raises(ConfigError, match=r"chess\.yaml cannot be read"):
        from_dict({"game": "chess.yaml"}, Config)


def test_a_list_of_a_file_can_be_extended_where_it_is_used_again(tmp_path):
    (tmp_path / "file.yaml").write_text(
        "opponents: {agents: &league [planner, corn]}\n"
        "network: {hidden: [[32], 16]}\n"
        "stages:\n"
        "  - {name: first}\n"
        "  - {name: second, opponents: {agents: [[trader, *league], builder]}}\n"
    )
    config = load_config(tmp_path / "file.yaml")
    first, second = config.stage_configs()
    assert config.network.hidden == (32, 16)
    assert first.opponents.agents == ("planner", "corn")
    assert second.opponents.agents == ("trader", "planner", "corn", "builder")


def test_an_empty_file_means_the_defaults(tmp_path):
    path = tmp_path / "empty.yaml"
    path.write_text("")
    assert load_config(path) == Config()


def test_single_switches_of_a_game_in_a_file_of_its_own_can_be_changed():
    path = HOME / "configs" / "experiments" / "classic.yaml"
    assert load_config(path, ["game.players=3"]).game == RuleSet(players=3, edition="classic")
    expansions = HOME / "configs" / "experiments" / "expansions.yaml"
    alone = load_config(expansions, ["game.expansions=[smuggler]"])
    assert alone.game == RuleSet(expansions=("smuggler",))


# -- settings of older versions --------------------------------------------------------------------

OLD = {
    "trainer": "search",
    "self_play": {"games": 8, "steps": 4, "players": [4]},
    "imitation": {"share": 0.1, "slips": 0.2, "minibatch": 64},
    "ppo": {"decay": 0.9, "clip": 0.3, "entropy": 0.02, "value_loss": 0.5, "max_gradient": 1.0},
    "search": {"elsewhere": "habit", "window": 100},
    "workers": {"count": 0},
}
NEW = {
    "trainer": "expert_iteration",
    "self_play": {"num_envs": 8, "num_steps": 4, "players": [4]},
    "behaviour_cloning": {"share": 0.1, "epsilon": 0.2, "batch_size": 64},
    "ppo": {
        "gae_lambda": 0.9,
        "clip_range": 0.3,
        "ent_coef": 0.02,
        "vf_coef": 0.5,
        "max_grad_norm": 1.0,
    },
    "expert_iteration": {"default_policy": "greedy", "buffer_size": 100},
    "actors": {"count": 0},
}


@pytest.mark.parametrize(
    ("override", "says"),
    [
        ("ppo.decay=0.9", "'ppo.decay' is now 'ppo.gae_lambda'"),
        ("imitation.slips=0", "'imitation.slips' is now 'behaviour_cloning.epsilon'"),
        ("imitation.share=0", "'imitation.share' is now 'behaviour_cloning.share'"),
        ("workers.count=2", "'workers.count' is now 'actors.count'"),
        ("trainer=search", "not 'search'; 'search' is now 'expert_iteration'"),
        ("expert_iteration.default_policy=habit", "'habit' is now 'greedy'"),
    ],
)
def test_an_old_setting_is_answered_with_its_new_name(override, says):
    with pytest.raises(ConfigError, match=re.escape(says)):
        load_config(None, [override])


def test_all_old_settings_of_a_file_are_answered_at_once(tmp_path):
    path = tmp_path / "old.yaml"
    path.write_text(yaml.safe_dump({"ppo": {"decay": 0.9, "clip": 0.1}, "self_play": {"steps": 3}}))
    with pytest.raises(ConfigError) as refused:
        load_config(path)
    for name in ("ppo.gae_lambda", "ppo.clip_range", "self_play.num_steps"):
        assert f"is now '{name}'" in str(refused.value)


def test_what_an_older_version_stored_is_read_under_the_names_of_today():
    assert translated(OLD, settings.RENAMED) == NEW
    assert translated(NEW, settings.RENAMED) == NEW


def test_every_new_name_is_a_setting_of_today():
    for old, new in settings.RENAMED.items():
        if "=" not in old:
            assert operator.attrgetter(new)(Config()) is not None


@pytest.mark.parametrize(
    "path", sorted((HOME / "agents").glob("prico_agents/neural/policies/*/*.yaml"))
)
def test_the_settings_of_a_shipped_policy_can_be_used_again(path):
    assert load_config(path).trainer == "ppo"
