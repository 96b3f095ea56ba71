"""The pages of the house, and an empty one to measure them by."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def empty(request: HttpRequest) -> HttpResponse:
    """What Django and the server take for themselves."""
    return HttpResponse()


urlpatterns = [path("empty/", empty), path("", include("scorekeeper.urls"))]
