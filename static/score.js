// The scorer link keeps its secret behind the #, which no browser sends. It is taken out of the address at once,
// before anything else can see it, and goes to the server in the form when the phone has its name.
"use strict";
(() => {
  let secret = "";

  function take() {
    if (location.hash.length < 20) return;
    secret = location.hash.slice(1);
    history.replaceState(history.state, "", location.pathname + location.search);
    if (document.readyState !== "loading") fillIn();
  }

  function fillIn() {
    const form = document.getElementById("score-form");
    if (!form || !secret) return;
    form.elements.link.value = secret;
    form.elements.spoken.value = "";
    form.querySelector("[data-by-code]").hidden = true;
    form.querySelector("[data-by-link]").hidden = false;
    form.elements.name.focus();
    form.elements.name.select();
  }

  take();
  addEventListener("hashchange", take);
  document.addEventListener("DOMContentLoaded", () => {
    fillIn();
    const form = document.getElementById("score-form");
    form?.addEventListener("submit", (event) => {
      const button = form.querySelector(".dock button");
      if (button.getAttribute("aria-busy") === "true") event.preventDefault();
      button.setAttribute("aria-busy", "true");
    });
    addEventListener("pageshow", () => form?.querySelector(".dock button").removeAttribute("aria-busy"));
  });
})();
