"""Matches are found by when they began, so that a table's page is as quick with a thousand of them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0004_keys_and_marks"),
    ]

    operations = [
        migrations.AddIndex("match", models.Index(fields=["table", "began", "number"], name="evenings_of_a_table")),
    ]
