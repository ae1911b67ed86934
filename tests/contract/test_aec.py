"""The cycle of agents: whose turn, who sees what, who is paid when, and what a copy holds."""

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from numba import config

from prico_env import (
    ALL_EXPANSIONS,
    Game,
    IllegalActionError,
    PositionError,
    PricoError,
    RuleSet,
    env,
    raw_env,
)
from prico_env.actions import NAMES
from prico_env.core.calls import step_game
from tests.contract.random_players import EVERY_TABLE, play_cycle, table_name
from tests.rule_sets import LARGE_BOARD

every_table = pytest.mark.parametrize("rules", EVERY_TABLE, ids=table_name)
FOREST_BOARD = ["forest_house" if name == "land_office" else name for name in LARGE_BOARD]


FORESTS = RuleSet(3, expansions=ALL_EXPANSIONS, board=FOREST_BOARD)
"""Forest house and hacienda are for sale, so that seats see what others do not."""


def finished(**options: Any) -> Any:
    """Play an environment until every agent has only its last step to take."""
    table = env(**options)
    table.reset(seed=11)
    while table.agents and not any(table.terminations.values()):
        table.step(table.sample_action())
    return table


# -- what agents see -------------------------------------------------------------------------------


@every_table
def test_at_every_step_views_lie_in_their_space_and_masks_are_those_of_the_game(
    rules: RuleSet,
) -> None:
    """G143, G148, G151: and a living agent to act is never without a choice."""
    table = env(rules)
    table.reset(seed=3)
    for agent, (observation, _, terminated, truncated, info) in play_cycle(
        table, np.random.default_rng(3)
    ):
        assert table.observation_space(agent).contains(observation)
        assert observation["action_mask"].dtype == np.int8
        assert info is table.infos[agent]
        np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])
        if not (terminated or truncated):
            np.testing.assert_array_equal(observation["action_mask"], table.game.mask())
            assert observation["action_mask"].any()
            idle = [other for other in table.agents if other != agent]
            assert not any(table.observe(other)["action_mask"].any() for other in idle)
            assert not any(table.infos[other]["action_mask"].any() for other in idle)


def test_every_agent_sees_the_table_from_its_own_seat() -> None:
    table = env(players=4)
    table.reset(seed=3)
    for _ in range(60):
        for seat, agent in enumerate(table.agents):
            raw = table.game.observation(seat)
            expected = table.rules.observation.scale(raw)
            np.testing.assert_array_equal(table.observe(agent)["observation"], expected)
        table.step(table.sample_action())


def test_what_was_observed_does_not_change_later() -> None:
    table = env()
    table.reset(seed=3)
    first, *_ = table.last()
    kept = copy.deepcopy(first)
    info_mask = table.infos[table.agent_selection]["action_mask"]
    for _ in range(20):
        table.step(table.sample_action())
    np.testing.assert_array_equal(first["observation"], kept["observation"])
    np.testing.assert_array_equal(first["action_mask"], kept["action_mask"])
    np.testing.assert_array_equal(info_mask, kept["action_mask"])


def test_scribbling_on_a_view_does_not_reach_the_game() -> None:
    table = env()
    table.reset(seed=3)
    observation, *_ = table.last()
    observation["observation"][:] = 77.0
    observation["action_mask"][:] = 1
    agent = table.agent_selection
    assert table.observation_space(agent).contains(table.observe(agent))
    with pytest.raises(IllegalActionError):
        table.step(0)  # nobody passes on choosing a role


@pytest.mark.parametrize(
    ("rules", "decisions"),
    [(RuleSet(4), 120), (FORESTS, 250), (RuleSet(3, "1897-de", ALL_EXPANSIONS), 200)],
    ids=["base", "forests", "expanded"],
)
def test_nothing_that_a_seat_cannot_see_is_shown_to_it(rules: RuleSet, decisions: int) -> None:
    """G152: with everything hidden dealt anew, views, masks, infos and the board are the same."""
    table = env(rules, render_mode="ansi")
    table.reset(seed=3)
    for number in range(decisions):
        other = copy.deepcopy(table)
        seat = other.game.turn
        other.reset(seed=99, options={"position": _with_other_deck(table.game, seat, number)})
        agent = table.agent_selection
        assert other.agent_selection == agent
        for before, after in zip(table.last()[0].values(), other.last()[0].values(), strict=True):
            np.testing.assert_array_equal(before, after)
        assert table.infos[agent].keys() == {"action_mask"}
        assert table.render() == other.render()
        table.step(table.sample_action())
        if not table.agents or any(table.terminations.values()):
            break


