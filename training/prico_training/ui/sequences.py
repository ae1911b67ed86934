"""Several decisions of one seat made as one: all of them, or none.

>>> game = Game(seed=7)
>>> make_sequence(game, ["role:trader", "role:mayor"])
Traceback (most recent call last):
...
prico_env.errors.IllegalActionError: decision 2 of 2 cannot be made: it is the turn of seat 1 by \
then, not of seat 0; none of them was made
>>> game.history
[]
"""

from collections.abc import Sequence
from typing import Final

from prico_env import Game
from prico_env.errors import IllegalActionError, PricoError

_CHANCE: Final = ("rng", "deck_size", "deck")
"""The fields of a record that change when something is drawn at random."""


def make_sequence(game: Game, actions: Sequence[int | str]) -> None:
    """Make several decisions of the seat to act in order; forced ones between them go as ever.

    Nothing may be drawn at random before the last one: what is allowed behind a draw tells what was
    drawn, and whoever is refused has not decided.

    Args:
        game: The game; it is as it was if one of them cannot be made.
        actions: Action numbers, or their names.

    Raises:
        IllegalActionError: One of them cannot be made; the message says which and why.
    """
    before, seat = game.snapshot(), game.turn
    chance = _chance_of(game)
    try:
        for place, action in enumerate(actions, start=1):
            problem = _why_not_here(game, seat, chance) if place > 1 else ""
            if problem:
                raise _refusal(place, len(actions), problem)
            try:
                game.step(action)
            except IllegalActionError as error:
                raise _refusal(place, len(actions), str(error)) from None
    except PricoError:
        game.restore(before)
        raise


def draws_at_random(before: Game, after: Game) -> bool:
    """Whether anything was drawn at random on the way from one game to another."""
    return _chance_of(before) != _chance_of(after)


def _why_not_here(game: Game, seat: int, chance: bytes) -> str:
    """Why no further decision of a sequence can be made here; empty if it can."""
    if game.over:
        return "the game is over by then"
    if _chance_of(game) != chance:
        return "something is drawn at random before it, so it has to be made by itself"
    if game.turn != seat:
        return f"it is the turn of seat {game.turn} by then, not of seat {seat}"
    return ""


def _refusal(place: int, of: int, problem: str) -> IllegalActionError:
    """The error about a decision of a sequence."""
    return IllegalActionError(
        f"decision {place} of {of} cannot be made: {problem}; none of them was made"
    )


def _chance_of(game: Game) -> bytes:
    """What changes when something is drawn at random."""
    state = game.state[0]
    return b"".join(state[field].tobytes() for field in _CHANCE)
