"""Shows doctests as code: a docstring has them between its sentences, Markdown wants a fence."""

import re
from typing import Any

from griffe import Extension, Object

_DOCTEST = re.compile(r"^( *)>>> .*(?:\n(?! *$).*)*", re.MULTILINE)


def fenced(docstring: str) -> str:
    """Put every doctest into a fence."""
    return _DOCTEST.sub(r"\1```pycon\n\g<0>\n\1```", docstring)


class DoctestFences(Extension):
    """Puts every doctest of a docstring into a fence."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring that was read; the source stays as it is."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
