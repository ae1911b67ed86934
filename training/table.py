"""A game in the terminal: watch agents play, or sit among them."""

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents import Agent, View, load_agent
from agents.human import Human, LeaveGameError
from prico_env import Game, RuleSet
from prico_env.render import render_text
from training.arena.schedule import agent_seed
from training.config import ConfigError

_SEED_BITS: Final = 31


@dataclass(frozen=True)
class Watch:
    """How a game is shown.

    Attributes:
        delay_seconds: Pause after each decision.
        boards: Whether to show the board at every role choice of an agent.
        colour: Whether the terminal shows colours.
    """

    delay_seconds: float = 0.0
    boards: bool = False
    colour: bool = False


def play_in_terminal(
    names: Sequence[str], rules: RuleSet, seed: int | None, watch: Watch, save: Path | None = None
) -> None:
    """Play one game and print every decision.

    Args:
        names: An agent for each seat; the first sits at seat 0, the first governor.
        rules: The rule set, with as many players.
        seed: The deal; None for a new one.
        watch: How it is shown.
        save: Where to write the record of the game, if anywhere.
    """
    if seed is None:
        seed = secrets.randbits(_SEED_BITS)
    players = [
        Human(colour=watch.colour) if name == "human" else load_agent(name) for name in names
    ]
    game = Game(rules, seed)
    played = ", ".join((rules.edition, *rules.expansions))
    print(f"{played}, {rules.players} players, seed {seed}")
    for seat, player in enumerate(players):
        player.reset(seat, rules, agent_seed(seed, seat))
    try:
        _play(game, players, names, watch)
    except LeaveGameError:
        print("You left the game.")
    else:
        print(render_text(game, None, watch.colour))
        _print_result(game, names)
    if save is not None:
        _save(game, save)


def _play(game: Game, players: Sequence[Agent], names: Sequence[str], watch: Watch) -> None:
    """Play to the end, printing decisions as they are made."""
    round_shown = -1
    shown = len(game.history)
    while not game.over:
        seat = game.turn
        if game.round != round_shown:
            round_shown = game.round
            print(f"\nround {round_shown}")
        if watch.boards and game.phase == "role" and names[seat] != "human":
            print(render_text(game, _eyes(names), watch.colour))
        action = players[seat].act(View.of(game, seat))
        words = game.describe(action)  # before the step: some words depend on the position
        game.step(action)
        history = game.history
        for move in history[shown:]:
            text = game.describe(move.action) if move.forced else words
            forced = "  (nothing else possible)" if move.forced else ""
            print(f"  {move.seat} {names[move.seat]:<12} {text}{forced}")
        shown = len(history)
        if watch.delay_seconds:
            time.sleep(watch.delay_seconds)


def _eyes(names: Sequence[str]) -> int | None:
    """Whose board it is between decisions: that of the first person, if there is one."""
    return names.index("human") if "human" in names else None


def _print_result(game: Game, names: Sequence[str]) -> None:
    from rich.console import Console
    from rich.table import Table

    rows, places = game.score_table(), game.ranking()
    table = Table(title="Final score", title_justify="left")
    table.add_column("place")
    table.add_column("seat")
    items = [item for item in rows[0] if item != "total" and any(row[item] for row in rows)]
    for item in (*items, "total"):
        table.add_column(item.replace("_", " "), justify="right")
    for seat in sorted(range(len(names)), key=lambda each: places[each]):
        cells = [str(rows[seat][item]) for item in (*items, "total")]
        table.add_row(str(places[seat]), f"{seat} {names[seat]}", *cells)
    Console().print(table)


def _save(game: Game, path: Path) -> None:
    try:
        path.write_text(game.to_record(), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None
    print(f"The record is in {path}")
