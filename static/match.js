// The hand as one form: walks through its steps, counts along, shows the score it would give, and sends
// each finished step without waiting. What is half filled in is kept on this phone until the server has it.
"use strict";
(() => {
  const main = document.getElementById("main");
  let form, rules, active, at, touched, quiet, frame, theirs;
  const all = (selector, root = form) => [...root.querySelectorAll(selector)];
  const one = (selector, root = form) => root.querySelector(selector);
  const make = (tag, values) => Object.assign(document.createElement(tag), values);
  const shown = (element) => element.getClientRects().length > 0;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const signed = (n) => (n > 0 ? "+" : n < 0 ? "−" : "") + Math.abs(n).toLocaleString("en");
  const colour = (n) => (n ? (n > 0 === rules.lowest ? "loss" : "gain") : "");
  // A slip with what became of the last tap; its words stand on the slip itself, under their names.
  const say = (word) => { const slip = one("[data-status]", main); if (slip) slip.textContent = slip.dataset[word] ?? ""; };

  // What this phone keeps: the draft of the form, and the posts that the server has not answered yet.
  function kept(name, value) {
    const place = `${name} ${location.pathname}`;
    try {
      if (value === undefined) return JSON.parse(localStorage.getItem(place));
      if (value) localStorage.setItem(place, JSON.stringify(value));
      else localStorage.removeItem(place);
    } catch { /* full, or forbidden */ }
    return null;
  }

  // --- the form's values ---------------------------------------------------------------------------
  const field = (name) => one(`input[type=hidden][name=${name}]`);
  const contract = () => rules.contracts[field("contract").value];
  const correcting = () => "correct" in form.dataset;
  const hand = () => form?.dataset.hand ?? form?.dataset.correct;
  const seats = () => rules.players.map((_, seat) => seat);
  const doubles = () => all("[name=double]:checked").map((box) => box.value.split("-").map(Number));
  const double = (who, whom) => one(`[name=double][value="${who}-${whom}"]`)?.checked;
  const told = (selector) => all(selector).map((input) => Number(input.value));
  const panel = () => (contract() ? all(".panel").find((set) => set.dataset.panel === contract().panel) : null);
  const fields = (block) => all("input[type=number]", block);
  const block = (item) => one(`[data-item="${item.code}"]`, panel());
  const passesOut = () => Boolean(contract()?.pass && !doubles().length);
  const dutiesBroken = () => (one("[name=played_anyway]")?.checked ? [] : all("[data-duty]:not(:checked)"));

  function counted(item) {
    if (!item.single) return fields(block(item)).map((input) => (/^\d+$/.test(input.value) ? Number(input.value) : null));
    const taker = one(":checked", block(item));
    return seats().map((seat) => (taker ? Number(taker.value === String(seat)) : null));
  }

  const coup = () => (contract()?.coup ? one("[name=coup]:checked")?.value ?? "no" : "no");
  const fouls = () => all("[name=foul]:checked", panel()).map((box) => Number(box.value));
  const lines = (row) => all(`[data-ranking="${row}"] li`, panel());

  // A row's order as groups of seats, best first; who share a group tie.
  function ranking(row) {
    const groups = [];
    for (const line of lines(row)) {
      const seat = Number(one("input", line).value.replace("=", ""));
      if (line.matches(".tied")) groups.at(-1).push(seat);
      else groups.push([seat]);
    }
    return groups;
  }

  // How many opponents each seat beats over the rows, a tie counting half; or the first row that is still open.
  function beaten() {
    const units = seats().map(() => 0);
    for (const row of all("[data-ranking]", panel()).map((box) => box.dataset.ranking)) {
      const groups = [...ranking(row), fouls()];
      let worse = groups.flat().length;
      if (worse < units.length) return { row, tied: [] };
      for (const group of groups) {
        worse -= group.length;
        for (const seat of group) units[seat] += worse + (group.length - 1) / 2;
      }
    }
    return { units, tied: seats().filter((seat) => units[seat] === Math.max(...units)) };
  }

  // The basic points as far as they are known, and what is still missing.
  function outcome() {
    const { kind, items, places, penalty, unit, overall } = contract().score, { players, texts } = rules;
    let basic = players.map(() => 0), why = "";
    if (coup() !== "no") {
      const made = one("[name=coup-made]:checked")?.value, by = Number(coup());
      if (!made) return { basic: basic.map(() => null), why: texts.coupMade };
      if (made === "no") basic[by] = -rules.coupFailed;
      else basic = basic.map((_, seat) => contract().coup * (seat === by ? basic.length - 1 : -1));
      return { basic, why };
    }
    if (kind === "counts") {
      for (const item of items) {
        const counts = counted(item), left = item.count - counts.reduce((sum, n) => sum + n, 0);
        const worth = (n) => (item.allToOne !== null && n === item.count ? item.allToOne : n * item.each);
        basic = basic.map((points, seat) => (points === null || counts[seat] === null ? null : points + worth(counts[seat])));
        why ||= missing(item, counts, left, counts.includes(null));
      }
      const inHand = items.filter((item) => item.leftOver).map(counted);
      if (inHand.length && seats().every((seat) => inHand.some((counts) => counts[seat]))) why ||= texts.nobodyOut;
    } else if (kind === "finish") {
      const order = told("[name=finish]"), n = players.length - order.length;
      basic = seats().map((seat) => places[order.indexOf(seat)] ?? null);
      if (n) why = fill(texts.out, { n });
    } else if (kind === "ravaged") {
      const hit = told("[name=ravaged]:checked");
      basic = seats().map((seat) => (hit.includes(seat) ? penalty / hit.length : 0));
      if (!hit.length) why = texts.ravaged;
    } else if (kind === "beats") {
      const { row, units, tied } = beaten();
      if (row) return { basic: basic.map(() => null), why: fill(texts.place, { row: texts.rows[row] }) };
      const best = tied.length > 1 ? one("[name=best]:checked", panel())?.value : tied[0];
      basic = units.map((n, seat) => n * unit + (overall && Number(best) === seat ? overall : 0));
      if (overall && best === undefined) why = texts.best;
    }
    if (!why && rules.payment === "declarer") {
      basic[rules.declarer] = 0;
      basic[rules.declarer] = -basic.reduce((sum, n) => sum + n, 0);
    }
    return { basic, why };
  }

  function missing(item, counts, left, blank) {
    const { players, texts } = rules, n = Math.abs(left), items = n === 1 ? item.one : item.many;
    if (item.single && blank) return fill(/^trick|^first|^last/.test(item.code) ? texts.whoWon : texts.who, { item: item.one });
    if (left < 0) return fill(texts.over, { n, items });
    if (blank || (!item.leftOver && left > (item.short ? 1 : 0))) return fill(texts.missing, { n, items });
    const group = contract().score.items.find(({ code }) => code === item.within), held = group && counted(group);
    const bare = held ? counts.findIndex((taken, seat) => taken && !held[seat]) : -1;
    return bare < 0 ? "" : fill(texts.needs, { player: players[bare], item: item.one, group: group.many });
  }

  function preview({ basic, why }) {
    const moved = basic.map(() => 0), none = basic.map(() => null);
    for (const [who, whom] of doubles()) {
      moved[who] += basic[who] - basic[whom];
      moved[whom] -= basic[who] - basic[whom];
    }
    const rows = why ? { basic, doubling: none, total: none } : { basic, doubling: moved, total: basic.map((n, seat) => n + moved[seat]) };
    for (const row of all("[data-row]")) {
      all("td", row).forEach((cell, seat) => {
        const points = rows[row.dataset.row][seat];
        cell.textContent = points === null ? "·" : signed(points);
        if (row.dataset.row === "total") cell.className = colour(points);
      });
    }
    for (const row of all("div.counts:first-of-type .count", panel())) {
      const { seat } = row.dataset, own = basic[seat], total = rows.total[seat], gives = one(".gives", row);
      gives.textContent = own === null ? "" : signed(own);
      if (!rows.doubling[seat]) continue;
      const sum = `${signed(own)} ${signed(moved[seat]).replace(/^./, "$& ")} = `;
      gives.replaceChildren(make("span", { textContent: sum }), make("b", { textContent: signed(total), className: colour(total) }));
    }
  }

  // --- showing ------------------------------------------------------------------------------------
  function show(step, focus = true) {
    form.dataset.step = step;
    one("[data-default]").value = { doubles: "doubles", result: "save" }[step] ?? "";
    if (!correcting()) for (const section of all("section[data-step]")) section.hidden = section.dataset.step !== step;
    update();
    if (!focus) return;
    one(`section[data-step=${step}] h2`).focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" });
  }

  function press(buttons, value) {
    for (const button of buttons) button.setAttribute("aria-pressed", button.value === value);
  }

  function update() {
    const now = contract(), section = one("section.doubles");
    press(all("[name=declare][aria-pressed]"), field("contract").value);
    for (const pick of all("[data-pick]")) {
      pick.hidden = now?.needs !== pick.dataset.pick;
      press(all("button", pick), field(pick.dataset.pick).value);
    }
    if (section && now) {
      section.classList.toggle("only-declarer", now.onlyDeclarer);
      section.classList.toggle("can-pass", Boolean(now.pass));
      for (const [who, whom] of doubles()) {
        const answers = who === rules.declarer;
        if (answers ? !double(whom, who) : now.onlyDeclarer && whom !== rules.declarer) one(`[value="${who}-${whom}"]`, section).checked = false;
      }
      one(".anyway")?.classList.toggle("asked", Boolean(one("[data-duty]:not(:checked)")));
      one("[data-pass]", main)?.replaceChildren(now.pass);
    }
    for (const name of all("[data-contract-name]")) name.textContent = now?.name ?? "";
    for (const place of all("[data-doubles-words]")) place.textContent = doubleWords();
    for (const set of all(".panel")) set.hidden = set.disabled = !now || set.dataset.panel !== now.panel;
    const coups = one(".coup");
    if (coups) {
      coups.hidden = !now?.coup;
      one(".made", coups).hidden = coup() === "no";
      if (coup() !== "no") for (const set of all(".panel")) set.hidden = set.disabled = true;
    }
    if (correcting()) one("section.result").hidden = passesOut();
    if (panel()) updatePanel(now.score);
    updateDock();
  }

  function doubleWords() {
    const { players, declarer } = rules;
    return doubles().filter(([a, b]) => !double(b, a) || b === declarer || (a !== declarer && a < b))
      .map(([a, b]) => `${players[a]} ${double(b, a) ? "⇄" : "→"} ${players[b]}`).join(", ");
  }

  function updatePanel({ kind, items = [] }) {
    const counting = items.filter((item) => !item.single);
    for (const item of counting) updateCounts(item);
    // Of several things to count, the one whose turn it is shows its pad.
    const turn = counting.find((item) => item.code === at) ?? counting.find((item) => counted(item).includes(null)) ?? counting[0];
    for (const item of counting) block(item).classList.toggle("here", item === turn);
    if (kind === "beats") updateRows();
    if (kind === "finish") {
      const out = told("[name=finish]");
      for (const button of all("[name=out]")) button.disabled = out.includes(Number(button.value));
      one(".take-back").disabled = !out.length;
    }
    preview(outcome());
  }

  function updateCounts(item) {
    const inputs = fields(block(item)), values = counted(item), pad = one(".pad", block(item));
    const typed = (seat) => values[seat] !== null && !inputs[seat].dataset.auto;
    const left = item.count - seats().filter(typed).reduce((sum, seat) => sum + values[seat], 0);
    const open = inputs.filter((input) => input.value === "" || input.dataset.auto);
    // Where the total is fixed, the last one fills itself, and nothing left means nothing for the others.
    const closes = item.exact && (open.length === 1 || left === 0) && left >= 0;
    for (const input of open) fillIn(input, closes ? left : "", closes);
    const blank = inputs.findIndex((input) => input.value === "");
    const turn = (active[item.code] ??= blank < 0 ? inputs.length - 1 : blank);
    const most = (seat) => left + (typed(seat) ? values[seat] : 0);
    if (!pad.children.length) {
      for (let n = 0; n <= Math.min(item.count, 19); n++) pad.append(make("button", { type: "button", textContent: n }));
    }
    pad.setAttribute("aria-label", fill(rules.texts.for, { items: item.name, player: rules.players[turn] }));
    all("button", pad).forEach((button, n) => { button.disabled = n > most(turn); });
    inputs.forEach((input, seat) => {
      const row = input.closest(".count"), value = Number(input.value);
      row.classList.toggle("active", seat === turn);
      one("[data-less]", row).disabled = !(value > 0);
      one("[data-more]", row).disabled = value >= most(seat);
    });
  }

  function updateRows() {
    const foul = fouls();
    for (const box of all("[data-ranking]", panel())) {
      const { ranking: row } = box.dataset, placed = () => ranking(row).flat();
      for (const line of lines(row)) if (foul.includes(Number(one("input", line).value.replace("=", "")))) line.remove();
      if (lines(row).length) tie(lines(row)[0], false);
      for (const button of all(".place", box)) {
        const seat = Number(button.value.split("-")[1]);
        button.disabled = placed().includes(seat) || foul.includes(seat);
      }
      const last = lines(row).at(-1), ties = one("[name=tie]", box);
      ties.disabled = lines(row).length < 2;
      ties.setAttribute("aria-pressed", Boolean(last?.matches(".tied")));
      one("[name=unplace]", box).disabled = !last;
    }
    const overall = one(".overall", panel()), { tied } = beaten();
    if (!overall) return;
    overall.hidden = tied.length < 2;
    for (const chip of all(".chip", overall)) {
      const input = one("input", chip);
      chip.hidden = overall.hidden || !tied.includes(Number(input.value));
      input.checked &&= !chip.hidden;
    }
  }

  function tie(line, on) {
    const input = one("input", line);
    line.classList.toggle("tied", on);
    input.value = (on ? "=" : "") + input.value.replace("=", "");
  }

  function place(row, seat, tied) {
    const line = make("li");
    line.append(make("bdi", { textContent: rules.players[seat] }), make("input", { type: "hidden", name: `row-${row}`, value: seat }));
    tie(line, tied);
    one(`[data-ranking="${row}"] .out`, panel()).append(line);
  }

  function fillIn(input, value, byItself) {
    input.value = value;
    if (byItself) input.dataset.auto = "1";
    else delete input.dataset.auto;
  }

  function updateDock() {
    if (!form) return;
    const now = contract(), { texts, players } = rules, busy = asking || waiting();
    const asks = (step) => (correcting() ? now : form.dataset.step === step), broken = asks("doubles") ? dutiesBroken() : [];
    let why = "";
    if (broken.length) why = fill(texts.owes, { players: broken.map((box) => players[box.value[0]]).join(", "), declarer: players[rules.declarer] });
    else if (correcting() && now?.needs && !field(now.needs).value) why = texts[now.needs];
    else if (asks("result") && !passesOut()) why = outcome().why;
    for (const reason of all("[data-why]")) reason.textContent = why;
    for (const button of all(".dock button")) {
      button.disabled = Boolean(why || busy || previewing);
      button.setAttribute("aria-busy", busy);
    }
  }

  // --- the draft ----------------------------------------------------------------------------------
  const keep = () => kept("draft", {
    hand: hand(),
    revision: field("revision").value,
    step: form.dataset.step,
    deal: form.dataset.deal,
    touched,
    fields: [...new FormData(form)].filter(([name]) => !/^(csrf|key$|revision$|seen$|step$)/.test(name)),
    auto: all("[data-auto]").map((input) => input.name),
  });

  // Puts the draft of this hand back into the form. Its next post builds on the revision that it was made on,
  // so that what another phone has stored meanwhile is not overwritten unseen; `rebase` where it has been seen.
  function restore(rebase) {
    const draft = kept("draft"), revision = field("revision");
    if (draft?.hand !== hand() || draft.deal !== form.dataset.deal || !(rebase || outbox.now || draft.touched || Number(draft.revision) >= Number(revision.value))) return undefined;
    for (const box of all("[type=checkbox], [type=radio]")) box.checked = false;
    for (const input of all("[type=number]")) input.value = "";
    for (const line of all(".out li")) line.remove();
    field("contract").value = draft.fields.find(([name]) => name === "contract")?.[1] ?? "";
    for (const [name, value] of draft.fields) {
      if (name === "finish") goesOut(value);
      else if (name.startsWith("row-")) place(name.slice(4), Number(value.replace("=", "")), value[0] === "=");
      else for (const input of all(`input[name="${name}"]`)) {
        if (/checkbox|radio/.test(input.type)) input.checked ||= input.value === value;
        else fillIn(input, value, draft.auto.includes(name));
      }
    }
    one(".note").open ||= Boolean(one("[name=note]").value);
    if (!rebase) revision.value = draft.revision;
    touched = draft.touched;
    return draft.step;
  }

  // --- sending ------------------------------------------------------------------------------------
  // One post at a time, each on the revision that the last answer gave. What follows meanwhile is merged into
  // one next post, since a later step says everything again. A retry repeats its key and changes nothing.
  let outbox = {}, sending, retry, wait = 2000, asking = false, previewing;
  // The hand on the page is on its way: until it is answered, nothing in it can be changed.
  const waiting = () => [outbox.now, outbox.next].some((sent) => sent?.final && sent.hand === hand());
  const ask = (url, body) => fetch(url, { method: "POST", body, headers: { "X-In-Place": "1" }, redirect: "manual", signal: AbortSignal.timeout?.(15000) });

  function bodyOf(source, values) {
    const body = new URLSearchParams(source instanceof HTMLElement ? new FormData(source) : source);
    for (const name in values) body.set(name, values[name]);
    return body;
  }

  function post(step, final) {
    const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
    outbox.next = { hand: hand(), url: form.action, body: String(bodyOf(form, { step, key })), final };
    touched = false;
    hideTheirs();
    keep();
    pump();
    update();
  }

  function pump() {
    if (!outbox.now) outbox = { now: outbox.next };
    if (!outbox.now) return;
    kept("outbox", outbox);
    if (waiting()) say("saving");
    sending ??= send(outbox.now).then((answer) => {
      sending = null;
      answered(answer);
    });
  }

  // The answer with its page; no page where there was no answer, or none from this house.
  async function send({ url, body }) {
    clearTimeout(retry);
    try {
      const response = await ask(url, bodyOf(body)), revision = response.headers.get("Hand-Revision");
      return { status: response.status, revision, page: revision ? null : pageIn(await response.text()) };
    } catch {
      return { status: 0 };
    }
  }

  function answered({ status, revision, page }) {
    if (status >= 500 || status === 429 || !(revision || page)) {
      say(status >= 400 ? "failed" : "unsaved");
      retry = setTimeout(pump, wait);
      wait = Math.min(wait * 1.7, 15000);
      return;
    }
    wait = 2000;
    const { now, next } = outbox, here = now.hand === hand(), goesOn = next?.hand === now.hand && status !== 403;
    outbox = { next: next?.hand === now.hand && !goesOn ? null : next };
    if (revision) {
      if (goesOn) next.body = String(bodyOf(next.body, { revision }));
      if (here) {
        field("revision").value = revision;
        keep();
      }
      say("");
    } else if (status === 200) {
      if (here) kept("draft", null);
      if (here || !form) swap(page, true);
      if (here && form) keep();
    } else if (!goesOn) swap(page, false);
    pump();
    // Where somebody else has finished this hand, both versions are shown again after a reload, until one goes on.
    const late = status === 409 && now.final && now.hand !== hand();
    if (!outbox.now) kept("outbox", late ? { now } : null);
  }

  function pageIn(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    return one(".crumb", page) && one("#main", page) ? page : null;
  }

  function swap(page, up, rebase = true) {
    main.replaceChildren(...one("#main", page).childNodes);
    one(".crumb", document).replaceChildren(...one(".crumb", page).childNodes);
    document.title = page.title;
    document.dispatchEvent(new CustomEvent("page-swapped"));
    setUp(rebase);
    if (up) scrollTo({ top: 0, behavior: "instant" });
    (one("[data-focus]", main) ?? one("section[data-step]:not([hidden]) h2", main) ?? main).focus({ preventScroll: up });
  }

  // Undo, Redo and a correction: asked in place; without a signal nothing happens, and the page says so.
  async function askInPlace(sent) {
    if (asking) return;
    asking = true;
    updateDock();
    while (sending) await sending;
    let response, page, word = "offline";
    try {
      if (!outbox.now && sent.isConnected) {
        // Without an answer nobody knows whether it was done; what never left this phone was not.
        if (navigator.onLine) word = "unsure";
        response = await ask(sent.action, bodyOf(sent, sent === form ? { step: "save" } : {}));
      }
      if (response?.status < 500 && response.status !== 429) page = pageIn(await response.text());
    } catch { /* no answer */ }
    if (sent === form && response?.type === "opaqueredirect") {
      kept("draft", null);
      return location.assign(one(".crumb a", document).href);
    }
    asking = false;
    if (page) return swap(page, response.ok);
    if (sent.isConnected) say(response?.status === 429 ? "often" : word);
    updateDock();
  }

  // --- what other phones store, as watch.js finds it ------------------------------------------------
  // The page around the hand is always the newest. The hand itself stays while something in it is half entered
  // here; what was said on the other phone stands above it, and the next post shows both.
  const framed = (hand) => hand && [one("#rules", hand).textContent, ...all("[name=declare]", hand).map((tile) => tile.ariaLabel), ...all(".duty", hand).map((duty) => duty.textContent)].join();
  const revisionOf = (hand) => Number(one("[name=revision]", hand).value);
  const isThisHand = (other) => other?.dataset.hand === hand() && other.dataset.deal === form.dataset.deal;

  document.addEventListener("newer-page", (event) => {
    const other = one("form.hand", event.detail), isOlder = form && isThisHand(other) && revisionOf(other) < revisionOf(form);
    if (outbox.now || asking || isOlder) event.preventDefault();
  });
  document.addEventListener("newer-page-shown", ({ detail: page }) => {
    const other = one("form.hand", page), isSame = form && isThisHand(other) && revisionOf(other) === revisionOf(form);
    if (one("form.hand", main) !== form) setUp(false);
    else if (!form || (isSame && framed(other) === frame)) return;
    else if (touched && !isSame) showTheirs(other, page);
    else take(other);
  });

  function showTheirs(other, page) {
    const slip = one("[data-meanwhile]", main), said = one("[data-meanwhile]", page)?.dataset, step = isThisHand(other) && said.told;
    const told = step || (one(".last", main) ?? one(".now p", main)).textContent.replace(/\s+/g, " ").trim();
    one("p", slip).textContent = (step ? said.step : slip.dataset.on).replace("{told}", () => told);
    slip.hidden = false;
    theirs = other;
  }

  function hideTheirs() {
    const slip = one("[data-meanwhile]", main);
    if (slip) slip.hidden = true;
  }

  // The hand as it is stored takes the place of the one on the page; the focus goes to the same control.
  function take(other) {
    const { activeElement: here } = document, held = form.contains(here) && here, wasAt = `${held.name} ${held.value} ${held.ariaLabel}`;
    if (other) form.replaceWith(other);
    else form.remove();
    setUp(false);
    if (!held) return;
    const again = form && all("button, input, h2").find((control) => `${control.name} ${control.value} ${control.ariaLabel}` === wasAt && shown(control));
    (again ?? (form && one("section[data-step]:not([hidden]) h2")) ?? main).focus({ preventScroll: true });
  }

  main.addEventListener("click", ({ target }) => {
    if (!target.closest("[data-meanwhile] button")) return;
    kept("draft", null);
    touched = false;
    take(theirs);
    (form ? one("section[data-step]:not([hidden]) h2") : main).focus({ preventScroll: true });
  });

  // A correction shows what it changes before it can be saved.
  async function showConsequences() {
    const mine = (previewing = {}), place = one("[data-consequences]");
    updateDock();
    let text = "";
    try {
      const response = one("[data-why]").textContent ? null : await ask(form.action, bodyOf(form, { preview: 1, step: "save" }));
      if (/200|409|422/.test(response?.status)) text = await response.text();
    } catch { say("offline"); }
    if (mine !== previewing) return;
    previewing = null;
    place.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
    updateDock();
  }

  // --- taps ---------------------------------------------------------------------------------------
  const taps = {
    "[name=declare][aria-pressed]": ({ value }) => {
      field("contract").value = value;
      field("trump").value = field("start").value = "";
      changed();
      const pick = one(`[data-pick="${contract().needs}"]`);
      if (!pick) return declared();
      bringUp(pick);
      one("button", pick).focus({ preventScroll: true });
    },
    "[name=pick]": ({ value }) => {
      field(contract().needs).value = value;
      changed();
      declared();
    },
    "[data-back]": (button) => show(button.dataset.back),
    "[data-max]": (button) => shortcut(button.dataset.max, true),
    "[data-flanks]": (button) => shortcut(button.dataset.flanks, false),
    ".count input": (input) => {
      takesTurn(input);
      update();
    },
    "[data-less]": (button) => count(button, -1),
    "[data-more]": (button) => count(button, 1),
    ".pad button": (button) => {
      const counts = button.closest(".counts"), { item } = counts.dataset, inputs = fields(counts);
      fillIn(inputs[active[item]], button.textContent);
      delete active[item];
      at = null;
      changed();
      const open = all(".taker", panel()).find((taker) => !one(":checked", taker));
      if (open && inputs.every((input) => input.value)) bringUp(open);
    },
    "[name=out]": ({ value }) => {
      goesOut(value);
      const rest = seats().filter((seat) => !told("[name=finish]").includes(seat));
      if (rest.length === 1) goesOut(rest[0]);
      changed();
    },
    "[name=back]": () => {
      const out = all(".out li", panel());
      for (const line of out.slice(out.length === rules.players.length ? -2 : -1)) line.remove();
      changed();
    },
    "[name=place]": ({ value }) => {
      const [row, seat] = value.split("-");
      place(row, Number(seat), false);
      changed();
    },
    "[name=tie]": ({ value }) => {
      const last = lines(value).at(-1);
      tie(last, !last.matches(".tied"));
      changed();
    },
    "[name=unplace]": ({ value }) => {
      lines(value).at(-1).remove();
      changed();
    },
  };

  // The next tap comes into view, and clear of the bar at the bottom.
  function bringUp(part) {
    const below = part.getBoundingClientRect().bottom + 16 + one(".dock").offsetHeight - innerHeight;
    if (below > 0) scrollBy({ top: below, behavior: "instant" });
  }

  function declared() {
    if (correcting()) return;
    show(rules.doubling ? "doubles" : "result");
    post("", false);
  }

  // Max or flanks: everybody on offer, with the declarer or without; all of them ticked already are unticked.
  function shortcut(who, withDeclarer) {
    const boxes = all(`[name=double][value^="${who}-"]`).filter((box) => shown(box.closest(".chip")) && (withDeclarer || Number(box.value[2]) !== rules.declarer));
    const on = !boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = on;
    changed();
  }

  function count(button, step) {
    const input = one("input", button.closest(".count"));
    fillIn(input, Math.max(0, Number(input.value) + step));
    takesTurn(button);
    changed();
  }

  function takesTurn(control) {
    const counts = control.closest(".counts");
    if (!counts) return;
    at = counts.dataset.item;
    active[at] = Number(control.closest(".count").dataset.seat);
  }

  function goesOut(seat) {
    const line = make("li");
    line.append(make("bdi", { textContent: rules.players[seat] }), make("input", { type: "hidden", name: "finish", value: seat }));
    one(".out", panel()).append(line);
  }

  // Who has which Barbara is told as the round goes on; with all of them told, they are counted.
  function holdsBarbara() {
    const holders = told(".barbaras :checked"), item = contract().score.items.find(({ faceUp }) => faceUp);
    if (holders.length === all(".barbaras .taker").length) {
      fields(block(item)).forEach((input, seat) => fillIn(input, holders.filter((holder) => holder === seat).length));
    }
    if (!correcting()) post("", false);
  }

  function changed() {
    const here = document.activeElement;
    if (!outbox.now) say("");
    touched = true;
    update();
    keep();
    // What has just been used up cannot keep the focus: it goes to the next tap beside it, or to the last one.
    if (here.disabled) [...all("button", here.parentElement), ...all(".dock button")].find((button) => !button.disabled && shown(button))?.focus({ preventScroll: true });
    if (correcting()) showConsequences();
  }

  let last = {}, finger = false;
  addEventListener("pointerdown", (event) => { finger = event.pointerType === "touch"; }, true);
  // While a hand is on its way, the form keeps still; and the second half of a double tap must not press what
  // has just come under the finger.
  function holdStill(event) {
    const { target, detail, timeStamp: at, clientX: x, clientY: y } = event;
    let still = form?.contains(target) && waiting() && event.key !== "Tab";
    if (event.type === "click" && detail) {
      const control = target.closest("button, label, a, input, summary"), words = control?.textContent;
      const twice = detail > 1 || (finger && at - last.at < 350 && Math.hypot(x - last.x, y - last.y) < 16);
      still ||= twice && last.control && !shown(last.control) && words !== last.words;
      last = { control, words, at, x, y };
    }
    if (!still) return;
    event.preventDefault();
    event.stopPropagation();
  }
  for (const kind of ["click", "beforeinput", "keydown", "submit"]) addEventListener(kind, holdStill, true);

  main.addEventListener("click", (event) => {
    const { target } = event, tapped = form?.contains(target) && Object.keys(taps).find((selector) => target.closest(selector));
    if (!tapped) return;
    event.preventDefault();
    taps[tapped](target.closest(tapped));
  });
  main.addEventListener("input", ({ target }) => {
    if (!form?.contains(target)) return;
    if (target.type === "number") {
      delete target.dataset.auto;
      delete active[target.closest(".counts")?.dataset.item];
    }
    if (target.name.startsWith("barbara-")) holdsBarbara();
    changed();
  });
  main.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("form.hand input")) return;
    event.preventDefault();
    all(".dock button").find((button) => !button.disabled && shown(button))?.click();
  });
  main.addEventListener("submit", (event) => {
    const sent = event.target, step = event.submitter?.value;
    // Another page takes the form as it stands; not before the server has answered what was sent of it.
    if (event.submitter?.hasAttribute("formaction")) return outbox.now ? event.preventDefault() : undefined;
    if (sent !== form && !("inPlace" in sent.dataset)) return kept("outbox", null);
    event.preventDefault();
    if (sent !== form || correcting()) return askInPlace(sent);
    if (step === "doubles" && !dutiesBroken().length) {
      if (!passesOut()) show("result");
      post(step, passesOut());
    } else if (step === "save" && !outcome().why) post(step, true);
  });

  // --- beginning, and coming back -------------------------------------------------------------------
  function setUp(rebase) {
    form = one("form.hand", main);
    frame = framed(form);
    hideTheirs();
    active = {};
    at = null;
    touched = false;
    previewing = null;
    const slip = one("[data-status]", main), words = slip?.textContent;
    if (words) {
      // Said after it has come into the page, so that it is also heard.
      slip.textContent = "";
      setTimeout(() => { slip.textContent = words; });
    }
    clearTimeout(quiet);
    quiet = setTimeout(() => { if (!outbox.now) say(""); }, 5000);
    if (!form) return;
    rules = JSON.parse(one("#rules").textContent);
    for (const input of all("[type=number]")) input.inputMode = "none";
    let step;
    try { step = restore(rebase); } catch { kept("draft", null); }
    show(step ?? one("section[data-step]:not([hidden])").dataset.step, false);
    if (step || "posted" in form.dataset) keep();
    if (step && correcting()) showConsequences();
  }

  // A page that answers a post has in it what was sent, and that is newer than the draft.
  history.replaceState(history.state, "", location.pathname.replace(/hand\/\d+\/(undo\/|redo\/)?$/, "") + location.search);
  if (one("form[data-posted]", main)) kept("draft", null);
  outbox = kept("outbox") ?? outbox;
  setUp(false);
  pump();
  addEventListener("online", pump);
  // Another tab of this phone with the same match: what was typed or sent there last stands here too, since it is
  // the same hand. Both may send it, under the same key.
  addEventListener("storage", ({ key }) => {
    const place = key?.split(" ")[0];
    if (key !== `${place} ${location.pathname}` || sending || asking) return;
    if (place === "draft" && form) {
      const step = restore(false);
      active = {};
      at = null;
      if (step) show(step, false);
    } else if (place === "outbox") {
      outbox = kept("outbox") ?? {};
      say(waiting() ? "saving" : "");
      updateDock();
    }
  });
  addEventListener("pageshow", async ({ persisted }) => {
    // A page out of the browser's cache is old, and so is one that was asked for before the last hand was saved.
    if (outbox.now || !(persisted || Number(kept("draft")?.hand) > Number(hand()))) return;
    try { swap(pageIn(await (await fetch(location.href)).text()), false, false); } catch { /* the page stays as it is */ }
  });
  // The rules open at the contract that is being played, though it may be chosen on this phone only so far.
  main.addEventListener("click", ({ target }) => {
    const link = target.closest("a[data-rules]");
    if (link && form) link.hash = field("contract").value;
  });
  const stayAwake = () => { if (form && !document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); };
  document.addEventListener("visibilitychange", () => {
    stayAwake();
    if (!document.hidden) pump();
  });
  stayAwake();
})();
