"""The command `prico`: everything a person starts, in one place.

Imports stand inside the functions because a help text should not wait for NumPy, let alone Torch.
"""

import importlib.util
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import click

USER_MISTAKE: Final = 2
"""Exit code when the request, not the program, is at fault."""
INTERRUPTED: Final = 130
"""Exit code after Ctrl-C."""
_LOOK_UPS: Final = {
    "action": "117",
    "feature": "42",
    "building": "hospice",
    "rule": "R-CAP-3",
}
"""Verbs that explain one thing, with an example; `prico_env` answers them without agents, too."""
_LONGEST_DELAY: Final = 3_600
_LONGEST_LINE: Final = 1_000
_FILE: Final = click.Path(path_type=Path)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    try:
        code: int = prico.main(arguments, prog_name="prico", standalone_mode=False) or 0
        if sys.stdout is not None:  # as long as it can be told that this goes wrong
            sys.stdout.flush()
    except click.ClickException as error:
        from prico_env.streams import perhaps_unread

        with perhaps_unread():
            error.show()
        sys.exit(error.exit_code)
    except click.Abort:  # Ctrl-C before the verb was known
        return INTERRUPTED
    except OSError as error:
        return _end_of_output(error)
    return code


def _end_of_output(error: BaseException) -> int:
    """What is left to do when a file or a stream takes no more, or the reader of a pipe left."""
    from prico_env.streams import drop_unread, is_closed_pipe

    drop_unread()
    if is_closed_pipe(error):
        return 0
    if not isinstance(error, OSError):
        raise error
    reason = error.strerror or str(error)
    return _complain(reason if error.filename is None else f"{error.filename}: {reason}")


def _complain(what: object) -> int:
    """Say in one line what stopped a verb; return the exit code for it."""
    from prico_env.streams import perhaps_unread, printable

    with perhaps_unread():
        line = printable(str(what))
        if len(line) > _LONGEST_LINE:  # what was given is long, and what would work stands last
            line = f"{line[: _LONGEST_LINE // 2]} ... {line[-_LONGEST_LINE // 2 :]}"
        click.echo(f"prico: {line}", err=True)
    return USER_MISTAKE


class _Prico(click.Group):
    """Turns what stops a verb into a line and an exit code."""

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **settings)
        except OSError as error:  # where the help is printed
            raise click.exceptions.Exit(_end_of_output(error)) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            _complain("stopped")
            return INTERRUPTED
        except MemoryError:
            return _complain("this takes more memory than there is")
        except (OSError, SystemExit) as error:
            return _end_of_output(error)
        except ValueError as error:
            from prico_env.errors import PricoError

            if not isinstance(error, PricoError):
                raise
            return _complain(error)


class _Verb(click.Command):
    """A verb, which may print any text on any stream."""

    def invoke(self, ctx: click.Context) -> Any:
        from prico_env.streams import accept_any_text

        accept_any_text()
        return super().invoke(ctx)


class _LookUp(click.Command):
    """A verb whose arguments and answer `prico_env` knows; it is loaded when the verb is used."""

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        from prico_env.look_up import look_up
        from prico_env.streams import accept_any_text

        accept_any_text()
        return look_up.commands[str(self.name)].make_context(*arguments, **settings)


_Prico.command_class = _Verb


