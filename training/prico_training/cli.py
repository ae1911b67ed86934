"""The command `prico`: everything a person starts, in one place.

Imports stand inside the functions because a help text should not wait for Torch.
"""

import argparse
import importlib.util
import os
import sys
import textwrap
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
        from prico_env.explain import main as help_desk

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
    _add_serve(verbs)
    _add_replay(verbs)
    _add_arena(verbs)
    _add_bench(verbs)
    export = verbs.add_parser(
        "export", help="write a trained policy for handing on, in half the size"
    )
    export.add_argument("place", type=Path, metavar="RUN", help="a run, or one of its checkpoints")
    export.add_argument("folder", type=Path, metavar="FOLDER", help="where to; a new folder")
    export.set_defaults(run=_export)
    warm = verbs.add_parser("warm", help="compile everything now, not at the first start")
    warm.set_defaults(run=_warm)
    agents = verbs.add_parser("agents", help="list the built-in agents, or what one believes")
    agents.add_argument("agent", nargs="?", help="one whose beliefs to print")
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
    train.add_argument(
        "--ranks",
        metavar="N",
        type=int,
        default=1,
        help="processes that learn together on this machine; on several, start them with torchrun",
    )
    train.set_defaults(run=_train)


def _add_play(verbs: Any) -> None:
    play = verbs.add_parser(
        "play",
        help="watch or join a game in the terminal",
        description="Watch or join a game in the terminal. Name an agent for each seat: a built-in "
        "one, module:Class, a run folder, or `human` for yourself. Whoever plays can ask for hints "
        "and take decisions back; `help` tells what can be typed.",
    )
    play.add_argument("agents", nargs="*", metavar="AGENT", help="one for each seat, 2 to 5")
    play.add_argument("--seed", type=_seed, default=None, help="deal (default: a new one)")
    play.add_argument("--delay", type=float, default=0.0, help="seconds to wait after a decision")
    play.add_argument("--boards", action="store_true", help="show the board at every role choice")
    play.add_argument("--explain", action="store_true", help="let agents say why they play so")
    play.add_argument(
        "--save", type=Path, metavar="FILE", help="keep the game's record in this file"
    )
    play.add_argument(
        "--load",
        type=Path,
        metavar="FILE",
        help="go on with a recorded game, by the players it names unless others are named",
    )
    _add_rules(play, players=False)
    play.set_defaults(run=_play, edition=None, expansions=None, board=None)


def _add_serve(verbs: Any) -> None:
    serve = verbs.add_parser(
        "serve",
        help="play in the browser",
        description="Serve a page on this machine where you play any seat against any agents, with "
        "hints and undo. Ctrl-C closes it.",
    )
    serve.add_argument("--port", type=int, default=8000, help="default 8000; 0 takes a free one")
    serve.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: this machine alone)"
    )
    serve.add_argument(
        "--agent",
        action="append",
        default=[],
        metavar="AGENT",
        help="one more that may be chosen on the page, such as a run folder; may be repeated",
    )
    serve.add_argument("--open", action="store_true", help="show the page in the browser at once")
    serve.set_defaults(run=_serve)


def _add_replay(verbs: Any) -> None:
    replay = verbs.add_parser(
        "replay",
        help="write a recorded game as a page to look at",
        description="Write a recorded game as one page that needs no network: the board at every "
        "decision, the log, curves, and what the players thought where the record says it. "
        "`prico play --save` and the page of `prico serve` write records.",
    )
    replay.add_argument("record", type=Path, metavar="GAME", help="the record, such as game.jsonl")
    replay.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PAGE",
        help="where to (default: the record's name with .html)",
    )
    replay.add_argument(
        "--think",
        metavar="AGENT",
        help="ask this agent about every decision: planner, mcts:400, governor, or a run folder",
    )
    replay.add_argument(
        "--seat",
        type=int,
        metavar="N",
        help="look through the eyes of this seat (default: nobody's)",
    )
    replay.set_defaults(run=_replay)


