// Rulings at once: each tap fetches the answer into the page. Without this, each tap is a page of its own.
"use strict";
(() => {
  const place = document.getElementById("ruling");
  const said = document.getElementById("said");
  let waiting = [];  // taps that have no answer yet, in their order
  let next = null;   // an address to go to
  let busy = false;

  const state = () => new URLSearchParams(new FormData(document.getElementById("ask")));
  const words = () => place.querySelector("[data-says] .verdict")?.parentElement.innerText.replace(/\s+/g, " ") ?? "";

  async function ask() {
    if (busy) return;
    busy = true;
    while (waiting.length || next !== null) {
      const deeds = [...waiting];
      const query = next ?? state();
      if (next === null) for (const deed of deeds) query.append("do", deed);
      try {
        const response = await fetch(`?${query}`, { headers: { "X-In-Place": "1" } });
        if (![200, 422].includes(response.status)) throw new Error(response.status);
        const text = await response.text();
        if (next === null) waiting = waiting.slice(deeds.length);
        next = null;
        show(text);
      } catch {
        said.classList.remove("visually-hidden");
        said.textContent = place.dataset.offline;
        break;
      }
    }
    busy = false;
  }

  function show(text) {
    const held = document.activeElement;
    const mark = held?.closest("#ruling") && held.matches("[name=do]") ? held.value : null;
    place.innerHTML = text;
    said.classList.add("visually-hidden");
    said.textContent = words();
    history.replaceState(null, "", `?${state()}`);
    for (const deed of waiting) busyOn(deed);
    if (mark !== null) focusOn(mark);
  }

  const control = (deed) => place.querySelector(`[name=do][value="${CSS.escape(deed)}"]`);
  const busyOn = (deed) => control(deed)?.setAttribute("aria-busy", "true");

  // The same control again; a card that is used up now hands over to the next one of the deck.
  function focusOn(deed) {
    const again = control(deed);
    if (again && !again.disabled) return again.focus({ preventScroll: true });
    const deck = [...place.querySelectorAll(".pick-card")];
    const at = deck.indexOf(again);
    const free = [...deck.slice(at + 1), ...deck.slice(0, at + 1)].find((card) => !card.disabled);
    (free ?? place.querySelector(".asks [aria-current], .button"))?.focus({ preventScroll: true });
    return null;
  }

  place.addEventListener("submit", (event) => {
    const deed = event.submitter?.value;
    if (!deed) return;
    event.preventDefault();
    waiting.push(deed);
    event.submitter.setAttribute("aria-busy", "true");
    ask();
  });
  place.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-in-place]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    waiting = [];
    next = new URLSearchParams(new URL(link.href).search);
    ask();
  });
  addEventListener("online", ask);
})();
