"""Checkpoints come back as they were, or say in one line why they do not."""

import hashlib
import itertools
import json
import subprocess
import sys
import time

import numpy as np
import pytest
from safetensors.numpy import save

from prico_agents import AgentError, View, load_agent
from prico_agents.neural import checkpoint as policy_file
from prico_agents.neural.checkpoint import CheckpointError, SavedPolicy, load_policy, save_policy
from prico_agents.neural.layout import NetworkLayout, network_layout
from prico_env import Game, RuleSet
from prico_env.errors import PricoError
from prico_training.learning import checkpoint as run_file
from prico_training.learning.checkpoint import Checkpoint, read_checkpoint, write_checkpoint

RULES = RuleSet(players=3)


def weights(rules=RULES, hidden=8):
    chance = np.random.default_rng(4)
    inputs, outputs = rules.observation.num_features, rules.num_actions
    return {
        "layer_0.weight": chance.normal(0, 0.05, (hidden, inputs)).astype(np.float32),
        "layer_0.bias": np.zeros(hidden, np.float32),
        "layer_1.weight": chance.normal(0, 0.05, (outputs, hidden)).astype(np.float32),
        "layer_1.bias": np.zeros(outputs, np.float32),
    }


@pytest.fixture
def folder(tmp_path):
    save_policy(tmp_path, SavedPolicy(RULES, weights(), {"seed": 7}))
    return tmp_path


def change(folder, **fields):
    path = folder / policy_file.ABOUT_FILE
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_a_policy_comes_back_as_it_was(folder):
    saved = load_policy(folder)
    assert saved.rules == RULES
    assert saved.about == {"seed": 7}
    assert all((saved.weights[name] == array).all() for name, array in weights().items())


def test_a_policy_plays_what_is_allowed_alone_and_in_a_batch(folder):
    agent = load_agent(str(folder))
    game = Game(RULES, 3)
    agent.reset(0, RULES, 1)
    while not game.over:
        view = View.of(game)
        action = agent.act(view)
        assert view.legal[action]
        assert agent.act_batch(view.observation[None], view.legal[None]).tolist() == [action]
        game.step(action)


def test_a_policy_that_draws_is_repeatable(folder):
    game = Game(RULES, 3)
    agent = load_agent(f"{folder}:sampled")
    drawn = []
    for _ in range(2):
        agent.reset(0, RULES, 1)
        drawn.append([agent.act(View.of(game)) for _ in range(20)])
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) > 1


def test_a_policy_plays_other_rules_with_the_same_numbers_only(folder):
    agent = load_agent(str(folder))
    agent.reset(0, RuleSet(players=3, edition="classic"), 1)
    with pytest.raises(
        AgentError, match=r"learnt 1897-en, 3 players; it cannot play RuleSet\(players=4"
    ):
        agent.reset(0, RuleSet(players=4), 1)


def test_a_policy_that_needs_an_action_that_is_gone_is_refused_by_its_name(folder):
    actions = list(network_layout(RULES).actions)
    actions[5] = "role:gardener"
    change(folder, actions=actions)
    with pytest.raises(CheckpointError, match=r"another action layout.*role:gardener"):
        load_policy(folder)


@pytest.mark.parametrize(
    ("renamed", "says"),
    [
        (
            {"self.goods": "self.spices"},
            r"another observation layout: it needs self\.spices,",
        ),
        ({"table.row[corn]": "table.row[tea]"}, r"it needs table\.row\[tea\], which this version"),
        ({"self.vp": "self.fame", "left_1.vp": "left_1.fame"}, r"self\.fame, left_1\.fame, which"),
    ],
)
def test_a_policy_that_needs_features_that_are_gone_is_refused_by_their_names(
    folder, renamed, says
):
    names = "|".join(network_layout(RULES).features)
    for old, new in renamed.items():
        names = names.replace(old, new)
    change(folder, features=names.split("|"))
    with pytest.raises(CheckpointError, match=says):
        load_policy(folder)


def test_a_policy_with_fewer_names_than_weights_is_refused(folder):
    change(folder, features=network_layout(RULES).features[:-1])
    with pytest.raises(CheckpointError, match="layer_0 does not fit"):
        load_policy(folder)


@pytest.mark.parametrize("fields", [{"observation_version": 0}, {"input": "x / 255"}])
def test_a_policy_whose_features_mean_something_else_is_refused(folder, fields):
    change(folder, **fields)
    with pytest.raises(CheckpointError, match="version"):
        load_policy(folder)


def test_a_policy_of_another_format_is_refused(folder):
    change(folder, format=99)
    with pytest.raises(CheckpointError, match="format 99; this version reads formats 1 to 3"):
        load_policy(folder)