def _add_arena(verbs: Any) -> None:
    arena = verbs.add_parser(
        "arena",
        help="find out who is stronger: a tournament with a report",
        description="Play a tournament and report on it: every agent alone among copies of each "
        "other one, and mixed tables, on the same deals for all and from every seat. Games are "
        "kept as they end; Ctrl-C stops, --resume goes on. `prico arena compare A B --against C` "
        "plays A and B in each other's place.",
    )
    arena.add_argument(
        "agents",
        nargs="*",
        metavar="AGENT, NAME=AGENT or CONFIG",
        help="who plays; and at most one settings file, such as configs/tournaments/baseline.yaml",
    )
    arena.add_argument("--deals", metavar="N", help="deals that each line-up plays (default 50)")
    arena.add_argument("--seed", metavar="N", help="the first deal (default 1)")
    arena.add_argument(
        "--formats", type=_words, metavar="NAMES", help="copies,mixed (default) or one of them"
    )
    arena.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="AGENT",
        help="in copies, seat the others among copies of this one only; may be repeated",
    )
    arena.add_argument(
        "--seatings", metavar="WORD", help="of mixed tables: rotations (default) or all"
    )
    arena.add_argument(
        "--move-seconds", metavar="S", help="longest time for a decision (default 60)"
    )
    arena.add_argument("--processes", metavar="N", help="processes that play (default: all cores)")
    arena.add_argument(
        "--max-faults",
        metavar="N",
        help="games an agent may break before it loses the rest at once (default: no limit)",
    )
    folders = arena.add_mutually_exclusive_group()
    folders.add_argument(
        "--output", type=Path, metavar="DIR", help="where games are kept (default: runs/arena-...)"
    )
    folders.add_argument("--resume", type=Path, metavar="DIR", help="go on with this tournament")
    folders.add_argument(
        "--report", type=Path, metavar="DIR", help="play nothing, report on this tournament"
    )
    arena.add_argument("--plan", action="store_true", help="play nothing, say how many games it is")
    arena.add_argument(
        "--interval",
        default="0.02",
        metavar="W",
        help="with --plan: half the length of the intervals that are wanted (default 0.02)",
    )
    arena.add_argument(
        "--stop-when",
        metavar="AGENT",
        help="end as soon as a sequential test knows whether this one is good enough",
    )
    arena.add_argument(
        "--bounds",
        metavar="P0,P1",
        help="with --stop-when: the share of victories that is not good enough, and the one that "
        "is (default: an even share, and 0.05 more; for compare the difference, 0 and 0.05)",
    )
    _add_rules(arena, players=True)
    arena.set_defaults(run=_arena, players=None, edition=None, expansions=None, board=None)


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

    edition = "1897-en" if options.edition is None else options.edition
    expansions = options.expansions or ()
    if expansions == ("all",) and edition in catalog.names():
        expansions = catalog.load(edition).expansions
    board = options.board or ("standard",)
    return RuleSet(players, edition, expansions, board[0] if len(board) == 1 else board)


# -- the verbs -------------------------------------------------------------------------------------


def _train(options: argparse.Namespace) -> int:
    from prico_training.config import (
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
        from prico_training.learning.distributed import start_ranks
        from prico_training.learning.run import resume_run, start_run
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"training needs {error.name}, which is not installed: pip install 'prico[train]'"
        ) from None
    if options.ranks > 1:
        resume = ["--resume", str(options.resume)] if options.resume else []
        start_ranks(options.ranks, ["train", *options.words, *resume])
    if options.resume is not None:
        outcome = resume_run(options.resume, read_overrides(overrides))
    else:
        outcome = start_run(config)
    if not outcome.to_tell:
        return INTERRUPTED if outcome.interrupted else 0
    from rich.console import Console

    from prico_training.arena.report import report_tables

    console = Console()
    if outcome.ranking is not None:
        for table in report_tables(outcome.ranking):
            console.print(table)
    if outcome.interrupted:
        print(f"Stopped early; go on with: prico train --resume {outcome.folder}")
    print(
        f"Everything is in {outcome.folder}: report.md, curve.png, metrics.csv, checkpoints, best"
    )
    print(f"Play against it: prico play human {outcome.folder} planner corn")
    return INTERRUPTED if outcome.interrupted else 0


