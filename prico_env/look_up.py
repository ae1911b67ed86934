"""The look-up verbs: ``python -m prico_env action 117``, or ``prico action 117``."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from prico_env.catalog import names
from prico_env.errors import PricoError
from prico_env.explain import explain_action, explain_building, explain_feature, explain_rule
from prico_env.streams import accept_any_text, drop_unread, perhaps_unread
from prico_env.vocabulary import MAX_PLAYERS

USER_MISTAKE = 2
"""Exit code when there is no such thing."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def look_up() -> None:
    """Explain an action, feature, building or rule."""


def _topic(example: str, *used: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make a verb with the word it explains; all take the same options, and show those they use."""

    def decorate(explain: Callable[..., None]) -> click.Command:
        for parameter in (
            click.option(
                "--players",
                type=click.IntRange(2, MAX_PLAYERS),
                default=4,
                metavar="N",
                help="Number of players, which decides how long an observation is (default: 4).",
                hidden="players" not in used,
            ),
            click.option(
                "--edition",
                default="1897-en",
                type=click.Choice(names()),
                help="Whose words are read and written (default: 1897-en).",
                hidden="edition" not in used,
            ),
            click.argument("word"),
        ):
            explain = parameter(explain)
        return look_up.command(help=f"{explain.__doc__} WORD is such as {example}.")(explain)

    return decorate


@_topic("117 or load:sugar:2", "edition")
def action(word: str, edition: str, **_: Any) -> None:
    """Explain an action."""
    click.echo(explain_action(word, edition))


@_topic("42 or self.coins", "players")
def feature(word: str, players: int, **_: Any) -> None:
    """Explain a feature of the observation."""
    click.echo(explain_feature(word, players))


@_topic("hospice or Krankenhaus", "edition")
def building(word: str, edition: str, **_: Any) -> None:
    """Explain a building."""
    click.echo(explain_building(word, edition))


@_topic("R-CAP-3 or R-CAP")
def rule(word: str, **_: Any) -> None:
    """Give the text of a rule, or of a whole family."""
    click.echo(explain_rule(word))


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one question.

    Args:
        arguments: The words after the command; those of the process when left out.

    Returns:
        The exit code: 0, or 2 when there is no such thing.
    """
    accept_any_text()
    try:
        look_up.main(arguments, prog_name="python -m prico_env", standalone_mode=False)
        sys.stdout.flush()
    except PricoError as error:
        with perhaps_unread():
            click.echo(f"prico: {error}", err=True)
        return USER_MISTAKE
    except click.ClickException as error:
        with perhaps_unread():
            error.show()
        sys.exit(error.exit_code)
    except (BrokenPipeError, SystemExit):  # the reader of a pipe, such as `head`, left
        drop_unread()
    return 0
