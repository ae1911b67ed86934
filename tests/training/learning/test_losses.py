"""The formulas of learning against numbers worked out by hand."""

import math

import pytest

pytest.importorskip("torch")

import torch

from prico_training.learning import losses


def test_forbidden_actions_are_never_chosen_and_the_others_share_all_chance():
    logits = torch.tensor([[0.0, math.log(3.0), 50.0]])
    masks = torch.tensor([[True, True, False]])
    log_probs = losses.log_probabilities(logits, masks)
    assert torch.allclose(log_probs[0, :2].exp(), torch.tensor([0.25, 0.75]))
    assert log_probs[0, 2].exp() == 0


def test_entropy_counts_only_what_is_allowed():
    masks = torch.tensor([[True, True, False, True], [False, True, False, False]])
    log_probs = losses.log_probabilities(torch.zeros(2, 4), masks)
    assert losses.entropy(log_probs).tolist() == pytest.approx([math.log(3), 0.0])


def test_a_forbidden_action_gets_no_gradient():
    logits = torch.zeros(1, 3, requires_grad=True)
    log_probs = losses.log_probabilities(logits, torch.tensor([[True, True, False]]))
    (losses.entropy(log_probs).sum() + log_probs[0, 0]).backward()
    assert logits.grad is not None
    assert logits.grad[0].tolist() == pytest.approx([0.5, -0.5, 0.0])


def test_the_error_of_values_is_summed_over_seats_and_parts():
    values = torch.tensor([[[1.0, 0.0], [0.5, 0.0]]])
    returns = torch.tensor([[[0.0, 2.0], [0.5, 1.0]]])
    assert losses.value_loss(values, returns).tolist() == [0.5 * (1 + 4 + 0 + 1)]


def test_variance_explained_is_one_for_perfect_and_zero_for_constant_values():
    returns = torch.tensor([0.0, 1.0, 0.0, 1.0])
    assert losses.explained_variance(returns, returns) == 1
    assert losses.explained_variance(torch.full((4,), 0.3), returns) == 0
