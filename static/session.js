// Pointing at the line of a match, and sharing how it ended. Without script the hands are links, the text stands there.
"use strict";
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  document.documentElement.classList.toggle("can-share", Boolean(navigator.share));

  // --- pointing: the hand under the finger is told below the picture, with a link that a thumb can hit ---
  let before = null;
  const chosen = (line) => one(".target.chosen", line);

  function choose(target) {
    const line = target.closest("[data-line]"), point = one("[data-point]", line), link = one("a", point);
    chosen(line)?.classList.remove("chosen");
    target.classList.add("chosen");
    link.textContent = target.getAttribute("aria-label");
    link.href = target.getAttribute("href");
    point.hidden = false;
    one('[data-by="-1"]', point).disabled = !target.previousElementSibling;
    one('[data-by="1"]', point).disabled = !target.nextElementSibling;
  }

  function follow(event) {
    if (!event.target.closest?.(".line svg")) return;
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest(".target");
    if (target && !target.matches(".chosen")) choose(target);
  }

  document.addEventListener("pointerdown", (event) => {
    const line = event.target.closest?.("[data-line]");
    before = event.pointerType === "touch" && line ? { chosen: chosen(line) } : null;
    follow(event);
  });
  document.addEventListener("pointermove", follow);

  // --- sharing ---
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const isRightToLeft = (text) => /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text);
  const letters = (text) => (Intl.Segmenter ? [...new Intl.Segmenter().segment(text)].map((part) => part.segment) : [...text]);

  // The table of the end as a picture: twice as many points as it is wide, in the colours of this page.
  function draw(card) {
    const rows = [...document.querySelectorAll(".places li")], width = 400, row = 52, head = 92;
    const height = head + rows.length * row + 62;
    const canvas = Object.assign(document.createElement("canvas"), { width: width * 2, height: height * 2 });
    const pen = canvas.getContext("2d"), serif = colour("serif"), sans = "system-ui, sans-serif";
    const write = (text, x, y, font, tint, align = "left", room = width - 64) => {
      pen.font = font;
      pen.fillStyle = colour(tint);
      let shown = text;
      for (let parts = letters(text); parts.length > 1 && pen.measureText(shown).width > room;) {
        parts = parts.slice(0, -1);
        shown = `${parts.join("")}…`;
      }
      pen.direction = isRightToLeft(text) ? "rtl" : "ltr";
      pen.textAlign = align;
      pen.fillText(shown, x, y);
      return pen.measureText(shown).width;
    };
    pen.scale(2, 2);
    pen.textBaseline = "alphabetic";
    pen.fillStyle = colour("paper");
    pen.fillRect(0, 0, width, height);
    pen.beginPath();
    if (pen.roundRect) pen.roundRect(14, 14, width - 28, height - 28, 16);
    else pen.rect(14, 14, width - 28, height - 28);
    pen.fillStyle = colour("sheet");
    pen.fill();
    pen.strokeStyle = colour("rule");
    pen.stroke();
    write(one(".places h2").textContent.trim(), 32, 54, `700 24px ${serif}`, "ink");
    write(`${card.dataset.shareOf} · ${card.dataset.when}`, 32, 78, `14px ${sans}`, "soft");
    rows.forEach((line, at) => {
      const top = head + at * row, base = top + 34, figure = one(".figure", line);
      pen.fillStyle = colour("rule");
      pen.fillRect(32, top, width - 64, 1);
      const tint = ["gain", "loss"].find((name) => figure.classList.contains(name)) ?? "ink";
      const taken = write(figure.textContent, width - 32, base, `26px ${serif}`, tint, "right");
      write(one(".place", line).textContent, 32, base, `italic 18px ${serif}`, "soft");
      write(one("b", line).textContent, 62, base, `600 18px ${sans}`, "ink", "left", width - 32 - 62 - 16 - taken);
    });
    pen.fillStyle = colour("rule");
    pen.fillRect(32, head + rows.length * row, width - 64, 1);
    write("♣ ♦ Tafferan ♥ ♠", width / 2, height - 32, `14px ${serif}`, "soft", "center");
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  // On plain HTTP in the home network there is no clipboard; the older way works everywhere.
  async function copy(text, shown) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
    shown.after(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("not copied");
    return undefined;
  }

  const deeds = {
    copy: (card, text) => copy(text, one("[data-text]", card)).then(() => "copied"),
    text: (card, text) => navigator.share({ text }).then(() => ""),
    async link(card) {
      const url = location.origin + location.pathname;
      if (navigator.share) return navigator.share({ url }).then(() => "");
      return copy(url, one("[data-text]", card)).then(() => "linked");
    },
    async picture(card) {
      const file = new File([await draw(card)], card.dataset.file, { type: "image/png" });
      if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).then(() => "");
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      return "kept";
    },
  };

  async function share(button) {
    const card = button.closest("[data-share-of]"), says = one("[data-says]", card);
    let word;
    try {
      word = await deeds[button.dataset.share](card, one("[data-text]", card).textContent);
    } catch (error) {
      word = error.name === "AbortError" ? "" : "failed";
    }
    says.textContent = says.dataset[word] ?? "";
  }

  document.addEventListener("click", (event) => {
    const target = event.target.closest(".target"), step = event.target.closest("[data-by]"), button = event.target.closest("[data-share]");
    if (target && before && before.chosen !== target) event.preventDefault();
    if (step) {
      const now = chosen(step.closest("[data-line]"));
      choose(step.dataset.by < 0 ? now.previousElementSibling : now.nextElementSibling);
    }
    if (button) share(button);
  });

  // A link to a folded hand opens it.
  function open() {
    const there = document.getElementById(location.hash.slice(1));
    if (there?.matches("details")) there.open = true;
  }
  addEventListener("hashchange", open);
  open();
})();
