"""Explanation cards: what a place of the board does, costs and would bring now, and why not.

A card belongs to an anchor of the drawing (`render.anchors`). What an action would bring is never
worked out here: a copy of the game takes the action, and the card says what the seat has gained and
lost. What depends on a phase that is not being played comes from a copy that stands in that phase.
Copies are dealt anew behind what the seat can see, so a card knows no more than its reader.
"""

import dataclasses
import functools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from prico_env.actions import (
    BOARD_ACTION,
    BUILD_ACTION,
    IDS,
    NUM_ACTIONS,
    PASS,
    SELL,
    TARGET,
    block_of,
)
from prico_env.arguments import instance, numbered, words as checked_words
from prico_env.core.phases import builder, draft
from prico_env.errors import IllegalActionError, PricoError, did_you_mean, quoted
from prico_env.game import Game
from prico_env.reference.rulebook import Rule, find_rules, rules_about
from prico_env.render.anchors import anchor_of
from prico_env.ruleset import RuleSet
from prico_env.text.actions import describe_action
from prico_env.text.illegality import first_failed
from prico_env.text.localization import edition_words, language_of
from prico_env.text.phase_state import describe_goods
from prico_env.text.position import (
    can_see_drawn,
    can_see_vp,
    drawn_tile,
    forest_kinds,
    unseen_plantations,
)
from prico_env.text.rules_summary import building_effect, rule_paragraph
from prico_env.text.seats import seat_name
from prico_env.text.terms import Words, capital, count_of, printed
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    DECISION_POINTS,
    GOODS,
    HOUSE_SLOTS,
    ISLAND_SPACES,
    NOBODY,
    NOT_IN_PLAY,
    NUM_BUILDINGS,
    NUM_CROP_BUILDINGS,
    NUM_GOODS,
    NUM_TILES,
    PHASES,
    QUARRY,
    ROLES,
    TILES,
    DecisionPoint,
    Phase,
)

_WHAT: Final = "what is explained is a Game"
_MINUS: Final = "−"
_MOST_REASONS: Final = 8
_MOST_OUTCOMES: Final = 40
_MOST_STEPS: Final = 400
"""Decisions tried at most in finding out what storage would lose."""
_DRAWS: Final = ("draw", "land")
"""Verbs of actions that may draw a tile from the deck."""
_ASIDE: Final = ("pay", "pay_good", "pay_vp", "hospice", "guest")
"""Verbs of actions that nobody expects at their place but in their own moment."""
_FESTIVAL: Final = 3
"""Tiles that a goal of the festival asks for, and units, coins or VP that it brings (R-FES-2)."""


class Fact(NamedTuple):
    """A figure with its label: ``("list price", "8 coins")``."""

    label: str
    value: str


class ActionOutcome(NamedTuple):
    """What an action that is allowed would bring the seat at once.

    Attributes:
        action: The action number.
        words: What it does, in the edition's words.
        changes: What the seat has more or less of right after it, ``"+3 VP"``, ``"-1 sugar"``.
        notes: What else is to be known: chance, or what storage would lose.
    """

    action: int
    words: str
    changes: tuple[str, ...]
    notes: tuple[str, ...] = ()


class Refusal(NamedTuple):
    """Why something cannot be done here: what it would be, empty for everything, and the reason."""

    words: str
    reason: str