@pytest.mark.parametrize(
    "fields", [{"rules": {"players": 9}}, {"rules": 3}, {"weights_sha256": ""}, {"about": 3}]
)
def test_a_policy_with_a_damaged_page_is_refused(folder, fields):
    change(folder, **fields)
    with pytest.raises(CheckpointError, match="damaged"):
        load_policy(folder)


def test_weights_of_another_shape_are_refused(tmp_path):
    save_policy(tmp_path, SavedPolicy(RULES, weights(RuleSet(players=4)), {}))
    with pytest.raises(CheckpointError, match="layer_0 does not fit"):
        load_policy(tmp_path)


def judging(seats, hidden=8):
    """Weights that judge so many seats beside choosing an action."""
    value = {
        "value.weight": np.zeros((seats, hidden), np.float32),
        "value.bias": np.full(seats, 0.25, np.float32),
    }
    return weights() | value


@pytest.mark.parametrize("seats", [1, RULES.players])
def test_a_policy_may_judge_its_own_seat_or_all(tmp_path, seats):
    save_policy(tmp_path, SavedPolicy(RULES, judging(seats), {}))
    game = Game(RULES, 3)
    network = load_agent(str(tmp_path)).network
    _, values = network.evaluate(game.observation()[None], game.mask()[None])
    assert (values == np.full((1, seats), 0.25)).all()


@pytest.mark.parametrize(
    ("seats", "hidden", "says"), [(2, 8, "judges 2 seats"), (1, 9, "value does not fit")]
)
def test_a_policy_that_judges_something_else_is_refused(tmp_path, seats, hidden, says):
    save_policy(tmp_path, SavedPolicy(RULES, judging(seats, hidden), {}))
    with pytest.raises(CheckpointError, match=says):
        load_policy(tmp_path)


@pytest.mark.parametrize("file", [policy_file.ABOUT_FILE, policy_file.WEIGHTS_FILE])
@pytest.mark.parametrize("cut", [0, 1, 20, 500])
def test_a_truncated_policy_is_refused(folder, file, cut):
    path = folder / file
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(CheckpointError, match="damaged"):
        load_policy(folder)


def test_one_flipped_bit_is_noticed(folder):
    path = folder / policy_file.WEIGHTS_FILE
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    path.write_bytes(data)
    with pytest.raises(CheckpointError, match="not those that were saved"):
        load_policy(folder)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["layer_0.weight", "layer_1.bias"])
def test_a_policy_whose_weights_are_not_finite_is_refused_by_the_array(folder, name, value):
    damaged = weights()
    damaged[name].flat[2] = value
    blob = save(damaged)
    (folder / policy_file.WEIGHTS_FILE).write_bytes(blob)
    change(folder, weights_sha256=hashlib.sha256(blob).hexdigest())
    for use in (load_policy, lambda place: load_agent(str(place)), play_with_network):
        with pytest.raises(PricoError, match=f"1 of the .* numbers of {name} are infinite") as no:
            use(folder)
        assert "\n" not in str(no.value)


def play_with_network(place):
    agent = load_agent(f"mcts:network={place},simulations=2")
    agent.reset(0, RULES, 1)
    agent.act(View.of(Game(RULES, 1)))


def test_a_policy_that_has_diverged_is_not_written(tmp_path):
    large = weights() | {"layer_1.bias": np.full(RULES.num_actions, 1e6, np.float32)}
    save_policy(tmp_path, SavedPolicy(RULES, large, {}))
    with pytest.raises(CheckpointError, match=r"layer_1\.bias are infinite"):
        save_policy(tmp_path, SavedPolicy(RULES, large, {}), half=True)
    large["layer_0.bias"] = np.full(8, np.nan, np.float32)
    with pytest.raises(CheckpointError, match=r"layer_0\.bias are infinite or not a number"):
        save_policy(tmp_path, SavedPolicy(RULES, large, {}))
    assert load_policy(tmp_path).weights["layer_1.bias"][0] == np.float32(1e6)


def test_a_policy_that_names_a_feature_twice_is_refused(folder):
    features = list(network_layout(RULES).features)
    change(folder, features=[*features[:-1], features[0]])
    with pytest.raises(CheckpointError, match="it has an observation twice"):
        load_policy(folder)


def test_a_folder_without_a_policy_is_refused(tmp_path):
    with pytest.raises(CheckpointError, match="holds no checkpoint"):
        load_agent(str(tmp_path))


def test_a_missing_weights_file_is_refused(folder):
    (folder / policy_file.WEIGHTS_FILE).unlink()
    with pytest.raises(CheckpointError, match="cannot be read"):
        load_policy(folder)


def test_checkpoint_errors_belong_to_the_family():
    assert issubclass(CheckpointError, PricoError)


