"""Where each page lives, one line a page."""

from django.urls import path

from scorekeeper.views import health, match, new, own_rules, review, rules, start, table

urlpatterns = [
    path("", start.start, name="start"),
    path("new/", new.new_match, name="new_match"),
    path("t/<slug:code>/", table.table, name="table"),
    path("t/<slug:code>/new/", new.new_match, name="table_new_match"),
    path("t/<slug:code>/rules/", own_rules.own_rules, name="own_rules"),
    path("t/<slug:code>/rules/new/", own_rules.new_rules, name="new_rules"),
    path("t/<slug:code>/rules/import/", own_rules.take_rules, name="take_rules"),
    path("t/<slug:code>/rules/<slug:rules>/", own_rules.show_rules, name="show_rules"),
    path("t/<slug:code>/rules/<slug:rules>/change/", own_rules.change_rules, name="change_rules"),
    path("t/<slug:code>/rules/<slug:rules>/file/", own_rules.rules_file, name="rules_file"),
    path("t/<slug:code>/<int:number>/", match.match, name="match"),
    path("t/<slug:code>/<int:number>/rules/", own_rules.match_rules, name="match_rules"),
    path("t/<slug:code>/<int:number>/hand/<int:hand>/", review.hand, name="hand"),
    path("t/<slug:code>/<int:number>/hand/<int:hand>/correct/", review.correct, name="correct"),
    path("t/<slug:code>/<int:number>/hand/<int:hand>/undo/", match.undo, name="undo"),
    path("t/<slug:code>/<int:number>/hand/<int:hand>/redo/", match.redo, name="redo"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:code>/", rules.ruleset, name="ruleset"),
    path("health/", health.health, name="health"),
]
