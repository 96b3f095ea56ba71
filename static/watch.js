// Follows a match while it is looked at: asks whether anything is new, and changes on the page only what is.
// A page that scores says by two events of its own what may be changed, and does the rest itself.
"use strict";
(() => {
  const SOON = 2500, QUIET = 10 * 60e3, LATER = 15e3, VERY_QUIET = 60 * 60e3, SELDOM = 60e3, PATIENCE = 10e3;
  const main = document.getElementById("main");
  const one = (selector, root = main) => root.querySelector(selector);
  const seen = () => one("[data-seen]")?.dataset.seen;
  let timer, asking, ended, answeredAt, failed = 0, changedAt = performance.now();

  // By this phone's own clock, as everybody reads it in the corner of the screen.
  const clock = () => new Date().toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const write = (place, words) => { if (place && place.textContent !== words) place.textContent = words; };

  function pace() {
    const quiet = performance.now() - changedAt;
    return quiet < QUIET ? SOON : quiet < VERY_QUIET ? LATER : SELDOM;
  }

  function next(after) {
    clearTimeout(timer);
    if (!document.hidden && !ended) timer = setTimeout(ask, after);
  }

  async function ask() {
    stop();
    const state = seen();
    // A page with something to be settled on it stays as it is.
    if (document.hidden || ended || !state) return next(SOON);
    const mine = (asking = new AbortController()), limit = setTimeout(() => mine.abort(), PATIENCE);
    try {
      const response = await fetch(location.pathname, { headers: { Seen: state }, cache: "no-store", signal: mine.signal });
      const { status } = response;
      if (status === 403 || status === 404) return end();
      if (status !== 204 && status !== 200) throw new Error(status);
      const text = status === 200 ? await response.text() : "";
      if (mine !== asking) return;
      answered();
      // What was asked for before the page became another one is old.
      next(text && state === seen() && !show(text) ? SOON / 2 : pace());
    } catch {
      if (mine !== asking) return;
      failed += 1;
      if (failed > 1) write(one("[data-gone]"), one("[data-gone]").dataset.gone.replace("{time}", answeredAt));
      next(Math.min(1000 * 2 ** failed, 30e3) * (0.75 + Math.random() / 2));
    } finally {
      clearTimeout(limit);
      if (mine === asking) asking = null;
    }
  }

  function stop() {
    clearTimeout(timer);
    asking?.abort();
    asking = null;
  }

  function answered() {
    failed = 0;
    answeredAt = clock();
    write(one(".as-of time"), answeredAt);
    write(one("[data-gone]"), "");
  }

  function end() {
    ended = true;
    write(one("[data-gone]"), one("[data-gone]").dataset.out);
  }

  // Puts a newer page in place; false where the scorer's page is just busy with the one it has.
  function show(text) {
    const page = new DOMParser().parseFromString(text, "text/html"), scripts = (root) => root.querySelectorAll("script[src]").length;
    if (!page.querySelector("#main [data-seen]")) return true;
    if (scripts(page) > scripts(document)) return location.reload();
    if (!document.dispatchEvent(new CustomEvent("newer-page", { detail: page, cancelable: true }))) return false;
    const before = news();
    changedAt = performance.now();
    become(one(".crumb", document), one(".crumb", page));
    become(main, one("#main", page));
    document.title = page.title;
    document.dispatchEvent(new CustomEvent("newer-page-shown", { detail: page }));
    write(one(".as-of time"), answeredAt);
    const after = news(), last = after.last !== before.last && after.last;
    if (last || after.now !== before.now) write(one("[data-news]"), last ? one("[data-news]").dataset.news.replace("{hand}", last) : after.now);
    return true;
  }

  const words = (selector) => one(selector)?.textContent.replace(/\s+/g, " ").trim() ?? "";
  const news = () => ({ last: words(".last"), now: words(".now p") });

  // --- making a part of the page like a newer one: what stays the same is not touched, and keeps its focus ---
  const KEPT = "form.hand, [data-status], [data-meanwhile]";
  const isKept = (node) => node.nodeType === Node.ELEMENT_NODE && node.matches(KEPT);

  function key(node) {
    if (node.nodeType !== Node.ELEMENT_NODE) return String(node.nodeType);
    if (isKept(node)) return node.classList.value;
    const link = node.matches("tr, li") && one("a[href]", node);
    return [node.tagName, node.id, node.getAttribute("href") ?? node.getAttribute("action") ?? (link && link.getAttribute("href")), node.classList[0]].join();
  }

  function become(old, newer) {
    for (const { name } of [...old.attributes]) if (name !== "open" && !newer.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of newer.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    const wanted = [...newer.childNodes], known = new Map();
    for (const node of wanted) known.set(key(node), (known.get(key(node)) ?? 0) + 1);
    for (const node of [...old.childNodes]) {
      const left = known.get(key(node)) ?? 0;
      known.set(key(node), left - 1);
      if (left < 1 && !isKept(node)) node.remove();
    }
    let place = old.firstChild;
    for (const node of wanted) {
      while (place && isKept(place) && key(place) !== key(node)) place = place.nextSibling;
      if (!place || key(place) !== key(node)) old.insertBefore(node, place);
      else {
        const same = place;
        place = place.nextSibling;
        if (node.nodeType !== Node.ELEMENT_NODE) write(same, node.textContent);
        else if (!isKept(same) && !same.isEqualNode(node)) become(same, node);
      }
    }
    while (place) {
      const rest = place;
      place = place.nextSibling;
      if (!isKept(rest)) rest.remove();
    }
  }

  // --- beginning, and coming back ---
  answeredAt = clock();
  if (seen()) write(one(".as-of time"), answeredAt);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return stop();
    changedAt = performance.now();
    ask();
  });
  document.addEventListener("page-swapped", answered);
  addEventListener("online", ask);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) ask(); });
  next(SOON);
})();
