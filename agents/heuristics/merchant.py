"""A player with one idea: everything is worth the victory points it will bring by the end.

A coin, a barrel, a tile, a worker and a building are all priced in VP. The price depends on how
long the game is likely to last: a quarry is dear at the start and worthless in the last round. In
every phase the merchant takes what adds most to its own account, and when it picks a role it
subtracts what the others get out of it.
"""

from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from agents.base import View
from prico_env import RuleSet
from prico_env.actions import (
    BUILD_ACTION,
    DRAW,
    GAIN,
    HOSPICE_DRAWN,
    HOSPICE_TAKEN,
    KEEP,
    LOAD,
    PASS,
    PRIVILEGE,
    ROLE,
    SELL,
    STORE,
    TAKE,
    TARGET,
    WHARF,
)
from prico_env.vocabulary import (
    CITY_SPACES,
    HOUSE_SLOTS,
    ISLAND_SPACES,
    NUM_GOODS,
    NUM_SHIPS,
    NUM_TILES,
    QUARRY,
    BuildingClass,
    Good,
    Point,
    Power,
    Role,
)

Row = list[int]
"""A field of the game as plain numbers: reading those is faster than reading an array."""
Job = tuple[float, int, int]
"""What workers can do: worth by worker, spot, workers needed."""

# What the merchant believes. These are the only numbers it was given; the rest it counts.
PACE: Final = 0.14
"""How much of a game two rounds use up, before this game has shown its own pace."""
COIN: Final = 0.8
"""VP for a coin in a long game; buildings cost about that."""
COIN_PATIENCE: Final = 1.5
"""Rounds left at which a coin is worth half of that."""
SHIPPED: Final = 0.75
"""VP for a barrel: the chance that it is shipped rather than lost."""
SOLD: Final = 0.3
"""The chance that a barrel can be sold dearly instead."""
STAFFED: Final = 0.8
"""The chance that a tile or building finds its worker."""
UNMATCHED: Final = 0.45
"""What a crop is worth while nobody can process it."""
QUARRY_USED: Final = 0.9
"""How often a quarry saves its coin in a builder phase."""
QUARRIES_ENOUGH: Final = 3
"""From here on another quarry only helps with the dearest buildings."""
QUARRY_TOO_MANY: Final = 0.4
"""How often one of those saves its coin."""
ROUNDS_FOR_A_KIND: Final = 4
"""With more rounds left, a factory's owner will come to produce another kind."""
BUSY: Final = 1.3
"""How much more often than others the builder, craftsman, captain and mayor are picked."""
SLOW: Final = 1.1
"""The same for the settler and trader."""
FOLLOWING: Final = 0.35
"""How sure it is that somebody else picks a role it leaves."""
ENVY: Final = 0.6
"""How much another seat's gain hurts, in units of one's own gain."""
LAST_ROUND: Final = 0.35
"""Rounds left when the end is triggered: others still pick in this one."""


class Box:
    """What never changes during a game, as plain numbers."""

    def __init__(self, rules: RuleSet) -> None:
        """Read the rule set."""
        table = rules.table[0]
        self.players = int(table["num_players"])
        self.buildings = range(int(table["num_buildings"]))
        self.spots = range(int(table["num_spots"]))
        self.cost: Row = table["cost"].tolist()
        self.vp: Row = table["vp"].tolist()
        self.column: Row = table["column"].tolist()
        self.spaces: Row = table["spaces"].tolist()
        self.circles: Row = table["circles"].tolist()
        self.kind: Row = table["building_class"].tolist()
        self.crop: Row = table["crop"].tolist()
        self.power: Row = table["power"].tolist()
        self.amount: Row = table["power_amount"].tolist()
        self.price: Row = table["good_price"].tolist()
        self.kind_income: Row = table["kind_income"].tolist()
        self.island_score: Row = table["island_score"].tolist()
        self.ship_size: Row = table["ship_size"].tolist()
        self.vp_pool = int(table["vp_pool"])
        self.worker_supply = int(table["worker_supply"])
        roles = sum(table["role_in_play"].tolist())
        self.picked = int(table["picks_per_round"]) / roles
        self.plants: list[Row] = [
            [number for number in self.buildings if self.crop[number] == good]
            for good in range(NUM_GOODS)
        ]
        self.commerce = [
            number
            for number in self.buildings
            if self.kind[number] in (BuildingClass.SMALL_COMMERCIAL, BuildingClass.LARGE_COMMERCIAL)
        ]


