"""MaskablePPO of sb3-contrib, as the example for users has it."""

import re

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO

from prico_training.examples import sb3_maskable_ppo


def test_the_learner_only_does_what_it_may():
    env = sb3_maskable_ppo.make_games(3, "corn", games=4, seed=1)
    model = sb3_maskable_ppo.make_learner(env, seed=1)
    observations = env.reset()
    for _ in range(20):
        masks = env.action_masks()
        actions, _ = model.predict(observations, action_masks=masks)
        assert masks[np.arange(4), actions].all()
        observations, *_ = env.step(actions)


def test_a_saved_model_goes_on_only_with_the_scaling_it_was_trained_with(tmp_path):
    env = sb3_maskable_ppo.make_games(3, "random", games=2, seed=1, scaling="range")
    sb3_maskable_ppo.make_learner(env, seed=1).save(tmp_path / "model")
    MaskablePPO.load(tmp_path / "model", env=env)
    standard = sb3_maskable_ppo.make_games(3, "random", games=2, seed=1)
    with pytest.raises(ValueError, match="Observation spaces do not match"):
        MaskablePPO.load(tmp_path / "model", env=standard)


@pytest.mark.training
def test_the_example_learns_and_measures(capsys):
    sb3_maskable_ppo.main("--players 3 --decisions 512 --games 4 --measured 4".split())
    assert re.fullmatch(r"before: wins \d+%\nafter: wins \d+%\n", capsys.readouterr().out)
