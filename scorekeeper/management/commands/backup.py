"""`manage.py backup`: a copy of the whole database, made while people play."""

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scorekeeper.safekeeping import Unfit, backups, keep_newest, moment, store


def at_least_one(given: str) -> int:
    """How many copies to keep."""
    if not given.isdecimal() or int(given) < 1:
        raise ArgumentTypeError(_("at least 1 must be kept"))
    return int(given)


class Command(BaseCommand):
    """Copy everything that is stored into one file."""

    help = _("Copy the whole database into one file, sound and complete also while people play.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help=_("by default a new one in DATA_DIR/backups"))
        parser.add_argument("--replace", action="store_true", help=_("the file may be there already"))
        parser.add_argument(
            "--keep", type=at_least_one, help=_("clear older copies away, of those that this command has named itself")
        )

    def handle(self, *args: Any, file: Path | None, replace: bool, keep: int | None, **options: Any) -> None:
        try:
            kind = store()
            target = (file or backups() / f"tafferan-{moment()}.{kind.suffix}").absolute()
            if target.exists() and not replace:
                raise Unfit(_("%(file)s is there already. --replace writes over it.") % {"file": target})
            contents = kind.copy_to(target)
            gone = keep_newest(target.parent, keep) if keep else []
        except (Unfit, OSError) as why:
            raise CommandError(str(why)) from why
        if options["verbosity"] < 1:
            return
        values = {"file": target, "size": target.stat().st_size, "tables": contents.tables, "matches": contents.matches}
        self.stdout.write(_("Kept in %(file)s: %(size)s bytes, tables: %(tables)s, matches: %(matches)s.") % values)
        for old in gone:
            self.stdout.write(_("Cleared away: %(file)s") % {"file": old})
        self.stdout.write(
            _(
                "Not in it is the secret that signs the cookies (DATA_DIR/secret, or SECRET_KEY): keep a copy of it "
                "apart. Without it nothing is lost, but every phone that scores must be let in again."
            )
        )