# -- checkpoints of a run --------------------------------------------------------------------------


def checkpoint(decisions):
    policy = SavedPolicy(RULES, weights(), {"decisions": decisions})
    return Checkpoint(policy, {"policy/a": np.full(3, decisions)}, {"decisions": decisions})


def test_the_newest_checkpoint_comes_back(tmp_path):
    for decisions in (10, 20, 30):
        write_checkpoint(tmp_path, checkpoint(decisions))
    read = read_checkpoint(tmp_path)
    assert read.counters == {"decisions": 30}
    assert read.arrays["policy/a"].tolist() == [30, 30, 30]
    assert load_policy(tmp_path).about == {"decisions": 30}
    assert len(list((tmp_path / run_file.CHECKPOINTS).iterdir())) == run_file.KEPT


def test_a_run_from_before_features_were_added_goes_on_with_each_where_it_stands_now(tmp_path):
    features, actions = network_layout(RULES)
    known = tuple(name for name in reversed(features) if name != "table.round")
    new = features.index("table.round")
    number = np.array([features.index(name) for name in known], np.float32)
    policy_weights = weights() | {"layer_0.weight": np.stack([number] * 8)}
    policy = SavedPolicy(RULES, policy_weights, {}, (), NetworkLayout(known, actions))
    arrays = {
        "learner/network/layers.0.weight": np.stack([number] * 2),
        "learner/network/middle": number,
        "learner/network/scale": number,
        "learner/optimizer/0/exp_avg": np.stack([number] * 2),
        "learner/optimizer/0/step": np.float32(3),
        "learner/network/layers.1.weight": np.stack([number] * 2),
        "games_3/states": np.zeros((2, len(known)), np.uint8),
    }
    expected = np.arange(len(features), dtype=np.float32)
    write_checkpoint(tmp_path, Checkpoint(policy, arrays, {"decisions": 1}))
    read = read_checkpoint(tmp_path)
    for name, fill in (("network/mean", 0), ("network/scale", 1), ("optimizer/0/exp_avg", 0)):
        expected[new] = fill
        assert (read.arrays[f"learner/{name}"] == expected).all(), name
    expected[new] = 0
    assert (read.arrays["learner/network/layers.0.weight"] == expected).all()
    for name in ("learner/optimizer/0/step", "learner/network/layers.1.weight", "games_3/states"):
        assert (read.arrays[name] == arrays[name]).all()


def test_an_interrupted_write_leaves_the_one_before(tmp_path, monkeypatch):
    write_checkpoint(tmp_path, checkpoint(10))

    def fail(*_):
        raise KeyboardInterrupt

    for name in ("save", "write_text"):
        with monkeypatch.context() as patch:
            patch.setattr(run_file, name, fail)
            with pytest.raises(KeyboardInterrupt):
                write_checkpoint(tmp_path, checkpoint(20))
        assert read_checkpoint(tmp_path).counters == {"decisions": 10}
    write_checkpoint(tmp_path, checkpoint(20))
    assert read_checkpoint(tmp_path).counters == {"decisions": 20}


@pytest.mark.parametrize("file", [run_file.ARRAYS_FILE, run_file.COUNTERS_FILE])
def test_a_damaged_checkpoint_of_a_run_is_refused(tmp_path, file):
    path = write_checkpoint(tmp_path, checkpoint(10)) / file
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(CheckpointError, match="damaged"):
        read_checkpoint(tmp_path)


def test_counters_that_were_changed_by_hand_are_refused(tmp_path):
    path = write_checkpoint(tmp_path, checkpoint(10)) / run_file.COUNTERS_FILE
    page = json.loads(path.read_text())
    for changed in (
        page | {"counters": {"decisions": 11}},
        {name: page[name] for name in ("counters", "counters_sha256")},
        {"counters": [], "arrays_sha256": page["arrays_sha256"]},
        [],
    ):
        path.write_text(json.dumps(changed))
        with pytest.raises(CheckpointError, match=r"training\.json is damaged"):
            read_checkpoint(tmp_path)


def test_a_page_of_the_policy_that_was_changed_by_hand_is_refused(tmp_path):
    folder = write_checkpoint(tmp_path, checkpoint(10))
    change(folder, about={"decisions": 11})
    with pytest.raises(CheckpointError, match=r"policy\.json is damaged: its bytes are not those"):
        read_checkpoint(tmp_path)