def _with_other_deck(game: Game, seat: int, seed: int) -> dict[str, Any]:
    return game.determinize(seat, seed).to_dict()


# -- who is paid, and when -------------------------------------------------------------------------


@every_table
def test_the_terminal_reward_reaches_every_agent_once(rules: RuleSet) -> None:
    """G145, G146: also those that did not move last."""
    table = env(rules)
    table.reset(seed=8)
    received = dict.fromkeys(table.possible_agents, 0.0)
    last_steps = []
    for agent, (_, reward, terminated, truncated, _) in play_cycle(table, np.random.default_rng(8)):
        received[agent] += reward
        if terminated or truncated:
            last_steps.append(agent)
    assert last_steps == table.possible_agents
    assert list(received.values()) == pytest.approx(table.game.rewards("win").tolist())
    assert sum(received.values()) == pytest.approx(0.0)


@pytest.mark.parametrize("scheme", ["win", "rank", "margin"])
def test_the_reward_asked_for_is_the_one_that_is_paid(scheme: str) -> None:
    """G163: each scheme on the same final position."""
    table = finished(players=4, reward=scheme)
    paid = [table.rewards[agent] for agent in table.agents]
    assert paid == pytest.approx(table.game.rewards(scheme).tolist())
    scores = np.array(table.game.scores())
    if scheme == "margin":
        best_other = [max(np.delete(scores, seat)) for seat in range(4)]
        assert paid == pytest.approx(((scores - best_other) / 100).tolist())
    else:
        assert int(np.argmax(paid)) == table.game.ranking().index(1)


@pytest.mark.parametrize("scheme", ["win", "rank", "margin"])
def test_shaping_adds_up_to_nothing(scheme: str) -> None:
    """G166: the potential is that of the score, and a finished game has none."""
    plain, shaped = env(reward=scheme), env(reward=scheme, shaping=0.01)
    totals = []
    for table in (plain, shaped):
        table.reset(seed=4)
        received = dict.fromkeys(table.possible_agents, 0.0)
        steps = 0
        for agent, (_, reward, *_) in play_cycle(table, np.random.default_rng(4)):
            received[agent] += reward
            steps += reward != 0.0
        totals.append(list(received.values()))
    assert steps > len(received)  # shaping did pay on the way
    assert totals[0] == pytest.approx(totals[1])


def test_shaping_pays_the_change_of_lead_and_never_charges_for_buying_points() -> None:
    table = env(players=3, shaping=0.1)
    table.reset(seed=2)
    while table.game.phase != "over":
        before = np.array(table.game.scores(), float)
        table.step(table.sample_action())
        after = np.array(table.game.scores(), float)
        if not any(table.terminations.values()):
            change = (after - after.mean()) - (before - before.mean())
            rewards = [table.rewards[agent] for agent in table.agents]
            assert rewards == pytest.approx((0.1 * change).tolist())


def test_rewards_wait_until_the_agent_acts_again() -> None:
    """G145: `last` gives what came since the agent's own last step, once."""
    table = env(players=4, shaping=0.1)
    table.reset(seed=2)
    owed = dict.fromkeys(table.possible_agents, 0.0)
    while table.agents:
        agent = table.agent_selection
        assert table.last()[1] == pytest.approx(owed[agent])
        owed[agent] = 0.0
        table.step(table.sample_action())
        for other, reward in table.rewards.items():
            owed[other] += reward


# -- how it ends -----------------------------------------------------------------------------------


def test_agents_that_are_done_leave_one_by_one_and_never_return() -> None:
    table = finished(players=4)
    for number in range(4):
        agent = f"player_{number}"
        assert table.agent_selection == agent
        observation, _, terminated, truncated, info = table.last()
        assert (terminated, truncated) == (True, False)
        assert table.observation_space(agent).contains(observation)
        assert not observation["action_mask"].any()
        assert not info["action_mask"].any()
        table.step(None)
        assert agent not in table.agents
        for kept in (table.rewards, table.terminations, table.truncations, table.infos):
            assert list(kept) == table.agents
    assert table.agents == []


