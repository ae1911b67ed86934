"""Positions, saved games and damaged files, searched for the smallest counterexample."""

import copy
import functools
import json
import operator

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from prico_env import (
    Game,
    Games,
    IllegalActionError,
    PositionError,
    PricoError,
    RecordError,
    RuleSet,
)
from tests.oracle.invariants import broken_invariants
from tests.oracle.position import read
from tests.oracle.shadow import Shadow, differences
from tests.properties.random_play import MIXED_RULE_SETS, chooser
from tests.rule_sets import ALL_RULE_SETS, BASE_RULE_SETS, EXPANDED_RULE_SETS, rule_set_id

quick = settings(max_examples=60, deadline=None)
thorough = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def rule_sets(draw):
    """Any of the 144 rule sets, the base game as often as all others, and any way to play it."""
    rules = draw(st.sampled_from(draw(st.sampled_from([BASE_RULE_SETS, ALL_RULE_SETS]))))
    switches = {
        "skip_forced": draw(st.booleans()),
        "optional_gains": draw(st.sampled_from(["auto", "ask"])),
        "voluntary_discard": draw(st.booleans()),
        "vp_hidden": draw(st.booleans()),
    }
    if "buildings" in rules.expansions:
        switches["board"] = draw(st.sampled_from(["draft", "random"]))
        switches["guest_windows"] = draw(st.sampled_from(["full", "reduced"]))
    return RuleSet.from_dict({**rules.to_dict(), **switches})


ANY_RULES = rule_sets()


@st.composite
def games(draw, rules=ANY_RULES, min_depth=0, max_depth=400):
    """A game after some random decisions; it may be over."""
    game = Game(draw(rules), draw(st.integers(0, 2**63 - 1)))
    choose = chooser(draw(st.integers(0, 10**6)), draw(st.sampled_from([0.0, 0.7, 1.0])))
    for _ in range(draw(st.integers(min_depth, max_depth))):
        if game.over:
            break
        game.step(choose(game.legal_actions()))
    return game


def loaded_or_refused(error, load, saved):
    """What is loaded, or nothing if it is refused in one clear line."""
    try:
        return load(saved)
    except error as refusal:
        lines = str(refusal).splitlines()
    assert len(lines) == 1
    return None


def futures(game, seed, decisions=40):
    """The bytes on the way, if the game goes on by fixed choices."""
    choose, trace = chooser(seed), []
    for _ in range(decisions):
        if game.over:
            break
        game.step(choose(game.legal_actions()))
        trace.append(game.to_bytes())
    return trace


# -- there and back --------------------------------------------------------------------------------


def goes_there_and_back(game, seed):
    """A dict through JSON, and bytes, give the same game with the same future."""
    position = game.to_dict()
    text = json.dumps(position)
    assert json.loads(text) == position
    for loaded in (Game.from_dict(json.loads(text)), Game.from_bytes(game.to_bytes())):
        assert loaded.to_bytes() == game.to_bytes()
        assert loaded.to_dict() == position
        assert loaded.legal_actions() == game.legal_actions()
        if not game.over:
            assert (loaded.observation() == game.observation()).all()
        assert futures(loaded, seed) == futures(game.clone(), seed)


@quick
@given(games(), st.integers(0, 1_000))
def test_a_position_goes_there_and_back(game, seed):
    """`from_dict(to_dict())` goes on identically."""
    goes_there_and_back(game, seed)


@pytest.mark.slow
@thorough
@given(games(), st.integers(0, 1_000))
def test_hundreds_of_positions_go_there_and_back(game, seed):
    """`from_dict(to_dict())` goes on identically."""
    goes_there_and_back(game, seed)


