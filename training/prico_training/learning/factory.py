"""Builds what the settings ask for: a trainer, its actors, and who plays the learning curve."""

from prico_env.errors import from_extra
from prico_training.config import Config
from prico_training.errors import ConfigError
from prico_training.learning.actors import LocalActors, with_own_seed
from prico_training.learning.distributed import ALONE, Ranks
from prico_training.learning.learning_curve import Curve, CurvePlayer, LocalCurve
from prico_training.learning.ppo import PpoTrainer
from prico_training.learning.trainer import Trainer
from prico_training.machine import keep_freed_memory


def make_trainer(config: Config, ranks: Ranks = ALONE) -> Trainer:
    """Make what learns.

    Args:
        config: The settings.
        ranks: The processes that learn together.

    Raises:
        ConfigError: An opponent or teacher cannot be one, or cannot learn with several ranks.
        MissingExtraError: What it takes is not installed.
    """
    keep_freed_memory()
    if ranks.size > 1 and (config.trainer != "ppo" or config.actors.count):
        raise ConfigError("only trainer=ppo without Ray actors can learn with several ranks")
    if config.trainer == "ppo":
        return PpoTrainer(config, make_actors(with_own_seed(config, ranks.rank)), ranks)
    if config.trainer == "expert_iteration":
        from prico_training.learning.expert_iteration import ExpertIterationTrainer

        return ExpertIterationTrainer(config)
    with from_extra("train", "trainer=maskable_sb3"):
        from prico_training.learning.maskable_ppo import MaskableTrainer
    return MaskableTrainer(config)


def make_actors(config: Config) -> LocalActors:
    """Make who plays: this process, or Ray actors.

    Raises:
        ConfigError: There shall be Ray actors, and there is no cluster.
        MissingExtraError: There shall be Ray actors, and no Ray is installed.
    """
    if config.actors.count == 0:
        return LocalActors(config)
    with from_extra("ray", f"actors.count={config.actors.count}"):
        from prico_training.learning.ray_actors import RayActors
    return RayActors(config)


def make_curve_player(config: Config, curve: Curve) -> CurvePlayer:
    """Make who plays the learning curve: this process, or another where there are Ray actors."""
    if config.actors.count == 0:
        return LocalCurve(curve)
    from prico_training.learning.ray_actors import RayCurve  # only where there is Ray

    return RayCurve(config, curve)