def test_a_cap_on_steps_is_a_truncation_without_a_winner() -> None:
    """G167."""
    table = env(players=3, max_steps=25)
    table.reset(seed=1)
    for _ in range(25):
        assert not any(table.truncations.values())
        table.step(table.sample_action())
    assert all(table.truncations.values())
    assert not any(table.terminations.values())
    assert set(table.rewards.values()) == {0.0}
    assert not table.game.over
    for agent in table.possible_agents:
        observation, reward, *_ = table.last()
        assert table.observation_space(agent).contains(observation)
        assert reward == 0.0
        table.step(None)
    assert table.agents == []


def test_a_cap_on_rounds_is_a_truncation_without_a_winner() -> None:
    """G167: the game's own guard."""
    table = env(players=3, max_rounds=2)
    table.reset(seed=1)
    while not any(table.truncations.values()):
        assert not any(table.terminations.values())
        table.step(table.sample_action())
    assert table.game.truncated
    assert set(table.rewards.values()) == {0.0}


def test_a_truncated_game_keeps_its_potential() -> None:
    """A cut is no end: taking the potential away there would punish whoever leads."""
    table = env(players=3, max_steps=120, shaping=0.1)
    table.reset(seed=1)
    received = dict.fromkeys(table.possible_agents, 0.0)
    for agent, (_, reward, *_) in play_cycle(table, np.random.default_rng(1)):
        received[agent] += reward
    scores = np.array(table.game.scores(), float)
    assert any(table.game.scores())
    assert list(received.values()) == pytest.approx((0.1 * (scores - scores.mean())).tolist())


# -- seeds, positions and copies -------------------------------------------------------------------


def test_a_seed_deals_the_game_of_the_same_seed() -> None:
    table = env(players=5, edition="classic")
    table.reset(seed=123)
    assert table.game.to_bytes() == Game(table.rules, seed=123).to_bytes()


def test_resets_without_a_seed_differ_but_follow_from_the_first() -> None:
    def three_deals(seed: int) -> list[bytes]:
        table = env()
        table.reset(seed=seed)
        deals = []
        for _ in range(3):
            deals.append(table.game.to_bytes())
            for _ in range(7):
                table.sample_action()  # drawing actions does not move the deals
            table.reset()
        return deals

    assert len(set(three_deals(1))) == 3
    assert three_deals(1) == three_deals(1)
    assert three_deals(1)[1:] != three_deals(2)[1:]


def test_two_environments_that_nobody_seeded_play_different_games() -> None:
    deals = set()
    for _ in range(4):
        table = env()
        table.reset()
        deals.add(table.game.to_bytes())
    assert len(deals) == 4


def test_sampled_actions_are_legal_and_repeat_with_the_seed() -> None:
    """G164: a random baseline needs the mask."""

    def some_actions() -> list[int]:
        table = env()
        table.reset(seed=9)
        taken = []
        for _ in range(200):
            action = table.sample_action()
            assert table.game.mask()[action]
            taken.append(action)
            table.step(action)
        return taken

    assert some_actions() == some_actions()


def test_every_legal_action_is_sampled() -> None:
    table = env()
    table.reset(seed=9)
    for _ in range(30):
        table.step(table.sample_action())
    assert {table.sample_action() for _ in range(500)} == set(table.game.legal_actions())


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_a_copy_of_a_running_environment_has_the_same_future(copied: Any) -> None:
    """G142: and stepping the copy leaves the original alone."""
    table = env(players=4, shaping=0.01)
    table.reset(seed=6)
    for _ in range(90):
        table.step(table.sample_action())
    before = table.game.to_bytes()
    twin = copied(table)
    assert twin.game is twin._buffer.game is not table.game
    assert twin.game.history == table.game.history
    futures = []
    for one in (twin, table):
        if one is table:
            assert table.game.to_bytes() == before
        future = []
        while one.agents:
            observation, reward, *_ = one.last()
            action = one.sample_action()
            future.append((one.agent_selection, action, reward, observation["observation"].sum()))
            one.step(action)
        one.reset()
        futures.append((future, one.game.to_bytes()))
    assert futures[0] == futures[1]


