// Cards by tap: a row is filled, the next one comes by itself. What is entered is kept on this phone.
"use strict";
(() => {
  const form = document.querySelector("[data-cards]"), picker = form.querySelector("[data-picker]");
  const inputs = [...form.querySelectorAll("[data-holds]")], use = document.querySelector("[data-use]");
  const place = `cards ${location.pathname} ${form.dataset.cards}`;
  const GLYPHS = { S: "♠", H: "♥", D: "♦", C: "♣" };
  let here = null;

  function kept(value) {
    try {
      if (value === undefined) return JSON.parse(localStorage.getItem(place));
      localStorage.setItem(place, JSON.stringify(value));
    } catch { /* full, or forbidden */ }
    return null;
  }

  // Only to show what is used and how much is missing; whether it is right is said by the page that answers.
  const plain = (text) => text.toUpperCase().replace(/10/g, "T").replace(/[♠♤]/g, "S").replace(/[♥♡]/g, "H").replace(/[♦♢]/g, "D").replace(/[♣♧]/g, "C").replace(/[^2-9TJQKASHDC]/g, "");
  const pair = (two) => (/^[SHDC]/.test(two) ? two[1] + two[0] : two);
  const cardsOf = (input) => (plain(input.value).match(/[2-9TJQKA][SHDC]|[SHDC][2-9TJQKA]/g) ?? []).map(pair);
  const shown = (card) => card[0].replace("T", "10") + GLYPHS[card[1]];
  const isFull = (input) => cardsOf(input).length >= Number(input.dataset.holds);

  function update() {
    const used = new Set(inputs.flatMap(cardsOf));
    for (const button of picker.querySelectorAll("[data-card]")) button.disabled = used.has(button.dataset.card) || !here || isFull(here);
    for (const input of inputs) {
      const left = Number(input.dataset.holds) - cardsOf(input).length;
      input.nextElementSibling.textContent = left > 0 ? left : left ? "!" : "✓";
      input.classList.toggle("here", input === here);
    }
    form.querySelector(".dock").classList.toggle("still", !inputs.every(isFull) || Boolean(use && !use.disabled));
    if (!here) return;
    picker.querySelector("[data-row-name]").textContent = here.getAttribute("aria-label");
    picker.querySelector("[data-back]").disabled = !here.value.trim();
  }

  // The cards lie under the player whose row is being filled.
  function go(input) {
    here = input;
    const hand = here.closest("fieldset"), moves = picker.parentElement !== hand;
    if (moves) hand.append(picker);
    picker.hidden = false;
    update();
    if (moves) hand.scrollIntoView({ block: "start", behavior: "instant" });
  }

  function changed() {
    kept(inputs.map((input) => input.value));
    if (use) use.disabled = true;
    here?.removeAttribute("aria-invalid");
    update();
  }

  picker.addEventListener("click", ({ target }) => {
    const card = target.closest("[data-card]")?.dataset.card;
    if (card) here.value = [...cardsOf(here), card].map(shown).join(" ");
    else if (target.closest("[data-back]")) here.value = cardsOf(here).slice(0, -1).map(shown).join(" ");
    else return;
    const next = isFull(here) && inputs.find((input) => !isFull(input));
    changed();
    if (next && card) go(next);
    else if (card && isFull(here)) {
      picker.hidden = true;
      form.querySelector("[name=compare]").focus();
      return;
    }
    here.focus({ preventScroll: true });
  });
  form.addEventListener("focusin", ({ target }) => { if (inputs.includes(target) && target !== here) go(target); });
  form.addEventListener("click", ({ target }) => { if (inputs.includes(target)) go(target); });
  form.addEventListener("input", changed);
  form.querySelector("[data-clear]").addEventListener("click", () => {
    for (const input of inputs) input.value = "";
    changed();
    inputs[0].focus();
  });

  const draft = kept();
  if (draft && inputs.every((input) => !input.value)) inputs.forEach((input, n) => { input.value = draft[n] ?? ""; });
  for (const input of inputs) input.inputMode = "none";
  const wrong = inputs.find((input) => input.getAttribute("aria-invalid"));
  // A row that was tapped before this script had come is the one that is meant.
  const open = wrong ?? inputs.find((input) => input === document.activeElement) ?? inputs.find((input) => !isFull(input));
  if (open) {
    open.closest("fieldset").append(picker);
    here = open;
    picker.hidden = false;
  }
  update();
  document.querySelector("[data-focus]")?.focus({ preventScroll: true });
})();
