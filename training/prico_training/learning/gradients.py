"""The losses of learning and their gradients in one compiled pass over what is legal.

Of some 140 actions fewer than ten are legal in most decisions. Torch's own operations go through
all of them a dozen times, forwards and backwards, and take as long as half of the network. Here the
derivatives of `prico_training.learning.losses` are worked out by hand, and handed to the network:

- of a log-probability by a logit: ``d log p_a / d z_i = [i = a] - p_i``;
- of the entropy: ``d H / d z_i = -p_i (log p_i + H)``;
- of the clipped surrogate by the log-probability: ``-A r`` where it is not clipped, else 0;
- of the KL divergence to another policy q: ``d KL / d z_i = p_i (log p_i - log q_i - KL)``.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_env.core.api import kernel

PPO_STATISTICS: Final = ("approx_kl", "clip_fraction", "entropy", "value_loss", "reference_kl")
"""What `ppo_gradients` tells beside, in this order."""
CLONING_STATISTICS: Final = ("agreement", "value_loss", "entropy")
"""What `cloning_gradients` tells beside, in this order."""


class PpoTargets(NamedTuple):
    """What PPO learns from, one row a decision.

    Attributes:
        legal: What was legal, bool, shape ``(rows, num_actions)``; at least one in each row.
        actions: What was played, int64, shape ``(rows,)``.
        log_probs: Log-probabilities of that when it was played, float32, likewise.
        advantages: How much better than expected each action turned out, float32, likewise.
        returns: Targets of the values, float32, shape ``(rows, value_seats, parts)``.
        reference: Log-probabilities of the policy to stay near, float32, of the shape of `legal`,
            which alone counts; shape ``(rows, 0)`` where there is none.
    """

    legal: NDArray[np.bool_]
    actions: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    advantages: NDArray[np.float32]
    returns: NDArray[np.float32]
    reference: NDArray[np.float32]


class PpoCoefs(NamedTuple):
    """The weights of PPO's loss.

    Attributes:
        clip_range: How far the probability ratio may move from 1 before it stops to count.
        vf_coef: Weight of half the squared error of the values.
        ent_coef: Weight of the entropy bonus.
        reference_coef: Weight of the KL divergence from the policy to the one to stay near.
        size: What the sum over the rows is divided by: the decisions of a minibatch.
    """

    clip_range: float
    vf_coef: float
    ent_coef: float
    reference_coef: float
    size: float


class CloningTargets(NamedTuple):
    """What behaviour cloning learns from, one row a decision.

    Attributes:
        legal: As in `PpoTargets`.
        actions: What the player would do, int64, shape ``(rows,)``.
        taught: Whether it was the teacher's decision, bool; only these count for the policy.
        returns: As in `PpoTargets`.
    """

    legal: NDArray[np.bool_]
    actions: NDArray[np.int64]
    taught: NDArray[np.bool_]
    returns: NDArray[np.float32]


class Gradients(NamedTuple):
    """Derivatives of a loss by what a network computed.

    Attributes:
        logits: By the logits, float32, shape ``(rows, num_actions)``; 0 where nothing is legal.
        values: By the values, float32, shape ``(rows, value_seats, parts)``.
        statistics: Sums over the rows, float64, by the names above.
    """

    logits: NDArray[np.float32]
    values: NDArray[np.float32]
    statistics: NDArray[np.float64]


def ppo_gradients(
    logits: NDArray[np.float32],
    values: NDArray[np.float32],
    targets: PpoTargets,
    coefs: PpoCoefs,
) -> Gradients:
    """Differentiate PPO's loss: clipped surrogate (Schulman et al. 2017, eq. 7), value, entropy.

    Where there is a policy to stay near, its KL divergence is part of the loss (Jacob et al. 2022).

    Args:
        logits: Of the network, shape ``(rows, num_actions)``.
        values: Of the network, shape ``(rows, value_seats, parts)``.
        targets: The decisions.
        coefs: The weights.

    Returns:
        The gradients, and the sums of `PPO_STATISTICS`, the KL divergence by estimator k3
        (Schulman 2020).
    """
    found = _blank(logits, values, PPO_STATISTICS)
    _fill_ppo_gradients((logits, values), targets, coefs, _scratch(logits), found)
    return found


def cloning_gradients(
    logits: NDArray[np.float32],
    values: NDArray[np.float32],
    targets: CloningTargets,
    vf_coef: float,
    sizes: tuple[int, int] | None = None,
) -> Gradients:
    """Differentiate the loss of behaviour cloning: negative log-likelihood, and value loss.

    Args:
        logits: Of the network, shape ``(rows, num_actions)``.
        values: Of the network, shape ``(rows, value_seats, parts)``.
        targets: The decisions.
        vf_coef: Weight of half the squared error of the values.
        sizes: Decisions of the teacher, and all decisions, of a minibatch that these are a part of;
            None: these are all.

    Returns:
        The gradients of the means over the rows, and the sums of `CLONING_STATISTICS`.
    """
    found = _blank(logits, values, CLONING_STATISTICS)
    taught, everything = sizes or (int(targets.taught.sum()), len(targets.actions))
    coefs = 1.0 / max(1, taught), vf_coef / everything
    _fill_cloning_gradients((logits, values), targets, coefs, _scratch(logits), found)
    return found


def _blank(
    logits: NDArray[np.float32], values: NDArray[np.float32], names: tuple[str, ...]
) -> Gradients:
    return Gradients(np.zeros_like(logits), np.zeros_like(values), np.zeros(len(names)))


def _scratch(logits: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Room for the legal actions of a row and their log-probabilities."""
    return np.zeros(logits.shape[1], np.int64), np.zeros(logits.shape[1], np.float32)


