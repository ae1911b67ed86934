"""The page of the game in numbers, written from what was counted."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from prico_env import RuleSet
from prico_env.actions import BLOCKS
from prico_env.errors import PricoError
from prico_training.markdown import markdown_table

Numbers = dict[str, Any]
"""What `game_numbers.count_games` returns."""

HEAD: Final = """\
# The game in numbers

Written by `make reference` from [game_numbers.jsonl](game_numbers.jsonl), which a command plays and
counts:

```sh
prico numbers --output docs/game_numbers.jsonl   # what this page tells; some minutes
prico numbers corn --players 3 --games 200       # the same tables for agents and rules of yours
```

Copies of one agent sit at all seats: `random`, which takes each legal action with the same chance;
`planner`; or `governor`, a network that has learnt the base game of 1897, where its numbers mean
the same. Forced decisions are carried out by the engine and not counted. Ranges are from the 5th to
the 95th percentile of the games, brackets are 95 % intervals whose independent units are games.
With the new buildings the players draft the board first.

"""
_ALL: Final = 4
"""Expansions that are all there are."""


def read_lines(text: str) -> list[Numbers]:
    """Read numbers from the lines of JSON that `prico numbers` wrote.

    Raises:
        PricoError: They are none.
    """
    try:
        return [dict(json.loads(line)) for line in text.splitlines()]
    except (ValueError, TypeError) as error:
        raise PricoError(f"these are no numbers of games: {error}") from None


def page(numbers: Sequence[Numbers]) -> str:
    """Write the tables as Markdown, without the head of the page in the repository.

    Raises:
        PricoError: Something is missing in the numbers, or not of its kind.
    """
    sections = (_length, _size, _ends, _seats, _buildings, _purchases, _kinds, _actions)
    try:
        parts = ["\n".join(section(numbers)) for section in sections]
    except (AttributeError, KeyError, TypeError, IndexError, ValueError) as error:
        raise PricoError(f"these are no numbers of games: {type(error).__name__} {error}") from None
    return "\n\n".join(part for part in parts if part) + "\n"


# -- sections --------------------------------------------------------------------------------------


def _length(numbers: Sequence[Numbers]) -> Iterator[str]:
    yield from ("## Length and choices", "")
    yield from _table(
        "game | players are | decisions a game | choices: mean, median, most | rounds | games",
        (
            (
                _name(row),
                f"`{row['players']}`",
                _spread(row["decisions"]),
                f"{row['choices']['mean']:.1f}, {row['choices']['median']}, "
                f"{row['choices']['most']}",
                _spread(row["rounds"]),
                f"{row['games']:,}",
            )
            for row in numbers
        ),
    )


def _size(numbers: Sequence[Numbers]) -> Iterator[str]:
    yield from ("## Complexity", "")
    yield (
        "In decimal logarithms. *Game tree*: the sum of log10 of the choices over a game, on the "
        "mean of the games. *Positions*: an upper bound that lays out each kind of piece in every "
        "way, whatever the others do (`prico_training.arena.game_numbers.log10_positions` says "
        "which; base game only). In the literature chess has a game tree of 123 and 46 for the "
        "positions, Othello 58 and 28, Go 360 and 172 (van den Herik, Uiterwijk and van Rijswijck, "
        "Games solved: now and in the future, 2002)."
    )
    yield ""
    names = list(dict.fromkeys(row["players"] for row in numbers))
    trees: dict[str, dict[str, float]] = {}
    bounds: dict[str, float | None] = {}
    for row in numbers:
        trees.setdefault(_name(row), {})[row["players"]] = row["log10_sequences"]
        bounds[_name(row)] = row["log10_positions"]
    heads = " | ".join(f"game tree, `{name}`" for name in names)
    yield from _table(
        f"game | {heads} | positions, at most",
        (
            (
                game,
                *(_or_blank(tree.get(name), "{:.0f}") for name in names),
                _or_blank(bounds[game], "{:.0f}"),
            )
            for game, tree in trees.items()
        ),
    )


def _ends(numbers: Sequence[Numbers]) -> Iterator[str]:
    yield from ("## Scores and ends", "")
    yield (
        "The best score of a game, the mean of all seats, the lead over the second, and what "
        "brought the last round; several causes may come in one round."
    )
    yield ""
    yield from _table(
        "game | players are | best score | mean score | lead | ties | workers gone | a city full "
        "| chips gone",
        (
            (
                _name(row),
                f"`{row['players']}`",
                _spread(row["winner"]),
                f"{row['mean_score']:.1f}",
                f"{row['lead_over_second']:.1f}",
                f"{row['ties']:.1%}",
                *(f"{row['ends'][reason]:.0%}" for reason in ("workers", "city", "vp")),
            )
            for row in numbers
        ),
    )


def _seats(numbers: Sequence[Numbers]) -> Iterator[str]:
    yield from ("## Seats", "")
    yield (
        "Share of the victories by seat, then its mean score; seat 0 is the first governor. "
        "[Notebook 07](../notebooks/07_seat_balance_and_building_values.ipynb) draws them."
    )
    yield ""
    most = max(len(row["wins"]) for row in numbers)
    heads = " | ".join(f"seat {seat}" for seat in range(most))
    yield from _table(
        f"game | players are | even | {heads}",
        (
            (
                _name(row),
                f"`{row['players']}`",
                f"{1 / len(row['wins']):.0%}",
                *(
                    f"{_share(wins)}; {score:.1f}"
                    for wins, score in zip(row["wins"], row["scores"], strict=True)
                ),
                *[""] * (most - len(row["wins"])),
            )
            for row in numbers
        ),
    )


def _buildings(numbers: Sequence[Numbers]) -> Iterator[str]:
    told = [row for row in numbers if row.get("buildings")]
    if not told:
        return
    yield from ("## Buildings at the end", "")
    yield (
        "Share of the seats that own a building at the end; the share of their games that its "
        "owners win; and their lead over the mean of the others, beside the lead of those who do "
        "not own it. Who is ahead has coins and buys: a lead may be the cause of a purchase as "
        "well as its effect."
    )
    for row in told:
        yield from ("", f"### {_heading(row)}", "")
        yield from _table(
            "building | owned | owners win | lead beside others (VP)",
            (
                (
                    f"`{name}`",
                    f"{one['owned']:.1%}",
                    _share(one["wins"]) if "wins" in one else "",
                    _points(one["lead"]) if "lead" in one else "",
                )
                for name, one in _sorted(row["buildings"], lambda one: -one["owned"])
            ),
        )


def _purchases(numbers: Sequence[Numbers]) -> Iterator[str]:
    told = [row for row in numbers if row.get("purchases")]
    if not told:
        return
    yield from ("## What a purchase brings", "")
    yield (
        "One decision about a purchase of each game is made in every way, each in a copy that is "
        "then played to its end: the lead over the mean of the others after buying, less that "
        "after buying nothing in the same position. This is the effect of the purchase, on the "
        "mean of all positions in which it could be paid."
    )
    for row in told:
        yield from ("", f"### {_heading(row)}, by purchase", "")
        yield from _table(
            "building | lead it brings (VP)",
            (
                (f"`{name}`", _points(one))
                for name, one in _sorted(row["purchases"], lambda one: -one[0])
            ),
        )


def _kinds(numbers: Sequence[Numbers]) -> Iterator[str]:
    told = [row for row in numbers if row.get("actions")]
    if not told:
        return
    yield from ("## Kinds of actions", "")
    yield (
        "How often an action of each kind is taken in a game, all seats together; blank where "
        "never. [Actions](../prico_env/reference/actions.md) says what they mean."
    )
    yield ""
    taken = {kind for row in told for kind in row["kinds"]}
    heads = " | ".join(_heading(row) for row in told)
    yield from _table(
        f"kind | {heads}",
        (
            (
                f"`{block.kind}`",
                *(_or_blank(row["kinds"].get(block.kind), "{:.3g}") for row in told),
            )
            for block in BLOCKS
            if block.kind in taken
        ),
    )


def _actions(numbers: Sequence[Numbers]) -> Iterator[str]:
    games: dict[str, list[Numbers]] = {}
    for row in numbers:
        if row.get("actions"):
            games.setdefault(_name(row), []).append(row)
    if not games:
        return
    yield from ("## Single actions", "")
    yield (
        "How often each action is taken in a game, all seats together, and in brackets in how many "
        "of the decisions that allow it; blank where none did."
    )
    for game, rows in games.items():
        yield from ("", f"### {game}, by action", "")
        names = list(dict.fromkeys(name for row in rows for name in row["actions"]))
        heads = " | ".join(f"`{row['players']}`" for row in rows)
        yield from _table(
            f"action | {heads}",
            ((f"`{name}`", *(_taken(row["actions"].get(name)) for row in rows)) for name in names),
        )


# -- cells -----------------------------------------------------------------------------------------


def _table(head: str, rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield markdown_table(head.split(" | "), rows, left=None)


def _name(row: Numbers) -> str:
    """What is played, in words."""
    rules = RuleSet.from_dict(row["rules"])
    modules = "all expansions" if len(rules.expansions) == _ALL else " and ".join(rules.expansions)
    options = {key: value for key, value in row["rules"].items() if key not in _NAMED}
    more = [modules, *(f"{key} {value}" for key, value in options.items())]
    return ", ".join([rules.edition, *filter(None, more), f"{rules.players} players"])


_NAMED: Final = ("players", "edition", "expansions")
"""What the name of a game tells of its rules by itself."""


def _heading(row: Numbers) -> str:
    return f"{_name(row)}, `{row['players']}`"


def _sorted(found: dict[str, Any], key: Callable[[Any], float]) -> list[tuple[str, Any]]:
    return sorted(found.items(), key=lambda pair: key(pair[1]))


def _spread(values: dict[str, float]) -> str:
    return f"{values['mean']:.1f} ({values['p5']:.0f} to {values['p95']:.0f})"


def _share(interval: Sequence[float]) -> str:
    mean, low, high = (100 * value for value in interval)
    return f"{mean:.1f} % [{low:.1f}, {high:.1f}]"


def _points(interval: Sequence[float]) -> str:
    mean, low, high = interval
    return f"{mean:+.1f} [{low:+.1f}, {high:+.1f}]"


def _taken(action: Sequence[float] | None) -> str:
    return "" if action is None else f"{action[0]:.2f} ({action[1]:.0%})"


def _or_blank(value: float | None, form: str) -> str:
    return "" if value is None else form.format(value)
