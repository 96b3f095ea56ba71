// Walks through the cards without loading the page anew, and keeps what was typed until the server has it.
"use strict";
(() => {
  const main = document.getElementById("main");
  const one = (selector) => main.querySelector(selector);
  const place = `tricks ${location.pathname}`;
  // One question at a time: a tap that comes while another is on its way waits for the answer, and none is lost.
  let queue = Promise.resolve();

  function kept(value) {
    try {
      if (value === undefined) return JSON.parse(localStorage.getItem(place));
      if (value === null) localStorage.removeItem(place);
      else localStorage.setItem(place, JSON.stringify(value));
    } catch { /* full, or forbidden */ }
    return null;
  }

  // The same button again, or the nearest that is still there.
  function refocus(name) {
    const again = name && [...main.querySelectorAll("a, button")].find((control) => control.getAttribute("aria-label") === name && !control.disabled);
    (one("[data-focus]") ?? again ?? one("[data-said]")?.parentElement ?? main).focus({ preventScroll: !one("[data-focus]") });
    one("[data-say]").textContent = one("[data-said]")?.textContent ?? "";
  }

  async function show(url, options, name) {
    try {
      const response = await fetch(url, options);
      const page = new DOMParser().parseFromString(await response.text(), "text/html"), content = page.getElementById("main");
      if (response.redirected && options?.method === "POST") {
        kept(null);
        location.assign(response.url);
        return true;
      }
      if (!content?.querySelector("[data-say]")) return false;
      const top = scrollY;
      main.replaceChildren(...content.childNodes);
      document.title = page.title;
      scrollTo({ top, behavior: "instant" });
      if (options?.method === "POST") keep();
      refocus(name);
      return true;
    } catch {
      return false;
    }
  }

  function keep() {
    const form = one("[data-tricks]");
    if (form) kept({ revision: form.dataset.revision, text: form.elements.tricks.value, south: form.elements.south.value });
  }

  main.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-at]");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    queue = queue.then(async () => {
      if (await show(link.href, {}, link.getAttribute("aria-label"))) history.replaceState(null, "", link.href);
      else location.assign(link.href);
    });
  });
  main.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-tricks]")) return;
    event.preventDefault();
    queue = queue.then(() => send(event.submitter));
  });

  async function send(button) {
    const form = one("[data-tricks]");
    if (!form || (button?.name === "card" && one(`[name=card][value="${button.value}"]`)?.disabled)) return;
    const body = new URLSearchParams(new FormData(form));
    if (button?.name) body.set(button.name, button.value);
    keep();
    if (!await show(form.action, { method: "POST", body }, button?.getAttribute("aria-label"))) {
      one("[data-say]").className = "status";
      one("[data-say]").textContent = form.dataset.offline;
    }
  }
  main.addEventListener("input", keep);

  const form = one("[data-tricks]"), draft = kept();
  if (form && draft && draft.revision === form.dataset.revision && draft.text !== form.elements.tricks.value && !("posted" in form.dataset)) {
    form.elements.tricks.value = draft.text;
    form.elements.south.value = draft.south;
  }
})();
