"""`manage.py restore`: bring a copy of the whole database back."""

import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.utils.translation import gettext as _

from scorekeeper.safekeeping import Unfit, store


class Command(BaseCommand):
    """Put a copy in place of what is stored."""

    help = _("Bring back a copy that `backup` made. Close the house first.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help=_("also where something is stored, which is kept aside")
        )

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        try:
            kind = store()
            contents = kind.examine(file)
            if not replace and not kind.is_empty():
                raise Unfit(_("There are tables here already. --replace keeps them aside and restores all the same."))
            aside = kind.replace_with(file)
        except (Unfit, OSError) as why:
            raise CommandError(str(why)) from why
        shutil.rmtree(settings.DATA_DIR / "cache", ignore_errors=True)  # What was worked out of the other matches.
        call_command("migrate", interactive=False, verbosity=0)
        if options["verbosity"] < 1:
            return
        values = {"file": file, "tables": contents.tables, "matches": contents.matches}
        self.stdout.write(_("Restored from %(file)s, tables: %(tables)s, matches: %(matches)s.") % values)
        if aside:
            self.stdout.write(_("What was here before is kept in %(file)s.") % {"file": aside})
        self.stdout.write(_("`manage.py audit` has the referee look at all of it."))