@click.group(
    cls=_Prico,
    subcommand_metavar="VERB ...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="prico", prog_name="prico")
def prico() -> None:
    """Puerto Rico for learning agents.

    `prico play` plays in this terminal, you against three built-in agents; `prico serve` plays in
    the browser; `prico agents` lists who else can sit down. `prico VERB -h` tells more of each.
    """


for _verb, _example in _LOOK_UPS.items():
    prico.add_command(_LookUp(_verb, short_help=f"Explain one: `prico {_verb} {_example}`."))


# -- what several verbs take -----------------------------------------------------------------------


def _option(name: str, value: str, words: str, **more: Any) -> Callable[..., Any]:
    """An option with what its value is called and what it is for."""
    return click.option(name, metavar=value, help=words, **more)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _agent_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Names of agents for a shell that completes words."""
    from prico_agents.registry import known_names

    return [name for name in known_names() if name.startswith(incomplete)]


def _rules(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which game is played."""
    for option in (
        _option(
            "--board",
            "BOARD",
            "With the new buildings: draft (default), random, or ids with commas between.",
            type=_words,
        ),
        _option(
            "--expansions",
            "NAMES",
            "Any of buildings,citizens,smuggler,festival with commas between, or all.",
            type=_words,
        ),
        _option("--edition", "NAME", "1897-en (default), 1897-de or classic."),
    ):
        command = option(command)
    return command


def _rule_set(
    players: int,
    edition: str | None,
    expansions: tuple[str, ...] | None,
    board: tuple[str, ...] | None,
) -> Any:
    """The rule set that the options of `_rules` ask for."""
    from prico_env import RuleSet, catalog

    edition, expansions, board = edition or "1897-en", expansions or (), board or ("standard",)
    if expansions == ("all",) and edition in catalog.names():
        expansions = catalog.load(edition).expansions
    return RuleSet(players, edition, expansions, board[0] if len(board) == 1 else board)


def _require(extra: str, user: str, *libraries: str) -> None:
    """See that the libraries of an optional part are installed."""
    from prico_env.errors import from_extra

    with from_extra(extra, user):
        for library in libraries:
            if importlib.util.find_spec(library) is None:  # importing takes seconds
                raise ModuleNotFoundError(name=library)


# -- the verbs -------------------------------------------------------------------------------------


@prico.command()
@click.argument("words", nargs=-1, metavar="[CONFIG] [SETTING=VALUE]...")
@_option("--resume", "RUN", "Go on with a run folder.", type=_FILE)
@_option(
    "--ranks",
    "N",
    "Processes that learn together on this machine; on several, start them with torchrun.",
    type=click.IntRange(1, 1_024),
    default=1,
)
def train(words: tuple[str, ...], resume: Path | None, ranks: int) -> int:
    """Train an agent by self-play, then rank it.

    CONFIG is a settings file (default: configs/experiments/default.yaml); single settings are such
    as ppo.update_epochs=4 or game.players=3. Ctrl-C stops early and keeps what was learnt.
    """
    from prico_env.errors import from_extra
    from prico_training.config import DEFAULT, load_config
    from prico_training.errors import ConfigError
    from prico_training.sections import find_settings, read_overrides

    files = [word for word in words if "=" not in word]
    overrides = [word for word in words if "=" in word]
    if len(files) > 1 or (files and resume):
        raise ConfigError(f"one run has one settings file, not {', '.join(files)}")
    if resume is None:
        path = find_settings(files[0] if files else DEFAULT)
        config = load_config(path if files or path.exists() else None, overrides)
    with from_extra("train", "training"):
        from prico_training.learning.distributed import start_ranks
        from prico_training.learning.stages import resume as resume_run, start as start_run
    if ranks > 1:
        again = ["--resume", str(resume)] if resume else []
        start_ranks(ranks, ["train", *words, *again])
    if resume is not None:
        outcome = resume_run(resume, read_overrides(overrides))
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
    is_one_run = (outcome.folder / "checkpoints").is_dir()
    parts = "curve.png, metrics.csv, checkpoints, best" if is_one_run else "a folder for each stage"
    print(f"Everything is in {outcome.folder}: report.md, {parts}")
    print(f"Play against it: prico play human {outcome.folder} planner corn")
    return INTERRUPTED if outcome.interrupted else 0


@prico.command()
@click.argument("agents", nargs=-1, metavar="[AGENT]...", shell_complete=_agent_names)
@_option("--seed", "N", "Deal (default: a new one).", type=click.IntRange(min=0))
@_option("--delay", "S", "Seconds to wait after a decision (default 0).", type=float, default=0.0)
@click.option("--boards", is_flag=True, help="Show the board at every role choice.")
@click.option("--explain", is_flag=True, help="Let agents say why they play so.")
@_option("--save", "FILE", "Keep the game's record in this file.", type=_FILE)
@_option(
    "--load",
    "FILE",
    "Go on with a recorded game, by the players it names unless others are named.",
    type=_FILE,
)
@click.option(
    "--name",
    "people",
    multiple=True,
    metavar="NAME",
    help="What a person is called, in the order of the seats (default: your login name); may be "
    "repeated.",
)
@_option(
    "--language",
    "CODE",
    "Language of the game, such as de or fr (default: that of the edition).",
)
@_rules
def play(
    agents: tuple[str, ...],
    load: Path | None,
    people: tuple[str, ...],
    language: str | None,
    **options: Any,
) -> None:
    """Watch or join a game in the terminal.

    Name an agent for each seat, 2 to 5: a built-in one (`prico agents` lists them), module:Class, a
    run folder, or `human` for yourself; without names you play against three planners. Whoever
    plays can ask for hints and take decisions back; `help` tells what can be typed. A game with a
    person is kept by itself, and the command that goes on with it is printed when it ends.
    """
    from prico_env.text.localization import override
    from prico_training.errors import ConfigError
    from prico_training.ui.keeping import Keeper, games_folder
    from prico_training.ui.terminal import (
        DisplayOptions,
        load_session,
        new_session,
        play_in_terminal,
    )

    new_game = {name: options[name] for name in ("seed", "edition", "expansions", "board")}
    if load is None:
        names = agents or ("human", "heuristic", "heuristic", "heuristic")
        seed = new_game.pop("seed")
        session = new_session(_rule_set(len(names), **new_game), names, seed, people)
    elif any(value is not None for value in new_game.values()):
        raise ConfigError(
            "a recorded game has its own deal and rules, so --load does not go with "
            + ", ".join(f"--{name}" for name in new_game)
        )
    else:
        session = load_session(load, agents, people)
    if not 0 <= options["delay"] <= _LONGEST_DELAY:
        raise ConfigError(
            f"--delay runs from 0 to {_LONGEST_DELAY} seconds, not {options['delay']}"
        )
    watch = DisplayOptions(options["delay"], options["boards"], options["explain"])
    folder = games_folder() if session.people else None
    is_kept_there = (
        load is not None and folder is not None and load.resolve().parent == folder.resolve()
    )
    keeper = Keeper(options["save"] or (load if is_kept_there else None), folder)
    with override(language):
        play_in_terminal(session, watch, keeper)


@prico.command()
@_option(
    "--port",
    "N",
    "Default 8000; 0 takes a free one.",
    type=click.IntRange(0, 65_535),
    default=8000,
)
@_option(
    "--host",
    "ADDRESS",
    "Where to listen (default: this machine alone; 0.0.0.0: whoever reaches it).",
    default="127.0.0.1",
)
@click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="AGENT",
    help="One more that may be chosen on the page, such as a run folder; may be repeated.",
)
@click.option("--open", "show", is_flag=True, help="Show the page in the browser at once.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="A name that others call this machine by, such as games.example.org; may be repeated.",
)
@_option("--data", "FOLDER", "Where tables are stored (default: your data folder).", type=_FILE)
@click.option("--no-data", is_flag=True, help="Store nothing: tables end with the server.")
@_option("--proxy", "ADDRESS", "The proxy before it, which says whom it asks for.")
@click.argument("limits", nargs=-1, metavar="[LIMIT=VALUE]...")
def serve(limits: tuple[str, ...], **options: Any) -> None:
    """Play in the browser.

    Serves a page where people and agents play, with hints and undo: you alone, several at one
    screen, or with --host 0.0.0.0 people on other machines, who open the links of their seats.
    Tables are stored and go on when it starts again. Where many play, limits such as seconds=10
    sessions=50 say what each may use; docs/settings.md lists them. Ctrl-C closes it.
    """
    _require("serve", "the page", "starlette", "uvicorn")
    from prico_training.errors import ConfigError
    from prico_training.sections import from_dict, read_overrides
    from prico_training.ui.limits import Limits
    from prico_training.ui.server import named_data_folder, serve as serve_page, usual_data_folder

    named, keeps_nothing = options.pop("data"), options.pop("no_data")
    if named is not None and keeps_nothing:
        raise ConfigError("--data names a folder and --no-data wants none; give one of them")
    checked = from_dict(read_overrides(limits), Limits)
    if keeps_nothing:
        folder = None
    else:
        folder = usual_data_folder() if named is None else named_data_folder(named)
    serve_page(
        options["host"],
        options["port"],
        options["agents"],
        options["show"],
        checked,
        names=options["names"],
        data=folder,
        proxy=options["proxy"],
    )