@quick
@given(games())
def test_a_position_dict_says_what_the_record_says(game):
    """The blocks of the position dict, compared with a second reading of the record."""
    position, expected = game.to_dict(), read(game)
    sold_out = {name: 0 for name, left in expected["buildings"].items() if left == 0}
    position["buildings"] = {**sold_out, **position["buildings"]}  # types not drafted are left out
    for name in ("round", "governor", "roles", "workers", "goods", "vp", "quarries", "row", "deck",
                 "discard", "buildings", "end_triggered", "citizens", "forests", "board",
                 "smuggler", "festival"):  # fmt: skip
        if name in expected:
            assert differences(position[name], expected[name]) == [], name
    assert sorted(position["house"]) == sorted(expected["house"])
    assert position["phase"] == game.phase
    assert (position["turn"] if position["turn"] is not None else -1) == game.turn
    for ship, slow in zip(position["ships"], expected["ships"], strict=True):
        loaded = (ship.get("good"), ship.get("barrels", 0))
        assert (ship["size"], *loaded) == (slow["size"], slow["good"], slow["barrels"])
    for seat, slow in zip(position["players"], expected["players"], strict=True):
        island = {tile: counts for tile, counts in slow["island"].items() if counts[0]}
        assert {k: v for k, v in seat["island"].items() if v[0]} == island
        for name in ("coins", "vp", "goods", "city", "portrait"):
            assert differences(seat[name], slow[name]) == [], name


@quick
@given(games(st.sampled_from(MIXED_RULE_SETS), max_depth=150))
def test_a_transcript_replays_to_the_same_bytes(game):
    """Section 8 of the design: rule set, seed, action names."""
    replayed = Game.from_record(game.to_record())
    assert replayed.to_bytes() == game.to_bytes()
    assert replayed.history == game.history
    assert replayed.to_record() == game.to_record()


@quick
@given(games(), st.integers(0, 2**31))
def test_a_deck_given_as_counts_is_shuffled_by_the_seed(game, seed):
    """The small print of positions: a list is in drawing order, counts are shuffled."""
    position = game.to_dict()
    position.pop("rng")
    counts = {good: position["deck"].count(good) for good in set(position["deck"])}
    one, same = (Game.from_dict({**position, "deck": counts}, seed=seed) for _ in range(2))
    assert one.to_bytes() == same.to_bytes()
    assert sorted(read(one)["deck"]) == sorted(position["deck"])


# -- positions that cannot be ----------------------------------------------------------------------


def _set(*path, value=None, by=None):
    """A damage: set the entry at a path, or change it by an amount."""

    def damage(position):
        place = position
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value if by is None else place.get(path[-1], 0) + by

    return damage


def _crowd(position):
    position["players"][1]["island"]["corn"] = [1, 2]


def _flood(position):
    position["players"][1]["island"].update(corn=[100, 0], indigo=[100, 0])


def _two_ships_of_one_kind(position):
    for ship in position["ships"][:2]:
        ship.update(good="corn", barrels=1)