def test_a_clone_of_the_game_is_not_touched_by_the_environment() -> None:
    table = env(players=4)
    table.reset(seed=6)
    for _ in range(60):
        clone = table.game.clone()
        saved, mask = clone.to_bytes(), clone.mask()
        table.step(table.sample_action())
        assert clone.to_bytes() == saved
        np.testing.assert_array_equal(clone.mask(), mask)
        clone.step(int(np.flatnonzero(mask)[0]))
        np.testing.assert_array_equal(table.game.mask(), table.last()[0]["action_mask"])


def test_the_game_of_the_last_episode_stays_as_it_ended() -> None:
    table = finished(players=3)
    game, result = table.game, table.game.scores()
    table.reset(seed=12)
    table.step(table.sample_action())
    assert game.over
    assert game.scores() == result
    assert table.game is not game


def test_the_game_knows_its_history() -> None:
    table = finished(players=3)
    again = Game.from_record(table.game.to_record())
    assert again.to_bytes() == table.game.to_bytes()


def test_a_reset_may_start_from_a_position() -> None:
    source = env(players=3)
    source.reset(seed=21)
    for _ in range(70):
        source.step(source.sample_action())
    position = source.game.to_dict()
    table = env(players=3)
    table.reset(options={"position": position})
    assert table.agent_selection == source.agent_selection
    assert table.game.to_dict() == source.game.to_dict()
    np.testing.assert_array_equal(table.last()[0]["observation"], source.last()[0]["observation"])
    without_rules = {key: value for key, value in position.items() if key != "rules"}
    table.reset(options={"position": without_rules})
    assert table.game.to_dict() == position


def test_a_position_of_other_rules_is_refused() -> None:
    position = Game(RuleSet(players=5), seed=1).to_dict()
    with pytest.raises(PositionError, match=r"plays RuleSet\(players=3.*position is of RuleSet"):
        env(players=3).reset(options={"position": position})


def test_two_environments_stepped_in_turn_do_not_touch_each_other() -> None:
    alone = env(players=4)
    alone.reset(seed=1)
    states = []
    for _ in range(50):
        alone.step(alone.sample_action())
        states.append(alone.game.to_bytes())
    one, other = env(players=4), env(players=3, edition="classic")
    one.reset(seed=1)
    other.reset(seed=2)
    for state in states:
        one.step(one.sample_action())
        other.step(other.sample_action())
        assert one.game.to_bytes() == state


# -- mistakes --------------------------------------------------------------------------------------


def test_an_illegal_action_changes_nothing_and_is_explained() -> None:
    table = env(players=3)
    table.reset(seed=1)
    for action in (0, 139, -1, 140, 10**9, np.int32(50)):
        before = pickle.dumps(table)
        with pytest.raises(IllegalActionError):
            table.step(action)
        assert pickle.dumps(table) == before
    with pytest.raises(
        IllegalActionError, match=r"seat 0 may not take action 0 \(pass\) .*Legal: 1 ="
    ):
        table.step(0)


@pytest.mark.parametrize("action", [None, 1.0, "nonsense", [1]])
def test_an_action_that_is_no_number_is_explained(action: Any) -> None:
    table = env(players=3)
    table.reset(seed=1)
    with pytest.raises(IllegalActionError, match="player_0 is still playing"):
        table.step(action)


def test_whole_numbers_of_every_kind_are_actions() -> None:
    for kind in (int, np.int8, np.int32, np.int64, np.uint8, np.array):
        table = env(players=3)
        table.reset(seed=1)
        table.step(kind(1))
        assert table.game.phase == "settler"


@pytest.mark.parametrize("call", ["step", "last", "observe", "state", "agent_iter", "render"])
def test_nothing_goes_before_the_first_reset(call: str) -> None:
    table = env(render_mode="ansi")
    arguments = {"step": (1,), "observe": ("player_0",)}.get(call, ())
    with pytest.raises(PricoError, match=rf"call reset\(\) before {call}\(\)"):
        getattr(table, call)(*arguments)


def test_an_agent_that_is_done_can_only_take_its_last_step() -> None:
    table = finished(players=3)
    with pytest.raises(IllegalActionError, match=r"player_0 is done .* with None, not with 4"):
        table.step(4)
    for _ in range(3):
        table.step(None)
    for call in (lambda: table.step(None), table.last):
        with pytest.raises(IllegalActionError, match="every agent is done: call reset"):
            call()


