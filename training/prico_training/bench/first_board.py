"""How long somebody waits who starts `prico serve` for the first time, until a board is shown."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from typing import Final

_NEW: Final = {"edition": "1897-en", "players": ["human", "planner", "corn"], "seed": 7}


def can_serve() -> bool:
    """Whether what the page's server needs is installed."""
    return all(importlib.util.find_spec(name) for name in ("starlette", "uvicorn"))


def first_board_seconds(folder: str) -> float:
    """Start the server with an empty cache; return the seconds until it answers with a board.

    Args:
        folder: Where compiled kernels are kept; an empty one.
    """
    command = [sys.executable, "-m", "prico_training", "serve", "--port", "0", "--no-data"]
    began = time.perf_counter()
    with subprocess.Popen(
        command,
        env=os.environ | {"PRICO_CACHE_DIR": folder},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            address = re.search(r"http://\S+", said)
            if address is None:
                raise RuntimeError(f"the server did not start; it said {said.strip()!r}")
            asked = urllib.request.Request(
                f"{address[0]}api/new",
                json.dumps(_NEW).encode(),
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(asked) as answer:
                assert b"<svg" in answer.read()
            return time.perf_counter() - began
        finally:
            server.terminate()
