"""A table that is really served, for the tests of the server and of the page."""

import asyncio
import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

from prico_training.ui.limits import USUAL
from prico_training.ui.server import listen, make_app, make_server


@contextlib.contextmanager
def served(agents=(), limits=USUAL, app=None):
    """Serve a table in a thread beside; gives its address."""
    app = app or make_app(agents, limits=limits)
    with listen("127.0.0.1", 0) as listener:
        host = make_server(app)
        serving = threading.Thread(target=host.run, kwargs={"sockets": [listener]})
        serving.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            host.should_exit = True
            serving.join()
            app.state.service.close()


def run_apart(waiting):
    """Run a coroutine in a thread of its own: in this one a browser may have its event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, waiting).result()
