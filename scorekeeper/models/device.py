"""Which phones score at a table, how another one is let in by word of mouth, and how often something was tried."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Max
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from ..turnstile import writing
from .table import Table, new_code, new_mark

LONGEST_DEVICE_NAME = 40
SPOKEN_DIGITS = 6
SPOKEN_FOR = timedelta(minutes=5)
SPOKEN_ATTEMPTS = 5
TRIES_KEPT = timedelta(days=1)


class Device(models.Model):
    """A phone that may score at a table, or could once.

    Its cookie holds a token of its own; the table keeps the token's SHA-256. ``link`` is what the table kept of
    its scorer link when the phone was let in: once that is another one, the phone is out. ``code`` stands in forms.
    """

    code = models.CharField(max_length=22, default=new_mark)
    table = models.ForeignKey(Table, models.CASCADE, related_name="devices")
    name = models.CharField(max_length=LONGEST_DEVICE_NAME, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    link = models.CharField(max_length=64)
    made = models.DateTimeField(default=timezone.now)
    removed = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "code"], name="one_device_a_code")]

    def __str__(self) -> str:
        return self.name or self.code

    @staticmethod
    def token_for(table: Table, key: str) -> str:
        """The token of the phone that this form, or the table's first link, lets in: the same on a repeat."""
        return salted_hmac("scorekeeper.device", f"{table.pk} {key}", algorithm="sha256").hexdigest()

    @staticmethod
    def hash_of(token: str) -> str:
        """What the table keeps of a phone's token."""
        return hashlib.sha256(token.encode()).hexdigest()

    @classmethod
    def let_in(cls, table: Table, token: str, name: str = "") -> Device:
        """The phone with this token, new at the table unless it was let in before. Who was removed stays out."""
        made = {"table": table, "name": name, "link": table.scorer_hash}
        with writing():
            return cls.objects.get_or_create(token_hash=cls.hash_of(token), defaults=made)[0]

    @classmethod
    def of(cls, table: Table, token: str) -> Device | None:
        """The phone at this table that holds this token, whether it may still score or not."""
        return cls.objects.filter(table=table, token_hash=cls.hash_of(token)).first()

    def may_score(self, table: Table) -> bool:
        """It was not removed, and the link that let it in is still the table's; compared in constant time."""
        return self.removed is None and constant_time_compare(self.link, table.scorer_hash)

    @classmethod
    def still_scores(cls, pk: int) -> bool:
        """This phone may score at this very moment, whatever was true when its post came in."""
        return cls.objects.filter(pk=pk, removed=None, link=F("table__scorer_hash")).exists()

    @classmethod
    def scoring(cls, table: Table) -> list[tuple[Device, datetime | None]]:
        """The phones that may score now, the first one first, each with the time of its last save."""
        found = Device.objects.filter(table=table, removed=None, link=table.scorer_hash)
        return [(device, device.last) for device in found.annotate(last=Max("hands__at")).order_by("pk")]

    def remove(self) -> None:
        """Lock this phone out; its page learns of it. A spoken code that it may have seen is worth nothing now."""
        with writing():
            Device.objects.filter(pk=self.pk, removed=None).update(removed=timezone.now())
            SpokenCode.objects.filter(table=self.table_id).delete()
            Table.objects.filter(pk=self.table_id).update(mark=new_mark())


class SpokenCode(models.Model):
    """Six digits that let one more phone score: said aloud at the table, good for minutes and a few attempts.

    There is one at a time. The digits come from ``seed`` and the server's secret key, so that whoever reads the
    database alone does not know them, and the page that shows them may be loaded again.
    """

    table = models.OneToOneField(Table, models.CASCADE, related_name="spoken")
    seed = models.CharField(max_length=22, default=new_code)
    until = models.DateTimeField()
    left = models.PositiveSmallIntegerField(default=SPOKEN_ATTEMPTS)

    def __str__(self) -> str:
        return f"{self.table} until {self.until:%H:%M:%S}"

    @classmethod
    def make(cls, table: Table) -> SpokenCode:
        """A new code; the one before is worth nothing any more."""
        fresh = {"seed": new_code(), "until": timezone.now() + SPOKEN_FOR, "left": SPOKEN_ATTEMPTS}
        with writing():
            return cls.objects.update_or_create(table=table, defaults=fresh)[0]

    @classmethod
    def now(cls, table: Table) -> SpokenCode | None:
        """The code that can be used at this moment, by the server's clock."""
        return cls.objects.filter(table=table, until__gt=timezone.now(), left__gt=0).first()

    @property
    def digits(self) -> str:
        """The six digits."""
        drawn = salted_hmac("scorekeeper.spoken", f"{self.table_id} {self.seed}", algorithm="sha256").hexdigest()
        return f"{int(drawn, 16) % 10**SPOKEN_DIGITS:0{SPOKEN_DIGITS}}"

    @property
    def seconds(self) -> int:
        """How long it is still good."""
        return max(0, int((self.until - timezone.now()).total_seconds()))

    @classmethod
    def attempt(cls, table: Table, digits: str) -> int | None:
        """Use the code up with these digits: None where they are right, else how many attempts are left.

        An attempt is taken in the database before anything is compared, and the others wait for what comes of it:
        no number of phones and server processes gets more of them, and of two with the right digits one is let in.
        """
        with writing():
            usable = cls.objects.filter(table=table, until__gt=timezone.now(), left__gt=0)
            if not usable.update(left=F("left") - 1):
                return 0
            code = cls.objects.get(table=table)
            if not constant_time_compare(code.digits, digits):
                return code.left
            code.delete()
            return None


class Try(models.Model):
    """How often somebody did something in a span of time. ``who`` is a digest: no address is kept."""

    what = models.CharField(max_length=16)
    who = models.CharField(max_length=64)
    since = models.DateTimeField(db_index=True)
    count = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["what", "who", "since"], name="one_count_a_span")]

    def __str__(self) -> str:
        return f"{self.what} {self.count}"

    @classmethod
    def counted(cls, what: str, who: str, since: datetime) -> int:
        """Count once more, and say how often it was in this span; what is older than a day is forgotten."""
        same = cls.objects.filter(what=what, who=who, since=since)
        with writing():
            if not same.update(count=F("count") + 1):
                cls.objects.filter(since__lt=timezone.now() - TRIES_KEPT).delete()
                _row, made = cls.objects.get_or_create(what=what, who=who, since=since)
                if not made:  # Another one came first in the same moment.
                    same.update(count=F("count") + 1)
            return same.get().count

    @classmethod
    def so_far(cls, what: str, who: str, since: datetime) -> int:
        """How often it was in this span, without counting."""
        return cls.objects.filter(what=what, who=who, since=since).values_list("count", flat=True).first() or 0


def renew_links(table: Table, keep: Device | None, *, watch: bool) -> None:
    """A new scorer link, and a new watch link too where asked for: every phone but the one to keep is locked out."""
    with writing():
        locked = Table.objects.select_for_update().get(pk=table.pk)
        locked.renew_links(watch=watch)
        if keep is not None:
            Device.objects.filter(pk=keep.pk, removed=None).update(link=locked.scorer_hash)
        SpokenCode.objects.filter(table=locked).delete()
    table.refresh_from_db()
