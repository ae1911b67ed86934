"""The compiled calls of Python: one game, a batch of games, and a step with all it shows laid out.

Every kernel that Python calls and that reaches the engine is compiled with all of it, so there is
one for each thing to do. A call also costs by the argument, so a game lies in one array of bytes
with its rules, what is legal and what was forced (`GAME`); behind it there may be room for what a
step shows of it (`DISPLAY`). Kernels of a batch go through a range of games without the global
interpreter lock, so that ranges can run on several threads; what one game does depends on nothing
but its own record.
"""

import functools
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_env.actions import NUM_ACTIONS
from prico_env.core.engine import FORCED_LOG_ROWS, advance, apply, deal, determinize
from prico_env.core.intrinsics import prefetch
from prico_env.core.jit import allocating_kernel, kernel
from prico_env.core.observation import fill_observation
from prico_env.core.rng import MAX_SEED, draw_legal, next_number, seed_rng
from prico_env.core.rules import RULES
from prico_env.core.scoring import (
    fill_ranking,
    fill_results,
    fill_rewards,
    fill_score_parts,
    fill_scores,
)
from prico_env.core.state import STATE
from prico_env.core.units import recount_powers
from prico_env.feature_scaling import CLIP
from prico_env.observation_layout import layout_for
from prico_env.vocabulary import MAX_PLAYERS, NOBODY, Outcome

# -- one game --------------------------------------------------------------------------------------

GAME: Final = np.dtype(
    [
        ("state", STATE),
        ("legal", "u1", (NUM_ACTIONS,)),
        ("rules", RULES),
        ("forced_log", "i2", (FORCED_LOG_ROWS, 2)),
    ]
)
"""A game with all that a step needs and writes; a record has no truth values, so legal is bytes."""
GAME_BYTES: Final = GAME.itemsize
LEGAL_AT: Final = STATE.itemsize
FORCED_LOG_AT: Final = GAME_BYTES - 2 * FORCED_LOG_ROWS * np.dtype("i2").itemsize
"""Where in its bytes the choices of a game and its log begin."""

