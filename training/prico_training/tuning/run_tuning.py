"""A tuning from beginning to end, and on after a stop."""

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import yaml
from numpy.typing import NDArray
from rich.console import Console

from prico_agents import load_agent
from prico_agents.compiled import CompiledAgent
from prico_agents.heuristic_engine.weights import by_field
from prico_agents.input_files import read_json
from prico_agents.registry import find_agent
from prico_env import RuleSet
from prico_training.arena.sequential import ACCEPT_H0, ACCEPT_H1, GO_ON, Sprt, Verdict
from prico_training.arena.statistics import Estimate, as_percentage, proportion
from prico_training.errors import ConfigError
from prico_training.files import new_folder, remove_unfinished, write_text
from prico_training.folder_lock import FolderLock
from prico_training.interrupt import Interruptions
from prico_training.machine import usable_cores
from prico_training.progress import new_bar, print_plain
from prico_training.sections import check_unchanged, to_plain
from prico_training.tuning.paired_games import play_pairs, points
from prico_training.tuning.rounds_left import rounds_left_errors
from prico_training.tuning.settings import Tuning, compiled
from prico_training.tuning.weight_search import (
    SearchState,
    WeightSearch,
    rounded,
    tunable_weights,
    weights_of,
    with_weights,
)

STATE_FILE: Final = "state.json"
BEST_FILE: Final = "best.yaml"
REPORT_FILE: Final = "report.md"
_ANSWER: Final = "prico: stopping after this iteration"
_DEALS_OF_A_LOOK: Final = 4
"""Deals of a line of the report for each game in which rounds left are looked at: it is slower."""
_WAVE: Final = 8
"""Line-ups that a test plays between two looks."""
_STEP, _TEST, _REPORT = 1, 2, 3
"""What a generator of chance is for."""


@dataclass(frozen=True)
class ReportLine:
    """How the tuned weights did against those before, somewhere."""

    rules: RuleSet
    """What was played."""
    among: str
    """Who took the other seats: ``pool`` or ``held_out``."""
    decided: Estimate
    """Share of the games won by either side that the tuned weights won."""


@dataclass(frozen=True)
class TuningOutcome:
    """How a tuning stands when it stops."""

    folder: Path
    """Where everything is."""
    state: SearchState
    """Where the search stands."""
    lines: tuple[ReportLine, ...]
    """The report; empty where it was stopped before."""

    @property
    def complete(self) -> bool:
        """Whether all iterations are done and the report is written."""
        return bool(self.lines)


def run_tuning(
    settings: Tuning, folder: Path, processes: int = 0, console: Console | None = None
) -> TuningOutcome:
    """Tune weights, or go on with it, and report what they bring.

    Args:
        settings: What is tuned and how.
        folder: Where `state.json`, `best.yaml` and `report.md` are; a tuning that was stopped
            there goes on, and comes to the same as one that was not.
        processes: Threads that play, which changes nothing but the time; 0 takes all cores.
        console: Where progress shows.

    Raises:
        ConfigError: The folder holds another tuning, or the settings name what is not there.
    """
    console = console or Console(quiet=True)
    tuner = _Tuner(settings)
    state = _begin_or_go_on(folder, settings, tuner)
    with (
        FolderLock(folder),
        Interruptions(_ANSWER) as interruptions,
        ThreadPoolExecutor(processes or usable_cores()) as threads,
    ):
        remove_unfinished(folder)
        tuner.threads = threads
        with new_bar(console) as bar:
            task = bar.add_task(
                "tuning", total=settings.iterations, completed=state.iteration, note=""
            )
            while state.iteration < settings.iterations and not interruptions.happened:
                tuner.iterate(state)
                _save(folder, settings, state)
                bar.update(task, completed=state.iteration, note=_note(state))
                if state.tests and state.tests[-1]["iteration"] == state.iteration:
                    print_plain(console, f"Iteration {state.iteration}: {_note(state)}")
        if interruptions.happened:
            return TuningOutcome(folder, state, ())
        lines = tuner.report(state)
        write_text(folder / REPORT_FILE, _report_page(settings, tuner, state, lines))
    return TuningOutcome(folder, state, tuple(lines))


