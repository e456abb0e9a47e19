// Light or dark by hand, remembered; pages and contents as drawers where the screen is narrow; contents that
// follow the reader; blocks that scroll sideways reached by keyboard.
(function () {
  "use strict";
  var root = document.documentElement;
  /** An element of the theme: two hyphens, which no id of a rule or heading has. @param {string} id */
  function find(id) { return /** @type {HTMLElement} */ (document.getElementById("rs--" + id)); }
  find("theme").addEventListener("click", function () {
    var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("rs-theme", root.dataset.theme); } catch { /* not remembered */ }
  });

  var shade = find("shade");
  /** @type {{ button: HTMLElement, panel: HTMLElement } | null} */
  var opened = null;
  /** @param {any} focus */
  function close(focus) {
    if (!opened) return;
    opened.panel.classList.remove("open");
    opened.button.setAttribute("aria-expanded", "false");
    shade.hidden = true;
    if (focus) opened.button.focus();
    opened = null;
  }
  [["open-pages", "pages"], ["open-toc", "toc"]].forEach(function (names) {
    var button = find(names[0]), panel = find(names[1]);
    if (!button || !panel) return;
    button.addEventListener("click", function () {
      var again = opened && opened.panel === panel;
      close(false);
      if (again) return;
      opened = { button: button, panel: panel };
      panel.classList.add("open");
      button.setAttribute("aria-expanded", "true");
      shade.hidden = false;
      var first = /** @type {HTMLElement} */ (panel.querySelector("a[aria-current]") || panel.querySelector("a"));
      if (first) first.focus();
    });
    panel.addEventListener("click", function (event) {
      if (/** @type {Element} */ (event.target).closest("a")) close(false);
    });
  });
  shade.addEventListener("click", function () { close(true); });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && opened) { event.preventDefault(); close(true); }
  });

  var toc = find("toc"), links = new Map(), waiting = false;
  /** @type {HTMLElement[]} */
  var headings = [];
  /** @type {HTMLElement | null} */
  var now = null;
  if (toc) {
    toc.querySelectorAll("a").forEach(function (link) {
      var heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      if (heading) { links.set(heading, link); headings.push(heading); }
    });
    var follow = function () {
      waiting = false;
      var at = headings[0];
      headings.forEach(function (heading) { if (heading.getBoundingClientRect().top < 120) at = heading; });
      if (at === now || !at) return;
      if (now) links.get(now).removeAttribute("aria-current");
      now = at;
      var link = links.get(now), box = toc.getBoundingClientRect(), place = link.getBoundingClientRect();
      link.setAttribute("aria-current", "location");
      if (place.top < box.top || place.bottom > box.bottom) toc.scrollTop += place.top - box.top - box.height / 3;
    };
    addEventListener("scroll", function () {
      if (!waiting) { waiting = true; requestAnimationFrame(follow); }
    }, { passive: true });
    follow();
  }

  // Pages that were read are kept by the service worker, with their games. Pages opened as files have none.
  if (root.dataset.offline === "" && navigator.serviceWorker && location.protocol.startsWith("http")) {
    var manifest = document.createElement("link"), base = root.dataset.base + "/";
    manifest.rel = "manifest";
    manifest.href = base + "manifest.webmanifest";
    document.head.append(manifest);
    addEventListener("load", async function () {
      var player = /** @type {HTMLElement | null} */ (document.querySelector("[data-player]"));
      var game = player ? JSON.parse(player.dataset.player || "") : null, first = !navigator.serviceWorker.controller;
      var files = game ? [game.script, game.settings[0].file] : [];
      if (first) files.push(location.href, ...performance.getEntriesByType("resource").map(function (one) { return one.name; }));
      try {
        await navigator.serviceWorker.register(base + "service-worker.js");
        var { active } = await navigator.serviceWorker.ready;
        if (active) active.postMessage(files.map(function (file) { return new URL(file, location.href).href.split("#")[0]; }));
      } catch { /* the browser or its reader forbids it */ }
    });
  }

  function reachable() {
    /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main pre, main .rs-table, main .rs-pictures")).forEach(function (block) {
      if (block.scrollWidth > block.clientWidth + 1) block.tabIndex = 0;
      else if (block.tabIndex === 0) block.removeAttribute("tabindex");
    });
  }
  reachable();
  ["resize", "load"].forEach(function (name) { addEventListener(name, reachable); });
  document.addEventListener("toggle", reachable, true);
})();
