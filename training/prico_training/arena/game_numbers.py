"""The game in numbers: how long, how wide, how fair, and what is played, counted in whole games.

>>> from prico_env import RuleSet
>>> numbers = count_games(RuleSet(3), "random", games=20, seed=1)
>>> numbers["games"], numbers["decisions"]["mean"] > 100
(20, True)
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from prico_agents import load_agent
from prico_agents.batch_players import NOBODY, BatchPlayers
from prico_agents.compiled import CompiledAgent
from prico_agents.neural.policy import Policy, can_play
from prico_env import ALL_EXPANSIONS, Games, RuleSet, catalog
from prico_env.actions import BLOCKS
from prico_env.arguments import instance, whole
from prico_env.batch import LEAVE
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.errors import PricoError
from prico_env.game import check_seed
from prico_env.ruleset import check_rules
from prico_env.vocabulary import BUILDINGS, NUM_TILES, DecisionPoint, EndReason, Phase
from prico_training.arena.counterfactual import leads, pick_decisions, try_choices, win_shares
from prico_training.arena.game_numbers_page import page
from prico_training.arena.statistics import Estimate, proportion, ratio
from prico_training.files import write_text
from prico_training.progress import new_bar

RANDOM: Final = "random"
PLAYERS: Final = (RANDOM, "planner", "governor")
"""Who plays unless others are named: chance, and our best where they know the game."""
GAMES: Final = 500
"""Games among each kind of players in each rule set."""
PURCHASES: Final = 400
"""Games of which one purchase is tried in every way."""
WITH_PURCHASES: Final = (RuleSet(), RuleSet(expansions=("buildings",)))
"""Rule sets of the page in which purchases are tried."""
WITH_ACTIONS: Final = (RuleSet(), RuleSet(expansions=ALL_EXPANSIONS))
"""Rule sets of the page whose actions are told one by one."""
WITH_BUILDINGS: Final = 4
"""Players at the tables of the page whose buildings are told."""
_LEAST_OWNERS: Final = 30
"""Seats that must own a building, and that must not, before they are compared."""
_DIGITS: Final = 4

Choose = Callable[[Games], NDArray[np.int64]]


def run_numbers(
    agents: Sequence[str], rules: RuleSet | None, games: int | None, seed: int, output: Path | None
) -> None:
    """Carry out `prico numbers`: count, and print the tables or write the numbers.

    Args:
        agents: Who plays; nobody: `PLAYERS`.
        rules: What is played; None for the survey of the page.
        games: Games of each rule set and players; None for the usual number.
        seed: The first deal.
        output: Where the numbers go; None prints the tables.
    """
    games = GAMES if games is None else games
    if rules is None:
        counted = survey(games, min(games, PURCHASES), seed)
    else:
        names = agents or [name for name in PLAYERS if knows(name, rules)]
        for name in names:
            if not knows(name, rules):
                raise PricoError(f"{name!r} cannot play {rules}")
        counted = (count_games(rules, name, games, seed, min(games, PURCHASES)) for name in names)
    found = []
    with new_bar(Console(stderr=True)) as bar:
        task = bar.add_task("games", total=None, note="")
        for one in counted:
            found.append(one)
            bar.update(task, note=f"{len(found)} kinds of games counted")
    if output is not None:
        write_text(output, "".join(f"{line}\n" for line in to_lines(found)))
        print(f"The numbers are in {output}")
        return
    print(page(found), end="")


def survey_rules() -> list[RuleSet]:
    """The rule sets of the page: every table of each edition, then the expansions."""
    return [
        *(RuleSet(players, edition) for edition in catalog.names() for players in PLAYER_COUNTS),
        *(RuleSet(WITH_BUILDINGS, expansions=(name,)) for name in ALL_EXPANSIONS),
        *(RuleSet(players, expansions=ALL_EXPANSIONS) for players in PLAYER_COUNTS),
    ]


def survey(games: int, purchases: int, seed: int) -> Iterator[dict[str, Any]]:
    """Count games of every rule set of the page among each kind of players that know it.

    Args:
        games: Games of each rule set and players.
        purchases: Games of each of which one purchase is tried, where that is told.
        seed: The first deal.

    Yields:
        A JSON-ready dict for each: see :func:`count_games`; without what the page does not tell.
    """
    for rules in survey_rules():
        for name in PLAYERS:
            if not knows(name, rules):
                continue
            tried = purchases if rules in WITH_PURCHASES else 0
            numbers = count_games(rules, name, games, seed, tried)
            if rules not in WITH_ACTIONS:
                del numbers["actions"]
            if rules.players != WITH_BUILDINGS:
                del numbers["buildings"]
            yield numbers


def knows(name: str, rules: RuleSet) -> bool:
    """Whether an agent can sit at all seats of a batch of games.

    Raises:
        PricoError: It can do so in no game: neither is it compiled nor a network.
    """
    agent = load_agent(name)
    if isinstance(agent, Policy):
        return can_play(agent.saved, rules)
    what = f"games are counted among compiled agents and networks, and {name!r} is neither"
    instance(agent, CompiledAgent, what)
    return True


def to_lines(numbers: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write numbers as lines of JSON, one for each rule set and players."""
    return (json.dumps(each, separators=(",", ":")) for each in numbers)


