// The new-match page without round trips. Everything here also works without it.
const form = document.getElementById("new");
const rows = [...form.querySelectorAll(".seat")];
const fields = rows.map((row) => row.querySelector("input"));
const firsts = [...form.elements.first].slice(0, fields.length);
const known = [...form.querySelectorAll("button[name=seat]")];
let last;
const same = (name) => name.trim().normalize("NFC").toLowerCase();

function show() {
  const game = form.querySelector("[name=game]:checked");
  const most = game ? Number(game.dataset.most) : fields.length;
  const asked = fields.slice(0, most);
  const seated = asked.map((field) => same(field.value));
  rows.forEach((row, i) => {
    const name = fields[i].value.trim();
    row.hidden = fields[i].disabled = i >= most;
    firsts[i].parentElement.hidden = firsts[i].disabled = i >= most || (most > 4 && !name);
    firsts[i].nextElementSibling.firstElementChild.textContent = name || form.dataset.seat.replace("{number}", i + 1);
    for (const button of row.querySelectorAll("button")) {
      const called = name || form.dataset.number.replace("{number}", i + 1);
      button.setAttribute("aria-label", button.dataset.says.replace("{name}", () => called));
      button.disabled = button.value.startsWith("up") ? i === 0 : i === most - 1;
    }
  });
  for (const button of known) button.hidden = seated.includes(same(button.value));
  if (known[0]) known[0].closest(".known").hidden = known.every((button) => button.hidden);
  document.getElementById("first").hidden = game ? !game.dataset.declarer : false;
  const chosen = form.querySelector("[name=first]:checked");
  if (!chosen || chosen.disabled) firsts[0].checked = true;
}

function move(button) {
  const [way, number] = button.value.split("-");
  const one = number - 1;
  const other = way === "up" ? one - 1 : one + 1;
  [fields[one].value, fields[other].value] = [fields[other].value, fields[one].value];
  const first = firsts.findIndex((radio) => radio.checked);
  if (first === one) firsts[other].checked = true;
  if (first === other) firsts[one].checked = true;
  show();
  const [up, down] = rows[other].querySelectorAll("button");
  const again = way === "up" ? up : down;
  (again.disabled ? (way === "up" ? down : up) : again).focus();
}

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button || !button.name) return;
  event.preventDefault();
  if (button.name === "move") return move(button);
  const asked = fields.filter((field) => !field.disabled);
  const seat = asked.find((field) => !field.value.trim()) || (asked.includes(last) ? last : asked.at(-1));
  seat.value = button.value;
  show();
  (known.find((other) => !other.hidden) || seat).focus();
});
form.addEventListener("keydown", (event) => {
  const empty = fields.find((field) => !field.disabled && !field.value.trim());
  if (event.key !== "Enter" || event.isComposing || !fields.includes(event.target) || !empty) return;
  event.preventDefault();
  empty.focus();
});
form.addEventListener("focusin", (event) => {
  if (fields.includes(event.target)) last = event.target;
});
form.addEventListener("input", (event) => {
  event.target.removeAttribute("aria-invalid");
  event.target.closest(".seat")?.querySelector(".wrong")?.remove();
  show();
});
form.addEventListener("change", show);
form.addEventListener("submit", () => form.querySelector(".dock button").setAttribute("aria-busy", "true"));
addEventListener("pageshow", () => {
  form.querySelector(".dock button").removeAttribute("aria-busy");
  show();
});

// The back button finds the same key, so that the same form sent again is the same match.
form.elements.key.value = history.state || form.elements.key.value;
history.replaceState(form.elements.key.value, "");
form.elements.zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || form.elements.zone.value;
show();