@prico.command()
@click.argument("record", type=_FILE, metavar="GAME")
@click.option(
    "-o",
    "--output",
    type=_FILE,
    metavar="PAGE",
    help="Where to (default: the record's name with .html).",
)
@_option(
    "--think",
    "AGENT",
    "Let this agent review the game: planner, mcts:1600, governor, or a run folder (mcts:100).",
    shell_complete=_agent_names,
)
@_option("--seat", "N", "Show the view of this seat (default: what all may see).", type=int)
@_option("--language", "CODE", "Language of the page: en, de, fr (default: the edition's).")
def replay(
    record: Path, output: Path | None, think: str | None, seat: int | None, language: str | None
) -> None:
    """Write a recorded game as a page to study.

    GAME is a record such as game.jsonl; `prico play --save` and the page of `prico serve` write
    such. The page needs no network and shows the board at every decision, the log, the score, and
    what an agent thinks of every decision: everybody's chance to win, which decisions cost most,
    and how close each player came to its choices. From any decision the game can be played on.
    """
    from prico_training.ui.replay import write_replay

    page = write_replay(record, output, think, seat, language)
    print(f"The game is in {page}; open it in a browser")


@prico.command()
@click.argument(
    "agents", nargs=-1, metavar="[AGENT | NAME=AGENT | CONFIG]...", shell_complete=_agent_names
)
@_option("--deals", "N", "Deals that each line-up plays (default 50).")
@_option("--seed", "N", "The first deal (default 1).")
@_option("--formats", "NAMES", "copies,mixed (default) or one of them.", type=_words)
@_option(
    "--against",
    "AGENTS",
    "In copies, seat the others among copies of these only, with commas between.",
    multiple=True,
)
@_option("--seatings", "WORD", "Of mixed tables: rotations (default) or all.")
@_option("--move-seconds", "S", "Longest time for a decision (default 60).")
@_option("--processes", "N", "Processes that play (default: all cores).")
@_option(
    "--max-faults",
    "N",
    "Games an agent may break before it loses the rest at once (default: no limit).",
)
@_option("--output", "DIR", "Where games are kept (default: runs/arena-...).", type=_FILE)
@_option("--resume", "DIR", "Go on with this tournament.", type=_FILE)
@_option("--report", "DIR", "Play nothing, report on this one.", type=_FILE)
@click.option("--plan", is_flag=True, help="Play nothing, say how many games it is.")
@_option(
    "--interval",
    "W",
    "With --plan: half the length of the intervals that are wanted (default 0.02).",
    default="0.02",
)
@_option(
    "--stop-when",
    "AGENT",
    "End as soon as a sequential test knows whether this one is good enough.",
)
@_option(
    "--bounds",
    "P0,P1",
    "With --stop-when: the win rate that is not good enough, and the one that is (default: "
    "an even one, and 0.05 more; for compare the difference, 0 and 0.05).",
)
@_option("--players", "N", "2 to 5 (default 4).", type=int)
@_rules
def arena(**options: Any) -> int:
    """Find out who is stronger: a tournament with a report.

    Every agent plays alone among copies of each other one, and at mixed tables, on the same deals
    for all and from every seat. At most one word is a settings file, such as
    configs/tournaments/baseline.yaml. Games are kept as they end; Ctrl-C stops, --resume goes on.
    `prico arena compare A B --against C` plays A and B in each other's place.
    """
    folders = [f"--{name}" for name in ("output", "resume", "report") if options[name] is not None]
    if len(folders) > 1:
        raise click.UsageError(f"{' and '.join(folders)} do not go together; name one folder")
    _require("train", "the arena", "scipy", "matplotlib")
    from prico_training.arena.command import run_arena

    return INTERRUPTED if run_arena(SimpleNamespace(**options)) else 0


