"""The Gymnasium environment: one learner at one seat, against opponents who are handed in."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np

from prico_env.arguments import number
from prico_env.core.rng import MAX_SEED
from prico_env.envs.episode import episodes_of_game
from prico_env.envs.observation_form import ObservationKind, form_of
from prico_env.envs.opponents import Opponent, seat_opponents
from prico_env.envs.rewards import potential
from prico_env.envs.spaces import (
    METADATA,
    action_space,
    check_illegal,
    check_reset,
    check_seat,
    has_render_mode,
    new_game,
    rules_from,
    warn_of_illegal,
)
from prico_env.errors import PricoError, quoted
from prico_env.feature_scaling import ScalingKind
from prico_env.game import action_number, check_scheme
from prico_env.observation_layout import check_scaling
from prico_env.render import check_render_mode, render
from prico_env.ruleset import RuleSet


class SingleSeatEnv(gymnasium.Env[Any, int]):
    """The game as one learner meets it: a step is a decision of its own.

    The opponents play inside ``step``, until the learner is to decide again or the game is over.
    The reward is the learner's own, whoever made the last move; ``info["rewards"]``, float64 of
    shape ``(players,)``, holds what the step paid every seat. When the game ends,
    ``info["episode"]`` says how it went for the learner; see :mod:`prico_env.envs.episode`.

    Attributes:
        game: The :class:`prico_env.Game` being played.
        rules: Its rule set.
        seat: The learner's seat in this game.
    """

    metadata = METADATA

    def __init__(  # noqa: PLR0913 - every option is a keyword of its own
        self,
        rules: RuleSet | Mapping[str, Any] | None = None,
        *,
        seat: int | Literal["random", "rotate"] = 0,
        opponents: str | Opponent | Sequence[str | Opponent] = "random",
        reward: str = "win",
        shaping: float = 0.0,
        scaling: ScalingKind = "standard",
        observation: ObservationKind = "flat",
        illegal: Literal["replace", "raise"] = "replace",
        flat: bool = False,
        render_mode: str | None = None,
        **fields: Any,
    ) -> None:
        """Make an environment; ``reset`` deals the first game.

        Args:
            rules: A rule set or the dict of one; or its fields as further keywords, such as
                ``players=3``.
            seat: The learner's seat, ``"random"`` to draw it for each game, or ``"rotate"`` to
                take the seats in turn (a reset with a seed starts again at seat 0).
            opponents: A name, or a callable ``(game, seat, rng) -> action``, for all other seats;
                or a list with one for each, clockwise from the learner's left.
            reward: Reward scheme: ``"win"``, ``"rank"`` or ``"margin"``, paid at the end.
            shaping: Reward for each VP of lead gained on the way, given back at the end; 0 is off.
            scaling: How features are scaled, as in :meth:`ObservationLayout.scaling`:
                ``"standard"``, ``"range"`` or ``"raw"``.
            observation: ``"flat"`` for the vector, or ``"entities"`` for boards and objects, arrays
                by the names ``self``, ``others``, ``table`` and ``objects``; see
                :class:`prico_env.entity_layout.EntityLayout`.
            illegal: What an illegal action of the learner does: ``"replace"`` plays a random legal
                one in its place, sets ``info["illegal_action"]`` and warns the first time;
                ``"raise"`` raises :class:`prico_env.IllegalActionError`.
            flat: Whether the observation is the bare vector; the mask is then only in ``info``
                and in :meth:`action_masks`.
            render_mode: How ``render`` shows games, one of `prico_env.render.RENDER_MODES`,
                or None.
            **fields: Fields of a rule set.

        Raises:
            PricoError: An argument is not one of these.
        """
        self.rules = rules_from(rules, fields)
        self._seat_choice = check_seat(seat, self.rules.players)
        self._opponents = seat_opponents(opponents, self.rules.players - 1)
        self.reward = check_scheme(reward)
        self.shaping = number(shaping, "shaping")
        self.scaling = check_scaling(scaling)
        self.illegal = check_illegal(illegal)
        self._form = form_of(self.rules, observation, self.scaling, flat)
        self.flat = not self._form.with_mask
        self.render_mode = check_render_mode(render_mode)

        self.action_space = action_space(self.rules)  # type: ignore[assignment]
        self.observation_space = self._form.make_space()
        self._episode = -1
        self._warned = False
        self.seat = 0 if isinstance(self._seat_choice, str) else self._seat_choice

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal a new game and play it to the learner's first decision.

        Args:
            seed: Deals the same game as ``Game(rules, seed)`` and starts the generator that
                opponents and later resets draw from.
            options: ``{"position": d}`` starts from a position dict; ``{"seat": s}`` puts the
                learner at a seat for this game only.

        Returns:
            The learner's observation, and ``info`` with its mask and seat.
        """
        seed, asked = check_reset(seed, options)
        choice = check_seat(asked.get("seat", self._seat_choice), self.rules.players)
        position = asked.get("position")
        if position is not None:
            new_game(self.rules, 0, position)  # refuses it before anything is drawn
        super().reset(seed=seed)
        self._episode = 0 if seed is not None else self._episode + 1
        self.seat = self._choose_seat(choice)
        deal = seed if seed is not None else int(self.np_random.integers(MAX_SEED, endpoint=True))
        self.game = new_game(self.rules, deal, position)
        self._potential = potential(self.game, self.shaping)
        self._return, self._length = 0.0, 0
        self._play_others()
        return self._observation(), self._info(np.zeros(self.rules.players))

    def _choose_seat(self, choice: int | str) -> int:
        if choice == "random":
            return int(self.np_random.integers(self.rules.players))
        if choice == "rotate":
            return self._episode % self.rules.players
        return int(choice)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's decision and play on to its next one.

        Args:
            action: A legal action.

        Returns:
            Observation, the learner's reward, terminated, truncated, info.

        Raises:
            IllegalActionError: The action is not legal and ``illegal="raise"``.
            PricoError: There was no ``reset``, or the game is over.
        """
        self._require_reset("step")
        game = self.game
        if game.over:
            raise PricoError("the game is over: call reset() before the next step()")
        if type(action) is not int:
            action = action_number(action)
        legal = self._is_legal(action)
        game.step(action if legal else self._replacement(action))
        self._play_others()
        rewards = game.rewards(self.reward) if game.over else np.zeros(self.rules.players)
        if self.shaping:
            before, self._potential = self._potential, potential(game, self.shaping)
            rewards += self._potential - before
        reward = float(rewards[self.seat])
        self._return += reward
        self._length += 1
        info = self._info(rewards)
        if not legal:
            info["illegal_action"] = True
        truncated = bool(game.truncated)
        return self._observation(), reward, game.over and not truncated, truncated, info

    def _require_reset(self, call: str) -> None:
        if "game" not in self.__dict__:
            raise PricoError(f"there is no game yet: call reset() before {call}()")

    def _play_others(self) -> None:
        """Let the opponents act until the learner is to decide, or the game is over."""
        game, players = self.game, self.rules.players
        while not game.over and game.turn != self.seat:
            seat = game.turn
            opponent = self._opponents[(seat - self.seat) % players - 1]
            game.step(opponent(game, seat, self.np_random))

    def _is_legal(self, action: int) -> bool:
        if self.illegal == "raise":
            return True  # the game checks, and says what is wrong
        return 0 <= action < self.rules.num_actions and bool(self.game.mask()[action])

    def _replacement(self, action: int) -> int:
        """Draw a legal action in place of an illegal one, and say so once."""
        if not self._warned:
            self._warned = True
            warn_of_illegal(
                f"action {quoted(action)} is not legal here; a random legal action is played in "
                "its place."
            )
        legal = self.game.legal_actions()
        return int(legal[int(self.np_random.integers(len(legal)))])

    # -- what the learner sees ---------------------------------------------------------------------

    def action_masks(self) -> np.ndarray:
        """Return the learner's legal actions, bool, ``(num_actions,)``, as sb3-contrib asks.

        All ones when the game is over: a vector of environments that is about to deal anew asks
        for one more action, which it ignores, and a masked sampler has to find one.
        """
        self._require_reset("action_masks")
        mask = self.game.mask()
        mask |= self.game.over
        return mask

    def _observation(self) -> Any:
        features = self.rules.observation.scale(self.game.observation(self.seat), self.scaling)
        mask = self.action_masks().view(np.int8)
        return self._form.show(features, mask)

    def _info(self, rewards: np.ndarray) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self.action_masks().view(np.int8),
            "seat": self.seat,
            "rewards": rewards,
        }
        if self.game.over:
            episodes = episodes_of_game(self.game, [self._length] * self.rules.players)
            info["scores"] = np.array([episode["score"] for episode in episodes])
            info["places"] = np.array([episode["place"] for episode in episodes])
            sums = {"r": self._return, "l": self._length}
            info["episode"] = episodes[self.seat] | sums
        return info

    def render(self) -> Any:
        """Show the board in the way the render mode says."""
        if not has_render_mode(self.render_mode):
            return None
        self._require_reset("render")
        return render(self.game, self.render_mode)
