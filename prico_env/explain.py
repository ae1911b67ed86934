"""Explains actions, features, buildings and rules, as ``python -m prico_env action 117`` prints it.

An explanation gives the row of the table, the phase that asks, and the text of the rules.
"""

import re
import textwrap
from collections.abc import Iterable
from typing import Final

from prico_env.actions import NAMES, block_of
from prico_env.arguments import words
from prico_env.catalog import load, names
from prico_env.errors import PricoError, did_you_mean, quoted
from prico_env.observation_layout import ObservationLayout, layout_for
from prico_env.reference.rulebook import Rule, find_rules, rules_about, window_of
from prico_env.ruleset import RuleSet
from prico_env.ruleset_checks import checked_edition, checked_players
from prico_env.text.actions import action_name, describe_action
from prico_env.text.parsing import parse_action
from prico_env.text.terms import meanings
from prico_env.vocabulary import BUILDING_CODES, BUILDING_ROWS, BUILDINGS, PHASES, TWO_SIDED

_WIDTH: Final = 96
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}")
_OWNERS: Final = {"self": "the deciding seat's own board", "table": "the table"}
_PHASE_FILES: Final = {"role": "role_choice", **{phase: phase for phase in PHASES[2:]}}


def explain_action(word: str, edition: str = "1897-en") -> str:
    """Explain an action by its number or its name.

    Raises:
        PricoError: If there is no such action.
    """
    words(word, "what is looked up")
    game = _everything(checked_edition(edition).key)
    if _NUMBER.fullmatch(word):
        action = int(word)
        action_name(action)
    else:
        action = NAMES.index(word) if word in NAMES else parse_action(game, word)
    block = block_of(action)
    place = "the base game" if block.module == "base" else f"the {block.module!r} expansion"
    lines = [
        f"{action} = {NAMES[action]}",
        f"  kind `{block.kind}`, numbers {block.start} to {block.stop - 1}, of {place}",
        *(
            f"  {name:<9}{describe_action(_everything(name), action)}"
            for name in names()
            if not _everything(name).lacks(block)
        ),
        f"  asked in: {', '.join(map(_phase, block.phases)) or 'any phase'}",
    ]
    rules = [rule for number in block.rules for rule in find_rules(number)]
    return "\n".join([*lines, *_cited(rules)])


def explain_feature(word: str, players: int = 4) -> str:
    """Explain a feature of the observation by its number.

    Raises:
        PricoError: If there is no such feature.
    """
    seats = checked_players(players)
    base, layout = layout_for(seats, False), layout_for(seats, True)
    number = _feature_number(word, base, layout)
    block = next(block for block in layout.blocks if number < block.stop)
    owner = block.name.split(".")[0]
    whose = _OWNERS.get(owner, f"the board of neighbour {owner.removeprefix('left_')} to the left")
    lines = [
        f"{number} = {layout.describe(number)}",
        f"  block {block.name}, features {block.start} to {block.stop - 1}, on {whose}",
        f"  with {seats} players (of {base.num_features} features, with expansions "
        f"{layout.num_features}, layout {layout.version})",
    ]
    if number >= base.num_features:
        lines.append("  only in games with an expansion")
    if block.labels:
        lines += _wrapped(f"its features: {', '.join(block.labels)}", "    ")
    return "\n".join(lines)


def _feature_number(word: str, base: ObservationLayout, layout: ObservationLayout) -> int:
    """The number that a word gives, or the first of the block that it names."""
    words(word, "what is looked up")
    if _NUMBER.fullmatch(word) and 0 <= int(word) < layout.num_features:
        return int(word)
    starts = {block.name: block.start for block in layout.blocks}
    if word not in starts:
        raise PricoError(
            f"there is no feature {quoted(word)}; with {layout.num_seats} players they run from 0 "
            f"to {base.num_features - 1}, with expansions to {layout.num_features - 1}"
            f"{did_you_mean(word, starts)}"
        )
    return starts[word]


def explain_building(word: str, edition: str = "1897-en") -> str:
    """Explain a building by its engine id, its printed name or its code.

    Raises:
        PricoError: If there is no such building, or if the name is printed on several.
    """
    catalog = checked_edition(edition)
    number = building_number(words(word, "what is looked up"), catalog.key)
    row = next((row for row in catalog.buildings if row.number == number), BUILDING_ROWS[number])
    where = [one for one in map(load, names()) if row.id in (other.id for other in one.buildings)]
    printed = ", ".join(f"{one.building_names[row.id]} ({one.key})" for one in where)
    circles = "circle" if row.circles == 1 else "circles"
    lines = [
        f"{row.id} = {printed}",
        f"  number {row.number}, code {BUILDING_CODES[number]}, "
        f"{row.building_class.name.lower().replace('_', ' ')}, of the "
        f"{'base game' if row.module == 'base' else f'{row.module!r} expansion'}",
        f"  cost {row.cost}, {row.vp} VP, column {row.column}, {row.circles} {circles}, "
        f"{row.spaces} city space{'s' * (row.spaces > 1)}, {row.copies} copies "
        f"({row.copies_two_players} with two players); figures {row.evidence}",
        f"  {row.text}",
        f"  works in {window_of(number)}",
    ]
    if row.power is not None:
        two_sided = row.power in TWO_SIDED
        amount = "by the kind of unit on it" if two_sided else f"amount {row.power_amount}"
        lines.append(f"  power {row.power.name.lower()}, {amount}")
    actions = [
        f"{number} {name}" for number, name in enumerate(NAMES) if name.endswith(f":{row.id}")
    ]
    lines += _wrapped(f"actions {', '.join(actions)}", "    ")
    return "\n".join([*lines, *_cited(rules_about(number))])


def explain_rule(word: str) -> str:
    """Give the text of a rule by its number, or of a whole family (``"R-CAP"``).

    Raises:
        PricoError: If there is no such rule.
    """
    found = find_rules(word)
    place = f"{found[0].section} (prico_env/reference/rules.md, line {found[0].line})"
    return "\n".join([place, *_cited(found)])


def _everything(edition: str) -> RuleSet:
    """An edition with all its expansions, so that no word is left out."""
    return RuleSet(edition=edition, expansions=load(edition).expansions)


def building_number(word: str, edition: str) -> int:
    """Return the number of a building by its engine id, its printed name or its code.

    Raises:
        PricoError: If there is no such building, or if the name is printed on several.
    """
    if word.upper() in BUILDING_CODES:
        return BUILDING_CODES.index(word.upper())
    means = sorted(meanings(("building",), word, edition))
    if len(means) == 1:
        return BUILDINGS.index(means[0])
    if means:
        raise PricoError(f"{quoted(word)} is printed on {' and '.join(means)}; say which")
    printed = [name for edition in names() for name in load(edition).building_names.values()]
    raise PricoError(
        f"no building is called {quoted(word)}{did_you_mean(word, [*BUILDINGS, *printed])}"
    )


def _phase(phase: str) -> str:
    file = _PHASE_FILES.get(phase)
    return f"{phase} (prico_env/core/phases/{file}.py)" if file else phase


def _wrapped(text: str, indent: str) -> list[str]:
    """The lines of a long text, all but the first of which stand further in."""
    return textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent=indent)


def _cited(rules: Iterable[Rule]) -> list[str]:
    """Lay out rules as indented paragraphs."""
    lines: list[str] = []
    for rule in rules:
        text = rule.text.replace("**", "").replace("`", "")
        lines += _wrapped(f"{rule.number}  {text}", "      ")
    return ["rules", *lines] if lines else []
