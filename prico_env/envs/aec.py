"""The PettingZoo environment: every seat is an agent, and they act one after another.

There is one lean class, with the checks of PettingZoo's stock wrappers built in where they cost
nothing: mistakes are noticed where something fails anyway, and answered in clear words. The
wrappers themselves are left out on purpose: they forward every attribute through ``__getattr__``,
which costs far more than a decision of the game.
"""

from collections.abc import Iterator, Mapping
from operator import index
from random import Random
from typing import Any, Final, TypeVar

import numpy as np
from gymnasium import spaces
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.env import AECEnv, ParallelEnv

from prico_env.arguments import as_integer, number, whole
from prico_env.envs.episode import episodes_of_game
from prico_env.envs.observation_form import ObservationForm, ObservationKind
from prico_env.envs.rewards import potential
from prico_env.envs.spaces import (
    METADATA,
    action_space,
    check_reset,
    has_render_mode,
    new_game,
    rules_from,
)
from prico_env.envs.step_buffer import StepBuffer
from prico_env.errors import IllegalActionError, PricoError, quoted
from prico_env.feature_scaling import ScalingKind
from prico_env.game import check_scheme
from prico_env.observation_layout import check_scaling
from prico_env.render import check_render_mode, render
from prico_env.ruleset import RuleSet
from prico_env.vocabulary import NOBODY

Observation = dict[str, np.ndarray]
_Value = TypeVar("_Value")

_SEED_BITS: Final = 63
_FOR_EVER: Final = 2**63


