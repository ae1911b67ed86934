"""What `building`, `rule` and `why` say inside a game in the terminal, as lines of text."""

from typing import Final

from prico_env import Game
from prico_env.actions import NUM_ACTIONS
from prico_env.cards import action_outcome, building_card, outcome_line
from prico_env.errors import IllegalActionError, PricoError
from prico_env.explain import building_number, explain_rule
from prico_env.text.actions import action_name, describe_action
from prico_env.text.illegality import first_failed
from prico_env.text.localization import spoken
from prico_env.text.parsing import parse_action, read_answer
from prico_env.text.terms import page_words, terminal_words

RULES_LANGUAGE: Final = "en"
"""What the rulebook is written in."""


def building_lines(game: Game, word: str, seat: int | None) -> list[str]:
    """Explain a building of the game, with its price now and the rules about it.

    Raises:
        PricoError: There is no such building, or none such in this game.
    """
    edition = game.rules.edition
    if not word:
        raise PricoError(terminal_words(edition, "say_building"))
    shown = building_card(game, building_number(word, edition), seat)
    rules = [f"{rule.number}  {_plain(rule.text)}" for rule in shown.rules]
    return [*shown.lines(edition), *_said_in_english(edition, rules)]


def rule_lines(game: Game, word: str) -> list[str]:
    """Give the text of a rule, or of a family of rules.

    Raises:
        PricoError: There is no such rule.
    """
    if not word:
        raise PricoError(terminal_words(game.rules.edition, "say_rule"))
    return _said_in_english(game.rules.edition, explain_rule(word).splitlines())


def why_lines(game: Game, word: str) -> list[str]:
    """Say of an action what it would bring, or why it is not allowed.

    Args:
        game: The game, which waits for a decision.
        word: The action, by its number, its name or its words.

    Raises:
        IllegalActionError: There is no such action.
    """
    edition = game.rules.edition
    action = _meant(game, word)
    reason = first_failed(game.rules, game.state[0], action)
    if reason is None:
        told = outcome_line(action_outcome(game, action), edition)
        return [terminal_words(edition, "allowed", words=told)]
    words = describe_action(game.rules, action)
    return [terminal_words(edition, "not_allowed", words=words, reason=reason)]


def _meant(game: Game, word: str) -> int:
    """The action that somebody means: an allowed one if it can be, else any of the game."""
    try:
        return read_answer(game, word)
    except IllegalActionError:
        if word.isdecimal() and int(word) < NUM_ACTIONS:
            action_name(int(word))
            return int(word)
        try:
            return parse_action(game.rules, word)
        except IllegalActionError:
            pass
        raise


def _said_in_english(edition: str, rules: list[str]) -> list[str]:
    """The text of rules, below a line that tells readers of another language why they see it."""
    if not rules or spoken(edition) == RULES_LANGUAGE:
        return rules
    return [page_words(edition, "card_rules_language"), *rules]


def _plain(text: str) -> str:
    return " ".join(text.replace("**", "").replace("`", "").split())
