"""What a game in the terminal shows beside the board: decisions, candidates, chances, the score."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.table import Table
from rich.text import Text

from prico_agents.choice_list import ChoiceList
from prico_env.render.terminal_colours import CROPS, SEATS
from prico_env.text.terms import expansion_titles, terminal_words
from prico_training.ui.session import LogEntry, Session

if TYPE_CHECKING:
    from prico_agents.analysis import Analysis

_BAR: Final = 12
"""Characters of a whole bar."""
_WHO: Final = 12
"""Characters of a name in front of what was decided; longer ones push it to the right."""
_MOST_CANDIDATES: Final = 8


def title(session: Session) -> str:
    """What is played, in a line."""
    rules, seed = session.game.rules, session.seed
    began = "began_position" if seed is None else "began_seed"
    return terminal_words(
        rules.edition,
        "title",
        game=", ".join((rules.edition, *expansion_titles(rules))),
        count=rules.players,
        began=terminal_words(rules.edition, began, seed=seed),
    )


def decision_line(session: Session, entry: LogEntry) -> Text:
    """A decision in one line: who, and what."""
    line = _who_did(session, entry)
    if entry.forced:
        line.append(f"  {terminal_words(session.game.rules.edition, 'forced')}", "dim")
    return line


def decision_lines(session: Session, entries: Sequence[LogEntry]) -> list[Text]:
    """Decisions, a line each; those without a choice are counted at the end of the line before."""
    edition, lines, forced = session.game.rules.edition, list[Text](), 0
    for place, entry in enumerate(entries):
        if not entry.forced or not lines:
            lines.append(_who_did(session, entry))
            forced = 0
            continue
        forced += 1
        ends = place + 1 == len(entries) or not entries[place + 1].forced
        if ends:
            lines[-1].append(f"  {terminal_words(edition, 'forced_more', count=forced)}", "dim")
    return lines


def _who_did(session: Session, entry: LogEntry) -> Text:
    who = f"  {session.names[entry.seat]:<{_WHO}}  "
    return Text.assemble((who, SEATS[entry.seat]), entry.words)


def candidates_table(
    session: Session, analysis: "Analysis", choices: ChoiceList, has_names: bool
) -> Table:
    """The candidates, best first: share, and the chance to win after each."""
    edition = session.game.rules.edition
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("", justify="right", no_wrap=True)
    if has_names:
        table.add_column("", style=CROPS, overflow="fold")
    table.add_column(terminal_words(edition, "head_move"), overflow="fold")
    has_shares = any(candidate.share is not None for candidate in analysis.candidates)
    has_chances = any(candidate.chances for candidate in analysis.candidates)
    if has_shares:
        table.add_column(terminal_words(edition, "head_share"), no_wrap=True)
    if has_chances:
        table.add_column(terminal_words(edition, "head_wins"), no_wrap=True)
    for candidate in analysis.candidates[:_MOST_CANDIDATES]:
        action = candidate.action
        mark = "▶ " if action == analysis.action else ""
        cells: list[Text | str] = [f"{mark}{choices.label(action)}"]
        if has_names:
            cells.append(session.game.name(action))
        cells.append(Text(choices.words(action)))
        if has_shares:
            cells.append(
                _bar(edition, candidate.share, CROPS) if candidate.share is not None else ""
            )
        if has_chances:
            seat = analysis.seat
            cells.append(
                _bar(edition, candidate.chances[seat], SEATS[seat]) if candidate.chances else ""
            )
        table.add_row(*cells)
    return table


def _bar(edition: str, share: float, style: str) -> Text:
    """A share of one as a bar and in percent."""
    full, percent = round(share * _BAR), terminal_words(edition, "percent", share=share)
    return Text.assemble(("█" * full, style), ("·" * (_BAR - full), "dim"), f" {percent:>6}")


def chances_line(session: Session, chances: Sequence[float]) -> Text:
    """Everybody's chance to win now."""
    edition = session.game.rules.edition
    line = Text(f"{terminal_words(edition, 'chances')} ")
    for seat, chance in enumerate(chances):
        line.append(f"{', ' if seat else ''}{session.names[seat]} ", SEATS[seat])
        line.append(terminal_words(edition, "percent", share=chance))
    return line


def score_table(session: Session) -> Table:
    """The final score by its items, the first place first."""
    edition, names = session.game.rules.edition, session.names
    items, places = session.score_items(), session.game.ranking()
    table = Table(title=terminal_words(edition, "score"), title_justify="left")
    table.add_column(terminal_words(edition, "place"))
    table.add_column("")
    for heading in items:
        table.add_column(heading, justify="right")
    for seat in sorted(range(len(names)), key=lambda each: places[each]):
        cells = [str(points[seat]) for points in items.values()]
        table.add_row(str(places[seat]), Text(names[seat], SEATS[seat]), *cells)
    return table
