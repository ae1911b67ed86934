"""Self-play PPO in one file, as the example for users has it."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from prico_agents import View
from prico_agents.base import BatchAgent
from prico_env import Game, Games, RuleSet
from prico_training.arena.match import Contestant, play
from prico_training.examples import plot_curve, ppo_selfplay

FILE = Path(ppo_selfplay.__file__)
RULES = RuleSet(players=3)


def test_it_is_one_short_file_that_needs_nothing_of_our_trainer() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
    assert "import prico_training" not in text
    assert "from prico_training" not in text


def test_what_it_collects_are_legal_decisions_that_pay_every_seat() -> None:
    games = Games(RULES, 4, seed=3)
    network = ppo_selfplay.Network(RULES)
    features, masks, actions, log_probs, rewards, ended, values, seats = ppo_selfplay.play(
        network, games, 300
    )
    assert np.take_along_axis(masks, actions[..., None], axis=2).all()
    assert (log_probs <= 0).all()
    assert features.shape == (300, 4, RULES.observation.num_features)
    assert values.shape == seats.shape == (301, 4)
    for game in range(4):
        end = int(np.flatnonzero(ended[:, game])[0])
        paid = rewards[: end + 1, game].sum(axis=0)  # the win, and the lead over the mean
        assert paid.sum() == pytest.approx(0, abs=1e-4)
        assert np.count_nonzero(paid) == 3


def test_it_learns_saves_what_the_arena_seats_and_tells_its_curve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "saved.pt"
    words = f"--players 3 --decisions 400 --games 4 --steps 50 --batch 100 --every 1 --out {saved}"
    ppo_selfplay.main([*words.split(), "--measured", "4"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["decisions"] for row in rows] == ["200", "400"]
    assert all(0 <= float(row["win_rate"]) <= 1 for row in rows)
    player = ppo_selfplay.Player(str(saved))
    assert isinstance(player, BatchAgent)
    game = Game(RULES, seed=1)
    assert player.act(View.of(game)) in game.legal_actions()
    name = f"prico_training.examples.ppo_selfplay:Player:path={saved}"
    table = [Contestant.of(name, name), *[Contestant.of("corn", "corn")] * 2]
    assert not play(RULES, table, [1]).faults


def test_its_curve_is_drawn(tmp_path: Path) -> None:
    curve = tmp_path / "curve.csv"
    curve.write_text("decisions,cpu_seconds,win_rate,games\n200,30,0.25,16\n400,60,0.5,16\n")
    plot_curve.main([str(curve), str(tmp_path / "curve.png")])
    assert (tmp_path / "curve.png").read_bytes()[1:4] == b"PNG"