# -- counting --------------------------------------------------------------------------------------


def count_games(
    rules: RuleSet, name: str, games: int, seed: int, purchases: int = 0
) -> dict[str, Any]:
    """Play games among copies of an agent and count what happens.

    Only decisions that leave a choice count. Intervals are of 95 %, as ``[mean, low, high]``.

    Args:
        rules: What is played.
        name: Who sits at all seats: a compiled agent or a network.
        games: How many games.
        seed: The first deal.
        purchases: Games of each of which one purchase is tried in every way, if the agent is
            compiled and has reasons to buy.

    Returns:
        JSON-ready numbers of the games: ``decisions``, ``rounds`` and ``winner`` (the best score)
        as mean, 5th and 95th percentile; ``choices`` of a decision as mean, median and most;
        ``log10_sequences``, the mean of the sum of log10 of the choices over a game, and
        ``log10_positions``, see :func:`log10_positions`; by seat
        ``wins`` and ``scores``; ``buildings`` by name, and what buying one now brings beside buying
        nothing in ``purchases``; ``kinds`` of actions taken in a game, and of single ``actions``
        how often in a game and in which share of the decisions that allowed them.
    """
    check_rules(rules)
    num_games = whole(games, "the number of games", 2)
    batch = Games(rules, num_games, seed=check_seed(seed), threads=1)
    choose = _chooser(name, rules, num_games, seed)
    counts = _Counts(batch)
    while not batch.over.all():
        actions = choose(batch)
        counts.add(batch, actions)
        batch.step(actions)
    numbers = {
        "rules": rules.to_dict(),
        "players": name,
        "games": num_games,
        "seed": seed,
        **counts.numbers(),
        "log10_positions": log10_positions(rules),
        **_ends(batch),
        **_seats(batch),
        "buildings": _buildings(batch),
        **counts.actions(rules),
    }
    agent = load_agent(name)
    if purchases and name != RANDOM and isinstance(agent, CompiledAgent):
        numbers["purchases"] = _worth_of_purchases(rules, agent, purchases, seed)
    return numbers


def _chooser(name: str, rules: RuleSet, games: int, seed: int) -> Choose:
    """How an agent decides in all games of a batch; -1 where one is over."""
    if name == RANDOM:
        return Games.sample
    agent = load_agent(name)
    actions = np.full(games, LEAVE, np.int64)
    if isinstance(agent, CompiledAgent):
        compiled = BatchPlayers([agent], games, seed)

        def play(batch: Games) -> NDArray[np.int64]:
            actions[:] = LEAVE
            compiled.choose(batch, np.where(batch.over, NOBODY, 0), actions)
            return actions

        return play
    network = instance(agent, Policy, "games are counted among compiled agents and networks")
    network.reset(0, rules, seed)

    def decide(batch: Games) -> NDArray[np.int64]:
        actions[:] = LEAVE
        going = np.flatnonzero(~batch.over)
        actions[going] = network.act_batch(batch.observations[going], batch.masks[going])
        return actions

    return decide


