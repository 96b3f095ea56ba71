"""A match looked back on, on a phone and on paper: pointing at the line, sharing text and picture, one sheet of A4."""

import re
import struct
from collections.abc import Callable

import pytest
from playwright.sync_api import Download, Page, expect

import referee
from scorekeeper.models import Hand, Match, new_code, new_mark
from tests.phone.evening import address, button, under_way
from tests.phone.test_accessibility import LONG_NAMES, SIDEWAYS, TOO_SMALL
from tests.phone.test_evening import as_told
from tests.referee.strategies import random_match

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], list[str]]
OpenPhone = Callable[..., Page]
A_PAGE = re.compile(rb"/Type\s*/Page\b")
SIX = (*LONG_NAMES, "O'Brien & Zoë", "<b>x</b>")


def reviewed(page: Page, game: str = "barbu", seed: int = 1, names: tuple[str, ...] = (), path: str = "review/"):
    """A whole match, and the phone that looks back on it."""
    match = as_told(random_match(game, seed=seed))
    found = under_way(page, names=names[: len(match.players)] or match.players, first=match.first_declarer, game=game)
    told = enumerate(map(referee.to_record, match.hands), start=1)
    Hand.objects.bulk_create(
        Hand(match=found, number=n, revision=1, key=new_code(), action="enter", record=record, version=n)
        for n, record in told
    )
    Match.objects.filter(pk=found.pk).update(version=len(match.hands), mark=new_mark())
    page.goto(address(found) + path)
    return found


@pytest.mark.parametrize(
    ("scheme", "width", "height"),
    [("light", 360, 740), ("dark", 320, 640)],
    ids=["light, 360 px", "dark, 320 px"],
)
@pytest.mark.parametrize(("game", "path"), [("barbu", "review/"), ("barbu", ""), ("get-barbara", "review/")])
def test_axe_finds_nothing_looking_back(open_phone: OpenPhone, axe: Axe, width: int, height: int, game: str, path: str):
    page = open_phone(width, height)
    reviewed(page, game, names=SIX, path=path)
    for fold in page.locator("details:not(.penalty)").all()[:4]:
        fold.evaluate("fold => { fold.open = true; }")
    page.locator(".target").first.dispatch_event("pointerdown", {"clientX": 90, "clientY": 0})
    faults = [*axe(page), *page.evaluate(TOO_SMALL), *page.evaluate(SIDEWAYS)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("barbu", SIX),
        ("barbu-classic", ()),
        ("king", SIX),
        ("chinese-poker", SIX),
        ("ravage-city", ()),
        ("get-barbara", SIX),
        ("coup-detat", SIX),
    ],
)
def test_a_match_looked_back_on_prints_on_one_sheet(phone: Page, game: str, names: tuple[str, ...]):
    reviewed(phone, game, names=names)
    for width in ("0", "12mm"):
        margin = dict.fromkeys(("top", "right", "bottom", "left"), width)
        assert len(A_PAGE.findall(phone.pdf(format="A4", margin=margin))) == 1


def test_a_sheet_with_many_corrections_still_prints_on_one(phone: Page):
    found = reviewed(phone, names=SIX)
    first = found.hands.get(number=1)
    for n in range(2, 40):
        Hand.objects.create(
            match=found, number=1, revision=n, key=new_code(), action="correct", record=first.record, version=100 + n
        )
    phone.reload()
    expect(phone.locator(".history li")).to_have_count(38)
    assert len(A_PAGE.findall(phone.pdf(format="A4"))) == 1


def middle_of(page: Page, number: int) -> tuple[float, float]:
    box = page.locator(".target").nth(number - 1).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_finger_on_the_line_tells_the_hand_below_it_with_a_link(phone: Page):
    found = reviewed(phone)
    phone.locator(".line").scroll_into_view_if_needed()
    phone.touchscreen.tap(*middle_of(phone, 9))
    point = phone.locator("[data-point]")
    expect(point.get_by_role("link")).to_contain_text("Hand 9, ")
    expect(point.get_by_role("link")).to_have_attribute("href", f"{address(found)}hand/9/")
    button(phone, "The hand after").click()
    expect(point.get_by_role("link")).to_contain_text("Hand 10, ")
    button(phone, "The hand before").click()
    button(phone, "The hand before").click()
    expect(point.get_by_role("link")).to_contain_text("Hand 8, ")
    assert "review" in phone.url
    point.get_by_role("link").click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Hand 8")


def test_a_second_tap_on_the_same_hand_opens_it(phone: Page):
    reviewed(phone)
    phone.locator(".line").scroll_into_view_if_needed()
    phone.touchscreen.tap(*middle_of(phone, 9))
    phone.touchscreen.tap(*middle_of(phone, 9))
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Hand 9")


def test_the_first_and_the_last_hand_have_nothing_beyond_them(phone: Page):
    reviewed(phone)
    phone.locator(".line").scroll_into_view_if_needed()
    phone.touchscreen.tap(*middle_of(phone, 1))
    expect(button(phone, "The hand before")).to_be_disabled()
    phone.touchscreen.tap(*middle_of(phone, 28))
    expect(button(phone, "The hand after")).to_be_disabled()