class _Tuner:
    """Plays what the search asks for."""

    threads: ThreadPoolExecutor

    def __init__(self, settings: Tuning) -> None:
        self.settings = settings
        self.agent = compiled(settings.agent, "agent")
        games = settings.rule_sets
        self.names = tunable_weights(self.agent, settings.weights, games)
        everything = weights_of(self.agent)
        self.start = {name: everything[name] for name in self.names}
        check_tunable(settings.agent, self.start)
        self._search = WeightSearch(settings, self.start)
        self._pool = settings.opponents("pool")

    def iterate(self, state: SearchState) -> None:
        """Take a step, and now and then see whether that was good."""
        settings, number = self.settings, state.iteration
        moves = self._search.moves(number)
        jobs = [
            (self._search.sides(state.point, move, number), at) for at, move in enumerate(moves)
        ]

        def gain(job: tuple[tuple[dict[str, float], dict[str, float]], int]) -> float:
            (upper, lower), at = job
            games = settings.rule_sets
            rules = games[(number * settings.directions + at) % len(games)]
            won = self._play(rules, (upper, lower), settings.deals, (_STEP, number, at))
            return float((won[:, 0] - won[:, 1]).mean() / 2)

        gains = np.array(list(self.threads.map(gain, jobs)))
        state.point = self._search.step(state.point, moves, gains, number)
        state.games += 2 * settings.deals * settings.directions
        state.iteration += 1
        if state.iteration % settings.test_every == 0 or state.iteration == settings.iterations:
            self._test(state)

    def _test(self, state: SearchState) -> None:
        """Accept the present weights as the best, or go back to these, or neither."""
        settings = self.settings
        test = Sprt(*settings.bounds)
        verdict = self._ask(state, test, settings.rule_sets, state.best, 0)
        line = {"iteration": state.iteration, **_plain(verdict)}
        if verdict.decision == ACCEPT_H1 and settings.guards:
            guard = Sprt(0.5 - settings.tolerance, 0.5)
            for number, rules in enumerate(settings.guards, start=1):
                held = self._ask(state, guard, (rules,), self.start, number)
                if held.decision != ACCEPT_H1:
                    line |= {"decision": GO_ON, "guard": str(rules), "guard_mean": held.mean}
                    break
        if line["decision"] == ACCEPT_H1:
            state.best = dict(state.point)
        elif line["decision"] == ACCEPT_H0:
            state.point = dict(state.best)
        state.tests.append(line)

    def _ask(
        self,
        state: SearchState,
        test: Sprt,
        games: Sequence[RuleSet],
        against: Mapping[str, float],
        number: int,
    ) -> Verdict:
        """Play the present weights against others until a sequential test knows."""
        settings, scores = self.settings, np.zeros(0)
        sides = rounded(state.point), rounded(against)
        while True:
            done = len(scores) // settings.deals
            wave = [
                self.threads.submit(
                    self._play,
                    games[at % len(games)],
                    sides,
                    settings.deals,
                    (_TEST, state.iteration, number, at),
                )
                for at in range(done, done + _WAVE)
            ]
            won = np.concatenate([each.result() for each in wave])
            scores = np.concatenate([scores, points(won)])
            state.games += 2 * len(won)
            verdict = test.decide(scores)
            if verdict.is_final or len(scores) >= settings.test_deals:
                return verdict

    def report(self, state: SearchState) -> list[ReportLine]:
        """Play the best weights against those before, in every rule set and pool."""
        settings, lines = self.settings, []
        pools: tuple[Literal["pool", "held_out"], ...] = ("pool", "held_out")
        for at, rules in enumerate(self._reported):
            for which, among in enumerate(pools):
                pool = settings.opponents(among)
                share = settings.pool_share if among == "pool" else 1.0
                line_ups = -(-settings.report_deals // settings.deals)
                sides = rounded(state.best), self.start

                def play(
                    number: int,
                    rules: RuleSet = rules,
                    at: int = at,
                    which: int = which,
                    pool: Sequence[CompiledAgent] = pool,
                    share: float = share,
                    sides: tuple[Mapping[str, float], Mapping[str, float]] = sides,
                ) -> NDArray[np.float64]:
                    of = (_REPORT, at, which, number)
                    return self._play(rules, sides, settings.deals, of, pool, share)

                won = np.concatenate(list(self.threads.map(play, range(line_ups))))
                decided = won.sum(axis=1)
                estimate = proportion(won[:, 0], np.arange(len(won)), weights=decided)
                lines.append(ReportLine(rules, among, estimate))
        return lines

    def rounds_left(self, state: SearchState) -> list[tuple[RuleSet, list[str]]]:
        """The errors of rounds left, in words, with the weights before and the best ones."""
        settings = self.settings
        games = -(-settings.report_deals // _DEALS_OF_A_LOOK)
        found = []
        for rules in self._reported:
            words = []
            for weights in (self.start, rounded(state.best)):
                agent = with_weights(self.agent, weights)
                errors = rounds_left_errors(rules, agent, games, settings.seed)
                words.append(f"{errors.mean():+.1f} ({np.abs(errors).mean():.1f})")
            found.append((rules, words))
        return found

    @property
    def _reported(self) -> tuple[RuleSet, ...]:
        """The rule sets of the report."""
        return tuple(dict.fromkeys((*self.settings.rule_sets, *self.settings.guards)))

    def _play(
        self,
        rules: RuleSet,
        sides: tuple[Mapping[str, float], Mapping[str, float]],
        deals: int,
        of: tuple[int, ...],
        pool: Sequence[CompiledAgent] | None = None,
        share: float | None = None,
    ) -> NDArray[np.float64]:
        """Play pairs between two sets of weights, with chance from what the games are of."""
        chance = np.random.default_rng([self.settings.seed, *of])
        one, other = (with_weights(self.agent, side) for side in sides)
        pool = self._pool if pool is None else pool
        share = self.settings.pool_share if share is None else share
        return play_pairs(rules, (one, other), pool, share, deals, chance)


def check_tunable(name: str, weights: Mapping[str, float]) -> None:
    """See that an agent can be told its weights.

    Raises:
        AgentError: It has none that can be set.
    """
    tuned = tuned_agent(name, weights)
    load_agent(tuned["agent"], **tuned["settings"])


# -- files -----------------------------------------------------------------------------------------


def _begin_or_go_on(folder: Path, settings: Tuning, tuner: _Tuner) -> SearchState:
    path = folder / STATE_FILE
    if not path.exists():
        state = SearchState(dict(tuner.start), dict(tuner.start))
        if folder.exists() and any(folder.iterdir()):
            raise ConfigError(f"{folder} holds something else; choose another --output")
        with new_folder(folder) as beside:
            _save(beside, settings, state)
        return state
    page = read_json(path, ConfigError)
    try:
        before, state = page["settings"], SearchState(**page["state"])
    except (LookupError, TypeError):
        raise ConfigError(f"{path} is no state of a tuning") from None
    instead = "choose another --output, or the settings it began with"
    check_unchanged(folder, "a tuning", before, _fixed(settings), instead)
    if state.best.keys() != tuner.start.keys():
        raise ConfigError(f"{folder} holds a tuning of other weights than {settings.agent} has")
    return state


def _fixed(settings: Tuning) -> dict[str, Any]:
    """The settings that must stay, as plain values."""
    plain = to_plain(settings)
    fixed: dict[str, Any] = json.loads(json.dumps({name: plain[name] for name in settings.fixed()}))
    return fixed


def _save(folder: Path, settings: Tuning, state: SearchState) -> None:
    """Write where the search stands, and the best weights as an agent that plays by this file."""
    page = {"settings": _fixed(settings), "state": dataclasses.asdict(state)}
    write_text(folder / STATE_FILE, json.dumps(page, indent=1) + "\n")
    best = tuned_agent(settings.agent, rounded(state.best))
    write_text(folder / BEST_FILE, yaml.safe_dump(best, sort_keys=False))


def tuned_agent(name: str, weights: Mapping[str, float]) -> dict[str, Any]:
    """An agent with other weights, as a YAML file names it that `load_agent` understands."""
    order = find_agent(name)
    if order.settings:  # each is set in one place only, so those of the name are told here
        name = f"{order.player.__module__}:{order.player.__qualname__}"
    return {"agent": name, "settings": _merged(order.settings, by_field(weights))}


def _merged(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Settings changed by others, also within those that have names."""
    merged = dict(before)
    for name, value in after.items():
        both = isinstance(value, dict) and isinstance(merged.get(name), dict)
        merged[name] = {**merged[name], **value} if both else value
    return merged


def _plain(verdict: Verdict) -> dict[str, Any]:
    return {
        "decision": verdict.decision,
        "deals": verdict.blocks,
        "mean": verdict.mean,
        "log_ratio": verdict.log_ratio,
    }


def _note(state: SearchState) -> str:
    """Where a search stands, in words."""
    accepted = sum(test["decision"] == ACCEPT_H1 for test in state.tests)
    note = f"{state.games:,} games, {accepted} of {len(state.tests)} tests accepted"
    if state.tests:
        last = state.tests[-1]
        note += f", the last: {last['decision']}, {last['mean']:.3f} of the points"
        note += f" in {last['deals']:,} deals"
    return note


def _report_page(
    settings: Tuning, tuner: _Tuner, state: SearchState, lines: Sequence[ReportLine]
) -> str:
    page = [
        f"# Tuning of {settings.agent}",
        "",
        f"{state.iteration:,} iterations; {_note(state)}.",
        "",
        "## Tuned against untuned",
        "",
        "Of the games that one of both won, the tuned weights won so many; 95 % intervals, the "
        f"independent unit is the deal. Among `pool`, {settings.pool_share:.0%} of the line-ups "
        "hold one of each side; among `held_out` all do.",
        "",
        "| rule set | among | decided games won |",
        "| --- | --- | ---: |",
        *(f"| {line.rules} | {line.among} | {as_percentage(line.decided)} |" for line in lines),
        "",
        "## Rounds left",
        "",
        "What the weights estimate of the rounds still to come, less those that came: the mean "
        "error, and in brackets the mean size of an error. Above 0 they play for a longer game.",
        "",
        "| rule set | before | now |",
        "| --- | ---: | ---: |",
        *(f"| {rules} | {' | '.join(words)} |" for rules, words in tuner.rounds_left(state)),
        "",
        "## Weights",
        "",
        "| weight | before | now |",
        "| --- | ---: | ---: |",
        *(f"| {name} | {tuner.start[name]:.3f} | {state.best[name]:.3f} |" for name in tuner.names),
    ]
    return "\n".join(page) + "\n"


def tell(outcome: TuningOutcome, tell_line: Callable[[str], None]) -> None:
    """Say what came out, line by line."""
    if not outcome.complete:
        tell_line(f"Stopped after {outcome.state.iteration:,} iterations.")
        tell_line("Go on with the same command.")
        return
    for line in outcome.lines:
        tell_line(f"{line.rules}, among {line.among}: {as_percentage(line.decided)} of the decided")
    tell_line(f"The report is in {outcome.folder / REPORT_FILE}.")
    tell_line(f"The best weights play as: {outcome.folder / BEST_FILE}")
