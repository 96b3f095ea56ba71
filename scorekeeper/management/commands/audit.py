"""`manage.py audit`: the referee looks at everything that is stored."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management import BaseCommand
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.audit import findings
from scorekeeper.models import Match


class Command(BaseCommand):
    """Report every match that cannot have happened."""

    help = _("Fold every match and report whatever is wrong. The exit status is 1 where something is.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help=_("one JSON object a line, for another program"))

    def handle(self, *args: Any, **options: Any) -> None:
        matches, found = Match.objects.count(), 0
        for finding in findings():
            found += 1
            self.stdout.write(json.dumps(asdict(finding), ensure_ascii=False) if options["json"] else str(finding))
        if options["json"]:
            self.stdout.write(json.dumps({"matches": matches, "findings": found}))
        else:
            self.stdout.write(self._in_all(matches, found))
        if found:
            raise SystemExit(1)

    def _in_all(self, matches: int, found: int) -> str:
        looked = ngettext("%(matches)s match", "%(matches)s matches", matches) % {"matches": f"{matches:,}"}
        if not found:
            return _("%(looked)s, all sound.") % {"looked": looked}
        wrong = ngettext("%(found)s thing is wrong.", "%(found)s things are wrong.", found) % {"found": f"{found:,}"}
        return f"{looked}: {wrong}"
