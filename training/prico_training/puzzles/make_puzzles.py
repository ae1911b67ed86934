"""Draws positions from games among the agents, and keeps those whose best action is sure.

An answer is sure when the four `SEARCHES` name it, each with chance of its own and by a clear
margin, a search that values positions otherwise names it, too, and rollouts do not object:

1. Two searches have uniform priors and branch at tiles, buildings, sales and loads, too; two have
   the priors of the greedy policy. They make 20,000 simulations, and 50,000. In each of them the
   action has at least `LEAST_SHARE` of the simulations, and a win probability at least
   `LEAST_LEAD` above that of every other action tried.
2. The leaves of these are valued by the planner's evaluation. Those of `NETWORK_SEARCH` are valued
   by a network that has learnt from the ends of games; it makes the most simulations of the same
   action, by whatever margin.
3. The action and its `RIVALS`, the actions that the last of the four tries most beside it, are
   played on to the end in the same deals of what is hidden. Copies of a planner sit at all seats,
   `VARIANTS` planners one after the other, each with weights of its own within `SPREAD` of the
   usual ones, so that a decision is not judged by one line of play alone. They object where a rival
   wins more often by more than `MOST_BEHIND`. The file also holds the p of the lead over the
   closest rival, by a sign-flip test over the variants and Holm's method over the rivals.

The figures of a puzzle are those of `judge` with its deal as the seed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from prico_agents import Agent, AgentError, View, analysis_of, load_agent
from prico_agents.compiled import CompiledAgent
from prico_agents.heuristic_engine.weights import by_field, describe_weights
from prico_env import ALL_EXPANSIONS, Game, Games, RuleSet
from prico_env.game import check_seed
from prico_env.vocabulary import DecisionPoint
from prico_training.arena.counterfactual import try_choices
from prico_training.arena.statistics import holm, sign_flip
from prico_training.files import write_text
from prico_training.puzzles.puzzle import NOTEBOOK, SELF_PLAY, Puzzle, read_puzzles

PLAYERS: Final = ("planner", "mcts:200", "governor")
"""Who plays the games; each seat draws one of those that know the rules."""
SEARCHES: Final = (
    "mcts:20000,prior=uniform,branch=main",
    "mcts:20000",
    "mcts:50000,prior=uniform,branch=main",
    "mcts:50000",
)
NETWORK_SEARCH: Final = "mcts:3000,network=generalist"
ROLLOUT_PLAYER: Final = "planner"
LEAST_SHARE: Final = 0.75
LEAST_LEAD: Final = 0.02
VARIANTS: Final = 25
SPREAD: Final = 0.2
DEALS: Final = 8
"""What is hidden is dealt so often for each variant."""
RIVALS: Final = 3
MOST_BEHIND: Final = 0.05
LEAST_CHOICES: Final = 3
MOST_OF_KIND: Final = {
    DecisionPoint.CHOOSE_ROLE: 12,
    DecisionPoint.BUY: 10,
    DecisionPoint.TAKE_TILE: 8,
    DecisionPoint.LOAD: 8,
    DecisionPoint.PLACE: 8,
    DecisionPoint.SELL: 5,
    DecisionPoint.CRAFTSMAN_PRIVILEGE: 5,
    DecisionPoint.STORE: 4,
}
"""The kinds of decisions, and how many puzzles each may have."""
_VARIANTS: Final = (
    RuleSet(2),
    RuleSet(4, expansions=("buildings",)),
    RuleSet(3),
    RuleSet(4, "classic"),
    RuleSet(5),
    RuleSet(4, expansions=ALL_EXPANSIONS),
    RuleSet(4, "1897-de"),
    RuleSet(2),
    RuleSet(4, expansions=("citizens",)),
    RuleSet(3),
    RuleSet(4, expansions=("smuggler",)),
    RuleSet(5),
    RuleSet(4, expansions=ALL_EXPANSIONS),
    RuleSet(4, expansions=("festival",)),
    RuleSet(2),
    RuleSet(4, "classic"),
    RuleSet(3),
    RuleSet(4, expansions=ALL_EXPANSIONS),
    RuleSet(5),
    RuleSet(4, "1897-de"),
)
RULE_SETS: Final = tuple(
    rules
    for first, second in zip(_VARIANTS[::2], _VARIANTS[1::2], strict=True)
    for rules in (RuleSet(4), first, RuleSet(4), second, RuleSet(4))
)
"""The rule set of every puzzle: three in five are the base game for four."""
_SEEDS_OF_PUZZLE: Final = 10_000
"""Deals between those that two puzzles begin to look among."""


class Position(NamedTuple):
    """A decision of a game, and how the game came there."""

    game: Game
    """The game, with the seat to act to move."""
    played: dict[str, Any]
    """What replays it, as `Puzzle` keeps it."""


class Verdict(NamedTuple):
    """What a search says of a decision."""

    actions: tuple[int, ...]
    """All actions, the one with the most simulations first: that is the answer."""
    sure: bool
    """Whether its margin is clear."""
    report: dict[str, Any]
    """The figures, as `Puzzle` keeps them."""


def make_puzzles(output: Path, seed: int) -> Iterator[Puzzle]:
    """Write a file with the puzzles of the notebook, and one of self-play for each of `RULE_SETS`.

    What such a file has already stays, so that the same command goes on where it was stopped.

    Args:
        output: The file.
        seed: Decides all chance.

    Yields:
        Each puzzle of self-play, when the file holds it.

    Raises:
        PuzzleError: The file holds something else.
    """
    seed = check_seed(seed)
    made = read_puzzles(output) if output.exists() else {}
    for puzzle in read_puzzles().values():
        if puzzle.source == NOTEBOOK:
            made.setdefault(puzzle.name, puzzle)
    for number, rules in enumerate(RULE_SETS):
        name = f"self-play {number + 1:02}"
        if name not in made:
            deal = _SEEDS_OF_PUZZLE * (len(RULE_SETS) * seed + number)
            of_kind = Counter(puzzle.kind for puzzle in made.values() if puzzle.source == SELF_PLAY)
            made[name] = find_puzzle(name, rules, deal, of_kind)
            write_text(output, "".join(f"{each.to_line()}\n" for each in made.values()))
        yield made[name]


def find_puzzle(
    name: str, rules: RuleSet, seed: int, of_kind: Counter[DecisionPoint] | None = None
) -> Puzzle:
    """Look for a puzzle in game after game: one position of each kind, the rarest kind first.

    Args:
        name: What the puzzle is called.
        rules: The rule set.
        seed: The first deal; all chance comes from it.
        of_kind: How many puzzles of each kind there are already; a kind that has `MOST_OF_KIND`
            is left out.
    """
    of_kind = of_kind or Counter()
    kinds = [kind for kind, most in MOST_OF_KIND.items() if of_kind[kind] < most]
    kinds.sort(key=lambda kind: of_kind[kind] / MOST_OF_KIND[kind])
    while True:
        positions = draw_positions(rules, seed)
        for kind in kinds:
            puzzle = judge(name, positions[kind], seed) if kind in positions else None
            if puzzle is not None:
                return puzzle
        seed += 1


def draw_positions(rules: RuleSet, seed: int) -> dict[DecisionPoint, Position]:
    """Play a game among `PLAYERS`; return one of its decisions of each kind, all equally likely.

    Returns:
        Positions by the kind of decision; without kinds that never had `LEAST_CHOICES`.
    """
    chance = np.random.default_rng(seed)
    game = Game(rules, seed=seed)
    able = [name for name in PLAYERS if _knows(name, rules)]
    players = [
        _seated(str(chance.choice(able)), seat, rules, seed) for seat in range(rules.players)
    ]
    chosen: dict[DecisionPoint, Position] = {}
    seen: Counter[DecisionPoint] = Counter()
    actions: list[int] = []
    while not game.over:
        kind = DecisionPoint(int(game.state["decision_point"][0]))
        if kind in MOST_OF_KIND and len(game.legal_actions()) >= LEAST_CHOICES:
            seen[kind] += 1
            if chance.random() < 1 / seen[kind]:
                chosen[kind] = Position(game.clone(), {"seed": seed, "actions": list(actions)})
        actions.append(players[game.turn].act(View.of(game)))
        game.step(actions[-1])
    return chosen


def judge(name: str, position: Position, seed: int) -> Puzzle | None:
    """Ask the judges of a position.

    Returns:
        The puzzle, or None unless the searches are sure of one action and rollouts do not object.
    """
    game = position.game
    verdicts: list[Verdict] = []
    for number, agent in enumerate(SEARCHES):
        verdicts.append(search(game, agent, len(SEARCHES) * seed + number))
        if not verdicts[-1].sure or verdicts[-1].actions[0] != verdicts[0].actions[0]:
            return None
    otherwise = search(game, NETWORK_SEARCH, seed)
    if otherwise.actions[0] != verdicts[0].actions[0]:
        return None
    action, *others = verdicts[-1].actions
    rollouts = roll_out(game, action, others[:RIVALS], seed)
    if rollouts["lead"] < -MOST_BEHIND:
        return None
    return Puzzle(
        name,
        SELF_PLAY,
        (game.name(action),),
        game.to_dict(),
        position.played,
        tuple(each.report for each in (*verdicts, otherwise)),
        rollouts,
    )


def search(game: Game, agent: str, seed: int) -> Verdict:
    """What a search says, and whether it is sure."""
    player = _seated(agent, game.turn, game.rules, seed)
    analysis = analysis_of(player, View.of(game))
    assert analysis is not None
    best, *others = sorted(
        analysis.candidates,
        key=lambda each: (each.action != analysis.action, -(each.share or 0.0)),
    )
    share = best.share or 0.0
    rival = max((each.chances[game.turn] for each in others if each.chances), default=0.0)
    lead = best.chances[game.turn] - rival
    report = {
        "agent": agent,
        "seed": seed,
        "action": game.name(best.action),
        "share": round(share, 4),
        "lead": round(lead, 4),
    }
    actions = tuple(each.action for each in (best, *others))
    return Verdict(actions, share >= LEAST_SHARE and lead >= LEAST_LEAD, report)


def roll_out(game: Game, action: int, rivals: Sequence[int], seed: int) -> dict[str, Any]:
    """Let variants of the planner play on after an action and its rivals, in the same deals.

    Args:
        game: The position.
        action: The action.
        rivals: Others to compare it with, one at least.
        seed: Decides the variants, and what is hidden.

    Returns:
        The figures, as `Puzzle` keeps them.
    """
    chance = np.random.default_rng(seed)
    start = Games.of([game], observe=False, threads=1).take(np.zeros(DEALS, np.int64))
    seats = start.turn.copy()
    among = sorted((action, *rivals))
    rates = np.zeros((VARIANTS, len(among)))
    for number in range(VARIANTS):
        copies = start.take(np.arange(DEALS))
        copies.determinize(seats, chance.integers(2**32, size=DEALS))
        trials = try_choices(copies, _variant(chance), number, among)
        rates[number] = trials.wins().reshape(DEALS, -1).mean(axis=0)
    mine = among.index(action)
    ahead = np.delete(rates[:, [mine]] - rates, mine, axis=1)
    p_values = holm([sign_flip(each) for each in ahead.T])
    return {
        "player": ROLLOUT_PLAYER,
        "variants": VARIANTS,
        "deals": DEALS,
        "lead": round(float(ahead.mean(axis=0).min()), 4),
        "p": float(f"{max(p_values):.2g}"),
    }


def _variant(chance: np.random.Generator) -> CompiledAgent:
    """A planner whose weights are multiplied by numbers within `SPREAD` of 1."""
    usual = load_agent(ROLLOUT_PLAYER)
    assert isinstance(usual, CompiledAgent)
    weights = {
        name: value * chance.uniform(1 - SPREAD, 1 + SPREAD)
        for name, value, _ in describe_weights(usual.weights)
        if not name.startswith("lookahead")
    }
    variant = load_agent(ROLLOUT_PLAYER, **by_field(weights))
    assert isinstance(variant, CompiledAgent)
    return variant


def _knows(name: str, rules: RuleSet) -> bool:
    """Whether an agent sits down to play by these rules."""
    try:
        _seated(name, 0, rules, 0)
    except AgentError:
        return False
    return True


def _seated(name: str, seat: int, rules: RuleSet, seed: int) -> Agent:
    agent = load_agent(name)
    agent.reset(seat, rules, seed)
    return agent
