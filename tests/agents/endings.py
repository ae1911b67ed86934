"""The last decisions of games, of which one wins."""

from tests.builders import ALICE, BOB, CAROL, DAVE, board, laden

LAST_ROUND = {
    "roles": {
        "settler": {"coins": 0, "taken_by": ALICE},
        "mayor": {"coins": 0, "taken_by": BOB},
        "trader": {"coins": 0, "taken_by": CAROL},
    },
    "governor": ALICE,
    "end_triggered": True,
}
ONE_SHIP = laden(("sugar", 5), ("tobacco", 6))


def last_load():
    """Dave wins with corn on the only ship, and not with indigo."""
    roles = {**LAST_ROUND["roles"], "captain": {"coins": 0, "taken_by": DAVE}}
    seats = {ALICE: {"vp": 10}, DAVE: {"vp": 6, "goods": {"corn": 4, "indigo": 1}}}
    blocks = {**LAST_ROUND, "roles": roles, "ships": ONE_SHIP}
    return board("captain", actor=DAVE, seats=seats, **blocks)


def last_pick():
    """Dave wins if he is captain, and only then."""
    seats = {ALICE: {"vp": 10}, DAVE: {"vp": 6, "goods": {"corn": 4}}}
    return board(actor=DAVE, turn=DAVE, seats=seats, ships=ONE_SHIP, **LAST_ROUND)
