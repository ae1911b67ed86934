"""What a server does before it answers games: compile what a game needs, and say how far it is.

Kernels that lie in the cache are only read; that takes a moment. The first time it takes a while,
and whoever opens the page meanwhile is shown how far it has come.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from prico_agents import View, analysis_of, load_agent
from prico_env import Game, RuleSet
from prico_env.core.first_compile import GIVEN_AWAY
from prico_env.core.kernel_compiler import Kernel
from prico_env.core.kernel_key import full_name, reached_functions
from prico_env.render import render_svg
from prico_training.ui.session import USUAL_ADVISER

_SEARCHES: Final = ("mcts:2",)
_AGENTS: Final = ("random", "corn", USUAL_ADVISER, "governor")
_STEPS: Final = ("rules", "board", "agents", "search")
_SHARES: Final = (0.0, 0.65, 0.7, 0.9, 1.0)
"""How much of the work is done before each step, as it was on two cores, and after the last."""
_RULES_ROOT: Final = "prico_env.core.calls.step_game"
_LOG: Final = logging.getLogger(__name__)


class Preparation:
    """The compilation of what a game needs, in a thread beside the server.

    Attributes:
        is_over: Whether games can be played.
    """

    def __init__(self, is_over: bool = True) -> None:
        """Begin, unless everything is done as it comes.

        Args:
            is_over: Whether there is nothing to wait for.
        """
        self.is_over = is_over
        self._step = len(_STEPS) if is_over else 0
        self._began = time.monotonic()

    def start(self) -> None:
        """Begin to compile, in a thread of its own."""
        threading.Thread(target=self.run, name="preparation", daemon=True).start()

    def run(self) -> None:
        """Compile what a game needs; what fails here fails again, and says so, in the game."""
        game = Game(RuleSet(), 1)
        work: tuple[Callable[[], object], ...] = (
            lambda: game.step(game.legal_actions()[0]),
            lambda: render_svg(game, game.turn),
            lambda: _ask(_AGENTS, game),
            lambda: _ask(_SEARCHES, game),
        )
        try:
            for number, do in enumerate(work):
                self._step = number
                do()
        except Exception:
            _LOG.exception("the preparation of games failed")
        self._step = len(_STEPS)
        self.is_over = True

    def progress(self) -> dict[str, Any]:
        """How far it is, JSON-ready: the step, the share that is done, and for how long it runs."""
        if self.is_over:
            return {"ready": True, "step": "", "share": 1.0, "kernels": 0, "seconds": 0.0}
        before, after = _SHARES[self._step : self._step + 2]
        within = _share_of_rules() if self._step == 0 else 0.0
        return {
            "ready": False,
            "step": _STEPS[self._step],
            "share": round(before + (after - before) * within, 3),
            "kernels": sum(kernel.is_compiled for kernel in list(Kernel.registry.values())),
            "seconds": round(time.monotonic() - self._began, 1),
        }


def _ask(agents: Sequence[str], game: Game) -> None:
    """Let agents decide, and say why."""
    for agent in map(load_agent, agents):
        agent.reset(game.turn, game.rules, 1)
        analysis_of(agent, View.of(game))
        agent.act(View.of(game))


def _share_of_rules() -> float:
    """How many of the functions of the rules that this process compiles are compiled."""
    kernels = {full_name(one.py_func): one for one in list(Kernel.registry.values())}
    reached = reached_functions(kernels[_RULES_ROOT]) - reached_functions(kernels[GIVEN_AWAY])
    own = [one for one in kernels.values() if one.py_func in reached]
    return sum(one.is_compiled for one in own) / max(1, len(own))
