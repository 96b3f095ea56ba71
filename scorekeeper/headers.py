"""What every answer carries beside its page, whoever asked for it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


def answer(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Keep search engines out of everything but the start and the rules, and answer HEAD without a body.

    A body after HEAD would be read as the beginning of the next answer on the same connection; not every
    server drops it. Our pages send UTF-8, and a form that claims another encoding is read as UTF-8 all the
    same: some encodings that Python knows make half characters, or are none of text.
    """

    def answered(request: HttpRequest) -> HttpResponse:
        request.encoding = "utf-8"
        response = get_response(request)
        if request.path != "/" and not request.path.startswith("/rules/"):
            response["X-Robots-Tag"] = "noindex"
        if request.method == "HEAD" and not response.streaming:
            response.content = b""
        return response

    return answered
