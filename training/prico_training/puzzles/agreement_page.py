"""Tables of who finds the right actions of puzzles, and the page of them."""

from collections.abc import Mapping, Sequence
from typing import Final

from prico_training.arena.statistics import as_percentage
from prico_training.markdown import markdown_table
from prico_training.puzzles.agreement import Agreement, by_kind, by_source
from prico_training.puzzles.puzzle import Puzzle, PuzzleError
from prico_training.rule_sets import rule_set_name

HEAD: Final = """\
# Puzzles

Positions whose best action is sure, and who finds it. The tables are written by `make puzzles` from
[puzzles.json](puzzles.json), which a command measures:

```sh
prico puzzles                                # the first two tables; all agents that come along
prico puzzles planner my_module:MyAgent      # the same for others, as `prico arena` takes them
prico puzzles --json docs/puzzles.json       # and every choice as JSON
prico puzzles --make mine.jsonl --seed 2     # other puzzles, for --puzzles mine.jsonl; some minutes
```

Fifty positions are from games in which `planner`, `mcts:200` and `governor` sit at the seats by
lot: one of a game, three choices at least, twelve at most of a kind of decision. Three in five are
the base game of 1897 for four; the others have 2, 3 or 5 players, other editions or expansions. A
position is kept where

- four searches of 20,000 and 50,000 simulations, each with chance of its own, two with uniform
  priors and a tree that branches at tiles, buildings, sales and loads, too, name one action: with
  three in four of the simulations at least, and a win probability at least two points above that of
  any other;
- a search of 3,000 simulations whose leaves the network of `generalist` values names it, too;
- and rollouts do not object: 25 variants of the planner play on from it and from its three rivals,
  200 games each in the same deals, and no rival wins more often by more than five points.

What each of them said stands with the puzzle in `training/prico_training/puzzles/puzzles.jsonl`;
`prico_training.puzzles.read_puzzles` reads it. `prico puzzles --make FILE --seed 1` found them, in
two steps: the network's search was added when the other judges had found fifty, dropped eight, and
the command filled their places. That network has been trained anew and its search changed since.

Six more are those of [notebook 08](../notebooks/08_position_puzzles.ipynb), which were set up by
hand, to be hard, and which it settles by counting everything that may follow, or by playing on.

What this tells, and what not: a sure decision is not one that decides most games, and who finds all
of them may still choose badly where it is close. The leaves of four of the judges are valued by the
planner's evaluation, and `mcts:200` is a small search of their kind: that it finds all, or nearly
all, says little, and `planner` has an advantage, too. So this is no ranking: `governor` wins more
games than the planner does, and finds less. Brackets are 95 % intervals (Wilson's, each puzzle
counting as independent). Who draws has a seed for each puzzle. An agent is asked where it knows the
rule set; the second number says in how many.

## Solving them

```sh
prico puzzle                             # ten in the terminal, first those that you have not had
prico puzzle --kind load --count 3       # of one kind of decision; --easy: also what nobody misses
prico puzzle --new 5 --minutes 10        # looks for new ones in games among the agents
```

`prico serve` asks the same at `/puzzle`. Asked are the puzzles in which a natural player errs:
`corn`, `builder`, `trader` or `planner`, which go by what looks good. To an answer is said whether
it is right, by how much the searches that judged the puzzle see the best choice ahead, what a
search of 1,000 simulations expects after it and after yours, by what the best choice is better on
the board, and who would have gone wrong. New puzzles are judged like those that come along, and
kept in the data folder of the user, as is which ones were answered.

"""
_CLEAR: Final = 0.05
"""Below this, the p of rollouts would settle the matter without a search."""


def page(agreements: Sequence[Agreement], puzzles: Mapping[str, Puzzle]) -> str:
    """Write all tables as Markdown, without the head of the page in the repository.

    Raises:
        PuzzleError: The agreements are of other puzzles.
    """
    for each in agreements:
        if set(each.choices) != set(puzzles):
            raise PuzzleError(f"{each.name!r} was asked other puzzles; `make puzzles` asks again")
    played = [puzzle.rollouts for puzzle in puzzles.values() if puzzle.rollouts]
    alone = sum(each["lead"] > 0 and each["p"] < _CLEAR for each in played)
    words = f"Rollouts alone would be sure (p < {_CLEAR}) in {alone} of {len(played)}."
    single = _single(agreements, puzzles)
    return f"{tables(agreements, puzzles)}\n## Every puzzle\n\n{words}\n\n{single}\n"


def tables(agreements: Sequence[Agreement], puzzles: Mapping[str, Puzzle]) -> str:
    """Write the shares by source, and the counts by kind of decision, as Markdown."""
    shares, kinds = _shares(agreements, puzzles), _kinds(agreements, puzzles)
    return f"## Agreement\n\n{shares}\n\n## By kind of decision\n\n{kinds}\n"


def _shares(agreements: Sequence[Agreement], puzzles: Mapping[str, Puzzle]) -> str:
    sources = by_source(puzzles)
    heads = ["agent", *(f"{name}, {len(some)} puzzles" for name, some in sources.items())]
    rows = (
        [f"`{each.name}`", *(_count_and_share(each, some) for some in sources.values())]
        for each in agreements
    )
    return markdown_table(heads, rows, left=None)


def _kinds(agreements: Sequence[Agreement], puzzles: Mapping[str, Puzzle]) -> str:
    kinds = by_kind(puzzles)
    rows = (
        [f"`{each.name}`", *(_count(each, some) for some in kinds.values())] for each in agreements
    )
    return markdown_table(["agent", *(f"`{name}`" for name in kinds)], rows, left=None)


def _single(agreements: Sequence[Agreement], puzzles: Mapping[str, Puzzle]) -> str:
    heads = ["puzzle", "game", "round", "choices", "answer", "missed by"]
    rows = (_single_row(agreements, puzzle) for puzzle in puzzles.values())
    return markdown_table(heads, rows, left=None)


def _single_row(agreements: Sequence[Agreement], puzzle: Puzzle) -> list[str]:
    game = puzzle.game()
    answers = (None, *puzzle.answers)  # None: not asked
    missed = [each for each in agreements if each.choices[puzzle.name] not in answers]
    return [
        puzzle.name,
        rule_set_name(game.rules),
        str(game.round),
        str(len(game.legal_actions())),
        " or ".join(f"`{answer}`" for answer in puzzle.answers),
        ", ".join(f"`{each.name}`" for each in missed) or "nobody",
    ]


def _count_and_share(agreement: Agreement, puzzles: Sequence[Puzzle]) -> str:
    count, share = _count(agreement, puzzles), agreement.share(puzzles)
    return f"{count}: {as_percentage(share)}" if count else ""


def _count(agreement: Agreement, puzzles: Sequence[Puzzle]) -> str:
    share = agreement.share(puzzles)
    return f"{round(share.mean * share.count)} of {share.count}" if share.count else ""
