"""`manage.py serve`: open the house to every phone on the same network."""

import errno
import io
import os
import socket
from argparse import ArgumentParser
from ipaddress import ip_address
from typing import Any

import segno
import waitress
from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.core.wsgi import get_wsgi_application
from django.utils.translation import gettext as _

from scorekeeper.closing import serve_until_told
from scorekeeper.sizes import LARGEST

# Routers of common home networks, and the addresses that a machine has when it is the hotspot itself.
NEIGHBOURS = (
    "192.168.0.1",
    "10.0.0.1",
    "172.16.0.1",
    "10.42.0.1",
    "172.20.10.1",
    "192.168.43.1",
    "192.168.137.1",
)


def own_address(neighbour: str) -> str | None:
    """The address that this machine would show to a neighbour; asking sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((neighbour, 9))
            return str(asking.getsockname()[0])
        except OSError:
            return None


def named_addresses() -> list[str]:
    """The addresses that this machine's own name stands for."""
    try:
        return socket.gethostbyname_ex(socket.gethostname())[2]
    except OSError:
        return []


def lan_addresses() -> list[str]:
    """This machine's addresses on the networks around it, the likeliest for a phone first."""

    def reachable(found: list[str]) -> list[str]:
        return [address for address in dict.fromkeys(found) if not ip_address(address).is_loopback]

    routed = [address for neighbour in NEIGHBOURS if (address := own_address(neighbour))]
    return reachable(routed) or reachable(named_addresses())


def own_hosts(addresses: list[str]) -> list[str]:
    """Every name that a browser in the house may call this machine by."""
    name = socket.gethostname().lower()
    return ["localhost", "127.0.0.1", *addresses, name, f"{name.removesuffix('.local')}.local"]


def listen(host: str, port: int) -> socket.socket:
    """A socket that waits for browsers there, or words that say why there is none and what to do."""
    try:
        return socket.create_server((host, port))
    except (OSError, OverflowError) as error:
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            words = _("Port %(port)s is taken by another program. Take another: PORT=%(other)s make serve")
        else:
            words = _("Cannot listen on %(host)s, port %(port)s: %(reason)s.")
        values = {"host": host, "port": port, "other": port + 1, "reason": error}
        raise CommandError(words % values) from error


def qr_code(url: str) -> str:
    """A code for the phone's camera, white on black whatever the terminal's own colours."""
    code = io.StringIO()
    segno.make(url, error="L").terminal(code, border=2, compact=True)
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in code.getvalue().splitlines())


class Command(BaseCommand):
    """Serve the pages, ready for an evening."""

    help = _("Serve the pages to this machine and to every phone on the same network.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=int, default=os.environ.get("PORT") or 8000, help=_("by default PORT, else 8000")
        )
        parser.add_argument("--host", default="0.0.0.0", help=_("the address to listen on, by default all"))

    def handle(self, *args: Any, port: int, host: str, **options: Any) -> None:
        listener = listen(host, port)
        call_command("migrate", interactive=False, verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        bound, port = listener.getsockname()
        addresses = lan_addresses() if bound == "0.0.0.0" else [bound]
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, *own_hosts(addresses)]
        server = waitress.create_server(
            get_wsgi_application(),
            sockets=[listener],
            ident=None,
            connection_limit=200,
            max_request_header_size=32_768,
            max_request_body_size=LARGEST,
            clear_untrusted_proxy_headers=not settings.HTTPS,
        )
        self.welcome("localhost" if bound in ("0.0.0.0", "127.0.0.1") else bound, addresses, port)
        serve_until_told(server)
        self.stdout.write(_("Closed."))

    def welcome(self, here: str, addresses: list[str], port: int) -> None:
        """Say where the pages are, with a code for the phone's camera when a person is reading."""
        self.stdout.write(_("Tafferan is open. Ctrl-C closes it."))
        self.stdout.write(_("On this machine: %(url)s") % {"url": f"http://{here}:{port}/"})
        away = [f"http://{address}:{port}/" for address in addresses if not ip_address(address).is_loopback]
        if not away:
            self.stdout.write(_("This machine is on no network that a phone could share."))
        for url in away:
            self.stdout.write(_("On a phone in the same network: %(url)s") % {"url": url})
        if away and self.stdout.isatty():
            self.stdout.write(qr_code(away[0]))
        self.stdout.flush()
