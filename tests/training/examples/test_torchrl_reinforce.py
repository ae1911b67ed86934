"""TorchRL on our PettingZoo environment, as the example for users has it."""

import pytest
import torch

pytestmark = pytest.mark.training


@pytest.fixture(scope="module")
def client():
    pytest.importorskip("torchrl")
    from prico_training.examples import (
        torchrl_reinforce,  # takes seconds, which other tests need not wait
    )

    return torchrl_reinforce


@pytest.fixture(scope="module")
def game(client):
    return client.make_game(players=3, seed=1)


def test_one_seat_acts_at_a_time_and_only_as_it_may(client, game):
    played = client.play(game, client.make_policy(game), most=30)
    seats, actions = played["agents", "mask"], played["agents", "action"]
    allowed = played["agents", "action_mask"].gather(-1, actions.unsqueeze(-1)).squeeze(-1)
    assert allowed[seats].all()
    assert (seats.sum(dim=-1) == 1).all()
    chosen = [move for move in game.game.history if not move.forced]
    assert [move.seat for move in chosen] == seats.int().argmax(dim=-1).tolist()
    assert [move.action for move in chosen] == actions[seats].tolist()


def test_what_the_winner_did_becomes_more_likely(client, game):
    torch.manual_seed(1)
    policy = client.make_policy(game)
    played = client.play(game, policy, most=30)
    played["next", "agents", "reward"][-1] = torch.tensor([[1.0], [-0.5], [-0.5]])
    own = played["agents", "mask"][:, 0]

    def likely():
        return policy.get_dist(played).log_prob(played["agents", "action"])[own, 0].sum()

    before = likely().item()
    client.loss_of(played, policy).backward()
    with torch.no_grad():
        for weights in policy.parameters():
            weights -= 0.01 * weights.grad
    assert likely().item() > before


def test_the_example_plays_whole_games(client, capsys):
    client.main(["--games", "1", "--measured", "4"])
    shown = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in shown] == ["before", "game 1", "after"]
