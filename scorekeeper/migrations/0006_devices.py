"""Each phone that scores is known by itself, links can be renewed, and what is tried too often is counted."""

from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import scorekeeper.models


def fill(apps: Any, schema_editor: Any) -> None:
    """The secret of an older table came from the key of the form that made it."""
    apps.get_model("scorekeeper", "Table").objects.update(seed=models.F("key"))


ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0005_evenings"),
    ]

    operations = [
        migrations.CreateModel(
            "Device",
            [
                ID,
                ("code", models.CharField(default=scorekeeper.models.new_mark, max_length=22)),
                ("name", models.CharField(blank=True, max_length=40)),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("link", models.CharField(max_length=64)),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("removed", models.DateTimeField(blank=True, null=True)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="devices", to="scorekeeper.table"
                    ),
                ),
            ],
            {
                "constraints": [models.UniqueConstraint(fields=["table", "code"], name="one_device_a_code")],
            },
        ),
        migrations.CreateModel(
            "SpokenCode",
            [
                ID,
                ("seed", models.CharField(default=scorekeeper.models.new_code, max_length=22)),
                ("until", models.DateTimeField()),
                ("left", models.PositiveSmallIntegerField(default=5)),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="spoken", to="scorekeeper.table"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            "Try",
            [
                ID,
                ("what", models.CharField(max_length=16)),
                ("who", models.CharField(max_length=64)),
                ("since", models.DateTimeField(db_index=True)),
                ("count", models.PositiveIntegerField(default=1)),
            ],
            {
                "constraints": [models.UniqueConstraint(fields=["what", "who", "since"], name="one_count_a_span")],
            },
        ),
        migrations.AddField(
            "hand",
            "by",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="hands",
                to="scorekeeper.device",
            ),
        ),
        migrations.AddIndex("hand", models.Index(fields=["by", "at"], name="saved_by_a_device")),
        migrations.AddField("table", "former", models.CharField(blank=True, db_index=True, default="", max_length=22)),
        migrations.AlterField("table", "former", models.CharField(blank=True, db_index=True, max_length=22)),
        migrations.AddField("table", "seed", models.CharField(default="", max_length=64)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField("table", "seed", models.CharField(default=scorekeeper.models.new_code, max_length=64)),
    ]
