"""The network of the settings: of which kind, on which device, with which weights to start."""

from typing import Any

from prico_agents.neural.checkpoint import CheckpointError, SavedPolicy, load_policy
from prico_agents.neural.entity_inputs import axes_of
from prico_training.config import Config
from prico_training.errors import ConfigError
from prico_training.learning.entity_model import EntityActorCritic
from prico_training.learning.model import ActorCritic, LearningNetwork, device_of
from prico_training.learning.trainer import Weights


def make_network(config: Config) -> LearningNetwork:
    """Make the network of the settings.

    Raises:
        ConfigError: There is no such device, or the weights to start with do not fit.
    """
    shape, device = config.network, device_of(config.device)
    if shape.kind == "entities":
        made: LearningNetwork = EntityActorCritic(config.largest, shape, config.value_seats)
    else:
        made = ActorCritic(config.largest, shape.hidden, config.value_seats, shape.half)
    made.to(device)
    load_start_weights(made, config)
    return made


def load_start_weights(network: LearningNetwork, config: Config) -> None:
    """Give a network the weights that the settings let it start with, if they name any.

    Raises:
        ConfigError: They are those of another network.
    """
    if not config.network.start:
        return
    try:
        network.load_weights(load_policy(config.network.start))
    except CheckpointError as error:
        raise ConfigError(f"network.start: {error}") from None


def saved_policy(config: Config, weights: Weights, about: dict[str, Any]) -> SavedPolicy:
    """Return what a file keeps of a network of the settings.

    Args:
        config: The settings.
        weights: What `LearningNetwork.to_weights` returned.
        about: What is noted about it, plain values.
    """
    axes = axes_of(config.largest) if config.network.kind == "entities" else None
    return SavedPolicy(config.largest, weights, about, config.players, axes=axes)
