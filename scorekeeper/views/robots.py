"""What search engines may look at."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Nothing of any table: the start and the rules only."""
    return HttpResponse("User-agent: *\nDisallow: /t/\nDisallow: /new/\n", content_type="text/plain; charset=utf-8")
