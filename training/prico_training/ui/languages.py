"""The language of an answer: the one that a request asks for, whatever the edition prints."""

import contextlib
from http import HTTPStatus

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from prico_env.errors import UnknownNameError
from prico_env.text.localization import codes, load, override, spoken
from prico_training.ui.requests import answer


class InLanguageAsked:
    """Answers a request in the language that it asks for, else in that of the edition."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, while its language is spoken."""
        code = QueryParams(scope.get("query_string", b"")).get("language")
        with contextlib.ExitStack() as stack:
            app = self.app
            try:
                stack.enter_context(override(code))
            except UnknownNameError as error:
                app = answer({"error": str(error)}, HTTPStatus.BAD_REQUEST)
            await app(scope, receive, send)


async def messages(request: Request) -> Response:
    """The words of the page, in the language asked for, or else the one the browser prefers."""
    code = request.query_params.get("language") or preferred_language(request)
    return answer(
        {
            "language": code,
            "languages": [{"code": each, "name": load(each).name} for each in codes()],
            "messages": {**load(code).page, "colon": load(code).labels["colon"]},
        }
    )


def preferred_language(request: Request) -> str:
    """Return the first of our languages that a browser names, in the order in which it does."""
    for one in request.headers.get("accept-language", "").split(","):
        code = one.partition(";")[0].partition("-")[0].strip().lower()
        if code in codes():
            return code
    return spoken()
