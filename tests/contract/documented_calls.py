"""The calls of `prico_training` that documents and notebooks show, found where they import them.

What is written there to be imported is tried as soon as it is written; only a parameter of a new
name needs an example of a proper value.
"""

import functools
import importlib
import inspect
import json
import re
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from prico_agents import load_agent
from prico_env import Game, Games, RuleSet
from prico_env.vocabulary import DecisionPoint
from prico_training.arena.game_table import GameTable
from prico_training.arena.match import Contestant, FinishedGames, play
from prico_training.arena.results import write_lines
from prico_training.arena.schedule import LineUp
from prico_training.arena.settings import Entry, Tournament
from prico_training.arena.statistics import Estimate
from prico_training.arena.summary import summarise
from prico_training.config import Config
from prico_training.datasets import Dataset, DatasetSettings, write_dataset
from tests.contract.entry_points import EntryPoint
from tests.training.arena.made_games import game as made_game

ROOT = Path(__file__).parents[2]
RULES = RuleSet(players=2, max_rounds=1)
_IMPORT = re.compile(
    r"^(?:>>> | *)from (prico_\w+(?:\.\w+)*) import (\([^)]*\)|[^\n(]+)", re.MULTILINE
)

NOT_TO_GO_ON = ("config", "running_ray", "start_run")
"""Calls that train, or need what is not installed: they get nothing but wrong arguments."""


class Section(EntryPoint):
    """A section of settings, whose fields are its parameters; pydantic says what fits them."""

    def parameters(self) -> dict[str, Any]:
        """The settings; each is of its own kind, which pydantic knows."""
        return dict.fromkeys(typing.get_type_hints(self.function), Any)


def documented_names() -> set[tuple[str, str]]:
    """Module and name of everything that documents and notebooks import from prico."""
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("notebooks/*.ipynb")]
    found = set()
    for page in pages:
        text = page.read_text(encoding="utf-8")
        if page.suffix == ".ipynb":
            text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
        for module, names in _IMPORT.findall(text):
            found |= {(module, name) for name in re.findall(r"\w+", names.partition("#")[0])}
    return found


def documented_calls() -> Iterator[EntryPoint]:
    """Every documented function, and how each documented class is made."""
    for module, name in sorted(documented_names()):
        call = getattr(importlib.import_module(module), name)
        if not module.startswith("prico_training") or not callable(call):
            continue
        if hasattr(call, "__pydantic_fields__"):
            yield Section(name, None, call, OWN_EXAMPLES.get(name, {}))
        elif call is not GameTable:  # tables are made of games
            yield _call(name, call)
        if inspect.isclass(call) and "of" in vars(call):
            yield _call(f"{name}.of", call.of)


def _call(name: str, function: Any) -> EntryPoint:
    """A call with an example for each parameter that has no default."""
    signature = inspect.signature(function)
    own = OWN_EXAMPLES.get(name, {})
    missing = [
        parameter.name
        for parameter in signature.parameters.values()
        if parameter.default is parameter.empty and parameter.kind != parameter.VAR_KEYWORD
    ]
    unknown = [each for each in missing if each not in own and each not in EXAMPLES]
    assert not unknown, f"{name}: give an example of {unknown} in EXAMPLES or OWN_EXAMPLES"
    examples = {each: own.get(each, EXAMPLES.get(each)) for each in missing} | dict(own)
    return EntryPoint(name, None, function, examples)


def _lines() -> list[Any]:
    return [
        made_game(table, scores, deal=deal, line_up=line_up)
        for deal in range(3)
        for line_up, (table, scores) in enumerate(
            [(("ann", "bob"), (30 + deal, 20)), (("bob", "ann"), (25, 24))]
        )
    ]


def _games_file() -> Path:
    """The games in the folder that the test stands in."""
    file = Path("games.jsonl")
    file.write_bytes(b"".join(write_lines(_lines())))
    return file


@functools.cache
def _table() -> GameTable:
    return GameTable.of(_lines())


def _tournament() -> Tournament:
    return Tournament((Entry("corn"), Entry("builder")), RULES, deals=1)


def _contestants() -> list[Contestant]:
    return [Contestant.of("corn", "corn"), Contestant.of("trader", "trader")]


@functools.cache
def _finished() -> FinishedGames:
    return play(RULES, _contestants(), [7])


def _dataset_settings() -> DatasetSettings:
    return DatasetSettings(policies=("random",), games=2, game=RULES)


def _dataset() -> Dataset:
    """Two games in the folder that the test stands in."""
    return Dataset(write_dataset("two_games", _dataset_settings()).folder)


@functools.cache
def _games() -> Games:
    return Games(RULES, 2, seed=7)


Examples = Mapping[str, Callable[[], Any]]

EXAMPLES: Examples = {
    "agent": lambda: "ann",
    "batch_size": lambda: 10,
    "clusters": lambda: [0, 0, 1],
    "config": Config,
    "count": lambda: 1,
    "data": _dataset,
    "dataset": _dataset,
    "dataset_id": lambda: "prico/two-games-v0",
    "deal": lambda: 3,
    "deals": lambda: [0],
    "decisions": _games,
    "difference": lambda: 0.1,
    "estimate": lambda: Estimate(0.5, 0.4, 0.6),
    "finished": _finished,
    "first": lambda: "ann",
    "folder": lambda: Path("folder"),
    "game": lambda: Game(RULES, seed=7),
    "games": _games,
    "half_width": lambda: 0.1,
    "line_up": _contestants,
    "make": lambda: lambda: load_agent("corn"),
    "mean": lambda: 0.5,
    "name": lambda: "configs/experiments/default.yaml",
    "path": _games_file,
    "player": lambda: load_agent("corn"),
    "point": lambda: DecisionPoint.CHOOSE_ROLE,
    "rules": lambda: RULES,
    "second": lambda: "bob",
    "seed": lambda: 3,
    "seeds": lambda: [7],
    "settings": _dataset_settings,
    "share": lambda: 0.5,
    "size": lambda: 10,
    "source": lambda: Game(RULES, seed=7).to_record(),
    "summary": lambda: summarise(_table()),
    "table": _table,
    "tournament": _tournament,
    "values": lambda: [0.5, 1.0, 0.0],
}
"""A proper value for each parameter that has no default, by its name."""

OWN_EXAMPLES: Mapping[str, Examples] = {
    "Contestant.of": {"agent": lambda: "corn", "name": lambda: "corn"},
    "Dataset": {"folder": lambda: _dataset().folder},
    "Entry": {"agent": lambda: "corn"},
    "Entry.of": {"word": lambda: "corn"},
    "GameTable.of": {"games": _lines},
    "Tournament": {"agents": lambda: _tournament().agents},
    "ask_agent": {"agent": lambda: "corn"},
    "game_lines": {"line_up": lambda: LineUp(0, "copies", ("corn", "trader"))},
    "load_config": {"path": lambda: None},
    "replay_html": {"layouts": lambda: ["wide"]},
}
"""The same where a name means something else, by the call."""