@prico.command()
@click.argument("policies", metavar="AGENTS", shell_complete=_agent_names)
@_option("--games", "N", "How many games (default 10,000).", type=int, default=10_000)
@_option("--epsilon", "P", "Chance of a random action (default 0).", type=float, default=0.0)
@_option("--seed", "N", "Decides all games (default 1).", type=int, default=1)
@_option(
    "-o",
    "DIR",
    "Where to; a data set that was begun there goes on.",
    type=_FILE,
    required=True,
)
@_option("--workers", "N", "How many play at once (default: all cores).", type=int)
@_option(
    "--shard-games",
    "N",
    "Games in a file (default: 1,000, or 50 where a policy is not compiled).",
    type=int,
    default=0,
)
@_option("--players", "N", "2 to 5 (default 4).", type=int, default=4)
@_rules
def dataset(policies: str, o: Path, workers: int | None, games: int, **options: Any) -> int:
    """Write games as a data set for offline learning.

    Plays games of AGENTS, such as planner, or planner,corn with each seat drawn by lot, and writes
    every decision that left a choice to Parquet files in DIR: observation, mask, action, seat, and
    how the game ended. Ctrl-C stops, the same command goes on, and more games let it grow.
    docs/data_sets.md tells what the columns mean and how they are read.
    """
    _require("data", "a data set", "pyarrow")
    from rich.console import Console

    from prico_training.arena.settings import Entry
    from prico_training.datasets import DatasetSettings, write_dataset
    from prico_training.machine import usable_cores

    game = {name: options.pop(name) for name in ("players", "edition", "expansions", "board")}
    settings = DatasetSettings(
        policies=tuple(entry.agent for entry in Entry.several(policies)),
        games=games,
        game=_rule_set(**game),
        **options,
    )
    written = write_dataset(o, settings, workers or usable_cores(), Console())
    print(
        f"{written.games:,} games with {written.decisions:,} decisions are in {written.folder}: "
        f"{written.file_bytes / 1e6:,.1f} MB, "
        f"{written.file_bytes / max(1, written.decisions):.1f} bytes a decision"
    )
    if written.interrupted and written.games < written.planned:
        print(f"{written.planned - written.games:,} games are left; the same command goes on")
        return INTERRUPTED
    return 0


