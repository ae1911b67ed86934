"""The gradients that are worked out by hand, against numbers and against those of Torch."""

import math

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from prico_training.learning import losses
from prico_training.learning.gradients import (
    CLONING_STATISTICS,
    PPO_STATISTICS,
    CloningTargets,
    PpoCoefs,
    PpoTargets,
    cloning_gradients,
    ppo_gradients,
)

NUM_ACTIONS, SEATS, PARTS = 9, 4, 2
COEFS = PpoCoefs(clip_range=0.2, vf_coef=0.7, ent_coef=0.05, reference_coef=0.3, size=150.0)


def of_one_decision(ratio, advantage):
    """Two of three actions are legal and as likely; the first one was played."""
    return ppo_gradients(
        np.array([[0.0, 0.0, 50.0]], np.float32),
        np.zeros((1, 1, 1), np.float32),
        PpoTargets(
            legal=np.array([[True, True, False]]),
            actions=np.zeros(1, np.int64),
            log_probs=np.log(np.array([0.5 / ratio], np.float32)),
            advantages=np.array([advantage], np.float32),
            returns=np.zeros((1, 1, 1), np.float32),
            reference=np.zeros((1, 0), np.float32),
        ),
        PpoCoefs(clip_range=0.2, vf_coef=1.0, ent_coef=0.0, reference_coef=0.0, size=1.0),
    )


@pytest.mark.parametrize(
    ("ratio", "advantage", "slope"),
    [
        (1.0, 2.0, -2.0),  # as when it was played
        (1.5, 2.0, 0.0),  # likelier than 1.2 counts no more
        (0.5, 2.0, -1.0),  # a good action that got rarer counts in full
        (0.5, -2.0, 0.0),  # a bad one rarer than 0.8 counts no more
        (1.5, -2.0, 3.0),  # a bad one that got likelier counts in full
    ],
)
def test_the_surrogate_stops_to_count_outside_of_the_clip_range(ratio, advantage, slope):
    by_logits = of_one_decision(ratio, advantage).logits[0]
    assert by_logits.tolist() == pytest.approx([slope / 2, -slope / 2, 0.0], abs=1e-6)


def test_policy_change_is_zero_for_the_same_policy_and_positive_otherwise():
    place = PPO_STATISTICS.index("approx_kl")
    assert of_one_decision(1.0, 1.0).statistics[place] == pytest.approx(0, abs=1e-7)
    for ratio in (2.0, 0.5):
        expected = ratio - 1 - math.log(ratio)
        assert of_one_decision(ratio, 1.0).statistics[place] == pytest.approx(expected, abs=1e-6)


def test_clipped_share_counts_ratios_on_both_sides():
    place = PPO_STATISTICS.index("clip_fraction")
    counted = [of_one_decision(ratio, 1.0).statistics[place] for ratio in (1.0, 1.19, 1.3, 0.7)]
    assert counted == [0, 0, 1, 1]


@pytest.fixture(name="decisions")
def some_decisions():
    rows, chance = 200, np.random.default_rng(5)
    legal = chance.random((rows, NUM_ACTIONS)) < 0.4
    legal[np.arange(rows), chance.integers(NUM_ACTIONS, size=rows)] = True
    actions = np.array([chance.choice(np.flatnonzero(row)) for row in legal])
    return {
        "logits": chance.normal(size=(rows, NUM_ACTIONS)).astype(np.float32),
        "values": chance.normal(size=(rows, SEATS, PARTS)).astype(np.float32),
        "legal": legal,
        "actions": actions,
        "returns": chance.normal(size=(rows, SEATS, PARTS)).astype(np.float32),
    }


def as_tensors(decisions):
    logits, values = (
        torch.from_numpy(decisions[name]).requires_grad_() for name in ("logits", "values")
    )
    log_probs = losses.log_probabilities(logits, torch.from_numpy(decisions["legal"]))
    chosen = log_probs.gather(1, torch.from_numpy(decisions["actions"])[:, None])[:, 0]
    value_loss = losses.value_loss(values, torch.from_numpy(decisions["returns"]))
    return logits, values, log_probs, chosen, value_loss


def test_the_gradients_of_ppo_are_those_that_torch_finds(decisions):
    chance = np.random.default_rng(6)
    logits, values, log_probs, chosen, value_loss = as_tensors(decisions)
    old = chosen.detach() + torch.from_numpy(
        chance.normal(scale=0.3, size=len(chosen)).astype(np.float32)
    )
    advantages = torch.from_numpy(chance.normal(size=len(chosen)).astype(np.float32))
    ratios = (chosen - old).exp()
    surrogate = -torch.minimum(ratios * advantages, ratios.clamp(0.8, 1.2) * advantages)
    entropy = losses.entropy(log_probs)
    legal = torch.from_numpy(decisions["legal"])
    near = losses.log_probabilities(torch.from_numpy(chance.normal(size=legal.shape)), legal)
    divergence = (log_probs.exp() * torch.where(legal, log_probs - near, 0)).sum(dim=1)
    loss = surrogate + COEFS.vf_coef * value_loss - COEFS.ent_coef * entropy
    loss = loss + COEFS.reference_coef * divergence
    (loss.sum() / COEFS.size).backward()
    targets = PpoTargets(
        decisions["legal"],
        decisions["actions"],
        old.numpy(),
        advantages.numpy(),
        decisions["returns"],
        near.numpy().astype(np.float32),
    )
    found = ppo_gradients(decisions["logits"], decisions["values"], targets, COEFS)
    np.testing.assert_allclose(found.logits, logits.grad, atol=1e-6)
    np.testing.assert_allclose(found.values, values.grad, atol=1e-6)
    expected = (
        ratios - 1 - ratios.log(),
        (ratios - 1).abs() > COEFS.clip_range,
        entropy,
        value_loss,
        divergence,
    )
    sums = [float(each.detach().sum()) for each in expected]
    np.testing.assert_allclose(found.statistics, sums, rtol=1e-4)


def cloned(decisions, taught, vf_coef):
    targets = CloningTargets(decisions["legal"], decisions["actions"], taught, decisions["returns"])
    return cloning_gradients(decisions["logits"], decisions["values"], targets, vf_coef)


def test_the_gradients_of_cloning_are_those_that_torch_finds(decisions):
    taught = np.random.default_rng(7).random(len(decisions["actions"])) < 0.6
    logits, values, log_probs, chosen, value_loss = as_tensors(decisions)
    nll = -(chosen * torch.from_numpy(taught)).sum() / taught.sum()
    (nll + 0.7 * value_loss.mean()).backward()
    found = cloned(decisions, taught, vf_coef=0.7)
    np.testing.assert_allclose(found.logits, logits.grad, atol=1e-6)
    np.testing.assert_allclose(found.values, values.grad, atol=1e-6)
    agreed = (log_probs.argmax(dim=1).numpy() == decisions["actions"]) & taught
    told = dict(zip(CLONING_STATISTICS, found.statistics, strict=True))
    assert told["agreement"] == agreed.sum()
    assert told["value_loss"] == pytest.approx(float(value_loss.detach().sum()), rel=1e-4)
    assert told["entropy"] == pytest.approx(
        float(losses.entropy(log_probs).detach().sum()), rel=1e-4
    )


def test_demonstrations_without_a_teacher_teach_values_alone(decisions):
    taught = np.zeros(len(decisions["actions"]), np.bool_)
    found = cloned(decisions, taught, vf_coef=1.0)
    assert not found.logits.any()
    assert found.values.any()
