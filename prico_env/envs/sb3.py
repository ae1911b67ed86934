"""The Stable-Baselines3 environment: a ``VecEnv`` that steps a whole batch of games at once.

In every game one seat is the learner and yields one transition for each decision of its own; the
other seats are played inside, all games in one batch. Made for ``sb3_contrib.MaskablePPO``.
"""

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, Literal

import gymnasium
import numpy as np

from prico_env.arguments import as_array, whole_numbers
from prico_env.envs.learner_batch import LearnerBatch, OpponentChoice
from prico_env.envs.observation_form import ObservationForm, ObservationKind
from prico_env.envs.spaces import action_space, rules_from
from prico_env.errors import PricoError, from_extra
from prico_env.feature_scaling import ScalingKind
from prico_env.observation_layout import check_scaling
from prico_env.render import check_render_mode, render
from prico_env.ruleset import RuleSet

with from_extra("train", "this interface for Stable-Baselines3"):
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn


class PuertoRicoVecEnv(VecEnv):
    """Many games for one learner of Stable-Baselines3.

    Observations are bare vectors of scaled features, float32 of shape ``(num_envs, num_features)``,
    or 8-bit integers with ``scaling="raw"``. Masks come from ``env_method("action_masks")``: one
    bool array of shape ``(num_envs, num_actions)``. The reward is the learner's own, and it reaches
    the learner whoever made the last move. When a game ends, ``info`` holds
    ``terminal_observation``, ``TimeLimit.truncated``, ``rewards`` (what the last step paid every
    seat, float32, shape ``(players,)``) and ``episode``: reward ``r``, length ``l`` and time ``t``
    as SB3 wants them, the learner's ``seat``, and what :mod:`prico_env.envs.episode` lists.

    Attributes:
        seated: The batch of games, a :class:`prico_env.envs.learner_batch.LearnerBatch`.
        rules: The rule set.
    """

    def __init__(  # noqa: PLR0913 - every option is a keyword of its own
        self,
        num_envs: int,
        rules: RuleSet | Mapping[str, Any] | None = None,
        *,
        seat: int | Literal["random", "rotate"] = "rotate",
        opponents: OpponentChoice = "random",
        reward: str = "win",
        shaping: float = 0.0,
        scaling: ScalingKind = "standard",
        observation: ObservationKind = "flat",
        seed: int = 0,
        threads: int | None = None,
        render_mode: str | None = None,
        **fields: Any,
    ) -> None:
        """Make the environment; ``reset`` deals the first games.

        Args:
            num_envs: Games side by side.
            rules: A rule set; or its fields as further keywords, such as ``players=3``.
            seat: As in :class:`prico_env.envs.learner_batch.LearnerBatch`.
            opponents: Likewise.
            reward: Likewise.
            shaping: Likewise.
            scaling: How features are scaled, as in :meth:`ObservationLayout.scaling`:
                ``"standard"``, ``"range"`` or ``"raw"``.
            observation: ``"flat"`` for the vector, or ``"entities"`` for boards and objects, arrays
                by the names ``self``, ``others``, ``table`` and ``objects``, which SB3 reads with
                ``MultiInputPolicy``; see :class:`prico_env.entity_layout.EntityLayout`.
            seed: Likewise.
            threads: Likewise.
            render_mode: How ``render`` shows the first game, or None.
            **fields: Fields of a rule set.
        """
        self.rules = rules_from(rules, fields)
        self.seated = LearnerBatch(
            self.rules,
            num_envs,
            seat=seat,
            opponents=opponents,
            reward=reward,
            shaping=shaping,
            seed=seed,
            threads=threads,
        )
        self.scaling = check_scaling(scaling)
        self._no_mask = np.zeros(0, np.int8)  # masks are asked for by themselves
        self._form = ObservationForm(self.rules, observation, self.scaling, with_mask=False)
        num_envs = self.seated.num_games
        self._render_mode = check_render_mode(render_mode)
        self._actions = np.zeros(num_envs, dtype=np.int64)
        self._started = perf_counter()
        self._first_seed: int | None = seed
        observation_space = self._form.make_space()
        super().__init__(num_envs, observation_space, action_space(self.rules))

    # -- playing -----------------------------------------------------------------------------------

    def reset(self) -> Any:
        """Deal every game anew; the seed set by ``seed`` is used once."""
        seed = self._first_seed if self._seeds[0] is None else self._seeds[0]
        self.seated.deal(seed)
        self._first_seed = None
        self._reset_seeds()
        self._reset_options()
        return self._seen()

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learner's actions, shape ``(num_envs,)``."""
        self._actions = whole_numbers(as_array(actions).reshape(-1), "actions", (self.num_envs,))

    def step_wait(self) -> VecEnvStepReturn:
        """Carry the actions out and play on to the learner's next decisions.

        Raises:
            IllegalActionError: Some actions are not legal; nothing has changed.
        """
        seated = self.seated
        seated.step(self._actions)
        rewards = seated.rewards.copy()
        dones = seated.over
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if dones.any():
            self._close_episodes(dones, infos)
            seated.deal(where=dones)
        return self._seen(), rewards, dones, infos

    def _seen(self) -> Any:
        """Return what the learners see, in arrays of their own."""
        return self._form.show(self.seated.features(self.scaling), self._no_mask)

    def _close_episodes(self, dones: np.ndarray, infos: list[dict[str, Any]]) -> None:
        """Say how each game that has just ended went for its learner."""
        seated = self.seated
        ended = np.flatnonzero(dones)
        last_views = seated.last_features(self.scaling)
        columns = seated.endings()["episode"]
        elapsed = round(perf_counter() - self._started, 6)
        truncated = seated.games.truncated
        for view, game in zip(last_views, ended.tolist(), strict=True):
            episode = {key: rows[game].item() for key, rows in columns.items()}
            infos[game]["terminal_observation"] = self._form.show(view, self._no_mask)
            infos[game]["TimeLimit.truncated"] = bool(truncated[game])
            infos[game]["rewards"] = seated.payments[game].copy()
            infos[game]["episode"] = episode | {"t": elapsed, "seat": int(seated.seats[game])}

    # -- what SB3 asks for -------------------------------------------------------------------------

    def action_masks(self) -> np.ndarray:
        """Return the learner's legal actions, bool, shape ``(num_envs, num_actions)``."""
        return self.seated.action_masks()

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> Any:
        """Call a method for some games; ``"action_masks"`` is the one there is for each game.

        Returns:
            One result for each game asked about, as an array or a list.
        """
        rows = list(self._get_indices(indices))
        if method_name == "action_masks":
            masks = self.action_masks()
            return masks if indices is None else masks[rows]
        if method_name == "render":
            return [self._render_game(row) for row in rows]
        raise AttributeError(f"the games of this batch have no method {method_name!r}")

    def has_attr(self, attr_name: str) -> bool:
        """Whether every game has an attribute or method of this name."""
        return attr_name == "action_masks" or hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute, once for each game asked about."""
        if attr_name == "render_mode":
            value: Any = self._render_mode
        elif attr_name == "spec":
            value = None
        else:
            value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of the whole batch; single games have none to set.

        Raises:
            PricoError: Only some games were named.
        """
        if indices is not None:
            raise PricoError(f"{attr_name} belongs to all games of the batch; leave indices out")
        setattr(self, attr_name, value)

    def env_is_wrapped(
        self,
        wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]],
        indices: VecEnvIndices = None,
    ) -> list[bool]:
        """No game is wrapped in anything."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Return a picture of every game."""
        return [self._render_game(row) for row in range(self.num_envs)]

    def _render_game(self, game: int) -> Any:
        return render(self.seated.games[game], self._render_mode or "ansi")

    def close(self) -> None:
        """Nothing is open."""
