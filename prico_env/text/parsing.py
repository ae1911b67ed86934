"""Actions from words: names and sentences of any edition, and answers to a question in a game.

A person types a number, a name or its beginning; a language model writes prose around it.

>>> from prico_env.ruleset import (RuleSet)
>>> parse_action(RuleSet(edition="1897-de"), "verkaufen:zucker")
Traceback (most recent call last):
prico_env.errors.IllegalActionError: no action is called 'verkaufen:zucker'
>>> parse_action(RuleSet(), "sell:fruit"), parse_action(RuleSet(), "role:Händler")
(105, 5)
"""

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol

from prico_env.actions import IDS, NAMES, NUM_ACTIONS, block_of
from prico_env.arguments import words
from prico_env.catalog import names
from prico_env.errors import IllegalActionError, PricoError, did_you_mean, quoted
from prico_env.ruleset import RuleSet, check_rules
from prico_env.text.actions import has_one_prospector, head_and_body, joined
from prico_env.text.localization import codes, load, override, spoken
from prico_env.text.terms import error_words, meanings, normalize, printed_words
from prico_env.vocabulary import ROLES


class _AmbiguousError(IllegalActionError):
    """A word that may mean several actions."""


def parse_action(rules: RuleSet, text: str) -> int:
    """Return the number of an action.

    Args:
        rules: The rule set; actions of other rule sets are refused.
        text: The action's name (``"load:sugar:2"``), with the engine's words or with those printed
            in any edition, in any case; or the whole sentence of `describe_action`. A word that
            editions print on different things means what it means in the edition in play.

    Returns:
        The action number.

    Raises:
        IllegalActionError: If no action has this name, if it could mean several, or if it is not
            in this game.
    """
    check_rules(rules)
    action = IDS.get(words(text, "the name of an action", IllegalActionError))
    if action is None:
        _check_length(text)
        action = _parse_words(rules, text)
    if action is None:
        known = [NAMES[number] for number in range(NUM_ACTIONS) if _has_block(rules, number)]
        raise IllegalActionError(f"no action is called {quoted(text)}{did_you_mean(text, known)}")
    if lacking := rules.lacks(block_of(action)):
        raise IllegalActionError(f"{NAMES[action]!r} {lacking}")
    return action


def _check_length(text: str) -> None:
    """Refuse a text that is longer than any action's name or sentence, before time is spent."""
    if len(text) > _MOST_CHARACTERS:
        raise IllegalActionError(
            f"no action is called {quoted(text)}, which has {len(text):,} characters; "
            f"{_MOST_CHARACTERS} are more than any has"
        )


def _parse_words(rules: RuleSet, text: str) -> int | None:
    first, *others = [normalize(word) for word in text.split(":")]
    if len(others) > _MOST_COLONS:
        return None
    candidates = [[first]]
    for word in others:
        candidates = [
            [*start, end]
            for start in candidates
            for end in sorted(meanings(_kinds_behind(tuple(start)), word, rules.edition) or {word})
        ]
    found = sorted({IDS[name] for name in map(":".join, candidates) if name in IDS})
    if len(found) > 1:
        in_game = [action for action in found if _is_in_game(rules, action)]
        found = in_game if len(in_game) == 1 else found
    if len(found) > 1:
        choices = " or ".join(repr(NAMES[action]) for action in found)
        raise _AmbiguousError(error_words("may_mean", text=quoted(text), actions=choices))
    return found[0] if found else _parse_sentence(rules, text)


