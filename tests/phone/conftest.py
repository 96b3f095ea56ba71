"""Phones to test with: a real browser of phone size, and what it complains about."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Response, WebError

from ..conftest import NO_CHROMIUM

# The browser's own loop runs in the thread of the tests, which also write to the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

CHROMIUM = shutil.which("chromium")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    if CHROMIUM is None and os.environ.get("REQUIRE_BROWSER"):
        pytest.fail(NO_CHROMIUM)
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    return {"executable_path": CHROMIUM, "args": QUIET}


@pytest.fixture
def scheme() -> str:
    """Light or dark; parametrize a test with `scheme` to see both."""
    return "light"


@pytest.fixture
def javascript() -> bool:
    """Whether the phone runs scripts; parametrize a test with `javascript` to see both."""
    return True


@pytest.fixture
def complaints() -> list[str]:
    """What the phones of a test complain of; a test that makes trouble on purpose takes its own out again."""
    return []


@pytest.fixture
def open_phone(
    new_context: Callable[..., BrowserContext],
    live_server,
    scheme: str,
    javascript: bool,
    complaints: list[str],
) -> Iterator[Callable[..., Page]]:
    """A function that opens one more phone, with cookies of its own.

    The test fails if a page of any phone had an error in its script, broke the page's security policy, missed
    a static file, or brought the server to its knees.
    """

    def on_error(error: WebError) -> None:
        complaints.append(f"script error: {error.error}")

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            complaints.append(f"console: {message.text}")

    def on_response(response: Response) -> None:
        if response.status >= 500 or (response.status >= 400 and "/static/" in response.url):
            complaints.append(f"{response.status} for {response.url}")

    def open_one(width: int = 360, height: int = 740) -> Page:
        context = new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": height},
            device_scale_factor=2,
            has_touch=True,
            is_mobile=True,
            color_scheme=scheme,
            java_script_enabled=javascript,
        )
        context.set_default_timeout(10_000)
        context.on("weberror", on_error)
        context.on("console", on_console)
        context.on("response", on_response)
        return context.new_page()

    yield open_one
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def phone(open_phone: Callable[..., Page]) -> Page:
    """A phone of common size, 360 by 740."""
    return open_phone()


@pytest.fixture
def narrow(open_phone: Callable[..., Page]) -> Page:
    """The narrowest phone, 320 by 640."""
    return open_phone(width=320, height=640)


@pytest.fixture
def axe(javascript: bool) -> Callable[[Page], list[str]]:
    """A function that audits a page for accessibility: one sentence for each fault, none if all is well."""

    def audit(page: Page) -> list[str]:
        assert javascript, "the audit is a script, and would wait for ever on a phone that runs none"
        page.evaluate(AXE_SCRIPT)
        found = page.evaluate('rules => axe.run({runOnly: rules, resultTypes: ["violations"]})', RULES)
        return [
            f"{fault['id']} ({fault['impact']}) at {node['target']}: {node['failureSummary']}"
            for fault in found["violations"]
            for node in fault["nodes"]
        ]

    return audit
