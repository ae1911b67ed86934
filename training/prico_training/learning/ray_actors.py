"""Self-play by Ray actors, on many machines and changing ones, with one learner.

Each actor plays games of its own among a league of its own, with the weights it was sent, and
sends back what it played. The learner learns from what has come and sends its new weights along
with the next request; so actors play while it learns, and what it learns from was played by its
present self or by the one before that (PPO's ratio makes up for the difference).

An actor that is lost with its process or its machine is replaced as soon as there is room for
another anywhere in the cluster; machines may come and go. While no actor is there, the learner
plays for itself.

One process more plays the points of the learning curve, so that learning need not stop for them.
"""

import dataclasses
import math
import os
import socket
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import ray
import torch
from numpy.typing import NDArray
from ray.exceptions import RayActorError, RayError, RayTaskError

from prico_agents.neural.checkpoint import SavedPolicy
from prico_training.config import Config
from prico_training.errors import ConfigError
from prico_training.learning.actors import LocalActors, with_own_seed
from prico_training.learning.learning_curve import Curve
from prico_training.learning.metrics import Row
from prico_training.learning.model import FrozenNetwork, LearningNetwork
from prico_training.learning.networks import make_network
from prico_training.learning.rollout import Rollout
from prico_training.learning.trainer import State
from prico_training.parent import end_with_parent

_POLL_SECONDS: Final = 1.0
"""Seconds of waiting for actors at a time: in between, Python hears signals."""
_CONNECT_SECONDS: Final = 10.0
"""Seconds within which a cluster must answer."""
_MAX_RESTARTS: Final = 20
"""How often whoever plays the curve may be lost in a run: something may be wrong with the curve."""
_READ_BY_KERNELS: Final = ("seats", "is_learner", "ended", "rewards", "values")
"""What kernels read of a rollout."""


@dataclass(frozen=True)
class ActorResult:
    """What an actor sends.

    Attributes:
        rollouts: Its decisions, at each table.
        games: Games that ended meanwhile.
        win_rates: Of its opponents, for each table; see `league.League.win_rates`.
    """

    rollouts: list[Rollout]
    games: int
    win_rates: list[NDArray[np.float64]]


class Actor:
    """Plays, wherever Ray puts it."""

    def __init__(self, config: Config, number: int) -> None:
        """Deal games that no actor before had."""
        _end_with_ray()
        torch.set_num_threads(1)
        self._network = make_network(config)
        self._actors = LocalActors(with_own_seed(config, 1 + number))

    def arrive(self) -> str:
        """Return the address of the machine it plays on."""
        return str(ray.util.get_node_ip_address())

    def remember(self, name: str, past: FrozenNetwork) -> None:
        """Let a past self of the learner join the league."""
        self._actors.remember(name, past)

    def play(self, weights: dict[str, NDArray[Any]], shaping_coef: float) -> ActorResult:
        """Play a rollout with these weights; see `LocalActors.play`."""
        self._network.load_state_dict({name: torch.tensor(a) for name, a in weights.items()})
        before = self._actors.played
        rollouts = self._actors.play(self._network, shaping_coef)
        win_rates = [league.win_rates for league in self._actors.leagues]
        return ActorResult(rollouts, self._actors.played - before, win_rates)


@dataclass(frozen=True)
class _Request:
    """What an actor was asked for.

    Attributes:
        actor: Who, as Ray knows it.
        number: Which of all that were ever started.
        place: The machine it is on; empty until it has arrived.
        call: In which call of `RayActors.play` it was asked to play.
    """

    actor: Any
    number: int
    place: str = ""
    call: int = 0


