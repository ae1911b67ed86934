"""What `prico reliability` does with its options."""

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from prico_env import RuleSet
from prico_training.files import write_text
from prico_training.progress import new_bar
from prico_training.reliability.forecasts import SEED
from prico_training.reliability.measure_reliability import DEALS, measure_reliability
from prico_training.reliability.reliability_page import draw_reliability, markdown
from prico_training.rule_sets import rule_set_name


def run_reliability(
    policy: str,
    opponents: Sequence[str],
    rule_sets: Sequence[RuleSet] | None,
    deals: int | None,
    seed: int | None,
    json_file: Path | None,
    picture: Path | None,
) -> None:
    """Carry out `prico reliability`: play, and print the tables.

    Args:
        policy: The trained policy.
        opponents: Who it plays with; nobody: planners.
        rule_sets: What is played; None for the rule set of the policy's run.
        deals: Deals of each; None for the usual number.
        seed: The first deal; None for the usual one.
        json_file: Where the numbers go, too.
        picture: Where the picture goes.
    """
    with new_bar(Console(stderr=True)) as bar:
        task = bar.add_task("games", total=None, note="")
        found = measure_reliability(
            policy,
            opponents or ("planner",),
            rule_sets,
            DEALS if deals is None else deals,
            SEED if seed is None else seed,
            begin=lambda rules: bar.update(task, note=rule_set_name(rules)),
        )
    if json_file is not None:
        write_text(json_file, json.dumps(found.to_dict(), indent=1, allow_nan=False) + "\n")
    if picture is not None:
        draw_reliability(picture, found)
    print("\n".join(markdown(found)), end="")
