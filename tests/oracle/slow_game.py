"""The whole game as one straight story: each phase reads from top to bottom.

A phase is a generator. Where a seat has to decide it yields an `Ask` and gets the choice back, so
there is no state machine here to make the same mistake as the engine's. What a phase has to
remember is a local variable.
"""

from collections import Counter
from itertools import cycle

from tests.oracle import (
    building,
    loading,
    producing,
    register,
    settling,
    smuggling,
    staffing,
    trading,
)
from tests.oracle.box import (
    BUILDINGS,
    GOODS,
    HOUSE_SLOTS,
    SETUPS,
    copies,
    cost,
    draft_pool,
    draft_slots,
    festival_pool,
    has,
    may_be_on_a_board,
    switch,
)
from tests.oracle.guests import guest_moves, unit_and_spot
from tests.oracle.pieces import Ask, Chance, Pieces, Story
from tests.oracle.position import (
    all_circles,
    arrangement,
    city_left,
    clockwise,
    has_citizen_on,
    has_worker_on,
    is_occupied,
    move_units,
    units_of,
)
from tests.oracle.storage import storage_outcomes

CAPTURE_COINS = 3
MOST_POACHED = 3
MOST_RAIDED = 3


class SlowGame(Pieces):
    """A game that is played by rules.md, from the draft or the first role choice on.

    Args:
        position: The position after set-up; it is copied.
        chance: Where the order of a deck comes from.
    """

    def __init__(self, position: dict, chance: Chance) -> None:
        super().__init__(position, chance)
        self.over = self.truncated = False
        self.ask: Ask | None = None
        self._story = self._game()
        self._go_on(None)

    def choose(self, choice) -> None:
        """Carry out a choice, and everything that needs none, up to the next real decision."""
        self._go_on(choice)

    def _go_on(self, choice) -> None:
        try:
            self.ask = self._story.send(choice)
            while len(only := self.ask.options or self.ask.outcomes) == 1:
                self.ask = self._story.send(next(iter(only)))
        except StopIteration:
            self.ask, self.over = None, True

    # -- the round (R-RND, R-ROL, R-EOR, R-END) ----------------------------------------------------

    def _game(self) -> Story:
        if self.phase == "draft":
            yield from self._draft()
        while True:
            yield from self._round()
            yield from self._captured_role()
            self._end_of_round()
            if self.position["end_triggered"]:
                yield from self._last_window()
                return
            if self.position["round"] >= switch(self.rules, "max_rounds"):
                self.truncated = True
                return
            self.position["round"] += 1
            self.position["governor"] = clockwise(self.position, self.position["governor"])[1]

    def _round(self) -> Story:
        order = clockwise(self.position, self.position["governor"])
        for pick in range(SETUPS[self.rules["players"]].picks):
            self.phase, seat = "role", order[pick % len(order)]
            choice = yield self._ask(seat, smuggling.role_options(self.position, seat))
            name = choice.removeprefix("role:")
            card = self._roles()[name]
            card["taken_by"] = seat
            self.players[seat]["coins"] += card["coins"]
            card["coins"] = 0
            captor = self._captured().get(name)
            if captor is not None:
                self._income(captor, CAPTURE_COINS)
            yield from self._play(name, seat)

    def _play(self, name: str, actor: int) -> Story:
        self.actor, self.phase = actor, name.split("_")[0]
        self.order = clockwise(self.position, actor)
        if self.is_captured and not switch(self.rules, "capture_others_act"):
            self.order = [actor]
        self.had_last_window = set(self.order)
        yield from getattr(self, f"_{self.phase}")()

    def _captured_role(self) -> Story:
        """The smuggler plays the captured role that nobody took (R-SMG-14)."""
        for name, captor in list(self._captured().items()):
            card = self._roles()[name]
            if card["taken_by"] is None:
                card["taken_by"] = captor
                self.is_captured = True
                yield from self._play(name, captor)
                self.is_captured = False

    def _end_of_round(self) -> None:
        for name, card in self._roles().items():
            if card["taken_by"] is None and name != "smuggler":
                card["coins"] += self._from_bank(1)
        for card in self._roles().values():
            card["taken_by"] = None
        self._captured().clear()

    def _last_window(self) -> Story:
        """Guests move once more, if their owner had no window as the last phase closed (Q-90)."""
        self.phase = "end"
        seats = clockwise(self.position, self.actor)
        yield from self._window(s for s in seats if s not in self.had_last_window)

    # -- the draft (D.1) ---------------------------------------------------------------------------

    def _draft(self) -> Story:
        slots, board = dict(draft_slots(self.rules)), self.position["board"]
        for pick in range(sum(slots.values())):
            options = {
                f"board:{name}"
                for name in draft_pool(self.rules)
                if name not in board and slots[cost(self.rules, name)] > 0
                if may_be_on_a_board(self.rules, [*board, name])
            }
            choice = yield self._ask(pick % self.rules["players"], options)
            name = choice.removeprefix("board:")
            board.append(name)
            board.sort(key=list(BUILDINGS).index)
            slots[cost(self.rules, name)] -= 1
            self.position["buildings"][name] = copies(self.rules, name)
        dealt = self.chance.deal(self.position)
        if has(self.rules, "festival"):
            self.set_aside(dealt["building"])
        if Counter(dealt["row"]) + Counter(dealt["deck"]) != Counter(self.position["deck"]):
            raise AssertionError(f"deck and row hold {dealt}, out of {self.position['deck']}")
        self.position.update(deck=list(dealt["deck"]), row=dict(dealt["row"]))

    def set_aside(self, name: str) -> None:
        """The festival asks for a building: a copy leaves the supply (R-FES-4..6)."""
        festival, supply = self.position["festival"], self.position["buildings"]
        if name not in festival_pool(self.rules) or supply[name] == 0:
            raise AssertionError(f"the festival cannot ask for {name}")
        suits = BUILDINGS[name].crop is not None and BUILDINGS[name].crop == festival["estate"]
        if suits and switch(self.rules, "festival_redraw_if_same_product"):
            raise AssertionError(f"the festival asks for {name} beside {festival['estate']}")
        supply[name] -= 1
        refills = switch(self.rules, "festival_two_player_refill")
        if self.rules["players"] == 2 and refills and name != "jeweler":
            supply[name] += 1
        festival["building"] = name

    # -- settler (B.2) -----------------------------------------------------------------------------

    def _settler(self) -> Story:
        yield from self._open_phase()
        for seat in self.order:
            yield from self._settle(seat)
        yield from self._close_phase()
        if self._privilege(self.actor) > 1:
            yield from self._settle_again(self.actor)
        for seat in self.order:
            yield from self._hunt(seat)
        row, discard = self.position["row"], self.position["discard"]
        for good in GOODS:
            discard[good] += row[good]
            row[good] = 0
        for _ in range(self.rules["players"] + 1):
            tile = self._draw_tile()
            if tile is not None:
                row[tile] += 1

    def _settle(self, seat: int) -> Story:
        position, drawn, taken = self.position, None, None
        if "hacienda" in self.players[seat]["city"]:
            draw = yield from self._turn(
                seat, lambda: {"pass", *(["draw"] if settling.may_draw(position, seat) else [])}
            )
            if draw == "draw":
                drawn = yield from self._place_drawn(seat, self._draw_tile(seat))
        is_actor = seat == self.actor
        choice = yield from self._turn(
            seat, lambda: settling.take_options(position, seat, is_actor=is_actor)
        )
        if choice != "pass":
            taken = yield from self._take_tile(seat, choice)
        yield from self._hospice(seat, drawn, taken)

    def _hospice(self, seat: int, drawn: str | None, taken: str | None) -> Story:
        tiles = settling.hospice_tiles(self.position, seat, drawn, taken)
        if not tiles:
            return
        options = {f"hospice:{tile}" for tile in tiles}
        if switch(self.rules, "optional_gains") == "ask":
            options.add("pass")
        choice = yield self._ask(seat, options)
        if choice == "pass":
            return
        tile = {"hospice:drawn": drawn, "hospice:taken": taken}[choice]
        unit = yield from self._take_worker(seat)
        move_units(self.players[seat], "portrait" if tile == "forest" else tile, 1, unit)

    def _settle_again(self, seat: int) -> Story:
        """The library's second pick (R-LIB-4..6)."""
        options = settling.take_options(self.position, seat, is_actor=True, by_hut_alone=True)
        choice = yield self._ask(seat, options)
        if choice != "pass":
            yield from self._take_tile(seat, choice)

    def _hunt(self, seat: int) -> Story:
        """The hunting lodge removes a tile, or pays for the emptiest island (R-LDG)."""
        player = self.players[seat]
        if has_citizen_on(player, "hunting_lodge"):
            leads = settling.leads_in_empty_spaces(self.position, seat)
            yield from self._gain_vp(seat, 2 if leads else 0)
        elif has_worker_on(player, "hunting_lodge"):
            tiles = settling.removable_tiles(player)
            choice = yield self._ask(seat, {"pass", *(f"lodge:{tile}" for tile in tiles)})
            if choice != "pass":
                yield from self._remove_tile(seat, choice.removeprefix("lodge:"), "discard")

    # -- mayor (B.3) -------------------------------------------------------------------------------

    def _mayor(self) -> Story:
        if switch(self.rules, "villa_timing") == "phase_start":
            for seat in self.order:
                yield from self._villa(seat)
        yield from self._mayor_privilege(self.actor)
        yield from self._deal()
        for seat in self.order:
            yield from self._staff(seat)
        self._refill()

    def _mayor_privilege(self, seat: int) -> Story:
        """Workers from the supply; a villa may put a citizen in the place of one (Q-117)."""
        villa_to_come = (
            is_occupied(self.players[seat], "villa")
            and switch(self.rules, "villa_mode") == "replace_privilege"
        )
        for _ in range(self._privilege(seat)):
            if villa_to_come and self.position["citizens"]["supply"] > 0:
                options = {"villa", "gain"} if self._worker_supply() else {"villa"}
                declines = switch(self.rules, "optional_gains") == "ask" or "gain" not in options
                choice = yield self._ask(seat, options | ({"pass"} if declines else set()))
                if choice == "villa":
                    self._villa_gives(seat)
                    villa_to_come = False
                    continue
                accepts = choice == "gain"
            else:
                accepts = yield from self._accepts(seat, offered=bool(self._worker_supply()))
            if not accepts:
                return
            unit = yield from self._take_worker(seat)
            move_units(self.players[seat], "portrait", 1, unit)

    def _villa(self, seat: int) -> Story:
        """A citizen from the supply, else a worker, on top of what is dealt (R-VIL)."""
        units = self._units_at("supply")
        offered = is_occupied(self.players[seat], "villa") and bool(units)
        if (yield from self._accepts(seat, offered=offered)):
            self._villa_gives(seat)

    def _villa_gives(self, seat: int) -> None:
        unit = "citizen" if "citizen" in self._units_at("supply") else "worker"
        self._store_of(unit)["supply"] -= 1
        move_units(self.players[seat], "portrait", 1, unit)

    def _deal(self) -> Story:
        """The register is dealt out, one unit a turn (R-MAY-2, R-X2-6, R-VIL)."""
        turn = 0
        while self._units_at("register") or self._has_villa_to_come(turn):
            seat = self.order[turn % len(self.order)]
            options = {f"deal:{unit}" for unit in self._units_at("register")}
            is_villa_turn = turn in self._villa_turns()
            if is_villa_turn and switch(self.rules, "villa_mode") == "extra":
                yield from self._villa(seat)
            elif is_villa_turn and self._units_at("supply"):
                options = {"villa", *options} if options else {"villa", "pass"}
            turn += 1
            if not options:
                continue
            choice = yield self._ask(seat, options)
            if choice == "villa":
                self._villa_gives(seat)
            elif choice != "pass":
                unit = choice.removeprefix("deal:")
                self._store_of(unit)["register"] -= 1
                move_units(self.players[seat], "portrait", 1, unit)

    def _villa_turns(self) -> set[int]:
        """First turns of villa owners, where villas work on turns."""
        if switch(self.rules, "villa_timing") == "phase_start":
            return set()
        if switch(self.rules, "villa_mode") == "replace_privilege":
            return set()
        order = enumerate(self.order)
        return {turn for turn, seat in order if is_occupied(self.players[seat], "villa")}

    def _has_villa_to_come(self, turn: int) -> bool:
        return any(later >= turn for later in self._villa_turns())

    def _staff(self, seat: int) -> Story:
        player = self.players[seat]
        workers, citizens = (arrangement(player, unit) for unit in ("worker", "citizen"))
        hand = [units_of(player, "portrait", unit) for unit in ("worker", "citizen")]
        edit = staffing.Edit(workers, hand[0], all_circles(player), citizens, hand[1])
        while options := edit.options():
            choice = yield self._ask(seat, options)
            edit.act(choice)
            if choice != "pass":
                change = -1 if choice.startswith("recall") else 1
                unit, spot = unit_and_spot(choice)
                move_units(player, spot, change, unit)
                move_units(player, "portrait", -change, unit)

    def _refill(self) -> None:
        new = register.refill(self.position)
        self.position["workers"]["supply"] -= new.workers
        self.position["workers"]["register"] = new.workers
        if has(self.rules, "citizens"):
            self.position["citizens"]["supply"] -= new.citizens
            self.position["citizens"]["register"] = new.citizens
        self.position["end_triggered"] |= new.ends_the_game

    # -- builder (B.4) -----------------------------------------------------------------------------

    def _builder(self) -> Story:
        yield from self._open_phase()
        for seat in self.order:
            choice = yield from self._turn(
                seat,
                lambda seat=seat: building.build_options(
                    self.position, seat, privilege=self._privilege(seat)
                ),
            )
            if choice != "pass":
                yield from self._buy(seat, choice.removeprefix("build:"))
        yield from self._close_phase()

    def _buy(self, seat: int, name: str) -> Story:
        player = self.players[seat]
        coins = building.price(self.position, seat, name, privilege=self._privilege(seat))
        gap = max(0, coins - player["coins"])
        ways = building.payments(self.position, seat, gap) if gap else set()
        self._pay(seat, coins - gap)
        yield from self._barter(seat, ways)
        has_church = is_occupied(player, "church")
        has_university = is_occupied(player, "university") and BUILDINGS[name].circles > 0
        self.position["buildings"][name] -= 1
        player["city"][name] = [0, 0] if has(self.rules, "citizens") else 0
        if city_left(player) == 0:
            self.position["end_triggered"] = True
        if has_university:
            yield from self._university(seat, name)
        reward = self._vp_of_the_festival(name)
        if has_church:
            yield from self._gain_vp(seat, {1: 0, 2: 1, 3: 1, 4: 2}[BUILDINGS[name].column])
        yield from self._gain_vp(seat, reward)

    def _barter(self, seat: int, ways: set[tuple[str, ...]]) -> Story:
        """Return resources through the black market, in one fixed order (R-BLK)."""
        player, paid = self.players[seat], ()
        while options := staffing.next_actions(ways, paid):
            choice = yield self._ask(seat, options)
            paid += (choice,)
            _, *words = choice.split(":")
            if words == ["vp"]:
                player["vp"] -= 1
                self.position["vp"] += 1
            elif words[0] in GOODS:
                self._to_supply(seat, words[0], 1)
            else:
                unit, spot = words
                move_units(player, spot, -1, unit)
                self._store_of(unit)["supply"] += 1

    def _university(self, seat: int, name: str) -> Story:
        if not (self._units_at("register") or self._worker_supply()):
            return
        if switch(self.rules, "optional_gains") == "ask":
            choice = yield self._ask(seat, {f"place:{name}", "pass"})
            if choice == "pass":
                return
        unit = yield from self._take_worker(seat)
        move_units(self.players[seat], name, 1, unit)

    # -- craftsman (B.5) ---------------------------------------------------------------------------

    def _craftsman(self) -> Story:
        yield from self._open_phase()
        chapels_open_the_phase = switch(self.rules, "chapel_timing") == "phase_start"
        if chapels_open_the_phase:
            for seat in self.order:
                yield from self._chapel(seat)
        made, all_made = {}, {}
        for seat in self.order:
            player, reward = self.players[seat], 0
            made[seat] = all_made[seat] = dict.fromkeys(GOODS, 0)
            if (yield from self._produces(seat)):
                made[seat] = could = producing.production(self.position, seat)
                for good, barrels in could.items():
                    self._to_supply(seat, good, -barrels)
                extras = producing.aqueduct_extras(self.position, seat, could)
                for good in extras:
                    self._to_supply(seat, good, -1)
                all_made[seat] = {good: could[good] + extras.count(good) for good in GOODS}
            reward = self._coins_of_the_festival(Counter(all_made[seat]))
            yield from self._gain_coins(seat, producing.factory_income(player, made[seat]))
            yield from self._gain_coins(seat, producing.jeweler_income(player))
            if not chapels_open_the_phase:
                yield from self._chapel(seat)
            if seat != self.actor:
                yield from self._gain_coins(
                    seat, producing.specialty_income(player, all_made[seat])
                )
            yield from self._gain_coins(seat, reward)
        yield from self._close_phase()
        yield from self._more_of_the_craftsman(made[self.actor], all_made[self.actor])

    def _produces(self, seat: int) -> Story:
        """Guests move before the own production, which may be declined where gains are."""
        if switch(self.rules, "optional_gains") == "auto":
            yield from self._window([seat])
            return True
        choice = yield from self._turn(
            seat,
            lambda: {
                "pass",
                *(["gain"] if any(producing.production(self.position, seat).values()) else []),
            },
        )
        return choice == "gain"

    def _more_of_the_craftsman(self, made: dict, all_made: dict) -> Story:
        """The privilege, and what waits for it (R-CRA-7, R-SPF-3, Q-143)."""
        actor, taken = self.actor, []
        for _ in range(self._privilege(actor)):
            kinds = producing.privilege_kinds(self.position, actor, made, taken)
            if not kinds:
                break
            options = {f"privilege:{kind}" for kind in kinds}
            if switch(self.rules, "optional_gains") == "ask":
                options.add("pass")
            choice = yield self._ask(actor, options)
            if choice == "pass":
                break
            taken.append(choice.removeprefix("privilege:"))
            self._to_supply(actor, taken[-1], -1)
        in_all = Counter(all_made) + Counter(taken)
        counted = all_made
        if switch(self.rules, "specialty_counts_privilege"):
            counted = {good: in_all[good] for good in GOODS}
        yield from self._gain_coins(actor, producing.specialty_income(self.players[actor], counted))
        if switch(self.rules, "festival_production_window") == "whole_phase":
            yield from self._gain_coins(actor, self._coins_of_the_festival(in_all))

    def _chapel(self, seat: int) -> Story:
        """A worker prays for a coin, a citizen for a VP (R-CHP-1)."""
        if has_worker_on(self.players[seat], "chapel"):
            yield from self._gain_coins(seat, 1)
        elif has_citizen_on(self.players[seat], "chapel"):
            yield from self._gain_vp(seat, 1)

    # -- trader (B.6) ------------------------------------------------------------------------------

    def _trader(self) -> Story:
        yield from self._open_phase()
        house = self.position["house"]
        for seat in self.order:
            yield from self._trade(seat)
        yield from self._close_phase()
        if len(house) == HOUSE_SLOTS:
            for good in house:
                self.position["goods"][good] += 1
            house.clear()

    def _trade(self, seat: int) -> Story:
        """A sale, and a land trade before it or after it (R-TRA-1, R-LND-1)."""
        position, player = self.position, self.players[seat]
        has_sold = has_traded_land = False

        def options():
            sales = {"pass"} if has_sold else trading.sell_options(position, seat)
            return sales if has_traded_land else sales | trading.land_options(position, seat)

        while not has_sold or (not has_traded_land and self._may_trade_land(seat)):
            choice = yield from self._turn(seat, options)
            verb, _, what = choice.partition(":")
            if choice == "pass":
                return
            if verb == "land":
                has_traded_land = True
                yield from self._trade_land(seat, what)
                continue
            has_sold = True
            if verb == "post":
                self._to_supply(seat, what, 1)
            else:
                player["goods"][what] -= 1
                position["house"].append(what)
            yield from self._sale(seat, what, at_post=verb == "post")

    def _may_trade_land(self, seat: int) -> bool:
        """Whether the land office can still be of use: now, or once a guest has moved there."""
        guests = {spot for _, spot in map(unit_and_spot, guest_moves(self.players[seat]))}
        return bool(trading.land_options(self.position, seat)) or "land_office" in guests

    def _sale(self, seat: int, good: str, *, at_post: bool) -> Story:
        player = self.players[seat]
        self._income(seat, trading.sale_income(player, good, privilege=0, at_post=True))
        yield from self._gain_coins(seat, self._privilege(seat))
        markets = trading.sale_income(player, good, privilege=0, at_post=at_post)
        yield from self._gain_coins(
            seat, markets - trading.sale_income(player, good, privilege=0, at_post=True)
        )

    def _trade_land(self, seat: int, what: str) -> Story:
        if what != "buy":
            to_row = switch(self.rules, "land_office_sale_to") == "face_up_row"
            tile = what.removeprefix("sell:")
            yield from self._remove_tile(seat, tile, "row" if to_row else "discard")
            self._income(seat, 1)
            return
        self._pay(seat, 1)
        if not trading.takes_forest_from_stack(self.rules):
            yield from self._place_drawn(seat, self._draw_tile(seat))
            return
        use = yield self._ask(seat, trading.land_uses(self.position, seat))
        if use == "use:forest":
            self._forest_from_stack(seat)
        else:
            yield from self._place_plantation(seat, self._draw_tile(seat))

    # -- captain (B.7) -----------------------------------------------------------------------------

    def _captain(self) -> Story:
        yield from self._open_phase()
        if is_occupied(self.players[self.actor], "lighthouse"):
            yield from self._gain_coins(self.actor, 1)
        for seat in self.order:
            yield from self._before_loading(seat, "phase_start")
        yield from self._load()
        yield from self._close_phase()
        self.phase = "storage"
        for seat in self.order:
            yield from self._store(seat)
        for ship in self.position["ships"]:
            if ship["barrels"] == ship["size"]:
                self.position["goods"][ship["good"]] += ship["barrels"]
                ship.update(good=None, barrels=0)

    def _before_loading(self, seat: int, timing: str) -> Story:
        """The royal supplier, then the union hall, each at its time (R-RSP-4, R-UNH-3)."""
        player = self.players[seat]
        times = {
            name: switch(self.rules, f"{name}_timing") for name in ("royal_supplier", "union_hall")
        }
        now = [name for name, time in times.items() if time == timing]
        if timing == "first_turn" and any(name in player["city"] for name in now):
            yield from self._window([seat])
        if "royal_supplier" in now:
            yield from self._supply(seat)
        if "union_hall" in now:
            yield from self._gain_vp(seat, loading.union_hall_vp(player))

    def _supply(self, seat: int) -> Story:
        """Barrels of different kinds go back for a VP each (R-RSP)."""
        ways, returned = loading.supplier_choices(self.players[seat], self.rules), ()
        while options := staffing.next_actions(ways, returned):
            choice = yield self._ask(seat, options)
            if choice == "pass":
                return
            returned += (choice,)
            self._to_supply(seat, choice.removeprefix("supply:"), 1)
            self._award_vp(seat, 1)

    def _load(self) -> Story:
        """Turn after turn, until every seat had one without loading since a load (R-CAP-8)."""
        used, has_loaded = {"wharf": set(), "small_wharf": set()}, set()
        idle = 0
        for turn, seat in enumerate(cycle(self.order)):
            if idle == len(self.order):
                return
            if turn < len(self.order):
                yield from self._before_loading(seat, "first_turn")
            choice = yield from self._loading_turn(seat, used)
            if choice == "pass":
                idle += 1
                continue
            idle = 0
            verb, good, *ship = choice.split(":")
            used.get(verb, set()).add(seat)
            if verb == "small_wharf":
                points = (yield from self._fill_small_ship(seat, good)) // 2
            else:
                points = self._ship(seat, good, ship)
            self._award_vp(seat, points)
            privilege = 0 if seat in has_loaded else self._privilege(seat)
            has_loaded.add(seat)
            yield from self._rewards_of_a_load(seat, privilege, is_cargo=verb == "load")

    def _loading_turn(self, seat: int, used: dict[str, set]) -> Story:
        """What a seat loads, or `pass`; a seat with no option at all is skipped."""
        while True:
            options = loading.load_options(
                self.position,
                seat,
                wharf_used=seat in used["wharf"],
                small_wharf_used=seat in used["small_wharf"],
                guest_moves=frozenset(guest_moves(self.players[seat])),
            )
            choice = (yield self._ask(seat, options)) if options else "pass"
            if not choice.startswith("guest"):
                return choice
            self._move_guest(seat, choice)

    def _ship(self, seat: int, good: str, ship_number: list[str]) -> int:
        """Move the barrels of a load, and return how many they were."""
        if not ship_number:
            barrels = self.players[seat]["goods"][good]
            self._to_supply(seat, good, barrels)
            return barrels
        number = int(ship_number[0]) - 1
        barrels = loading.legal_cargo(self.position, seat)[good, number]
        self.players[seat]["goods"][good] -= barrels
        ship = self.position["ships"][number]
        ship.update(good=good, barrels=ship["barrels"] + barrels)
        return barrels

    def _fill_small_ship(self, seat: int, first: str) -> Story:
        """Barrels go on the small wharf's ship one by one, cheapest first (R-SWF-1)."""
        selection = [first]
        self._to_supply(seat, first, 1)
        while kinds := loading.may_go_into(selection, self.players[seat]):
            choice = yield self._ask(seat, {"pass", *(f"small_wharf:{good}" for good in kinds)})
            if choice == "pass":
                break
            selection.append(choice.removeprefix("small_wharf:"))
            self._to_supply(seat, selection[-1], 1)
        return len(selection)

    def _rewards_of_a_load(self, seat: int, privilege: int, *, is_cargo: bool) -> Story:
        """Privilege, harbor and lighthouse (R-CAP-7, R-HBR, R-LGT)."""
        player = self.players[seat]
        yield from self._gain_vp(seat, privilege)
        yield from self._gain_vp(seat, 1 if is_occupied(player, "harbor") else 0)
        counts = is_cargo or switch(self.rules, "lighthouse_counts_wharves")
        yield from self._gain_coins(seat, 1 if counts and is_occupied(player, "lighthouse") else 0)

    def _store(self, seat: int) -> Story:
        player = self.players[seat]
        may_discard = switch(self.rules, "voluntary_discard")
        outcomes = storage_outcomes(player, voluntary_discard=may_discard)
        kept = yield Ask(seat, "storage", outcomes=frozenset(outcomes))
        for good, barrels in zip(GOODS, kept, strict=True):
            self._to_supply(seat, good, player["goods"][good] - barrels)

    # -- prospector (B.8) --------------------------------------------------------------------------

    def _prospector(self) -> Story:
        self.had_last_window = {self.actor}
        yield from self._window([self.actor])
        yield from self._gain_coins(self.actor, self._privilege(self.actor))
        yield from self._window([self.actor])

    # -- smuggler (D.3) ----------------------------------------------------------------------------

    def _smuggler(self) -> Story:
        self.had_last_window = set()
        seat, smuggler = self.actor, self.position["smuggler"]
        smuggler["tile"] = seat
        choice = yield self._ask(seat, smuggling.smuggler_options(self.position))
        verb, _, what = choice.partition(":")
        if verb == "raid":
            yield from self._raid(seat, self.position["ships"][int(what) - 1])
        elif verb == "plunder":
            house = self.position["house"]
            for good in house:
                self.position["goods"][good] += 1
            self._award_vp(seat, len(house))
            house.clear()
        elif verb == "poach":
            yield from self._poach(seat)
        elif verb == "capture":
            card = self._roles()[what]
            self.players[seat]["coins"] += card["coins"]
            card["coins"] = 0
            smuggler["captured"][what] = seat

    def _raid(self, seat: int, ship: dict) -> Story:
        """A ship is emptied: up to 3 barrels for the smuggler, the rest for the supply."""
        good = ship["good"]
        for _ in range(min(MOST_RAIDED, ship["barrels"])):
            if not (yield from self._accepts(seat)):
                break
            ship["barrels"] -= 1
            self.players[seat]["goods"][good] += 1
        self.position["goods"][good] += ship["barrels"]
        ship.update(good=None, barrels=0)

    def _poach(self, seat: int) -> Story:
        """The register shrinks to one unit a player; up to 3 of the others are placed at once."""
        number = sum(self._units_at("register").values()) - self.rules["players"]
        yield from self._gather(seat, "register", number, lambda: self._units_at("register"))
        yield from self._place_hand(seat, MOST_POACHED)
        for unit, units in self.hand.items():
            if units:
                self._store_of(unit)["supply"] += units
            self.hand[unit] = 0
