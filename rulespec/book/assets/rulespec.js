// Turns a play's numbered drawings into steps: buttons, arrow keys, a slider. Without it they all show.
// The drawings of a folded play are in a script of their own, which is loaded when it is unfolded.
(function () {
  "use strict";
  function button(sign, name, act) {
    var made = document.createElement("button");
    made.type = "button";
    made.textContent = sign;
    made.setAttribute("aria-label", name);
    made.addEventListener("click", act);
    return made;
  }
  function stepper(trace) {
    var steps = Array.from(trace.querySelectorAll(":scope > ol > li"));
    if (steps.length < 2) return;
    var last = steps.length - 1, now = 0;
    var bar = document.createElement("div");
    bar.className = "rs-steps";
    var slider = document.createElement("input");
    slider.type = "range";
    slider.min = "0";
    slider.max = String(last);
    slider.value = "0";
    slider.setAttribute("aria-label", "Step");
    var said = document.createElement("span");
    said.setAttribute("aria-live", "polite");
    function go(to) {
      steps[now].classList.remove("rs-now");
      now = Math.max(0, Math.min(last, to));
      steps[now].classList.add("rs-now");
      slider.value = String(now);
      said.textContent = now + " / " + last;
    }
    slider.addEventListener("input", function () { go(Number(slider.value)); });
    bar.append(
      button("«", "First", function () { go(0); }),
      button("‹", "Back", function () { go(now - 1); }),
      button("›", "On", function () { go(now + 1); }),
      button("»", "Last", function () { go(last); }),
      slider,
      said
    );
    trace.insertBefore(bar, trace.firstChild);
    trace.tabIndex = 0;
    trace.addEventListener("keydown", function (event) {
      if (event.target === slider) return;
      var to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      go(to);
    });
    trace.classList.add("rs-stepping");
    go(trace.dataset.at === "last" ? last : 0);
  }
  function load(trace) {
    var address = trace.dataset.drawings, script = document.createElement("script");
    if (!address || trace.dataset.loading) return;
    trace.dataset.loading = "yes";
    trace.setAttribute("aria-busy", "true");
    script.src = address;
    script.onload = function () {
      var drawings = window.rulespecPlays[address.split("/").pop()];
      trace.querySelectorAll(":scope > ol > li").forEach(function (step, i) {
        step.insertAdjacentHTML("beforeend", drawings[i] || "");
      });
      trace.removeAttribute("aria-busy");
      stepper(trace);
    };
    script.onerror = function () {
      trace.removeAttribute("aria-busy");
      trace.insertAdjacentHTML("afterbegin", "<p>The drawings of this play could not be loaded.</p>");
    };
    document.head.append(script);
  }
  document.querySelectorAll(".rs-trace").forEach(function (trace) {
    var fold = trace.closest("details");
    if (!trace.dataset.drawings) stepper(trace);
    else if (!fold || fold.open) load(trace);
    else fold.addEventListener("toggle", function () { load(trace); });
  });
})();