def test_an_iteration_without_a_step_is_noticed() -> None:
    table = env()
    table.reset(seed=1)
    with pytest.raises(PricoError, match="player_0 has not acted"):
        for _ in table.agent_iter():
            pass


def test_agent_iter_stops_where_it_is_told_and_at_the_end() -> None:
    table = env(players=3)
    table.reset(seed=1)
    steps = 0
    for _ in table.agent_iter(10):
        table.step(table.sample_action())
        steps += 1
    assert steps == 10
    for _ in table.agent_iter():
        table.step(table.sample_action())
    assert table.agents == []


def test_an_unknown_agent_is_named_with_those_there_are() -> None:
    table = env(players=2)
    table.reset(seed=1)
    with pytest.raises(PricoError, match="no agent 'player_2'; the agents are player_0, player_1"):
        table.observe("player_2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reward": "wim"}, "the reward schemes are win, rank and margin; did you mean 'win'"),
        ({"render_mode": "rgb"}, "there is no render mode 'rgb'"),
        ({"max_steps": 0}, "max_steps is a whole number from 1 on, not 0"),
        ({"playrs": 3}, "did you mean 'players'"),
        ({"rules": RuleSet(), "players": 3}, "not both"),
    ],
)
def test_wrong_arguments_are_explained(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PricoError, match=message):
        env(**options)


def test_rules_may_be_a_plain_dict() -> None:
    assert env({"players": 3, "edition": "classic"}).rules == RuleSet(3, "classic")


# -- looking ---------------------------------------------------------------------------------------


def test_rendering_without_a_mode_warns_and_goes_on() -> None:
    """G149."""
    table = env()
    table.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode="):
        assert table.render() is None


def test_metadata_says_what_the_environment_can_do() -> None:
    """G149."""
    table = env()
    assert table.metadata["name"] == "puerto_rico_v0"
    assert table.metadata["render_modes"] == ["human", "ansi", "rgb_array"]
    assert table.metadata["is_parallelizable"] is False
    assert table.metadata["render_fps"] > 0
    assert str(table) == "puerto_rico_v0"


def test_spaces_are_the_same_objects_every_time() -> None:
    """G151."""
    table = env(players=3)
    for agent in table.possible_agents:
        assert table.action_space(agent) is table.action_space(agent)
        assert table.observation_space(agent) is table.observation_space(agent)


def test_raw_env_plays_the_same_game() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = raw_env(players=3)
        table.reset(seed=5)
        for _, _ in play_cycle(table, np.random.default_rng(5)):
            pass
    assert table.game.over


# -- expansions ------------------------------------------------------------------------------------


def test_the_draft_comes_first_and_every_agent_chooses_in_turn() -> None:
    """R-X1-4: the first decisions of a game are those about its board."""
    table = env(players=3, expansions=["buildings"])
    table.reset(seed=1)
    names = table.rules.actions.names
    for pick in range(16):  # the last pick may be forced
        assert table.game.phase == "draft"
        assert table.agent_selection == f"player_{pick % 3}"
        legal = np.flatnonzero(table.infos[table.agent_selection]["action_mask"])
        assert all(names[action].startswith("board:") for action in legal)
        table.step(int(legal[0]))
    while table.game.phase == "draft":
        table.step(table.sample_action())
    assert table.agent_selection == "player_0"


@pytest.mark.parametrize("expansions", [(), ("smuggler",), ("citizens",), ALL_EXPANSIONS], ids=len)
def test_the_action_space_ends_with_the_last_expansion(expansions: tuple[str, ...]) -> None:
    """Numbers are the same everywhere; a space is as large as the rule set needs it."""
    table = env(players=4, expansions=expansions)
    table.reset(seed=1)
    size = table.rules.num_actions
    assert table.action_space("player_0").n == size
    assert table.observe("player_0")["action_mask"].shape == (size,)
    assert table.rules.actions.names == NAMES[:size]


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_an_environment_plays_by_the_same_compiled_step_as_a_game() -> None:
    """The engine is compiled once for both: the step's arguments are of one type."""
    game, table = Game(seed=2), env(players=4)
    game.step(game.legal_actions()[0])
    table.reset(seed=2)
    table.step(table.sample_action())
    assert len(step_game.signatures) == 1