def test_training_that_has_diverged_leaves_the_checkpoint_before(tmp_path):
    write_checkpoint(tmp_path, checkpoint(10))
    diverged = checkpoint(20)
    diverged.arrays["learner/optimizer/0/exp_avg"] = np.array([1.0, np.nan])
    with pytest.raises(CheckpointError, match="1 of the 2 numbers of learner/optimizer/0/exp_avg"):
        write_checkpoint(tmp_path, diverged)
    assert read_checkpoint(tmp_path).counters == {"decisions": 10}
    assert [path.name for path in (tmp_path / run_file.CHECKPOINTS).iterdir()] == [
        run_file.decisions_name(10)
    ]


@pytest.mark.parametrize("damage", ["truncated", "flipped", "gone", "latest", "latest gone"])
def test_where_the_newest_checkpoint_is_damaged_the_one_before_goes_on(tmp_path, damage, capsys):
    for decisions in (10, 20):
        write_checkpoint(tmp_path, checkpoint(decisions))
    newest = tmp_path / run_file.CHECKPOINTS / run_file.decisions_name(20)
    arrays = newest / run_file.ARRAYS_FILE
    blob = arrays.read_bytes()
    if damage == "gone":
        arrays.unlink()
    elif damage == "latest":
        (tmp_path / "latest").write_bytes(b"checkpoints/\xff")
    elif damage == "latest gone":
        (tmp_path / "latest").unlink()
    else:
        cut = blob[:-1]
        arrays.write_bytes(cut if damage == "truncated" else cut + bytes([blob[-1] ^ 4]))
    expected = 20 if "latest" in damage else 10
    assert run_file.newest_whole_checkpoint(tmp_path).counters == {"decisions": expected}
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(
        f"going on from {run_file.decisions_name(expected)}, the newest one that is whole"
    )
    assert read_checkpoint(tmp_path).counters == {"decisions": expected}


def test_checkpoints_of_lives_that_were_killed_do_not_outlast_the_newest(tmp_path, monkeypatch):
    for decisions in (10, 20, 30, 40):
        write_checkpoint(tmp_path, checkpoint(decisions))
    (tmp_path / "latest").write_text(f"{run_file.CHECKPOINTS}/{run_file.decisions_name(30)}\n")
    write_checkpoint(tmp_path, checkpoint(35))  # more slowly than before it was killed
    assert read_checkpoint(tmp_path).counters == {"decisions": 35}
    write_checkpoint(tmp_path, checkpoint(40))
    names = sorted(path.name for path in (tmp_path / run_file.CHECKPOINTS).iterdir())
    assert names == [run_file.decisions_name(35), run_file.decisions_name(40)]


def test_the_same_arrays_again_change_the_counters_alone(tmp_path):
    folder = write_checkpoint(tmp_path, checkpoint(10))
    before = (folder / run_file.ARRAYS_FILE).stat().st_ino
    again = checkpoint(10)
    again.counters["metrics"] = "one more row"
    write_checkpoint(tmp_path, again)
    assert read_checkpoint(tmp_path).counters == again.counters
    assert (folder / run_file.ARRAYS_FILE).stat().st_ino == before
    again.arrays["policy/a"] += 1
    write_checkpoint(tmp_path, again)
    assert read_checkpoint(tmp_path).arrays["policy/a"].tolist() == [11, 11, 11]


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(CheckpointError, match="not a training run"):
        read_checkpoint(tmp_path)


WRITER = """
import sys
from pathlib import Path
import numpy as np
from prico_agents.neural.checkpoint import SavedPolicy
from prico_env import RuleSet
from prico_training.learning.checkpoint import Checkpoint, write_checkpoint
run, number = Path(sys.argv[1]), int(sys.argv[2])
rules = RuleSet(players=3)
while True:
    number += 1
    shape = rules.num_actions, rules.observation.num_features
    weights = {
        "layer_0.weight": np.full(shape, number, np.float32),
        "layer_0.bias": np.zeros(rules.num_actions, np.float32),
    }
    policy = SavedPolicy(rules, weights, {"decisions": number})
    arrays = {"memory": np.full(200_000, number, np.float32)}
    write_checkpoint(run, Checkpoint(policy, arrays, {"decisions": number}))
    print(number, flush=True)
"""


def test_whenever_a_run_is_killed_its_newest_checkpoint_is_whole(tmp_path):
    told = 0
    for patience in (1, 2, 4, 7):
        command = [sys.executable, "-c", WRITER, str(tmp_path), str(told)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            for line in itertools.islice(writer.stdout, patience):
                told = int(line)
            time.sleep(0.003 * patience)  # somewhere in the middle of the next one
            writer.kill()
            for line in writer.stdout:
                told = int(line)
        found = read_checkpoint(tmp_path)
        number = found.counters["decisions"]
        assert number in (told, told + 1)
        assert (found.arrays["memory"] == number).all()
        assert (found.policy.weights["layer_0.weight"] == number).all()
        told = number
