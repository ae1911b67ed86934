"""The Gymnasium environment of many games at once: a native ``VectorEnv`` over a batch.

By default every seat acts in turn, so that one policy can play all of them; with a ``seat`` the
environment is the batch form of :class:`prico_env.envs.single_seat.SingleSeatEnv`.
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from prico_env.arguments import flag, one_of, whole, whole_numbers
from prico_env.batch import Games
from prico_env.envs.learner_batch import LearnerBatch, OpponentChoice, SelfPlayBatch, is_random
from prico_env.envs.spaces import (
    METADATA,
    action_space,
    check_illegal,
    check_reset,
    feature_space,
    has_render_mode,
    masked_space,
    rules_from,
    warn_of_illegal,
)
from prico_env.errors import PricoError
from prico_env.feature_scaling import ScalingKind
from prico_env.observation_layout import check_scaling
from prico_env.render import check_render_mode, render
from prico_env.ruleset import RuleSet

_SEED_LIMIT = 2**62


class PuertoRicoVectorEnv(VectorEnv[Any, np.ndarray, np.ndarray]):
    """Many games side by side, stepped by compiled code.

    Observations are ``{"observation": float32 (n, num_features), "action_mask": int8
    (n, num_actions)}`` of the seats to act, features scaled. ``rewards`` are those of the seats
    that acted. Beside the mask, ``info`` holds ``turn`` (the seat to act, -1 in a game that is
    over) and ``rewards`` (what the step paid every seat, shape ``(n, players)``), and for games
    that have just ended ``scores``, ``places`` and ``episode`` (arrays of shape ``(n, players)``,
    or ``(n,)`` with a ``seat``; see :mod:`prico_env.envs.episode`). A game that is over shows what
    the seat that acted last sees, with a mask of ones: whatever is chosen there is ignored.

    With a ``seat``, observations, masks and rewards are the learner's, and a step goes on to its
    next decision.

    Attributes:
        games: The :class:`prico_env.Games` being played.
        rules: The rule set.
    """

    def __init__(  # noqa: PLR0913 - every option is a keyword of its own
        self,
        num_envs: int = 1,
        rules: RuleSet | Mapping[str, Any] | None = None,
        *,
        seat: int | Literal["random", "rotate"] | None = None,
        opponents: OpponentChoice = "random",
        reward: str = "win",
        shaping: float = 0.0,
        scaling: ScalingKind = "standard",
        illegal: Literal["replace", "raise"] = "replace",
        flat: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        render_mode: str | None = None,
        **fields: Any,
    ) -> None:
        """Make the environment; ``reset`` deals the first games.

        Args:
            num_envs: Games side by side.
            rules: A rule set; or its fields as further keywords, such as ``players=3``.
            seat: The learner's seat, as in :class:`learner_batch.LearnerBatch`; None lets
                every seat act.
            opponents: Who plays the other seats, likewise; only with a ``seat``.
            reward: Reward scheme: ``"win"``, ``"rank"`` or ``"margin"``, paid at the end.
            shaping: Reward for each VP of lead gained on the way, given back at the end; 0 is off.
            scaling: How features are scaled, as in :meth:`ObservationLayout.scaling`:
                ``"standard"``, ``"range"`` or ``"raw"``.
            illegal: What an illegal action does, as in :class:`SingleSeatEnv`.
            flat: Whether observations are bare vectors, with the masks only in ``info``.
            autoreset_mode: When a game that is over is dealt anew: with the next step, whose action
                it ignores; in the same step, with the last observation in ``info["final_obs"]``;
                or by ``reset(options={"reset_mask": ...})`` only.
            threads: As in :class:`prico_env.Games`.
            render_mode: How ``render`` shows games, one of `prico_env.render.RENDER_MODES`,
                or None.
            **fields: Fields of a rule set.

        Raises:
            PricoError: An argument is not one of these.
        """
        self.rules = rules_from(rules, fields)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = METADATA | {"autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs = whole(num_envs, "num_envs", 1)
        self.render_mode = check_render_mode(render_mode)
        self.illegal = check_illegal(illegal)
        self.flat = flag(flat, "flat")
        self.scaling = check_scaling(scaling)
        if seat is None and not is_random(opponents):
            raise PricoError("opponents play only when the learner has a seat; give seat= too")
        options: dict[str, Any] = {"reward": reward, "shaping": shaping, "threads": threads}
        self._batch: LearnerBatch | SelfPlayBatch = (
            SelfPlayBatch(self.rules, num_envs, **options)
            if seat is None
            else LearnerBatch(self.rules, num_envs, seat=seat, opponents=opponents, **options)
        )
        self.games: Games = self._batch.games
        self.single_action_space: spaces.Discrete = action_space(self.rules)
        self.single_observation_space = (
            feature_space(self.rules, self.scaling)
            if self.flat
            else masked_space(self.rules, self.scaling)
        )
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._ended = np.zeros(num_envs, dtype=bool)
        self._dealt = False
        self._warned = False

    # -- playing -----------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal games anew.

        Args:
            seed: Game ``i`` is then dealt as ``Game(rules, seed + i)``; None goes on with other
                deals.
            options: ``{"reset_mask": m}`` deals only where the bool array ``m`` of shape
                ``(num_envs,)`` says so.

        Returns:
            Observations and info of all games.
        """
        seed, asked = check_reset(seed, options)
        where = asked.get("reset_mask")
        if where is not None:
            where = self._checked_reset_mask(where)
        super().reset(seed=seed)
        if seed is None and not self._dealt:
            seed = int(self.np_random.integers(_SEED_LIMIT))
        self._batch.deal(seed, where)
        self._dealt = True
        self._ended = self.games.over.copy()
        return self._observations(), self._info()

    def _checked_reset_mask(self, where: Any) -> np.ndarray:
        if not isinstance(where, np.ndarray) or where.dtype != np.bool_:
            raise PricoError("options['reset_mask'] must be a NumPy array of dtype bool")
        if where.shape != (self.num_envs,):
            raise PricoError(
                f"options['reset_mask'] must have the shape ({self.num_envs},), not {where.shape}"
            )
        if not where.any():
            raise PricoError("options['reset_mask'] names no game to deal anew")
        if not self._dealt and not where.all():
            raise PricoError("the first reset deals every game; leave reset_mask out")
        return where

    def step(
        self, actions: np.ndarray
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Carry out one decision in every game.

        Args:
            actions: One action for each game, shape ``(num_envs,)``; in a game that is over it is
                ignored.

        Returns:
            Observations, rewards float32 ``(num_envs,)``, terminations and truncations bool
            ``(num_envs,)``, info.

        Raises:
            IllegalActionError: Some actions are not legal and ``illegal="raise"``; nothing has
                changed.
            PricoError: There was no ``reset``; or without autoreset, a game is over.
        """
        if not self._dealt:
            raise PricoError("there are no games yet: call reset() before step()")
        actions = whole_numbers(actions, "actions", (self.num_envs,))
        replaced = np.zeros(self.num_envs, dtype=bool)
        resetting = self._ended
        if self.autoreset_mode is AutoresetMode.DISABLED and resetting.any():
            raise PricoError(
                f"games {np.flatnonzero(resetting).tolist()} are over: deal them anew with "
                "reset(options={'reset_mask': mask}) first"
            )
        if self.illegal == "replace":
            actions, replaced = self._with_legal_actions(actions, ~resetting)
        self._batch.step(actions, ~resetting)
        if resetting.any():
            self._batch.deal(where=resetting)
        rewards = self._batch.rewards.copy()
        truncations = self.games.truncated.copy()
        self._ended = self.games.over.copy()
        terminations = self._ended & ~truncations
        info = self._info()
        if self._ended.any():
            info["episode"] = self._batch.episodes()
            info["_episode"] = self._ended.copy()
        if replaced.any():
            info["illegal_action"], info["_illegal_action"] = replaced, replaced.copy()
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            info = self._deal_in_same_step(info)
        return self._observations(), rewards, terminations, truncations, info

    def _deal_in_same_step(self, last_info: dict[str, Any]) -> dict[str, Any]:
        """Deal what has just ended, and return an info that also tells of the end."""
        ended = self._ended
        last = self._observations()
        final_obs = np.full(self.num_envs, None, dtype=object)
        for game in np.flatnonzero(ended).tolist():
            final_obs[game] = (
                last[game] if self.flat else {key: rows[game] for key, rows in last.items()}
            )
        final_info = {k: rows & ended if k[0] == "_" else rows for k, rows in last_info.items()}
        self._batch.deal(where=ended)
        self._ended = self.games.over.copy()
        info = self._info()
        told = {"rewards", "episode", "_episode", "illegal_action", "_illegal_action"}
        for key in told & last_info.keys():
            info[key] = last_info[key]
        info["final_obs"], info["_final_obs"] = final_obs, ended.copy()
        info["final_info"], info["_final_info"] = final_info, ended.copy()
        return info

    def _with_legal_actions(
        self, actions: np.ndarray, moving: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Put random legal actions in the place of illegal ones; say which, and warn once."""
        within = (actions >= 0) & (actions < self.rules.num_actions)
        legal = self.games.masks[np.arange(self.num_envs), np.where(within, actions, 0)] & within
        replaced = moving & ~legal
        if not replaced.any():
            return actions, replaced
        if not self._warned:
            self._warned = True
            warn_of_illegal(
                f"games {np.flatnonzero(replaced).tolist()} got illegal actions; random legal ones "
                "are played in their place."
            )
        return np.where(replaced, self.games.sample(), actions), replaced

    # -- what is seen ------------------------------------------------------------------------------

    def action_masks(self) -> np.ndarray:
        """Return the legal actions, bool, ``(num_envs, num_actions)``; ones in a finished game."""
        return self._batch.action_masks()

    def _observations(self) -> Any:
        features = self.rules.observation.scale(self._batch.features(), self.scaling)
        if self.flat:
            return features
        return {"observation": features, "action_mask": self.action_masks().view(np.int8)}

    def _info(self) -> dict[str, Any]:
        games = self.games
        info: dict[str, Any] = {
            "action_mask": self.action_masks().view(np.int8),
            "turn": games.turn.astype(np.int64),
        }
        info |= self._batch.info()
        for key in tuple(info):
            info[f"_{key}"] = np.ones(self.num_envs, dtype=bool)
        if games.over.any():
            for key, rows in (("scores", games.scores()), ("places", games.places())):
                info[key], info[f"_{key}"] = np.array(rows), games.over.copy()
        return info

    def sample_actions(self) -> np.ndarray:
        """Draw a legal action for each game, each as likely, shape ``(num_envs,)``."""
        return self.games.sample().copy()

    def render(self) -> tuple[Any, ...] | None:
        """Show every board in the way the render mode says."""
        if not has_render_mode(self.render_mode):
            return None
        frames = tuple(render(self.games[i], self.render_mode) for i in range(self.num_envs))
        return None if frames[0] is None else frames


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return an autoreset mode by itself or by its name in Gymnasium.

    Raises:
        PricoError: There is no such mode.
    """
    modes = {each.value: each for each in AutoresetMode}
    return mode if isinstance(mode, AutoresetMode) else modes[one_of(mode, modes, "autoreset mode")]


def make_seated(
    num_envs: int = 1, rules: RuleSet | Mapping[str, Any] | None = None, **options: Any
) -> PuertoRicoVectorEnv:
    """Make the batch form of the Gymnasium id: one learner a game, at seat 0 unless told."""
    return PuertoRicoVectorEnv(num_envs, rules, **({"seat": 0} | options))
