"""A browser without script: follows links, fills in the form that stands in the page, presses its buttons."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag
from django.http import HttpResponse
from django.test import Client

from .table import soup, words


class Browser:
    """One page at a time; controls are found by the name that a person hears."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.address = ""
        self.status = 0
        self.page = BeautifulSoup("", "html.parser")

    def open(self, address: str) -> None:
        self._show(self.client.get(address, follow=True))

    def _show(self, response: HttpResponse) -> None:
        self.status = response.status_code
        self.address = response.request["PATH_INFO"]
        self.page = soup(response)

    def follow(self, name: str) -> None:
        [link] = self._named("a", name)
        self.open(str(link["href"]))

    def press(self, name: str) -> None:
        """Press a button that can be seen and pressed, and see what comes."""
        [button] = [found for found in self._named("button", name) if is_open(found)]
        form = button.find_parent("form")
        assert form is not None
        assert form["method"] == "post"
        fields = values(form)
        if button.get("name"):
            fields.append((str(button["name"]), str(button.get("value", ""))))
        sent: dict[str, list[str]] = {}
        for field, value in fields:
            sent.setdefault(field, []).append(value)
        self._show(self.client.post(str(form["action"]), sent, follow=True))

    def may_press(self, name: str) -> bool:
        return any(is_open(found) for found in self._named("button", name))

    def tick(self, name: str, group: str | None = None) -> None:
        """Tick a box, or choose a radio of a group."""
        [box] = [found for found in self._boxes(name) if group is None or group_of(found) == group]
        if box["type"] == "radio":
            form = box.find_parent("form")
            assert form is not None
            for other in form.select(f'[name="{box["name"]}"]'):
                del other["checked"]
        box["checked"] = ""

    def untick(self, name: str) -> None:
        [box] = self._boxes(name)
        del box["checked"]

    def type(self, name: str, value: object) -> None:
        [field] = [found for found in self._named("input", name) if is_enabled(found)]
        field["value"] = str(value)

    def value(self, name: str) -> str:
        [field] = [found for found in self._named("input", name) if is_enabled(found)]
        return str(field.get("value", ""))

    def ticked(self) -> list[str]:
        """The boxes that are ticked, by name."""
        return [name_of(box) for box in self.page.select("form.hand [type=checkbox][checked]")]

    @property
    def step(self) -> str:
        """The headings of the steps that can be seen."""
        return " ".join(words(head) for head in self.page.select("form.hand h2") if is_visible(head))

    @property
    def problems(self) -> list[str]:
        return [words(line) for line in self.page.select("section[aria-labelledby=problems] li")]

    def _boxes(self, name: str) -> list[Tag]:
        return [box for box in self._named("input", name) if is_enabled(box) and is_visible(box)]

    def _named(self, kind: str, name: str) -> list[Tag]:
        return [found for found in self.page.select(kind) if name_of(found) == name]


def name_of(control: Tag) -> str:
    label = control.find_parent("label") if control.name == "input" else None
    return str(control.get("aria-label") or words(label or control))


def group_of(control: Tag) -> str:
    """What the group is called that a radio belongs to."""
    group = control.find_parent(attrs={"role": "radiogroup"})
    assert group is not None
    label = control.find_parent("form").select_one(f"#{group['aria-labelledby']}")
    return words(label)


def is_visible(tag: Tag) -> bool:
    return not any(part.has_attr("hidden") for part in [tag, *tag.parents])


def is_enabled(tag: Tag) -> bool:
    return not any(part.has_attr("disabled") for part in [tag, *tag.parents])


def is_open(button: Tag) -> bool:
    return is_visible(button) and is_enabled(button) and button.get("type") != "button"


def values(form: Tag) -> list[tuple[str, str]]:
    """What a browser sends of a form, without the button."""
    found = []
    for field in form.select("input[name], textarea[name]"):
        if not is_enabled(field):
            continue
        if field.get("type") in ("checkbox", "radio") and not field.has_attr("checked"):
            continue
        text = field.text.removeprefix("\n") if field.name == "textarea" else field.get("value", "")
        found.append((str(field["name"]), str(text)))
    return found
