"""Matches and tables get marks of their state, tables the key of their form; players get codes and may go."""

from typing import Any

from django.db import migrations, models

import scorekeeper.models


def fill(apps: Any, schema_editor: Any) -> None:
    """What older rows lack: each its own mark and key, and the game that its rule set names."""
    Table, Match, Player = (apps.get_model("scorekeeper", name) for name in ("Table", "Match", "Player"))
    for player in Player.objects.all():
        player.code = scorekeeper.models.new_mark()
        player.save(update_fields=["code"])
    for table in Table.objects.all():
        # The first match of a table was made by the same form.
        first = Match.objects.filter(table=table, number=1).first()
        table.key = first.key if first else scorekeeper.models.new_code()
        table.mark = scorekeeper.models.new_mark()
        table.save(update_fields=["key", "mark"])
    for match in Match.objects.all().iterator():
        match.game, match.mark = match.ruleset["code"], scorekeeper.models.new_mark()
        match.save(update_fields=["game", "mark"])


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0002_own_rules"),
    ]

    operations = [
        migrations.AddField("player", "is_gone", models.BooleanField(default=False)),
        migrations.AddField("player", "code", models.CharField(max_length=22, default="")),
        migrations.AddField("table", "key", models.CharField(max_length=64, null=True)),
        migrations.AddField("table", "mark", models.CharField(max_length=22, default="")),
        migrations.AddField("match", "game", models.CharField(max_length=40, default="")),
        migrations.AddField("match", "mark", models.CharField(max_length=22, default="")),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
