"""A player that asks a language model: anything that answers a prompt with a text."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from prico_agents.analysis import Analysis, Candidate
from prico_agents.base import Agent, AgentError, View, check_seating
from prico_agents.registry import load_agent
from prico_env import RuleSet
from prico_env.arguments import flag, whole
from prico_env.errors import IllegalActionError, quoted
from prico_env.serialization import unwritable
from prico_env.text import describe_action, rules_text
from prico_env.text.parsing import is_decision, read_prose

Ask = Callable[[str], str]
"""A language model: it gets a prompt and returns what it answers."""

_MOST_TOLD: Final = 60
"""Decisions of others that a prompt tells of; earlier ones are left out."""
_MOST_QUOTED: Final = 200
_TASK: Final = "You play a game of Puerto Rico, and you want to win it. The rules of this game:"
_FORMAT: Final = """\
Decide for one of these actions. You may think aloud first; end with one line
ACTION: name
where name is one of the names above, as it stands there."""
_AGAIN: Final = """\
You have answered this before:
{answer}

That cannot be played: {reason}. Decide again, and end with one line
ACTION: name
where name is one of: {names}\
"""


class Exchange(NamedTuple):
    """One question to the model, and what came of it.

    Attributes:
        prompt: What it was asked.
        answer: What it answered.
        action: The action that this means; None if it means none that is allowed.
        problem: Why it means none; else empty.
    """

    prompt: str
    answer: str
    action: int | None
    problem: str


class LanguageAgent:
    r"""Asks a language model what to do, in words.

    >>> from prico_env import Game
    >>> def model(prompt):
    ...     return "I am poor, and coins come first.\nACTION: role:trader"
    >>> agent, game = LanguageAgent(model), Game(seed=7)
    >>> agent.reset(0, game.rules, seed=1)
    >>> game.name(agent.act(View.of(game)))
    'role:trader'
    >>> agent.exchanges[0].prompt.splitlines()[0]
    'You play a game of Puerto Rico, and you want to win it. The rules of this game:'

    Attributes:
        exchanges: Every question and answer of this game.
        asked: How often the model was asked so far, in all games.
        retried: How many of its answers could not be played.
        gave_up: How many decisions the fallback made.
    """

    def __init__(
        self, ask: Ask, retries: int = 2, fallback: str | None = None, primer: bool = True
    ) -> None:
        """Sit a language model down at the table.

        Args:
            ask: The model.
            retries: How often it is asked again after an answer that cannot be played; it is told
                why.
            fallback: The name of an agent that decides when the model could not, such as
                ``"random"`` or ``"planner"``; by default that is an error.
            primer: Whether each prompt begins with the rules; a model that has them from elsewhere
                (``rules_text(rules)``) needs them not again.

        Raises:
            AgentError: The number of retries is negative, or there is no such fallback.
        """
        if not callable(ask):
            raise AgentError(f"a language model is a function of a prompt, not {quoted(ask)}")
        self.exchanges: list[Exchange] = []
        self.asked = self.retried = self.gave_up = 0
        self._ask = ask
        self._retries = whole(retries, "the number of retries", error=AgentError)
        self._primer = flag(primer, "primer")
        self._thought: tuple[str, int] | None = None
        self._fallback: Agent | None = None if fallback is None else load_agent(fallback)

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game."""
        seed = check_seating(seat, rules, seed)
        self.exchanges = []
        self._thought = None
        if self._fallback is not None:
            self._fallback.reset(seat, rules, seed)

    def act(self, view: View) -> int:
        """Ask until the answer can be played; then the fallback decides.

        Raises:
            AgentError: No answer could be played, and there is no fallback.
        """
        prompt = self.prompt(view)
        thought, self._thought = self._thought, None
        if thought is not None and thought[0] == prompt:
            return thought[1]
        return self._decide(view, prompt)

    def analyse(self, view: View) -> Analysis:
        """Ask as `act` does, which then need not ask again; what the model said is the reason.

        Raises:
            AgentError: No answer could be played, and there is no fallback.
        """
        questions, prompt = len(self.exchanges), self.prompt(view)
        action = self._decide(view, prompt)
        self._thought = (prompt, action)
        said = self.exchanges[-1].answer if self.exchanges[questions:] else ""
        lines = (line.strip() for line in said.splitlines())
        reasons = tuple(
            line for line in lines if line and not is_decision(line) and not unwritable(line)
        )
        candidate = Candidate(action, words=view.game.describe(action))
        return Analysis(view.seat, action, (candidate,), (), reasons)

    def prompt(self, view: View) -> str:
        """Return what the model is asked at a decision; nothing in it is hidden from its seat."""
        game = view.game
        actions = [f"{game.name(action)} - {game.describe(action)}" for action in view.choices]
        parts = [
            f"{_TASK}\n{rules_text(view.rules)}" if self._primer else "",
            f"The game as you see it, player {view.seat}:\n{game.text(view.seat)}",
            "\n".join(_since_last_turn(view)),
            "\n".join(["What you may do, each with its name first:", *actions]),
            _FORMAT,
        ]
        return "\n\n".join(part for part in parts if part)

    def _decide(self, view: View, prompt: str) -> int:
        """Ask until the answer can be played, each time with what was wrong with the last."""
        if len(view.choices) == 1:
            return view.choices[0]
        question = prompt
        for _ in range(self._retries + 1):
            answer = self._answer(question)
            try:
                action = read_prose(view.game, answer)
            except IllegalActionError as error:
                self.retried += 1
                self.exchanges.append(Exchange(question, answer, None, str(error)))
                names = ", ".join(view.game.name(action) for action in view.choices)
                again = _AGAIN.format(answer=answer.strip(), reason=error, names=names)
                question = f"{prompt}\n\n{again}"
            else:
                self.exchanges.append(Exchange(question, answer, action, ""))
                return action
        return self._give_up(view)

    def _answer(self, question: str) -> str:
        self.asked += 1
        answer = self._ask(question)
        if not isinstance(answer, str):
            raise AgentError(f"a language model must answer with a text, not with {answer!r}")
        return answer

    def _give_up(self, view: View) -> int:
        last = self.exchanges[-1]
        if self._fallback is None:
            quoted = " ".join(last.answer.split())
            quoted = quoted if len(quoted) <= _MOST_QUOTED else f"{quoted[:_MOST_QUOTED]}..."
            raise AgentError(
                f"the language model gave no answer that can be played in {self._retries + 1} "
                f"attempts; the last was {quoted!r}: {last.problem}. A fallback such as "
                "'planner' would decide instead"
            )
        self.gave_up += 1
        return self._fallback.act(view)


def _since_last_turn(view: View) -> Iterator[str]:
    """What has happened since this seat decided last, if anybody has kept it."""
    moves = list(view.history or ())
    own = [place for place, move in enumerate(moves) if move.seat == view.seat and not move.forced]
    news = moves[own[-1] + 1 :] if own else moves
    if news:
        yield "Since your last decision:" if own else "So far:"
    if len(news) > _MOST_TOLD:
        yield f"({len(news) - _MOST_TOLD} earlier decisions)"
    for move in news[-_MOST_TOLD:]:
        forced = " (nothing else was possible)" if move.forced else ""
        yield f"player {move.seat} - {describe_action(view.rules, move.action)}{forced}"
