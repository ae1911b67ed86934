"""For people who build on the game: random play, and checks that say what is wrong.

>>> from prico_env import Game
>>> from prico_env.testing import check_game, random_play
>>> game = random_play(Game(seed=7), seed=1, decisions=50)
>>> check_game(game)
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from prico_env.arguments import instance, whole
from prico_env.errors import IllegalActionError, PricoError, quoted
from prico_env.game import Game, check_seed
from prico_env.ruleset import RuleSet, rules_or_default
from prico_env.serialization import broken_invariants

Chooser: TypeAlias = Callable[[Game, int, np.random.Generator], int]
"""A player: ``(game, seat, rng) -> action``."""


def random_play(game: Game, seed: int = 0, decisions: int | None = None) -> Game:
    """Play a game on with random legal actions, each as likely, and return it.

    Args:
        game: The game; it is changed.
        seed: Decides the choices. Chance within the game is the game's own.
        decisions: Where to stop; None plays to the end.
    """
    _check_is_game(game)
    if decisions is not None:
        decisions = whole(decisions, "the number of decisions")
    rng = np.random.default_rng(check_seed(seed))
    while not game.over and (decisions is None or decisions > 0):
        legal = game.legal_actions()
        game.step(legal[int(rng.integers(len(legal)))])
        decisions = None if decisions is None else decisions - 1
    return game


def _check_is_game(game: object) -> None:
    """Check that what is to be looked at is a game."""
    instance(game, Game, "what is checked or played on is a Game")


def check_game(game: Game) -> None:
    """Check everything that must hold in a position: masks, invariants, views and copies.

    Raises:
        AssertionError: Something does not hold; it says what.
    """
    check_masks(game)
    check_invariants(game)
    check_views(game)
    check_copies(game)


def check_masks(game: Game) -> None:
    """Check that the mask, the list and what ``step`` accepts agree, in both directions.

    Raises:
        AssertionError: They do not.
    """
    _check_is_game(game)
    mask = game.mask()
    legal = game.legal_actions()
    assert np.flatnonzero(mask).tolist() == legal, "the mask and the list of actions differ"
    assert bool(legal) != game.over, "a seat to act has no choice, or one is left at the end"
    before = game.to_bytes()
    for action in range(game.num_actions):
        trial = game.clone()
        try:
            trial.step(action)
        except IllegalActionError:
            assert not mask[action], f"{game.name(action)} is in the mask, but step refuses it"
            assert trial.to_bytes() == before, f"refusing {game.name(action)} changed the game"
        else:
            assert mask[action], f"{game.name(action)} is not in the mask, but step takes it"
    assert game.to_bytes() == before, "trying actions on clones changed the game itself"


def check_invariants(game: Game) -> None:
    """Check what must hold in every position: nothing lost, nothing made, nothing impossible.

    Raises:
        AssertionError: An invariant is broken; it says which, and by how much.
    """
    _check_is_game(game)
    problems = broken_invariants(game.rules, game.state[0])
    assert not problems, "; ".join(problems)


def check_views(game: Game) -> None:
    """Check that views lie within their layout and show nothing that is hidden.

    Raises:
        AssertionError: A feature is too large, or a view depends on what its seat cannot see.
    """
    _check_is_game(game)
    layout = game.rules.observation
    for seat in range(game.rules.players):
        view = game.observation(seat)
        too_large = np.flatnonzero(view > layout.high)
        assert not len(too_large), f"too large: {layout.describe(int(too_large[0]))}"
        other = game.determinize(seat, seed=12345).observation(seat)
        seen = np.flatnonzero(view != other)
        assert not len(seen), f"seat {seat} sees what is hidden: {layout.describe(int(seen[0]))}"


def check_copies(game: Game) -> None:
    """Check that a clone and a saved game are the same game.

    Raises:
        AssertionError: They are not.
    """
    _check_is_game(game)
    saved = game.to_bytes()
    assert game.clone().to_bytes() == saved, "a clone is another game"
    assert Game.from_bytes(saved).to_bytes() == saved, "saving and loading changes the game"
    assert Game.from_dict(game.to_dict()).to_bytes() == saved, "the position dict loses something"


def check_player(
    choose: Chooser, rules: RuleSet | None = None, games: int = 2, seed: int = 0
) -> None:
    """Check that a player makes only legal decisions and leaves the game alone, at every seat.

    Args:
        choose: The player, ``(game, seat, rng) -> action``. The other seats play at random.
        rules: What is played.
        games: Games at each seat.
        seed: Of the deals and of what the player and the others draw.

    Raises:
        AssertionError: The player broke a rule; it says where.
    """
    if not callable(choose):
        raise PricoError(
            f"a player is a callable (game, seat, rng) -> action, not {quoted(choose)}"
        )
    rules, games = rules_or_default(rules), whole(games, "the number of games")
    rng = np.random.default_rng(check_seed(seed))
    for seat in range(rules.players):
        for number in range(games):
            game = Game(rules, seed + number)
            while not game.over:
                if game.turn != seat:
                    random_play(game, seed=int(rng.integers(2**32)), decisions=1)
                    continue
                before = game.to_bytes()
                action = choose(game, seat, rng)
                assert game.to_bytes() == before, f"{choose} changed the game it was shown"
                where = f"seat {seat}, game {seed + number}, round {game.round}, {game.phase}"
                assert action in game.legal_actions(), f"{choose} chose {action!r} ({where})"
                game.step(action)
