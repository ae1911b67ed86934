"""The draft of storage: how many barrels of each kind are kept (R-CAP-10, R-CAP-11)."""

from collections.abc import Iterable, Mapping
from typing import Any

from prico_env import Game
from prico_env.actions import KEEP, STORE
from prico_env.core.phases.storage import barrels_to_keep, kinds_to_store
from prico_env.vocabulary import GOODS, NUM_GOODS
from prico_training.ui.drafts.draft import Counts, Draft, DraftError, Place, Pool


class Storage(Draft):
    """How many barrels of each kind are kept, in warehouses and beside them."""

    kind = "storage"
    verbs = frozenset({"store", "keep"})

    @property
    def kinds(self) -> int:
        """How many kinds are kept whole."""
        return int(kinds_to_store(self.state, self.seat))

    @property
    def singles(self) -> int:
        """How many single barrels are kept besides."""
        return int(barrels_to_keep(self.state, self.seat))

    @property
    def is_single(self) -> bool:
        """Whether one barrel is all that may be kept."""
        return not self.kinds and self.singles == 1

    @property
    def rule(self) -> str:
        """How much may be kept."""
        if not self.kinds:
            return self.say("draft_storage_singles", singles=self.singles)
        return self.say("draft_storage_rule", kinds=self.kinds, singles=self.singles)

    def _held(self, good: int) -> int:
        return int(self.state["goods"][self.seat, good])

    def _places(self) -> Iterable[Place]:
        now = self._counts_in(self.game)
        for good in range(NUM_GOODS):
            if self._held(good):
                name = GOODS[good]
                yield Place(name, "barrel", name, now[name], self._held(good))

    def _pools(self) -> Iterable[Pool]:
        return ()

    def _counts_in(self, game: Game) -> Counts:
        state = game.state[0]
        return {
            GOODS[good]: self._held(good) if state["stored"][good] else int(state["kept"][good])
            for good in range(NUM_GOODS)
            if self._held(good)
        }

    def _result(self, game: Game) -> Counts:
        counts = dict(self.counts)
        for action in self._made(game):
            if STORE <= action < STORE + NUM_GOODS:
                counts[GOODS[action - STORE]] = self._held(action - STORE)
            elif KEEP <= action < KEEP + NUM_GOODS:
                counts[GOODS[action - KEEP]] += 1
        return counts

    def _problem(self, counts: Counts) -> str:
        whole = sorted(
            (counts[GOODS[good]] for good in range(NUM_GOODS) if self._is_whole(good, counts)),
            reverse=True,
        )
        if sum(counts.values()) - sum(whole[: self.kinds]) > self.singles:
            return self.say("draft_storage_many", rule=self.rule)
        return ""

    def _is_whole(self, good: int, counts: Mapping[str, int]) -> bool:
        return self._held(good) > 0 and counts[GOODS[good]] == self._held(good)

    def actions_to(self, counts: Mapping[str, int]) -> list[int]:
        """Return the decisions that keep these barrels; see `Draft.actions_to`."""
        wanted = self.checked(counts)
        if problem := self._limit_problem(wanted) or self._problem(wanted):
            raise DraftError(problem)
        actions = self._way(self.game, wanted)
        if actions is None:
            raise DraftError(self.say("draft_storage_few", rule=self.rule))
        return actions

    def _way(self, game: Game, wanted: Counts) -> list[int] | None:
        """The decisions from here that keep exactly these barrels, None if there are none.

        A kind can be stored or its barrels be kept one by one; the engine allows one way only.
        """
        for action in game.legal_actions():
            after = game.clone()
            after.step(action)
            kept = self._result(after)
            if self.is_ended(after, action):
                if kept == wanted:
                    return [action]
            elif all(kept[good] <= wanted[good] for good in kept):
                rest = self._way(after, wanted)
                if rest is not None:
                    return [action, *rest]
        return None

    def _next_action(self, game: Game, counts: Counts) -> int | None:
        way = self._way(game, counts)
        return way[0] if way else None

    def filled(self, counts: Mapping[str, int]) -> Counts:
        """Keep the most barrels, the dearest of those: whole kinds first, then single ones."""
        filled = self.checked(counts)
        price = self.rules.table[0]["good_price"]
        held = [good for good in range(NUM_GOODS) if self._held(good)]
        stored = [good for good in held if self._is_whole(good, filled)]
        stored.sort(key=self._held, reverse=True)
        rest = sum(filled.values()) - sum(self._held(good) for good in stored[: self.kinds])
        kinds = max(0, self.kinds - len(stored))
        best = sorted(held, key=lambda good: (-self._held(good), -int(price[good])))
        for good in [good for good in best if good not in stored][:kinds]:
            rest -= filled[GOODS[good]]
            filled[GOODS[good]] = self._held(good)
        for good in sorted(held, key=lambda good: -int(price[good])):
            more = min(self._held(good) - filled[GOODS[good]], max(0, self.singles - rest))
            filled[GOODS[good]] += more
            rest += more
        return filled

    def _sketch(self, state: Any, counts: Counts) -> None:
        for good in range(NUM_GOODS):
            if self._held(good):
                state["goods"][self.seat, good] = counts[GOODS[good]]
