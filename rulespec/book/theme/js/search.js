// The search: an index that is loaded when it is first needed, as a script, so that it works in pages opened
// as files, too. A query typed before that is answered when it is there.
(function () {
  "use strict";
  const MOST_PAGES = 8, MOST_OF_PAGE = 3, MOST_MORE = 40;
  const input = /** @type {HTMLInputElement} */ (document.getElementById("rs--query"));
  const panel = /** @type {HTMLElement} */ (document.getElementById("rs--found"));
  if (!input || !panel) return;
  const status = /** @type {HTMLElement} */ (panel.querySelector("[role=status]")), list = /** @type {HTMLElement} */ (panel.querySelector("div"));
  const base = document.documentElement.dataset.base;
  let state = "absent", all = false;
  /** @typedef {{ page: [string, string, boolean], number: number, anchor: string, heading: string, text: string, ids: string[], low: string, title: string }} Section */
  /** @typedef {{ section: Section, points: number }} Hit */
  /** @typedef {{ page: Section["page"], best: number, hits: Hit[] }} Group */
  /** @type {Section[]} */
  let sections = [];

  /** An element with its content. @param {string} tag @param {(string | Node)[]} content */
  function make(tag, ...content) {
    const made = document.createElement(tag);
    made.append(...content);
    return made;
  }

  function load() {
    if (state !== "absent") return;
    state = "loading";
    const script = document.createElement("script");
    script.src = base + "/assets/search-index.js";
    script.onload = () => {
      const index = window.rulespecIndex;
      sections = index.sections.map(([number, anchor, heading, text, ids]) => ({
        page: index.pages[number], number, anchor, heading, text, ids: ids ? ids.split(" ") : [],
        low: (heading + "\n" + text).toLowerCase(), title: heading.toLowerCase().replace(/^\d+\.?\s+/, "")
      }));
      state = "ready";
      answer();
    };
    script.onerror = () => { state = "failed"; answer(); };
    document.head.append(script);
    answer();
  }

  /** True if a word of a text begins so. @param {string} text @param {string} start */
  function begins(text, start) {
    return text.split(start).slice(0, -1).some((before, i) => (before ? !/[\p{L}\p{N}]$/u.test(before) : !i));
  }

  // How well a section fits: 0 if a word is nowhere in it. Whole ids, headings, and words in a row count most.
  /** @param {Section} section @param {string} query @param {string[]} words */
  function score(section, query, words) {
    const { ids, title, low, anchor } = section, name = section.page[1].toLowerCase();
    let sum = 0;
    for (const word of words) {
      const inIds = ids.includes(word) ? 60 : ids.some(id => id.includes(word)) ? 14 : 0;
      const inTitle = title.split(/[^\p{L}\p{N}]+/u).includes(word) ? 24 : begins(title, word) ? 16 : 0;
      const inText = begins(low, word) ? 6 : low.includes(word) ? 2 : name.includes(word) ? 1 : 0;
      const best = Math.max(inIds, inTitle, inText);
      if (!best) return 0;
      sum += best;
    }
    if (ids.includes(query)) sum += 100;
    if (title === query) sum += 60;
    else if (words.length > 1 && low.includes(query)) sum += 40;
    if (!anchor && name.includes(query)) sum += name === query ? 120 : 50;
    return section.page[2] ? sum + Math.min(sum, 65) : sum; // a rulebook before exact texts and other pages
  }

  /** @param {string} query */
  function find(query) {
    const words = query.split(/\s+/);
    /** @type {Map<number, Group>} */
    const pages = new Map();
    for (const section of sections) {
      const points = score(section, query, words);
      if (!points) continue;
      const found = pages.get(section.number) || { page: section.page, best: 0, hits: [] };
      found.best = Math.max(found.best, points);
      found.hits.push({ section, points });
      pages.set(section.number, found);
    }
    const groups = Array.from(pages.values()).sort((a, b) => b.best - a.best);
    for (const group of groups) group.hits.sort((a, b) => b.points - a.points);
    return groups;
  }

  /** An element with a text in which what was sought is marked. @param {string} tag @param {string} text @param {string} query @param {string[]} words */
  function marked(tag, text, query, words) {
    const sought = text.toLowerCase().includes(query) ? [query] : words.filter(word => word.length > 1).sort((a, b) => b.length - a.length);
    const pattern = sought.map(word => word.replace(/[^\p{L}\p{N}\s]/gu, "\\$&")).join("|");
    const parts = pattern ? text.split(new RegExp("(" + pattern + ")", "i")) : [text];
    return make(tag, ...parts.map((part, at) => (at % 2 ? make("mark", part) : part)));
  }

  /** @param {string} text @param {string} query @param {string[]} words */
  function excerpt(text, query, words) {
    const low = text.toLowerCase(), at = [query, ...words].map(word => low.indexOf(word)).find(place => place >= 0) ?? -1;
    let from = Math.max(0, at - 50);
    if (from) from = text.indexOf(" ", from) + 1;
    let to = from + 150 < text.length ? text.lastIndexOf(" ", from + 150) : text.length;
    if (to <= from) to = from + 150;
    return (from ? "… " : "") + text.slice(from, to) + (to < text.length ? " …" : "");
  }

  /** @param {Hit} hit @param {string} query @param {string[]} words */
  function row({ section }, query, words) {
    const id = section.ids.find(name => words.includes(name)), anchor = id || section.anchor;
    const link = /** @type {HTMLAnchorElement} */ (make("a", marked("strong", section.heading, query, words)));
    link.href = base + "/" + section.page[0] + (anchor ? "#" + encodeURIComponent(anchor) : "");
    if (id) link.append(" ", make("code", id));
    link.append(marked("span", excerpt(section.text, query, words), query, words));
    return make("li", link);
  }

  function answer() {
    const query = input.value.trim().toLowerCase().replace(/\s+/g, " ");
    list.textContent = "";
    panel.hidden = query.length < 2;
    if (panel.hidden) return;
    if (state === "loading" || state === "absent") { status.textContent = "Loading the index …"; return; }
    if (state === "failed") { status.textContent = "The index of this site could not be loaded."; return; }
    const words = query.split(" "), groups = find(query), count = groups.reduce((sum, group) => sum + group.hits.length, 0);
    status.textContent = count ? count + (count === 1 ? " place on " : " places on ") + groups.length + (groups.length === 1 ? " page" : " pages")
      : "Nothing found for “" + query + "”.";
    for (const group of groups.slice(0, all ? MOST_MORE : MOST_PAGES)) {
      list.append(make("h2", group.page[1]), make("ul", ...group.hits.slice(0, MOST_OF_PAGE).map(hit => row(hit, query, words))));
    }
    if (all || groups.length <= MOST_PAGES) return;
    const more = /** @type {HTMLButtonElement} */ (make("button", "More pages"));
    more.type = "button";
    more.addEventListener("click", () => {
      const before = panel.querySelectorAll("a").length;
      all = true;
      answer();
      panel.querySelectorAll("a")[before].focus();
    });
    list.append(more);
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", () => { all = false; load(); answer(); });
  /** @type {HTMLElement} */ (document.getElementById("rs--search")).addEventListener("submit", event => {
    event.preventDefault();
    const first = panel.querySelector("a");
    if (first) first.click();
  });
  document.addEventListener("keydown", event => {
    const target = /** @type {HTMLElement} */ (event.target);
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
      input.select();
    } else if (event.key === "Escape" && (target === input || panel.contains(target))) {
      event.preventDefault();
      panel.hidden = true;
      input.value = list.textContent = "";
      input.blur();
    } else if ((event.key === "ArrowDown" || (event.key === "ArrowUp" && target !== input)) && (target === input || panel.contains(target))) {
      event.preventDefault();
      const rows = /** @type {HTMLElement[]} */ (Array.from(panel.querySelectorAll("a, button")));
      const to = rows.indexOf(target) + (event.key === "ArrowDown" ? 1 : -1);
      (to < 0 ? input : rows[to])?.focus();
    }
  });
  document.addEventListener("click", event => {
    const target = /** @type {Element} */ (event.target), inside = panel.contains(target);
    if (inside ? target.closest("a") : target !== input) panel.hidden = true;
  });
  if (input.value || document.activeElement === input) load(); // typed before this script was there
})();
