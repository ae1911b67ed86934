"""A seed and the actions fix every byte, wherever and however a game is played."""

import copy
import hashlib
import json
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from prico_env import Game, Games, IllegalActionError, PricoError, RuleSet
from prico_env.actions import PASS
from prico_env.testing import random_play
from tests.properties.random_play import MIXED_RULE_SETS, num_games
from tests.rule_sets import ALL_RULE_SETS, BASE_RULE_SETS, EXPANDED_RULE_SETS, rule_set_id

ROOT = Path(__file__).parents[2]
every_rule_set = pytest.mark.parametrize("rules", MIXED_RULE_SETS, ids=rule_set_id)


def nth_choice(legal, seed, decision):
    """An arbitrary but fixed choice, the same on every platform."""
    return int(legal[(decision * 7919 + seed * 104_729 + decision // 13) % len(legal)])


def play(game, seed, start=0, stop=10_000):
    """Play from decision `start` to `stop` by fixed choices; return the bytes after each."""
    trace = []
    for decision in range(start, stop):
        if game.over:
            break
        game.step(nth_choice(game.legal_actions(), seed, decision))
        trace.append(game.to_bytes())
    return trace


def digest_of_games(rules, seeds):
    """A digest of whole games with every byte, score and observation on the way, and a batch."""
    digest = hashlib.sha256()
    for seed in range(seeds):
        game = Game(rules, seed)
        for decision in range(10_000):
            if game.over:
                break
            digest.update(game.to_bytes())
            digest.update(game.mask().tobytes())
            digest.update(game.observation(game.turn).tobytes())
            digest.update(repr([int(score) for score in game.scores()]).encode())
            game.step(nth_choice(game.legal_actions(), seed, decision))
        digest.update(game.to_bytes())
    batch = Games(rules, 3, seed=5)
    for _ in range(20):
        batch.step(batch.sample())
        digest.update(batch.state.tobytes() + batch.observations.tobytes())
    return digest.hexdigest()


# -- one game, twice -------------------------------------------------------------------------------


@every_rule_set
def test_the_same_seed_and_actions_give_the_same_bytes(rules):
    """Section 8 of the design."""
    for seed in range(num_games(3)):
        assert play(Game(rules, seed), seed) == play(Game(rules, seed), seed)


def test_another_seed_deals_another_game():
    """R-INF-3: the deck is shuffled by the seed."""
    rules = RuleSet()
    starts = {Game(rules, seed).to_bytes() for seed in range(200)}
    assert len(starts) == 200
    decks = {Game(rules, seed).state["deck"].tobytes() for seed in range(200)}
    assert len(decks) == 200


def test_every_kind_of_plantation_may_come_first():
    """R-SET-8: 5-player rows of many seeds show all kinds about as often as there are tiles."""
    rules = RuleSet(players=5)
    rows = np.sum([Game(rules, seed).state["row"][0] for seed in range(400)], axis=0)
    expected = np.array([8, 9, 11, 9, 8]) / 45 * 2_400
    assert np.abs(rows - expected).max() < 100


def loads():
    """Every way to put a game away and take it out again."""
    return {
        "bytes": lambda game: Game.from_bytes(game.to_bytes()),
        "dict": lambda game: Game.from_dict(game.to_dict()),
        "json": lambda game: Game.from_dict(json.loads(json.dumps(game.to_dict()))),
        "pickle": lambda game: pickle.loads(pickle.dumps(game)),
        "deepcopy": copy.deepcopy,
        "copy": copy.copy,
        "clone": lambda game: game.clone(),
    }


@pytest.mark.parametrize("way", loads())
@every_rule_set
def test_a_game_saved_and_loaded_goes_on_as_if_nothing_had_happened(rules, way):
    """Sections 4 and 8 of the design."""
    load = loads()[way]
    game = Game(rules, 11)
    for start in range(0, 400, 40):
        play(game, 11, start, start + 40)
        if game.over:
            break
        loaded, before = load(game), game.to_bytes()
        assert loaded.to_bytes() == before
        played = play(loaded, 11, start + 40, start + 60)
        assert game.to_bytes() == before
        assert play(game.clone(), 11, start + 40, start + 60) == played
    assert load(game).to_bytes() == game.to_bytes()


@every_rule_set
def test_asking_for_forced_decisions_changes_nothing_else(rules):
    """Forced decisions have one legal action, and are recorded when the engine makes them."""
    asking = RuleSet.from_dict({**rules.to_dict(), "skip_forced": False})
    for seed in range(num_games(3)):
        game, patient = Game(rules, seed), Game(asking, seed)
        play(game, seed)
        for action, forced, seat in game.history:
            legal = patient.legal_actions()
            assert (patient.turn, len(legal) == 1) == (seat, forced)
            patient.step(action)
        assert patient.over
        ends = [to_plain(finished) for finished in (game, patient)]
        assert ends[0] == ends[1]


def to_plain(game):
    """The position without the rule set it is played by."""
    position = game.to_dict()
    position.pop("rules")
    return position


AUTO_GAINS = ("gain", "hospice", "privilege", "place")


@every_rule_set
def test_who_takes_every_gain_plays_as_if_never_asked(rules):
    """R-ROL-9: `ask` only adds questions; taking every gain gives the game of `auto`."""
    ask = RuleSet.from_dict({**rules.to_dict(), "optional_gains": "ask"})
    for seed in range(num_games(1)):
        game, asked = Game(rules, seed), Game(ask, seed)
        questions = 0
        for decision in range(10_000):
            while not asked.over and not stand_alike(asked, game):
                asked.step(gain_of(asked))
                questions += 1
            assert asked.over == game.over
            if game.over:
                break
            action = nth_choice(game.legal_actions(), seed, decision)
            game.step(action)
            asked.step(gain_of(asked) if action == PASS and may_decline(asked) else action)
        assert questions > 0


def stand_alike(asked, game):
    """Whether both wait for the same decision in the same position."""
    if (asked.turn, asked.phase, choices(asked)) != (game.turn, game.phase, choices(game)):
        return False
    return to_plain(asked) == to_plain(game)


def may_decline(game):
    """Whether own production is asked for where guests may move: declining is what passes there."""
    legal = {game.name(action) for action in game.legal_actions()}
    return "gain" in legal and any(name.startswith("guest") for name in legal)


def choices(game):
    """What is legal; under `ask` a choice between gains may be declined, which is left out."""
    legal = [game.name(action) for action in game.legal_actions()]
    if may_decline(game):
        return [name for name in legal if name != "gain"]
    if any(name.startswith(("privilege", "hospice")) for name in legal):
        return [name for name in legal if name != "pass"]
    return legal


def gain_of(game):
    """The action that takes what is offered."""
    names = [game.name(action) for action in game.legal_actions()]
    gains = [name for name in names if name.startswith(AUTO_GAINS)]
    assert gains, f"a question that is no gain: {names}"
    return gains[-1]


# -- batches ---------------------------------------------------------------------------------------


def step_batch(games, count, decision):
    """One fixed choice in every game of a batch; those that are over get a zero."""
    masks = games.masks
    return np.array(
        [
            0 if games.over[i] else nth_choice(np.flatnonzero(masks[i]), i, decision)
            for i in range(count)
        ]
    )


def assert_like_single_games(games, singles, decisions, every=7):
    """Step a batch and single games alike; compare bytes, masks and observations on the way."""
    for decision in range(decisions):
        for i, single in enumerate(singles):
            assert (games.turn[i], games.over[i]) == (single.turn, single.over)
            if decision % every == 0:
                assert games[i].to_bytes() == single.to_bytes()
                if single.over:
                    continue
                size = len(single.mask())
                assert (games.masks[i, :size] == single.mask()).all()
                assert not games.masks[i, size:].any()
        if games.over.all():
            return
        actions = step_batch(games, len(singles), decision)
        for single, action in zip(singles, actions, strict=True):
            if not single.over:
                single.step(int(action))
        games.step(actions)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 3, 8])
def test_a_batch_of_any_size_and_thread_count_equals_single_games(size, threads):
    """Section 4b of the design: slot i is dealt by seed + i."""
    rules = RuleSet(players=3)
    games = Games(rules, size, seed=40, threads=threads)
    singles = [Game(rules, 40 + i) for i in range(size)]
    assert_like_single_games(games, singles, 500)


def test_a_large_batch_cut_into_many_threads_equals_single_games():
    """Chunks of a batch do not meet."""
    rules = RuleSet(players=2)
    games = Games(rules, 300, seed=7, threads=4)
    singles = [Game(rules, 7 + i) for i in range(300)]
    assert_like_single_games(games, singles, 60, every=20)


def test_a_batch_of_all_rule_sets_in_any_order_equals_single_games():
    """One batch may mix player counts, editions and expansions."""
    for order, decisions in ((ALL_RULE_SETS, 60), (MIXED_RULE_SETS[::-1], 250)):
        games = Games(order, len(order), seed=3)
        singles = [Game(rules, 3 + i) for i, rules in enumerate(order)]
        assert_like_single_games(games, singles, decisions)


@pytest.mark.slow
def test_a_batch_of_all_rule_sets_equals_single_games_to_their_end():
    """The same for whole games."""
    games = Games(ALL_RULE_SETS, len(ALL_RULE_SETS), seed=30)
    singles = [Game(rules, 30 + i) for i, rules in enumerate(ALL_RULE_SETS)]
    assert_like_single_games(games, singles, 10_000)
    assert games.over.all()


@every_rule_set
def test_a_batch_shows_the_seat_to_act_what_a_single_game_shows(rules):
    """Observations of the batch are those of the game."""
    games = Games(rules, 4, seed=9)
    for _ in range(120):
        for i in range(4):
            if not games.over[i]:
                single = games[i]
                assert (games.observations[i] == single.observation(single.turn)).all()
        games.step(games.sample())


def test_what_a_batch_samples_is_fixed_by_its_seed():
    """`sample` has its own generator, and its draws do not depend on threads."""
    rules = RuleSet(players=4)
    traces = []
    for threads in (1, 2, 1):
        games = Games(rules, 16, seed=5, threads=threads)
        for _ in range(100):
            games.step(games.sample())
        traces.append(games.state.tobytes())
    assert traces[0] == traces[1] == traces[2]


@pytest.mark.parametrize("way", ["pickle", "deepcopy"])
def test_a_batch_saved_and_loaded_goes_on_as_if_nothing_had_happened(way):
    """Pickle and deepcopy of a running batch."""
    load = {"pickle": lambda g: pickle.loads(pickle.dumps(g)), "deepcopy": copy.deepcopy}[way]
    games = Games(RuleSet(players=4), 6, seed=2)
    for _ in range(50):
        games.step(games.sample())
    loaded = load(games)
    for _ in range(100):
        actions = games.sample()
        assert (loaded.sample() == actions).all()
        games.step(actions)
        loaded.step(actions)
        assert loaded.state.tobytes() == games.state.tobytes()
        assert (loaded.observations == games.observations).all()


def test_an_illegal_action_in_a_batch_names_its_game_and_moves_none():
    """Section 4b of the design: nothing moves, not even games before the wrong one."""
    games = Games(RuleSet(players=4), 6, seed=2)
    for _ in range(30):
        games.step(games.sample())
    before = games.state.tobytes(), games.masks.tobytes(), games.observations.tobytes()
    for slot in (0, 3, 5):
        for wrong in (int(np.flatnonzero(~games.masks[slot])[0]), 140, 10**6, -7):
            actions = games.sample()
            actions[slot] = wrong
            with pytest.raises(IllegalActionError, match=f"game {slot}"):
                games.step(actions)
            after = games.state.tobytes(), games.masks.tobytes(), games.observations.tobytes()
            assert after == before


def test_a_game_that_is_over_waits_and_is_dealt_anew_with_its_next_seed():
    """Section 4b of the design: slot i is dealt by seed + i, then by seed + i + n."""
    rules, size = RuleSet(players=2), 5
    games = Games(rules, size, seed=30)
    while not games.over.all():
        done = games.over.copy()
        before = games.state[done].tobytes()
        games.step(games.sample())
        assert games.state[done].tobytes() == before
        assert not games.ended[done].any()
        assert (games.rewards[done] == 0).all()
    where = np.array([True, False, True, False, False])
    games.reset(where=where)
    assert games.over.tolist() == [False, True, False, True, True]
    for slot in np.flatnonzero(where):
        fresh = Game(rules, 30 + int(slot) + size)
        assert games[int(slot)].to_bytes() == fresh.to_bytes()


def test_an_autoreset_batch_plays_each_slot_s_games_one_after_another():
    """The step that ends a game brings its rewards, and shows the next game of the slot."""
    rules, size, seed = RuleSet(players=3), 4, 60
    games = Games(rules, size, seed=seed, autoreset=True)
    singles, deals = [Game(rules, seed + i) for i in range(size)], [0] * size
    for decision in range(900):
        actions = step_batch(games, size, decision)
        games.step(actions)
        for i, single in enumerate(singles):
            single.step(int(actions[i]))
            assert bool(games.ended[i]) == single.over
            assert np.allclose(games.rewards[i], single.rewards())
            if single.over:
                deals[i] += 1
                singles[i] = Game(rules, seed + i + deals[i] * size)
            if decision % 10 == 0 or games.ended[i]:
                assert games[i].to_bytes() == singles[i].to_bytes()
        assert not games.over.any()
    assert min(deals) >= 1


# -- nobody touches anybody ------------------------------------------------------------------------


def test_two_games_played_in_turn_do_not_touch_each_other():
    """No state is shared between games."""
    rules = RuleSet(players=3)
    alone = [play(Game(rules, seed), seed, 0, 200) for seed in (1, 2)]
    games, together = [Game(rules, 1), Game(rules, 2)], [[], []]
    for decision in range(200):
        for i, seed in enumerate((1, 2)):
            together[i] += play(games[i], seed, decision, decision + 1)
    assert together == alone


def test_two_batches_played_in_turn_do_not_touch_each_other():
    """No state is shared between batches."""

    def trace(*batches):
        found = [[] for _ in batches]
        for decision in range(100):
            for i, games in enumerate(batches):
                games.step(step_batch(games, 5, decision))
                found[i].append(games.state.tobytes())
        return found

    def batch(seed):
        return Games(RuleSet(players=4), 5, seed=seed)

    assert trace(batch(1), batch(50)) == [*trace(batch(1)), *trace(batch(50))]


def test_a_game_leaves_global_randomness_alone():
    """Neither `random` nor NumPy's global generator is read or moved."""
    traces = []
    for global_seed in (1, 2):
        random.seed(global_seed)
        np.random.seed(global_seed)  # noqa: NPY002  # the global state is the point
        before = random.getstate(), np.random.get_state()[1].tobytes()  # noqa: NPY002
        game, games = Game(RuleSet(), 4), Games(RuleSet(), 3, seed=4)
        trace = play(game, 4, 0, 150)
        game.determinize(0, 1)
        for _ in range(50):
            games.step(games.sample())
        traces.append((trace, games.state.tobytes()))
        after = random.getstate(), np.random.get_state()[1].tobytes()  # noqa: NPY002
        assert after == before
    assert traces[0] == traces[1]


# -- compiled or not -------------------------------------------------------------------------------


compiles = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}, reason="nothing to compare with"
)