@kernel
def _fill_ppo_gradients(
    outputs: tuple[Any, Any],
    targets: PpoTargets,
    coefs: PpoCoefs,
    scratch: tuple[Any, Any],
    found: Gradients,
) -> None:
    logits, values = outputs
    which, log_probs = scratch
    row_weight = 1.0 / coefs.size
    for row in range(logits.shape[0]):
        number, entropy = _list_legal(logits[row], targets.legal[row], which, log_probs)
        log_ratio, action = 0.0, targets.actions[row]
        for place in range(number):
            if which[place] == action:
                log_ratio = log_probs[place] - targets.log_probs[row]
        ratio, advantage = np.exp(log_ratio), targets.advantages[row]
        is_outside = abs(ratio - 1.0) > coefs.clip_range
        is_clipped = is_outside and (ratio > 1.0) == (advantage > 0.0)
        by_log_prob = 0.0 if is_clipped else -advantage * ratio * row_weight
        slopes = by_log_prob, -coefs.ent_coef * row_weight, entropy
        _fill_by_logits(which[:number], log_probs, action, slopes, found.logits[row])
        if coefs.reference_coef > 0.0:
            found.statistics[4] += _add_by_reference(
                which[:number],
                log_probs,
                targets.reference[row],
                coefs.reference_coef * row_weight,
                found.logits[row],
            )
        error = _fill_by_values(
            values[row], targets.returns[row], coefs.vf_coef * row_weight, found.values[row]
        )
        found.statistics[0] += ratio - 1.0 - log_ratio
        found.statistics[1] += is_outside
        found.statistics[2] += entropy
        found.statistics[3] += error


@kernel
def _fill_cloning_gradients(
    outputs: tuple[Any, Any],
    targets: CloningTargets,
    coefs: tuple[float, float],
    scratch: tuple[Any, Any],
    found: Gradients,
) -> None:
    logits, values = outputs
    which, log_probs = scratch
    by_taught, by_value = coefs
    for row in range(logits.shape[0]):
        number, entropy = _list_legal(logits[row], targets.legal[row], which, log_probs)
        if targets.taught[row]:
            likeliest, action = 0, targets.actions[row]
            for place in range(number):
                if log_probs[place] > log_probs[likeliest]:
                    likeliest = place
            found.statistics[0] += which[likeliest] == action
            slopes = -by_taught, 0.0, entropy
            _fill_by_logits(which[:number], log_probs, action, slopes, found.logits[row])
        found.statistics[1] += _fill_by_values(
            values[row], targets.returns[row], by_value, found.values[row]
        )
        found.statistics[2] += entropy


@kernel
def _list_legal(logits: Any, legal: Any, which: Any, log_probs: Any) -> tuple[int, float]:
    """List the legal actions of a row with their log-probabilities; returns how many, and entropy.

    Masked softmax (Huang & Ontañón 2020), entropy in nats (Shannon 1948).
    """
    number = 0
    highest = np.float32(-np.inf)
    for action in range(legal.shape[0]):
        if legal[action]:
            which[number] = action
            number += 1
            highest = max(highest, logits[action])
    total = np.float32(0.0)
    for place in range(number):
        total += np.exp(logits[which[place]] - highest)
    log_total = np.log(total)
    entropy = 0.0
    for place in range(number):
        log_prob = logits[which[place]] - highest - log_total
        log_probs[place] = log_prob
        entropy -= np.exp(log_prob) * log_prob
    return number, entropy


@kernel
def _fill_by_logits(
    which: Any, log_probs: Any, action: int, slopes: tuple[float, float, float], by_logits: Any
) -> None:
    """Write the derivatives by the logits of a row.

    Args:
        which: The legal actions.
        log_probs: Their log-probabilities.
        action: The action that the loss is about.
        slopes: Derivatives by its log-probability and by the entropy; and the entropy.
        by_logits: Receives them.
    """
    by_log_prob, by_entropy, entropy = slopes
    for place in range(which.shape[0]):
        log_prob = log_probs[place]
        prob = np.exp(log_prob)
        is_chosen = 1.0 if which[place] == action else 0.0
        by_logits[which[place]] = by_log_prob * (is_chosen - prob) - by_entropy * prob * (
            log_prob + entropy
        )


@kernel
def _add_by_reference(
    which: Any, log_probs: Any, reference: Any, weight: float, by_logits: Any
) -> float:
    """Add the derivatives of the KL divergence to another policy in a row, and return it.

    Args:
        which: The legal actions.
        log_probs: Their log-probabilities.
        reference: Log-probabilities of the other policy, by action.
        weight: What the divergence counts.
        by_logits: Receives them.
    """
    divergence = 0.0
    for place in range(which.shape[0]):
        log_ratio = log_probs[place] - reference[which[place]]
        divergence += np.exp(log_probs[place]) * log_ratio
    for place in range(which.shape[0]):
        log_ratio = log_probs[place] - reference[which[place]]
        slope = np.exp(log_probs[place]) * (log_ratio - divergence)
        by_logits[which[place]] += weight * slope
    return divergence


@kernel
def _fill_by_values(values: Any, returns: Any, weight: float, by_values: Any) -> float:
    """Write the derivatives of half the squared error of a row, and return that error."""
    error = 0.0
    for seat in range(values.shape[0]):
        for part in range(values.shape[1]):
            difference = values[seat, part] - returns[seat, part]
            by_values[seat, part] = weight * difference
            error += 0.5 * difference * difference
    return error