class Board:
    """What one seat has, as plain numbers."""

    def __init__(self, box: Box, state: Any, seat: int) -> None:
        """Read the board of a seat."""
        self.coins = int(state["coins"][seat])
        self.vp = int(state["vp"][seat])
        self.goods: Row = state["goods"][seat].tolist()
        self.tiles: Row = state["tiles"][seat].tolist()
        self.workers: Row = state["workers"][seat].tolist()
        self.powers: Row = state["powers"][seat].tolist()
        self.in_hand = int(state["portrait_workers"][seat])
        self.island_used = int(state["island_used"][seat])
        self.city_used = int(state["city_used"][seat])
        self.units = self.in_hand + sum(self.workers)
        tiles, circles = self.tiles, box.circles
        self.works: Row = [
            sum(circles[NUM_TILES + plant] for plant in plants if tiles[NUM_TILES + plant])
            for plants in box.plants
        ]
        """Circles of production buildings, by good."""
        self.kinds = sum(
            1
            for good in range(NUM_GOODS)
            if tiles[good] and (good == Good.CORN or self.works[good])
        )

    def output(self, box: Box, good: int) -> int:
        """Barrels of a kind that its workers would produce now."""
        fields = self.workers[good]
        if good == Good.CORN or fields == 0:
            return fields
        return min(fields, sum(self.workers[NUM_TILES + plant] for plant in box.plants[good]))


@dataclass(frozen=True)
class Outlook:
    """How long the game will last, and what that makes things worth.

    Attributes:
        rounds: Rounds to come.
        busy: How often each of the builder, craftsman, captain and mayor will still be played.
        slow: How often each of the settler and trader will.
        coin: VP for a coin.
    """

    rounds: float
    busy: float
    slow: float
    coin: float

    @classmethod
    def of(cls, box: Box, state: Any) -> "Outlook":
        """Judge by how much of the supplies is used, and how fast that went."""
        used = max(
            1 - int(state["vp_pool"]) / box.vp_pool,
            1 - int(state["worker_supply"]) / box.worker_supply,
            int(state["city_used"].max()) / CITY_SPACES,
        )
        pace = (used + PACE) / (int(state["round"]) + 2)
        rounds = LAST_ROUND if state["end_reasons"] else max(1.0, (1 - used) / pace)
        coin = COIN * rounds / (rounds + COIN_PATIENCE)
        return cls(rounds, box.picked * BUSY * rounds, box.picked * SLOW * rounds, coin)


