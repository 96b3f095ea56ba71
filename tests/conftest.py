"""What every test stands on."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import override_settings
from hypothesis import settings as hypothesis_settings

NO_CHROMIUM = "no Chromium on this machine: `apt-get install chromium`"

# How fast an example runs on a busy machine says nothing about the rules.
hypothesis_settings.register_profile("house", deadline=None)
hypothesis_settings.load_profile("house")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly at the end where the browser's tests were left out."""
    reports = terminalreporter.stats.get("skipped", [])
    if skipped := sum(NO_CHROMIUM in str(report.longrepr) for report in reports):
        terminalreporter.write_line(f"{skipped} BROWSER TESTS WERE SKIPPED: {NO_CHROMIUM}", red=True, bold=True)


@pytest.fixture(scope="session", autouse=True)
def static_files_as_they_lie() -> Iterator[None]:
    """Pages name static files as they lie in the folder, so that no test needs them collected first."""
    plain = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    with override_settings(STORAGES=plain, WHITENOISE_AUTOREFRESH=True, WHITENOISE_USE_FINDERS=True):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep SQLite in a file, as in an evening: in memory it has no write-ahead log and no second writer.

    Tests that run beside these have a database of their own.
    """
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
