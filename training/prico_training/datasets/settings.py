"""What a data set holds, and the file in its folder that says so."""

import dataclasses
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from pydantic import Field

import prico_env
from prico_agents import Agent, load_agent
from prico_agents.compiled import CompiledAgent
from prico_agents.game_recorder import PlannedGames
from prico_agents.input_files import read_json
from prico_env import RuleSet
from prico_env.core.rng import MAX_SEED
from prico_env.errors import PricoError, quoted
from prico_env.serialization.transcript import RULES_VERSION
from prico_training.errors import ConfigError, DatasetError
from prico_training.files import write_text
from prico_training.sections import Names, Rules, Share, Whole, from_dict, section, to_plain

SETTINGS_FILE: Final = "dataset.json"
FORMAT: Final = 1
"""Moves when readers of before could not read what is written."""
MASK_BITS: Final = "little"
"""In which order a byte of a packed mask holds its bits, as `numpy.packbits` calls it."""
_COMPILED_GAMES: Final = 1000
_OTHER_GAMES: Final = 50
"""Games in a file, unless the settings say: seconds of compiled players, minutes of others."""


@section()
class DatasetSettings:
    """Everything that decides which games a data set holds."""

    policies: Annotated[Names, Field(min_length=1, max_length=100)] = ("planner",)
    """Who plays; each seat of each game is drawn by lot among these names."""
    games: Annotated[int, Field(strict=True, ge=1, le=2**31 - 1)] = 10_000
    """How many games."""
    epsilon: Share = 0.0
    """Probability that a random action is played instead of the policy's (epsilon-greedy)."""
    seed: Whole = 1
    """Decides every deal, every line-up and every chance of a player."""
    shard_games: Annotated[int, Field(strict=True, ge=0, le=1_000_000)] = 0
    """Games in a file; 0: 1,000 where all policies are compiled, else 50."""
    game: Rules = dataclasses.field(default_factory=RuleSet)
    """The rule set: players, edition and options; or a file of `configs/games/`."""

    def __post_init__(self) -> None:
        """Check what no range of a single setting says."""
        if not self.game.skip_forced:
            raise ConfigError(
                "a data set holds decisions that leave a choice, so skip_forced of its game must "
                "be true"
            )
        if self.seed > MAX_SEED:
            raise ConfigError(f"seed is a whole number from 0 to 2**63 - 1, not {self.seed}")

    @property
    def makers(self) -> list[Callable[[], Agent]]:
        """What makes each policy."""
        return [lambda name=name: load_agent(name) for name in self.policies]  # type: ignore[misc]

    @property
    def names(self) -> tuple[str, ...]:
        """The policies, each once: by number, as readers have them."""
        return tuple(dict.fromkeys(self.policies))

    @property
    def is_compiled(self) -> bool:
        """Whether all policies are compiled players."""
        return all(isinstance(make(), CompiledAgent) for make in self.makers)

    def resolved(self) -> "DatasetSettings":
        """The same with the games of a file decided.

        Raises:
            AgentError: There is no such policy.
        """
        games = _COMPILED_GAMES if self.is_compiled else _OTHER_GAMES
        return dataclasses.replace(self, shard_games=self.shard_games or games)

    def plan(self, games: range) -> PlannedGames:
        """What decides how some games go; each game is decided by the seed and its number alone."""
        seats = self.game.players
        numbers = np.array([self._draw(game) for game in games]).reshape(len(games), -1)
        return PlannedGames(
            deals=numbers[:, 0],
            exploration_seeds=numbers[:, 1],
            line_ups=numbers[:, 2 : 2 + seats] % len(self.policies),
            player_seeds=numbers[:, 2 + seats :],
        )

    def _draw(self, game: int) -> np.ndarray:
        source = np.random.SeedSequence([self.seed, game])
        drawn = source.generate_state(2 + 2 * self.game.players, np.uint64)
        return (drawn & np.uint64(MAX_SEED)).astype(np.int64)

    def describe(self) -> dict[str, Any]:
        """What readers of the files must know, but for how many games there are."""
        settings = to_plain(self)
        del settings["games"]
        layout = self.game.observation
        return {
            "format": FORMAT,
            "prico": prico_env.__version__,
            "rules_version": RULES_VERSION,
            "layout_version": layout.version,
            "settings": settings,
            "mask_bits": MASK_BITS,
            "features": list(layout.feature_names),
            "actions": list(self.game.actions.names),
        }


def write_settings(folder: Path, settings: DatasetSettings) -> None:
    """Write what a data set holds, for everybody who meets its folder."""
    page = settings.describe()
    page["settings"]["games"] = settings.games
    write_text(folder / SETTINGS_FILE, json.dumps(page, indent=1) + "\n")


def read_description(folder: Path) -> dict[str, Any]:
    """Read the description of a data set, with its number of games in ``settings``.

    Raises:
        DatasetError: There is none, it is damaged, or of a format that this version cannot read.
    """
    path = folder / SETTINGS_FILE
    if not os.path.exists(path):
        raise DatasetError(
            f"{folder} holds no data set: there is no {SETTINGS_FILE}; "
            "`prico dataset planner -o DIR` writes one"
        )
    page = read_json(path, DatasetError)
    if not isinstance(page, dict) or not isinstance(page.get("settings"), dict):
        raise DatasetError(f"{path} is damaged, or describes no data set of prico")
    if page.get("format") != FORMAT:
        raise DatasetError(
            f"{path} is of format {quoted(page.get('format'))}; this prico reads format {FORMAT}"
        )
    for names in ("features", "actions"):
        if not isinstance(page.get(names), list):
            raise DatasetError(f"{path} is damaged: it does not name its {names}")
    return page


def settings_of(folder: Path, description: dict[str, Any]) -> DatasetSettings:
    """The settings in a description.

    Raises:
        DatasetError: They are damaged.
    """
    try:
        return from_dict(description["settings"], DatasetSettings)
    except PricoError as error:
        raise DatasetError(f"{folder / SETTINGS_FILE} is damaged: {error}") from None
