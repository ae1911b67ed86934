"""How features are scaled: every interface offers the same kinds, and its spaces say the truth."""

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from prico_env import Game, Games, PricoError, RuleSet, env, parallel_env
from prico_env.envs import PuertoRicoVectorEnv, SingleSeatEnv
from prico_env.feature_scaling import (
    CLIP,
    LEAST_DEVIATION,
    SCALINGS,
    feature_statistics,
    make_scaling,
    shared_name,
)
from prico_env.observation_layout import layout_for
from prico_env.vocabulary import MAX_PLAYERS
from tests.rule_sets import EXPANDED_RULE_SETS

RULES = RuleSet(3)
LAYOUT = RULES.observation
DTYPES = {"standard": np.float32, "range": np.float32, "raw": np.uint8}


def a_view() -> np.ndarray:
    return Game(RULES, seed=3).observation()


# -- one layout ------------------------------------------------------------------------------------


def test_standard_is_the_scaling_unless_another_is_asked_for() -> None:
    assert LAYOUT.scaling() is LAYOUT.scaling("standard")
    assert np.array_equal(LAYOUT.scale(a_view()), LAYOUT.scale(a_view(), "standard"))


def test_a_scaled_feature_is_factor_times_feature_plus_offset_within_the_clip() -> None:
    features = np.random.default_rng(1).integers(0, LAYOUT.high, (50, len(LAYOUT.high)), np.uint8)
    for kind in SCALINGS:
        found = LAYOUT.scaling(kind)
        expected = features * found.factor + found.offset
        if kind == "standard":
            assert (np.abs(expected) > CLIP).any()
            expected = expected.clip(-CLIP, CLIP)
        scaled = LAYOUT.scale(features, kind)
        assert scaled.dtype == DTYPES[kind]
        assert np.array_equal(scaled, expected)


def test_range_is_from_0_to_1_and_raw_is_the_counts_themselves() -> None:
    assert not LAYOUT.scaling("range").low.any()
    assert (LAYOUT.scaling("range").high == 1).all()
    assert np.array_equal(LAYOUT.scale(a_view(), "raw"), a_view())
    assert not np.shares_memory(LAYOUT.scale(a_view(), "raw"), a_view())
    assert np.array_equal(LAYOUT.scaling("raw").high, LAYOUT.high)


@pytest.mark.parametrize("kind", SCALINGS)
def test_features_are_scaled_into_memory_that_the_caller_gives(kind: str) -> None:
    out = np.full((2, LAYOUT.num_features), 99, DTYPES[kind])
    views = np.stack([a_view(), a_view()])
    assert LAYOUT.scale(views, kind, out=out) is out
    assert np.array_equal(out, LAYOUT.scale(views, kind))


def test_an_unknown_scaling_and_features_of_another_layout_are_refused_in_words() -> None:
    with pytest.raises(PricoError, match=r"no scaling 'standart'; .* did you mean 'standard'"):
        LAYOUT.scaling("standart")
    with pytest.raises(PricoError, match=f"{LAYOUT.num_features} in each row"):
        LAYOUT.scale(np.zeros(7, np.uint8))
    with pytest.raises(PricoError, match="there is no scaling False"):
        env(scaling=False)


# -- the published statistics ----------------------------------------------------------------------


def test_the_published_statistics_name_every_feature_and_no_other() -> None:
    features = layout_for(MAX_PLAYERS, with_expansions=True).feature_names
    assert set(feature_statistics().moments) == {shared_name(feature) for feature in features}


def test_a_feature_has_one_standard_scaling_at_every_table() -> None:
    scaled: dict[str, tuple[float, float]] = {}
    for seats in range(2, MAX_PLAYERS + 1):
        for with_expansions in (False, True):
            layout = layout_for(seats, with_expansions)
            found = layout.scaling()
            for name, numbers in zip(
                layout.feature_names, zip(found.factor, found.offset, strict=True), strict=True
            ):
                assert scaled.setdefault(shared_name(name), numbers) == numbers
    assert len(scaled) == len(feature_statistics().moments)


def test_a_feature_that_hardly_ever_varies_is_not_blown_up() -> None:
    """The wharf is used once in ten thousand decisions: it still fits the clip."""
    assert feature_statistics().moments["self.wharf_used"][1] < LEAST_DEVIATION
    place = LAYOUT.block("self.wharf_used").start
    found = LAYOUT.scaling()
    assert found.factor[place] == pytest.approx(1 / LEAST_DEVIATION)
    assert 9.9 < found.high[place] <= CLIP


