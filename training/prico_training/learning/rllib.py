"""RLlib on the same game: the table as it wants it, settings that learn, and a command.

RLlib needs an older Gymnasium than the rest of us, so it lives in a virtual environment of its own:

    pip install 'prico[rllib]'
    python -m prico_training.learning.rllib --iterations 20 --players 4

One policy sits at every seat. RLlib keeps the decisions of each seat apart, so each is paid for by
what its own seat gets when the game ends. The layers are those that our own players think with:
what was learnt here plays wherever a training run does, as in `prico arena RUN planner`.

Importing this needs no RLlib; its functions do.
"""

import argparse
import importlib
import itertools
import logging
import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from gymnasium import spaces
from rich.console import Console

from prico_agents.neural.checkpoint import (
    LATEST_FILE,
    SavedPolicy,
    find_policy,
    load_policy,
    save_policy,
)
from prico_agents.neural.network import FACTOR, OFFSET
from prico_env import RuleSet
from prico_env.arguments import items, one_of, whole
from prico_env.envs import PuertoRicoEnv
from prico_env.envs.aec import Observation
from prico_env.errors import PricoError
from prico_env.game import check_seed
from prico_env.ruleset import check_rules
from prico_env.streams import accept_any_text
from prico_training.errors import ConfigError
from prico_training.files import new_folder, write_text, writing
from prico_training.folder_lock import FolderLock
from prico_training.interrupt import Interruptions
from prico_training.learning.checkpoint import CHECKPOINTS, decisions_name
from prico_training.learning.learning_curve import Curve
from prico_training.learning.metrics import win_of
from prico_training.progress import new_bar, print_plain

if TYPE_CHECKING:
    from ray.rllib.algorithms.algorithm import Algorithm
    from ray.rllib.algorithms.ppo import PPOConfig

ENV: Final = "prico"
"""What RLlib knows the environment by."""
LOG: Final = "log"
"""The scaling of runs from before observations were standardised: counts as ``log(1 + x)``."""
SCALINGS: Final = ("standard", "range", LOG)
"""How observations may be scaled."""
POLICY: Final = "shared"
"""What RLlib knows the policy of all seats by."""
RLLIB: Final = "rllib"
"""Folder of RLlib's own state in a checkpoint."""
_FLOOR: Final = "random"
"""The player whom the win rate is measured among."""
_OBJECT_STORE: Final = 256 * 2**20
"""Bytes that Ray may hold for processes to share; by default it takes a third of the memory."""
_USER_MISTAKE: Final = 2
"""Exit code when the request, not the program, is at fault."""
_INTERRUPTED: Final = 130
"""Exit code after Ctrl-C."""
_NUMBERS: Final = {
    "iterations": (20, 1, "to learn"),
    "players": (4, 2, "2 to 5"),
    "decisions": (4096, 1, "least number in an iteration"),
    "games": (32, 1, "side by side"),
    "runners": (0, 0, "processes that play; 0: this one"),
    "deals": (50, 1, "of the win rate, each from all seats"),
    "seed": (1, 0, "of everything"),
}
"""Options of the command: default, least value and meaning."""


class MaskedTable(PuertoRicoEnv):
    """The PettingZoo environment with observations as RLlib's action masking expects them.

    An observation is ``{"observations": float32 (num_features,), "action_mask": int8
    (num_actions,)}``.
    """

    def __init__(
        self, rules: RuleSet | None = None, *, scaling: str = "standard", **options: Any
    ) -> None:
        """Make an environment.

        Args:
            rules: As for `PuertoRicoEnv`.
            scaling: One of `SCALINGS`.
            **options: Further arguments, likewise.
        """
        self._log = one_of(scaling, SCALINGS, "scaling") == LOG
        shown: Any = "raw" if self._log else scaling
        super().__init__(rules, scaling=shown, **options)
        most = np.log1p(self.rules.observation.high.astype(np.float32))
        for agent, space in self.observation_spaces.items():
            seen = spaces.Box(np.zeros_like(most), most) if self._log else space["observation"]
            self.observation_spaces[agent] = spaces.Dict(
                {"observations": seen, "action_mask": space["action_mask"]}
            )

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now."""
        seen = super().observe(agent)
        features = seen["observation"]
        if self._log:
            features = np.log1p(features.astype(np.float32))
        return {"observations": features, "action_mask": seen["action_mask"]}

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return what the agent to act sees, and what it got since it last acted."""
        _, reward, terminated, truncated, info = super().last(observe=False)
        observation = self.observe(self.agent_selection) if observe else None
        return observation, reward, terminated, truncated, info