@prico.command()
@click.argument("words", nargs=-1, metavar="[CONFIG] [SETTING=VALUE]...")
@_option("--output", "DIR", "Where to (default: runs/tune-AGENT).", type=_FILE)
@_option("--processes", "N", "Threads that play (default: all cores).", type=click.IntRange(1))
def tune(words: tuple[str, ...], output: Path | None, processes: int | None) -> int:
    """Tune the weights of a compiled agent by play.

    CONFIG is a settings file, such as configs/tuning/powers.yaml; single settings are such as
    iterations=500 or agent=corn. All weights are moved at once, the agents on both sides of the
    move play each other on paired deals, and a sequential test accepts what is better. Ctrl-C
    stops, and the same command goes on. The report tells what the tuned weights win against those
    before among the pool and among a held-out pool; best.yaml plays by its name.
    """
    _require("train", "tuning", "scipy")
    from rich.console import Console

    from prico_training.errors import ConfigError
    from prico_training.sections import find_settings, from_dict, read_fields, read_overrides
    from prico_training.tuning.run_tuning import run_tuning, tell
    from prico_training.tuning.settings import Tuning

    files = [word for word in words if "=" not in word]
    if len(files) > 1:
        raise ConfigError(f"one tuning has one settings file, not {', '.join(files)}")
    fields = read_fields(find_settings(files[0])) if files else {}
    overrides = [word for word in words if "=" in word]
    settings = from_dict(read_overrides(overrides, fields), Tuning)
    folder = output or Path("runs", f"tune-{settings.agent.replace(':', '-')}")
    outcome = run_tuning(settings, folder, processes or 0, Console())
    tell(outcome, print)
    return 0 if outcome.complete else INTERRUPTED


