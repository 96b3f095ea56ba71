// Copy and share a link, let a code run out, and take along what is kept on this phone when the table moves.
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const say = (word) => {
    const slip = document.querySelector("[data-status]");
    slip.textContent = slip.dataset[word];
    setTimeout(() => { slip.textContent = ""; }, 3000);
  };
  const address = (button) => button.closest(".link").querySelector("input[readonly]");

  async function copy(button) {
    const field = address(button);
    field.select();
    // Over plain HTTP in the home network there is no clipboard but the old way to it.
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy");
    say("copied");
  }

  for (const button of all("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button).catch(() => {}));
  }
  for (const button of all("[data-share]")) {
    button.hidden = !navigator.share;
    button.addEventListener("click", () => navigator.share({ url: address(button).value }).catch(() => {}));
  }
  for (const field of all("input[readonly]")) field.addEventListener("focus", () => field.select());

  for (const code of all("[data-spoken]")) {
    setTimeout(() => {
      code.remove();
      document.querySelector("[data-spoken-over]").hidden = false;
    }, code.dataset.spoken * 1000);
  }

  // A second tap while the first is on its way does nothing.
  for (const form of all("form")) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) return event.preventDefault();
      form.dataset.sent = "1";
      if ("moves" in form.dataset) sessionStorage.setItem("moves from", location.pathname.replace(/links\/.*/, ""));
    });
  }
  addEventListener("pageshow", () => { for (const form of all("form")) delete form.dataset.sent; });

  // A half-entered hand is kept under the address of its match, which is another one after the table has moved.
  const from = sessionStorage.getItem("moves from"), to = location.pathname.replace(/links\/.*/, "");
  sessionStorage.removeItem("moves from");
  if (from && from !== to) {
    for (const place of Object.keys(localStorage).filter((place) => place.includes(` ${from}`))) {
      localStorage.setItem(place.replace(from, to), localStorage.getItem(place).replaceAll(from, to));
      localStorage.removeItem(place);
    }
  }
})();
