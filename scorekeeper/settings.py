"""Tafferan's settings: what the environment says, with defaults that work after a checkout.

README.md lists the variables. Nothing here needs editing to run at home or behind a proxy with HTTPS.
"""

import logging
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _


def flag(name: str) -> bool:
    """This environment variable is switched on."""
    return os.environ.get(name, "").strip().lower() in {"1", "true", "yes", "on"}


def words(name: str, default: str = "") -> list[str]:
    """The words of this environment variable, between commas or spaces."""
    return os.environ.get(name, default).replace(",", " ").split()


def kept_secret(folder: Path) -> str:
    """The secret that signs cookies: made on the first start, then kept in a file that only its owner reads.

    Of two processes that start at once both get the same secret: the file appears whole, under its name,
    only once.
    """
    kept = folder / "secret"
    if not kept.exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handle, draft = tempfile.mkstemp(dir=folder, prefix="secret-")
        except OSError as error:
            raise ImproperlyConfigured(f"DATA_DIR cannot be used: {error}") from error
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(64))
        try:
            os.link(draft, kept)
        except FileExistsError:
            pass
        finally:
            os.unlink(draft)
    return kept.read_text()


def database(url: str) -> dict[str, Any]:
    """How to reach the database at this address; an address that is none is refused without repeating it.

    A connection to another machine may have died since it was last used; a file has not.
    """
    try:
        return dict(dj_database_url.parse(url, conn_max_age=None, conn_health_checks=True))
    except ValueError as error:  # Its words may hold the password.
        scheme = urlsplit(url).scheme if isinstance(error, dj_database_url.UnknownSchemeError) else ""
        what = f"begins with “{scheme}://”" if scheme else "is not an address of a database"
        words = f"DATABASE_URL {what}; write it as postgres://name:password@host/database."
        raise ImproperlyConfigured(words) from None


def without_traceback(record: logging.LogRecord) -> bool:
    """Keep the line, drop the traceback: a stranger's name for this house is no fault in the code."""
    record.exc_info = None
    return True


BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("DATA_DIR") or BASE_DIR / "var").absolute()

DEBUG = flag("DEBUG")
HTTPS = flag("HTTPS")
SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret(DATA_DIR)
ALLOWED_HOSTS = words("ALLOWED_HOSTS", "localhost 127.0.0.1 [::1]")

ROOT_URLCONF = "scorekeeper.urls"
WSGI_APPLICATION = "scorekeeper.wsgi.application"
INSTALLED_APPS = ["django.contrib.staticfiles", "csp", "scorekeeper"]
MIDDLEWARE = [
    "scorekeeper.logs.follow",
    "django.middleware.security.SecurityMiddleware",
    "scorekeeper.kept.answer",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "scorekeeper.headers.answer",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "scorekeeper.sizes.Sizes",
    "django.middleware.csrf.CsrfViewMiddleware",
    "scorekeeper.limits.Refusals",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]

DATABASE_URL = os.environ.get("DATABASE_URL") or f"sqlite:///{quote(DATA_DIR.as_posix())}/scorekeeper.sqlite3"
DATABASES = {"default": database(DATABASE_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATA_DIR.mkdir(parents=True, exist_ok=True)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = False
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 10,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }

# What was worked out of many matches; all of it can be worked out again.
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "figures": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA_DIR / "cache",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 1000},
    },
}

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_ALLOW_ALL_ORIGINS = False

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

NEW_TABLES_AN_HOUR = int(os.environ.get("NEW_TABLES_AN_HOUR") or 60)

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS")
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(health|ready)/$"]
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
# Browsers take this header over HTTPS only, and complain about it in the console of any other page.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
# Other names under this domain, and the browsers' built-in lists, are the operator's to decide about: HSTS names
# them. Who leaves them out has decided too, and is not warned at each start.
HSTS = words("HSTS")
SECURE_HSTS_INCLUDE_SUBDOMAINS, SECURE_HSTS_PRELOAD = "subdomains" in HSTS, "preload" in HSTS
WARNED_OF = {"security.W005": SECURE_HSTS_INCLUDE_SUBDOMAINS, "security.W021": SECURE_HSTS_PRELOAD}
SILENCED_SYSTEM_CHECKS = [warning for warning, decided in WARNED_OF.items() if not decided]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "scorekeeper.logs.Line"}},
    "filters": {"brief": {"()": "django.utils.log.CallbackFilter", "callback": without_traceback}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL", "WARNING").upper()},
    "loggers": {
        "django": {"handlers": [], "level": "NOTSET", "propagate": True},
        # Refusals are for the person who was refused.
        "django.request": {"level": "ERROR"},
        "django.server": {"handlers": [], "level": "NOTSET", "propagate": True},
        "django.security.DisallowedHost": {"filters": ["brief"]},
        # A request that waits for a free thread is no news.
        "waitress.queue": {"level": "ERROR"},
    },
}