def _play(options: argparse.Namespace) -> int:
    from prico_training.config import ConfigError
    from prico_training.ui.session import Session
    from prico_training.ui.terminal import Watch, load_table, play_in_terminal

    if options.load is None:
        names = options.agents or ["human", "heuristic", "heuristic", "heuristic"]
        session = Session(_rule_set(options, len(names)), names, options.seed)
    elif any(getattr(options, word) is not None for word in _OF_A_NEW_GAME):
        raise ConfigError(
            f"a recorded game has its own deal and rules, so --load does not go with "
            f"{', '.join(f'--{word}' for word in _OF_A_NEW_GAME)}"
        )
    else:
        session = load_table(options.load, options.agents)
    play_in_terminal(session, Watch(options.delay, options.boards, options.explain), options.save)
    return 0


_OF_A_NEW_GAME: Final = ("seed", "edition", "expansions", "board")
"""Options of `prico play` that a recorded game leaves nothing to say about."""


def _serve(options: argparse.Namespace) -> int:
    from prico_training.config import ConfigError

    for library in ("starlette", "uvicorn"):
        if importlib.util.find_spec(library) is None:
            raise ConfigError(
                f"the page needs {library}, which is not installed: pip install 'prico[serve]'"
            )
    from prico_training.ui.server import serve

    serve(options.host, options.port, options.agent, options.open)
    return 0


def _replay(options: argparse.Namespace) -> int:
    from prico_training.ui.replay import write_replay

    page = options.output or options.record.with_suffix(".html")
    write_replay(options.record, page, options.think, options.seat)
    print(f"The game is in {page}; open it in a browser")
    return 0


def _arena(options: argparse.Namespace) -> int:
    from prico_training.config import ConfigError

    for library in ("scipy", "matplotlib"):
        if importlib.util.find_spec(library) is None:
            raise ConfigError(
                f"the arena needs {library}, which is not installed: pip install 'prico[train]'"
            )
    from prico_training.arena.command import run_arena

    return INTERRUPTED if run_arena(options) else 0


def _bench(options: argparse.Namespace) -> int:
    from prico_training.bench.suite import run_bench

    return run_bench(quick=options.quick, json_path=options.json)


def _export(options: argparse.Namespace) -> int:
    from prico_training.learning.export import export_policy

    print(
        f"The policy is in {export_policy(options.place, options.folder)}, and plays by that name"
    )
    return 0


_MORE_AGENTS: Final = """
Settings follow a colon: mcts:400 searches with 400 simulations, mcts:seconds=1,leaf=habits
otherwise. RUN is the folder of a training run or of a checkpoint. my_module:MyAgent is an agent
as well, and so is a YAML file with `agent:` and `settings:`."""


def _beliefs(name: str) -> int:
    """Print what an agent believes, which its settings can change."""
    from prico_agents import AgentError, load_agent
    from prico_agents.compiled import CompiledAgent
    from prico_agents.heuristic_engine.weights import describe

    agent = load_agent(name)
    if not isinstance(agent, CompiledAgent):
        raise AgentError(f"{name!r} has no beliefs; `prico agents` lists its settings")
    for field, value, meaning in describe(agent.beliefs):
        print(f"{field:<24}{value:>7.2f}  {meaning}")
    return 0


def _warm(options: argparse.Namespace) -> int:
    from prico_training.precompile import warm

    warm()
    return 0


def _agents(options: argparse.Namespace) -> int:
    from prico_agents.neural.policy import Policy
    from prico_agents.neural.shipped import policy_names
    from prico_agents.registry import agent_class, agent_names
    from prico_agents.settings import describe_settings

    if options.agent:
        return _beliefs(options.agent)
    players: dict[str, type[Any]] = {name: agent_class(name) for name in agent_names()}
    for name in policy_names():
        print(f"{name:<12}Plays what a network learnt: {Policy(name).saved.describe()}.")
    for name, player in (players | {"RUN": Policy}).items():
        print(f"{name:<12}{(player.__doc__ or '').splitlines()[0]}")
        if settings := describe_settings(player):
            print(textwrap.indent(textwrap.fill(settings, 84), " " * 12))
    print(_MORE_AGENTS)
    return 0
