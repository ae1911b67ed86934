"""Whole games, move counts and action numbers as text; rewritten with `make golden`.

The files beside this one are for reading. When a rule, a number or the generator changes, they
change, and the difference is reviewed like code.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from prico_env import ALL_EXPANSIONS, Game, RuleSet
from prico_env.actions import BLOCKS
from prico_env.registration import ENV_ID
from tests.builders import ALICE, BOB, CAROL, DAVE, NAMES, SHIPS, board
from tests.golden.careless_player import CarelessPlayer
from tests.golden.meaning_of_id import meaning_of_id

HERE: Final = Path(__file__).parent


# -- transcripts -----------------------------------------------------------------------------------


def transcript(rules: RuleSet, seed: int) -> str:
    """Play a whole game and write it down, round by round."""
    game, player = Game(rules, seed=seed), CarelessPlayer(seed)
    lines = [f"# {rules.edition}, {rules.players} players, seed {seed}"]
    if rules.expansions:
        lines.append(f"# expansions: {', '.join(rules.expansions)}")
    lines += _heading(game)
    told, begun = 0, (game.phase == "draft", game.round)
    while not game.over:
        game.step(player.choose(game))
        for move in game.history[told:]:
            words = " ".join(game.name(move.action).split(":"))
            lines.append(f"  {NAMES[move.seat]:6} {words}{'  (forced)' if move.forced else ''}")
        told = len(game.history)
        if (game.phase == "draft", game.round) != begun and not game.over:
            begun = (False, game.round)
            lines += _heading(game)
    lines.append("end")
    for seat, items in enumerate(game.score_table()):
        parts = ", ".join(f"{name} {value}" for name, value in items.items() if value)
        lines.append(f"  {NAMES[seat]:6} place {game.ranking()[seat]}: {parts or 'nothing'}")
    return "\n".join(lines) + "\n"


def _heading(game: Game) -> list[str]:
    state = game.state[0]
    table = game.to_dict()
    if game.phase == "draft":
        return ["draft"]
    row = ", ".join(f"{kind} {count}" for kind, count in table["row"].items() if count)
    purses = ", ".join(
        f"{NAMES[seat]} {state['coins'][seat]} coins {state['vp'][seat]} vp"
        for seat in range(game.rules.players)
    )
    return [
        f"round {game.round}, governor {NAMES[state['governor']]}",
        f"  row: {row}",
        *_goals(table),
        f"  {purses}",
    ]


def _goals(table: dict[str, Any]) -> list[str]:
    """The goals of the festival that nobody has won yet, and who has the smuggler's tile."""
    lines = []
    festival = table.get("festival", {})
    goals = [
        f"{name} {goal if isinstance(goal, str) else ' '.join(goal)}"
        for name, goal in festival.items()
        if goal
    ]
    if goals:
        lines.append(f"  festival: {', '.join(goals)}")
    holder = table.get("smuggler", {}).get("tile")
    if holder is not None:
        lines.append(f"  smuggler tile: {NAMES[holder]}")
    return lines


# -- move counts -----------------------------------------------------------------------------------


def count_sequences(game: Game, depth: int) -> int:
    """How many sequences of so many decisions there are; a game that ends counts once."""
    if depth == 0 or game.over:
        return 1
    total = 0
    for action in game.legal_actions():
        after = game.clone()
        after.step(action)
        total += count_sequences(after, depth - 1)
    return total


def _ships(*cargo: tuple[str, int] | None) -> list[dict[str, object]]:
    return [
        {"size": size} if load is None else {"size": size, "good": load[0], "barrels": load[1]}
        for size, load in zip(SHIPS[4], cargo, strict=True)
    ]