class PuertoRicoEnv(AECEnv[str, Observation, int]):
    """The game as an agent-environment cycle.

    Agents are ``player_0`` (the first governor) and so on, clockwise. An observation is
    ``{"observation": float32 (num_features,), "action_mask": int8 (num_actions,)}`` from the
    agent's own point of view, features scaled; ``infos[agent]["action_mask"]`` holds the same mask.
    An agent that is not to act has a mask of zeros. The agent that is to act always has a legal
    action.
    When the game ends, ``infos[agent]["episode"]`` says how it went for the agent; see
    :mod:`prico_env.envs.episode`.

    Attributes:
        game: The :class:`prico_env.Game` being played; change it through :meth:`step` only.
        rules: Its rule set.
    """

    metadata = METADATA | {"name": "puerto_rico_v0", "is_parallelizable": False}

    def __init__(
        self,
        rules: RuleSet | Mapping[str, Any] | None = None,
        *,
        reward: str = "win",
        shaping: float = 0.0,
        scaling: ScalingKind = "standard",
        observation: ObservationKind = "flat",
        render_mode: str | None = None,
        max_steps: int | None = None,
        **fields: Any,
    ) -> None:
        """Make an environment; ``reset`` deals the first game.

        Args:
            rules: A rule set or the dict of one; or its fields as further keywords, such as
                ``players=3``.
            reward: Reward scheme: ``"win"``, ``"rank"`` or ``"margin"``, paid at the end.
            shaping: Reward for each VP of lead gained on the way, given back at the end; 0 is off.
            scaling: How features are scaled, as in :meth:`ObservationLayout.scaling`:
                ``"standard"``, ``"range"`` or ``"raw"``.
            observation: ``"flat"`` for the vector, or ``"entities"`` for boards and objects, arrays
                by the names ``self``, ``others``, ``table`` and ``objects``; see
                :class:`prico_env.entity_layout.EntityLayout`.
            render_mode: How ``render`` shows the game, one of `prico_env.render.RENDER_MODES`;
                None does not render.
            max_steps: Decisions after which a game is truncated, or None.
            **fields: Fields of a rule set.

        Raises:
            PricoError: An argument is not one of these.
        """
        self.rules = rules_from(rules, fields)
        if max_steps is not None:
            max_steps = whole(max_steps, "max_steps", 1)
        self.reward = check_scheme(reward)
        self.shaping = number(shaping, "shaping")
        self.scaling = check_scaling(scaling)
        self._form = ObservationForm(self.rules, observation, self.scaling)
        self.render_mode = check_render_mode(render_mode)
        self.max_steps = max_steps

        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        self.observation_spaces = {a: self._form.make_space() for a in self.possible_agents}
        self.action_spaces = {a: action_space(self.rules) for a in self.possible_agents}
        scaled, players = self.rules.observation.scaling(self.scaling), self.rules.players
        self.state_space = spaces.Box(
            np.tile(scaled.low, players), np.tile(scaled.high, players), dtype=scaled.dtype.type
        )

        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._deals = Random()
        self._next_deal = self._deals.getrandbits(_SEED_BITS)
        self._choices = Random()
        self._acting = NOBODY
        self._moves = 0
        self.agent_selection = self.possible_agents[0]

    # -- the cycle ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        Args:
            seed: Deals the same game as ``Game(rules, seed)``, and decides what later resets
                without a seed deal.
            options: ``{"position": d}`` starts from a position dict instead of a fresh deal.

        Raises:
            PositionError: The position is wrong, or it is one of another rule set.
        """
        seed, asked = check_reset(seed, options)
        deal = self._next_deal if seed is None else seed
        self.game = new_game(self.rules, deal, asked.get("position"))
        if seed is not None:
            self._deals.seed(seed)
            self._choices.seed(seed)
        self._next_deal = self._deals.getrandbits(_SEED_BITS)

        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._no_mask = np.zeros(self.rules.num_actions, np.int8)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": self._no_mask} for agent in self.agents
        }
        self._skip_agent_selection = None
        self._moves += 1
        self._last_move = self._moves + (self.max_steps or _FOR_EVER)
        self._lengths = [0] * len(self.agents)
        if self.shaping:
            self._potential = potential(self.game, self.shaping)
        self._buffer = StepBuffer(self.game, self.scaling)
        if self.game.over:
            self._finish()
        else:
            self._acting = self.game.turn
            self.agent_selection = agent = self.agents[self._acting]
            self.infos[agent]["action_mask"] = self._mask = self._buffer.mask.copy()

    def step(self, action: int | None) -> None:
        """Carry out the decision of the agent that is to act.

        Args:
            action: A legal action of ``agent_selection``; None for an agent that is done.

        Raises:
            IllegalActionError: The action is not legal, or not None for an agent that is done;
                nothing has changed.
            PricoError: There was no ``reset`` before.
        """
        if self._acting < 0:
            self._step_done(action)
            return
        buffer = self._buffer
        if type(action) is int:
            chosen = action
        else:  # numbers of NumPy come often enough to be spared a call
            chosen = index(action) if isinstance(action, np.integer) else self._number_of(action)
        seat = buffer.step(chosen)
        agent = self.agent_selection
        self._moves += 1
        self._lengths[self._acting] += 1
        self._cumulative_rewards[agent] = 0.0
        if self.shaping:
            self._shape()
        if seat < 0 or self._moves >= self._last_move:
            self._finish()
            return
        if seat != self._acting:
            self.infos[agent]["action_mask"] = self._no_mask
            self._acting = seat
            self.agent_selection = agent = self.possible_agents[seat]
        self.infos[agent]["action_mask"] = self._mask = buffer.mask.copy()

    def _finish(self) -> None:
        """End the episode for every agent; what the game pays reaches all of them."""
        game = self.game
        cut_off = game.truncated or not game.over
        if not cut_off:
            self._pay(game.rewards(self.reward))
        episodes = episodes_of_game(game, self._lengths)
        for agent, episode in zip(self.agents, episodes, strict=True):
            self.terminations[agent] = not cut_off
            self.truncations[agent] = cut_off
            self.infos[agent]["action_mask"] = self._no_mask
            self.infos[agent]["episode"] = episode
        self._acting = NOBODY
        self.agent_selection = self.agents[0]

    def _shape(self) -> None:
        """Pay every seat the change of its potential."""
        before, self._potential = self._potential, potential(self.game, self.shaping)
        self.rewards.update(dict.fromkeys(self.agents, 0.0))
        self._pay(self._potential - before)

    def _pay(self, payments: np.ndarray) -> None:
        for agent, payment in zip(self.agents, payments.tolist(), strict=True):
            self.rewards[agent] += payment
            self._cumulative_rewards[agent] += payment

    # -- what agents see ---------------------------------------------------------------------------

    def last(
        self, observe: Any = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return what the agent to act sees, and what it got since it last acted.

        Args:
            observe: False leaves the observation out. Anything else does not, as in PettingZoo's
                own; Tianshou passes its environment.
        """
        agent = self.agent_selection
        observe = observe is True or not isinstance(observe, bool | np.bool_) or bool(observe)
        if self._acting < 0:
            self._require_agents("last")
            observation = self.observe(agent) if observe else None
        elif observe:
            observation = self._form.show(self._buffer.view.copy(), self._mask)
        else:
            observation = None
        return (
            observation,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now, in arrays that later steps leave alone."""
        seat = self._of_agent(agent, self._seat_of)
        if seat == self._acting:
            return self._form.show(self._buffer.view.copy(), self._mask)
        self._require_reset("observe")
        view = self.rules.observation.scale(self.game.observation(seat), self.scaling)
        return self._form.show(view, self._no_mask.copy())

    def state(self) -> np.ndarray:
        """Return the views of all seats in one vector, shape ``(players * num_features,)``."""
        self._require_reset("state")
        views = [self.game.observation(seat) for seat in range(self.rules.players)]
        return self.rules.observation.scale(np.stack(views), self.scaling).ravel()

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of an agent, the same object every time."""
        return self._of_agent(agent, self.observation_spaces)

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of an agent, the same object every time."""
        return self._of_agent(agent, self.action_spaces)

    def _of_agent(self, agent: str, table: Mapping[str, _Value]) -> _Value:
        """Return what a table has for an agent, or say which agents there are."""
        try:
            return table[agent]
        except (KeyError, TypeError):
            raise PricoError(
                f"there is no agent {quoted(agent)}; the agents are "
                f"{', '.join(self.possible_agents)}"
            ) from None

    def sample_action(self) -> int | None:
        """Draw a legal action of the agent that is to act, each as likely; None if it is done.

        Many times faster than ``action_space(agent).sample(mask)``, and as repeatable: the seed
        of ``reset`` decides it.
        """
        if self._acting < 0:
            return None
        buffer = self._buffer
        return buffer.choices.item(int(self._choices.random() * buffer.num_choices))

    def agent_iter(self, max_iter: int = _FOR_EVER) -> Iterator[str]:
        """Go through the agents as they are to act; each has to step before the next comes."""
        self._require_reset("agent_iter")
        return self._take_turns(whole(max_iter, "max_iter"))

    def _take_turns(self, max_iter: int) -> Iterator[str]:
        for _ in range(max_iter):
            if not self.agents:
                return
            moves = self._moves
            yield self.agent_selection
            if self._moves == moves:
                raise PricoError(
                    f"{self.agent_selection} has not acted: call step() once for each agent "
                    "that agent_iter() gives"
                )

    # -- what people see ---------------------------------------------------------------------------

    def render(self) -> str | np.ndarray | None:
        """Show the board in the way the render mode says."""
        if not has_render_mode(self.render_mode):
            return None
        self._require_reset("render")
        return render(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is open: the board is text, and pictures are arrays."""

    # -- mistakes ----------------------------------------------------------------------------------

    def _step_done(self, action: int | None) -> None:
        """Take an agent that is done out of the game, or refuse what does not go any more."""
        self._require_agents("step")
        if action is not None:
            raise IllegalActionError(
                f"the game is over: {self.agent_selection} is done and can only take its last "
                f"step, with None, not with {quoted(action)}"
            )
        self._moves += 1
        self._was_dead_step(None)

    def _number_of(self, action: object) -> int:
        """Return an action as a number of Python's own, or say what a step takes."""
        found = as_integer(action)
        if found is None:
            raise IllegalActionError(
                f"{self.agent_selection} is still playing and cannot do {quoted(action)}: an "
                f"action is a whole number, here one of {self.game.legal_actions()}"
            )
        return found

    def _require_reset(self, call: str) -> None:
        if not self._moves:
            raise PricoError(f"there is no game yet: call reset() before {call}()")

    def _require_agents(self, call: str) -> None:
        self._require_reset(call)
        if not self.agents:
            raise IllegalActionError(
                f"the game is over and every agent is done: call reset() before {call}()"
            )


def env(rules: RuleSet | Mapping[str, Any] | None = None, **options: Any) -> PuertoRicoEnv:
    """Make the environment.

    Args:
        rules: A rule set or the dict of one; or its fields as keywords, such as ``players=3``.
        **options: ``reward``, ``shaping``, ``scaling``, ``observation``, ``render_mode`` and
            ``max_steps`` as in :class:`PuertoRicoEnv`, and fields of a rule set.
    """
    return PuertoRicoEnv(rules, **options)


raw_env = PuertoRicoEnv
"""The same: its checks cost nothing, so there is nothing to leave out."""


def parallel_env(
    rules: RuleSet | Mapping[str, Any] | None = None, **options: Any
) -> ParallelEnv[str, Any, Any]:
    """Make the environment in PettingZoo's parallel form; arguments as for :func:`env`.

    Only the action of the agent that is to act counts in a step. ``infos[agent]["active_agent"]``
    names it after each step.
    """
    return turn_based_aec_to_parallel(env(rules, **options))
