"""A checkpoint that plays."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from prico_agents.analysis import Analysis, Candidate, brief, only_choice
from prico_agents.base import AgentError, View, check_seating, check_view
from prico_agents.neural.checkpoint import SavedPolicy, load_policy
from prico_agents.neural.entity_network import EntityAdapter
from prico_agents.neural.layout import network_layout, numbers_at
from prico_agents.neural.network import best, draw, in_seat_order, softmax, win_probabilities
from prico_agents.neural.player_counts import PlayerCountAdapter
from prico_env import RuleSet
from prico_env.errors import quoted
from prico_env.text.terms import explanation


class Policy:
    """Plays what a trained network likes best.

    Attributes:
        saved: What was trained, and for which rule set. It also plays others with the same
            numbers, and tables of other sizes if it was trained at them.
        network: What it thinks with at the table it sits at.
        greedy: Whether it plays its favourite; if not, it draws.
    """

    short_setting: ClassVar = "choice"

    def __init__(
        self,
        checkpoint: str | Path | SavedPolicy,
        choice: Literal["greedy", "sampled"] = "greedy",
        temperature: float = 1.0,
    ) -> None:
        """Load a policy.

        Args:
            checkpoint: The folder of a checkpoint, or of a training run (its newest one); or what
                it holds.
            choice: Whether it plays its favourite, or draws by its probabilities.
            temperature: Of the draw: below 1 it keeps closer to its favourites, above 1 less close.
        """
        if temperature <= 0:
            raise AgentError(
                f"temperature must be above 0, not {temperature:g}; the favourite alone is "
                "choice=greedy"
            )
        if choice == "greedy" and temperature != 1:
            raise AgentError("temperature says how to draw; it needs choice=sampled")
        if not isinstance(checkpoint, SavedPolicy):
            checkpoint = load_policy(checkpoint)
        self.saved = checkpoint
        self.greedy = choice == "greedy"
        self._temperature = np.float32(temperature)
        self._tables = tables_of(self.saved)
        self._adapt_to(self.saved.rules)
        self._generator = np.random.default_rng(0)

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game; refuses one whose numbers mean something else."""
        seed = check_seating(seat, rules, seed)
        if not can_play(self.saved, rules):
            raise AgentError(
                f"this policy has learnt {self.saved.describe()}; it cannot play {rules}"
            )
        if rules != self._rules:
            self._adapt_to(rules)
        self._generator = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """Choose one of the allowed actions."""
        check_view(view)
        return int(self.act_batch(view.observation[None], view.legal[None])[0])

    def act_batch(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Choose an action in each game, shape ``(num_games,)``."""
        features, actions = self._widths
        if not _are_decisions(observations, legal, self._widths):
            raise AgentError(
                f"this policy decides on observations, uint8 of shape (games, {features}), and on "
                f"masks, bool of shape (games, {actions}), not on {quoted(observations)} and "
                f"{quoted(legal)}"
            )
        logits = self.network.logits(observations, legal)
        if self.greedy:
            return best(logits)
        return draw(logits / self._temperature, self._generator)

    def analyse(self, view: View) -> Analysis:
        """Say how likely each move is to be the best, and whom the network sees ahead."""
        check_view(view)
        logits = self.network.logits(view.observation[None], view.legal[None])
        shares = softmax(logits / self._temperature)[0]
        candidates = tuple(
            Candidate(action, shares[action], words=view.game.describe(action))
            for action in sorted(view.choices, key=lambda action: -logits[0, action])
        )
        twin = copy.copy(self)
        twin._generator = copy.deepcopy(self._generator)
        chosen = twin.act(view)
        chances = self._judge(view)
        reasons = tuple(_reasons(view.rules.edition, view.seat, chosen, candidates, chances))
        return Analysis(view.seat, chosen, candidates, chances, reasons)

    def _judge(self, view: View) -> tuple[float, ...]:
        """Every seat's chance to win; empty where the network does not judge."""
        own = self.network.judges_own_seat
        eyes = range(view.rules.players) if own else (view.seat,)
        seen = np.stack([view.game.observation(seat) for seat in eyes])
        legal = np.repeat(view.legal[None], len(seen), axis=0)
        _, values = self.network.evaluate(seen, legal)
        if values is None:
            return ()
        judged = values.reshape(1, -1) if own else in_seat_order(values, np.array([view.seat]))
        return tuple(win_probabilities(judged)[0].tolist())

    def _adapt_to(self, rules: RuleSet) -> None:
        self._rules = rules
        self._widths = rules.observation.num_features, rules.num_actions
        self.network = self._tables.network(self.saved.weights, rules)


def _reasons(
    edition: str,
    seat: int,
    chosen: int,
    candidates: tuple[Candidate, ...],
    chances: tuple[float, ...],
) -> Iterator[str]:
    """How sure the network is, and whom it sees ahead."""
    favourite = candidates[0]
    move = brief(favourite.words)
    if len(candidates) == 1:
        yield only_choice(edition, favourite)
    elif chosen != favourite.action:
        drawn = next(each for each in candidates if each.action == chosen)
        shares = {"here": drawn.share, "there": favourite.share}
        yield explanation(edition, "drawn", move=brief(drawn.words), other=move, **shares)
    elif favourite.share == 1:
        yield explanation(edition, "sure", move=move)
    else:
        other = candidates[1]
        shares = {"here": favourite.share, "there": other.share}
        yield explanation(edition, "likes", move=move, other=brief(other.words), **shares)
    if chances:
        leader = max(range(len(chances)), key=chances.__getitem__)
        figures = {"leader": leader, "there": chances[leader], "seat": seat, "here": chances[seat]}
        yield explanation(edition, "leads" if leader == seat else "leads_you", **figures)


def _are_decisions(observations: Any, legal: Any, widths: tuple[int, int]) -> bool:
    """Whether these are arrays with a row for each decision, of the widths that are known."""
    arrays = isinstance(observations, np.ndarray) and isinstance(legal, np.ndarray)
    if not arrays or observations.dtype != np.uint8 or legal.dtype != np.bool_:
        return False
    games = observations.shape[:1]
    return observations.shape == (*games, widths[0]) and legal.shape == (*games, widths[1])


def can_play(saved: SavedPolicy, rules: RuleSet) -> bool:
    """Whether a policy has learnt to play at such a table, and its numbers mean the same there."""
    return saved.plays(rules.players) and can_read(saved, rules)


def can_read(saved: SavedPolicy, rules: RuleSet) -> bool:
    """Whether features and actions mean the same as in the rule set of a policy.

    The number of players may be another one: see `prico_agents.neural.player_counts`. An entity
    network finds them by their names; so it also reads games with fewer expansions.
    """
    shown = network_layout(rules)
    if saved.axes is None:
        return shown == network_layout(numbers_at(saved.rules, rules.players))
    known = network_layout(saved.rules)
    return all(set(ours) <= set(theirs) for ours, theirs in zip(shown, known, strict=True))


def tables_of(saved: SavedPolicy) -> PlayerCountAdapter | EntityAdapter:
    """Return what fits the weights of a policy to each table."""
    if saved.axes is None:
        return PlayerCountAdapter(saved.rules, saved.layout)
    return EntityAdapter(saved.rules, saved.axes)