@prico.command()
@click.argument("policy", required=False, shell_complete=_agent_names)
@_option("--suite", "NAME", "What is played (default: base-4p-v1).")
@_option("--deals", "N", "Play a part: the first deals of each rule set.", type=click.IntRange(1))
@_option("--processes", "N", "Processes that play (default: all cores).", type=click.IntRange(1))
@_option("--output", "DIR", "Where games are kept (default: runs/SUITE-POLICY).", type=_FILE)
@_option("--verify", "FILE", "Check a result: its arithmetic, and deals played again.", type=_FILE)
@_option("--sample", "N", "With --verify: how many deals (default 20).", type=click.IntRange(0))
def benchmark(**options: Any) -> int:
    """Measure a policy by a suite of deals and opponents.

    Both are fixed, and each deal is played from every seat.

    POLICY is an agent as `prico arena` takes it, such as module:Class, a run folder, or NAME=AGENT.
    Without one, the suites are listed. Games are kept as they end; Ctrl-C stops, and the same
    command goes on. The result is one JSON file; BENCHMARK.md tells how to enter it there.
    """
    _require("train", "the benchmark", "scipy")
    from prico_training.benchmark.benchmark_command import benchmark as run

    return run(SimpleNamespace(**options))


@prico.command()
@click.argument("agents", nargs=-1, metavar="[AGENT]...", shell_complete=_agent_names)
@_option("--games", "N", "Games of each rule set (default 500).", type=click.IntRange(2, 100_000))
@_option("--seed", "N", "The first deal (default 1).", type=click.IntRange(min=0), default=1)
@_option("--players", "N", "2 to 5.", type=int)
@_rules
@_option("--output", "FILE", "Write the numbers here, a line of JSON for each.", type=_FILE)
def numbers(
    agents: tuple[str, ...], games: int | None, seed: int, output: Path | None, **options: Any
) -> None:
    """Count how long, wide and fair the game is.

    Games are played among copies of each AGENT, compiled ones or networks (default: random, planner
    and governor), in the rule set of the options; without options and agents in all rule sets of
    the page docs/game_numbers.md. Prints the tables as Markdown, or writes the numbers.
    """
    from prico_training.arena.game_numbers import run_numbers

    asked = {name: value for name, value in options.items() if value is not None}
    rules = None
    if agents or asked:
        rules = _rule_set(
            options["players"] or 4, options["edition"], options["expansions"], options["board"]
        )
    run_numbers(agents, rules, games, seed, output)


@prico.command()
@click.argument("agents", nargs=-1, metavar="[AGENT | NAME=AGENT]...", shell_complete=_agent_names)
@_option("--json", "FILE", "Also write every choice and the shares here.", type=_FILE)
@_option("--seed", "N", "Decides what is drawn (default 1).", type=click.IntRange(0, 2**31))
@_option("--puzzles", "FILE", "Ask these, which --make wrote.", type=_FILE)
@_option("--make", "FILE", "Ask nobody, and look for 50 other puzzles; some minutes.", type=_FILE)
def puzzles(**options: Any) -> None:
    """Measure agents by puzzles whose answers are sure.

    Every AGENT (default: all that come along) decides in 50 positions of self-play in which deep
    searches agree, and in the six of notebook 08. Prints the shares with 95 % intervals, and the
    counts by kind of decision, as Markdown; docs/puzzles.md says how the positions were found. To
    solve puzzles yourself there is `prico puzzle`.
    """
    from prico_training.puzzles.puzzles_command import run_puzzles

    run_puzzles(**options)


