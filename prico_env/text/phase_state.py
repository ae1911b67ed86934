"""What a phase has done so far and who comes next, in words: what no board shows of a position."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np

from prico_env.core.state import State
from prico_env.core.turns import seats_acting
from prico_env.ruleset import RuleSet
from prico_env.text.localization import language_of
from prico_env.text.seats import seat_name
from prico_env.text.terms import Words, printed
from prico_env.vocabulary import (
    BUILDINGS,
    DECISION_POINTS,
    GOODS,
    NOBODY,
    NUM_SPOTS,
    POINTS,
    PORTRAIT,
    SPOTS,
    TILES,
    Asker,
    DecisionPoint,
    EndReason,
    Phase,
    Unit,
    UsedOnce,
)

_SPOT_POINTS: Final = (DecisionPoint.RECALL, DecisionPoint.PLACE, DecisionPoint.PLACE_UNITS)
_GOOD_POINTS: Final = (DecisionPoint.STORE, DecisionPoint.SUPPLY, DecisionPoint.SMALL_SHIP)
_NOBODY_TO_COME: Final = (
    DecisionPoint.CHOOSE_ROLE,
    DecisionPoint.CRAFTSMAN_PRIVILEGE,
    DecisionPoint.DRAFT,
    DecisionPoint.SMUGGLE,
    DecisionPoint.RAID,
    *(row.point for row in POINTS if row.asker == Asker.NOBODY),
)
"""Points after which no further seat decides the same in this phase."""
_RECALLED_BITS: Final = ((1, "workers"), (2, "citizens"))
_PAYMENTS: Final = ("worker", "goods", "vp")
"""The resources of the black market, in the order in which they are asked for."""


def describe_decision(rules: RuleSet, point: int, value: int) -> str:
    """Say what is decided at a point, in the words of the edition.

    Args:
        rules: The rule set.
        point: A `DecisionPoint`.
        value: What the decision is about, as the record has it there.
    """
    edition = rules.edition
    decision = language_of(edition).decisions.get(DECISION_POINTS[point])
    words = Words(edition, value=str(value), spot=_spot(edition, value))
    return language_of(edition).finish(decision.asked.format_map(words)) if decision else ""


def seats_to_come(rules: RuleSet, state: State) -> list[int]:
    """Return the seats that still have this turn of the phase, after those who decide now."""
    base = state["stack_point"][0] if state["depth"] else state["decision_point"]
    if base in _NOBODY_TO_COME or state["phase"] == Phase.OVER:
        return []
    turn = int(state["stack_turn"][0] if state["depth"] else state["turn"])
    left = int(seats_acting(rules.table[0], state)) - 1 - int(state["turns"])
    return [(turn + step) % rules.players for step in range(1, left + 1)]


def seats_to_choose(rules: RuleSet, state: State) -> list[int]:
    """Return the seats that still take a role card in this round, after who decides now."""
    if state["phase"] in (Phase.DRAFT, Phase.OVER):
        return []
    first = int(state["picks"]) + (state["phase"] == Phase.ROLE)
    picks = range(first, int(rules.table[0]["picks_per_round"]))
    return [(int(state["governor"]) + pick) % rules.players for pick in picks]


def describe_end(rules: RuleSet, state: State) -> list[str]:
    """Say why this round is the last; nothing while it is not."""
    labels, words = language_of(rules.edition).labels, Words(rules.edition)
    return [
        labels[f"end_{reason.name.lower()}"].format_map(words)
        for reason in EndReason
        if state["end_reasons"] & reason
    ]


def describe_phase_state(rules: RuleSet, state: State) -> list[str]:
    """Say what has happened in this phase, each thing in a few words; nothing of nothing."""
    return list(_PhaseState(rules, state).all())


class _PhaseState:
    """Says what has happened in a phase in the words of one edition."""

    def __init__(self, rules: RuleSet, state: State) -> None:
        self.rules, self.state = rules, state
        self.edition = rules.edition
        self.labels = language_of(rules.edition).labels
        self.colon = self.labels["colon"]
        self.words = Words(rules.edition)

    def all(self) -> Iterator[str]:
        """Everything, in the order of the phases."""
        state = self.state
        yield from self._tiles_and_building()
        yield from self._staffing()
        yield from self._by_seat("produced")
        yield from self._counts("privilege", state["privilege_goods"])
        yield from self._loading()
        yield from self._counts("stored", state["stored"])
        yield from self._counts("kept", state["kept"])
        used_once = state["used_once"]
        yield from self._used("land_office", used_once & UsedOnce.LAND)
        yield from self._seats(self.labels["sold"], used_once & UsedOnce.SOLD)
        yield from self._used("villa", used_once & UsedOnce.VILLA)
        if state["captured"]:
            yield self.labels["role_captured"]
        yield from self._next()

    def _tiles_and_building(self) -> Iterator[str]:
        state, labels = self.state, self.labels
        kinds = (*TILES, "forest")
        for field in ("drawn", "taken"):
            is_shown_elsewhere = (
                field == "drawn" and state["decision_point"] == DecisionPoint.USE_TILE
            )
            if state[field] != NOBODY and not is_shown_elsewhere:
                tile = printed(self.edition, kinds[state[field]])
                yield f"{labels[f'tile_{field}']}{self.colon}{tile}"
        if state["bought"] != NOBODY:
            bought = printed(self.edition, BUILDINGS[state["bought"]])
            yield f"{labels['bought']}{self.colon}{bought}"

    def _staffing(self) -> Iterator[str]:
        recalled = self.state["recalled"]
        for bit, units in _RECALLED_BITS:
            spots = [_spot(self.edition, int(spot)) for spot in np.flatnonzero(recalled & bit)]
            if spots:
                yield f"{self.words[units]} {self.labels['recalled']} {', '.join(spots)}"

    def _loading(self) -> Iterator[str]:
        state, labels = self.state, self.labels
        if state["first_circuit"]:
            yield labels["first_circuit"]
        if state["circuit_loads"]:
            yield labels["circuit_loads"].format(value=state["circuit_loads"])
        if state["idle_turns"]:
            yield labels["idle_turns"].format(value=state["idle_turns"])
        if state["captain_loaded"]:
            yield labels["captain_loaded"]
        yield from self._used("wharf", state["wharf_used"])
        yield from self._used("small_wharf", state["small_wharf_used"])
        yield from self._seats(labels["passed"], state["passed"])

    def _next(self) -> Iterator[str]:
        """Where the choices go on, where they come in a fixed order."""
        state, cursor = self.state, int(self.state["cursor"])
        points = [int(state["decision_point"]), *map(int, state["stack_point"][: state["depth"]])]
        if DecisionPoint.RAID in points:
            yield f"{self.labels['ship']} {cursor + 1}"
        elif cursor and DecisionPoint.PAY in points:
            yield self._from(self.words[_PAYMENTS[min(cursor, len(_PAYMENTS) - 1)]])
        elif cursor and any(point in _SPOT_POINTS for point in points):
            unit, spot = divmod(cursor, NUM_SPOTS)
            word = _spot(self.edition, spot)
            if unit == Unit.CITIZEN:
                word = f"{word} ({self.words['citizens']})"
            yield self._from(word)
        elif cursor and any(point in _GOOD_POINTS for point in points):
            goods = [printed(self.edition, good) for good in GOODS[cursor:]]
            yield self._from(goods[0] if goods else "-")

    def _from(self, word: str) -> str:
        return self.labels["from_on"].format(value=word)

    def _by_seat(self, field: str) -> Iterator[str]:
        for seat in range(self.rules.players):
            if self.state[field][seat].any():
                label = f"{self.labels[field]} ({seat_name(self.edition, seat)})"
                yield f"{label}{self.colon}{describe_goods(self.edition, self.state[field][seat])}"

    def _counts(self, label: str, counts: Any) -> Iterator[str]:
        if counts.any():
            yield f"{self.labels[label]}{self.colon}{describe_goods(self.edition, counts)}"

    def _used(self, building: str, by_seat: Any) -> Iterator[str]:
        yield from self._seats(self.labels["used"].format(word=self.words[building]), by_seat)

    def _seats(self, said: str, by_seat: Any) -> Iterator[str]:
        named = [seat_name(self.edition, int(seat)) for seat in np.flatnonzero(by_seat)]
        if named:
            yield f"{said}{self.colon}{', '.join(named)}"


def describe_goods(edition: str, counts: Iterable[int]) -> str:
    """Say how many there are of each good, kinds of which there is none left out."""
    return ", ".join(
        f"{count} {printed(edition, good)}"
        for good, count in zip(GOODS, counts, strict=True)
        if count > 0
    )


def _spot(edition: str, spot: int) -> str:
    """The word of a spot, of the portrait, or of a forest among tiles."""
    names = (*SPOTS, "portrait")
    return printed(edition, names[spot]) if 0 <= spot <= PORTRAIT else ""
