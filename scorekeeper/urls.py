"""Where each page lives, one line a page."""

from django.urls import path

from scorekeeper.views import health, match, new, review, rules, start, table

urlpatterns = [
    path("", start.start, name="start"),
    path("new/", new.new_match, name="new_match"),
    path("t/<slug:code>/", table.table, name="table"),
    path("t/<slug:code>/new/", new.new_match, name="table_new_match"),
    path("t/<slug:code>/<int:number>/", match.match, name="match"),
    path("t/<slug:code>/<int:number>/hand/<int:hand>/", review.hand, name="hand"),
    path("t/<slug:code>/<int:number>/hand/<int:hand>/correct/", review.correct, name="correct"),
    path("t/<slug:code>/<int:number>/hand/<int:hand>/undo/", match.undo, name="undo"),
    path("t/<slug:code>/<int:number>/hand/<int:hand>/redo/", match.redo, name="redo"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:code>/", rules.ruleset, name="ruleset"),
    path("health/", health.health, name="health"),
]
