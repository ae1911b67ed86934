"""How pieces change hands: coins, VP, workers and plantations."""

from prico_env._jit import kernel
from prico_env.rng import below
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.turns import interrupt
from prico_env.vocabulary import NOBODY, NUM_GOODS, EndReason, Point


@kernel
def pay_out(rules: Rules, state: State, player: int, coins: int) -> None:
    """Pay a player from the bank, which never runs dry unless the rule set says so (Q-06)."""
    if rules["bank_limited"]:
        coins = max(0, min(coins, state["bank"]))
    state["bank"] -= coins
    state["coins"][player] += coins


@kernel
def pay_in(state: State, player: int, coins: int) -> None:
    """Take coins from a player into the bank."""
    state["bank"] += coins
    state["coins"][player] -= coins


@kernel
def award_vp(state: State, player: int, vp: int) -> None:
    """Award VP, on paper when the pool is empty; the last chip triggers the end (R-CAP-13/14)."""
    state["vp"][player] += vp
    state["vp_pool"] -= vp
    if vp > 0 and state["vp_pool"] <= 0:
        state["end_reasons"] |= EndReason.VP


@kernel
def offer_coins(rules: Rules, state: State, player: int, coins: int) -> None:
    """Pay an optional gain, or ask for it under ``optional_gains="ask"`` (R-ROL-9)."""
    if coins > 0:
        if rules["ask_gains"]:
            interrupt(state, Point.GAIN_COINS, player, coins)
        else:
            pay_out(rules, state, player, coins)


@kernel
def offer_vp(rules: Rules, state: State, player: int, vp: int) -> None:
    """Award an optional gain, or ask for it under ``optional_gains="ask"`` (R-ROL-9)."""
    if vp > 0:
        if rules["ask_gains"]:
            interrupt(state, Point.GAIN_VP, player, vp)
        else:
            award_vp(state, player, vp)


@kernel
def can_hire(state: State) -> bool:
    """Whether a worker is left in the supply or, failing that, on the register (R-HOS-2)."""
    return state["worker_supply"] + state["register_workers"] > 0


@kernel
def hire(state: State) -> None:
    """Take a worker from the supply or, when it is empty, from the register (R-HOS-2)."""
    if state["worker_supply"] > 0:
        state["worker_supply"] -= 1
    else:
        state["register_workers"] -= 1


@kernel
def shuffle_deck(state: State) -> None:
    """Shuffle the deck with the game's own generator (Fisher and Yates)."""
    deck = state["deck"]
    for last in range(state["deck_size"] - 1, 0, -1):
        chosen = below(state["rng"], last + 1)
        kind = deck[last]
        deck[last] = deck[chosen]
        deck[chosen] = kind


@kernel
def lay_on_deck(state: State, kind: int, tiles: int) -> None:
    """Put tiles of one kind on top of the deck."""
    for _ in range(tiles):
        state["deck"][state["deck_size"]] = kind
        state["deck_size"] += 1
    state["deck_tiles"][kind] += tiles


@kernel
def can_draw_tile(state: State) -> bool:
    """Whether the deck, or the discard that would become it, has a tile (R-STL-13)."""
    if state["deck_size"] > 0:
        return True
    for kind in range(NUM_GOODS):
        if state["discard"][kind] > 0:
            return True
    return False


@kernel
def draw_tile(state: State) -> int:
    """Draw the top tile; an empty deck is first made anew from the discard (R-STL-13).

    Returns the kind, or ``NOBODY`` when there is no tile at all.
    """
    if state["deck_size"] == 0:
        for kind in range(NUM_GOODS):
            lay_on_deck(state, kind, state["discard"][kind])
            state["discard"][kind] = 0
        shuffle_deck(state)
    if state["deck_size"] == 0:
        return NOBODY
    state["deck_size"] -= 1
    kind = state["deck"][state["deck_size"]]
    state["deck"][state["deck_size"]] = 0
    state["deck_tiles"][kind] -= 1
    return kind