POSITIONS: Final[dict[str, tuple[Callable[[], Game], int]]] = {
    "classic, 3 players, new game": (lambda: Game(RuleSet(3, "classic"), seed=7), 2),
    "1897-en, 4 players, new game": (lambda: Game(RuleSet(4, "1897-en"), seed=7), 2),
    "1897-de, 5 players, new game": (lambda: Game(RuleSet(5, "1897-de"), seed=7), 2),
    "1897-en, 2 players, new game": (lambda: Game(RuleSet(2, "1897-en"), seed=7), 2),
    "settler with hacienda and hospice": (
        lambda: board(
            "settler",
            seats={
                ALICE: {"city": {"hacienda": 1, "hospice": 1}},
                BOB: {"city": {"construction_hut": 1}},
            },
            on_top=("coffee", "tobacco"),
        ),
        4,
    ),
    "mayor with five workers on nine circles": (
        lambda: board(
            "mayor",
            seats={
                ALICE: {
                    "island": {"corn": [2, 1], "indigo": [2, 1], "quarry": [1, 1]},
                    "city": {"indigo_plant": 1, "hospice": 0},
                    "portrait": 1,
                }
            },
        ),
        5,
    ),
    "builder with twelve coins and a university": (
        lambda: board(
            "builder", seats={ALICE: {"coins": 12, "city": {"university": 1}}, BOB: {"coins": 2}}
        ),
        2,
    ),
    "captain in the rulebook's example": (
        lambda: board(
            "captain",
            seats={
                ALICE: {"goods": {"corn": 2, "sugar": 6}},
                BOB: {"goods": {"sugar": 2, "tobacco": 3}},
                CAROL: {"goods": {"corn": 2, "tobacco": 1}},
                DAVE: {"goods": {"corn": 1, "indigo": 5}},
            },
            ships=_ships(None, ("corn", 3), None),
        ),
        5,
    ),
    "captain with a harbor and a wharf": (
        lambda: board(
            "captain",
            turn=BOB,
            seats={
                BOB: {"goods": {"tobacco": 5, "sugar": 2}, "city": {"harbor": 1, "wharf": 1}},
                CAROL: {"goods": {"corn": 1, "coffee": 1}},
            },
            ships=_ships(("tobacco", 2), ("sugar", 1), None),
        ),
        5,
    ),
    "storage with both warehouses": (
        lambda: board(
            "storage",
            seats={
                ALICE: {
                    "goods": {"corn": 2, "indigo": 2, "sugar": 2, "tobacco": 2, "coffee": 2},
                    "city": {"small_warehouse": 1, "large_warehouse": 1},
                },
                BOB: {
                    "goods": {"corn": 3, "sugar": 1, "coffee": 1},
                    "city": {"small_warehouse": 1},
                },
            },
        ),
        4,
    ),
}
"""Where counting starts, and how deep it goes."""


def move_counts() -> str:
    """Count the sequences of decisions from each position, and behind each first decision."""
    lines = ["# sequences of 1, 2, ... decisions; below, those behind each first decision"]
    for name, (set_up, depth) in POSITIONS.items():
        game = set_up()
        counts = [count_sequences(game, length) for length in range(1, depth + 1)]
        lines += ["", f"{name}: {' '.join(str(count) for count in counts)}"]
        for action in game.legal_actions():
            after = game.clone()
            after.step(action)
            lines.append(f"  {game.name(action):24} {count_sequences(after, depth - 1)}")
    return "\n".join(lines) + "\n"


# -- action numbers --------------------------------------------------------------------------------


def action_numbers() -> str:
    """Write what each action number means, in all blocks, those of the expansions included."""
    lines = ["# number, name"]
    for block in BLOCKS:
        lines.append(f"# {block.kind} ({block.module})")
        lines += [f"{block.start + place} {name}" for place, name in enumerate(block.names)]
    return "\n".join(lines) + "\n"


ID_FILE: Final = f"{ENV_ID.rpartition('/')[2]}.txt"
"""What an id means does not move, its version does: this file is written once for each."""

FILES: Final[dict[str, Callable[[], str]]] = {
    "actions.txt": action_numbers,
    "move_counts.txt": move_counts,
    ID_FILE: meaning_of_id,
    "classic_3_players.txt": lambda: transcript(RuleSet(3, "classic"), seed=7),
    "1897-en_4_players.txt": lambda: transcript(RuleSet(4, "1897-en"), seed=11),
    "1897-de_5_players.txt": lambda: transcript(RuleSet(5, "1897-de"), seed=3),
    "1897-en_2_players.txt": lambda: transcript(RuleSet(2, "1897-en"), seed=2),
    "1897-en_4_players_expansions.txt": lambda: transcript(
        RuleSet(4, "1897-en", ALL_EXPANSIONS), seed=133
    ),
    "1897-de_2_players_expansions.txt": lambda: transcript(
        RuleSet(2, "1897-de", ALL_EXPANSIONS), seed=23
    ),
    "classic_3_players_expansions.txt": lambda: transcript(
        RuleSet(3, "classic", ("buildings", "citizens")), seed=64
    ),
}
"""What stands in each file."""


def store(name: str, folder: Path = HERE) -> None:
    """Write a file anew; what an id means is refused if it would move."""
    path, text = folder / name, FILES[name]()
    if name == ID_FILE and path.exists() and path.read_text(encoding="utf-8") != text:
        raise SystemExit(
            f"{ENV_ID} would mean something else than in {path}: move its version in "
            "prico_env/registration.py, as docs/versions.md says. Before the release that "
            "brings a version, delete its file instead, and this writes it anew"
        )
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Write every file anew."""
    for name in FILES:
        store(name)


if __name__ == "__main__":
    main()