_CLIP: Final = np.float32(CLIP)
_MAX_FEATURES: Final = layout_for(MAX_PLAYERS, True).num_features
DISPLAY: Final = np.dtype(
    [
        ("num_features", "i4"),
        ("num_scaled", "i4"),
        ("factor", "f4", (_MAX_FEATURES,)),
        ("offset", "f4", (_MAX_FEATURES,)),
        ("scaled", "f4", (_MAX_FEATURES,)),
        ("choices", "i2", (NUM_ACTIONS,)),
        ("mask", "i1", (NUM_ACTIONS,)),
        ("features", "u1", (_MAX_FEATURES,)),
    ]
)
"""What a step shows of a game. It has room for the largest game: one size for all rule sets.

Of its features as many are scaled as ``num_scaled`` says: all or none."""
DISPLAY_AT: Final = -(-GAME_BYTES // 8) * 8
"""Where it begins, if there is one: where its numbers are aligned."""

REFUSED: Final = -1
"""What `step_game` returns for an action that is not allowed."""
JUST_ADVANCE: Final = -2
"""The action that is none, because only forced decisions are to be carried out."""
LOOK: Final = -3
"""The action that is none, because only what is legal is to be found."""
COUNT_BITS: Final = 16
COUNT_MASK: Final = (1 << COUNT_BITS) - 1
"""What `step_game` returns: choices, forced decisions, and the seat to act in the bits above."""


@functools.lru_cache(maxsize=256)
def blank_game(rules: Any) -> NDArray[np.uint8]:
    """Return the bytes of a game of a rule set that is not dealt yet; copied, never written."""
    game = np.zeros(1, dtype=GAME)
    game["rules"] = rules.table
    return game.view(np.uint8)


@kernel
def _game_in(buffer: Any) -> Any:
    """The record that lies at the beginning of a game's bytes."""
    return buffer[:GAME_BYTES].view(GAME)[0]


@kernel
def deal_game(buffer: Any, seed: int) -> None:
    """Deal a game anew; what is legal in it is left to a step."""
    record = _game_in(buffer)
    deal(record["rules"], record["state"], seed)


@kernel
def step_game(buffer: Any, action: int) -> int:
    """Make a decision if it is allowed, advance to the next, and lay that out where it is shown.

    Args:
        buffer: The bytes of a game. Row 0 of its log gets the decision and its seat, or -1; behind
            it lies what `advance` writes.
        action: What the seat to act chooses; or `JUST_ADVANCE`, or `LOOK`.

    Returns:
        How many choices there are next, 0 when the game is over; above them how many decisions were
        forced, and above those the seat to act. `REFUSED`, and nothing changed, when the action is
        not allowed.
    """
    record = _game_in(buffer)
    rules, state = record["rules"], record["state"]
    legal = buffer[LEGAL_AT : LEGAL_AT + rules["num_actions"]].view(np.bool_)
    forced_log = record["forced_log"][0:]  # as a slice it is of the type that others have
    forced_log[0, 0] = -1
    if action >= 0:
        if action >= legal.shape[0] or not legal[action]:
            return REFUSED
        forced_log[0, 0] = action
        forced_log[0, 1] = state["turn"]
        apply(rules, state, action)
    count = advance(rules, state, legal, forced_log[1:], action != LOOK)
    seat = max(0, int(state["turn"]))
    if buffer.shape[0] > GAME_BYTES:
        _show(rules, state, seat, legal, buffer[DISPLAY_AT:].view(DISPLAY)[0])
    return count + (int(forced_log[1, 0]) << COUNT_BITS) + (seat << (2 * COUNT_BITS))


@kernel
def _show(rules: Any, state: Any, seat: int, legal: Any, display: Any) -> None:
    """Write the mask, the numbers of the choices and the scaled view of the seat to act."""
    mask, choices = display["mask"], display["choices"]
    count = 0
    for choice in range(legal.shape[0]):
        mask[choice] = legal[choice]
        choices[count] = choice  # overwritten unless it counts: no branch to guess wrong
        count += legal[choice]
    num_features = display["num_features"]
    features = display["features"][:num_features]
    fill_observation(rules, state, seat, features)
    scaled = display["scaled"][: display["num_scaled"]]
    _scale_row(features, display["factor"], display["offset"], scaled)


@kernel
def _scale_row(features: Any, factor: Any, offset: Any, scaled: Any) -> None:
    """Scale features; as many as there is room for."""
    for feature in range(scaled.shape[0]):
        value = np.float32(features[feature]) * factor[feature] + offset[feature]
        scaled[feature] = min(max(value, -_CLIP), _CLIP)


@kernel
def determinize_game(buffer: Any, seat: int, seed: int) -> None:
    """Deal anew what a seat cannot see."""
    record = _game_in(buffer)
    determinize(record["rules"], record["state"], seat, seed)


@kernel
def recount_game(buffer: Any) -> None:
    """Work out every player's powers from scratch, for a record that was written by hand."""
    record = _game_in(buffer)
    for player in range(record["rules"]["num_players"]):
        recount_powers(record["rules"], record["state"], player)


@kernel
def observe_game(buffer: Any, seat: int, features: Any) -> None:
    """Write what a seat sees."""
    record = _game_in(buffer)
    fill_observation(record["rules"], record["state"], seat, features)


@kernel
def score_parts_of_game(buffer: Any, seat: int, parts: Any) -> int:
    """Write the items of a seat's score; returns their sum."""
    record = _game_in(buffer)
    return fill_score_parts(record["rules"], record["state"], seat, parts)


@kernel
def score_game(buffer: Any, scores: Any) -> None:
    """Write every seat's score."""
    record = _game_in(buffer)
    fill_scores(record["rules"], record["state"], scores)


@kernel
def rank_game(buffer: Any, places: Any) -> None:
    """Write every seat's place."""
    record = _game_in(buffer)
    fill_ranking(record["rules"], record["state"], places)


@kernel
def reward_game(buffer: Any, scheme: int, rewards: Any) -> None:
    """Write every seat's reward."""
    record = _game_in(buffer)
    fill_rewards(record["rules"], record["state"], scheme, rewards)


# -- a batch of games ------------------------------------------------------------------------------

LEAVE: Final = -1
"""The action that leaves a game as it is, with no reward."""
DEAL: Final = -2
"""The action that deals a game anew."""
UNTOUCHED: Final = -3
"""The action that leaves a game and everything shown of it as they are."""
SHOW: Final = -4
"""The action that is none, because a record was written: the game goes on to its next choice."""
_SAMPLER_STREAM: Final = 0x5DEECE66D
"""Sets the seeds of the samplers apart from the seeds of the games."""
_RECORD_BYTES: Final = STATE.itemsize


class Arrays(NamedTuple):
    """The arrays of a batch, as kernels pass them on together; `Games` says what they hold."""

    table: NDArray[Any]
    states: NDArray[Any]
    seeds: NDArray[np.int64]
    masks: NDArray[np.bool_]
    num_legal: NDArray[np.int16]
    observations: NDArray[np.uint8]
    rewards: NDArray[np.float32]
    ended: NDArray[np.bool_]
    forced_log: NDArray[np.int16]


@kernel
def _advance_game(rules: Any, state: Any, game: int, arrays: Arrays) -> int:
    """Bring a game to its next choice and write its mask and observation."""
    count = advance(rules, state, arrays.masks[game], arrays.forced_log, True)
    arrays.num_legal[game] = count
    if arrays.observations.shape[1] > 0:
        fill_observation(rules, state, max(0, state["turn"]), arrays.observations[game])
    return count


@kernel
def step_games(
    arrays: Arrays, actions: Any, seed_stride: int, scheme: int, start: int, stop: int
) -> None:
    """Make one decision in every running game of a range, or what `DEAL` and its kind say.

    A ``seed_stride`` above 0 deals a game that ends anew at once, with its seed moved on so far.
    """
    for game in range(start, stop):
        action = actions[game]
        if action == UNTOUCHED:
            continue
        prefetch(arrays.states, min(game + 1, stop - 1), _RECORD_BYTES)
        arrays.rewards[game, :] = 0.0
        arrays.ended[game] = False
        state = arrays.states[game]
        rules = arrays.table[state["rules"]]
        if action == DEAL:
            deal(rules, state, arrays.seeds[game])
        elif action != SHOW:
            if action == LEAVE or state["outcome"] != Outcome.RUNNING:
                continue
            apply(rules, state, action)
        for _ in range(2):  # a game that is dealt anew has a choice
            if _advance_game(rules, state, game, arrays) > 0:
                break
            fill_rewards(rules, state, scheme, arrays.rewards[game])
            arrays.ended[game] = True
            if seed_stride == 0:
                break
            arrays.seeds[game] = (arrays.seeds[game] + seed_stride) & MAX_SEED
            deal(rules, state, arrays.seeds[game])


@kernel
def play_random_games(arrays: Arrays, seats: Any, samplers: Any, rows: Any) -> None:
    """Let seats that are not the learner's choose with even chances until it is to decide.

    Only the records, their masks and how many choices there are follow; see `close_games`.
    """
    for row in range(rows.shape[0]):
        game = rows[row]
        state, legal = arrays.states[game], arrays.masks[game]
        rules = arrays.table[state["rules"]]
        count = int(arrays.num_legal[game])
        while count > 0 and state["turn"] != seats[game]:
            apply(rules, state, draw_legal(samplers[game], legal, count))
            count = advance(rules, state, legal, arrays.forced_log, True)
        arrays.num_legal[game] = count


@kernel
def close_games(arrays: Arrays, scheme: int, rows: Any) -> None:
    """Write the observation of games that go on, and what those that have ended pay."""
    for row in range(rows.shape[0]):
        game = rows[row]
        state = arrays.states[game]
        rules = arrays.table[state["rules"]]
        if arrays.num_legal[game] > 0:
            fill_observation(rules, state, state["turn"], arrays.observations[game])
        else:
            fill_rewards(rules, state, scheme, arrays.rewards[game])
            arrays.ended[game] = True


@kernel
def sample_games(
    masks: Any, num_legal: Any, samplers: Any, actions: Any, start: int, stop: int
) -> None:
    """Draw a legal action for each game of a range; `LEAVE` where there is none."""
    for game in range(start, stop):
        if num_legal[game] == 0:
            actions[game] = LEAVE
            continue
        actions[game] = draw_legal(samplers[game], masks[game], int(num_legal[game]))


@kernel
def seed_samplers(samplers: Any, seeds: Any) -> None:
    """Seed the samplers, one for each game."""
    for game in range(samplers.shape[0]):
        seed_rng(samplers[game], seeds[game] ^ _SAMPLER_STREAM)


@kernel
def draw_seeds(samplers: Any, seeds: Any) -> None:
    """Draw a seed from each sampler; games with the same sampler get different ones."""
    for game in range(samplers.shape[0]):
        high, low = next_number(samplers[game]), next_number(samplers[game])
        seeds[game] = ((high << 31) | (low >> 1)) ^ game


@kernel
def determinize_games(
    table: Any, states: Any, seats: Any, seeds: Any, start: int, stop: int
) -> None:
    """Deal anew what the given seats cannot see, in the running games of a range."""
    for game in range(start, stop):
        state = states[game]
        if state["outcome"] == Outcome.RUNNING:
            determinize(table[state["rules"]], state, seats[game], seeds[game])


@allocating_kernel
def play_randomly(
    table: Any, states: Any, seeds: Any, limit: int, decisions: Any, start: int, stop: int
) -> None:
    """Play the games of a range on, every legal action as likely as the others.

    A playout policy: see `prico_env.playouts`.
    """
    forced_log = np.zeros((0, 2), dtype=np.int16)
    every_action = np.zeros(NUM_ACTIONS, dtype=np.bool_)
    rng = np.zeros(4, dtype=np.uint32)
    for game in range(start, stop):
        state = states[game]
        rules = table[state["rules"]]
        legal = every_action[: rules["num_actions"]]
        seed_rng(rng, seeds[game])
        decisions[game] = _play_on_randomly(rules, state, legal, forced_log, rng, limit)


@kernel
def _play_on_randomly(
    rules: Any, state: Any, legal: Any, forced_log: Any, rng: Any, limit: int
) -> int:
    """Play a game on by random choices; return how many."""
    made = 0
    count = advance(rules, state, legal, forced_log, True)
    while count > 0 and made != limit:
        apply(rules, state, draw_legal(rng, legal, count))
        count = advance(rules, state, legal, forced_log, True)
        made += 1
    return made


@kernel
def first_illegal(masks: Any, num_legal: Any, actions: Any, may_leave: bool) -> int:
    """Return the first game whose action is not allowed, or -1; `LEAVE` is, where it may be."""
    num_actions = masks.shape[1]
    for game in range(actions.shape[0]):
        action = actions[game]
        if action < LEAVE:
            return game
        if num_legal[game] == 0 or (action == LEAVE and may_leave):
            continue
        if not 0 <= action < num_actions or not masks[game, action]:
            return game
    return -1


@kernel
def observe_games(table: Any, states: Any, seats: Any, observations: Any) -> None:
    """Write what the given seats see of their games."""
    for game in range(states.shape[0]):
        state = states[game]
        fill_observation(table[state["rules"]], state, seats[game], observations[game])


class Accounts(NamedTuple):
    """What a batch keeps of decisions made at all seats, a row for each game.

    Attributes:
        turns: The seat to act, int64, shape ``(n,)``; -1 in a game that is over.
        actors: The seat that acted last, likewise.
        payments: What the last step paid every seat, float32, shape ``(n, seats)``.
        rewards: What it paid the seat that acted, float32, shape ``(n,)``.
        returns: What the game has paid every seat so far, float64, shape ``(n, seats)``.
        lengths: Decisions of every seat in it, int64, likewise.
    """

    turns: NDArray[np.int64]
    actors: NDArray[np.int64]
    payments: NDArray[np.float32]
    rewards: NDArray[np.float32]
    returns: NDArray[np.float64]
    lengths: NDArray[np.int64]


@kernel
def account_games(
    states: Any, num_legal: Any, paid: Any, accounts: Accounts, start: int, stop: int
) -> None:
    """Note whose decision a step was in each game of a range, and what it paid."""
    for game in range(start, stop):
        actor = accounts.turns[game]
        accounts.turns[game] = states[game]["turn"] if num_legal[game] > 0 else NOBODY
        if actor == NOBODY:  # it was over; if it goes on, it was dealt anew
            accounts.rewards[game] = 0.0
            accounts.payments[game, :] = 0.0
            if num_legal[game] > 0:
                accounts.returns[game, :] = 0.0
                accounts.lengths[game, :] = 0
            continue
        accounts.actors[game] = actor
        accounts.lengths[game, actor] += 1
        accounts.rewards[game] = paid[game, actor]
        for seat in range(paid.shape[1]):
            accounts.payments[game, seat] = paid[game, seat]
            accounts.returns[game, seat] += paid[game, seat]


@kernel
def scale_games(
    observations: Any, factor: Any, offset: Any, scaled: Any, start: int, stop: int
) -> None:
    """Scale the observations of a range of games."""
    for game in range(start, stop):
        _scale_row(observations[game], factor, offset, scaled[game])


@kernel
def observe_rows(table: Any, states: Any, rows: Any, seats: Any, observations: Any) -> None:
    """Write what the given seats see of some games, a row for each game named."""
    for row in range(rows.shape[0]):
        state = states[rows[row]]
        fill_observation(table[state["rules"]], state, seats[row], observations[row])


@kernel
def score_games(table: Any, states: Any, scores: Any) -> None:
    """Write the scores of every game, one row a game."""
    for game in range(states.shape[0]):
        state = states[game]
        fill_scores(table[state["rules"]], state, scores[game])


@kernel
def result_games(table: Any, states: Any, games: Any, results: Any) -> None:
    """Write what some games came to for their seats, a row of `results` for each game named."""
    for row in range(games.shape[0]):
        state = states[games[row]]
        fill_results(table[state["rules"]], state, results[row])


@kernel
def tabulate_results(
    results: Any, games: Any, returns: Any, lengths: Any, reals: Any, counts: Any
) -> None:
    """Write the results of some games into columns that have a row for each game of a batch.

    Args:
        results: As `result_games` writes them.
        games: The games named.
        returns: What each game of the batch has paid, shape ``(n, seats)``.
        lengths: Decisions in it, likewise.
        reals: Receives shares of the win and returns, shape ``(2, n, seats)``.
        counts: Receives places, scores, leads and lengths, shape ``(4, n, seats)``.
    """
    for row in range(games.shape[0]):
        game = games[row]
        for seat in range(returns.shape[1]):
            reals[0, game, seat] = results[row, seat, 0]
            reals[1, game, seat] = returns[game, seat]
            for column in range(3):
                counts[column, game, seat] = results[row, seat, 1 + column]
            counts[3, game, seat] = lengths[game, seat]


@kernel
def rank_games(table: Any, states: Any, places: Any) -> None:
    """Write the places of every game, one row a game."""
    for game in range(states.shape[0]):
        state = states[game]
        fill_ranking(table[state["rules"]], state, places[game])
