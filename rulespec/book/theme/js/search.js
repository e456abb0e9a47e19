// The search: an index that is loaded when it is first needed, as a script, so that it works in pages opened
// as files, too. A query typed before that is answered when it is there.
(function () {
  "use strict";
  var MOST_PAGES = 8, MOST_OF_PAGE = 3, MOST_MORE = 40;
  var input = /** @type {HTMLInputElement} */ (document.getElementById("rs--query"));
  var panel = /** @type {HTMLElement} */ (document.getElementById("rs--found"));
  if (!input || !panel) return;
  var status = /** @type {HTMLElement} */ (panel.querySelector("[role=status]")), list = /** @type {HTMLElement} */ (panel.querySelector("div"));
  var base = document.documentElement.dataset.base, state = "absent", all = false;
  /** @typedef {{ page: [string, string, boolean], number: number, anchor: string, heading: string, text: string, ids: string[], low: string, title: string }} Section */
  /** @typedef {{ section: Section, points: number }} Hit */
  /** @typedef {{ page: Section["page"], best: number, hits: Hit[] }} Group */
  /** @type {Section[]} */
  var sections = [];

  function load() {
    if (state !== "absent") return;
    state = "loading";
    var script = document.createElement("script");
    script.src = base + "/assets/search-index.js";
    script.onload = function () {
      var index = window.rulespecIndex;
      sections = index.sections.map(function (s) {
        return {
          page: index.pages[s[0]], number: s[0], anchor: s[1], heading: s[2], text: s[3],
          ids: s[4] ? s[4].split(" ") : [], low: (s[2] + "\n" + s[3]).toLowerCase(), title: s[2].toLowerCase().replace(/^\d+\.?\s+/, "")
        };
      });
      state = "ready";
      answer();
    };
    script.onerror = function () { state = "failed"; answer(); };
    document.head.append(script);
    answer();
  }

  // True if a word of a text begins so.
  /** @param {string} text @param {string} start */
  function begins(text, start) {
    for (var at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
      if (!at || !/[\p{L}\p{N}]/u.test(text[at - 1])) return true;
    }
    return false;
  }

  // How well a section fits: 0 if a word is nowhere in it. Whole ids, headings, and words in a row count most.
  /** @param {Section} section @param {string} query @param {string[]} words */
  function score(section, query, words) {
    var sum = 0, name = section.page[1].toLowerCase();
    for (var i = 0; i < words.length; i++) {
      var word = words[i], best = 0;
      if (section.ids.indexOf(word) >= 0) best = 60;
      else if (section.ids.some(function (id) { return id.indexOf(word) >= 0; })) best = 14;
      if (section.title.split(/[^\p{L}\p{N}]+/u).indexOf(word) >= 0) best = Math.max(best, 24);
      else if (begins(section.title, word)) best = Math.max(best, 16);
      else if (begins(section.low, word)) best = Math.max(best, 6);
      else if (section.low.indexOf(word) >= 0) best = Math.max(best, 2);
      if (!best && name.indexOf(word) >= 0) best = 1;
      if (!best) return 0;
      sum += best;
    }
    if (section.ids.indexOf(query) >= 0) sum += 100;
    if (section.title === query) sum += 60;
    else if (words.length > 1 && section.low.indexOf(query) >= 0) sum += 40;
    if (name === query && !section.anchor) sum += 120;
    else if (!section.anchor && name.indexOf(query) >= 0) sum += 50;
    return section.page[2] ? sum + Math.min(sum, 65) : sum; // a rulebook before exact texts and other pages
  }

  /** @param {string} query */
  function find(query) {
    var words = query.split(/\s+/);
    /** @type {Map<number, Group>} */
    var pages = new Map();
    sections.forEach(function (section) {
      var points = score(section, query, words);
      if (!points) return;
      var found = pages.get(section.number) || { page: section.page, best: 0, hits: [] };
      found.best = Math.max(found.best, points);
      found.hits.push({ section: section, points: points });
      pages.set(section.number, found);
    });
    var groups = Array.from(pages.values());
    groups.sort(function (a, b) { return b.best - a.best; });
    groups.forEach(function (group) { group.hits.sort(function (a, b) { return b.points - a.points; }); });
    return groups;
  }

  /** @param {any} target @param {string} text @param {string} query @param {string[]} words */
  function marked(target, text, query, words) {
    var low = text.toLowerCase(), at = 0;
    words = low.indexOf(query) >= 0 ? [query] : words.filter(function (word) { return word.length > 1; });
    while (at < text.length) {
      var next = -1, long = 0;
      words.forEach(function (word) {
        var place = low.indexOf(word, at);
        if (place >= 0 && (next < 0 || place < next || (place === next && word.length > long))) { next = place; long = word.length; }
      });
      if (next < 0) break;
      target.append(text.slice(at, next));
      var mark = document.createElement("mark");
      mark.textContent = text.slice(next, next + long);
      target.append(mark);
      at = next + long;
    }
    target.append(text.slice(at));
  }

  /** @param {string} text @param {string} query @param {string[]} words */
  function excerpt(text, query, words) {
    var low = text.toLowerCase(), at = low.indexOf(query);
    words.forEach(function (word) { if (at < 0) at = low.indexOf(word); });
    var from = Math.max(0, at - 50);
    if (from) from = text.indexOf(" ", from) + 1;
    var to = from + 150 < text.length ? text.lastIndexOf(" ", from + 150) : text.length;
    if (to <= from) to = from + 150;
    return (from ? "… " : "") + text.slice(from, to) + (to < text.length ? " …" : "");
  }

  /** @param {Hit} hit @param {string} query @param {string[]} words */
  function row(hit, query, words) {
    var section = hit.section, link = document.createElement("a"), item = document.createElement("li");
    var id = section.ids.find(function (name) { return words.indexOf(name) >= 0; });
    var anchor = id && id !== section.anchor ? id : section.anchor;
    link.href = base + "/" + section.page[0] + (anchor ? "#" + encodeURIComponent(anchor) : "");
    var name = document.createElement("strong");
    marked(name, section.heading, query, words);
    link.append(name);
    if (id) {
      var code = document.createElement("code");
      code.textContent = id;
      link.append(" ", code);
    }
    var about = document.createElement("span");
    marked(about, excerpt(section.text, query, words), query, words);
    link.append(about);
    item.append(link);
    return item;
  }

  function answer() {
    var query = input.value.trim().toLowerCase().replace(/\s+/g, " ");
    list.textContent = "";
    panel.hidden = query.length < 2;
    if (panel.hidden) return;
    if (state === "loading" || state === "absent") { status.textContent = "Loading the index …"; return; }
    if (state === "failed") { status.textContent = "The index of this site could not be loaded."; return; }
    var words = query.split(" "), groups = find(query), count = 0;
    groups.forEach(function (group) { count += group.hits.length; });
    status.textContent = count ? count + (count === 1 ? " place on " : " places on ") + groups.length + (groups.length === 1 ? " page" : " pages")
      : "Nothing found for “" + query + "”.";
    groups.slice(0, all ? MOST_MORE : MOST_PAGES).forEach(function (group) {
      var title = document.createElement("h2"), rows = document.createElement("ul");
      title.textContent = group.page[1];
      group.hits.slice(0, MOST_OF_PAGE).forEach(function (hit) { rows.append(row(hit, query, words)); });
      list.append(title, rows);
    });
    if (!all && groups.length > MOST_PAGES) {
      var more = document.createElement("button");
      more.type = "button";
      more.textContent = "More pages";
      more.addEventListener("click", function () {
        var before = panel.querySelectorAll("a").length;
        all = true;
        answer();
        panel.querySelectorAll("a")[before].focus();
      });
      list.append(more);
    }
  }

  function close() {
    panel.hidden = true;
    input.value = "";
    list.textContent = "";
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", function () { all = false; load(); answer(); });
  /** @type {HTMLElement} */ (document.getElementById("rs--search")).addEventListener("submit", function (event) {
    event.preventDefault();
    var first = panel.querySelector("a");
    if (first) first.click();
  });
  document.addEventListener("keydown", function (event) {
    var target = /** @type {HTMLElement} */ (event.target);
    var typing = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
      input.select();
      return;
    }
    var inside = target === input || panel.contains(target);
    if (!inside) return;
    if (event.key === "Escape") { event.preventDefault(); close(); input.blur(); return; }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    var rows = /** @type {HTMLElement[]} */ (Array.from(panel.querySelectorAll("a, button"))), at = rows.indexOf(target);
    var to = at + (event.key === "ArrowDown" ? 1 : -1);
    if (target === input && event.key === "ArrowUp") return;
    event.preventDefault();
    if (to < 0) input.focus();
    else if (rows[to]) rows[to].focus();
  });
  document.addEventListener("click", function (event) {
    var target = /** @type {Element} */ (event.target);
    if (!panel.hidden && !panel.contains(target) && target !== input) panel.hidden = true;
    else if (panel.contains(target) && target.closest("a")) panel.hidden = true;
  });
  if (input.value || document.activeElement === input) load(); // typed before this script was there
})();