@functools.lru_cache(maxsize=1 << 10)
def _kinds_behind(words: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds of words that may follow the first words of an action's name."""
    begun = ":".join((*words, ""))
    behind = {name[len(begun) :].partition(":")[0] for name in NAMES if name.startswith(begun)}
    return tuple(
        kind for kind, of_kind in printed_words(names()[0]).items() if behind & set(of_kind)
    )


def _parse_sentence(rules: RuleSet, text: str) -> int | None:
    """Find a sentence of `describe_action`, whatever phase it names: ours first, then any."""
    sentence = without_amounts(text)
    _, _, body = sentence.partition(": ")
    one_prospector = has_one_prospector(rules)
    ours = ((rules.edition, spoken(rules.edition)),)
    with override(None):
        printed = tuple((edition, spoken(edition)) for edition in names())
    for editions in (ours, printed):
        sentences, bodies = _sentences(editions, one_prospector)
        action = sentences.get(normalize(sentence), bodies.get(normalize(body)))
        if action is not None:
            return action
    return None


def _has_block(rules: RuleSet, action: int) -> bool:
    """Whether an action belongs to the base game or to an expansion that is played."""
    return rules.lacks(block_of(action)) is None


def _is_in_game(rules: RuleSet, action: int) -> bool:
    """Whether an action can occur in this game."""
    verb, word = block_of(action).verb, NAMES[action].rpartition(":")[2]
    if not _has_block(rules, action):
        return False
    is_about_a_card = verb in ("role", "capture")
    return not is_about_a_card or bool(rules.table[0]["role_in_play"][ROLES.index(word)])


_MOST_CHARACTERS: Final = 500
"""Longest name or sentence that is looked up; the longest there is has a quarter of it."""
_MOST_COLONS: Final = max(name.count(":") for name in NAMES)
_AMOUNTS: Final = re.compile(r" \(\d[^()]*\)")
"""What `describe_action` adds in brackets: the spaces of a ship, and how much is moved."""


def without_amounts(sentence: str) -> str:
    """Return a sentence of `describe_action` without what depends on the position.

    >>> without_amounts("Captain: load sugar on ship 1 (5) (5 barrels)")
    'Captain: load sugar on ship 1'
    """
    return _AMOUNTS.sub("", sentence)


@functools.cache
def _sentences(
    editions: tuple[tuple[str, str], ...], one_prospector: bool
) -> tuple[dict[str, int], dict[str, int]]:
    """Every sentence of `describe_action` that means one action only, with its head and without.

    Args:
        editions: Whose words to use, each with the language that is spoken of it.
        one_prospector: Whether there is one prospector card, which nobody numbers then.
    """
    found: tuple[dict[str, set[int]], dict[str, set[int]]] = ({}, {})
    for (edition, language), action in itertools.product(editions, range(NUM_ACTIONS)):
        with override(language):
            head, body = head_and_body(edition, action, (), one_prospector)
            sentences = (joined(edition, head, body), body)
        for table, sentence in zip(found, sentences, strict=True):
            table.setdefault(normalize(sentence), set()).add(action)
    full, bare = (
        {text: min(actions) for text, actions in table.items() if len(actions) == 1}
        for table in found
    )
    return full, bare


# -- from answers to actions -----------------------------------------------------------------------

_MOST_LISTED: Final = 6
_MARKUP: Final = " \t\"'`*_.!<>[](){}"
"""What may stand around an answer."""
_BEHIND_A_NAME: Final = re.compile(r"(?<!\s)\s++[-–—|]++\s+")
"""What parts a name from its sentence in a list; read in one go, however many blanks there are."""


@functools.cache
def _marked() -> re.Pattern[str]:
    """What finds a line that says which action is decided for, in any language."""
    words = "|".join(re.escape(load(code).labels["action"]) for code in codes())
    return re.compile(rf"\b(?:{words})\b[\s*_`\"']*[:=][\s*_`\"']*(.+)", re.IGNORECASE)


class WaitingGame(Protocol):
    """What an answer is for: a `Game` that waits for a decision."""

    rules: RuleSet

    def legal_actions(self) -> list[int]:
        """The allowed actions."""

    def describe(self, action: int) -> str:
        """An action in words."""

    def clone(self) -> Any:
        """A copy."""


def read_answer(
    game: WaitingGame, text: str, told: Callable[[int], str] = NAMES.__getitem__
) -> int:
    """Return the allowed action that an answer means.

    Args:
        game: The game, which waits for a decision.
        text: An action's number; its name, with the engine's words or those of an edition, in any
            case; its sentence, with or without what it begins and ends with; or the beginning of
            any of these, or of a later word, if only one allowed action has it.
        told: How an action is called when the answer is refused; by default by its name.

    Raises:
        IllegalActionError: It means no action, one that is not allowed, or several.

    >>> from prico_env import Game
    >>> game = Game(seed=7)
    >>> game.step("role:settler")
    >>> [game.name(read_answer(game, text)) for text in ("11", "Take:Sugar", "take a qu", "fruit")]
    ['take:sugar', 'take:sugar', 'take:quarry', 'take:indigo']
    """
    _check_length(text)
    word = without_amounts(text).strip(_MARKUP)
    if word.isdecimal():
        return _allowed(game, int(word), told)
    choices = _choices(game)
    names = {normalize(NAMES[action]): action for action in choices}
    if normalize(word) in names:
        return names[normalize(word)]
    found = _beginning_with(choices, word)
    if len(found) == 1:
        return found[0]
    try:
        action = parse_action(game.rules, word)
    except PricoError as error:
        raise IllegalActionError(_unclear([*choices], word, found, error, told)) from None
    return _allowed(game, action, told)


def read_prose(game: WaitingGame, text: str) -> int:
    r"""Return the allowed action that an answer in prose decides for.

    It may end with a line such as ``ACTION: role:mayor``, be nothing but the action, have it in
    its last line, or name one action only.

    Raises:
        IllegalActionError: It decides for no action, for several, or for one that is not allowed.

    >>> from prico_env import Game
    >>> game = Game(seed=7)
    >>> game.name(read_prose(game, "role:mayor is weak, but I am poor.\n**Action:** `role:Trader`"))
    'role:trader'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip(_MARKUP)]
    if not lines:
        raise IllegalActionError("the answer is empty")
    marked = [match[1] for line in lines if (match := _marked().search(line))]
    if marked:
        return _read_line(game, marked[-1])
    choices = _choices(game)
    named: list[int] = []
    for part in (lines[-1], text):
        named = actions_named(choices, part)
        if len(named) == 1:
            return named[0]
    if len(named) > 1:
        names = _listed(named, NAMES.__getitem__)
        raise IllegalActionError(f"the answer names several actions: {names}")
    return _read_line(game, lines[-1])


def is_decision(line: str) -> bool:
    """Whether a line of an answer says which action is decided for.

    >>> is_decision("**Action:** `role:mayor`"), is_decision("I need workers.")
    (True, False)
    """
    return _marked().search(line) is not None


def actions_named(choices: Mapping[int, str], text: str) -> list[int]:
    """Return the actions whose names or sentences stand anywhere in a text, ascending.

    Args:
        choices: The actions, with a sentence each as `describe_action` gives it.
        text: The text.

    >>> sale = {0: "Trader: sell nothing", 105: "Trader: sell fruit (2 coins)"}
    >>> actions_named(sale, "Fruit is worth more, so I sell fruit.")
    [105]
    """
    found: list[tuple[int, int, int]] = []
    for action, sentence in choices.items():
        for phrase in _phrases(action, sentence):
            pattern = rf"(?<![\w:]){re.escape(phrase)}(?![\w:])"
            found += [
                (*match.span(), action) for match in re.finditer(pattern, text, re.IGNORECASE)
            ]
    return sorted({action for _, _, action in _outermost(found)})


def _choices(game: WaitingGame) -> dict[int, str]:
    return {action: game.describe(action) for action in game.legal_actions()}


def _read_line(game: WaitingGame, line: str) -> int:
    """The action of a line that holds one, perhaps with its sentence behind it."""
    try:
        return read_answer(game, _BEHIND_A_NAME.split(line, maxsplit=1)[0])
    except IllegalActionError:
        named = actions_named(_choices(game), line)
        if len(named) == 1:
            return named[0]
        raise


def _allowed(game: WaitingGame, action: int, told: Callable[[int], str]) -> int:
    """The action, if it is allowed; else why it is not."""
    if action not in game.legal_actions():
        try:
            game.clone().step(action)
        except IllegalActionError as error:
            reason = str(error).partition(". Legal: ")[0]
            _, phase, why = reason.partition(" phase: ")
            if phase and told(action) != NAMES[action]:
                text = quoted(told(action))
                reason = error_words("not_allowed_now", text=text, reason=why)
            raise IllegalActionError(reason) from None
    return action


def _phrases(action: int, sentence: str) -> Iterator[str]:
    """What an action may be called: its name, its sentence, and that without its head."""
    yield NAMES[action]
    whole = without_amounts(sentence)
    yield whole
    _, colon, body = whole.partition(": ")
    if colon:
        yield body


def _beginning_with(choices: Mapping[int, str], word: str) -> list[int]:
    """The actions that begin so; if none does, those of which a later word does."""
    start = normalize(word)
    if not start:
        return []
    phrases = {
        action: [normalize(phrase) for phrase in _phrases(action, sentence)]
        for action, sentence in choices.items()
    }
    begins = re.compile(re.escape(start))
    later = re.compile(rf"[_:(]{re.escape(start)}")
    for find in (begins.match, later.search):
        found = [action for action, said in phrases.items() if any(map(find, said))]
        if found:
            return found
    return []


def _unclear(
    choices: list[int],
    word: str,
    found: list[int],
    error: PricoError,
    told: Callable[[int], str],
) -> str:
    if found:
        return error_words("may_mean", text=quoted(word), actions=_listed(found, told))
    if "expansion" in str(error) or isinstance(error, _AmbiguousError):
        return str(error)
    known = [*(told(action) for action in choices), *(NAMES[action] for action in choices)]
    return error_words("no_action", text=quoted(word), meant=did_you_mean(word, known))


def _listed(actions: list[int], told: Callable[[int], str]) -> str:
    names = [told(action) for action in actions[:_MOST_LISTED]]
    more = len(actions) - len(names)
    return f"{', '.join(names)}{f' or {more} more' if more > 0 else ''}"


def _outermost(matches: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Drop matches that a longer one covers: "sell corn" in "sell corn to the Trading Post"."""
    widest = (0, 0)
    for first, last, action in sorted(matches, key=lambda match: (match[0], -match[1])):
        if last > widest[1]:
            widest = (first, last)
        if widest == (first, last):
            yield first, last, action
