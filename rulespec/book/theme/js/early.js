// Before anything is drawn: scripts run here, and the reader may have chosen light or dark.
document.documentElement.classList.add("js");
try {
  var chosen = localStorage.getItem("rs-theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch { /* not remembered */ }