def test_a_feature_that_nobody_has_measured_is_read_by_its_largest_value() -> None:
    found = make_scaling("standard", ["self.moons"], np.array([8], np.uint8))
    assert (found.low[0], found.high[0]) == (0, 4)


# -- the interfaces --------------------------------------------------------------------------------


def aec(rules: RuleSet, kind: str) -> Iterator[tuple[spaces.Space[Any], Any]]:
    table = env(rules, scaling=kind)
    table.reset(seed=5)
    while table.agents:
        for agent in table.agents:
            yield table.observation_space(agent), table.observe(agent)
        yield table.state_space, table.state()
        table.step(table.sample_action())


def parallel(rules: RuleSet, kind: str) -> Iterator[tuple[spaces.Space[Any], Any]]:
    table = parallel_env(rules, scaling=kind)
    seen, infos = table.reset(seed=5)
    while table.agents:
        for agent, view in seen.items():
            yield table.observation_space(agent), view
        actions = {agent: int(infos[agent]["action_mask"].argmax()) for agent in table.agents}
        seen, _, _, _, infos = table.step(actions)


def single_seat(rules: RuleSet, kind: str) -> Iterator[tuple[spaces.Space[Any], Any]]:
    table = SingleSeatEnv(rules, scaling=kind, flat=True)
    seen, info = table.reset(seed=5)
    ended = False
    while not ended:
        yield table.observation_space, seen
        seen, _, ended, _, info = table.step(int(info["action_mask"].argmax()))
    yield table.observation_space, seen


def vector(rules: RuleSet, kind: str) -> Iterator[tuple[spaces.Space[Any], Any]]:
    for flat in (False, True):
        tables = PuertoRicoVectorEnv(8, rules, scaling=kind, flat=flat)
        seen, _ = tables.reset(seed=5)
        for _ in range(300):
            yield tables.observation_space, seen
            seen, *_ = tables.step(tables.sample_actions())


def sb3(rules: RuleSet, kind: str) -> Iterator[tuple[spaces.Space[Any], Any]]:
    from prico_env.envs import PuertoRicoVecEnv

    tables = PuertoRicoVecEnv(4, rules, scaling=kind)
    seen = tables.reset()
    for _ in range(150):
        yield from ((tables.observation_space, each) for each in seen)
        seen, _, _, infos = tables.step(tables.action_masks().argmax(axis=1))
        for info in infos:
            if "terminal_observation" in info:
                yield tables.observation_space, info["terminal_observation"]


INTERFACES: tuple[Callable[[RuleSet, str], Iterator[tuple[spaces.Space[Any], Any]]], ...] = (
    aec, parallel, single_seat, vector, sb3,
)  # fmt: skip


@pytest.mark.parametrize("kind", SCALINGS)
@pytest.mark.parametrize("play", INTERFACES, ids=lambda play: play.__name__)
def test_whatever_an_environment_shows_lies_in_the_space_that_it_names(
    play: Callable[[RuleSet, str], Iterator[tuple[spaces.Space[Any], Any]]], kind: str
) -> None:
    for space, seen in play(RULES, kind):
        assert space.contains(seen)
        boxes = space.spaces.values() if isinstance(space, spaces.Dict) else [space]
        assert np.dtype(DTYPES[kind]) in {box.dtype for box in boxes}


@pytest.mark.parametrize("kind", SCALINGS)
def test_the_bounds_hold_and_are_reached_with_expansions_too(kind: str) -> None:
    games = Games(EXPANDED_RULE_SETS, len(EXPANDED_RULE_SETS), seed=7, autoreset=True, threads=1)
    found = games.layout.scaling(kind)
    for _ in range(400):
        seen = games.layout.scale(games.observations, kind)
        assert (found.low <= seen).all()
        assert (seen <= found.high).all()
        games.step(games.sample())


@pytest.mark.parametrize("kind", SCALINGS)
def test_the_interfaces_show_one_and_the_same_scaled_view(kind: str) -> None:
    expected = LAYOUT.scale(Game(RULES, seed=3).observation(0), kind)
    table = env(RULES, scaling=kind)
    table.reset(seed=3)
    single = SingleSeatEnv(RULES, scaling=kind)
    vectors = PuertoRicoVectorEnv(2, RULES, scaling=kind)
    for seen in (
        table.last()[0]["observation"],
        pickle.loads(pickle.dumps(table)).last()[0]["observation"],
        single.reset(seed=3)[0]["observation"],
        vectors.reset(seed=3)[0]["observation"][0],
    ):
        assert seen.dtype == expected.dtype
        assert np.array_equal(seen, expected)
