"""A position as compact text: everything a seat may know, nothing that it may not.

For logs, transcripts and players who read words rather than numbers. `render` draws the board.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prico_env.arguments import numbered
from prico_env.core.scoring import fill_scores
from prico_env.core.state import State
from prico_env.ruleset import RuleSet, check_position
from prico_env.text.localization import edition_words, language_of
from prico_env.text.phase_state import (
    describe_decision,
    describe_end,
    describe_goods,
    describe_phase_state,
    seats_to_choose,
    seats_to_come,
)
from prico_env.text.seats import seat_name
from prico_env.text.terms import count_of, printed
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    GOODS,
    ISLAND_SPACES,
    NOBODY,
    NOT_IN_PLAY,
    NUM_TILES,
    PHASES,
    ROLES,
    SPOTS,
    DecisionPoint,
    Outcome,
    Phase,
)


def position_text(rules: RuleSet, state: State, seat: int | None = None) -> str:
    """Describe a position as a seat sees it, in the words of the edition in play.

    The text says everything that the seat may know: two positions that differ for it have
    different texts. What never changes in a game, `rules_text` says.

    Args:
        rules: The rule set.
        state: One game, a record.
        seat: Whose eyes we look through; nobody's in particular when left out, which hides the VP
            of everyone if the rule set hides VP.

    Returns:
        A few lines of text. The order of the deck is in none of them.
    """
    check_position(rules, state)
    if seat is not None:
        seat = numbered(seat, "seat", rules.players)
    writer = _Writer(rules, state, seat)
    seats = range(rules.players)
    players = (writer.player(one) for one in seats)
    return "\n".join([writer.head(), *writer.course(), *writer.common_area(), *players])


def can_see_vp(rules: RuleSet, state: State, seat: int | None, other: int) -> bool:
    """Whether a seat knows the VP of another (R-INF-2); when the game is over all is known."""
    return not rules.table[0]["vp_hidden"] or seat == other or state["phase"] == Phase.OVER


def vp_left(state: State) -> int:
    """VP chips left in the supply; what is gained after the last is on paper (R-CAP-14)."""
    return max(0, int(state["vp_pool"]))


def can_see_drawn(state: State, seat: int | None) -> bool:
    """Whether a seat knows the tile drawn; before it is laid only who drew it does (R-FOH-3)."""
    return state["decision_point"] != DecisionPoint.USE_TILE or state["turn"] == seat


def drawn_tile(state: State) -> int:
    """The tile in a seat's hand that may become a plantation or a forest, -1 if there is none."""
    return int(state["drawn"]) if state["decision_point"] == DecisionPoint.USE_TILE else NOBODY