DAMAGES = [
    ("workers", _set("workers", "supply", by=1)),
    ("workers", _set("workers", "register", by=-1)),
    ("goods", _set("goods", "corn", by=1)),
    ("goods", _set("goods", "sugar", by=-20)),
    ("goods", _set("goods", "rum", value=1)),
    ("goods", _set("goods", "corn", value="many")),
    ("goods", _set("players", 0, "goods", "coffee", by=2)),
    ("goods", _set("players", 0, "goods", value=[1, 2])),
    ("vp", _set("vp", value=500)),
    ("vp", _set("players", 0, "vp", value=-1)),
    ("vp", _set("players", 0, "vp", value=1.5)),
    ("quarries", _set("quarries", by=1)),
    ("row", _set("row", "corn", by=1)),
    ("row", _set("row", value={"corn": 9, "indigo": 9})),
    ("deck", _set("deck", value=["corn"])),
    ("deck", _set("deck", value=["rum"])),
    ("discard", _set("discard", "tobacco", by=3)),
    ("buildings", _set("buildings", "wharf", by=1)),
    ("buildings", _set("buildings", "casino", value=1)),
    ("buildings", _set("buildings", "wharf", value=-1)),
    ("ships", _set("ships", 0, "barrels", value=40)),
    ("ships", _set("ships", 0, "good", value="rum")),
    ("ships", _set("ships", value=[{}] * 4)),
    ("ships", _set("ships", 0, "size", value=3)),
    ("ships", _two_ships_of_one_kind),
    ("house", _set("house", value=["corn"] * 5)),
    ("house", _set("house", value=["rum"])),
    ("governor", _set("governor", value=9)),
    ("turn", _set("turn", value=7)),
    ("turn", _set("turn", value="alice")),
    ("phase", _set("phase", value="lunch")),
    ("roles", _set("roles", "pirate", value={"coins": 1})),
    ("roles", _set("roles", "settler", "taken_by", value=8)),
    ("roles", _set("roles", "settler", "coins", value=-1)),
    ("round", _set("round", value=-1)),
    ("round", _set("round", value=0)),
    ("round", _set("round", value=None)),
    ("players", _set("players", value=[{}] * 5)),
    ("coins", _set("players", 0, "coins", value=-2)),
    ("island", _set("players", 1, "island", "corn", value=[20, 0])),
    ("island", _set("players", 1, "island", "corn", value=[1])),
    ("island", _set("players", 1, "island", "castle", value=[1, 0])),
    ("island", _crowd),
    ("island", _flood),
    ("city", _set("players", 1, "city", "casino", value=1)),
    ("city", _set("players", 1, "city", "wharf", value=3)),
    ("portrait", _set("players", 1, "portrait", value=-1)),
    ("portrait", _set("players", 1, "portrait", value="two")),
    ("colour", _set("players", 1, "colour", value="red")),
    ("weather", _set("weather", value="fine")),
    ("end_triggered", _set("end_triggered", value="yes")),
    ("pending", _set("pending", "mood", value=1)),
    ("pending", _set("pending", "point", value="nowhere")),
    ("rng", _set("rng", value=[1])),
]


@pytest.mark.parametrize(
    ("field", "damage"), DAMAGES, ids=[f"{n}-{field}" for n, (field, _) in enumerate(DAMAGES)]
)
@settings(max_examples=8, deadline=None)
@given(game=games(st.builds(RuleSet, players=st.sampled_from((2, 4))), max_depth=60))
def test_a_position_that_cannot_be_names_its_field(field, damage, game):
    """One clear line, and nothing but a `PositionError`."""
    position = copy.deepcopy(game.to_dict())
    damage(position)
    if position == game.to_dict():
        return
    with pytest.raises(PositionError, match=field):
        Game.from_dict(position)


NOISE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-300, 300),
    st.sampled_from(
        [10**30, -(10**30), 1.5, float("nan"), "corn", "", [], {}, ["corn"], [[]], {"a": 1}]
    ),
)


