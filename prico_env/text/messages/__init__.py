"""One file for each language, found by looking here and in folders of your own.

``PRICO_LANGUAGES`` names folders with message files of your own, as ``PATH`` does.
"""

import os
from collections.abc import Iterator
from typing import Final

from prico_env.errors import PricoError

LANGUAGES_VARIABLE: Final = "PRICO_LANGUAGES"
"""The environment variable that names folders with languages of your own."""


def _own_folders() -> Iterator[str]:
    for word in filter(None, os.environ.get(LANGUAGES_VARIABLE, "").split(os.pathsep)):
        if not os.path.isdir(word):
            raise PricoError(
                f"{LANGUAGES_VARIABLE} names {word}, which is no folder; name folders that hold "
                "message files, such as eo.py"
            )
        yield word


__path__ += list(_own_folders())
