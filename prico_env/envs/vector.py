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
from prico_env.envs.observation_form import ObservationKind, form_of
from prico_env.envs.spaces import (
    METADATA,
    action_space,
    check_illegal,
    check_reset,
    has_render_mode,
    rules_from,
    warn_of_illegal,
)
from prico_env.errors import PricoError
from prico_env.feature_scaling import ScalingKind
from prico_env.observation_layout import check_scaling
from prico_env.render import check_render_mode, render
from prico_env.ruleset import RuleSet
from prico_env.step_thread import StepThread
from prico_env.vocabulary import Outcome

_SEED_LIMIT = 2**62
_SAME_STEP, _DISABLED = AutoresetMode.SAME_STEP, AutoresetMode.DISABLED
_TRUNCATED = int(Outcome.TRUNCATED)


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
        observation: ObservationKind = "flat",
        illegal: Literal["replace", "raise"] = "replace",
        flat: bool = False,
        copy: bool = True,
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
            observation: ``"flat"`` for the vector, or ``"entities"`` for boards and objects, arrays
                by the names ``self``, ``others``, ``table`` and ``objects``; see
                :class:`prico_env.entity_layout.EntityLayout`.
            illegal: What an illegal action does, as in :class:`SingleSeatEnv`.
            flat: Whether observations are bare vectors, with the masks only in ``info``.
            copy: Whether every reset and step returns observations and masks of its own. Without,
                they lie in the same memory each time: copy what is to be kept before the next call.
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
        self.scaling = check_scaling(scaling)
        self._form = form_of(self.rules, observation, self.scaling, flat)
        self.flat = not self._form.with_mask
        self.copy = flag(copy, "copy")
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
        self.single_observation_space = self._form.make_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._memory = self._new_memory()
        self._every = np.ones(num_envs, dtype=bool)
        self._every.setflags(write=False)  # every info shares it
        self._final_masks = np.broadcast_to(np.int8(1), (num_envs, self.rules.num_actions))
        self._dealt = False
        self._warned = False
        self._sent = StepThread()

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
        self._sent.check_idle("reset()")
        seed, asked = check_reset(seed, options)
        where = asked.get("reset_mask")
        if where is not None:
            where = self._checked_reset_mask(where)
        super().reset(seed=seed)
        if seed is None and not self._dealt:
            seed = int(self.np_random.integers(_SEED_LIMIT))
        self._batch.deal(seed, where)
        self._dealt = True
        told = self._present(self._batch.step_info(), self._every)
        if self._batch.over.any():
            endings = self._batch.endings()
            del endings["episode"]  # it was told when the game ended
            told |= self._present(endings, self._batch.over)
        return self._observations(), self._info(told)

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
        self._sent.check_idle("step()")
        return self._step(self._checked_actions(actions))

    def send(self, actions: np.ndarray) -> None:
        """Start a step on a thread and return at once; `recv` waits for its end.

        Until then, the games belong to that thread: call nothing else.

        Args:
            actions: As for `step`; they are copied.

        Raises:
            PricoError: There was no ``reset``, or a step was sent and has not been received.
        """
        self._sent.send(self._step, self._checked_actions(actions).copy())

    def recv(self) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Wait for the step that was sent, and return or raise what `step` does.

        Raises:
            PricoError: No step was sent.
        """
        received: tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]
        received = self._sent.recv()
        return received

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads, after a step that may be under way."""
        self._sent.close()
        self.games.close()

    def _checked_actions(self, actions: np.ndarray) -> np.ndarray:
        if not self._dealt:
            raise PricoError("there are no games yet: call reset() before step()")
        return whole_numbers(actions, "actions", (self.num_envs,))

    def _step(
        self, actions: np.ndarray
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        batch = self._batch
        resetting = batch.ended
        if len(resetting) > 0 and self.autoreset_mode is _DISABLED:
            raise PricoError(
                f"games {resetting.tolist()} are over: deal them anew with "
                "reset(options={'reset_mask': mask}) first"
            )
        replaced = None
        if not batch.are_allowed(actions):
            if self.illegal == "replace":
                actions, replaced = self._with_legal_actions(actions)
            actions = batch._allowed(actions)
        batch._advance(actions, resetting)
        rewards, over = batch.rewards.copy(), batch.over
        ended = batch.ended
        truncations = np.zeros(self.num_envs, dtype=bool)
        told = self._present(batch.step_info(), self._every)
        if replaced is not None:
            told |= self._present({"illegal_action": replaced}, replaced)
        if len(ended) > 0:
            truncations[ended] = self.games.state["outcome"][ended] == _TRUNCATED
            endings = self._present(batch.endings(), over)
            if self.autoreset_mode is _SAME_STEP:
                told |= {"episode": endings["episode"], "_episode": endings["_episode"]}
                told |= self._final(over, told | endings)
                batch._deal(ended)
            else:
                told |= endings
        observations = self._observations()
        return observations, rewards, over & ~truncations, truncations, self._info(told)

    def _final(self, ended: np.ndarray, told: dict[str, Any]) -> dict[str, Any]:
        """Return what info tells of games that have just ended before they are dealt anew."""
        mask = np.ones(self.rules.num_actions, dtype=np.int8)
        final_obs = np.full(self.num_envs, None, dtype=object)
        views = self._batch.last_features(self.scaling)
        for game, view in zip(np.flatnonzero(ended).tolist(), views, strict=True):
            final_obs[game] = self._form.show(view, mask.copy())
        stand = {"action_mask": self._final_masks, **self._where_games_stand()}
        final_info = self._present(stand, ended)
        for key, rows in told.items():
            final_info[key] = rows if key[0] != "_" or rows is ended else rows & ended
        return self._present({"final_obs": final_obs, "final_info": final_info}, ended)

    def _present(self, info: Mapping[str, Any], which: np.ndarray) -> dict[str, Any]:
        """Add to an info, for each of its keys, of which games it tells, bool."""
        return {**info, **{f"_{key}": which for key in info}}

    def _with_legal_actions(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Put random legal actions in the place of illegal ones; say which, and warn once."""
        masks = self.games.masks
        within = (actions >= 0) & (actions < masks.shape[1])
        legal = masks[np.arange(self.num_envs), np.where(within, actions, 0)] & within
        replaced = ~(legal | self._batch.over)
        if not replaced.any():
            return actions, None
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

    def _new_memory(self) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray] | None]:
        """Return memory for features, masks and entities, if they are shown, not yet written."""
        kind = np.dtype(np.uint8 if self.scaling == "raw" else np.float32)
        entities = None
        if self._form.kind == "entities":
            entities = self.rules.entities.new_arrays((self.num_envs,), kind)
        return (
            np.empty((self.num_envs, self.rules.observation.num_features), kind),
            np.empty((self.num_envs, self.rules.num_actions), np.int8),
            entities,
        )

    def _observations(self) -> Any:
        if self.copy:
            self._memory = self._new_memory()
        features, masks, entities = self._memory
        self._batch.features(self.scaling, features)
        self._batch.action_masks(masks.view(np.bool_))
        return self._form.show(features, masks, entities)

    def _info(self, told: dict[str, Any]) -> dict[str, Any]:
        """Return the info that goes with the observations just made.

        Args:
            told: What it is to tell of the last step.
        """
        info = {"action_mask": self._memory[1], **self._where_games_stand()}
        return self._present(info, self._every) | told

    def _where_games_stand(self) -> dict[str, Any]:
        return {"turn": self._batch.turns.copy(), **self._batch.info()}

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