class _Counts:
    """What is counted while games are played."""

    def __init__(self, batch: Games) -> None:
        self._taken = np.zeros(batch.num_actions, np.int64)
        self._allowed = np.zeros(batch.num_actions, np.int64)
        self._choices = np.zeros(batch.num_actions + 1, np.int64)
        self._decisions = np.zeros(len(batch), np.int64)
        self._sequences = np.zeros(len(batch))

    def add(self, batch: Games, actions: NDArray[np.int64]) -> None:
        """Count the decisions that are about to be made."""
        going = np.flatnonzero(~batch.over)
        choices = batch.num_legal[going]
        self._taken += np.bincount(actions[going], minlength=len(self._taken))
        self._allowed += batch.masks[going].sum(axis=0)
        self._choices += np.bincount(choices, minlength=len(self._choices))
        self._decisions[going] += 1
        self._sequences[going] += np.log10(choices)

    def numbers(self) -> dict[str, Any]:
        """Length and breadth of the games."""
        sizes = np.arange(len(self._choices))
        total = self._choices.sum()
        half = np.searchsorted(self._choices.cumsum(), total / 2)
        mean = float(sizes @ self._choices / total)
        most = int(np.flatnonzero(self._choices).max())
        return {
            "decisions": _spread(self._decisions),
            "choices": {"mean": _round(mean), "median": int(half), "most": most},
            "log10_sequences": _round(float(self._sequences.mean())),
        }

    def actions(self, rules: RuleSet) -> dict[str, Any]:
        """How often each kind of action is taken in a game, and each single one."""
        games = len(self._decisions)
        kinds = {}
        for block in BLOCKS:
            taken = self._taken[block.start : block.start + len(block.names)].sum()
            if taken:
                kinds[block.kind] = _round(float(taken / games))
        actions = {
            name: [_round(float(taken / games)), _round(float(taken / allowed))]
            for name, taken, allowed in zip(
                rules.actions.names, self._taken, self._allowed, strict=True
            )
            if allowed
        }
        return {"kinds": kinds, "actions": actions}


def log10_positions(rules: RuleSet) -> float | None:
    """Bound the number of positions of the base game from above; None with expansions.

    Each kind of piece is laid out in every way, whatever the others do: goods of a kind at
    players, in the supply, in the house and on ships (one place); tiles of a kind, manned or not,
    at players, in the row, the discards and the deck, whose order does not count; each building at
    some players with so many workers in it; other workers at players, in the supply and on the
    register; coins at players, on role cards and in the bank; chips at players and in the supply;
    role cards free or with a player; a governor, a seat to act, a phase. What the rules never lead
    to is counted, so the truth lies below.
    """
    if rules.expansions:
        return None
    table, players = rules.table[0], rules.players
    roles = int(table["role_in_play"].sum())
    ways = players * players * len(Phase) * (players + 1) ** roles
    for goods in table["goods"]:
        ways *= _layouts(int(goods), players + 3)
    for tiles in table["plantations"]:
        ways *= _layouts(int(tiles), 2 * players + 3)
    ways *= _layouts(int(table["quarries"]), 2 * players + 1)
    for copies, circles in zip(table["copies"], table["circles"][NUM_TILES:], strict=True):
        owners = range(min(int(copies), players) + 1)
        ways *= sum(math.comb(players, count) * (int(circles) + 1) ** count for count in owners)
    workers = int(table["worker_supply"] + table["register_workers"])
    ways *= _layouts(workers, players + 2)
    coins = int(table["start"]["bank"] + table["start"]["coins"].sum())
    ways *= _layouts(coins, players + roles + 1)
    ways *= _layouts(int(table["vp_pool"]), players + 1)
    return _round(math.log10(ways))


def _layouts(pieces: int, places: int) -> int:
    """In how many ways equal pieces lie in some places."""
    return math.comb(pieces + places - 1, places - 1)