def forest_kinds(state: State, seat: int | None, owner: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Count somebody's forests by printed kind, as a seat knows them (R-INF-2, Q-31).

    Returns:
        Those that everybody has seen and those that only the owner has, which others see as 0;
        each of shape ``(num_goods,)``. Forests from a stack have no kind.
    """
    blind = state["forest_blind"][owner]
    return state["forest_kinds"][owner] - blind, blind * (seat == owner)


def unseen_plantations(rules: RuleSet, state: State, seat: int | None) -> NDArray[Any]:
    """Count the plantations whose place a seat does not know, shape ``(num_goods,)`` (R-INF-2).

    Those lie in the deck, under forests of others, or in the hand of who has just drawn one.
    """
    counts = state["deck_tiles"].copy()
    for other in range(rules.players):
        if other != seat:
            counts += state["forest_blind"][other]
    if not can_see_drawn(state, seat) and drawn_tile(state) != NOBODY:
        counts[drawn_tile(state)] += 1
    return counts


def describe_forests(rules: RuleSet, state: State, seat: int | None, owner: int) -> str:
    """Say how many forests somebody has, with the kinds that a seat knows (R-INF-2)."""
    labels = language_of(rules.edition).labels
    hidden = labels["hidden"]
    public, own = forest_kinds(state, seat, owner)
    forests = int(state["own_forests"][owner])
    unknown = forests - int(public.sum() + own.sum())
    known = [describe_goods(rules.edition, public)] if public.any() else []
    if own.any():
        known.append(f"{hidden}{labels['colon']}{describe_goods(rules.edition, own)}")
    if unknown and not rules.table[0]["forest_source_is_own_stack_12"]:
        known.append(f"{unknown} {hidden}")
    text = f"{edition_words(rules.edition).terms['forest']} {forests}"
    return f"{text} ({labels['semicolon'].join(known)})" if known else text


def describe_goals(rules: RuleSet, state: State) -> list[str]:
    """Say which goals of the festival nobody has met yet (R-FES-1)."""
    terms, goals = edition_words(rules.edition).terms, []
    estate, building = state["festival_estate"], state["festival_building"]
    if estate != NOBODY:
        goals.append(f"{terms['plantations']} {printed(rules.edition, GOODS[estate])}")
    if state["festival_goods"].any():
        goals.append(f"{terms['goods']} {describe_goods(rules.edition, state['festival_goods'])}")
    if building != NOBODY:
        goals.append(printed(rules.edition, BUILDINGS[building]))
    return goals


def describe_slots(rules: RuleSet, state: State) -> list[str]:
    """Say how many types of each cost are still to be chosen (R-X1-3)."""
    table: Any = rules.table[0]
    left = table["draft_slots"].copy()
    np.subtract.at(left, table["cost"][np.flatnonzero(state["board"])], 1)
    word = language_of(rules.edition).labels["cost"]
    return [f"{left[cost]}× {word} {cost}" for cost in np.flatnonzero(left)]


class _Writer:
    """Writes one position in the words of one edition."""

    def __init__(self, rules: RuleSet, state: State, seat: int | None) -> None:
        self.rules, self.state, self.seat = rules, state, seat
        self.table: Any = rules.table[0]
        self.catalog = edition_words(rules.edition)
        self.labels = language_of(rules.edition).labels
        self.colon, self.semicolon = self.labels["colon"], self.labels["semicolon"]
        self.terms = self.catalog.terms
        self.has_citizens = "citizens" in rules.expansions
        self.scores = np.zeros(rules.players, dtype=np.int64)
        fill_scores(self.table, state, self.scores)

    def head(self) -> str:
        """Edition, round, phase and whose turn it is."""
        state, labels = self.state, self.labels
        phase = self.catalog.phase_names[PHASES[state["phase"]]]
        if state["actor"] != NOBODY:
            phase += f" ({self._name(state['actor'])})"
        parts = [
            f"{self.rules.edition}, {self.rules.players} {labels['players']}",
            f"{labels['round']} {state['round']}",
            phase,
        ]
        if state["turn"] >= 0:
            asked = describe_decision(self.rules, state["decision_point"], state["value"])
            parts.append(f"{self._name(state['turn'])} {labels['to_act']}{self.colon}{asked}")
        if state["end_reasons"]:
            reasons = ", ".join(describe_end(self.rules, state))
            parts.append(f"{labels['last_round']} ({reasons})")
        if state["outcome"] == Outcome.TRUNCATED:
            parts.append(labels["truncated"])
        return self.semicolon.join(parts)

    def course(self) -> Iterable[str]:
        """What waits below this decision, who comes next, and what has happened in the phase."""
        state, labels = self.state, self.labels
        waiting = [
            f"{self._name(turn)}{self.colon}{describe_decision(self.rules, point, value)}"
            for point, turn, value in zip(
                state["stack_point"][: state["depth"]],
                state["stack_turn"][: state["depth"]],
                state["stack_value"][: state["depth"]],
                strict=True,
            )
        ]
        if waiting:
            yield f"{labels['waiting']}{self.colon}{self.semicolon.join(reversed(waiting))}"
        order = [
            f"{labels[label]} {', '.join(self._name(seat) for seat in seats)}"
            for label, seats in (
                ("in_phase", seats_to_come(self.rules, state)),
                ("in_round", seats_to_choose(self.rules, state)),
            )
            if seats
        ]
        if order:
            yield f"{labels['order']}{self.colon}{self.semicolon.join(order)}"
        so_far = describe_phase_state(self.rules, state)
        if so_far:
            yield f"{labels['so_far']}{self.colon}{self.semicolon.join(so_far)}"

    def common_area(self) -> list[str]:
        """Everything that lies between the players."""
        state, terms, labels = self.state, self.terms, self.labels
        unseen = unseen_plantations(self.rules, state, self.seat)
        return [
            f"{labels['roles']}{self.colon}{self.semicolon.join(self._roles())}",
            f"{labels['supply']}{self.colon}{self.semicolon.join(self._supply())}",
            f"{terms['row']}{self.colon}{self._counts(state['row'])}",
            f"{terms['deck']}{self.colon}{state['deck_size']} "
            f"({labels['unseen']}{self.colon}{self._counts(unseen)}){self.semicolon}"
            f"{terms['discard']}{self.colon}{self._counts(state['discard'])}",
            f"{labels['ships']}{self.colon}{self.semicolon.join(self._ships())}",
            f"{labels['house']}{self.colon}{self._counts(state['house'])}",
            f"{labels['buildings']}{self.colon}{self._buildings()}",
            *self._expansions(),
        ]

    def _supply(self) -> Iterable[str]:
        """Units, VP, tiles and barrels that nobody has."""
        state, terms = self.state, self.terms
        units, register = self._number(state["worker_supply"], "worker"), state["register_workers"]
        if self.has_citizens:
            units += f", {self._number(state['citizen_supply'], 'citizen')}"
            register = self._units(state["register_workers"], state["register_citizens"])
        yield f"{units}, {terms['register']} {register}"
        yield f"{vp_left(state)} {terms['vp']}"
        yield f"{state['quarries']} {terms['quarries']}"
        if self.table["forest_source_is_own_stack_12"]:
            yield f"{state['forests']} {terms['forests']}"
        yield self._counts(state["goods_supply"])
        if self.table["bank_limited"]:
            yield f"{state['bank']} {terms['coins']} ({self.labels['bank']})"

    def _expansions(self) -> Iterable[str]:
        """What expansions bring to the table."""
        state, labels, modules = self.state, self.labels, self.rules.expansions
        if "buildings" in modules:
            board = (self._word(BUILDINGS[number]) for number in np.flatnonzero(state["board"]))
            yield f"{labels['board']}{self.colon}{self._joined(board)}"
        if state["phase"] == Phase.DRAFT:
            yield f"{labels['draft']}{self.colon}{self._joined(describe_slots(self.rules, state))}"
        if "smuggler" in modules:
            owner = state["smuggler_tile"]
            holder = labels["nobody"] if owner == NOBODY else self._name(owner)
            yield f"{labels['smuggler']}{self.colon}{holder}"
        if "festival" in modules:
            goals = self.semicolon.join(describe_goals(self.rules, state))
            yield f"{labels['festival']}{self.colon}{goals or labels['nothing']}"
        drawn = drawn_tile(state)
        if drawn != NOBODY:
            is_seen = can_see_drawn(state, self.seat)
            tile = self._word(GOODS[drawn]) if is_seen else labels["hidden"]
            yield f"{labels['drawn']} ({self._name(state['turn'])}){self.colon}{tile}"
        if state["hand_workers"] or state["hand_citizens"]:
            units = self._units(state["hand_workers"], state["hand_citizens"])
            yield f"{labels['hand']} ({self._name(state['turn'])}){self.colon}{units}"

    def player(self, seat: int) -> str:
        """One player's board."""
        state, terms = self.state, self.terms
        name = self._name(seat)
        if seat == state["governor"]:
            name += f" ({terms['governor']})"
        if seat == self.seat:
            name += f" [{self.labels['you']}]"
        seen = can_see_vp(self.rules, state, self.seat, seat)
        vp = f"{state['vp'][seat] if seen else self.labels['hidden']} {terms['vp']}"
        if seen:
            vp += f" ({self.labels['score_now']} {self.scores[seat]})"
        tiles, circles = state["owned"][seat], self.table["circles"]
        laid = [self._spot(seat, spot, tiles[spot]) for spot in range(NUM_TILES) if tiles[spot]]
        if state["own_forests"][seat]:
            laid.append(describe_forests(self.rules, state, self.seat, seat))
        island = self._joined(laid)
        city = self._joined(
            self._spot(seat, spot, circles[spot])
            for spot in range(NUM_TILES, len(SPOTS))
            if tiles[spot]
        )
        parts = (
            f"{self._number(state['coins'][seat], 'coin')}, {vp}, "
            f"{terms['goods']}{self.colon}{self._counts(state['goods'][seat])}",
            f"{terms['island']} {state['island_used'][seat]}/{ISLAND_SPACES}{self.colon}{island}",
            f"{terms['city']} {state['city_used'][seat]}/{CITY_SPACES}{self.colon}{city}",
            f"{terms['portrait']}{self.colon}{self._portrait(seat)}",
        )
        return f"{name}{self.colon}{self.semicolon.join(parts)}"

    def _spot(self, seat: int, spot: int, circles: int) -> str:
        """The units on the circles of a spot."""
        state = self.state
        workers, citizens = (int(state[kind][seat, spot]) for kind in ("workers", "citizens"))
        text = f"{self._word(SPOTS[spot])} {workers + citizens}/{circles}"
        return f"{text} ({self._number(citizens, 'citizen')})" if citizens else text

    def _portrait(self, seat: int) -> str:
        workers = self.state["portrait_workers"][seat]
        if self.has_citizens:
            return self._units(workers, self.state["portrait_citizens"][seat])
        return self._number(workers, "worker")

    def _units(self, workers: int, citizens: int) -> str:
        return f"{self._number(workers, 'worker')}, {self._number(citizens, 'citizen')}"

    def _number(self, count: int, what: str) -> str:
        return count_of(self.terms, what, count)

    def _roles(self) -> Iterable[str]:
        for role, name in enumerate(ROLES):
            owner = self.state["role_owner"][role]
            if owner == NOT_IN_PLAY:
                continue
            text = self._word(name)
            if self.state["role_coins"][role]:
                text += f" +{self.state['role_coins'][role]}"
            if owner != NOBODY:
                text += f" ({self._name(owner)})"
            captor = self.state["role_captor"][role]
            if captor != NOBODY:
                text += f" ({self.labels['captured']} {self._name(captor)})"
            yield text

    def _ships(self) -> Iterable[str]:
        for ship in range(int(self.table["num_ships"])):
            size, good = self.table["ship_size"][ship], self.state["ship_good"][ship]
            if good == NOBODY:
                yield f"{size}{self.colon}{self.labels['empty']}"
            else:
                yield f"{size}{self.colon}{self.state['ship_load'][ship]} {self._word(GOODS[good])}"

    def _buildings(self) -> str:
        """The buildings left, cheap ones first; a cost stands before the first of its buildings."""
        left, costs = self.state["building_supply"], self.table["cost"]
        by_cost: dict[int, list[str]] = {}
        for number, name in enumerate(BUILDINGS):
            if left[number] > 0:
                by_cost.setdefault(int(costs[number]), []).append(
                    f"{self._word(name)} {left[number]}"
                )
        groups = (
            f"({self.labels['cost']} {cost}) {', '.join(by_cost[cost])}" for cost in sorted(by_cost)
        )
        return self.semicolon.join(groups) or self.labels["nothing"]

    def _counts(self, counts: Iterable[int]) -> str:
        return describe_goods(self.rules.edition, counts) or self.labels["nothing"]

    def _joined(self, words: Iterable[str]) -> str:
        return ", ".join(words) or self.labels["nothing"]

    def _word(self, engine_name: str) -> str:
        return printed(self.rules.edition, engine_name)

    def _name(self, seat: int) -> str:
        return seat_name(self.rules.edition, seat)