@prico.command()
@_option("--count", "N", "How many to ask (10).", type=click.IntRange(1, 1000), default=10)
@_option("--kind", "KIND", "Ask about one kind of decision, such as buy, load or choose_role.")
@_option(
    "--seed", "N", "Decides their order, and chance of new ones.", type=click.IntRange(0, 2**31)
)
@click.option("--easy", is_flag=True, help="Ask those, too, that no heuristic gets wrong.")
@_option("--new", "N", "Look for new ones first, so many.", type=click.IntRange(1, 1000))
@_option("--minutes", "M", "Look for new ones so long at most (10).", type=float, default=10.0)
@_option("--puzzles", "FILE", "Ask these; new ones go there, too.", type=_FILE)
@_option("--language", "CODE", "Speak en, de or fr (default: the edition's language).")
def puzzle(language: str | None, **options: Any) -> None:
    """Solve puzzles: find the best choice, and read why.

    In these positions one choice is clearly the best, and heuristics miss it. They are asked one
    after the other, those first that you have not answered yet, and explained by a search; type
    `skip` to see an answer, `q` to stop. `prico serve` has the same at /puzzle. To measure agents
    by puzzles there is `prico puzzles`.
    """
    from prico_env.text.localization import override
    from prico_training.ui.puzzle_terminal import run_puzzle

    with override(language):
        run_puzzle(**options)


@prico.command()
@click.argument("policy", shell_complete=_agent_names)
@click.argument("opponents", nargs=-1, metavar="[OPPONENT]...", shell_complete=_agent_names)
@_option("--deals", "N", "Deals of each rule set (default 50).", type=click.IntRange(1, 100_000))
@_option("--seed", "N", "The first deal (default: one that training never plays).", type=int)
@_option("--players", "N", "2 to 5.", type=int)
@_rules
@_option(
    "--games",
    "NAMES",
    "Several rule sets: every, every-but-held-out, with-a-suite, files of configs/games/.",
    type=_words,
)
@_option("--json", "FILE", "Also write the numbers here.", type=_FILE)
@_option("--picture", "FILE", "Also draw the reliability diagram here, as PNG.", type=_FILE)
def reliability(
    policy: str,
    opponents: tuple[str, ...],
    games: tuple[str, ...] | None,
    json: Path | None,
    picture: Path | None,
    **options: Any,
) -> None:
    """See whether a network's win probabilities are calibrated.

    POLICY, a trained one, plays each deal from every seat; each OPPONENT (default: planner) takes
    others by turns. At every fourth of its decisions its network forecasts the win of every seat,
    and the tables compare that with how the games end: for the seat that sees and the others, in
    ten bins, and by thirds of the game. Without options of the rules it plays the rule set in which
    it was ranked.
    """
    _require("train", "the reliability of a policy", "scipy", "matplotlib")
    from prico_training.errors import ConfigError
    from prico_training.reliability.reliability_command import run_reliability
    from prico_training.rule_sets import expand_mix
    from prico_training.sections import read_mix

    deals, seed = options.pop("deals"), options.pop("seed")
    is_one = any(value is not None for value in options.values())
    if games is not None and is_one:
        raise ConfigError("--games names whole rule sets, so the options of one do not go with it")
    rule_sets = None if games is None else expand_mix(read_mix(games))
    if is_one:
        rule_sets = (_rule_set(options.pop("players") or 4, **options),)
    run_reliability(policy, opponents, rule_sets, deals, seed, json, picture)