class Merchant:
    """Prices everything in VP by the end of the game, and takes what adds most."""

    def __init__(self) -> None:
        self._rules: RuleSet | None = None
        self._box: Any = None

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game; this player leaves nothing to chance."""
        self._open(rules)

    def act(self, view: View) -> int:
        """Return the allowed action worth most; the lowest number wins ties."""
        self._open(view.rules)
        state = view.game.state[0]
        choices = view.choices
        account = Account(self._box, state, view.seat)
        return account.choose(int(state["point"]), choices)

    def _open(self, rules: RuleSet) -> None:
        if self._rules is not rules:
            self._rules, self._box = rules, Box(rules)


class Account:
    """One decision of one seat, priced."""

    def __init__(self, box: Box, state: Any, seat: int) -> None:
        """Look at the table from a seat."""
        self.box = box
        self.state = state
        self.seat = seat
        self.me = Board(box, state, seat)
        self.outlook = Outlook.of(box, state)

    def choose(self, point: int, choices: Row) -> int:
        """The action worth most at a decision."""
        if point == Point.CHOOSE_ROLE:
            return self._best(choices, self._roles())
        if point == Point.TAKE_TILE:
            return self._best(choices, {TAKE + tile: self.tile(self.me, tile) for tile in range(6)})
        if point in (Point.RECALL, Point.PLACE, Point.STAFF_BUILDING):
            return self._staff(choices)
        if point == Point.BUY:
            return self._best(choices, self._purchases())
        if point == Point.SELL:
            return self._best(choices, self._sales())
        if point == Point.LOAD:
            return self._best(choices, self._loads())
        return self._best(choices, self._small_things())

    def _best(self, choices: Row, worth: dict[int, float]) -> int:
        return max(choices, key=lambda action: worth.get(action, 0.0))

    # -- what things are worth ---------------------------------------------------------------------

    def barrel(self, board: Board, good: int, first: bool = True) -> float:
        """VP for a barrel: shipped, and the first of a kind perhaps sold or shipped by a harbor."""
        if not first:
            return SHIPPED
        price = self.box.price[good] + board.powers[Power.SALE_BONUS]
        return SHIPPED + SOLD * (price * self.outlook.coin + board.powers[Power.LOAD_VP])

    def tile(self, board: Board, tile: int) -> float:
        """VP that one more tile will bring."""
        if board.island_used >= ISLAND_SPACES:
            return 0.0
        owned = board.tiles[tile]
        if tile == QUARRY:
            return STAFFED * self.discount(owned)
        harvest = STAFFED * self.outlook.busy * self.barrel(board, tile, owned == 0)
        if tile == Good.CORN or board.works[tile] > owned:
            return harvest
        return UNMATCHED * harvest / (1 + max(0, owned - board.works[tile]))

    def discount(self, others: int) -> float:
        """VP that an occupied quarry will save, beside so many others."""
        used = QUARRY_USED if others < QUARRIES_ENOUGH else QUARRY_TOO_MANY
        return used * self.outlook.busy * self.outlook.coin

    def building(self, board: Board, number: int) -> float:
        """VP that a building will bring: those printed on it, and its use."""
        crop = self.box.crop[number]
        if crop < 0:
            return self.box.vp[number] + STAFFED * self.use(board, number)
        may_grow = self.outlook.slow > 1 and board.island_used < ISLAND_SPACES - 1
        fields = board.tiles[crop] + may_grow
        works = board.works[crop]
        more = min(fields, works + self.box.circles[NUM_TILES + number]) - min(fields, works)
        harvest = more * SHIPPED
        if more > 0 and works == 0:
            harvest += self.barrel(board, crop) - SHIPPED
        return self.box.vp[number] + STAFFED * self.outlook.busy * harvest * STAFFED

    def use(self, board: Board, number: int) -> float:
        """VP that the function of a commercial building brings while somebody works in it."""
        box, outlook, power = self.box, self.outlook, self.box.power[number]
        amount = box.amount[number]
        kinds = board.kinds + 0.5
        if power == Power.SALE_BONUS:
            return 0.7 * outlook.slow * amount * outlook.coin
        if power == Power.EXTRA_TILE:
            return 0.5 * outlook.slow if board.island_used < ISLAND_SPACES - 2 else 0.0
        if power == Power.QUARRY_RIGHT:
            return 0.6 * outlook.slow * outlook.coin
        if power == Power.STORE_KINDS:
            return 0.25 * outlook.busy * min(amount, kinds)
        if power == Power.STAFF_TILE:
            return 0.4 * outlook.slow
        if power == Power.SELL_ANY_KIND:
            return 0.5 * outlook.slow * outlook.coin
        if power == Power.KIND_INCOME:
            income = box.kind_income[
                min(NUM_GOODS, board.kinds + (outlook.rounds > ROUNDS_FOR_A_KIND))
            ]
            return outlook.busy * income * outlook.coin
        if power == Power.STAFF_BUILDING:
            return 0.5 * outlook.busy
        if power == Power.LOAD_VP:
            return 0.9 * outlook.busy * min(3.0, kinds)
        if power == Power.OWN_SHIP:
            return 0.8 * outlook.busy * min(2.0, kinds)
        return self.bonus(board, power)

    def bonus(self, board: Board, power: int) -> float:
        """VP that a large building will bring by the end of the game."""
        box, outlook = self.box, self.outlook
        if power == Power.SCORE_PLANTS:
            owned = sum(
                1 + (box.kind[number] == BuildingClass.LARGE_PRODUCTION)
                for plants in box.plants
                for number in plants
                if board.tiles[NUM_TILES + number]
            )
            return owned + 0.3 * outlook.busy
        if power == Power.SCORE_ISLAND:
            return box.island_score[min(ISLAND_SPACES, int(board.island_used + outlook.slow))]
        if power == Power.SCORE_UNITS:
            return (board.units + 1.3 * outlook.busy) / 3
        if power == Power.SCORE_VP:
            return (board.vp + 3 * outlook.busy) / 4
        if power == Power.SCORE_COMMERCE:
            owned = sum(1 for number in box.commerce if board.tiles[NUM_TILES + number])
            return owned + 1 + 0.3 * outlook.busy
        return 0.0

    # -- what a role brings to a seat --------------------------------------------------------------

    def _roles(self) -> dict[int, float]:
        """Worth of each role: its coins, what it brings, and what it brings the others."""
        coins: Row = self.state["role_coins"].tolist()
        others = [
            Board(self.box, self.state, (self.seat + step) % self.box.players)
            for step in range(1, self.box.players)
        ]
        worth = {}
        for role, gain in enumerate(
            (self._settle, self._man, self._build, self._craft, self._trade, self._ship)
        ):
            envy = ENVY * sum(gain(board, False) for board in others) / len(others)
            own = gain(self.me, True) - FOLLOWING * gain(self.me, False)
            worth[ROLE + role] = coins[role] * self.outlook.coin + own - envy
        for role in (Role.PROSPECTOR_1, Role.PROSPECTOR_2):
            worth[ROLE + role] = (coins[role] + 1) * self.outlook.coin
        return worth

    def _settle(self, board: Board, actor: bool) -> float:
        row = self.state["row"].tolist()
        best = max((self.tile(board, good) for good in range(NUM_GOODS) if row[good]), default=0.0)
        if self.state["quarries"] > 0 and (actor or board.powers[Power.QUARRY_RIGHT]):
            best = max(best, self.tile(board, QUARRY))
        return best if actor else 0.8 * best

    def _man(self, board: Board, actor: bool) -> float:
        share, rest = divmod(int(self.state["register_workers"]), self.box.players)
        new = share + (rest > 0 and actor) + (actor and self.state["worker_supply"] > 0)
        jobs = self._jobs(board)
        return _worth_of(jobs, board.units + new) - _worth_of(jobs, board.units)

    def _build(self, board: Board, actor: bool) -> float:
        return max(0.0, max(self._offers(board, actor), key=lambda offer: offer[1])[1])

    def _craft(self, board: Board, actor: bool) -> float:
        supply = self.state["goods_supply"].tolist()
        total, best = 0.0, 0.0
        kinds = 0
        for good in range(NUM_GOODS):
            made = min(board.output(self.box, good), supply[good])
            if made:
                kinds += 1
                first = self.barrel(board, good, board.goods[good] == 0)
                best = max(best, first)
                total += first + (made - 1) * SHIPPED
        if board.powers[Power.KIND_INCOME]:
            total += self.box.kind_income[kinds] * self.outlook.coin
        return total + best if actor else total

    def _trade(self, board: Board, actor: bool) -> float:
        house = self.state["house"].tolist()
        if sum(house) >= HOUSE_SLOTS:
            return 0.0
        best = 0.0
        for good in range(NUM_GOODS):
            if board.goods[good] and (not house[good] or board.powers[Power.SELL_ANY_KIND]):
                best = max(best, self._sale(board, good, actor))
        return best if actor else 0.7 * best

    def _sale(self, board: Board, good: int, actor: bool) -> float:
        """VP that a sale brings beyond shipping the barrel."""
        price = self.box.price[good] + board.powers[Power.SALE_BONUS] + actor
        return price * self.outlook.coin - 0.7 * SHIPPED

    def _ship(self, board: Board, actor: bool) -> float:
        carried: Row = self.state["ship_good"].tolist()
        loads: Row = self.state["ship_load"].tolist()
        sizes = self.box.ship_size
        empty = sorted(
            (sizes[ship] for ship in range(NUM_SHIPS) if sizes[ship] and loads[ship] == 0),
            reverse=True,
        )
        total, times = 0.0, 0
        for good in sorted(range(NUM_GOODS), key=lambda kind: -board.goods[kind]):
            held = board.goods[good]
            if not held:
                break
            if good in carried:
                ship = carried.index(good)
                space = sizes[ship] - loads[ship]
            else:
                space = empty.pop(0) if empty else 0
            if space == 0 and board.powers[Power.OWN_SHIP] and times < NUM_GOODS:
                space = held
            if space:
                times += 1
                total += min(held, space)
        total += times * board.powers[Power.LOAD_VP] + (1 if actor and times else 0)
        # A barrel on board is worth a whole VP, and in the store it was worth SHIPPED already.
        return total * (1.0 if actor else 0.75) * (1 - 0.5 * SHIPPED)

    # -- single phases -----------------------------------------------------------------------------

    def _offers(self, board: Board, actor: bool) -> list[tuple[int, float]]:
        """Every building a seat could pay, with what it brings beyond its price."""
        box, supply = self.box, self.state["building_supply"].tolist()
        quarries = board.workers[QUARRY]
        space = CITY_SPACES - board.city_used
        offers = [(-1, 0.0)]
        for number in box.buildings:
            if not supply[number] or board.tiles[NUM_TILES + number] or box.spaces[number] > space:
                continue
            price = max(0, box.cost[number] - min(quarries, box.column[number]) - actor)
            if price <= board.coins:
                offers.append((number, self.building(board, number) - price * self.outlook.coin))
        return offers

    def _purchases(self) -> dict[int, float]:
        actor = int(self.state["actor"]) == self.seat
        return {
            int(BUILD_ACTION[number]): net
            for number, net in self._offers(self.me, actor)
            if number >= 0
        }

    def _sales(self) -> dict[int, float]:
        actor = int(self.state["actor"]) == self.seat
        return {SELL + good: self._sale(self.me, good, actor) for good in range(NUM_GOODS)}

    def _loads(self) -> dict[int, float]:
        """Worth of each load: its barrels, and the space it leaves to or takes from the others."""
        me, sizes = self.me, self.box.ship_size
        loads: Row = self.state["ship_load"].tolist()
        carried: Row = self.state["ship_good"].tolist()
        held: Row = self.state["goods"].sum(axis=0).tolist()
        worth = {PASS: -1.0}
        for good in range(NUM_GOODS):
            aboard = 0
            for ship in range(NUM_SHIPS):
                space = sizes[ship] - loads[ship]
                if loads[ship] and carried[ship] != good:
                    continue
                barrels = min(me.goods[good], space)
                left_for_others = min(held[good] - me.goods[good], space - barrels)
                worth[LOAD + NUM_SHIPS * good + ship] = barrels - 0.15 * left_for_others
                aboard = max(aboard, barrels)
            worth[WHARF + good] = me.goods[good] - 0.5 * aboard - 0.3
        return worth

    def _small_things(self) -> dict[int, float]:
        """Storage, the craftsman's barrel, the hospice, and offers that only give."""
        me = self.me
        worth = {PASS: -0.01, GAIN: 1.0, DRAW: 0.5 if me.island_used < ISLAND_SPACES - 1 else -1.0}
        for good in range(NUM_GOODS):
            first = self.barrel(me, good)
            worth[PRIVILEGE + good] = self.barrel(me, good, me.goods[good] == 0)
            worth[STORE + good] = first + (me.goods[good] - 1) * SHIPPED
            worth[KEEP + good] = first
        for action, field in ((HOSPICE_DRAWN, "drawn"), (HOSPICE_TAKEN, "taken")):
            tile = int(self.state[field])
            worth[action] = 1.0 + (self.tile(me, tile) if tile >= 0 else 0.0)
        return worth

    # -- staffing ----------------------------------------------------------------------------------

    def _staff(self, choices: Row) -> int:
        """Move towards the best arrangement: recall what stands elsewhere, then place."""
        wanted = self._arrange(self.me, self.me.units)
        workers = self.me.workers
        recalling = int(self.state["point"]) == Point.RECALL
        for action in choices:
            spot = int(TARGET[action]) if action != PASS else -1
            if spot < 0:
                continue
            if (workers[spot] > wanted[spot]) if recalling else (workers[spot] < wanted[spot]):
                return action
        if recalling and PASS in choices:
            return PASS
        return choices[-1]

    def _arrange(self, board: Board, units: int) -> Row:
        """Where a number of workers does most good, by spot."""
        tiles, circles = board.tiles, self.box.circles
        wanted = [0] * len(tiles)
        left = units
        for _, spot, need in self._jobs(board):
            if left < need:
                continue
            left -= need
            wanted[spot] += 1
            if need > 1:
                plant = next(
                    NUM_TILES + plant
                    for plant in self.box.plants[spot]
                    if tiles[NUM_TILES + plant]
                    and wanted[NUM_TILES + plant] < circles[NUM_TILES + plant]
                )
                wanted[plant] += 1
        for spot in self.box.spots:  # nobody may hold a worker back while a circle is empty
            if left == 0:
                break
            idle = min(left, tiles[spot] * circles[spot] - wanted[spot])
            wanted[spot] += idle
            left -= idle
        return wanted

    def _jobs(self, board: Board) -> list[Job]:
        """What workers can do: worth by worker, spot and workers needed; the best first.

        A crop needs two, one on the field and one in the plant.
        """
        box, busy = self.box, self.outlook.busy
        tiles = board.tiles
        jobs: list[Job] = [(busy * SHIPPED, Good.CORN, 1)] * tiles[Good.CORN]
        jobs += [(self.discount(number), QUARRY, 1) for number in range(tiles[QUARRY])]
        for good in range(Good.INDIGO, NUM_GOODS):
            pairs = min(tiles[good], board.works[good])
            if pairs:
                jobs.append((busy * self.barrel(board, good) / 2, good, 2))
                jobs += [(busy * SHIPPED / 2, good, 2)] * (pairs - 1)
        jobs += [
            (self.use(board, number), NUM_TILES + number, 1)
            for number in box.commerce
            if tiles[NUM_TILES + number]
        ]
        jobs.sort(key=itemgetter(0), reverse=True)
        return jobs


def _worth_of(jobs: list[Job], units: int) -> float:
    """VP that a number of workers brings at its best jobs."""
    total = 0.0
    for worth, _, need in jobs:
        if units >= need:
            units -= need
            total += worth * need
    return total