@dataclass(frozen=True)
class Card:
    """Everything there is to say about a place of the board, in sentences.

    Attributes:
        anchor: The place, as the drawing names it.
        kind: What sort of place it is: ``"role"``, ``"shop"``, ``"ship"`` ...
        title: What it is called.
        sort: The sort of place in words.
        effect: What it does, a sentence or paragraph each.
        facts: Its figures now.
        outcomes: What each allowed action there would bring.
        refusals: Why other actions there are not allowed.
        rules: The rules about it, as the rulebook numbers them.
    """

    anchor: str
    kind: str
    title: str
    sort: str
    effect: tuple[str, ...]
    facts: tuple[Fact, ...] = ()
    outcomes: tuple[ActionOutcome, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    rules: tuple[Rule, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the card as plain values for JSON."""
        parts = ("facts", "outcomes", "refusals", "rules")
        return {
            **{field.name: getattr(self, field.name) for field in dataclasses.fields(self)},
            **{part: [one._asdict() for one in getattr(self, part)] for part in parts},
        }

    def lines(self, edition: str | None = None) -> list[str]:
        """Return the card as lines of text, without the text of the rules.

        Args:
            edition: What is played, in whose language the lines are put together unless another
                is spoken.
        """
        colon = language_of(edition).labels["colon"]
        return [
            f"{self.title} · {self.sort}",
            *self.effect,
            *(f"  {label}{colon}{value}" for label, value in self.facts),
            *(f"  {outcome_line(one, edition)}" for one in self.outcomes),
            *(f"  ✗ {refusal_line(refusal, edition)}" for refusal in self.refusals),
        ]


def outcome_line(outcome: ActionOutcome, edition: str | None = None) -> str:
    """Write an outcome on a line: ``"Trader: sell sugar (3 coins): +3 coins, -1 sugar"``."""
    colon = language_of(edition).labels["colon"]
    said = ", ".join(outcome.changes)
    return ". ".join([f"{outcome.words}{colon}{said}" if said else outcome.words, *outcome.notes])


def refusal_line(refusal: Refusal, edition: str | None = None) -> str:
    """Write a refusal on a line."""
    words, reason = refusal
    colon = language_of(edition).labels["colon"]
    return f"{words}{colon}{reason}" if words else reason


def card(game: Game, anchor: str, seat: int | None) -> Card:
    """Explain a place of the board to a seat.

    >>> shown = card(Game(RuleSet(3, "classic"), seed=7), "ship-1", 0)
    >>> shown.title, shown.facts[0]
    ('Ship 1', Fact(label='loaded', value='0/4'))

    Args:
        game: The game; it is not changed.
        anchor: The place, as `render_svg` names it by ``data-anchor``.
        seat: Who reads it; None for somebody who only watches. What seats are called, and in which
            language it is written, is a matter of `named_seats` and `override`.

    Raises:
        PricoError: There is no such place, or no such seat.
    """
    instance(game, Game, _WHAT)
    if seat is not None:
        seat = numbered(seat, "seat", game.rules.players)
    checked_words(anchor, "a place of the board")
    kind, _, word = anchor.partition("-")
    writer = _Writer(game, anchor, seat)
    write = _PLACES.get(kind)
    found = write(writer, word) if write is not None else None
    if found is None:
        known = [*_actions_at(game.rules, seat or 0), *_PLACES]
        raise PricoError(
            f"no place of this board is called {quoted(anchor)}{did_you_mean(anchor, known)}"
        )
    return dataclasses.replace(found, outcomes=writer.outcomes(), refusals=writer.refusals())


def building_card(game: Game, building: int, seat: int | None) -> Card:
    """Explain a building of a game: where the seat has it that one, else the one for sale.

    Raises:
        PricoError: It is not in this game.
    """
    instance(game, Game, _WHAT)
    building = numbered(building, "building", NUM_BUILDINGS)
    if seat is not None:
        seat = numbered(seat, "seat", game.rules.players)
    table: Any = game.rules.table[0]
    if not table["copies"][building] and not table["draft_pool"][building]:
        name = printed(game.rules.edition, BUILDINGS[building])
        raise PricoError(f"{name} is not in this game: {game.rules!r}")
    has_it = seat is not None and game.state[0]["owned"][seat, NUM_TILES + building] > 0
    place = f"city-{seat}" if has_it else "shop"
    return card(game, f"{place}-{BUILDINGS[building]}", seat)


def action_outcome(game: Game, action: int) -> ActionOutcome:
    """Say what an allowed action would bring the seat to act at once, played on a copy.

    Raises:
        IllegalActionError: It is not allowed now; says why.
    """
    instance(game, Game, _WHAT)
    action = numbered(action, "action", NUM_ACTIONS, IllegalActionError)
    if action not in game.legal_actions():
        game.clone().step(action)  # which says why not
    return _Writer(game, "", game.turn).outcome(action)


# -- copies of the game ----------------------------------------------------------------------------


def _in_phase(game: Game, phase: str, seat: int, actor: int) -> Game:
    """Return a copy that stands at the turn of a seat in a phase, and remembers no other.

    Cards that were taken are free again and have no coins, so that only the phase itself counts.
    No decision is skipped, so that what follows of itself can be told from what a choice brings.
    """
    position = game.to_dict()
    position["rules"] = {**position["rules"], "skip_forced": False}
    for key in ("pending", "turn", "actor"):
        position.pop(key, None)
    position["phase"], position["turn"] = phase, seat
    if phase != "role":
        position["actor"] = actor
    position["roles"] = {card: {"coins": 0, "taken_by": None} for card in position["roles"]}
    if "smuggler" in position:
        position["smuggler"] = {"tile": None, "captured": {}}
    return type(game).from_dict(position, 0, check=False)


def _holdings(game: Game, seat: int) -> Counter[str]:
    """What a seat has, as counts by the word for them."""
    state: Any = game.state[0]
    found: Counter[str] = Counter(
        vp=int(state["vp"][seat]),
        coin=int(state["coins"][seat]),
        worker=int(state["portrait_workers"][seat] + state["workers"][seat].sum()),
        citizen=int(state["portrait_citizens"][seat] + state["citizens"][seat].sum()),
        plantation=int(state["owned"][seat, :NUM_GOODS].sum()),
        quarry=int(state["owned"][seat, QUARRY]),
        forest=int(state["own_forests"][seat]),
        score=game.scores()[seat],
    )
    for good, name in enumerate(GOODS):
        found[name] = int(state["goods"][seat, good])
    return found


def _difference(after: Mapping[str, int], before: Mapping[str, int]) -> Counter[str]:
    """What there is more or less of, without what stayed the same."""
    return Counter({key: after[key] - before[key] for key in before if after[key] != before[key]})


def _losses(game: Game, seat: int) -> Counter[str] | int:
    """What storage takes from a seat at the least, from where it chooses on.

    Returns:
        The barrels by kind if there is one way to lose so few, else only how many.
    """
    goods = game.state[0]["goods"][seat].copy()
    left: list[tuple[int, ...]] = []
    steps = 0

    def explore() -> None:
        nonlocal steps
        if game.turn != seat or game.state[0]["decision_point"] != DecisionPoint.STORE:
            left.append(tuple(int(lost) for lost in goods - game.state[0]["goods"][seat]))
            return
        for action in game.legal_actions():
            if steps == _MOST_STEPS:
                return
            steps += 1
            here = game.snapshot()
            game.step(action)
            explore()
            game.restore(here)

    explore()
    fewest = min(map(sum, left), default=0)
    ways = {lost for lost in left if sum(lost) == fewest}
    if len(ways) == 1:
        return Counter({GOODS[good]: lost for good, lost in enumerate(ways.pop()) if lost})
    return fewest


def _storage_losses(game: Game, seat: int) -> Counter[str] | int:
    """Say what a seat would lose at the least if storage came now: by kind, or how many barrels.

    >>> goods, players = {"sugar": 8}, [{"goods": {"sugar": 3}}, {}, {}, {}]
    >>> game = Game.from_dict({"phase": "role", "goods": goods, "players": players}, check=False)
    >>> _storage_losses(game, 0)
    Counter({'sugar': 2})
    """
    if not game.state[0]["goods"][seat].any():
        return Counter()
    stored = _in_phase(game, "storage", seat, seat)
    return _losses(stored, seat)


def _production_of(game: Game, seat: int) -> Counter[str]:
    """Say what a seat would have more of if it produced now, first of all, as the craftsman.

    The barrel of the privilege is not counted: it is chosen afterwards.
    """
    copy = _in_phase(game, "role", seat, seat)
    before = _holdings(copy, seat)
    copy.step("role:craftsman")
    _run_through(copy, "craftsman", (DecisionPoint.CRAFTSMAN_PRIVILEGE,))
    made = _difference(_holdings(copy, seat), before)
    return Counter({key: made[key] for key in ("coin", "vp", *GOODS) if made[key] > 0})


def _run_through(game: Game, phase: str, stops: Collection[DecisionPoint]) -> None:
    """Take what is offered and decline all else, until one of the points or the end of a phase."""
    while game.phase == phase and game.state[0]["decision_point"] not in stops:
        legal = game.legal_actions()
        game.step(IDS["gain"] if IDS["gain"] in legal else PASS if PASS in legal else legal[0])


def _arrivals_of(game: Game, seat: int) -> int:
    """How many units would come to a seat if it took the mayor's card now."""
    copy = _in_phase(game, "role", seat, seat)
    before = _holdings(copy, seat)
    copy.step("role:mayor")
    _run_through(copy, "mayor", (DecisionPoint.RECALL, DecisionPoint.PLACE))
    come = _difference(_holdings(copy, seat), before)
    return come["worker"] + come["citizen"]


def _loads_of(game: Game, seat: int, actor: int) -> dict[str, int]:
    """The VP that a seat would gain with one load now, the most for each kind of barrels."""
    turn = _in_phase(game, "captain", seat, actor)
    found: dict[str, int] = {}
    for action in turn.legal_actions():
        if block_of(action).verb == "load" and turn.turn == seat:
            copy = turn.clone()
            copy.step(action)
            while copy.turn == seat and IDS["gain"] in copy.legal_actions():
                copy.step("gain")
            gained = _difference(_holdings(copy, seat), _holdings(turn, seat))["vp"]
            good = copy.name(action).split(":")[1]
            found[good] = max(gained, found.get(good, 0))
    return found


# -- what is written -------------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def _actions_at(rules: RuleSet, seat: int) -> Mapping[str, tuple[int, ...]]:
    """The actions of each anchor, for a seat."""
    found: dict[str, list[int]] = {}
    for action in range(rules.num_actions):
        if not rules.lacks(block_of(action)):
            found.setdefault(anchor_of(rules, action, seat), []).append(action)
    return {anchor: tuple(actions) for anchor, actions in found.items()}


class _Writer:
    """Writes the card of one anchor for one seat."""

    def __init__(self, game: Game, anchor: str, seat: int | None) -> None:
        self.game, self.anchor, self.seat = game, anchor, seat
        self.rules = game.rules
        self.edition = game.rules.edition
        self.table: Any = game.rules.table[0]
        self.state: Any = game.state[0]
        self.language = language_of(self.edition)
        self.colon = self.language.labels["colon"]
        # What is tried out is tried on a copy that holds nothing the reader cannot see.
        self.open = game.determinize(0 if seat is None else seat, 0)
        self.is_draft = self.state["phase"] == Phase.DRAFT
        self.has_begun = not self.is_draft and not game.over

    # -- words -------------------------------------------------------------------------------------

    def say(self, key: str, **figures: object) -> str:
        """A sentence of the cards, in the words of the edition."""
        words = Words(self.edition, **figures)
        return self.language.finish(self.language.cards[key].format_map(words))

    def word(self, engine_name: str) -> str:
        """A printed word."""
        return capital(printed(self.edition, engine_name))

    def term(self, name: str) -> str:
        """A general word of the edition, as a title has it."""
        return capital(str(Words(self.edition)[name]))

    def label(self, name: str) -> str:
        """A word around the board."""
        return self.language.labels[name]

    def count(self, what: str, count: int) -> str:
        """So many of a thing: ``"2 coins"``, ``"3 sugar"``."""
        if what in GOODS:
            return f"{count} {printed(self.edition, what)}"
        return count_of(Words(self.edition), what, count)

    def counts(self, things: Counter[str] | int) -> str:
        """Several counts, or so many barrels; "nothing" where there is none."""
        if isinstance(things, int):
            return self.count("barrel", things) if things else self.label("nothing")
        listed = [self.count(what, count) for what, count in things.items() if count]
        return ", ".join(listed) or self.label("nothing")

    def name(self, seat: int) -> str:
        """What a seat is called."""
        if seat == NOBODY:
            return self.label("nobody")
        return seat_name(self.edition, seat)

    def fact(self, key: str, value: object, **figures: object) -> Fact:
        """A figure with its label."""
        return Fact(self.say(f"fact_{key}", **figures), str(value))

    def made(
        self,
        kind: str,
        title: str,
        effect: Iterable[str],
        facts: Iterable[Fact] = (),
        rules: Iterable[Rule] = (),
        **figures: object,
    ) -> Card:
        """A card."""
        sort = self.say(f"sort_{kind}", **figures)
        said = tuple(map(capital, effect))
        return Card(self.anchor, kind, title, sort, said, tuple(facts), rules=tuple(rules))

    def rule(self, key: str) -> str:
        """A paragraph of the rules in short."""
        return rule_paragraph(self.rules, key)

    # -- what can be done there --------------------------------------------------------------------

    def outcomes(self) -> tuple[ActionOutcome, ...]:
        """What each allowed action of the place would bring the reader, if it is their turn."""
        if self.seat is None or self.game.turn != self.seat:
            return ()
        here = [
            action
            for action in self.game.legal_actions()
            if anchor_of(self.game, action, self.seat) == self.anchor
        ]
        return tuple(map(self.outcome, here[:_MOST_OUTCOMES]))

    def outcome(self, action: int) -> ActionOutcome:
        """What an allowed action would bring the seat to act."""
        seat = self.game.turn
        before = _holdings(self.open, seat)
        after: list[Counter[str]] = []
        note: list[str] = []
        for copy in self._futures(action):
            copy.step(action)
            after.append(_difference(_holdings(copy, seat), before))
        sure = Counter({key: n for key, n in after[0].items() if all(n == d[key] for d in after)})
        if len(after) > 1:
            note.append(self.say("chance"))
        else:
            note += self._stored(copy, seat, action)
        words = self.game.describe(action)
        return ActionOutcome(action, words, tuple(self._changes(sure)), tuple(note))

    def _futures(self, action: int) -> Iterator[Game]:
        """Copies in which to take an action: one, or one for each kind of tile it may draw."""
        deck_size = int(self.open.state[0]["deck_size"])
        may_draw = block_of(action).verb in _DRAWS
        kinds = np.flatnonzero(self.open.state[0]["deck_tiles"]) if may_draw and deck_size else [-1]
        for kind in kinds:
            copy = self.open.clone()
            if kind >= 0:
                deck = copy.state[0]["deck"]
                place = int(np.flatnonzero(deck[:deck_size] == kind)[0])
                deck[[place, deck_size - 1]] = deck[[deck_size - 1, place]]
            yield copy

    def _stored(self, after: Game, seat: int, action: int) -> Iterator[str]:
        """What storage takes after an action, where it is still to come."""
        if after.phase == "storage" and after.turn == seat:
            lost = _losses(after, seat)
            if lost:
                yield self.say("will_lose", things=self.counts(lost))
        elif after.phase == "captain" and "captain" in block_of(action).phases:
            lost = _storage_losses(after, seat)
            if lost:
                yield self.say("would_lose", things=self.counts(lost))

    def _changes(self, difference: Counter[str]) -> Iterator[str]:
        """Differences in words: points first, those of the score only where no chip shows them."""
        order = ("vp", "score", "coin", *GOODS, "worker", "citizen", "plantation", "quarry")
        for what in (*order, "forest"):
            change = difference[what]
            if not change or (what == "score" and change == difference["vp"]):
                continue
            sign = "+" if change > 0 else _MINUS
            key = "vp" if what == "score" else what
            said = f"{sign}{self.count(key, abs(change))}"
            yield self.say("in_score", change=said) if what == "score" else said

    def refusals(self) -> tuple[Refusal, ...]:
        """Why other actions of the place are not allowed to the reader."""
        game, seat = self.game, self.seat
        actions = _actions_at(self.rules, seat).get(self.anchor, ()) if seat is not None else ()
        if game.over or seat is None or not actions:
            return ()
        if game.turn != seat:
            return (Refusal("", self.say("not_your_turn", name=self.name(game.turn))),)
        legal = set(game.legal_actions())
        illegal = [action for action in actions if action not in legal]
        phase = PHASES[self.state["phase"]]
        asked = [one for one in illegal if phase in block_of(one).phases]
        if not asked and len(illegal) == len(actions):
            asked = [one for one in illegal if block_of(one).verb not in _ASIDE][:1]
        found: dict[str, Refusal] = {}
        for action in asked:
            reason = first_failed(self.rules, self.state, action)
            if reason is not None and reason not in found:
                found[reason] = Refusal(describe_action(self.rules, action), reason)
        return tuple(found.values())[:_MOST_REASONS]

    # -- cards of roles ----------------------------------------------------------------------------

    def role(self, word: str) -> Card | None:
        """A role card: what its phase does, the privilege, and who has it."""
        if word not in ROLES or self.state["role_owner"][ROLES.index(word)] == NOT_IN_PLAY:
            return None
        role = ROLES.index(word)
        owner, captor = (int(self.state[f"role_{whose}"][role]) for whose in ("owner", "captor"))
        key = "prospector_1" if word.startswith("prospector") else word
        facts = [self.fact("on_card", self.count("coin", int(self.state["role_coins"][role])))]
        if owner >= 0:
            facts.append(self.fact("taken", self.name(owner)))
        if captor != NOBODY:
            facts.append(Fact(self.label("captured"), self.name(captor)))
        facts += self._of_role(word)
        return self.made(
            "role", self.word(word), [self.rule(key)], facts, _family(_ROLE_RULES[key])
        )

    def _of_role(self, word: str) -> Iterator[Fact]:
        """What a role would bring the reader now."""
        if self.seat is None or not self.has_begun:
            return
        if word == "craftsman":
            yield from self._production(self.seat)
        elif word == "mayor":
            yield self.fact("arrivals", _arrivals_of(self.open, self.seat))
        elif word == "trader":
            for good in np.flatnonzero(self.state["goods"][self.seat]):
                yield from self._sale(self.seat, int(good))
        elif word == "captain":
            yield from self._loads(self.seat)
            if self.state["goods"][self.seat].any():
                yield self.fact("storage", self.counts(_storage_losses(self.open, self.seat)))
        elif word == "builder":
            turn = _in_phase(self.open, "builder", self.seat, self.seat)
            legal = [
                BUILDINGS[TARGET[one]]
                for one in turn.legal_actions()
                if block_of(one).verb == "build"
            ]
            things = ", ".join(map(self.word, legal)) or self.label("nothing")
            yield self.fact("could_build", things)

    def _loads(self, actor: int) -> Iterator[Fact]:
        """What a load of each kind would bring the reader now."""
        if self.seat is not None and self.has_begun:
            for good, vp in _loads_of(self.open, self.seat, actor).items():
                yield self.fact("loads", self.count("vp", vp), word=self.word(good))

    def _production(self, seat: int | None) -> Iterator[Fact]:
        """What a seat would produce now."""
        if seat is not None and self.has_begun:
            things = self.counts(_production_of(self.open, seat))
            yield self.fact("production", things, name=self.name(seat))

    # -- cards of buildings ------------------------------------------------------------------------

    def shop(self, word: str) -> Card | None:
        """A building for sale, or to be chosen: what it does, its figures and its price now."""
        if word not in BUILDINGS:
            return None
        number = BUILDINGS.index(word)
        if not self.table["copies"][number] and not self.table["draft_pool"][number]:
            return None
        is_choice = self.is_draft and bool(self.table["draft_pool"][number])
        facts = [*self._price(number), *self._figures(number)]
        if is_choice:
            facts += self._draft(number)
        else:
            facts += [self.fact("left", int(self.state["building_supply"][number]))]
            facts += self._chance_to_build(number)
        return self._building("draft" if is_choice else "shop", number, facts)

    def city(self, word: str) -> Card | None:
        """A building that somebody has, or the free spaces of a city."""
        owner, building = self._owned(word)
        if owner is None:
            return None
        if not building:
            free = CITY_SPACES - int(self.state["city_used"][owner])
            facts = [self.fact("free", f"{free}/{CITY_SPACES}")]
            effect = [self.rule("spaces"), self.rule("end")]
            return self.made("city", self.term("city"), effect, facts, name=self.name(owner))
        if building not in BUILDINGS or not self.state["owned"][owner][_spot_of(building)]:
            return None
        number = BUILDINGS.index(building)
        facts = [*self._staff(owner, number), *self._score_of(owner, building)]
        if number < NUM_CROP_BUILDINGS:
            facts += self._production(owner)
        return self._building("built", number, [*facts, *self._figures(number)], owner)

    def _building(
        self, kind: str, number: int, facts: Iterable[Fact], owner: int | None = None
    ) -> Card:
        name = "" if owner is None else self.name(owner)
        effect = [building_effect(self.rules, number)]
        return self.made(
            kind, self.word(BUILDINGS[number]), effect, facts, rules_about(number), name=name
        )

    def _price(self, number: int) -> Iterator[Fact]:
        """The list price, and what the reader would pay now and as the builder."""
        coins = functools.partial(self.count, "coin")
        yield self.fact("list_price", coins(int(self.table["cost"][number])))
        if self.seat is None or not self.has_begun:
            return
        is_builder = self.state["phase"] == Phase.BUILDER
        actor = int(self.state["actor"]) if is_builder else NOBODY
        now = self._price_of(number, self.seat, actor)
        as_builder = self._price_of(number, self.seat, self.seat)
        yield self.fact("price", coins(now))
        if as_builder != now:
            yield self.fact("as_actor", coins(as_builder), role=self.word("builder"))
        saved = self._price_of(number, self.seat, actor, without_quarries=True) - now
        if saved:
            yield self.fact("quarries_save", coins(saved))
        barter = int(builder.barter(self.table, self.state, self.seat))
        if barter and now > self.state["coins"][self.seat]:
            yield self.fact("barter", coins(barter))

    def _price_of(
        self, number: int, seat: int, actor: int, *, without_quarries: bool = False
    ) -> int:
        """What a building would cost a seat in the phase of an actor."""
        state = self.state.copy()
        state["actor"] = actor
        if without_quarries:
            state["workers"][seat, QUARRY] = state["citizens"][seat, QUARRY] = 0
        return int(builder.price(self.table, state, seat, number))

    def _figures(self, number: int) -> Iterator[Fact]:
        """What is printed on a building."""
        table, words = self.table, Words(self.edition)
        yield self.fact("worth", self.count("vp", int(table["vp"][number])))
        if self.seat is None or not self.has_begun:
            yield self.fact("column", int(table["column"][number]))
        yield Fact(str(words["circles"]), str(int(table["circles"][NUM_TILES + number])))
        if table["spaces"][number] > 1:
            yield self.fact("takes_spaces", int(table["spaces"][number]))

    def _draft(self, number: int) -> Iterator[Fact]:
        """Whether a type may still be chosen, and what else could not be then."""
        cost = int(self.table["cost"][number])
        left = int(draft.slots_left(self.table, self.state, cost))
        yield self.fact("slots", left, cost=self.count("coin", cost))
        if draft.is_chosen(self.state, number):
            yield self.fact("chosen", self.say("yes"))
            return
        after = self.state.copy()
        after["board"][number] = 1
        others = [
            BUILDINGS[other]
            for other in np.flatnonzero(self.table["draft_pool"]).tolist()
            if other != number
            and self._may_choose(self.state, other)
            and not self._may_choose(after, other)
        ]
        if others:
            yield self.fact("excludes", ", ".join(map(self.word, others)))

    def _may_choose(self, state: Any, building: int) -> bool:
        return first_failed(self.rules, state, BOARD_ACTION[building]) is None

    def _chance_to_build(self, number: int) -> Iterator[Fact]:
        """Whether the reader could buy a building if it were their turn to build."""
        if self.seat is None or not self.has_begun:
            return
        is_asked = self.state["decision_point"] == DecisionPoint.BUY
        if is_asked and self.game.turn == self.seat:
            return
        turn = _in_phase(self.open, "builder", self.seat, (self.seat + 1) % self.rules.players)
        reason = first_failed(self.rules, turn.state[0], BUILD_ACTION[number])
        yield self.fact("if_building", reason or self.say("yes"))

    def _staff(self, owner: int, number: int) -> Iterator[Fact]:
        spot = NUM_TILES + number
        units = int(self.state["workers"][owner, spot] + self.state["citizens"][owner, spot])
        circles = int(self.table["circles"][spot])
        if circles:
            works = self.say("works" if units else "idle")
            yield self.fact("staffed", f"{units}/{circles}{self.colon}{works}")

    def _score_of(self, owner: int, building: str) -> Iterator[Fact]:
        """What a building brings at the end as things stand, where it scores by itself."""
        parts = self.game.score_table()[owner]
        if building in parts and can_see_vp(self.rules, self.state, self.seat, owner):
            yield self.fact("scores", self.count("vp", parts[building]))

    # -- cards of tiles ----------------------------------------------------------------------------

    def row(self, word: str) -> Card | None:
        """A plantation face up."""
        if word not in GOODS:
            return None
        good = GOODS.index(word)
        unseen = int(unseen_plantations(self.rules, self.state, self.seat)[good])
        facts = [
            self.fact("in_row", int(self.state["row"][good])),
            self.fact("unseen", unseen),
            *self._own_tiles(good),
        ]
        return self.made("row", self._tile_title(word), [self._tile(word)], facts, _family("R-STL"))

    def quarries(self, word: str) -> Card | None:
        """The quarries left."""
        facts = [self.fact("left", int(self.state["quarries"])), *self._own_tiles(QUARRY)]
        rules = find_rules("R-STL-2") + find_rules("R-BLD-5")
        return self.made("stack", self.term("quarries"), [self._tile("quarry")], facts, rules)

    def forests(self, word: str) -> Card | None:
        """The forests left, where they have a stack."""
        facts = [self.fact("left", int(self.state["forests"]))]
        effect = [self._tile("forest")]
        return self.made("stack", self.term("forests"), effect, facts, _family("R-FOH"))

    def deck(self, word: str) -> Card | None:
        """The plantations face down: how many, and which kinds are unseen."""
        unseen = unseen_plantations(self.rules, self.state, self.seat)
        facts = [
            self.fact("left", int(self.state["deck_size"])),
            self.fact("unseen", describe_goods(self.edition, unseen)),
        ]
        effect = [self.say("deck")]
        return self.made("deck", self.term("deck"), effect, facts, find_rules("R-STL-13"))

    def discard(self, word: str) -> Card | None:
        """The plantations laid aside."""
        laid = self.state["discard"]
        things = describe_goods(self.edition, laid) if laid.any() else self.label("nothing")
        facts = [self.fact("there", things)]
        return self.made(
            "deck", self.term("discard"), [self.say("discard")], facts, find_rules("R-STL-13")
        )

    def drawn(self, word: str) -> Card | None:
        """A tile in somebody's hand."""
        kind = drawn_tile(self.state)
        if kind == NOBODY:
            return None
        is_seen = can_see_drawn(self.state, self.seat)
        title = self._tile_title(TILES[kind]) if is_seen else capital(self.label("drawn"))
        effect = [*([self._tile(TILES[kind])] if is_seen else []), self.say("drawn")]
        return self.made("drawn", title, effect, (), find_rules("R-FOH-3"))

    def _own_tiles(self, kind: int) -> Iterator[Fact]:
        """How many tiles of a kind the reader has, and how many of them work."""
        if self.seat is not None:
            tiles = int(self.state["owned"][self.seat, kind])
            on = int(
                self.state["workers"][self.seat, kind] + self.state["citizens"][self.seat, kind]
            )
            yield self.fact("yours", tiles)
            if tiles:
                yield self.fact("staffed", f"{on}/{tiles}")

    def _tile_title(self, word: str) -> str:
        if word not in GOODS:
            return self.word(word)
        return capital(
            self.label("tile_of_good").format_map(Words(self.edition, word=self.word(word)))
        )

    def _tile(self, word: str) -> str:
        """What a tile of a kind does."""
        if word not in GOODS or word == "corn":
            return self.say(f"tile_{word}")
        crops = self.table["crop"][:NUM_CROP_BUILDINGS]
        plants = np.flatnonzero(crops == GOODS.index(word))
        named = " / ".join(self.word(BUILDINGS[plant]) for plant in plants)
        return self.say("tile_good", word=self.word(word), plants=named)

    def island(self, word: str) -> Card | None:
        """Tiles of a kind that somebody has, or the free spaces of an island."""
        owner, tile = self._owned(word)
        if owner is None:
            return None
        if not tile:
            free = ISLAND_SPACES - int(self.state["island_used"][owner])
            facts = [self.fact("free", f"{free}/{ISLAND_SPACES}")]
            effect = [self.rule("spaces")]
            return self.made("island", self.term("island"), effect, facts, name=self.name(owner))
        if tile == "forest":
            return self._forests_of(owner)
        if tile not in TILES or not self.state["owned"][owner, TILES.index(tile)]:
            return None
        kind = TILES.index(tile)
        tiles = int(self.state["owned"][owner, kind])
        units = int(self.state["workers"][owner, kind] + self.state["citizens"][owner, kind])
        facts = [self.fact("there", tiles), self.fact("staffed", f"{units}/{tiles}")]
        if tile in GOODS:
            facts += self._production(owner)
        title, name = self._tile_title(tile), self.name(owner)
        return self.made("tile", title, [self._tile(tile)], facts, _family("R-STL"), name=name)

    def _forests_of(self, owner: int) -> Card | None:
        forests = int(self.state["own_forests"][owner])
        if not forests:
            return None
        public, own = forest_kinds(self.state, self.seat, owner)
        facts = [self.fact("there", forests)]
        if (public + own).any():
            facts.append(self.fact("known", describe_goods(self.edition, public + own)))
        title, name = self.term("forests"), self.name(owner)
        return self.made("tile", title, [self._tile("forest")], facts, _family("R-FOH"), name=name)

    # -- cards of ships, house and supplies --------------------------------------------------------

    def ship(self, word: str) -> Card | None:
        """A cargo ship: what it carries."""
        ship = _number(word, int(self.table["num_ships"]) + 1)
        if not ship:
            return None
        size, load = (int(one) for one in (self.table["ship_size"][ship - 1], self._load(ship)))
        good = int(self.state["ship_good"][ship - 1])
        kind = "" if good == NOBODY else f" {self.word(GOODS[good])}"
        facts = [self.fact("loaded", f"{load}/{size}{kind}")]
        if self.seat is not None and self.state["phase"] != Phase.CAPTAIN:
            facts += self._loads((self.seat + 1) % self.rules.players)
        title = f"{capital(self.label('ship'))} {ship}"
        effect = [self.say("ship", size=size)]
        return self.made(
            "ship", title, effect, facts, [*find_rules("R-CAP-2"), *find_rules("R-CAP-3")]
        )

    def _load(self, ship: int) -> int:
        return int(self.state["ship_load"][ship - 1])

    def house(self, word: str) -> Card | None:
        """The trading house: what it holds, and what it would pay the reader now."""
        held = self.state["house"]
        things = describe_goods(self.edition, held) if held.any() else self.label("nothing")
        facts = [
            self.fact("there", things),
            self.fact("free", f"{max(0, HOUSE_SLOTS - int(held.sum()))}/{HOUSE_SLOTS}"),
        ]
        if self.seat is not None and self.has_begun:
            for good in np.flatnonzero(self.state["goods"][self.seat]):
                facts += self._sale(self.seat, int(good))
        title = self.term("trading_house")
        return self.made("house", title, [self.rule("trader")], facts, _family("R-TRA"))

    def _sale(self, seat: int, good: int) -> Iterator[Fact]:
        """What the trading house would give a seat for a barrel, now and as the trader."""
        other = (seat + 1) % self.rules.players
        label = self.say("fact_sells", word=self.word(GOODS[good]))
        said = [self._sale_as(actor, seat, good) for actor in (other, seat)]
        if said[0] == said[1]:
            yield Fact(label, said[0])
        else:
            as_trader = self.say("fact_as_actor", role=self.word("trader"))
            yield Fact(label, f"{said[0]} ({as_trader}{self.colon}{said[1]})")

    def _sale_as(self, actor: int, seat: int, good: int) -> str:
        """What a seat gets for a barrel in the phase of an actor, or why it may not sell it."""
        turn = _in_phase(self.open, "trader", seat, actor)
        action = SELL + good
        reason = first_failed(self.rules, turn.state[0], action)
        if reason is not None:
            return reason
        before = _holdings(turn, seat)
        turn.step(action)
        while turn.turn == seat and IDS["gain"] in turn.legal_actions():
            turn.step("gain")
        return self.count("coin", _difference(_holdings(turn, seat), before)["coin"])

    def supply(self, word: str) -> Card | None:
        """Barrels that nobody has."""
        if word not in GOODS:
            return None
        good = GOODS.index(word)
        facts = [
            self.fact("left", int(self.state["goods_supply"][good])),
            self.fact("sold_for", self.count("coin", int(self.table["good_price"][good]))),
            *self._production(self.seat),
        ]
        effect = [self.say("supply", word=self.word(word)), self._tile(word)]
        return self.made("supply", self.word(word), effect, facts, _family("R-CRA"))

    def units(self, word: str) -> Card | None:
        """Workers or citizens that nobody has."""
        kind = self.anchor.removesuffix("s")
        if kind == "citizen" and "citizens" not in self.rules.expansions:
            return None
        facts = [self.fact("left", int(self.state[f"{kind}_supply"]))]
        key = "end" if kind == "worker" else "citizens"
        effect = [self.say("units"), self.rule(key)]
        return self.made("units", self.term(f"{kind}s"), effect, facts, _family("R-MAY"))

    def register(self, word: str) -> Card | None:
        """The units that come in the next mayor phase."""
        facts = [Fact(self.term("workers"), str(int(self.state["register_workers"])))]
        if "citizens" in self.rules.expansions:
            facts.append(Fact(self.term("citizens"), str(int(self.state["register_citizens"]))))
        effect = [self.rule("mayor")]
        return self.made("register", self.term("register"), effect, facts, _family("R-MAY"))

    def pool(self, word: str) -> Card | None:
        """The VP that are still to be won, or those of a seat, and the score."""
        facts = [self.fact("left", int(self.state["vp_pool"]))]
        effect = [self.rule("end"), self.rule("score")]
        return self.made("pool", self.term("vp"), effect, facts, _family("R-EOR"))

    # -- cards of what a seat has ------------------------------------------------------------------

    def goods(self, word: str) -> Card | None:
        """Barrels in store: what they sell for, and what storage would take of all of them."""
        owner, name = self._owned(word)
        if owner is None or name not in GOODS:
            return None
        good = GOODS.index(name)
        count = int(self.state["goods"][owner, good])
        facts = [self.fact("there", count)]
        if self.has_begun:
            facts += self._sale(owner, good) if count else []
            if self.state["goods"][owner].any():
                facts.append(self.fact("storage", self.counts(_storage_losses(self.open, owner))))
            facts += self._production(owner)
        rules = [*find_rules("R-TRA-1"), *find_rules("R-CAP-10")]
        title = self.word(name)
        return self.made("goods", title, [self.say("goods")], facts, rules, name=self.name(owner))

    def coins(self, word: str) -> Card | None:
        """The coins of a seat."""
        owner, rest = self._owned(word)
        if owner is None or rest:
            return None
        facts = [self.fact("there", int(self.state["coins"][owner]))]
        effect = [self.say("coins")]
        return self.made("coins", self.term("coins"), effect, facts, name=self.name(owner))

    def vp(self, word: str) -> Card | None:
        """The VP in the bank, or those of a seat."""
        if word == "pool":
            return self.pool(word)
        return self.score(word, "vp")

    def score(self, word: str, kind: str = "score") -> Card | None:
        """The VP of a seat, and its score as if the game ended now, by items."""
        owner, rest = self._owned(word)
        if owner is None or rest:
            return None
        effect = [self.say("vp"), self.rule("score")] if kind == "vp" else [self.rule("score")]
        facts = [self.fact("there", "?" if kind == "vp" else self.label("hidden"))]
        if can_see_vp(self.rules, self.state, self.seat, owner):
            facts = list(self._score_items(owner))
        title = self.term("vp") if kind == "vp" else capital(self.label("score_now"))
        return self.made(kind, title, effect, facts, _family("R-SCO"), name=self.name(owner))

    def _score_items(self, owner: int) -> Iterator[Fact]:
        """What a score is the sum of, without what gives nothing."""
        names = {"vp": self.term("vp"), "citizens": self.term("citizens")}
        names["buildings"] = self.say("printed_vp")
        for item, points in self.game.score_table()[owner].items():
            if item == "total":
                yield Fact(capital(self.label("score_now")), str(points))
            elif points:
                yield Fact(names.get(item) or self.word(item), str(points))

    def portrait(self, word: str) -> Card | None:
        """Units that a seat has not placed."""
        owner, rest = self._owned(word)
        if owner is None or rest:
            return None
        facts = [Fact(self.term("workers"), str(int(self.state["portrait_workers"][owner])))]
        if "citizens" in self.rules.expansions:
            citizens = int(self.state["portrait_citizens"][owner])
            facts.append(Fact(self.term("citizens"), str(citizens)))
        title, name = self.term("portrait"), self.name(owner)
        return self.made(
            "portrait", title, [self.say("portrait")], facts, _family("R-MAY"), name=name
        )

    def _owned(self, word: str) -> tuple[int | None, str]:
        """The seat that an anchor names, None if there is none, and what comes behind it."""
        seat, _, rest = word.partition("-")
        return _number(seat, self.rules.players), rest

    # -- cards of expansions and of the phase ------------------------------------------------------

    def smuggler(self, word: str) -> Card | None:
        """Who has the smuggler's tile."""
        if "smuggler" not in self.rules.expansions:
            return None
        facts = [self.fact("held", self.name(int(self.state["smuggler_tile"])))]
        title = capital(self.label("smuggler"))
        return self.made("smuggler", title, [self.rule("smuggler")], facts, _family("R-SMG"))

    def festival(self, word: str) -> Card | None:
        """A goal of the festival, and how near the reader is to it; or all of them."""
        if "festival" not in self.rules.expansions:
            return None
        found = {
            "": list,
            "estate": self._estate_goal,
            "goods": self._goods_goal,
            "building": self._building_goal,
        }.get(word)
        if found is None:
            return None
        title = capital(self.label("festival"))
        effect = [self.rule("festival")]
        if word == "building" and self.state["festival_building"] != NOBODY:
            effect.append(building_effect(self.rules, int(self.state["festival_building"])))
        return self.made("festival", title, effect, found(), _family("R-FES"))

    def _estate_goal(self) -> list[Fact]:
        kind = int(self.state["festival_estate"])
        if kind == NOBODY:
            return []
        facts = [self.fact("goal", f"{_FESTIVAL} × {self._tile_title(TILES[kind])}")]
        facts.append(self.fact("prize", self.count("worker", _FESTIVAL)))
        if self.seat is not None:
            facts.append(self.fact("yours", int(self.state["owned"][self.seat, kind])))
        return facts

    def _goods_goal(self) -> list[Fact]:
        if not self.state["festival_goods"].any():
            return []
        asked = describe_goods(self.edition, self.state["festival_goods"])
        prize = self.count("coin", _FESTIVAL)
        facts = [self.fact("goal", asked), self.fact("prize", prize)]
        return [*facts, *self._production(self.seat)]

    def _building_goal(self) -> list[Fact]:
        number = int(self.state["festival_building"])
        if number == NOBODY:
            return []
        facts = [self.fact("goal", self.word(BUILDINGS[number]))]
        return [*facts, self.fact("prize", self.count("vp", _FESTIVAL)), *self._price(number)]

    def hand(self, word: str) -> Card | None:
        """Units that are to be placed at once."""
        workers, citizens = int(self.state["hand_workers"]), int(self.state["hand_citizens"])
        if not workers and not citizens:
            return None
        things = self.counts(Counter(worker=workers, citizen=citizens))
        return self.made(
            "hand", capital(self.label("hand")), [self.say("hand")], [self.fact("there", things)]
        )

    def phase(self, word: str) -> Card | None:
        """What is being played and decided now."""
        if word:
            return None
        phase = PHASES[self.state["phase"]]
        catalog_name = edition_words(self.edition).phase_names[phase]
        key = {
            "role": "round",
            "storage": "captain",
            "prospector": "prospector_1",
            "draft": "draft",
        }
        key = key.get(phase, phase)
        is_told = key in language_of(self.edition).rules
        effect = [self.rule(key if is_told else "aim")]
        if self.game.over:
            return self.made("phase", capital(catalog_name), [self.rule("score")])
        point = DECISION_POINTS[int(self.state["decision_point"])]
        words = Words(self.edition, value=int(self.state["value"]), spot="…")
        asked = self.language.finish(self.language.decisions[point].asked.format_map(words))
        facts = [
            self.fact("decides", self.name(self.game.turn)),
            self.fact("decision", asked),
        ]
        return self.made("phase", capital(catalog_name), effect, facts)


def _spot_of(building: str) -> int:
    return NUM_TILES + BUILDINGS.index(building)


def _number(word: str, stop: int) -> int | None:
    """A number written without frills, from 0 to below `stop`, else None."""
    return int(word) if word in map(str, range(stop)) else None


@functools.cache
def _family(number: str) -> tuple[Rule, ...]:
    """The rules that share the start of a number."""
    return tuple(find_rules(number))


_ROLE_RULES: Final = {
    "settler": "R-STL",
    "mayor": "R-MAY",
    "builder": "R-BLD",
    "craftsman": "R-CRA",
    "trader": "R-TRA",
    "captain": "R-CAP",
    "prospector_1": "R-PRO",
    "smuggler": "R-SMG",
}

_PLACES: Final[dict[str, Callable[[_Writer, str], Card | None]]] = {
    "role": _Writer.role,
    "shop": _Writer.shop,
    "city": _Writer.city,
    "row": _Writer.row,
    "quarries": _Writer.quarries,
    "forests": _Writer.forests,
    "deck": _Writer.deck,
    "discard": _Writer.discard,
    "drawn": _Writer.drawn,
    "island": _Writer.island,
    "ship": _Writer.ship,
    "house": _Writer.house,
    "prices": _Writer.house,
    "supply": _Writer.supply,
    "workers": _Writer.units,
    "citizens": _Writer.units,
    "register": _Writer.register,
    "goods": _Writer.goods,
    "coins": _Writer.coins,
    "vp": _Writer.vp,
    "score": _Writer.score,
    "portrait": _Writer.portrait,
    "smuggler": _Writer.smuggler,
    "festival": _Writer.festival,
    "hand": _Writer.hand,
    "phase": _Writer.phase,
}
"""What writes the card of each kind of anchor."""