FEW_RULE_SETS = [*BASE_RULE_SETS, *EXPANDED_RULE_SETS[1::2]]
"""Where plain Python takes seconds a game."""


def compare_with_plain_python(rule_sets, seeds):
    """Play the same games in this process and in one with the compiler off."""
    names = [json.dumps(rules.to_dict()) for rules in rule_sets]
    plain = subprocess.run(
        [sys.executable, "-m", "tests.properties.test_determinism", str(seeds), *names],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.split() == [digest_of_games(rules, seeds) for rules in rule_sets]


@compiles
def test_compiled_and_plain_python_games_agree_in_every_byte():
    """Section 1 of the design: the same functions run with the compiler off."""
    compare_with_plain_python(FEW_RULE_SETS, seeds=1)


@compiles
@pytest.mark.slow
def test_many_compiled_and_plain_python_games_agree_in_every_byte():
    """Section 1 of the design: the same functions run with the compiler off."""
    compare_with_plain_python(MIXED_RULE_SETS, seeds=num_games(1))


def test_a_batch_gives_its_games_one_by_one_and_no_others() -> None:
    games = Games(RuleSet(players=3), 3, seed=5)
    assert [game.to_bytes() for game in games] == [
        Game(RuleSet(players=3), seed).to_bytes() for seed in (5, 6, 7)
    ]
    assert games[-1].to_bytes() == games[2].to_bytes()
    with pytest.raises(IndexError, match="no game 3 in a batch of 3"):
        games[3]


def test_single_games_make_a_batch_and_go_on_in_it_as_by_themselves() -> None:
    single = [Game(rules, 5) for rules in MIXED_RULE_SETS[:6]]
    for game in single:
        random_play(game, seed=1, decisions=40)
    before = [game.to_bytes() for game in single]
    batch = Games.of(single, threads=1)
    assert [game.to_bytes() for game in batch] == before
    assert batch.turn.tolist() == [game.turn for game in single]
    batch.play(limit=30, seeds=2)
    assert [game.to_bytes() for game in single] == before
    with pytest.raises(PricoError, match="each game of a batch is a Game"):
        Games.of([1])


def test_games_taken_twice_go_the_same_way_and_by_themselves() -> None:
    """The same actions lead copies to the same future; the batch they came from stands still."""
    games = Games(MIXED_RULE_SETS[:6], 6, seed=5)
    for _ in range(30):
        games.step(games.sample())
    before = games.state.tobytes()
    rows = [4, 1, 1, 4]
    copies = games.take(rows)
    assert copies.state.tobytes() == games.state[rows].tobytes()
    assert copies.seeds.tolist() == games.seeds[rows].tolist()
    for _ in range(40):
        copies.step(copies.sample())
    assert copies[0].to_bytes() == copies[3].to_bytes()
    assert copies[1].to_bytes() == copies[2].to_bytes()
    assert games.state.tobytes() == before
    for _ in range(40):
        games.step(games.sample())
    assert copies[0].to_bytes() == games[4].to_bytes()


@pytest.mark.parametrize("rows", [[], [3], [-1], [0.0], [[0]], ["a"]])
def test_games_that_are_not_there_cannot_be_taken(rows) -> None:
    with pytest.raises(PricoError, match="numbers of games from 0 to 2"):
        Games(RuleSet(players=3), 3, seed=5).take(rows)


@pytest.mark.parametrize("actions", [[1, 2], [1.0, 2.0, 3.0], [-2, 1, 1], [1, 1, 10**12]])
def test_a_batch_refuses_actions_that_cannot_be_and_stays_as_it_is(actions) -> None:
    """Actions of the wrong shape, kind or number are one clear error; no game has moved."""
    games = Games(RuleSet(players=3), 3, seed=5)
    before = games.state.tobytes()
    with pytest.raises(PricoError, match="actions"):
        games.step(actions)
    assert games.state.tobytes() == before


def test_a_snapshot_brings_a_game_back_to_where_it_stood() -> None:
    """What follows a snapshot is undone: record, choices and history (G142)."""
    game = Game(RuleSet(players=3), seed=5)
    game.step("role:settler")
    before, record, legal = game.snapshot(), game.to_bytes(), game.legal_actions()
    for _ in range(25):
        game.step(game.legal_actions()[-1])
    game.restore(before)
    assert (game.to_bytes(), game.legal_actions()) == (record, legal)
    twin = Game(RuleSet(players=3), seed=5)
    twin.restore(before)
    for one in (game, twin):
        one.step(one.legal_actions()[0])
    assert game.to_bytes() == twin.to_bytes()
    assert game.history == twin.history


if __name__ == "__main__":
    games_each = int(sys.argv[1])
    played = [RuleSet.from_dict(json.loads(name)) for name in sys.argv[2:]]
    sys.stdout.write("\n".join(digest_of_games(rules, games_each) for rules in played))