def places_of(value, path=()):
    """Every place in a nested dict."""
    if isinstance(value, dict):
        for key in value:
            yield (*path, key)
            yield from places_of(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield (*path, index)
            yield from places_of(value[index], (*path, index))


def spoil(game, noise, where):
    """Put noise anywhere into a position: it loads, or it is refused in our own words."""
    position = copy.deepcopy(game.to_dict())
    places = list(places_of(position))
    path = places[where % len(places)]
    place = position
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = noise
    loaded = loaded_or_refused(PricoError, Game.from_dict, position)
    if loaded is None:
        return
    assert broken_invariants(loaded.rules.table, loaded.state) == []
    loaded.settle()
    futures(loaded, 1, decisions=5)


@settings(max_examples=150, deadline=None)
@given(games(max_depth=60), NOISE, st.integers(0, 10**6))
def test_noise_in_a_position_is_refused_or_harmless(game, noise, where):
    """A position that loads keeps I-01..I-19 and can be played on."""
    spoil(game, noise, where)


@pytest.mark.slow
@thorough
@given(games(max_depth=200), NOISE, st.integers(0, 10**6))
def test_much_noise_in_a_position_is_refused_or_harmless(game, noise, where):
    """A position that loads keeps I-01..I-19 and can be played on."""
    spoil(game, noise, where)


def games_at_every_point(rules, seed):
    """A position of a random game at each place where a seat decides."""
    seen = set()
    game, choose = Game(rules, seed), chooser(seed, 0.5)
    while not game.over:
        point = int(game.state["decision_point"][0])
        if point not in seen:
            seen.add(point)
            yield game.clone()
        game.step(choose(game.legal_actions()))


@pytest.mark.parametrize(
    "rules",
    [
        BASE_RULE_SETS[0],
        EXPANDED_RULE_SETS[1],
        pytest.param(EXPANDED_RULE_SETS[3], marks=pytest.mark.slow),
        pytest.param(EXPANDED_RULE_SETS[7], marks=pytest.mark.slow),
    ],
    ids=rule_set_id,
)
def test_noise_in_what_a_phase_remembers_is_refused_or_harmless(rules):
    """Numbers in the `pending` block: no barrel is made of them, now or later."""
    for game in games_at_every_point(rules, rules.players):
        position = game.to_dict()
        for path in places_of({"pending": position["pending"]}):
            *sections, last = path
            place = functools.reduce(operator.getitem, sections, position)
            remembered = place[last]
            if type(remembered) is not int:
                continue
            for noise in {-100, -1, 1, 33, 100} - {remembered}:
                place[last] = noise
                loaded = loaded_or_refused(PricoError, Game.from_dict, position)
                if loaded is not None:
                    loaded.settle()
                    futures(loaded, 1, decisions=10)
                    table, state = loaded.rules.table, loaded.state
                    assert broken_invariants(table, state) == [], (game, path, noise)
            place[last] = remembered


# -- damaged files ---------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(games(max_depth=30), st.integers(0, 10**6), st.integers(1, 255))
def test_a_flipped_byte_is_noticed(game, where, change):
    """A damaged file is reported in one clear line."""
    saved = bytearray(game.to_bytes())
    saved[where % len(saved)] ^= change
    with pytest.raises(RecordError) as caught:
        Game.from_bytes(bytes(saved))
    assert "\n" not in str(caught.value)


@settings(max_examples=100, deadline=None)
@given(games(max_depth=30), st.integers(0, 10**6), st.binary(max_size=20))
def test_a_file_cut_short_or_drawn_out_is_noticed(game, where, tail):
    """A truncated file is reported in one clear line."""
    saved = game.to_bytes()
    for wrong in (saved[: where % len(saved)], saved + tail + b"!", tail):
        with pytest.raises(RecordError) as caught:
            Game.from_bytes(wrong)
        assert "\n" not in str(caught.value)


@settings(max_examples=150, deadline=None)
@given(games(min_depth=1, max_depth=40), st.data())
def test_a_damaged_transcript_is_noticed_or_another_game(game, data):
    """A line lost, doubled or scrambled never loads as something that was not played."""
    text = game.to_record() if game.seed is not None else ""
    lines = text.splitlines()
    line = data.draw(st.integers(0, len(lines) - 1))
    kind = data.draw(st.sampled_from(["lose", "double", "cut", "scramble"]))
    if kind == "lose":
        del lines[line]
    elif kind == "double":
        lines.insert(line, lines[line])
    elif kind == "cut":
        lines[line] = lines[line][: data.draw(st.integers(0, len(lines[line]) - 1))]
    else:
        place = data.draw(st.integers(0, len(lines[line]) - 1))
        lines[line] = lines[line][:place] + data.draw(st.characters()) + lines[line][place + 1 :]
    loaded = loaded_or_refused(RecordError, Game.from_record, "\n".join(lines))
    if loaded is None:
        return
    assert kind == "scramble" or lines == text.splitlines()
    assert loaded.history


# -- random legal play with clones and saves -------------------------------------------------------


class Playing(RuleBasedStateMachine):
    """One game, played, saved, loaded, cloned and looked at in any order, and its slow shadow."""

    @initialize(
        rules=st.sampled_from(MIXED_RULE_SETS),
        seed=st.integers(0, 2**63 - 1),
    )
    def deal(self, rules, seed):
        """Begin, with the slow game beside."""
        self.shadow = Shadow(Game(rules, seed))
        self.kept: list[tuple[Game, bytes]] = []

    @property
    def game(self):
        """The engine's game."""
        return self.shadow.game

    @precondition(lambda self: not self.game.over)
    @rule(seed=st.integers(0, 10**6), decisions=st.integers(1, 12))
    def play(self, seed, decisions):
        """Make some decisions in both games."""
        choose = chooser(seed, 0.6)
        for _ in range(decisions):
            if self.game.over:
                break
            self.shadow.step(choose)

    @precondition(lambda self: not self.game.over)
    @rule(action=st.integers(-5, 600))
    def try_anything(self, action):
        """An illegal action changes nothing."""
        if action in self.game.legal_actions():
            return
        before = self.game.to_bytes()
        with pytest.raises(IllegalActionError):
            self.game.step(action)
        assert self.game.to_bytes() == before

    @rule(way=st.sampled_from(["bytes", "dict", "record", "clone", "deepcopy"]))
    def go_on_with_a_copy(self, way):
        """From here on another copy of the game is played."""
        load = {
            "bytes": lambda game: Game.from_bytes(game.to_bytes()),
            "dict": lambda game: Game.from_dict(game.to_dict()),
            "record": lambda game: Game.from_record(game.to_record()),
            "clone": lambda game: game.clone(),
            "deepcopy": copy.deepcopy,
        }[way]
        self.kept.append((self.game, self.game.to_bytes()))
        self.shadow.game = self.shadow.chance.game = load(self.game)

    @precondition(lambda self: not self.game.over)
    @rule(seat=st.integers(0, 1), seed=st.integers(0, 1_000))
    def dream(self, seat, seed):
        """What is played in a game dealt anew touches nobody."""
        dreamt = self.game.determinize(seat, seed)
        futures(dreamt, seed, decisions=10)

    @rule()
    def look(self):
        """Words, numbers and scores may be asked at any time."""
        self.game.text(0)
        self.game.observation(1)
        self.game.score_table()

    @invariant()
    def both_games_agree(self):
        """The slow game stands where the engine does."""
        if hasattr(self, "shadow"):
            (self.shadow.check_end if self.game.over else self.shadow.check)()

    @invariant()
    def what_was_kept_stays(self):
        """Games that were left behind have not moved."""
        for game, saved in getattr(self, "kept", []):
            assert game.to_bytes() == saved

    @invariant()
    def no_invariant_is_broken(self):
        """I-01..I-32."""
        if hasattr(self, "shadow"):
            assert broken_invariants(self.game.rules.table, self.game.state) == []


TestPlaying = Playing.TestCase
TestPlaying.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)


# -- batches ---------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    rules=st.lists(ANY_RULES, min_size=1, max_size=6),
    seed=st.integers(0, 2**40),
    threads=st.integers(1, 3),
    decisions=st.integers(1, 60),
)
def test_any_batch_plays_like_single_games(rules, seed, threads, decisions):
    """One batch may mix anything, and slot i is the game of seed + i."""
    batch = Games(rules, len(rules), seed=seed, threads=threads)
    singles = [Game(rule_set, seed + i) for i, rule_set in enumerate(rules)]
    for _ in range(decisions):
        actions = batch.sample()
        for single, action in zip(singles, actions, strict=True):
            if not single.over:
                single.step(int(action))
        batch.step(actions)
    for i, single in enumerate(singles):
        assert batch[i].to_bytes() == single.to_bytes()