@prico.command()
@click.option("--quick", is_flag=True, help="A rough answer in a few seconds.")
@_option("--json", "FILE", "Also write the numbers here.", type=_FILE)
@click.option(
    "--beside",
    is_flag=True,
    help="Measure the batch beside Pgx, OpenSpiel and catanatron instead, as far as installed.",
)
@click.option("--load", is_flag=True, help="Measure the server of the page instead.")
@_option(
    "--browsers", "N", "With --load: how many play.", type=click.IntRange(1, 1000), default=200
)
@_option(
    "--seconds",
    "S",
    "With --load: how long they play, without searches going on and then with them.",
    type=click.IntRange(1, 300),
    default=30,
)
def bench(
    quick: bool, json: Path | None, beside: bool, load: bool, browsers: int, seconds: int
) -> int:
    """Measure speed, with references from the same run."""
    if load:
        _require("serve", "the page", "starlette", "uvicorn")
        from prico_training.bench.load import run_load

        return run_load(browsers, seconds)
    from prico_training.bench.suite import run_bench

    return run_bench(quick=quick, json_path=json, others=beside)


@prico.command()
@click.argument("place", type=_FILE, metavar="RUN")
@click.argument("folder", type=_FILE, metavar="FOLDER")
def export(place: Path, folder: Path) -> None:
    """Write a trained policy for handing on.

    RUN is a run or one of its checkpoints; FOLDER must be a new one. There the policy takes half
    the size.
    """
    from prico_training.learning.export import export_policy

    print(f"The policy is in {export_policy(place, folder)}, and plays by that name")


@prico.command()
def warm() -> None:
    """Compile everything now, not at the first start.

    That takes about half a minute of two cores, and is done once for each version.
    """
    from prico_training.precompile import precompile

    precompile()


@prico.command()
@click.argument("agent", required=False, shell_complete=_agent_names)
def agents(agent: str | None) -> None:
    """List the built-in agents, or the weights of one."""
    from prico_agents.registry import known_names

    if agent:
        _print_weights(agent)
        return
    for name in (*known_names(), "RUN"):
        line, settings = _describe(name)
        print(f"{name:<12}{line}")
        if settings:
            print(textwrap.indent(textwrap.fill(settings, 84), " " * 12))
    print(_MORE_AGENTS)


def _describe(name: str) -> tuple[str, str]:
    """What an agent does, and what it can be told."""
    from prico_agents.agent_settings import describe_settings
    from prico_agents.neural.checkpoint import load_policy, policy_names
    from prico_agents.neural.policy import Policy
    from prico_agents.registry import ALIASES, agent_class, display_name

    if name in ALIASES:
        return f"The same as {ALIASES[name]}.", ""
    if name in policy_names():
        learnt, shown = load_policy(name).describe(), display_name(name)
        return f"Plays what a network learnt: {learnt}. At a table it is the {shown}.", ""
    player = Policy if name == "RUN" else agent_class(name)
    return (player.__doc__ or "").splitlines()[0], describe_settings(player)


_MORE_AGENTS: Final = """
Settings follow a colon: mcts:400 searches with 400 simulations, mcts:seconds=1,leaf=greedy
otherwise. RUN is the folder of a training run or of a checkpoint. my_module:MyAgent is an agent
as well, and so is a YAML file with `agent:` and `settings:`."""


def _print_weights(name: str) -> None:
    """Print the weights of an agent, which its settings can change."""
    from prico_agents import AgentError, load_agent
    from prico_agents.compiled import CompiledAgent
    from prico_agents.heuristic_engine.weights import describe_weights

    agent = load_agent(name)
    if not isinstance(agent, CompiledAgent):
        raise AgentError(f"{name!r} has no weights; `prico agents` lists its settings")
    for field, value, meaning in describe_weights(agent.weights):
        print(f"{field:<24}{value:>7.2f}  {meaning}")
