"""Games that pages show, played by requests: what takes many decisions need not click them all."""

import time

TURN, OVER = 'body[data-turn="person"]', 'body[data-turn="over"]'


def state_of(page, address):
    """What the server says of the game that the person at a page plays."""
    return page.context.request.get(f"{address}/api/game").json()


def play_by_requests(pages, address, until, choose=lambda legal: legal[0]):
    """Decide for the people at these pages; each page lets the agents play.

    Args:
        pages: The pages, a browser each.
        address: Of the server.
        until: Is given the game before every decision; true where there is to be none.
        choose: Which of the legal actions is taken; the first one when left out.
    """
    for _ in range(5000):
        for page in pages:
            state = state_of(page, address)
            if until(state["game"]):
                return
            if state["game"]["legal"]:
                chosen = choose(state["game"]["legal"])["action"]
                move = {"version": state["version"], "action": chosen}
                answer = page.context.request.post(f"{address}/api/act", data=move)
                assert answer.ok, answer.text()
        time.sleep(0.01)
    raise AssertionError("the game did not come so far")
