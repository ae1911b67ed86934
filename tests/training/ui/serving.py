"""A table that is really served, for the tests of the server and of the page."""

import contextlib
import threading

from prico_training.ui.server import listen, make_app, make_server


@contextlib.contextmanager
def served(agents=()):
    """Serve a table in a thread beside; gives its address."""
    with listen("127.0.0.1", 0) as listener:
        host = make_server(make_app(agents))
        serving = threading.Thread(target=host.run, kwargs={"sockets": [listener]})
        serving.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            host.should_exit = True
            serving.join()
