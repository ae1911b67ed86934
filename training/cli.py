"""The command `prico`: everything a person starts, in one place.

Imports stand inside the functions because a help text should not wait for Torch.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from prico_env.errors import PricoError

HELP_DESK: Final = ("action", "feature", "building", "rule")
"""Verbs answered by the game's own help desk, with or without agents installed."""
USER_MISTAKE: Final = 2
"""Exit code when the request, not the program, is at fault."""
INTERRUPTED: Final = 130
"""Exit code after Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in HELP_DESK:
        from prico_env.helpdesk import main as help_desk

        return help_desk(words)
    options = _parser().parse_args(words)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except PricoError as error:
        print(f"prico: {error}", file=sys.stderr)
        return USER_MISTAKE
    except KeyboardInterrupt:
        print("prico: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="prico", description="Puerto Rico for learning agents.")
    verbs = parser.add_subparsers(title="what to do", required=True, metavar="VERB")
    _add_train(verbs)
    _add_play(verbs)
    _add_rank(verbs)
    _add_bench(verbs)
    agents = verbs.add_parser("agents", help="list the built-in agents")
    agents.set_defaults(run=_agents)
    for verb in HELP_DESK:
        verbs.add_parser(verb, help=f"explain one: `prico {verb} {_EXAMPLES[verb]}`")
    return parser


_EXAMPLES: Final = {"action": "117", "feature": "42", "building": "hospice", "rule": "R-CAP-3"}


def _add_train(verbs: Any) -> None:
    train = verbs.add_parser(
        "train",
        help="train an agent by self-play, then rank it",
        description="Train an agent by self-play, then rank it against the built-in ones. "
        "Ctrl-C stops early and keeps what was learnt.",
    )
    train.add_argument(
        "words",
        nargs="*",
        metavar="CONFIG or setting=value",
        help="a settings file (default: configs/experiments/default.yaml), and single settings "
        "such as ppo.epochs=4 or game.players=3",
    )
    train.add_argument("--resume", metavar="RUN", type=Path, help="go on with a run folder")
    train.set_defaults(run=_train)


def _add_play(verbs: Any) -> None:
    play = verbs.add_parser(
        "play",
        help="watch or join a game in the terminal",
        description="Watch or join a game in the terminal. Name an agent for each seat: a built-in "
        "one, module:Class, a run folder, or `human` for yourself.",
    )
    play.add_argument("agents", nargs="*", metavar="AGENT", help="one for each seat, 2 to 5")
    play.add_argument("--seed", type=_seed, default=None, help="deal (default: a new one)")
    play.add_argument("--delay", type=float, default=0.0, help="seconds to wait after a decision")
    play.add_argument("--boards", action="store_true", help="show the board at every role choice")
    play.add_argument("--save", type=Path, help="write the game's record to this file")
    _add_rules(play, players=False)
    play.set_defaults(run=_play)


def _add_rank(verbs: Any) -> None:
    ranking = verbs.add_parser(
        "rank",
        help="rank agents against each other",
        description="Each agent plays alone among copies of each other one: the same deals for "
        "all, each deal from every seat.",
    )
    ranking.add_argument("agents", nargs="+", metavar="AGENT", help="two or more")
    ranking.add_argument("--deals", type=int, default=50, help="deals of each match (default 50)")
    ranking.add_argument("--seed", type=_seed, default=1, help="the first deal (default 1)")
    ranking.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers here")
    _add_rules(ranking, players=True)
    ranking.set_defaults(run=_rank)


def _add_bench(verbs: Any) -> None:
    bench = verbs.add_parser("bench", help="measure speed, with references from the same run")
    bench.add_argument("--quick", action="store_true", help="a rough answer in a few seconds")
    bench.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers here")
    bench.set_defaults(run=_bench)


def _add_rules(parser: argparse.ArgumentParser, players: bool) -> None:
    if players:
        parser.add_argument("--players", type=int, default=4, help="2 to 5 (default 4)")
    parser.add_argument("--edition", default="1897-en", help="1897-en, 1897-de or classic")
    parser.add_argument(
        "--expansions",
        type=_words,
        default=(),
        metavar="NAMES",
        help="any of buildings,citizens,smuggler,festival with commas between, or all",
    )
    parser.add_argument(
        "--board",
        type=_words,
        default=("standard",),
        metavar="BOARD",
        help="with the new buildings: draft (default), random, or ids with commas between",
    )


def _seed(text: str) -> int:
    try:
        seed = int(text)
    except ValueError:
        seed = -1
    if seed < 0:
        raise argparse.ArgumentTypeError(f"a seed is a whole number of at least 0, not {text!r}")
    return seed


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _rule_set(options: argparse.Namespace, players: int) -> Any:
    """The rule set that the options of `_add_rules` ask for."""
    from prico_env import RuleSet, catalog

    expansions = options.expansions
    if expansions == ("all",) and options.edition in catalog.names():
        expansions = catalog.load(options.edition).expansions
    board = options.board[0] if len(options.board) == 1 else options.board
    return RuleSet(players, options.edition, expansions, board)


# -- the verbs -------------------------------------------------------------------------------------


def _train(options: argparse.Namespace) -> int:
    from training.config import (
        DEFAULT,
        ConfigError,
        find_settings,
        load_config,
        read_overrides,
    )

    files = [word for word in options.words if "=" not in word]
    overrides = [word for word in options.words if "=" in word]
    if len(files) > 1 or (files and options.resume):
        raise ConfigError(f"one run has one settings file, not {', '.join(files)}")
    if options.resume is None:
        path = find_settings(files[0] if files else DEFAULT)
        config = load_config(path if files or path.exists() else None, overrides)
    try:
        from training.self_play import resume_run, start_run
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"training needs {error.name}, which is not installed: pip install 'prico[train]'"
        ) from None
    if options.resume is not None:
        outcome = resume_run(options.resume, read_overrides(overrides))
    else:
        outcome = start_run(config)
    from rich.console import Console

    from training.report import ranking_table

    console = Console()
    if outcome.ranking is not None:
        console.print(ranking_table(outcome.ranking))
    if outcome.interrupted:
        print(f"Stopped early; go on with: prico train --resume {outcome.folder}")
    print(f"Everything is in {outcome.folder}: report.md, curve.png, metrics.csv, checkpoints")
    print(f"Play against it: prico play human {outcome.folder} heuristic random")
    return INTERRUPTED if outcome.interrupted else 0


def _play(options: argparse.Namespace) -> int:
    from training.table import Watch, play_in_terminal

    names = options.agents or ["human", "heuristic", "heuristic", "heuristic"]
    rules = _rule_set(options, len(names))
    watch = Watch(options.delay, options.boards, sys.stdout.isatty())
    play_in_terminal(names, rules, options.seed, watch, options.save)
    return 0


def _rank(options: argparse.Namespace) -> int:
    import json

    from rich.console import Console

    from training.checkpoint import write_text
    from training.config import ConfigError
    from training.evaluate import Contestant, rank
    from training.progress import Progress
    from training.report import ranking_table

    if len(options.agents) < 2:  # noqa: PLR2004
        raise ConfigError("a ranking needs at least two agents")
    if options.deals < 1:
        raise ConfigError("a ranking needs at least one deal")
    rules = _rule_set(options, options.players)
    contestants = [Contestant.of(name) for name in options.agents]
    with Progress.of_ranking(len(contestants)) as progress:
        ranking = rank(rules, contestants, options.deals, options.seed, progress.match)
    Console().print(ranking_table(ranking))
    if options.json:
        write_text(options.json, json.dumps(ranking.to_dict(), indent=1))
    return 0


def _bench(options: argparse.Namespace) -> int:
    from training.bench import run_bench

    return run_bench(quick=options.quick, json_path=options.json)


def _agents(options: argparse.Namespace) -> int:
    from agents import agent_names
    from agents.base import agent_class

    for name in agent_names():
        print(f"{name:<12}{(agent_class(name).__doc__ or '').splitlines()[0]}")
    print(f"{'RUN':<12}The newest checkpoint of a run folder.")
    return 0