@pytest.mark.parametrize("javascript", [False])
def test_without_script_a_tap_on_the_line_opens_the_hand_and_the_text_stands_there(phone: Page, javascript: bool):
    reviewed(phone)
    phone.locator(".line").scroll_into_view_if_needed()
    expect(phone.locator(".share pre")).to_contain_text("28 hands")
    expect(phone.locator(".share button").first).to_be_hidden()
    phone.touchscreen.tap(*middle_of(phone, 9))
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Hand 9")


def test_a_link_to_a_folded_hand_opens_it(phone: Page):
    reviewed(phone, path="review/#hand-5")
    expect(phone.locator("#hand-5 ul")).to_be_visible()
    expect(phone.locator("#hand-6 ul")).to_be_hidden()


# --- sharing ---

NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
SHARES = """
    window.shared = [];
    Object.defineProperty(navigator, "canShare", { value: (told) => Boolean(told.files) });
    Object.defineProperty(navigator, "share", { value: async (told) => { window.shared.push(told); } });
"""


@pytest.mark.parametrize("is_at_home", [False, True], ids=["over HTTPS", "over plain HTTP"])
def test_the_text_is_copied(phone: Page, is_at_home: bool):
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reviewed(phone, path="")
    text = phone.locator("[data-text]").text_content()
    if is_at_home:
        phone.evaluate(f"window.kept = navigator.clipboard; {NO_CLIPBOARD}")
    button(phone, "Copy text").click()
    expect(phone.locator("[data-says]")).to_have_text("The text is copied.")
    assert phone.evaluate("(window.kept ?? navigator.clipboard).readText()") == text
    assert "Best hand: " in text


def test_the_link_is_the_page_s_own_address(phone: Page):
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reviewed(phone, path="review/?x=1#hand-3")
    button(phone, "Share link").click()
    expect(phone.locator("[data-says]")).to_contain_text("The link is copied.")
    assert phone.evaluate("navigator.clipboard.readText()") == phone.url.partition("?")[0]


def kept(page: Page) -> Download:
    with page.expect_download() as download:
        button(page, "Picture").click()
    expect(page.locator("[data-says]")).to_contain_text("downloads")
    return download.value


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["", "review/"])
def test_the_picture_of_the_end_is_made_on_the_phone(phone: Page, scheme: str, path: str, tmp_path):
    reviewed(phone, names=LONG_NAMES, path=path)
    download = kept(phone)
    assert re.fullmatch(r"barbu-\d{4}-\d\d-\d\d\.png", download.suggested_filename)
    download.save_as(tmp_path / "end.png")
    picture = (tmp_path / "end.png").read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == (800, 2 * (92 + 4 * 52 + 62))
    colours = phone.evaluate(
        """async (bytes) => {
            const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
            const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
            pen.drawImage(image, 0, 0);
            const found = new Set();
            for (let y = 0; y < image.height; y += 3)
                for (const [x, part] of [[6, "edge"], [40, "page"]])
                    found.add(part + pen.getImageData(x, y, 1, 1).data.slice(0, 3).join());
            const row = (at) => pen.getImageData(64, at, 660, 90).data;
            const ink = (data) => data.filter((_, i) => i % 4 === 0 && Math.abs(data[i] - data[0]) > 60).length;
            return { found: [...found], ink: [0, 1, 2, 3].map((n) => ink(row(2 * (92 + n * 52) + 6))) };
        }""",
        list(picture),
    )
    paper = {"light": "246,240,226", "dark": "13,33,27"}[scheme]
    assert f"edge{paper}" in colours["found"]
    assert all(count > 150 for count in colours["ink"]), colours["ink"]


def test_where_the_system_shares_it_gets_the_text_the_link_and_the_picture(phone: Page):
    phone.add_init_script(SHARES)
    found = reviewed(phone, path="")
    button(phone, "Share").click()
    button(phone, "Share link").click()
    button(phone, "Picture").click()
    phone.wait_for_function("() => window.shared.length === 3")
    text, link, picture = phone.evaluate(
        "() => window.shared.map((told) => told.text ?? told.url ?? [told.files[0].name, told.files[0].type])"
    )
    assert text == phone.locator("[data-text]").text_content()
    assert link.endswith(address(found))
    assert picture[1] == "image/png"


def test_where_the_system_shares_nothing_there_is_no_button_for_it(phone: Page):
    reviewed(phone)
    expect(button(phone, "Share")).to_be_hidden()
    expect(button(phone, "Copy text")).to_be_visible()


def test_whoever_calls_off_sharing_is_told_nothing(phone: Page):
    phone.add_init_script(SHARES.replace("window.shared.push(told);", "throw new DOMException('', 'AbortError');"))
    reviewed(phone)
    button(phone, "Share").click()
    phone.wait_for_timeout(0)
    expect(phone.locator("[data-says]")).to_be_empty()
