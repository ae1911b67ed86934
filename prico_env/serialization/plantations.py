"""Plantations of a position: row, deck and discard, and what is printed on forests."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from prico_env.core.bank import shuffle_deck
from prico_env.core.rng import seed_rng
from prico_env.core.state import State
from prico_env.errors import PositionError
from prico_env.ruleset import RuleSet
from prico_env.serialization.fields import Reader, integer, is_list, is_name, number_of, sequence
from prico_env.vocabulary import DECK_SLOTS, GOODS, NOBODY, NUM_GOODS, DecisionPoint


class PlantationReader(Reader):
    """Lays out the plantations of a position whose islands and festival are set."""

    def __init__(self, rules: RuleSet, state: State, fields: Mapping[str, Any]) -> None:
        super().__init__(rules, state)
        self.fields = fields

    def read(self, shuffled: bool, seed: int) -> None:
        """Lay out row, discard and deck; in the draft nothing is shuffled yet and no row is up.

        Plantations that are named nowhere are in the deck.
        """
        seed_rng(self.state["rng"], seed)
        self._print_forests()
        self._read_piles(shuffled)
        deck = self.state["deck"][: self.state["deck_size"]]
        self.state["deck_tiles"][:] = np.bincount(deck, minlength=NUM_GOODS)

    def _print_forests(self) -> None:
        """Find kinds for forests that do not say theirs: those of which most lie nowhere else."""
        state = self.state
        if not self.has("buildings") or self.table["forest_source_is_own_stack_12"]:
            return
        missing = state["own_forests"] - state["forest_kinds"].sum(axis=1)
        if missing.any():
            left = self.table["plantations"] - self._plantations_of_seats() - self._in_hand()
            for block in ("row", "discard", "deck"):
                left = left - self._kinds_named(block)
            for seat in np.repeat(np.arange(len(missing)), np.maximum(missing, 0)).tolist():
                kind = int(left.argmax())
                state["forest_kinds"][seat, kind] += 1
                left[kind] -= 1
        if (too_many := (state["forest_blind"] > state["forest_kinds"]).any(axis=1)).any():
            raise PositionError(
                f"players[{too_many.argmax()}].forest_blind: more than the forests there are (I-04)"
            )

    def _plantations_of_seats(self) -> np.ndarray:
        """Plantations by kind on all islands, forests and the festival's tile included."""
        state = self.state
        kinds: np.ndarray = state["owned"][:, :NUM_GOODS].sum(axis=0)
        kinds = kinds + state["forest_kinds"].sum(axis=0)
        if state["festival_estate"] != NOBODY:
            kinds[state["festival_estate"]] += 1
        return kinds

    def _in_hand(self) -> np.ndarray:
        """The plantation that has been drawn and is not laid yet, by kind."""
        found = np.zeros(NUM_GOODS, dtype=np.int64)
        pending = self.fields.get("pending")
        if isinstance(pending, Mapping) and is_name(pending.get("point"), ("use_tile",)):
            if is_name(pending.get("drawn"), GOODS):
                found[GOODS.index(pending["drawn"])] = 1
        return found

    def _kinds_named(self, block: str) -> np.ndarray:
        """Plantations by kind in a block of counts or a list of kinds."""
        found = np.zeros(NUM_GOODS, dtype=np.int64)
        piles = self.fields.get(block, {})
        if isinstance(piles, Mapping):
            for kind, good in enumerate(GOODS):
                if isinstance(count := piles.get(good, 0), int | np.integer):
                    found[kind] = int(min(max(count, 0), DECK_SLOTS))
        elif is_list(piles):
            names = [name for name in piles if isinstance(name, str)]
            found[:] = [min(names.count(good), DECK_SLOTS) for good in GOODS]
        return found

    def _read_piles(self, shuffled: bool) -> None:
        """Read the piles; in the draft the deck is not shuffled yet and the row is empty."""
        state, fields = self.state, self.fields
        state["discard"][:] = 0
        self._read_pile("discard")
        state["deck"][:] = 0
        state["deck_size"] = 0
        elsewhere = state["discard"] + self._plantations_of_seats() + self._in_hand()
        state["row"][:] = 0
        if "row" in fields or not shuffled:
            self._read_pile("row")
            self._read_deck(self._left(elsewhere + state["row"]), shuffled)
        elif "deck" in fields:
            self._read_deck(None, shuffled)
            listed_kinds = np.bincount(state["deck"][: state["deck_size"]], minlength=NUM_GOODS)
            deck, size = state["deck"].copy(), int(state["deck_size"])
            self._deal_row(self._left(elsewhere + listed_kinds))
            state["deck"][:], state["deck_size"] = deck, size
        else:
            self._deal_row(self._left(elsewhere))

    def _left(self, elsewhere: np.ndarray) -> np.ndarray:
        """The plantations that lie nowhere else.

        A board made by hand may have too many of one kind; where islands give tiles back, there are
        fewer of the others then, so that all of them find room in the deck.
        """
        left: np.ndarray = np.maximum(self.table["plantations"] - elsewhere, 0)
        if self.has("citizens"):
            for _ in range(int(elsewhere.sum() + left.sum()) - DECK_SLOTS):
                left[left.argmax()] -= left.max() > 0
        return left

    def _read_pile(self, block: str) -> None:
        if block in self.fields:
            counts = self.count(self.state[block], self.fields[block], block, GOODS, "good")
            self.state[block] = counts

    def _deal_row(self, tiles: np.ndarray) -> None:
        """Shuffle these tiles into the deck and turn up a row."""
        self._fill_deck(tiles, shuffled=True)
        state = self.state
        for _ in range(min(int(self.table["row_size"]), int(state["deck_size"]))):
            state["deck_size"] -= 1
            state["row"][state["deck"][state["deck_size"]]] += 1
            state["deck"][state["deck_size"]] = 0

    def _fill_deck(self, tiles: np.ndarray, shuffled: bool) -> None:
        self.state["deck"][:] = 0
        self.state["deck_size"] = 0
        self.state["deck_tiles"][:] = 0
        kinds = np.repeat(np.arange(NUM_GOODS), np.maximum(tiles, 0))
        self.state["deck"][: len(kinds)] = kinds
        self.state["deck_size"] = len(kinds)
        self.state["deck_tiles"] = np.maximum(tiles, 0)
        if shuffled:
            shuffle_deck(self.state)

    def _read_deck(self, left: np.ndarray | None, shuffled: bool) -> None:
        """Read a deck in drawing order, or lay one out from counts or from what is left."""
        deck = self.fields.get("deck")
        if deck is None and left is not None:
            self._fill_deck(np.asarray(left), shuffled)
            return
        if isinstance(deck, Mapping):
            counts = np.zeros(NUM_GOODS, dtype=np.int64)
            for name, value in deck.items():
                kind = number_of(name, GOODS, f"deck.{name}", "plantation")
                counts[kind] = integer(value, f"deck.{name}", np.int8, lowest=0)
            self._check_deck_size(int(counts.sum()))
            self._fill_deck(counts, shuffled)
            return
        names = sequence(deck, "deck")
        self._check_deck_size(len(names))
        kinds = [
            number_of(name, GOODS, f"deck[{place}]", "plantation")
            for place, name in enumerate(names)
        ]
        self.state["deck"][: len(kinds)] = kinds[::-1]
        self.state["deck_size"] = len(kinds)

    def _check_deck_size(self, tiles: int) -> None:
        if tiles > DECK_SLOTS:
            raise PositionError(
                f"deck: {tiles} plantations, {tiles - DECK_SLOTS} more than the game has (I-04)"
            )

    def check_room(self) -> None:
        """Every plantation that may come to the deck must find room there (R-STL-13).

        Those on islands may where there are citizens (R-LND-4, R-LDG-4), else the festival's one.
        """
        state, where = self.state, "row, deck and discard"
        tiles = int(state["row"].sum()) + int(state["discard"].sum()) + int(state["deck_size"])
        tiles += int(state["decision_point"] == DecisionPoint.USE_TILE and state["drawn"] != NOBODY)
        if self.has("citizens"):
            where = "row, deck, discard and islands"
            tiles += int(self._plantations_of_seats().sum())
        else:
            tiles += int(state["festival_estate"] != NOBODY)
        if tiles > DECK_SLOTS:
            raise PositionError(
                f"{where}: {tiles} plantations, {tiles - DECK_SLOTS} more than the game has (I-04)"
            )
