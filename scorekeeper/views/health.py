"""A page for whoever runs the server: is all well?"""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Say "ok" if the database answers and holds our tables, else what is wrong, with status 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except DatabaseError:
        return HttpResponse(_("The database does not answer."), status=503, content_type="text/plain")
    return HttpResponse("ok", content_type="text/plain")
