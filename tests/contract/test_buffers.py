"""Batches in memory of the caller's, and steps on a thread."""

import copy
import pickle
import threading
from multiprocessing import get_context
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from prico_env import ALL_EXPANSIONS, Games, IllegalActionError, PricoError, RuleSet
from prico_env.batch import BUFFERS
from prico_env.envs import PuertoRicoVectorEnv

RULES = RuleSet(players=3)
NUM_GAMES = 4


def buffers_for(rules: Any, n: int, *names: str) -> dict[str, np.ndarray]:
    """Memory for arrays of a batch, full of what was there before."""
    types = Games.buffer_types(rules, n)
    given = {name: np.empty(*types[name]) for name in names}
    for array in given.values():
        array.view(np.uint8).fill(7)
    return given


def read_shared(name: str, n: int, answers: Any) -> None:
    """Look at the masks of a batch from another process."""
    memory = SharedMemory(name)
    shape, dtype = Games.buffer_types(RULES, n)["masks"]
    answers.put(int(np.ndarray(shape, dtype, memory.buf).sum()))
    memory.close()


# -- buffers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [RULES, [RULES, RuleSet(5, "1897-de", ALL_EXPANSIONS)] * 2])
def test_a_batch_in_memory_of_the_caller_plays_the_same_games(rules: Any) -> None:
    given = buffers_for(rules, NUM_GAMES, *BUFFERS)
    games = Games(rules, NUM_GAMES, seed=3, autoreset=True, buffers=given)
    twin = Games(rules, NUM_GAMES, seed=3, autoreset=True)
    for _ in range(400):
        actions = twin.sample()
        games.step(actions)
        twin.step(actions)
        for name in BUFFERS:
            assert getattr(games, name) is given[name]
            assert given[name].tobytes() == getattr(twin, name).tobytes()
    assert (games.seeds >= NUM_GAMES).any()  # some game was dealt anew


def test_copies_of_a_batch_have_memory_of_their_own() -> None:
    given = buffers_for(RULES, NUM_GAMES, "masks", "state")
    games = Games(RULES, NUM_GAMES, buffers=given)
    before = given["state"].tobytes()
    for twin in (copy.deepcopy(games), pickle.loads(pickle.dumps(games)), games.take([0, 1, 2, 3])):
        twin.step(twin.sample())
        assert given["state"].tobytes() == before
        assert twin.state.tobytes() != before


def test_another_process_sees_the_games_in_shared_memory() -> None:
    shape, dtype = Games.buffer_types(RULES, NUM_GAMES)["masks"]
    memory = SharedMemory(create=True, size=int(np.prod(shape)) * dtype.itemsize)
    try:
        masks: np.ndarray = np.ndarray(shape, dtype, memory.buf)
        games = Games(RULES, NUM_GAMES, seed=1, buffers={"masks": masks})
        games.step(games.sample())
        context = get_context("spawn")
        answers = context.Queue()
        reader = context.Process(target=read_shared, args=(memory.name, NUM_GAMES, answers))
        reader.start()
        assert answers.get(timeout=60) == games.num_legal.sum()
        reader.join()
        del games, masks
    finally:
        memory.close()
        memory.unlink()


@pytest.mark.parametrize(
    ("name", "spoil", "words"),
    [
        (
            "masks",
            lambda a: a[:-1],
            r"masks.*bool of shape \(4, 140\), not bool of shape \(3, 140\)",
        ),
        ("masks", lambda a: a.view(np.uint8), r"bool of shape .*, not uint8"),
        ("rewards", lambda a: np.asfortranarray(a), "not in C order"),
        ("observations", lambda a: a[:, ::-1], "not in C order"),
        ("seeds", lambda a: np.frombuffer(a.tobytes(), a.dtype), "read-only"),
        ("state", lambda a: a.view(np.uint8), r"records of prico_env\.core\.api\.STATE"),
        ("masks", lambda a: a.tolist(), "masks.*not"),
        ("masks", lambda a: a.view(np.recarray), r"np\.asarray unwraps it"),
    ],
)
def test_memory_that_does_not_fit_is_explained(name: str, spoil: Any, words: str) -> None:
    given = {name: spoil(buffers_for(RULES, NUM_GAMES, name)[name])}
    with pytest.raises(PricoError, match=words):
        Games(RULES, NUM_GAMES, buffers=given)


def test_buffers_have_known_names_and_do_not_overlap() -> None:
    with pytest.raises(PricoError, match=r"there is no buffer 'mask'.*masks"):
        Games(RULES, NUM_GAMES, buffers={"mask": np.zeros(1)})
    with pytest.raises(PricoError, match="buffers are arrays by name"):
        Games(RULES, NUM_GAMES, buffers=[np.zeros(1)])  # type: ignore[arg-type]
    flags = np.zeros((NUM_GAMES, 140), np.bool_)
    with pytest.raises(PricoError, match=r"buffers\['masks'\] and buffers\['ended'\] lie in the"):
        Games(RULES, NUM_GAMES, buffers={"masks": flags, "ended": flags.reshape(-1)[:NUM_GAMES]})


# -- send and recv ---------------------------------------------------------------------------------


def test_a_step_that_was_sent_is_the_same_step() -> None:
    games, twin = (Games(RULES, NUM_GAMES, seed=2, autoreset=True) for _ in range(2))
    for _ in range(60):
        actions = twin.sample()
        games.send(actions)
        twin.step(actions)
        games.recv()
        assert games.state.tobytes() == twin.state.tobytes()
        assert games.observations.tobytes() == twin.observations.tobytes()
    games.close()


