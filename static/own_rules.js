// The sums of a table's own rules while somebody types. Without this, "Work it out" does the same.
const form = document.getElementById("own");
let waiting = 0;
let asked = 0;

async function work() {
  const mine = ++asked;
  const said = new FormData(form);
  said.set("work", "1");
  try {
    const response = await fetch(location.href, { method: "POST", body: said, headers: { "X-In-Place": "1" } });
    if (!response.ok || mine !== asked) return;
    const { adds_up: addsUp, ...places } = await response.json();
    for (const [id, text] of Object.entries(places)) document.getElementById(id).textContent = text;
    document.getElementById("sums").classList.toggle("notice", !addsUp);
  } catch {
    // Without a signal the sums wait for the next change; saving works them out again.
  }
}

form.addEventListener("input", (event) => {
  event.target.removeAttribute("aria-invalid");
  clearTimeout(waiting);
  waiting = setTimeout(work, 300);
});
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || !event.target.matches("input")) return;
  event.preventDefault();
  event.target.blur();
});
form.addEventListener("submit", () => form.querySelector(".dock button").setAttribute("aria-busy", "true"));
addEventListener("pageshow", () => {
  form.querySelector(".dock button").removeAttribute("aria-busy");
  if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") work();
});

// The back button finds the same key, so that the same form sent again is the same rules.
form.elements.key.value = history.state || form.elements.key.value;
history.replaceState(form.elements.key.value, "");
