"""The learning curve: the learner alone among copies of each opponent, on deals it never learns."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prico_agents.neural.checkpoint import SavedPolicy
from prico_agents.neural.policy import Policy
from prico_env import RuleSet
from prico_training.arena.comparisons import matrix
from prico_training.arena.game_table import GameTable
from prico_training.arena.match import Contestant, game_lines, play
from prico_training.arena.schedule import LineUp
from prico_training.arena.statistics import Estimate, proportion
from prico_training.learning.metrics import MEAN_WIN, Row, win_in, win_of

CURVE_SEED: Final = 1_000_000_000
"""First deal of the learning curve; training never gets there."""
_LEARNER: Final = "learner"


class Curve:
    """Who is met for each point, by which rules, and on how many deals."""

    def __init__(
        self, rules: RuleSet | Sequence[RuleSet], opponents: Sequence[str], deals: int
    ) -> None:
        """Invite the opponents.

        Args:
            rules: What is played; several rule sets count the same.
            opponents: Who is met.
            deals: Deals in each rule set.

        Raises:
            AgentError: There is no such agent.
        """
        self._rule_sets = (rules,) if isinstance(rules, RuleSet) else tuple(rules)
        self._deals = range(deals)
        self._opponents = [Contestant.of(name, name) for name in opponents]
        for contestant in self._opponents:
            contestant.release(contestant.make())

    def point(self, policy: SavedPolicy, go_on: Callable[[], bool]) -> Row:
        """Play; the deals are the same every time.

        Args:
            policy: What plays.
            go_on: Asked before each opponent; if not, nothing is told about those left.

        Returns:
            Columns of `prico_training.learning.metrics`.
        """
        learner, row, wins = Contestant(_LEARNER, lambda: Policy(policy)), Row(), []
        for rival in self._opponents:
            if not go_on():
                return row
            met = [self._meet(learner, rival, rules) for rules in self._rule_sets]
            win_rate = met[0].win_rate if len(met) == 1 else self._mean_of(met)
            wins.append(win_rate.mean)
            row[win_of(rival.name)] = win_rate.mean
            row[f"{win_of(rival.name)}_low"] = win_rate.low
            row[f"{win_of(rival.name)}_high"] = win_rate.high
            row[f"lead_{rival.name}"] = float(np.mean([each.lead for each in met]))
            if len(met) > 1:
                for rules, each in zip(self._rule_sets, met, strict=True):
                    row[win_in(rival.name, rules)] = each.win_rate.mean
        row[MEAN_WIN] = float(np.mean(wins))
        return row

    def _meet(self, learner: Contestant, rival: Contestant, rules: RuleSet) -> "_Met":
        """Play all deals from every seat, alone among copies of one opponent."""
        lines, seats = [], range(rules.players)
        seeds = [CURVE_SEED + deal for deal in self._deals]
        shares = np.zeros(len(self._deals))
        for seat in seats:
            table = [learner if here == seat else rival for here in seats]
            line_up = LineUp(seat, "copies", tuple(each.name for each in table))
            played = game_lines(rules, line_up, CURVE_SEED, self._deals, play(rules, table, seeds))
            shares += np.array([line["wins"][seat] for line in played]) / rules.players
            lines += played
        performance = matrix(GameTable.of(lines))[learner.name, rival.name]
        return _Met(performance.win_rate, performance.margin_others.mean, shares)

    def _mean_of(self, met: Sequence["_Met"]) -> Estimate:
        """The win rate over all rule sets, of which each is a stratum of deals."""
        shares = np.concatenate([each.shares for each in met])
        strata = np.repeat(np.arange(len(met)), len(self._deals))
        several = strata if len(self._deals) > 1 else None
        return proportion(shares, np.arange(len(shares)), strata=several)


class _Met(NamedTuple):
    """How the learner did among copies of an opponent in one rule set.

    Attributes:
        win_rate: Its win rate.
        lead: Its mean score less that of the others.
        shares: Its win rate on each deal.
    """

    win_rate: Estimate
    lead: float
    shares: NDArray[np.float64]


class CurvePlayer(Protocol):
    """Who plays points of the curve, one at a time."""

    def ask(self, policy: SavedPolicy) -> None:
        """Have a point played, after the one before has been answered."""

    def answer(self, go_on: Callable[[], bool], *, wait: bool) -> Row | None:
        """Return the point that was asked for, once.

        Args:
            go_on: Asked now and then; if not, the point may lack what `Curve.point` says.
            wait: Whether to wait until it has been played.

        Returns:
            Columns of `prico_training.learning.metrics`; None if it has not been played yet.
        """

    def close(self) -> None:
        """Stop other processes."""


class LocalCurve:
    """Plays the points itself, at the moment they are to be answered; see `CurvePlayer`."""

    def __init__(self, curve: Curve) -> None:
        """Play points of this curve."""
        self._curve = curve
        self._asked: SavedPolicy | None = None

    def ask(self, policy: SavedPolicy) -> None:
        """Note what is to be played."""
        self._asked = policy

    def answer(self, go_on: Callable[[], bool], *, wait: bool) -> Row | None:
        """Play the point that was asked for, whether somebody waits or not."""
        policy, self._asked = self._asked, None
        return None if policy is None else self._curve.point(policy, go_on)

    def close(self) -> None:
        """There is no other process."""
