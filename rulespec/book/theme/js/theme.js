// Light or dark by hand, remembered; search results shown over the page while there is a query.
(function () {
  "use strict";
  var root = document.documentElement;
  document.getElementById("theme").addEventListener("click", function () {
    var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("rs-theme", root.dataset.theme); } catch (e) { /* not remembered */ }
  });
  if (matchMedia("(max-width: 60rem)").matches) document.querySelector("details.menu").open = false;
  var query = document.getElementById("mkdocs-search-query"), found = document.getElementById("mkdocs-search-results");
  if (!query) return;
  document.getElementById("search").addEventListener("submit", function (event) { event.preventDefault(); });
  query.addEventListener("input", function () { found.hidden = query.value.trim().length < 2; });
})();
