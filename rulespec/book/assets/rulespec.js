// Turns a play's numbered drawings into steps: buttons, arrow keys, a slider. Without it they all show.
// The drawings of a folded play are in a script of their own, which is loaded when it is unfolded.
(function () {
  "use strict";
  /** @param {string} sign @param {string | null} name @param {() => any} act */
  function button(sign, name, act) {
    var made = Object.assign(document.createElement("button"), { type: "button", textContent: sign });
    if (name) made.setAttribute("aria-label", name);
    made.addEventListener("click", act);
    return made;
  }
  /** @param {any} trace */
  function stepper(trace) {
    var steps = Array.from(trace.querySelectorAll(":scope > ol > li"));
    if (steps.length < 2) return;
    var last = steps.length - 1, now = 0;
    var bar = Object.assign(document.createElement("div"), { className: "rs-steps" });
    var slider = Object.assign(document.createElement("input"), { type: "range", min: "0", max: String(last), value: "0" });
    slider.setAttribute("aria-label", "Step");
    var said = document.createElement("span");
    said.setAttribute("aria-live", "polite");
    /** @param {number} to */
    function go(to) {
      steps[now].classList.remove("rs-now");
      now = Math.max(0, Math.min(last, to));
      steps[now].classList.add("rs-now");
      slider.value = String(now);
      said.textContent = now + " / " + last;
      trace.dataset.now = now;
    }
    slider.addEventListener("input", function () { go(Number(slider.value)); });
    bar.append(button("«", "First", () => go(0)), button("‹", "Back", () => go(now - 1)), button("›", "On", () => go(now + 1)),
      button("»", "Last", () => go(last)), slider, said);
    trace.insertBefore(bar, trace.firstChild);
    trace.tabIndex = 0;
    trace.addEventListener("keydown", function (/** @type {KeyboardEvent} */ event) {
      if (event.target === slider) return;
      /** @type {Record<string, number>} */
      var keys = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last };
      var to = keys[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      go(to);
    });
    trace.classList.add("rs-stepping");
    go(trace.dataset.at === "last" ? last : 0);
  }
  /** @param {any} trace */
  function load(trace) {
    var address = trace.dataset.drawings;
    if (!address || trace.dataset.loading) return;
    trace.dataset.loading = "yes";
    trace.setAttribute("aria-busy", "true");
    script(address).then(() => {
      var drawings = window.rulespecPlays[address.split("?")[0].split("/").pop() || ""];
      trace.querySelectorAll(":scope > ol > li").forEach((/** @type {Element} */ step, /** @type {number} */ i) => step.insertAdjacentHTML("beforeend", drawings[i] || ""));
      stepper(trace);
    }, () => trace.insertAdjacentHTML("afterbegin", "<p>The drawings of this play could not be loaded.</p>")).then(() => trace.removeAttribute("aria-busy"));
  }
  // Games to play in the page: the player and a game are scripts that a click loads.
  var place = /** @type {HTMLElement} */ (document.querySelector(".rs-play-here[data-player]"));
  /** @type {Record<string, Promise<unknown>>} */
  var loading = {};
  /** @param {string} address */
  function script(address) {
    return loading[address] ||= new Promise((done, failed) => {
      var onerror = () => { delete loading[address]; failed(); };
      document.head.append(Object.assign(document.createElement("script"), { src: address, onload: done, onerror }));
    });
  }
  // The player may be here already, or come later.
  window.rulespec = Object.assign(window.rulespec || {}, { script: script });
  /** @param {(manifest: Manifest) => any} act */
  function withPlayer(act) {
    var manifest = JSON.parse(place.dataset.player || ""), alert = place.querySelector(":scope > [role=alert]");
    if (alert) alert.remove();
    place.setAttribute("aria-busy", "true");
    var failed = () => place.insertAdjacentHTML("beforeend", "<p role=alert>The player could not be loaded.</p>");
    script(manifest.script).then(() => act(manifest), failed).then(() => place.removeAttribute("aria-busy"));
  }
  var start = () => withPlayer((manifest) => window.rulespec.open(place, manifest));
  var shared = () => location.hash.indexOf("#play=") === 0 && withPlayer((manifest) => window.rulespec.openAddress(place, manifest));
  /** True if this tab remembers a play of this page. */
  function remembers() {
    try { return sessionStorage.getItem("rulespec play " + location.pathname) !== null; } catch { return false; }
  }
  /** @param {HTMLElement} element */
  function again(element) {
    var written = JSON.parse(element.dataset.play || "");
    /** @param {string} sign @param {string} kind @param {boolean} isExercise */
    function offer(sign, kind, isExercise) {
      var made = button(sign, null, () => withPlayer((manifest) =>
        window.rulespec.open(place, manifest, written, isExercise ? 0 : Number(element.dataset.now || 0), made, isExercise)));
      made.className = kind;
      element.append(made);
    }
    if (!written.plays) {
      written.plays = Array.from(element.querySelectorAll(":scope > ol > li > p:first-child > code"), (code) => code.textContent);
    }
    offer("Play from here", "rs-again", false);
    if (written.plays.length) offer("Do it yourself", "rs-exercise", true);
  }
  if (place) {
    var opening = /** @type {HTMLElement} */ (place.querySelector("button"));
    opening.hidden = false;
    place.querySelectorAll("button,.rs-poster").forEach((shown) => shown.addEventListener("click", start));
    /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-play]")).forEach(again);
    if (remembers()) withPlayer((manifest) => window.rulespec.openRemembered(place, manifest));
    else shared();
    addEventListener("hashchange", shared);
    // The table alone, in the frame of another page.
    if (document.body.dataset.embedded === "") {
      if (!remembers() && !location.hash) start();
      new ResizeObserver(function () { parent.postMessage({ rulespecHeight: document.body.offsetHeight }, "*"); }).observe(document.body);
    }
  }
  document.querySelectorAll(".rs-embed code").forEach(function (code) {
    if (!location.protocol.startsWith("http")) return;
    code.textContent = (code.textContent || "").replace(/src="([^"]+)/g, function (_, address) { return 'src="' + new URL(address, location.href).href; });
  });
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".rs-daily")).forEach(function (daily) {
    var number = Math.floor(Date.now() / 864e5) % Number(daily.dataset.count) + 1, link = daily.querySelector("a");
    var deal = document.querySelector("#deal-" + number + " a");
    if (!link || !deal) return;
    link.href = deal.getAttribute("href") || "";
    link.textContent = deal.textContent;
    daily.hidden = false;
  });
  // The best results that this browser remembers; the table adds those that follow.
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".rs-puzzles > li[data-answer]")).forEach(function (deal) {
    try {
      var link = deal.querySelector("a"), best = localStorage.getItem("rulespec best " + location.pathname + (link ? link.hash : ""));
      if (best) deal.dataset.best = JSON.parse(best)[1];
    } catch { /* nothing is remembered */ }
  });
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".rs-trace")).forEach(function (trace) {
    var fold = trace.closest("details");
    if (!trace.dataset.drawings) stepper(trace);
    else if (!fold || fold.open) load(trace);
    else fold.addEventListener("toggle", function () { load(trace); });
  });
})();
