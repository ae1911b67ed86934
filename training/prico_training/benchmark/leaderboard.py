"""`BENCHMARK.md`: the protocol of the suites, and the table of the results that are committed."""

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from prico_agents.heuristics.style import KINDS, STYLES
from prico_training.benchmark.estimates import ALL, HELD_OUT, IN_TRAINING
from prico_training.benchmark.result_file import BenchmarkResult, file_name, read_result
from prico_training.benchmark.suites import (
    OPPONENTS,
    STYLE_OPPONENTS,
    SUITES,
    Opponent,
    Suite,
)
from prico_training.markdown import markdown_table
from prico_training.rule_sets import HELD_OUT as RULES_HELD_OUT

PAGE: Final = "BENCHMARK.md"
FOLDER: Final = "docs/benchmark"
"""Where the files of results are, in a checkout: a folder for each suite."""
_OVER: Final = "†"
"""Marks who exceeds the budget of time."""
_MOST_COLUMNS: Final = 10
"""Win rates beside each other; more stand below each other."""
_PART: Final = "‡"
"""Marks who played a part of the deals."""

_HEAD: Final = """\
# Benchmark

How strong is an agent, in figures that two papers can compare? This page is written by `python -m
prico_training.reference` from the table of suites and from the files in `docs/benchmark/`; who
wants tournaments of any agents among each other finds them in [the arena](docs/arena.md).

```sh
prico benchmark                                           # the suites
prico benchmark planner --suite base-4p-v1                # a minute or two; then a table and a file
```

## Protocol

A suite is fixed: its rule sets, its deals, its opponents and its budget of time. Its name ends
with its version, and its hash covers all of these; if any of them changes, there is a new version,
and results of different versions are never in one table.

- **Games.** The candidate sits alone among copies of one opponent, at every seat of every deal,
  among copies of every opponent. All chance of a game comes from its deal, and that of each player
  from the deal and its seat, so every candidate meets the same worlds. `prico` plays them in as
  many processes as there are cores; Ctrl-C stops, and the same command goes on.
- **Measures.** *Win rate*: those who tie for the win share it. *Rank*: the mean place, 1 the best;
  those who tie share the mean of theirs. *Lead*: score minus the best of the other scores.
  *Rating*: the Elo points above the opponents that tell of the win rate, a performance rating:
  with `n - 1` equal opponents, odds of `10 ** (points / 400)` against each give a win rate of
  `odds / (odds + n - 1)`. 0 is as good as the opponents on the whole; even play wins one game in
  `n`. Every rule set counts the same, and in it every opponent, seat and deal.
- **Intervals** are those of 95 %, with the deal as the independent unit: all games of a deal share
  its luck. In suites of many rule sets each is a stratum. The file of a result holds the sums of
  every deal, so that anybody can compute them again.
- **Time.** A decision may take 1 second on the machine of whoever enters. What decisions took is
  measured one at a time on one core, the first game aside, and told: the median, the 99th
  percentile, and the most. Whoever exceeds the budget in the 99th percentile is marked with † and
  compares with others of that kind only. After 60 seconds a decision loses the game.
- **Faults.** Whoever raises an error, plays an illegal action, takes too long or takes its process
  down loses that game in the last place; the file counts these games and quotes the first. A rule
  set that an agent refuses when it sits down, by an `AgentError`, is lost in the last place without
  being played; it counts for all measures but the lead.
- **Training** is free in rule sets, time and machines, but for the [held-out rule
  sets](#held-out-rule-sets) and the [held-out styles](#held-out-styles). Deals of the suites are
  not for training.

The opponents are known by content: the weights that decide their play, and the games that they
play. Before it begins, `prico benchmark` sees that those at hand are these, and a test fails when
one of them changes without a new version of the suites."""

