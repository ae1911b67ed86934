"""What a phase remembers and who comes next, in words: what no board shows of a position."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np

from prico_env.catalog import load
from prico_env.core.state import State
from prico_env.core.turns import seats_acting
from prico_env.ruleset import RuleSet
from prico_env.text.terms import Words, printed
from prico_env.vocabulary import (
    BUILDINGS,
    GOODS,
    NOBODY,
    NUM_SPOTS,
    PORTRAIT,
    SPOTS,
    TILES,
    DecisionPoint,
    EndReason,
    Phase,
    Unit,
    UsedOnce,
)

_ASKED: Final = {
    "en": {
        DecisionPoint.CHOOSE_ROLE: "choose a role",
        DecisionPoint.DRAW_TILE: "draw a tile first, or not",
        DecisionPoint.TAKE_TILE: "take a tile",
        DecisionPoint.STAFF_TILE: "put a {worker} on a new tile",
        DecisionPoint.MAYOR_PRIVILEGE: "take a further {worker} ({value} taken)",
        DecisionPoint.RECALL: "take {workers} back",
        DecisionPoint.PLACE: "put {workers} down",
        DecisionPoint.BUY: "build",
        DecisionPoint.STAFF_BUILDING: "put a {worker} on the new building",
        DecisionPoint.PRODUCE: "produce",
        DecisionPoint.CRAFTSMAN_PRIVILEGE: "take a further {barrel}",
        DecisionPoint.SELL: "sell",
        DecisionPoint.LOAD: "load",
        DecisionPoint.STORE: "store",
        DecisionPoint.GAIN_COINS: "take {value} {coins}",
        DecisionPoint.GAIN_VP: "take {value} {vp}",
        DecisionPoint.PHASE_BEGIN: "the phase begins",
        DecisionPoint.PHASE_END: "the phase ends",
        DecisionPoint.DRAFT: "choose a building for the game",
        DecisionPoint.OPEN_WINDOW: "move guests as the phase opens ({guest_house})",
        DecisionPoint.TURN_WINDOW: "move guests before the first turn ({guest_house})",
        DecisionPoint.CLOSE_WINDOW: "move guests as the phase closes ({guest_house})",
        DecisionPoint.USE_TILE: "lay the tile drawn",
        DecisionPoint.TAKE_AGAIN: "take a second tile",
        DecisionPoint.HUNT: "use the {hunting_lodge}",
        DecisionPoint.OPENING: "begin",
        DecisionPoint.DEAL: "take from the {register}",
        DecisionPoint.HIRE: "choose who comes to {spot}",
        DecisionPoint.PAY: "make up for {value} {coins}",
        DecisionPoint.SMALL_SHIP: "use the {small_wharf} ({value} shipped)",
        DecisionPoint.SUPPLY: "use the {royal_supplier} ({value} returned)",
        DecisionPoint.SMUGGLE: "smuggle",
        DecisionPoint.RAID: "raid ({value} taken)",
        DecisionPoint.GATHER: "choose who comes ({value} to come)",
        DecisionPoint.PLACE_UNITS: "place who is in hand ({value} at most)",
        DecisionPoint.GAIN_UNITS: "take {value} from the supply",
        DecisionPoint.BUILT: "finish building",
        DecisionPoint.PHASE_CLOSE: "the phase closes",
    },
    "de": {
        DecisionPoint.CHOOSE_ROLE: "eine Rolle wählen",
        DecisionPoint.DRAW_TILE: "zuerst ein Plättchen ziehen?",
        DecisionPoint.TAKE_TILE: "ein Plättchen nehmen",
        DecisionPoint.STAFF_TILE: "{worker} auf ein neues Plättchen setzen",
        DecisionPoint.MAYOR_PRIVILEGE: "einen weiteren {worker} nehmen ({value} genommen)",
        DecisionPoint.RECALL: "{workers} zurücknehmen",
        DecisionPoint.PLACE: "{workers} einsetzen",
        DecisionPoint.BUY: "bauen",
        DecisionPoint.STAFF_BUILDING: "{worker} auf das neue Gebäude setzen",
        DecisionPoint.PRODUCE: "produzieren",
        DecisionPoint.CRAFTSMAN_PRIVILEGE: "einmal mehr nehmen",
        DecisionPoint.SELL: "verkaufen",
        DecisionPoint.LOAD: "laden",
        DecisionPoint.STORE: "lagern",
        DecisionPoint.GAIN_COINS: "{value} {coins} nehmen",
        DecisionPoint.GAIN_VP: "{value} {vp} nehmen",
        DecisionPoint.PHASE_BEGIN: "die Phase beginnt",
        DecisionPoint.PHASE_END: "die Phase endet",
        DecisionPoint.DRAFT: "ein Gebäude für das Spiel wählen",
        DecisionPoint.OPEN_WINDOW: "zu Beginn der Phase umsetzen ({guest_house})",
        DecisionPoint.TURN_WINDOW: "vor dem ersten Zug umsetzen ({guest_house})",
        DecisionPoint.CLOSE_WINDOW: "am Ende der Phase umsetzen ({guest_house})",
        DecisionPoint.USE_TILE: "das gezogene Plättchen legen",
        DecisionPoint.TAKE_AGAIN: "ein zweites Plättchen nehmen",
        DecisionPoint.HUNT: "{hunting_lodge} nutzen",
        DecisionPoint.OPENING: "beginnen",
        DecisionPoint.DEAL: "vom {register} nehmen",
        DecisionPoint.HIRE: "wählen, wer kommt ({spot})",
        DecisionPoint.PAY: "{value} {coins} ersetzen",
        DecisionPoint.SMALL_SHIP: "{small_wharf} nutzen ({value} geliefert)",
        DecisionPoint.SUPPLY: "{royal_supplier} nutzen ({value} zurückgegeben)",
        DecisionPoint.SMUGGLE: "schmuggeln",
        DecisionPoint.RAID: "Schiff leeren ({value} genommen)",
        DecisionPoint.GATHER: "wählen, wer kommt (noch {value})",
        DecisionPoint.PLACE_UNITS: "einsetzen, wer auf der Hand ist (höchstens {value})",
        DecisionPoint.GAIN_UNITS: "{value} aus dem Vorrat nehmen",
        DecisionPoint.BUILT: "den Bau beenden",
        DecisionPoint.PHASE_CLOSE: "die Phase schließt",
    },
}
"""What a seat decides at each point."""

_LABELS: Final = {
    "en": {
        "player": "player",
        "drawn": "tile drawn",
        "taken": "tile taken",
        "bought": "built",
        "recalled": "taken back from",
        "from": "only from {} on",
        "ship": "ship",
        "produced": "produced",
        "privilege": "of the privilege",
        "first_circuit": "first circuit",
        "circuit_loads": "{} loads in this circuit",
        "captain_loaded": "the captain's VP are given",
        "wharf_used": "{wharf} used",
        "small_wharf_used": "{small_wharf} used",
        "passed": "did not load last",
        "stored": "stored whole",
        "kept": "single barrels kept",
        "land": "{land_office} used",
        "sold": "sold",
        "villa": "{villa} used",
        "captured": "a captured role",
        "workers": "{workers} used up",
        "city": "a {city} is full",
        "vp": "{vp} used up",
    },
    "de": {
        "player": "Spieler",
        "drawn": "Plättchen gezogen",
        "taken": "Plättchen genommen",
        "bought": "gebaut",
        "recalled": "zurückgenommen von",
        "from": "nur noch ab {}",
        "ship": "Schiff",
        "produced": "produziert",
        "privilege": "durch das Privileg",
        "first_circuit": "erster Umlauf",
        "circuit_loads": "{} Ladungen in diesem Umlauf",
        "captain_loaded": "die SP des Kapitäns sind vergeben",
        "wharf_used": "{wharf} genutzt",
        "small_wharf_used": "{small_wharf} genutzt",
        "passed": "lud zuletzt nicht",
        "stored": "ganz eingelagert",
        "kept": "einzeln behalten",
        "land": "{land_office} genutzt",
        "sold": "verkauft",
        "villa": "{villa} genutzt",
        "captured": "eine abgefangene Rolle",
        "workers": "{workers} aufgebraucht",
        "city": "{city} voll",
        "vp": "{vp} aufgebraucht",
    },
}

_SPOT_POINTS: Final = (DecisionPoint.RECALL, DecisionPoint.PLACE, DecisionPoint.PLACE_UNITS)
_GOOD_POINTS: Final = (DecisionPoint.STORE, DecisionPoint.SUPPLY, DecisionPoint.SMALL_SHIP)
_NOBODY_TO_COME: Final = (
    DecisionPoint.CHOOSE_ROLE,
    DecisionPoint.CRAFTSMAN_PRIVILEGE,
    DecisionPoint.DRAFT,
    DecisionPoint.SMUGGLE,
    DecisionPoint.RAID,
    DecisionPoint.PHASE_BEGIN,
    DecisionPoint.PHASE_CLOSE,
    DecisionPoint.PHASE_END,
    DecisionPoint.GAME_OVER,
)
"""Points after which no further seat decides the same in this phase."""
_RECALLED_BITS: Final = ((1, "workers"), (2, "citizens"))
_PAYMENTS: Final = ("worker", "goods", "vp")
"""The resources of the black market, in the order in which they are asked for."""


def decision_in_words(rules: RuleSet, point: int, value: int) -> str:
    """Say what is decided at a point, in the words of the edition.

    Args:
        rules: The rule set.
        point: A `DecisionPoint`.
        value: What the decision is about, as the record has it there.
    """
    edition = rules.edition
    asked = _ASKED[load(edition).language].get(DecisionPoint(point), "")
    return asked.format_map(Words(edition, value=str(value), spot=_spot(edition, value)))


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


def end_in_words(rules: RuleSet, state: State) -> list[str]:
    """Say why this round is the last; nothing while it is not."""
    labels = _LABELS[load(rules.edition).language]
    words = Words(rules.edition)
    return [
        labels[reason.name.lower()].format_map(words)
        for reason in EndReason
        if state["end_reasons"] & reason
    ]


def memories_in_words(rules: RuleSet, state: State) -> list[str]:
    """Say what the phase remembers, each thing in a few words; nothing is said of nothing."""
    return list(_Memories(rules, state).all())


class _Memories:
    """Says what a phase remembers in the words of one edition."""

    def __init__(self, rules: RuleSet, state: State) -> None:
        self.rules, self.state = rules, state
        self.edition = rules.edition
        self.labels = _LABELS[load(rules.edition).language]
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
        for once in UsedOnce:
            seats = np.flatnonzero(state["used_once"] & once)
            yield from self._seats(
                {UsedOnce.LAND: "land", UsedOnce.SOLD: "sold"}.get(once, "villa"), seats
            )
        if state["captured"]:
            yield self.labels["captured"]
        yield from self._next()

    def _tiles_and_building(self) -> Iterator[str]:
        state, labels = self.state, self.labels
        kinds = (*TILES, "forest")
        for field in ("drawn", "taken"):
            is_shown_elsewhere = (
                field == "drawn" and state["decision_point"] == DecisionPoint.USE_TILE
            )
            if state[field] != NOBODY and not is_shown_elsewhere:
                yield f"{labels[field]}: {printed(self.edition, kinds[state[field]])}"
        if state["bought"] != NOBODY:
            yield f"{labels['bought']}: {printed(self.edition, BUILDINGS[state['bought']])}"

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
            yield labels["circuit_loads"].format(state["circuit_loads"])
        if state["captain_loaded"]:
            yield labels["captain_loaded"]
        for field in ("wharf_used", "small_wharf_used", "passed"):
            yield from self._seats(field, np.flatnonzero(state[field]))

    def _next(self) -> Iterator[str]:
        """Where the choices go on, where they come in a fixed order."""
        state, cursor = self.state, int(self.state["cursor"])
        points = [int(state["decision_point"]), *map(int, state["stack_point"][: state["depth"]])]
        if DecisionPoint.RAID in points:
            yield f"{self.labels['ship']} {cursor + 1}"
        elif cursor and DecisionPoint.PAY in points:
            yield self.labels["from"].format(self.words[_PAYMENTS[cursor]])
        elif cursor and any(point in _SPOT_POINTS for point in points):
            unit, spot = divmod(cursor, NUM_SPOTS)
            word = _spot(self.edition, spot)
            if unit == Unit.CITIZEN:
                word = f"{word} ({self.words['citizens']})"
            yield self.labels["from"].format(word)
        elif cursor and any(point in _GOOD_POINTS for point in points):
            goods = [printed(self.edition, good) for good in GOODS[cursor:]]
            yield self.labels["from"].format(goods[0] if goods else "-")

    def _by_seat(self, field: str) -> Iterator[str]:
        for seat in range(self.rules.players):
            if self.state[field][seat].any():
                label = f"{self.labels[field]} ({self.labels['player']} {seat})"
                yield f"{label}: {counted(self.edition, self.state[field][seat])}"

    def _counts(self, label: str, counts: Any) -> Iterator[str]:
        if counts.any():
            yield f"{self.labels[label]}: {counted(self.edition, counts)}"

    def _seats(self, label: str, seats: Iterable[int]) -> Iterator[str]:
        named = [f"{self.labels['player']} {seat}" for seat in seats]
        if named:
            yield f"{self.labels[label].format_map(self.words)}: {', '.join(named)}"


def counted(edition: str, counts: Iterable[int]) -> str:
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
