"""Random games by the hundred thousand, every record of every game checked by a compiled recount.

``python -m tests.properties.mass_play --games 100000`` plays the largest rule set, five players
with all expansions; ``--all-rule-sets`` spreads the games over all 144. Nothing here believes what
the engine counts: pieces are counted where they lie, and what a record notes down beside them
(`powers`, `city_used`, `deck_tiles` and the like) must agree.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from prico_env import ALL_EXPANSIONS, Games, RuleSet
from prico_env.core.jit import allocating_kernel, kernel
from prico_env.vocabulary import (
    HOUSE_SLOTS,
    MAX_PLAYERS,
    NOBODY,
    NOT_IN_PLAY,
    NUM_BASE_ROLES,
    NUM_BUILDINGS,
    NUM_GOODS,
    NUM_POWERS,
    NUM_ROLES,
    NUM_SHIPS,
    NUM_SPOTS,
    NUM_TILES,
    QUARRY,
    DecisionPoint,
    Outcome,
    Phase,
    Power,
    Role,
)
from tests.rule_sets import ALL_RULE_SETS, rule_set_id

LARGEST: Final = RuleSet(5, "1897-en", ALL_EXPANSIONS)
"""The rule set with the most pieces, seats and decisions."""
BATCH: Final = 1_024
SPACES: Final = 12
FESTIVAL_BARRELS: Final = 3

CHECKS: Final = (
    "I-01: barrels of each kind",
    "I-02: workers",
    "I-03: citizens",
    "I-04: plantations of each kind, and what is noted of the deck",
    "I-05: quarries",
    "I-06: forests, and what is printed on them",
    "I-07: coins",
    "I-08: VP",
    "I-09: copies of each building",
    "R-X1-3: types on the board",
    "I-10: nothing is counted below zero",
    "I-11: 12 spaces each, buildings once, and what is noted of them",
    "I-12: units fit their circles",
    "I-13: ships hold one kind each",
    "I-14, I-24: the trading house",
    "I-15: the row",
    "I-16, I-17: role cards",
    "I-18: governor and turn",
    "I-19: smuggler tile and captured roles",
    "R-GEN-2: powers of occupied buildings",
    "R-FES-1: goals of the festival",
    "I-27: coins are spent before the black market is asked",
    "I-28: the end stays triggered",
    "Seats that nobody plays",
)
"""What each bit of a finding stands for."""
(
    GOODS, WORKERS, CITIZENS, PLANTATIONS, QUARRIES, FORESTS, COINS, VP, COPIES, BOARD, NEGATIVE,
    SPACE, CIRCLES, SHIPS, HOUSE, ROW, ROLES, TURN, SMUGGLER, POWERS, FESTIVAL, MARKET, END, EMPTY,
) = range(len(CHECKS))  # fmt: skip


# -- what a record shows ---------------------------------------------------------------------------


@kernel
def _bit(broken: bool, check: int) -> int:
    return int(broken) << check


@kernel
def _barrels(rules: Any, state: Any) -> int:
    broken = False
    for good in range(NUM_GOODS):
        total = int(state["goods_supply"][good])
        total += state["house"][good] + state["festival_goods"][good]
        for ship in range(NUM_SHIPS):
            if state["ship_good"][ship] == good:
                total += state["ship_load"][ship]
        for seat in range(MAX_PLAYERS):
            total += state["goods"][seat, good]
        broken |= total != rules["goods"][good]
    return _bit(broken, GOODS)


@kernel
def _units(rules: Any, state: Any) -> int:
    workers = int(state["worker_supply"]) + state["register_workers"] + state["hand_workers"]
    citizens = int(state["citizen_supply"]) + state["register_citizens"] + state["hand_citizens"]
    crowded = False
    for seat in range(MAX_PLAYERS):
        workers += state["portrait_workers"][seat]
        citizens += state["portrait_citizens"][seat]
        for spot in range(NUM_SPOTS):
            here = state["workers"][seat, spot], state["citizens"][seat, spot]
            circles = state["owned"][seat, spot] * rules["circles"][spot]
            crowded |= here[0] < 0 or here[1] < 0 or here[0] + here[1] > circles
            workers += here[0]
            citizens += here[1]
    in_play = int(rules["worker_supply"]) + rules["register_workers"]
    return (
        _bit(workers != in_play, WORKERS)
        | _bit(citizens != rules["citizens"], CITIZENS)
        | _bit(crowded, CIRCLES)
    )


@kernel
def _tiles(rules: Any, state: Any) -> int:
    broken = state["deck_size"] < 0
    forest_faults = False
    forests = int(state["forests"])
    quarries = int(state["quarries"])
    for seat in range(MAX_PLAYERS):
        forests += state["own_forests"][seat]
        quarries += state["owned"][seat, QUARRY]
    for kind in range(NUM_GOODS):
        deck = 0
        for place in range(state["deck_size"]):
            deck += state["deck"][place] == kind
        total = deck + state["row"][kind] + state["discard"][kind]
        total += state["festival_estate"] == kind
        total += state["decision_point"] == DecisionPoint.USE_TILE and state["drawn"] == kind
        for seat in range(MAX_PLAYERS):
            printed = state["forest_kinds"][seat, kind]
            blind = state["forest_blind"][seat, kind]
            total += state["owned"][seat, kind] + printed
            forest_faults |= blind < 0 or blind > printed
        broken |= total != rules["plantations"][kind] or deck != state["deck_tiles"][kind]
    for seat in range(MAX_PLAYERS):
        printed = 0
        for kind in range(NUM_GOODS):
            printed += state["forest_kinds"][seat, kind]
        forest_faults |= printed != (
            0 if rules["forest_source_is_own_stack_12"] else state["own_forests"][seat]
        )
    if rules["forest_source_is_own_stack_12"]:
        forest_faults |= forests != rules["forests"]
    else:
        forest_faults |= state["forests"] != 0 or (not rules["guest_windows"] and forests != 0)
    return (
        _bit(broken, PLANTATIONS)
        | _bit(quarries != rules["quarries"], QUARRIES)
        | _bit(forest_faults, FORESTS)
    )


@kernel
def _money(rules: Any, state: Any) -> int:
    coins, vp = int(state["bank"]), int(state["vp_pool"])
    negative = rules["bank_limited"] > 0 and coins < 0
    for seat in range(MAX_PLAYERS):
        coins += state["coins"][seat]
        vp += state["vp"][seat]
        negative |= state["coins"][seat] < 0 or state["vp"][seat] < 0
    for role in range(NUM_ROLES):
        coins += state["role_coins"][role]
        negative |= state["role_coins"][role] < 0
    spent = state["decision_point"] != DecisionPoint.PAY or state["coins"][state["turn"]] == 0
    return (
        _bit(coins != rules["coin_total_value"], COINS)
        | _bit(vp != rules["vp_pool"], VP)
        | _bit(negative, NEGATIVE)
        | _bit(not spent, MARKET)
    )


@kernel
def _copies(rules: Any, state: Any) -> int:
    broken = False
    wrong_board = False
    extra = 0
    for building in range(NUM_BUILDINGS):
        total = int(state["building_supply"][building])
        total += state["festival_building"] == building
        for seat in range(MAX_PLAYERS):
            total += state["owned"][seat, NUM_TILES + building]
        expected = int(rules["copies"][building])
        if rules["draft_pool"][building]:
            expected *= state["board"][building]
        else:
            wrong_board |= state["board"][building] != 0
        if (
            rules["num_players"] == 2
            and rules["festival_two_player_refill"]
            and total == expected + 1
        ):
            broken |= rules["festival_pool"][building] == 0 or expected == 0
            goal = state["festival_building"]
            broken |= goal != NOBODY and goal != building
            extra += 1
        else:
            broken |= total != expected
        if building >= rules["num_buildings"]:
            broken |= total != 0
    for cost in range(rules["draft_slots"].shape[0]):
        types = 0
        for building in range(NUM_BUILDINGS):
            if rules["cost"][building] == cost:
                types += state["board"][building]
        slots = rules["draft_slots"][cost]
        wrong_board |= types > slots or (types < slots and state["phase"] != Phase.DRAFT)
    return _bit(broken or extra > rules["festival"], COPIES) | _bit(wrong_board, BOARD)


@kernel
def _boards(rules: Any, state: Any) -> int:
    negative = False
    broken = False
    for seat in range(MAX_PLAYERS):
        island, city = int(state["own_forests"][seat]), 0
        negative |= state["own_forests"][seat] < 0
        negative |= state["portrait_workers"][seat] < 0 or state["portrait_citizens"][seat] < 0
        for spot in range(NUM_SPOTS):
            pieces = state["owned"][seat, spot]
            negative |= pieces < 0
            if spot < NUM_TILES:
                island += pieces
            else:
                city += pieces * rules["spaces"][spot - NUM_TILES]
                broken |= pieces > 1
        for good in range(NUM_GOODS):
            negative |= state["goods"][seat, good] < 0 or state["produced"][seat, good] < 0
        broken |= island > SPACES or city > SPACES
        broken |= island != state["island_used"][seat] or city != state["city_used"][seat]
    return _bit(negative, NEGATIVE) | _bit(broken, SPACE)


@kernel
def _supplies(rules: Any, state: Any) -> int:
    negative = state["worker_supply"] < 0 or state["register_workers"] < 0
    negative |= state["citizen_supply"] < 0 or state["register_citizens"] < 0
    negative |= state["hand_workers"] < 0 or state["hand_citizens"] < 0
    negative |= state["quarries"] < 0 or state["forests"] < 0
    for good in range(NUM_GOODS):
        negative |= state["goods_supply"][good] < 0 or state["house"][good] < 0
        negative |= state["row"][good] < 0 or state["discard"][good] < 0
        negative |= state["festival_goods"][good] < 0
    for building in range(NUM_BUILDINGS):
        negative |= state["building_supply"][building] < 0
    in_hand = state["hand_workers"] + state["hand_citizens"]
    at_hand = (
        state["decision_point"] == DecisionPoint.GATHER
        or state["decision_point"] == DecisionPoint.PLACE_UNITS
    )
    return _bit(negative or (in_hand > 0 and not at_hand), NEGATIVE)


@kernel
def _ships_and_house(rules: Any, state: Any) -> int:
    ships = False
    for ship in range(NUM_SHIPS):
        load, good = state["ship_load"][ship], state["ship_good"][ship]
        ships |= load < 0 or load > rules["ship_size"][ship] or (load > 0) != (good >= 0)
        ships |= good >= NUM_GOODS
        at_sea = state["phase"] == Phase.CAPTAIN or state["phase"] == Phase.STORAGE
        ships |= load > 0 and load == rules["ship_size"][ship] and not at_sea
        for other in range(ship):
            ships |= good >= 0 and good == state["ship_good"][other]
    barrels = 0
    repeated = False
    for good in range(NUM_GOODS):
        barrels += state["house"][good]
        repeated |= state["house"][good] > 1
    has_office = False
    for building in range(NUM_BUILDINGS):
        if rules["power"][building] == Power.SELL_ANY_KIND:
            for seat in range(MAX_PLAYERS):
                has_office |= state["owned"][seat, NUM_TILES + building] > 0
    most = HOUSE_SLOTS if state["phase"] == Phase.TRADER else HOUSE_SLOTS - 1
    return _bit(ships, SHIPS) | _bit(barrels > most or (repeated and not has_office), HOUSE)


@kernel
def _row(rules: Any, state: Any) -> int:
    tiles = 0
    for kind in range(NUM_GOODS):
        tiles += state["row"][kind]
    grows = (rules["citizens"] and rules["land_office_sale_to_is_face_up_row"]) or rules[
        "festival_estate_returns_to_is_face_up_row"
    ]
    broken = tiles > rules["row_size"] and not grows
    if state["phase"] == Phase.DRAFT:
        broken |= tiles > 0
    return _bit(broken, ROW)


@kernel
def _roles(rules: Any, state: Any) -> int:
    players = rules["num_players"]
    broken = state["role_coins"][Role.SMUGGLER] != 0 or state["picks"] > rules["picks_per_round"]
    taken = 0
    captives = 0
    wrong_tile = False
    for role in range(NUM_ROLES):
        owner, captor = state["role_owner"][role], state["role_captor"][role]
        if rules["role_in_play"][role]:
            broken |= owner < NOBODY or owner >= players
        else:
            broken |= owner != NOT_IN_PLAY
            wrong_tile |= captor != NOBODY
        taken += owner >= 0
        captives += captor >= 0
        wrong_tile |= captor < NOBODY or captor >= players
        if captor >= 0:
            wrong_tile |= captor != state["role_owner"][Role.SMUGGLER] or role >= NUM_BASE_ROLES
    late = state["captured"] > 0 or state["phase"] == Phase.END
    beyond = taken - state["picks"]
    if state["outcome"] == Outcome.RUNNING:
        broken |= beyond < 0 or beyond > captives or (beyond > 0 and not late)
        broken |= (state["actor"] == NOBODY) != (
            state["phase"] == Phase.ROLE or state["phase"] == Phase.DRAFT
        )
    holder, smuggler = state["smuggler_tile"], state["role_owner"][Role.SMUGGLER]
    wrong_tile |= holder < NOBODY or holder >= players or captives > 1
    wrong_tile |= smuggler >= 0 and holder != smuggler
    wrong_tile |= not rules["role_in_play"][Role.SMUGGLER] and holder != NOBODY
    return _bit(broken, ROLES) | _bit(wrong_tile, SMUGGLER)


@kernel
def _turn(rules: Any, state: Any) -> int:
    players, governor, turn = rules["num_players"], state["governor"], state["turn"]
    broken = governor < 0 or governor >= players or state["round"] < 1
    if state["outcome"] == Outcome.RUNNING:
        broken |= turn < 0 or turn >= players
    else:
        broken |= turn != NOBODY or state["depth"] != 0
    return _bit(broken, TURN)


@kernel
def _powers(rules: Any, state: Any, given: Any) -> int:
    broken = False
    for seat in range(MAX_PLAYERS):
        given[:] = 0
        for building in range(NUM_BUILDINGS):
            power, spot = rules["power"][building], NUM_TILES + building
            if power < 0:
                continue
            if state["workers"][seat, spot] > 0:
                given[power] += rules["power_amount"][building]
            elif state["citizens"][seat, spot] > 0:
                given[power] += rules["citizen_amount"][building]
        for power in range(NUM_POWERS):
            broken |= given[power] != state["powers"][seat, power]
    return _bit(broken, POWERS)


@kernel
def _goals(rules: Any, state: Any) -> int:
    estate, building = state["festival_estate"], state["festival_building"]
    barrels = 0
    for good in range(NUM_GOODS):
        barrels += state["festival_goods"][good]
    broken = estate < NOBODY or estate >= NUM_GOODS
    broken |= barrels != 0 and barrels != FESTIVAL_BARRELS
    if building != NOBODY:
        broken |= rules["festival_pool"][building] == 0
    if not rules["festival"]:
        broken |= estate != NOBODY or building != NOBODY or barrels != 0
    if estate != NOBODY:
        for seat in range(rules["num_players"]):
            broken |= state["owned"][seat, estate] >= FESTIVAL_BARRELS
    return _bit(broken, FESTIVAL)


@kernel
def _empty_seats(rules: Any, state: Any) -> int:
    broken = False
    for seat in range(rules["num_players"], MAX_PLAYERS):
        broken |= state["coins"][seat] != 0 or state["vp"][seat] != 0
        broken |= state["own_forests"][seat] != 0 or state["portrait_workers"][seat] != 0
        broken |= state["portrait_citizens"][seat] != 0
        for good in range(NUM_GOODS):
            broken |= state["goods"][seat, good] != 0 or state["forest_kinds"][seat, good] != 0
        for spot in range(NUM_SPOTS):
            broken |= state["owned"][seat, spot] != 0
    return _bit(broken, EMPTY)


@kernel
def broken_bits(rules: Any, state: Any, given: Any) -> int:
    """Everything of F.1 and F.2 that one record breaks, as bits numbered like `CHECKS`.

    Args:
        rules: The rule set.
        state: The game.
        given: Room for a number of each power.
    """
    return (
        _barrels(rules, state)
        | _units(rules, state)
        | _tiles(rules, state)
        | _money(rules, state)
        | _copies(rules, state)
        | _boards(rules, state)
        | _supplies(rules, state)
        | _ships_and_house(rules, state)
        | _row(rules, state)
        | _roles(rules, state)
        | _turn(rules, state)
        | _powers(rules, state, given)
        | _goals(rules, state)
        | _empty_seats(rules, state)
    )


# -- what a step shows -----------------------------------------------------------------------------

MEMORY: Final = np.dtype(
    [("round", "i8"), ("governor", "i8"), ("end_reasons", "i8"), ("phase", "i8")]
)
"""What is remembered of each game from step to step."""


@kernel
def _step(rules: Any, state: Any, memory: Any) -> int:
    """I-18, I-28 and, after a settler phase, I-15."""
    rounds = state["round"] - memory["round"]
    governor = (memory["governor"] + rounds) % rules["num_players"]
    wrong_turn = rounds < 0 or rounds > 1 or governor != state["governor"]
    untriggered = (memory["end_reasons"] & ~state["end_reasons"]) != 0
    untriggered |= rounds > 0 and memory["end_reasons"] != 0
    tiles, left = 0, int(state["deck_size"])
    for kind in range(NUM_GOODS):
        tiles += state["row"][kind]
        left += state["discard"][kind]
    settled = memory["phase"] == Phase.SETTLER and state["phase"] == Phase.ROLE
    not_full = settled and tiles != rules["row_size"] and left > 0
    return _bit(wrong_turn, TURN) | _bit(untriggered, END) | _bit(not_full, ROW)


@allocating_kernel
def check_games(table: Any, states: Any, memory: Any, fresh: Any, broken: Any) -> int:
    """Write the broken bits of every game of a batch, and return those of all together.

    Args:
        table: Rules table that the records point into.
        states: The games.
        memory: What is remembered of them, of `MEMORY`; brought up to date.
        fresh: Which games have been dealt anew since the last call; cleared.
        broken: Where the bits go.
    """
    given = np.zeros(NUM_POWERS, dtype=np.int64)
    found = 0
    for game in range(states.shape[0]):
        state, past = states[game], memory[game]
        rules = table[state["rules"]]
        bits = broken_bits(rules, state, given)
        if not fresh[game]:
            bits |= _step(rules, state, past)
        fresh[game] = False
        past["round"] = state["round"]
        past["governor"] = state["governor"]
        past["end_reasons"] = state["end_reasons"]
        past["phase"] = state["phase"]
        broken[game] = bits
        found |= bits
    return found


# -- playing ---------------------------------------------------------------------------------------


class BrokenGameError(AssertionError):
    """A game has broken an invariant."""


class Tally(NamedTuple):
    """What was played.

    Attributes:
        games: Games that ended.
        truncated: Those of them that `max_rounds` cut off.
        decisions: Decisions of all games, forced ones apart.
        longest: The most rounds of a game.
        seconds: How long it took.
    """

    games: int
    truncated: int
    decisions: int
    longest: int
    seconds: float


def play_games(
    rule_sets: list[RuleSet],
    num_games: int,
    seed: int = 0,
    report: Callable[[int], None] | None = None,
) -> Tally:
    """Play so many random games to the end, and check every record on the way.

    Args:
        rule_sets: What is played, in turn.
        num_games: How many games.
        seed: The first deal.
        report: Called now and then with the number of games that are over.

    Raises:
        BrokenGameError: An invariant does not hold; says which, and how to get there.
    """
    size = min(num_games, max(BATCH, len(rule_sets)))
    each = [rule_sets[slot % len(rule_sets)] for slot in range(size)]
    games = Games(each, size, seed=seed, observe=False)
    watch = _Watch(games)
    started, dealt, decisions, over, truncated, longest = time.perf_counter(), size, 0, 0, 0, 0
    while True:
        watch.check()
        ended = games.over & ~watch.counted
        if ended.any():
            over += int(ended.sum())
            truncated += int(games.truncated[ended].sum())
            longest = max(longest, int(games.state["round"][ended].max()))
            watch.counted |= ended
            again = np.flatnonzero(ended)[: num_games - dealt]
            dealt += len(again)
            if report is not None:
                report(over)
            if len(again) > 0:
                watch.deal(again)
                continue
        if over == num_games:
            break
        decisions += size - int(watch.counted.sum())
        watch.step()
    return Tally(over, truncated, decisions, longest, time.perf_counter() - started)


class _Watch:
    """A batch with what is remembered of its games, and of what was done in them."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.counted = np.zeros(len(games), dtype=bool)
        self._table = np.concatenate([rules.table for rules in games.rule_sets])
        self._memory = np.zeros(len(games), dtype=MEMORY)
        self._fresh = np.ones(len(games), dtype=bool)
        self._broken = np.zeros(len(games), dtype=np.int64)

    def deal(self, slots: np.ndarray) -> None:
        """Deal games anew."""
        where = np.zeros(len(self.games), dtype=bool)
        where[slots] = True
        self.games.reset(where=where)
        self._fresh |= where
        self.counted &= ~where

    def step(self) -> None:
        """A random decision in every game."""
        self.games.step(self.games.sample())

    def check(self) -> None:
        """Look at every record."""
        found = check_games(self._table, self.games.state, self._memory, self._fresh, self._broken)
        if found:
            self._complain()

    def _complain(self) -> None:
        slot = int(np.flatnonzero(self._broken)[0])
        game = self.games[slot]
        bits = int(self._broken[slot])
        rules = [name for check, name in enumerate(CHECKS) if bits >> check & 1]
        raise BrokenGameError(
            f"{game.rules!r}, seed {self.games.seeds[slot]}, round {game.round}, {game.phase}: "
            f"{'; '.join(rules)}\n{game.to_dict()}"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Play as many games as the command line says, and say what was played."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.mass_play")
    parser.add_argument("--games", type=int, default=100_000, help="how many (default 100000)")
    parser.add_argument("--seed", type=int, default=0, help="the first deal (default 0)")
    parser.add_argument("--all-rule-sets", action="store_true", help="spread over all 144")
    options = parser.parse_args(arguments)
    rule_sets = list(ALL_RULE_SETS) if options.all_rule_sets else [LARGEST]
    console = Console()
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("games", total=options.games)
        tally = play_games(
            rule_sets,
            options.games,
            options.seed,
            lambda over: progress.update(task, completed=over),
        )
    name = rule_set_id(LARGEST) if len(rule_sets) == 1 else f"{len(rule_sets)} rule sets"
    console.print(
        f"{name}: {tally.games:,} games ended ({tally.truncated:,} cut off by max_rounds, the "
        f"longest of {tally.longest} rounds), {tally.decisions:,} decisions in "
        f"{tally.seconds:,.0f} s; every invariant held at every one of them"
    )


if __name__ == "__main__":
    main()