_ENTER: Final = """\
## How to enter

Anything with `reset` and `act` enters by one command; so does a training run, a checkpoint, or an
agent with settings:

```sh
cat > lucky.py << 'END'
class Lucky:
    def reset(self, seat, rules, seed): ...
    def act(self, view): return view.choices[-1]
END
prico benchmark lucky:Lucky --suite base-4p-v1            # every game of the suite
prico benchmark mine=lucky:Lucky --deals 25               # a part, under another name
```

It leaves a folder in `runs/` with every game and one file, `base-4p-v1-lucky-Lucky.json`: the
policy with a digest of its content (its class, source file, settings, and the files and weights
that they name), the machine, versions, the sums of every deal, and the estimates. Send that file
in a pull request, under the name that the command tells in `docs/benchmark/`, with where the policy
can be found; `make reference` enters it into the tables below, and a test fails where a table is
not what the files give. Whoever has the policy checks a file by playing some of its deals again,
and which ones nobody knows beforehand:

```sh
prico benchmark --verify docs/benchmark/base-4p-v1/planner.json
```

It compares scores, places and decisions exactly, says what it could not look at (another content,
play that differs each time, times), and fails if something does not hold.

If you report results, name the suite with its version and hash, and cite [prico](CITATION.cff)."""


def read_results(home: Path) -> list[BenchmarkResult]:
    """Read all committed results of a checkout.

    Raises:
        BenchmarkError: One of them does not hold.
    """
    return [read_result(path) for path in sorted((home / FOLDER).glob("*/*.json"))]


def file_of(result: BenchmarkResult) -> str:
    """Where the file of a result belongs, as a path in a checkout."""
    name = file_name(result.suite, result.candidate["name"]).removeprefix(f"{result.suite.name}-")
    return f"{FOLDER}/{result.suite.name}/{name}.json"


def benchmark_page(home: Path) -> str:
    """The page, from the suites and the files of a checkout."""
    blocks = [_HEAD, *_opponents(), *_suites(), _ENTER, *_leaderboards(read_results(home))]
    return "\n\n".join([*blocks, *_held_out(), *_held_out_styles()]) + "\n"


def _opponents() -> Iterator[str]:
    yield _contents(OPPONENTS)
    yield (
        "The network plays the base game alone, so it is no opponent in rule sets with expansions."
    )


def _contents(opponents: Iterable[Opponent]) -> str:
    """A table of opponents by content."""
    heads = ("opponent", "weights", "play")
    return markdown_table(heads, ((f"`{one.name}`", one.parameters, one.play) for one in opponents))


def _suites() -> Iterator[str]:
    yield "## Suites"
    heads = ("suite", "what it asks", "rule sets", "deals of each", "games", "hash")
    rows = (
        (
            f"`{suite.name}`",
            suite.title,
            str(len(suite.rule_sets)),
            str(suite.deals),
            f"{suite.games_of_a_deal * suite.deals:,}",
            suite.hash,
        )
        for suite in SUITES.values()
    )
    yield markdown_table(heads, rows, left=2)


def _leaderboards(results: Sequence[BenchmarkResult]) -> Iterator[str]:
    yield "## Results"
    yield (
        "With 95 % intervals. Seconds are those of single decisions: median, 99th percentile, "
        "most, on machines that may do other work at the same time (the files tell their load). "
        f"{_OVER} exceeds the budget of time; {_PART} played a part of the deals."
    )
    for suite in SUITES.values():
        entered = [result for result in results if result.suite is suite]
        if entered:
            yield f"### {suite.name}"
            yield from leaderboard(suite, entered)


def leaderboard(suite: Suite, results: Sequence[BenchmarkResult]) -> Iterator[str]:
    """The tables of a suite, best first: what was measured, and the win rate by opponent."""
    summaries = [(result, result.summary()) for result in results]
    summaries.sort(key=lambda each: -each[1][ALL]["win_rate"][0])
    even = summaries[0][1][ALL]["even"]
    yield (
        f"{suite.title[:1].upper()}{suite.title[1:]}; even play wins {even:.1%}. "
        f"Suite hash `{suite.hash}`."
    )
    heads = ["", "agent", "rating", "win rate", "rank", "lead"]
    if suite.held_out:
        heads += ["rating, held out", "rating, others", "rule sets played"]
    heads += ["decisions", "seconds", "deals", "content"]
    rows = []
    for place, (result, summary) in enumerate(summaries, start=1):
        whole = summary[ALL]
        row = [
            str(place),
            _agent(result),
            interval_text(whole["rating"], "{:+z.0f}"),
            interval_text(whole["win_rate"], "{:.1%}"),
            interval_text(whole["rank"], "{:.2f}"),
            interval_text(whole["lead"], "{:+z.1f}"),
        ]
        if suite.held_out:
            row += [
                interval_text(summary[name]["rating"], "{:+z.0f}")
                for name in (HELD_OUT, IN_TRAINING)
            ]
            row.append(str(len(suite.rule_sets) - len(result.plan.refused)))
        rows.append([*row, *_work(result)])
    yield markdown_table(heads, rows, left=2)
    groups = [f"against {name}" for name in suite.all_opponents]
    groups += [name for name in summaries[0][1] if name.endswith(" players")]
    yield "Win rates:"
    rates = [
        [
            _agent(result),
            *(interval_text(summary[name]["win_rate"], "{:.1%}") for name in groups),
        ]
        for result, summary in summaries
    ]
    lines = [["agent", *groups], *rates]
    if len(groups) > _MOST_COLUMNS:
        lines = [list(line) for line in zip(*lines, strict=True)]
    yield markdown_table(lines[0], lines[1:])


