"""Data sets: written once, whatever happens, and read by everything."""

import dataclasses
import json
import os
import shutil
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'prico[data]'")

import pyarrow as pa
import pyarrow.parquet as pq

from prico_agents import AgentError
from prico_env import ALL_EXPANSIONS, Game, RuleSet
from prico_env.errors import PricoError
from prico_training import cli
from prico_training.datasets import Dataset, DatasetSettings, shards, write_dataset, writer
from prico_training.errors import ConfigError, DatasetError, InUseError
from prico_training.folder_lock import FolderLock

SETTINGS = DatasetSettings(
    policies=("corn", "random"),
    games=7,
    epsilon=0.1,
    seed=3,
    shard_games=3,
    game=RuleSet(players=3),
)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Seven games in files of three, row groups of two."""
    folder = tmp_path_factory.mktemp("data") / "set"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "GROUP_GAMES", 2)
        assert write_dataset(folder, SETTINGS).games == 7
    return folder


@pytest.fixture
def mine(written, tmp_path):
    """A copy to spoil."""
    return shutil.copytree(written, tmp_path / "mine")


def files(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


# -- what is in it ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "policies"),
    [(RuleSet(3), ("planner", "corn")), (RuleSet(2, expansions=ALL_EXPANSIONS), ("corn",))],
    ids=str,
)
def test_playing_a_deal_again_with_its_actions_gives_what_was_recorded(tmp_path, rules, policies):
    settings = DatasetSettings(policies=policies, games=2, epsilon=0.1, game=rules)
    write_dataset(tmp_path, settings)
    rows = Dataset(tmp_path).read()
    for number in range(2):
        here = np.flatnonzero(rows["game"] == number)
        game = Game(rules, seed=int(rows["deal_seed"][here[0]]))
        for step, row in enumerate(here):
            assert (rows["step"][row], rows["seat"][row]) == (step, game.turn)
            assert np.array_equal(rows["observation"][row], game.observation())
            assert np.array_equal(rows["action_mask"][row], game.mask())
            assert game.mask().sum() > 1
            game.step(int(rows["action"][row]))
        assert game.over
        seats = rows["seat"][here]
        assert np.array_equal(rows["place"][here], np.array(game.ranking())[seats])
        assert np.array_equal(rows["score"][here], np.array(game.scores())[seats])
        assert rows["win"][here] - 1 / rules.players == pytest.approx(game.rewards("win")[seats])
        assert rows["lead"][here] == pytest.approx(game.rewards("margin")[seats] * 100)


def test_random_actions_are_told_from_the_policys_own(written):
    rows = Dataset(written).read()
    explored = rows["action"] != rows["policy_action"]
    assert 0.02 < explored.mean() < 0.2
    each = np.arange(len(explored))
    assert rows["action_mask"][each, rows["policy_action"]].all()


def test_each_seat_of_each_game_is_drawn_among_the_policies(written):
    data = Dataset(written)
    rows = data.read(("policy", "game", "seat"))
    assert data.policies == ("corn", "random")
    assert set(rows["policy"]) == {0, 1}
    line_up = {}
    for game, seat, policy in zip(rows["game"], rows["seat"], rows["policy"], strict=True):
        assert line_up.setdefault((game, seat), policy) == policy


def test_a_policy_that_is_named_twice_sits_twice_as_often_and_is_one_policy(tmp_path):
    policies = ("random", "random", "corn")
    settings = dataclasses.replace(SETTINGS, policies=policies, games=40, epsilon=0.0)
    write_dataset(tmp_path, settings)
    data = Dataset(tmp_path)
    rows = data.read(("policy", "game", "seat", "place"))
    assert data.policies == ("random", "corn")
    seats = {
        (game, seat): (policy, place)
        for game, seat, policy, place in zip(
            *(rows[name].tolist() for name in ("game", "seat", "policy", "place")), strict=True
        )
    }
    is_random = np.array([policy == 0 for policy, _ in seats.values()])
    places = np.array([place for _, place in seats.values()])
    assert 0.5 < is_random.mean() < 0.8
    assert places[is_random].mean() > places[~is_random].mean() + 0.5
    words = pq.read_table(tmp_path / "part-00000.parquet")["policy"].to_pylist()
    assert words == [data.policies[number] for number in rows["policy"][: len(words)]]


def test_any_reader_of_parquet_gets_the_columns_and_what_they_mean(written):
    table = pq.read_table(written / "part-00000.parquet")
    assert table.column_names == list(shards.COLUMNS)
    assert set(table["policy"].to_pylist()) <= {"corn", "random"}
    told = json.loads(table.schema.metadata[b"prico"])
    assert told["settings"]["policies"] == ["corn", "random"]
    assert told["features"][:1] == list(SETTINGS.game.observation.feature_names[:1])
    row = table.slice(5, 1).to_pylist()[0]
    observation = np.frombuffer(row["observation"], np.uint8)
    assert len(observation) == len(told["features"])
    mask = np.unpackbits(np.frombuffer(row["action_mask"], np.uint8), bitorder="little")
    assert mask[row["action"]] == 1
    assert json.loads((written / "dataset.json").read_text())["settings"]["games"] == 7


# -- writing ---------------------------------------------------------------------------------------


def test_the_bytes_are_the_same_whoever_writes_them_and_however_often_it_stops(tmp_path):
    """Three workers, or one that is stopped after each file, with a file lost and one half done."""
    write_dataset(tmp_path / "three", SETTINGS, workers=3)
    stopped = tmp_path / "stopped"
    stop_at_once(stopped)
    shards.shard_path(stopped, 0).unlink()
    (stopped / ".part-00001.parquet.new").write_bytes(b"half")
    write_dataset(stopped, SETTINGS)
    assert files(stopped) == files(tmp_path / "three")
    assert len(files(stopped)) == 3
    assert not list(stopped.glob(".*"))


def stop_at_once(folder):
    """Write until the first file is whole, as with Ctrl-C."""
    with pytest.MonkeyPatch.context() as patch:

        class Asked(writer.Interruptions):
            def __enter__(self):
                self.happened = False
                return super().__enter__()

        asked = Asked("")
        patch.setattr(writer, "Interruptions", lambda _: asked)
        real = writer.GamesProgress.show
        patch.setattr(
            writer.GamesProgress,
            "show",
            lambda bar, played: (real(bar, played), setattr(asked, "happened", True)),
        )
        told = write_dataset(folder, SETTINGS)
    assert told.interrupted
    assert 0 < told.games < told.planned == 7


def test_a_whole_file_is_not_played_again(mine, monkeypatch):
    monkeypatch.setattr(writer, "write_shard", lambda *_, **__: pytest.fail("it was played"))
    assert write_dataset(mine, SETTINGS).games == 7


def test_a_data_set_grows_to_what_it_would_have_been_from_the_start(mine, tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "GROUP_GAMES", 2)
    larger = dataclasses.replace(SETTINGS, games=10)
    write_dataset(mine, larger)
    write_dataset(tmp_path / "larger", larger)
    assert files(mine) == files(tmp_path / "larger")
    with pytest.raises(DatasetError, match="can grow, but not shrink to 7"):
        write_dataset(mine, SETTINGS)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seed": 4}, "holds a data set with seed 3, not 4"),
        ({"policies": ("corn",)}, r"with policies \['corn', 'random'\]"),
    ],
)
def test_a_folder_keeps_to_one_data_set(written, change, reason):
    with pytest.raises(DatasetError, match=reason):
        write_dataset(written, dataclasses.replace(SETTINGS, **change))


def test_files_of_others_are_left_alone(tmp_path):
    (tmp_path / "theirs.parquet").write_bytes(b"")
    with pytest.raises(DatasetError, match="holds Parquet files of others"):
        write_dataset(tmp_path, SETTINGS)


def test_two_do_not_write_to_one_folder(mine):
    with FolderLock(mine), pytest.raises(InUseError):
        write_dataset(mine, SETTINGS)


def test_who_stops_at_once_leaves_no_half_file(tmp_path):
    stop = threading.Event()
    stop.set()
    with pytest.raises(DatasetError, match="stopped"):
        shards.write_shard(SETTINGS, tmp_path, 0, stop)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"epsilon": 1.5}, "epsilon must lie from 0 to 1"),
        ({"games": 0}, "games must be at least 1"),
        ({"policies": ()}, "policies must name at least one agent"),
        ({"seed": 2**63}, "seed is a whole number from 0 to"),
        ({"game": RuleSet(skip_forced=False)}, "skip_forced of its game must be true"),
    ],
)
def test_settings_that_make_no_data_set_are_refused(change, reason):
    with pytest.raises(ConfigError, match=reason):
        dataclasses.replace(SETTINGS, **change)


def test_a_policy_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(AgentError, match="plannr"):
        write_dataset(tmp_path, dataclasses.replace(SETTINGS, policies=("plannr",)))


# -- reading ---------------------------------------------------------------------------------------


def by_key(rows):
    keys = np.lexsort((rows["step"], rows["game"]))
    return {name: column[keys] for name, column in rows.items()}


def test_batches_hold_every_decision_once_in_an_order_of_the_seed(written):
    data = Dataset(written)
    whole = data.read()
    assert len(data) == len(whole["action"])
    assert data.num_games == 7
    plain = list(data.batches(50, scaling="raw"))
    assert [len(batch["action"]) for batch in plain[:-1]] == [50] * (len(plain) - 1)
    for name, column in whole.items():
        assert np.array_equal(np.concatenate([batch[name] for batch in plain]), column)
    shuffled = [list(data.batches(50, scaling="raw", seed=seed)) for seed in (1, 1, 2)]
    first, again, other = (
        {name: np.concatenate([batch[name] for batch in batches]) for name in whole}
        for batches in shuffled
    )
    assert np.array_equal(first["observation"], again["observation"])
    assert not np.array_equal(first["observation"], other["observation"])
    assert not np.array_equal(first["step"], whole["step"])
    for name, column in by_key(first).items():
        assert np.array_equal(column, whole[name])


def test_observations_come_scaled_as_environments_scale_them(written):
    data, layout = Dataset(written), SETTINGS.game.observation
    raw = next(data.batches(20, scaling="raw"))["observation"]
    for kind in ("standard", "range"):
        batch = next(data.batches(20, scaling=kind))["observation"]
        assert batch.dtype == np.float32
        assert np.array_equal(batch, layout.scale(raw, kind))


def test_a_split_keeps_games_whole(written):
    data = Dataset(written)
    train, test = data.split(0.7, 0.3, seed=1)
    games = [set(part.read(("game",))["game"]) for part in (train, test)]
    assert games[0] | games[1] == set(range(7))
    assert not games[0] & games[1]
    assert (train.num_games, test.num_games) == (5, 2)
    assert len(train) + len(test) == len(data)
    assert set(data.split(0.5, seed=2)[0].read(("game",))["game"]) != games[0]


def test_readers_side_by_side_share_the_decisions_out(written):
    data = Dataset(written)
    seen = [
        tuple(pair)
        for number in range(3)
        for batch in data.batches(64, columns=("game", "step"), seed=1, part=(number, 3))
        for pair in zip(batch["game"], batch["step"], strict=True)
    ]
    assert len(set(seen)) == len(seen) == len(data)


def test_a_transition_leads_to_the_next_decision_of_the_same_seat(written):
    data = Dataset(written)
    rows = by_key(next(data.batches(10_000, scaling="raw", seed=1, transitions=True)))
    for game in range(7):
        for seat in range(3):
            own = np.flatnonzero((rows["game"] == game) & (rows["seat"] == seat))
            now, after = own[:-1], own[1:]
            assert np.array_equal(rows["next_observation"][now], rows["observation"][after])
            assert np.array_equal(rows["next_action_mask"][now], rows["action_mask"][after])
            assert rows["terminated"][own].tolist() == [False] * len(now) + [True]
            assert not rows["reward"][now].any()
            assert rows["reward"][own[-1]] == pytest.approx(rows["win"][own[0]] - 1 / 3)
            assert rows["next_action_mask"][own[-1]].all()


def test_an_episode_is_what_one_seat_decided_in_one_game(written):
    episodes = list(Dataset(written).episodes(("game", "seat", "step", "win")))
    assert len(episodes) == 7 * 3
    for episode in episodes:
        assert len(set(zip(episode["game"], episode["seat"], strict=True))) == 1
        assert (np.diff(episode["step"]) > 0).all()
        assert len(set(episode["win"])) == 1


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda data: data.batches(0), "batch_size is a whole number from 1"),
        (lambda data: data.batches(8, columns=["observations"]), "did you mean 'observation'"),
        (lambda data: data.batches(8, scaling="half"), "scaling"),
        (lambda data: data.batches(8, part=(2, 2)), "a part is a whole number from 0 to 1"),
        (lambda data: data.split(0.9, 0.2), "come to at most 1"),
    ],
)
def test_what_cannot_be_read_is_refused_at_once(written, call, reason):
    with pytest.raises(PricoError, match=reason):
        call(Dataset(written))


# -- files that are not as they should be ----------------------------------------------------------


def cut(path):
    path.write_bytes(path.read_bytes()[:-100])


def overwrite(path):
    data = bytearray(path.read_bytes())
    data[1000:3000] = bytes(2000)
    path.write_bytes(data)


def foreign(path):
    pq.write_table(pa.table({"observation": [1, 2]}), path)


def of_another_set(path):
    table = pq.read_table(path)
    told = json.loads(table.schema.metadata[b"prico"])
    told["settings"]["seed"] = 99
    pq.write_table(table.replace_schema_metadata({b"prico": json.dumps(told)}), path)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (cut, "is damaged, or no Parquet file"),
        (overwrite, "is damaged, or no Parquet file"),
        (foreign, "was not written by `prico dataset`"),
        (of_another_set, "is of another data set"),
        (lambda path: path.write_text("x"), "is damaged, or no Parquet file"),
        (lambda path: path.unlink(), "holds 2 of 3 files"),
    ],
)
def test_a_damaged_or_foreign_file_is_named_in_one_error(mine, spoil, reason):
    spoil(mine / "part-00001.parquet")
    with pytest.raises(DatasetError, match=reason):
        Dataset(mine).read()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "holds no data set"),
        ("{", "is damaged"),
        ("[]", "describes no data set"),
        ('{"settings": {}, "format": 9}', "is of format 9; this prico reads format 1"),
        ('{"settings": {}, "format": 1}', "does not name its features"),
        (
            '{"settings": {"games": -1}, "format": 1, "features": [], "actions": []}',
            "games must be at least 1",
        ),
    ],
)
def test_a_folder_that_holds_no_data_set_says_so(tmp_path, text, reason):
    if text is not None:
        (tmp_path / "dataset.json").write_text(text)
    with pytest.raises(DatasetError, match=reason):
        Dataset(tmp_path)


def test_what_is_written_so_far_can_be_read(mine):
    (mine / "part-00001.parquet").unlink()
    data = Dataset(mine, partial=True)
    assert data.num_games == 4
    assert set(data.read(("game",))["game"]) == {0, 1, 2, 6}


# -- the command -----------------------------------------------------------------------------------


def test_the_command_writes_what_it_was_asked_for(tmp_path, capsys):
    words = ["dataset", "corn,random", "--games", "3", "--players", "3", "--edition", "classic"]
    folder = str(tmp_path / "set")
    assert cli.main([*words, "--epsilon", "0.02", "-o", folder, "--workers", "1"]) == 0
    said = capsys.readouterr().out
    assert "3 games with" in said
    assert "bytes a decision" in said
    data = Dataset(folder)
    assert data.rules == RuleSet(3, "classic")
    assert (data.policies, data.settings.epsilon) == (("corn", "random"), 0.02)
    assert cli.main(["dataset", "planner", "-o", folder]) == cli.USER_MISTAKE
    assert "write to another folder" in capsys.readouterr().err


def command(folder, policies, games, workers=2):
    words = ["dataset", policies, "--games", games, "--shard-games", 1, "-o", folder]
    return [sys.executable, "-m", "prico_training", *map(str, words), "--workers", str(workers)]


def surroundings():
    return dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))


@pytest.mark.slow
def test_a_killed_command_goes_on_to_the_same_bytes(tmp_path):
    ours, whole = tmp_path / "ours", tmp_path / "whole"
    process = subprocess.Popen(
        command(ours, "corn", 40), env=surroundings(), stdout=subprocess.DEVNULL
    )
    while len(files(ours)) < 3:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    settings = DatasetSettings(policies=("corn",), games=40, shard_games=1)
    assert 3 <= len(files(ours)) < 40
    write_dataset(ours, settings)
    write_dataset(whole, settings)
    assert {path.name for path in ours.iterdir()} == {path.name for path in whole.iterdir()}
    assert files(ours) == files(whole)


@pytest.mark.slow
def test_agents_that_are_not_compiled_play_in_processes_to_the_same_bytes(tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    done = subprocess.run(
        command(ours, "mcts:2", 2), env=surroundings(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    write_dataset(theirs, DatasetSettings(policies=("mcts:2",), games=2, shard_games=1))
    assert files(ours) == files(theirs)