class RayActors(LocalActors):
    """The Ray actors, driven as if the process played itself."""

    def __init__(self, config: Config) -> None:
        """Start actors; they arrive while the learner goes on.

        Raises:
            ConfigError: There is no cluster at the address.
        """
        super().__init__(config)
        self._connected = _connect(config)
        self._config = config
        self._actor = ray.remote(Actor).options(num_cpus=config.actors.cpus)
        sent_anyway = dataclasses.replace(config.network, start=())
        self._actor_config = ray.put(dataclasses.replace(config, device="cpu", network=sent_anyway))
        self._past: deque[tuple[str, Any]] = deque(maxlen=config.opponents.pool_size)
        self._requests: dict[Any, _Request] = {}
        self._wanted: tuple[Any, float] = (None, 0.0)
        self._started = 0
        self._calls = 0
        self._games = 0

    @property
    def played(self) -> int:
        """Games that have ended so far, wherever."""
        return super().played + self._games

    @property
    def playing(self) -> int:
        """How many actors have arrived and play."""
        return sum(request.call > 0 for request in self._requests.values())

    def play(self, network: LearningNetwork, shaping_coef: float) -> list[Rollout]:
        """Return what actors have played; with none there, play.

        All that was asked for in the call before is waited for, and what else has come goes along.
        """
        self._calls += 1
        weights = {name: value.cpu().numpy() for name, value in network.state_dict().items()}
        self._wanted = ray.put(weights), shaping_coef
        while len(self._requests) < self._config.actors.count:
            self._start()
        rollouts = self._receive(0.0)
        while self._is_owed() or (self.playing and not rollouts):
            rollouts += self._receive(_POLL_SECONDS)
        return rollouts or super().play(network, shaping_coef)

    def wait_for(self, number: int) -> None:
        """Wait after a first `play` until so many actors play; what they send is thrown away."""
        while self.playing < number:
            self._receive(_POLL_SECONDS)

    def remember(self, name: str, past: FrozenNetwork) -> None:
        """Let a past self join each league, here and with the actors."""
        super().remember(name, past)
        kept = name, ray.put(past)
        self._past.append(kept)
        for request in self._requests.values():
            request.actor.remember.remote(*kept)

    def parts(self) -> dict[str, Any]:
        """What must be kept for going on, by name; actors deal their games anew."""
        return super().parts() | {"ray_actors": self}

    def state(self) -> State:
        """Return what to go on from: which deals were played."""
        return {}, {"started": self._started, "games": self._games}

    def restore(self, _: object, values: dict[str, Any]) -> None:
        """Go on from what `state` returned."""
        self._started, self._games = values["started"], values["games"]

    def close(self) -> None:
        """Stop the actors."""
        for request in self._requests.values():
            ray.kill(request.actor)
        self._requests.clear()
        if self._connected:
            ray.shutdown()

    def _start(self) -> None:
        """Start another actor; Ray lets it start where there is room."""
        actor = self._actor.remote(self._actor_config, self._started)
        for past in self._past:
            actor.remember.remote(*past)
        self._requests[actor.arrive.remote()] = _Request(actor, self._started)
        self._started += 1

    def _is_owed(self) -> bool:
        """Whether something is still to come that was asked for in the call before."""
        return any(0 < request.call < self._calls for request in self._requests.values())

    def _receive(self, patience: float) -> list[Rollout]:
        """Take what has come, and ask those who sent it for more.

        Args:
            patience: Seconds to wait if nothing has come.
        """
        refs = list(self._requests)
        done, _ = ray.wait(refs, num_returns=1, timeout=patience)
        done, _ = ray.wait(refs, num_returns=len(refs), timeout=0) if done else (done, None)
        return [rollout for ref in done for rollout in self._take(ref)]

    def _take(self, ref: Any) -> list[Rollout]:
        """Take what one actor has sent."""
        request = self._requests.pop(ref)
        try:
            sent = ray.get(ref)
        except RayTaskError:  # a fault of our own
            raise
        except RayError as error:
            self._replace(request, error)
            return []
        place, rollouts = request.place, []
        if isinstance(sent, ActorResult):
            rollouts = [_writable(rollout) for rollout in sent.rollouts]
            self._note(sent)
        else:
            place = sent
            if request.number >= self._config.actors.count:
                _say(f"actor {request.number} has come on {place}")
        self._requests[request.actor.play.remote(*self._wanted)] = dataclasses.replace(
            request, place=place, call=self._calls
        )
        return rollouts

    def _replace(self, request: _Request, error: RayError) -> None:
        """Note that an actor is lost, and start another.

        Raises:
            ConfigError: It could not even start.
        """
        if isinstance(error, RayActorError) and error.actor_init_failed:
            reason = str(error).strip().splitlines()[-1]
            raise ConfigError(f"an actor cannot start, see its machine: {reason}")
        _say(
            f"actor {request.number} on {request.place or 'its way'} is lost "
            f"({type(error).__name__}); another comes when there is room"
        )
        ray.kill(request.actor)
        self._start()

    def _note(self, sent: ActorResult) -> None:
        """Count games, and average the win rates that an actor saw into those here."""
        self._games += sent.games
        for league, rates in zip(self.leagues, sent.win_rates, strict=True):
            if rates.shape == league.win_rates.shape:  # else it lacks the newest past self yet
                league.win_rates += (rates - league.win_rates) / self._config.actors.count


