"""Draw the learning curve that `ppo_selfplay` prints.

python -m prico_training.examples.plot_curve ppo_selfplay.csv ppo_selfplay.png
"""

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

from prico_training.arena.statistics import wilson
from prico_training.files import new_file


def draw(rows: Sequence[dict[str, str]], picture: Path) -> None:
    """Draw win rates with 95 % intervals over the processor's minutes.

    Args:
        rows: Rows of the CSV file, by column.
        picture: The PNG file to write.
    """
    from matplotlib.figure import Figure  # without pyplot: a server has no screen

    minutes = [float(row["cpu_seconds"]) / 60 for row in rows]
    rates = [float(row["win_rate"]) for row in rows]
    intervals = [wilson(rate, float(row["games"])) for rate, row in zip(rates, rows, strict=True)]
    lows, highs = zip(*intervals, strict=True)
    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(minutes, rates, marker=".")
    axes.fill_between(minutes, lows, highs, alpha=0.15)
    axes.set(xlabel="minutes of one core", ylabel="win rate alone among the others", ylim=(0, 1))
    axes.grid(alpha=0.3)
    with new_file(picture) as beside:
        figure.savefig(beside, dpi=100, format="png")


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw a curve."""
    parser = argparse.ArgumentParser(prog="python -m prico_training.examples.plot_curve")
    parser.add_argument("curve", type=Path, help="the CSV file")
    parser.add_argument("picture", type=Path, help="the PNG file to write")
    options = parser.parse_args(arguments)
    with options.curve.open(encoding="utf-8", newline="") as file:
        draw(list(csv.DictReader(file)), options.picture)


if __name__ == "__main__":
    main()
