"""Train both kinds of networks for the same processor time, and measure how each plays.

    pip install "prico[train]"
    python -m prico_training.examples.compare_networks --seconds 600 seed=7

Tried with torch 2.13.0. Each network learns by the same settings: those of the default run, on one
thread, changed by what is given, until the process has used so many seconds of processor time,
teachers and opponents included. So a busy machine makes it slower, and changes nothing else. Then
it meets each opponent of the learning curve alone among copies; printed are its win rates with
intervals of 95 %, from deals that it never learnt from.
"""

import argparse
import time
from collections.abc import Sequence

from prico_env.errors import from_extra
from prico_training.config import Config, load_config
from prico_training.learning.metrics import win_of

with from_extra("train", "this example"):
    import torch

    from prico_training.learning.factory import make_trainer
    from prico_training.learning.learning_curve import Curve
    from prico_training.learning.networks import saved_policy

KINDS = ("dense", "entities")
_TOLD_EVERY = 0.1
"""Share of the budget between two lines of figures."""


def train(config: Config, seconds: float) -> tuple[str, dict[str, float]]:
    """Learn for a processor time; return how much was learnt from, in words, and win rates."""
    torch.set_num_threads(config.threads)
    trainer, start, told = make_trainer(config), time.process_time(), 0.0
    try:
        while (spent := (time.process_time() - start) / seconds) < 1:
            figures = trainer.learn(spent)
            if spent - told >= _TOLD_EVERY:
                told = spent
                shown = ", ".join(f"{name} {value:.4g}" for name, value in figures.items())
                print(f"  {spent:4.0%} {trainer.decisions:,} decisions: {shown}", flush=True)
    finally:
        trainer.close()
    learnt = f"{trainer.decisions:,} decisions, {trainer.games:,} games of its own"
    policy = saved_policy(config, trainer.weights(), {"decisions": trainer.decisions})
    test = config.evaluation
    return learnt, Curve(config.curve_rule_sets, test.curve, test.curve_deals).point(
        policy, lambda: True
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, play and print."""
    parser = argparse.ArgumentParser(prog="python -m prico_training.examples.compare_networks")
    parser.add_argument("--seconds", type=float, default=600, help="of processor time, for each")
    parser.add_argument("--deals", type=int, default=250, help="against each opponent")
    parser.add_argument("--kind", action="append", choices=KINDS, help="of these alone")
    parser.add_argument("settings", nargs="*", help="single settings, such as seed=11")
    options = parser.parse_intermixed_args(arguments)
    for kind in options.kind or KINDS:
        changed = ["threads=1", "device=cpu", f"evaluation.curve_deals={options.deals}"]
        config = load_config(None, [*changed, *options.settings, f"network.kind={kind}"])
        learnt, point = train(config, options.seconds)
        print(f"{kind}: {learnt}")
        for name in config.evaluation.curve:
            win = win_of(name)
            low, high = point[f"{win}_low"], point[f"{win}_high"]
            print(f"  {point[win]:6.1%} [{low:.1%}, {high:.1%}] among {name}", flush=True)


if __name__ == "__main__":
    main()
