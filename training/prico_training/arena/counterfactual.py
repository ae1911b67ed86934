"""The same game twice: a decision is made in every way, and each copy is played to its end.

What the ends differ in, the decision has caused. Looking at finished games says less: whoever is
ahead has other choices than whoever is behind.

>>> from prico_agents import load_agent
>>> from prico_env import RuleSet
>>> from prico_env.vocabulary import DecisionPoint
>>> player = load_agent("corn")
>>> decisions = pick_decisions(RuleSet(3), player, DecisionPoint.CHOOSE_ROLE, 4, seed=1)
>>> trials = try_choices(decisions, player, seed=1)
>>> len(decisions), len(trials.leads()) == int(decisions.num_legal.sum())
(4, True)
"""

from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.batch_players import NOBODY, BatchPlayers
from prico_agents.compiled import CompiledAgent
from prico_env import Games, RuleSet
from prico_env.arguments import instance, items, whole, whole_numbers
from prico_env.batch import LEAVE
from prico_env.game import check_seed
from prico_env.ruleset import check_rules
from prico_env.vocabulary import DecisionPoint

_MOST_GAMES: Final = 1_000_000
"""Games that are played side by side; more take more memory than there is."""


class Trials(NamedTuple):
    """Choices, each made in a copy of its game that was then played to its end."""

    rows: NDArray[np.int64]
    """Which of the decisions each choice belongs to, int64, shape ``(n,)``."""
    actions: NDArray[np.int64]
    """The action numbers, int64, shape ``(n,)``."""
    seats: NDArray[np.int8]
    """Who decided, int8, shape ``(n,)``."""
    games: Games
    """The copies, which are over."""

    def leads(self) -> NDArray[np.float64]:
        """Who decided ends so many VP above the mean of the others, shape ``(n,)``."""
        return leads(self.games)[np.arange(len(self.seats)), self.seats]

    def wins(self) -> NDArray[np.float64]:
        """The share of the victory of who decided, shape ``(n,)``."""
        return win_shares(self.games)[np.arange(len(self.seats)), self.seats]


def leads(games: Games) -> NDArray[np.float64]:
    """Every seat's score less the mean of the others', shape ``(n, seats)``."""
    _check_games(games)
    scores = games.scores().astype(np.float64)
    others = (scores.sum(axis=1, keepdims=True) - scores) / (scores.shape[1] - 1)
    return scores - others


def win_shares(games: Games) -> NDArray[np.float64]:
    """Each seat's share of the victory in each game, shape ``(n, seats)``."""
    _check_games(games)
    first = games.places() == 1
    return first / first.sum(axis=1, keepdims=True)


def pick_decisions(
    rules: RuleSet, player: CompiledAgent, point: DecisionPoint, count: int, seed: int
) -> Games:
    """Play games, and stop each at one of its decisions of a kind, all of them equally likely.

    Args:
        rules: The rule set.
        player: Who plays at all seats.
        point: The kind of decision.
        count: How many games to play.
        seed: The first deal; all chance comes from it.

    Returns:
        The games that had such a decision, standing there.
    """
    check_rules(rules)
    _check_player(player)
    instance(point, DecisionPoint, "a kind of decision is a DecisionPoint")
    seed = check_seed(seed)
    never = np.zeros(whole(count, "the number of games", 1, _MOST_GAMES), np.int64)
    _, asked = _play_until(rules, player, point, never, seed)
    chosen = 1 + (np.random.default_rng(seed).random(count) * asked).astype(np.int64)
    games, _ = _play_until(rules, player, point, chosen, seed)
    return games.take(np.flatnonzero(asked))


def _check_player(player: object) -> None:
    """Refuse players who cannot play in compiled code."""
    instance(player, CompiledAgent, "a player is a compiled agent, such as load_agent('planner')")


def _check_games(games: object) -> None:
    """Refuse what are no games played side by side."""
    instance(games, Games, "games played side by side are Games")


def _play_until(
    rules: RuleSet,
    player: CompiledAgent,
    point: DecisionPoint,
    chosen: NDArray[np.int64],
    seed: int,
) -> tuple[Games, NDArray[np.int64]]:
    """Play games up to the chosen one of their decisions of a kind; count those that came."""
    count = len(chosen)
    games = Games(rules, count, seed=seed, observe=False, threads=1)
    players = BatchPlayers([player], count, seed)
    asked = np.zeros(count, np.int64)
    rests = games.over
    while not rests.all():
        asks = ~rests & (games.state["decision_point"] == int(point))
        asked[asks] += 1
        rests |= asks & (asked == chosen)
        _decide(games, players, rests)
        rests |= games.over
    return games, asked


def try_choices(
    decisions: Games, player: CompiledAgent, seed: int, among: Collection[int] | None = None
) -> Trials:
    """Make every choice of every decision, each in a copy of its game, and play on to the end.

    The copies of a decision have the same tiles to come, and players with the same chance.

    Args:
        decisions: Games of one rule set that wait for a decision.
        player: Who plays on at all seats.
        seed: Decides what the players draw.
        among: The actions to try where they are allowed; all when left out.
    """
    _check_games(decisions)
    _check_player(player)
    seed = check_seed(seed)
    allowed = decisions.masks
    if among is not None:
        chosen = whole_numbers(items(among, "actions"), "actions")
        allowed = allowed & np.isin(np.arange(decisions.num_actions), chosen)
    rows, actions = np.nonzero(allowed)
    games = decisions.take(rows)
    seats = games.turn.copy()
    players = BatchPlayers([player], len(rows), seed)
    players.generators[:] = players.generators[rows]  # the same chance in all copies
    games.step(actions)
    while not games.over.all():
        _decide(games, players, games.over)
    return Trials(rows, actions, seats, games)


def _decide(games: Games, players: BatchPlayers, rests: NDArray[np.bool_]) -> None:
    """Make one decision in every game that does not rest."""
    actions = np.full(len(games), LEAVE, np.int64)
    players.choose(games, np.where(rests, NOBODY, 0), actions)
    games.step(actions)