def make_env(options: Mapping[str, Any]) -> Any:
    """Make the environment for RLlib: what its `register_env` takes.

    Args:
        options: Arguments of `MaskedTable`, such as ``{"players": 4, "reward": "win"}``.
    """
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

    return PettingZooEnv(MaskedTable(**options))


def policy_of(agent: str, episode: Any, **_: Any) -> str:
    """Return the policy that decides for an agent: the same one at every seat."""
    return POLICY


def config(
    rules: RuleSet | None = None,
    *,
    hidden: Iterable[int] = (128, 128),
    games: int = 32,
    decisions: int = 4096,
    runners: int = 0,
    seed: int = 1,
    scaling: str = "standard",
) -> "PPOConfig":
    """Return settings with which PPO learns; change them as any `PPOConfig`.

    Args:
        rules: What is played; the base game with four players unless told.
        hidden: Widths of the layers that policy and value share.
        games: Games side by side in each process that plays.
        decisions: Least number of decisions of an iteration; games are always played to the end.
        runners: Processes that play; 0 plays in this one, which is fastest on two cores.
        seed: Decides the deals, the first weights and what is drawn.
        scaling: How observations are scaled, one of `SCALINGS`.

    Raises:
        ConfigError: RLlib is not installed.
    """
    rules = check_rules(RuleSet() if rules is None else rules)
    widths = [whole(each, "a width", 1) for each in items(hidden, "widths of layers")]
    games = whole(games, "the number of games", 1)
    decisions = whole(decisions, "the number of decisions", 1)
    runners = whole(runners, "the number of processes")
    seed = check_seed(seed)
    one_of(scaling, SCALINGS, "scaling")
    require_rllib()
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env

    register_env(ENV, make_env)
    table = MaskedTable(rules, scaling=scaling)
    seat = table.possible_agents[0]
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        observation_space=table.observation_space(seat),
        action_space=table.action_space(seat),
        model_config=DefaultModelConfig(
            fcnet_hiddens=widths, fcnet_activation="relu", vf_share_layers=True
        ),
    )
    return (
        PPOConfig()
        .environment(
            ENV,
            env_config={"rules": rules, "reward": "margin", "scaling": scaling},
            disable_env_checking=True,  # the check tries actions that are not allowed
        )
        .multi_agent(policies={POLICY}, policy_mapping_fn=policy_of)
        .rl_module(rl_module_spec=module)
        .env_runners(
            num_env_runners=runners,
            num_envs_per_env_runner=games,
            batch_mode="complete_episodes",
        )
        .learners(num_learners=0)
        .training(
            gamma=1.0,
            lambda_=0.95,
            lr=1e-3,
            train_batch_size_per_learner=decisions,
            minibatch_size=min(1024, decisions),
            num_epochs=3,
            entropy_coeff=0.01,
            grad_clip=0.5,
            use_kl_loss=False,
        )
        .debugging(seed=seed, log_level="ERROR")
    )


def require_rllib() -> None:
    """Refuse to go on without RLlib.

    Raises:
        ConfigError: It is not installed.
    """
    try:
        importlib.import_module("ray.rllib")
    except ImportError as error:
        raise ConfigError(
            f"RLlib needs {error.name}, which is not installed. It wants an older Gymnasium than "
            "the rest of prico, so give it a virtual environment of its own: "
            "pip install 'prico[rllib]'"
        ) from None