def _agent(result: BenchmarkResult) -> str:
    """Who it is, with a link to the file and marks."""
    seconds = result.page["seconds"]
    marks = _OVER if seconds["p99"] > result.suite.decision_seconds else ""
    if result.plan.deals < result.suite.deals:
        marks += _PART
    name = str(result.candidate["name"]).replace("|", "\\|")
    return f"[`{name}`]({file_of(result)}){marks}"


def _work(result: BenchmarkResult) -> list[str]:
    """What a candidate did in how much time, and by which content it is known."""
    seconds = result.page["seconds"]
    times = ", ".join(seconds_text(seconds[name]) for name in ("median", "p99", "most"))
    deals = f"{result.plan.deals} of {result.suite.deals}"
    if result.page["broken_games"]:
        deals += f", {result.page['broken_games']:,} games broken"
    return [f"{result.page['decisions']:,}", times, deals, result.candidate["hash"]]


def _held_out() -> Iterator[str]:
    yield "## Held-out rule sets"
    yield (
        f"`generalist-v1` plays all {len(SUITES['generalist-v1'].rule_sets)} rule sets that "
        f"editions, expansions and numbers of players make, and {len(RULES_HELD_OUT)} of them "
        "nobody may train on who enters it; how an agent does there is told apart. They are six "
        "of each number of players, ten of either edition of 1897 and four of the classic one; "
        "among those of 1897 every expansion is in half of them. In code: "
        "`prico_training.rule_sets.HELD_OUT`."
    )
    yield markdown_table(
        ("edition", "expansions", "players"),
        (
            (rules.edition, ", ".join(rules.expansions) or "none", str(rules.players))
            for rules in RULES_HELD_OUT
        ),
        left=2,
    )


def _held_out_styles() -> Iterator[str]:
    yield "## Held-out styles"
    yield (
        f"A generator with a seed draws styles of play, `style:0` to `style:{STYLES - 1}`: "
        f"{len(KINDS)} kinds ({', '.join(KINDS)}) in turn, each style with its own weights. "
        f"{len(STYLE_OPPONENTS)} of them, three of each kind, are the opponents of "
        "`styles-4p-v1`, and nobody may train with them who enters it; the other "
        f"{STYLES - len(STYLE_OPPONENTS)} are for training. In code: "
        "`prico_agents.heuristics.style.style_names`."
    )
    yield _contents(STYLE_OPPONENTS)


def interval_text(values: Sequence[float | None], shape: str) -> str:
    """A mean with its interval; where only an end is known, the bound."""
    mean, low, high = values
    if mean is None:
        known = [f"below {shape.format(high)}" if high is not None else ""]
        known += [f"above {shape.format(low)}" if low is not None else ""]
        return " ".join(word for word in known if word) or "-"
    if low is None or high is None:
        return shape.format(mean)
    return f"{shape.format(mean)} [{shape.format(low)}, {shape.format(high)}]"


def mean_text(values: Sequence[float | None], shape: str) -> str:
    """A mean without its interval."""
    return "-" if values[0] is None else shape.format(values[0])


def seconds_text(value: float) -> str:
    """A time in the unit that suits it."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if value * factor >= 1 or unit == "µs":
            digits = max(0, 1 - math.floor(math.log10(max(1.0, value * factor))))
            return f"{value * factor:.{digits}f} {unit}"
    raise AssertionError
