"""Self-play PPO in one file, as the example for users has it."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from prico_agents import View
from prico_agents.base import BatchAgent
from prico_env import Game, RuleSet
from prico_env.envs import PuertoRicoVectorEnv
from prico_training.arena.match import Contestant, play
from prico_training.examples import plot_curve, ppo_selfplay

FILE = Path(ppo_selfplay.__file__)
RULES = RuleSet(players=3)


def test_it_is_one_short_file_that_needs_nothing_of_our_trainer() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
    assert "import prico_training" not in text
    assert "from prico_training" not in text


@pytest.mark.parametrize("seated", [{}, {"seat": "rotate", "opponents": "corn"}])
def test_what_it_collects_are_legal_decisions_of_seats_that_are_paid(
    seated: dict[str, Any],
) -> None:
    envs = PuertoRicoVectorEnv(4, RULES, **seated)
    network = ppo_selfplay.Network(RULES)
    rollout = next(ppo_selfplay.rollouts(network, envs, 3, 200))
    features, masks, actions, log_probs, advantages, returns = rollout
    assert masks.gather(1, actions[:, None]).all()
    assert (log_probs <= 0).all()
    assert features.shape == (len(actions), RULES.observation.num_features)
    assert 0.9 * 800 < len(actions) < 800  # all but what is unknown yet, and the dealing of games
    assert advantages.shape == returns.shape == actions.shape
    assert len(returns.unique()) > 100


def test_it_learns_saves_what_the_arena_seats_and_tells_its_curve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "saved.pt"
    small = "--players 3 --decisions 800 --games 4 --sparring 4 --steps 50 --batch 100 --every 1"
    ppo_selfplay.main([*small.split(), "--measured", "4", "--out", str(saved)])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["decisions"] for row in rows] == ["400", "800"]
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