def _ends(batch: Games) -> dict[str, Any]:
    """Rounds, the winner's score and lead, and why games ended."""
    scores = np.sort(batch.scores(), axis=1).astype(np.float64)
    reasons = batch.state["end_reasons"]
    ends = {
        reason.name.lower(): _round(float((reasons & reason > 0).mean())) for reason in EndReason
    }
    return {
        "rounds": _spread(batch.state["round"]),
        "winner": _spread(scores[:, -1]),
        "mean_score": _round(float(scores.mean())),
        "lead_over_second": _round(float((scores[:, -1] - scores[:, -2]).mean())),
        "ties": _round(float(((batch.places() == 1).sum(axis=1) > 1).mean())),
        "ends": ends | {"truncated": _round(float(batch.truncated.mean()))},
    }


def _seats(batch: Games) -> dict[str, Any]:
    """Wins and scores by seat."""
    wins, deals = win_shares(batch), np.arange(len(batch))
    return {
        "wins": [_interval(proportion(wins[:, seat], deals)) for seat in range(wins.shape[1])],
        "scores": [_round(float(score)) for score in batch.scores().mean(axis=0)],
    }


def _buildings(batch: Games) -> dict[str, dict[str, Any]]:
    """How many seats own each building at the end, how often they win, and their lead."""
    wins, lead = win_shares(batch), leads(batch)
    players = wins.shape[1]
    all_owned = batch.state["owned"][:, :players, NUM_TILES:] > 0
    deals = np.repeat(np.arange(len(batch)), players)
    found: dict[str, dict[str, Any]] = {}
    for number, name in enumerate(BUILDINGS):
        owned = all_owned[:, :, number].ravel()
        if not owned.any():
            continue
        found[name] = {"owned": _round(float(owned.mean()))}
        if min(owned.sum(), (~owned).sum()) >= _LEAST_OWNERS:
            rows = np.unique(deals[owned], return_inverse=True)[1]
            found[name]["wins"] = _interval(proportion(wins.ravel()[owned], rows))
            found[name]["lead"] = _interval(_difference(lead.ravel(), owned, deals))
    return found


def _difference(
    values: NDArray[np.float64], chosen: NDArray[np.bool_], deals: NDArray[np.int64]
) -> Estimate:
    """The mean of chosen values less that of the others: a ratio whose deals are its units."""
    share = chosen.mean()
    return ratio(np.where(chosen, values / share, -values / (1 - share)), deals)


def _worth_of_purchases(
    rules: RuleSet, agent: CompiledAgent, games: int, seed: int
) -> dict[str, list[float]]:
    """Buy each building that a seat can pay, and nothing, in copies of its game: what it brings.

    One decision about a purchase of each game is tried in every way, and each copy is played to
    its end, as in notebook 07.

    Returns:
        By building, what is gained in lead over the mean of the others, as mean, low and high.
    """
    decisions = pick_decisions(rules, agent, DecisionPoint.BUY, games, seed)
    trials = try_choices(decisions, agent, seed)
    names = np.array(rules.actions.names)[trials.actions]
    gains, nothing = trials.leads(), np.full(len(decisions), np.nan)
    nothing[trials.rows[names == "pass"]] = gains[names == "pass"]
    gains = gains - nothing[trials.rows]
    found = {}
    for name in BUILDINGS:
        rows = np.flatnonzero((names == f"build:{name}") & ~np.isnan(gains))
        if len(rows) >= _LEAST_OWNERS:
            found[name] = _interval(ratio(gains[rows], np.arange(len(rows))))
    return found


# -- numbers as they are written -------------------------------------------------------------------


def _round(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _spread(values: NDArray[Any]) -> dict[str, float]:
    low, high = np.percentile(values, (5, 95))
    return {
        "mean": _round(float(np.mean(values))),
        "p5": _round(float(low)),
        "p95": _round(float(high)),
    }


def _interval(estimate: Estimate) -> list[float]:
    return [_round(estimate.mean), _round(estimate.low), _round(estimate.high)]
