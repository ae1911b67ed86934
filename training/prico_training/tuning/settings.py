"""What is tuned, among whom, and for how long."""

import dataclasses
from typing import Annotated, Final, Literal

from pydantic import Field

from prico_agents import AgentError, load_agent
from prico_agents.compiled import CompiledAgent
from prico_agents.heuristics.style import Style, style_names
from prico_env import RuleSet
from prico_training.errors import ConfigError
from prico_training.sections import (
    Count,
    Names,
    Positive,
    Rules,
    Share,
    SomeShare,
    Whole,
    section,
)

FREE: Final = frozenset({"iterations", "report_deals"})
"""Settings that may change when a tuning goes on."""
_EVEN: Final = 0.5


@section()
class Tuning:
    """Everything that decides how weights are tuned: simultaneous perturbation with tests."""

    agent: str = "planner"
    """The compiled agent whose weights are tuned, and against which they are measured."""
    weights: Names = ("*",)
    """Which: names as `prico agents planner` lists them, with `*` for any part, such as
    `power.*`. Those that change nothing in the games, and those of depth, need their full name."""
    games: tuple[Rules, ...] = ()
    """Rule sets they are tuned for, in turn; by default the base game for four."""
    guards: tuple[Rules, ...] = ()
    """Rule sets in which weights must not lose to those before, or they are not accepted."""
    pool: Names = ()
    """Compiled agents who take the other seats while tuning; by default the agent itself and the
    styles for training."""
    pool_share: Share = 0.5
    """Share of the line-ups in which one of either side sits among the pool; in the others each
    side has half of the seats."""
    held_out: Names = ()
    """Compiled agents who take the other seats in the report only; by default the held-out
    styles."""
    seed: Whole = 1
    """Decides everything."""
    iterations: Count = 1_000
    """Steps of the search."""
    directions: Annotated[Count, Field(le=10_000)] = 16
    """Perturbations played in a step."""
    deals: Annotated[Count, Field(le=100_000)] = 16
    """Deals of a perturbation; each is played twice, with the sides in each other's place."""
    perturbation: SomeShare = 0.15
    """How far weights are moved both ways to see what it brings, beside their size."""
    learning_rate: Positive = 0.02
    """How far a step goes."""
    decay_after: Count = 200
    """Iterations after which steps become smaller: by `(1 + iteration / decay_after) ** -0.602`."""
    test_every: Count = 50
    """Iterations between two tests of the present weights against the best so far."""
    test_deals: Annotated[Count, Field(le=10_000_000)] = 4_000
    """Most deals of a test; one that does not decide by then accepts nothing."""
    bounds: tuple[Share, Share] = (0.5, 0.52)
    """Shares of the points, a win one and a game that neither side wins a half, between which a
    sequential test decides: at the first they are dropped, at the second accepted."""
    tolerance: SomeShare = 0.02
    """What the test in a guard takes for a loss, below a half."""
    report_deals: Annotated[Count, Field(le=10_000_000)] = 500
    """Deals of each line of the report."""

    def __post_init__(self) -> None:
        """Check what no range of a single setting says."""
        if not 0 < self.bounds[0] < self.bounds[1] < 1:
            raise ConfigError(f"bounds must be two shares, the smaller first, not {self.bounds}")
        if self.tolerance >= _EVEN:
            raise ConfigError(f"tolerance must be below {_EVEN}, not {self.tolerance}")
        for name in self.pool_names:
            agent = compiled(name, "pool")
            if isinstance(agent, Style) and agent.is_held_out:
                raise ConfigError(f"pool: {name!r} is held out, to measure with")

    @property
    def rule_sets(self) -> tuple[RuleSet, ...]:
        """What is played."""
        return self.games or (RuleSet(),)

    @property
    def pool_names(self) -> tuple[str, ...]:
        """Who takes the other seats while tuning."""
        return self.pool or (self.agent, *style_names(held_out=False))

    @property
    def held_out_names(self) -> tuple[str, ...]:
        """Who takes the other seats in the report."""
        return self.held_out or style_names(held_out=True)

    def opponents(self, which: Literal["pool", "held_out"]) -> list[CompiledAgent]:
        """Make those of a pool."""
        names = self.pool_names if which == "pool" else self.held_out_names
        return [compiled(name, which) for name in names]

    def fixed(self) -> dict[str, object]:
        """The settings that must stay when a tuning goes on."""
        names = (field.name for field in dataclasses.fields(self))
        return {name: getattr(self, name) for name in names if name not in FREE}


def compiled(name: str, setting: str) -> CompiledAgent:
    """Find an agent that plays whole games in one call.

    Raises:
        ConfigError: There is none of this name, or it is not compiled.
    """
    try:
        agent = load_agent(name)
    except AgentError as error:
        raise ConfigError(f"{setting}: {error}") from None
    if not isinstance(agent, CompiledAgent):
        raise ConfigError(
            f"{setting} must name compiled players, such as planner or corn, not {name!r}"
        )
    return agent