@pytest.mark.parametrize("seat", [None, "rotate"], ids=str)
def test_a_vector_environment_sends_and_receives_the_same_steps(seat: Any) -> None:
    envs, twin = (PuertoRicoVectorEnv(NUM_GAMES, RULES, seat=seat) for _ in range(2))
    observations, _ = envs.reset(seed=4)
    twin.reset(seed=4)
    for _ in range(60):
        actions = observations["action_mask"].argmax(axis=1)
        envs.send(actions)
        expected = twin.step(actions)
        actions[:] = 0  # they were copied
        received = envs.recv()
        observations = received[0]
        for key in observations:
            np.testing.assert_array_equal(observations[key], expected[0][key])
        for ours, theirs in zip(received[1:4], expected[1:4], strict=True):
            np.testing.assert_array_equal(ours, theirs)
    envs.close()


def test_what_goes_wrong_on_the_thread_is_raised_where_the_step_is_received() -> None:
    games = Games(RULES, NUM_GAMES)
    before = games.state.tobytes()
    games.send([0] * NUM_GAMES)
    with pytest.raises(IllegalActionError, match="no game has moved"):
        games.recv()
    assert games.state.tobytes() == before
    games.send(games.sample())
    games.recv()
    envs = PuertoRicoVectorEnv(NUM_GAMES, RULES, illegal="raise")
    envs.reset(seed=1)
    envs.send(np.zeros(NUM_GAMES, int))
    with pytest.raises(IllegalActionError):
        envs.recv()


def test_nothing_else_is_done_while_a_step_is_under_way() -> None:
    games = Games(RULES, NUM_GAMES)
    actions = games.sample().copy()
    with pytest.raises(PricoError, match=r"call send\(\) before recv\(\)"):
        games.recv()
    games.send(actions)
    for call in (
        lambda: games.send(actions),
        lambda: games.step(actions),
        games.reset,
        games.check,
        games.sample,
        games.playout,
        lambda: games.take([0]),
        lambda: copy.deepcopy(games),
        lambda: pickle.dumps(games),
    ):
        with pytest.raises(PricoError, match=r"a step is under way: call recv\(\) before"):
            call()
    games.recv()
    games.step(games.sample())
    envs = PuertoRicoVectorEnv(NUM_GAMES, RULES)
    with pytest.raises(PricoError, match=r"call reset\(\) before"):
        envs.send(actions)
    envs.reset(seed=1)
    envs.send(envs.sample_actions())
    with pytest.raises(PricoError, match=r"call recv\(\) before step"):
        envs.step(actions)
    with pytest.raises(PricoError, match=r"call recv\(\) before reset"):
        envs.reset()
    envs.recv()


def test_closing_ends_the_threads_and_a_later_step_starts_them_again() -> None:
    before = set(threading.enumerate())

    def ours() -> int:
        return sum(thread.name.startswith("prico") for thread in {*threading.enumerate()} - before)

    envs = PuertoRicoVectorEnv(NUM_GAMES, RULES, threads=2)
    envs.reset(seed=1)
    envs.send(envs.sample_actions())
    assert ours() > 0
    envs.close()
    assert ours() == 0
    games = Games(RULES, NUM_GAMES, threads=2)
    games.send(games.sample())
    games.close()
    games.send(games.sample())
    games.recv()
    games.close()
    assert ours() == 0


# -- copy=False ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scaling", ["standard", "range", "raw"])
@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
def test_observations_in_the_same_memory_are_the_same(mode: AutoresetMode, scaling: Any) -> None:
    envs = [
        PuertoRicoVectorEnv(5, players=2, scaling=scaling, autoreset_mode=mode, copy=copies)
        for copies in (True, False)
    ]
    (fresh, _), (kept, _) = (each.reset(seed=9) for each in envs)
    memory, before = dict(kept), fresh["observation"].copy()
    assert envs[1].observation_space.contains(kept)
    ends = 0
    for _ in range(260):
        actions = envs[0].sample_actions()
        first = fresh
        (fresh, _, ended, _, told), (kept, _, _, _, twin) = (each.step(actions) for each in envs)
        if mode is AutoresetMode.DISABLED and ended.any():
            options = {"reset_mask": ended}
            (fresh, _), (kept, _) = (each.reset(options=options) for each in envs)
        ends += int(ended.sum())
        for key in kept:
            assert kept[key] is memory[key]
            np.testing.assert_array_equal(fresh[key], kept[key])
            assert fresh[key] is not first[key]
        if "final_obs" in told:
            for game in np.flatnonzero(ended):
                for key, row in told["final_obs"][game].items():
                    np.testing.assert_array_equal(row, twin["final_obs"][game][key])
    assert ends >= 5
    assert not np.array_equal(before, memory["observation"])


@pytest.mark.parametrize("scaling", ["standard", "range", "raw"])
def test_a_batch_scales_as_its_layout_does(scaling: Any) -> None:
    rules = RuleSet(4, "1897-de", ALL_EXPANSIONS)
    envs = PuertoRicoVectorEnv(8, rules, scaling=scaling)
    observations, _ = envs.reset(seed=1)
    for _ in range(120):
        expected = rules.observation.scale(envs.games.observations, scaling)
        running = ~envs.games.over
        np.testing.assert_array_equal(observations["observation"][running], expected[running])
        observations, *_ = envs.step(envs.sample_actions())
