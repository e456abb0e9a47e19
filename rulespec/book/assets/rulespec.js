// Turns a play's numbered drawings into steps: buttons, arrow keys, a slider. Without it they all show.
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
    go(0);
  }
  document.querySelectorAll(".rs-trace").forEach(stepper);
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details.rs-more").forEach(function (more) { more.open = true; });
  });
})();
