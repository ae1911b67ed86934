"""Two people at browsers of their own play a game with agents, and the server starts anew."""

import contextlib
import re
import socket
import subprocess
import sys

import pytest

pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")

from tests.training.ui.playing import OVER, TURN, play_by_requests, state_of
from tests.training.ui.serving import served

pytestmark = pytest.mark.browser


@contextlib.contextmanager
def server(port, folder):
    """A server of its own process, which is killed in the midst of everything."""
    command = [sys.executable, "-m", "prico_training", "serve", "--port", str(port)]
    with subprocess.Popen(
        [*command, "--data", str(folder)], stdout=subprocess.PIPE, text=True
    ) as it:
        try:
            yield re.search(r"http://\S+(?=/)", it.stdout.readline())[0]
        finally:
            it.kill()


@pytest.fixture
def sit(chromium):
    """Opens a page in a browser of its own; nothing may be wrong in it."""
    browsers, complaints = [], []

    def open_page(address):
        browsers.append(chromium.new_context())
        page = browsers[-1].new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.add_init_script("localStorage.setItem('prico-pace', 'instant')")
        page.goto(address)
        return page

    yield open_page
    for browser in browsers:
        browser.close()
    assert complaints == []


@pytest.mark.slow
def test_two_people_and_two_agents_play_to_the_score_though_the_server_is_killed(sit, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with server(port, tmp_path) as address:
        ann = sit(address)
        ann.wait_for_selector("#new[open]")
        ann.select_option("select[name=players]", "4")
        for seat, who in enumerate(("human", "open", "corn", "random")):
            ann.locator("#chairs select").nth(seat).select_option(who)
        ann.locator("#chairs input").first.fill("Ann")
        ann.click("button[value=play]")
        link = ann.locator("#lobby .chair").nth(1).locator("input[readonly]").input_value()
        assert link.startswith(f"{address}/join/")
        bob = sit(link)
        bob.fill("#join input", "Bob")
        bob.click("#join [type=submit]")
        ann.wait_for_selector("#seats >> text=Bob")
        assert bob.inner_text("#seats").split() == [
            "0",
            "Ann",
            "1",
            "Bob",
            "2",
            "corn",
            "3",
            "random",
        ]
        for page in (ann, bob):
            page.wait_for_selector(f"{TURN} #moves button")
            before = page.inner_text("#log")
            page.locator("#moves [data-action]").first.click()
            for each in (ann, bob):
                each.wait_for_function(
                    "(log) => document.querySelector('#log').innerText !== log", arg=before
                )
            play_by_requests((ann, bob), address, lambda game: game["turn"] == 1)
        play_by_requests((ann, bob), address, lambda game: game["round"] >= 3)
        before = ann.context.request.get(f"{address}/api/game").json()["game"]["log"]
    ann.wait_for_selector("#connection:visible")
    with server(port, tmp_path):
        for page in (ann, bob):
            page.wait_for_selector("#connection", state="hidden")
        assert state_of(bob, address)["game"]["log"][: len(before)] == before
        play_by_requests((ann, bob), address, lambda game: game["over"])
        for page in (ann, bob):
            page.wait_for_selector(OVER)
            assert page.inner_text("#status").startswith("The game is over")
        assert ann.inner_text("#result table") == bob.inner_text("#result table")
        assert ann.inner_text("#log") == bob.inner_text("#log")
        assert state_of(ann, address)["game"]["result"]["items"]


def test_the_page_shows_what_others_ask_and_lists_the_games(sit):
    new = {"edition": "1897-en", "players": ["human", "human"], "seed": 7, "names": ["Ann", None]}
    with served() as address:
        ann, bob = sit(address), sit(address)
        begun = ann.context.request.post(f"{address}/api/new", data=new | {"open": [1]}).json()
        joined = {"code": begun["table"]["seats"][1]["code"], "name": "Bob"}
        bob.context.request.post(f"{address}/api/join", data=joined)
        for page in (ann, bob):
            page.goto(f"{address}/table/{begun['table']['id']}")
            page.wait_for_selector("#seats >> text=Bob")
        play_by_requests((ann, bob), address, lambda game: game["turn"] == 1)
        bob.wait_for_selector(TURN)
        bob.locator("#moves [data-action]").last.click()
        ann.wait_for_selector("#undo:enabled")
        log = ann.inner_text("#log")
        ann.wait_for_function("() => document.querySelectorAll('#log .entry .words').length > 1")
        ann.click("#undo")
        assert "waiting for Bob" in ann.wait_for_selector("#consent:visible").inner_text()
        assert "Ann asks" in bob.wait_for_selector("#consent:visible").inner_text()
        bob.click("#consent button.main")
        ann.wait_for_selector(TURN)
        ann.wait_for_selector("#consent", state="hidden")
        assert len(ann.inner_text("#log")) < len(log)
        ann.click("#pause")
        bob.wait_for_selector("#status >> text=paused")
        assert bob.is_hidden("#pause")
        ann.click("#open-games")
        assert "Ann, Bob" in ann.inner_text("#games li")
        ann.once("dialog", lambda dialog: dialog.accept())
        ann.click("#games .leave")
        bob.wait_for_selector("#pause:visible")  # the host has left, so Bob is
        assert "planner" in bob.inner_text("#seats")


def test_a_host_among_agents_opens_the_seats_and_lets_a_guest_sit_down_by_link(sit):
    new = {"edition": "1897-en", "players": ["human", "corn", "corn"], "seed": 7}
    with served() as address:
        ann = sit(address)
        ann.context.request.post(f"{address}/api/new", data=new | {"names": ["Ann", None, None]})
        ann.goto(address)
        ann.wait_for_selector(f"{TURN} #moves [data-action]")
        ann.locator("#moves [data-action]").first.click()
        ann.wait_for_function("() => document.querySelector('#log .entry')")
        ann.wait_for_selector(TURN)
        seats, panel = ann.locator("#open-seats"), ann.locator("#lobby")
        assert panel.is_hidden()
        for is_open in (True, False, True):
            seats.press("Enter")
            assert panel.locator(".chair").first.is_visible() == is_open
            assert seats.get_attribute("aria-expanded") == str(is_open).lower()
        panel.locator("summary").press("Enter")  # closing the panel hides it, too
        panel.wait_for(state="hidden")
        assert seats.evaluate("(button) => button === document.activeElement")
        seats.press("Enter")
        panel.locator("[data-seat='2'][data-player=open]").click()
        link = panel.locator(".chair").nth(2).locator("input[readonly]").input_value()
        assert seats.is_hidden()  # the panel stays by itself while others may come
        bob = sit(link)
        bob.fill("#join input", "Bob")
        bob.click("#join [type=submit]")
        for page in (ann, bob):
            page.wait_for_selector("#seats li:nth-of-type(3) >> text=Bob")
        assert bob.is_hidden("#open-seats")
        assert state_of(bob, address)["game"]["yours"] == [2]
