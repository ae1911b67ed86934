"""The network of the settings: of which kind, on which device, with which weights to start."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

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
        first, *others = (load_policy(name) for name in config.network.start)
        network.load_weights(_mean(first, others))
    except CheckpointError as error:
        raise ConfigError(f"network.start: {error}") from None


def _mean(first: SavedPolicy, others: Sequence[SavedPolicy]) -> SavedPolicy:
    """A policy with the mean of the weights of several, whose networks must be alike.

    Raises:
        CheckpointError: They are not.
    """
    shapes = {name: array.shape for name, array in first.weights.items()}
    for each in others:
        theirs = {name: array.shape for name, array in each.weights.items()}
        if (each.layout, each.axes, theirs) != (first.layout, first.axes, shapes):
            raise CheckpointError(
                "only networks of the same shape and rule set have a mean; name one, or several "
                "that have learnt on from the same weights"
            )
    everyone = [first.weights, *(each.weights for each in others)]
    mean = {name: np.mean([one[name] for one in everyone], axis=0) for name in shapes}
    return dataclasses.replace(first, weights=mean)


def saved_policy(config: Config, weights: Weights, about: dict[str, Any]) -> SavedPolicy:
    """Return what a file keeps of a network of the settings.

    Args:
        config: The settings.
        weights: What `LearningNetwork.to_weights` returned.
        about: What is noted about it, plain values.
    """
    axes = axes_of(config.largest) if config.network.kind == "entities" else None
    return SavedPolicy(config.largest, weights, about, config.players, axes=axes)