class RayCurve:
    """Plays the learning curve in another process; see `learning_curve.CurvePlayer`.

    They are played by one process, on any machine of the cluster and even if all cores are taken.
    If it is lost, Ray starts it on another machine, where the point under way is played once more.
    After it was lost too often, or if it cannot start, points are played here.
    """

    def __init__(self, config: Config, curve: Curve) -> None:
        """Start the process, once the cluster has been joined.

        Args:
            config: The settings.
            curve: The curve of the settings, for playing here.
        """
        test = config.evaluation
        remote = ray.remote(num_cpus=0, max_restarts=_MAX_RESTARTS, max_task_retries=-1)
        anywhere = remote(_CurveActor)
        self._curve = curve
        self._remote = anywhere.remote(config.curve_rule_sets, test.curve, test.curve_deals)
        self._asked: tuple[SavedPolicy, Any] | None = None

    def ask(self, policy: SavedPolicy) -> None:
        """Send off what is to be played."""
        self._asked = policy, self._remote.point.remote(policy, _always)

    def answer(self, go_on: Callable[[], bool], *, wait: bool) -> Row | None:
        """Return the point that was asked for if it has come; see `learning_curve.CurvePlayer`."""
        if self._asked is None:
            return None
        policy, coming = self._asked
        done, _ = ray.wait([coming], timeout=0)
        while wait and not done and go_on():
            done, _ = ray.wait([coming], timeout=_POLL_SECONDS)
        if not done:
            return None
        self._asked = None
        try:
            return dict(ray.get(coming))
        except RayTaskError:  # a fault of our own
            raise
        except RayError as error:
            _say(
                f"the process that played the curve is lost ({type(error).__name__}); "
                "this point is played here"
            )
            return self._curve.point(policy, go_on)

    def close(self) -> None:
        """Stop the process."""
        ray.kill(self._remote)


class _CurveActor(Curve):
    """Plays the curve, wherever Ray puts it."""

    def __init__(self, *arguments: Any) -> None:
        _end_with_ray()
        super().__init__(*arguments)


def _end_with_ray() -> None:
    """Leave when the Ray of this machine is gone, as it is with a run that started it and ends."""
    end_with_parent(os.getppid(), by_system=False)


def _always() -> bool:
    """Another process plays on until it is stopped."""
    return True


def _connect(config: Config) -> bool:
    """Join the cluster of the settings, or start one here; whether there was none before.

    Raises:
        ConfigError: There is no cluster at the address.
    """
    if ray.is_initialized():
        return False
    address = config.actors.address
    start_here: dict[str, Any] = {
        "num_cpus": _num_cpus(config),
        "include_dashboard": False,
        "_system_config": {"worker_niceness": 0},  # as urgent as the learner, who waits for them
    }
    try:
        _check_address(address)
        ray.init(
            address=address or "local",
            log_to_driver=False,
            logging_level="ERROR",
            **({} if address else start_here),
        )
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(
            f"actors.address={address}: no cluster answers there ({reason}); start one with "
            "`ray start --head`, or name none to have one on this machine"
        ) from None
    return True


def _check_address(address: str) -> None:
    """Find out at once whether anybody listens at an address with a port; Ray tries for minutes.

    Raises:
        OSError: Nobody does.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdigit():
        socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS).close()


def _num_cpus(config: Config) -> int:
    """Cores that Ray shall reckon with here: at least as many as are asked for."""
    return max(os.cpu_count() or 1, math.ceil(config.actors.count * config.actors.cpus))


def _writable(rollout: Rollout) -> Rollout:
    """A rollout that kernels can read: what Ray hands over cannot be written to."""
    return dataclasses.replace(
        rollout, **{name: getattr(rollout, name).copy() for name in _READ_BY_KERNELS}
    )


def _say(text: str) -> None:
    """Tell a person; the live view puts it above its bar."""
    print(text, file=sys.stderr, flush=True)