@contextmanager
def running_ray(runners: int = 0) -> Iterator[None]:
    """While this is open, Ray runs; one that runs already is used, and left running.

    Args:
        runners: Processes that will play.
    """
    num_cpus = whole(runners, "the number of processes") + 1
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    if ray.is_initialized():
        yield
        return
    ray.init(
        address="local",  # whatever cluster this machine may belong to
        num_cpus=num_cpus,
        object_store_memory=_OBJECT_STORE,
        include_dashboard=False,
        logging_level="ERROR",
        log_to_driver=False,
    )
    try:
        yield
    finally:
        ray.shutdown()


# -- what was learnt -------------------------------------------------------------------------------


def learnt_policy(algorithm: "Algorithm", rules: RuleSet) -> SavedPolicy:
    """Return what an algorithm has learnt, as our own players think with it.

    Args:
        algorithm: Built from `config`.
        rules: What it plays.
    """
    module: Any = algorithm.get_module(POLICY)
    arrays = [*module.encoder.encoder.parameters(), *module.pi.net.parameters()]
    names = itertools.product(range(len(arrays) // 2), ("weight", "bias"))
    weights = {
        f"layer_{layer}.{kind}": array.detach().cpu().numpy().copy()
        for (layer, kind), array in zip(names, arrays, strict=True)
    }
    scaling: Any = algorithm.config.env_config["scaling"]
    if scaling != LOG:
        entered = rules.observation.scaling(scaling)
        weights |= {FACTOR: entered.factor.copy(), OFFSET: entered.offset.copy()}
    about = {"trainer": RLLIB, "decisions": decisions_of(algorithm), "scaling": scaling}
    return SavedPolicy(rules, weights, about)


def decisions_of(algorithm: "Algorithm") -> int:
    """Return how many decisions an algorithm has learnt from, over all parts of its run."""
    played = ("env_runners", "num_env_steps_sampled_lifetime")
    return int(algorithm.metrics.peek(played, default=0))


def save(algorithm: "Algorithm", rules: RuleSet, run: Path) -> Path:
    """Write a checkpoint into a run folder, in the place of the one before.

    It holds the policy for our own commands, and beside it what RLlib needs to go on.
    """
    policy = learnt_policy(algorithm, rules)
    folder = run / CHECKPOINTS / decisions_name(policy.about["decisions"])
    if not folder.exists():
        with new_folder(folder) as beside:
            save_policy(beside, policy)
            algorithm.save_to_path((beside / RLLIB).resolve())
    write_text(run / LATEST_FILE, f"{CHECKPOINTS}/{folder.name}\n")
    for old in (run / CHECKPOINTS).iterdir():
        if old != folder:
            shutil.rmtree(old)
    return folder


def find_rllib_state(run: Path) -> Path:
    """Return the folder of RLlib's own state in the newest checkpoint of a run.

    Raises:
        CheckpointError: The folder holds no checkpoint.
        ConfigError: RLlib did not write it.
    """
    state = find_policy(run) / RLLIB
    if not state.is_dir():
        raise ConfigError(f"{run} was not trained by RLlib; go on with: prico train --resume {run}")
    return state.resolve()


# -- the command -----------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    options = _parser().parse_args(arguments)
    accept_any_text()
    try:
        require_rllib()
        return _train(options, Console())
    except PricoError as error:
        print(f"prico_training.learning.rllib: {error}", file=sys.stderr)
        return _USER_MISTAKE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m prico_training.learning.rllib",
        description="Learn with RLlib's PPO, by self-play, and measure it among random players. "
        "Ctrl-C stops early and keeps what was learnt.",
    )
    for name, (default, _, words) in _NUMBERS.items():
        parser.add_argument(
            f"--{name}", type=int, default=default, help=f"{words} (default {default})"
        )
    parser.add_argument(
        "--scaling", choices=SCALINGS, help=f"of observations (default {SCALINGS[0]})"
    )
    parser.add_argument("--output", type=Path, metavar="DIR", help="default: runs/...-rllib")
    parser.add_argument("--resume", type=Path, metavar="RUN", help="go on with a run folder")
    return parser


def _train(options: argparse.Namespace, console: Console) -> int:
    """Learn, and measure before and after."""
    _check(options)
    rules, seed = RuleSet(players=options.players), options.seed
    if options.resume is not None:
        before = load_policy(options.resume)
        state, run = find_rllib_state(options.resume), options.resume
        rules, seed = before.rules, seed + before.about["decisions"]  # other deals than before
        scaling = _scaling_of(options.resume, before)
    else:
        state, run = None, options.output or _new_folder()
        scaling = options.scaling or SCALINGS[0]
    curve = Curve(rules, (_FLOOR,), options.deals)
    with writing(run):
        run.mkdir(parents=True, exist_ok=True)
    with FolderLock(run), running_ray(options.runners):
        settings = config(
            rules,
            games=options.games,
            decisions=options.decisions,
            runners=options.runners,
            seed=seed,
            scaling=scaling,
        )
        algorithm = settings.build_algo()
        if state is not None:
            algorithm.restore_from_path(state)
        print_plain(console, _measure("at the start", curve, learnt_policy(algorithm, rules)))
        stopped = _learn(algorithm, rules, run, options.iterations, console)
        print_plain(console, _measure("at the end", curve, learnt_policy(algorithm, rules)))
        algorithm.stop()
    print_plain(console, f"The checkpoint is in {run}; go on with --resume {run}")
    print_plain(console, f"Play against it: prico play human {run} planner corn")
    return _INTERRUPTED if stopped else 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what cannot be done, before anything is begun.

    Raises:
        ConfigError: A number is too small, or the folder is in use.
    """
    for name, (_, least, _) in _NUMBERS.items():
        value = getattr(options, name)
        if value < least:
            raise ConfigError(f"--{name} must be at least {least}, not {value}")
    if options.output is not None and options.resume is not None:
        raise ConfigError("a run that goes on keeps its folder; leave --output out")
    if options.scaling is not None and options.resume is not None:
        raise ConfigError("a run that goes on keeps its scaling; leave --scaling out")
    if options.output is not None and options.output.exists():
        raise ConfigError(f"{options.output} exists; go on with --resume, or name another folder")


def _scaling_of(run: Path, policy: SavedPolicy) -> str:
    """Return the scaling that a run learns with.

    Raises:
        ConfigError: Its means and deviations are not those of this version.
    """
    scaling: Any = policy.about.get("scaling", LOG)  # older runs knew no other
    if scaling != LOG:
        ours = policy.rules.observation.scaling(scaling)
        theirs = policy.weights[FACTOR], policy.weights[OFFSET]
        if not all(map(np.array_equal, theirs, (ours.factor, ours.offset))):
            raise ConfigError(
                f"{run} has learnt with other means and deviations of features than this version "
                "has; it plays as before, but to go on, use the version of prico that trained it"
            )
    return str(scaling)


def _new_folder() -> Path:
    return Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-{RLLIB}"


def _learn(
    algorithm: "Algorithm", rules: RuleSet, run: Path, iterations: int, console: Console
) -> bool:
    """Learn, with a checkpoint after each iteration; returns whether somebody stopped it."""
    before, began = decisions_of(algorithm), time.perf_counter()
    with Interruptions() as interruptions, new_bar(console) as bar:
        task = bar.add_task("learning", total=iterations, note="")
        for iteration in range(1, iterations + 1):
            entropy = algorithm.train()["learners"][POLICY]["entropy"]
            save(algorithm, rules, run)
            decisions = decisions_of(algorithm)
            rate = (decisions - before) / (time.perf_counter() - began)
            note = f"{decisions:,} decisions, {rate:,.0f}/s, entropy {entropy:.2f}"
            bar.update(task, completed=iteration, note=note)
            if not console.is_terminal:
                print_plain(console, f"{iteration:4} of {iterations}: {note}")
            if interruptions.happened:
                break
    return interruptions.happened


def _measure(when: str, curve: Curve, policy: SavedPolicy) -> str:
    """Say how often a policy wins alone among random players."""
    point, win = curve.point(policy, lambda: True), win_of(_FLOOR)
    low, high = point[f"{win}_low"], point[f"{win}_high"]
    return (
        f"{when}: wins {point[win]:.1%} [{low:.0%}, {high:.0%}] alone among random players; "
        f"even play is {1 / policy.rules.players:.0%}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
