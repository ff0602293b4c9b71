// Keeps the place of the keyboard when a form leads to a page, and closes what is open by Escape.
(() => {
  "use strict";
  const main = document.getElementById("main");
  if (!main) return;
  const PLACE = "place"; // ids of the form and of what is around it, the nearest first

  addEventListener("submit", (event) => {
    const ids = [];
    for (let each = event.target; each && each !== main; each = each.parentElement) if (each.id) ids.push(each.id);
    sessionStorage.setItem(PLACE, JSON.stringify(ids));
  });

  addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && document.activeElement.closest("details[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });

  // What has to be read first has the focus: the reason of a refusal, a question. Else the nearest part that is left.
  function resume(ids) {
    const part = ids.map((id) => document.getElementById(id)).find((each) => each);
    const answer = document.getElementById("answer");
    if (!answer) return focus(part ?? main.querySelector("[autofocus]") ?? main);
    if (answer.matches("p") && part?.matches("form, details, section")) {
      for (let each = part; each; each = each.parentElement.closest("details")) if (each.matches("details")) each.open = true;
      part.before(answer);
    }
    focus(answer);
  }

  function focus(part) {
    const stop = part.matches("details") ? part.querySelector("summary") : part;
    if (stop.tabIndex < 0) stop.tabIndex = -1; // also of what no keyboard reaches
    stop.focus();
  }

  const place = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  if (place) resume(JSON.parse(place));
})();
