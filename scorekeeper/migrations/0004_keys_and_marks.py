"""Every table, match and player has its key, mark and code from now on."""

from django.db import migrations, models

import scorekeeper.models


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0003_looking_back"),
    ]

    operations = [
        migrations.AlterField("player", "code", models.CharField(default=scorekeeper.models.new_mark, max_length=22)),
        migrations.AddConstraint("player", models.UniqueConstraint(fields=["table", "code"], name="one_player_a_code")),
        migrations.AlterField(
            "table", "key", models.CharField(default=scorekeeper.models.new_code, max_length=64, unique=True)
        ),
        migrations.AlterField("table", "mark", models.CharField(default=scorekeeper.models.new_mark, max_length=22)),
        migrations.AlterField("match", "game", models.CharField(max_length=40)),
        migrations.AlterField("match", "mark", models.CharField(default=scorekeeper.models.new_mark, max_length=22)),
        migrations.AlterField("match", "key", models.CharField(default=scorekeeper.models.new_code, max_length=64)),
        migrations.AddConstraint("match", models.UniqueConstraint(fields=["table", "key"], name="one_match_a_key")),
        migrations.AddIndex("match", models.Index(fields=["table", "game"], name="game_of_a_table")),
    ]
