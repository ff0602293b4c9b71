// Keeps the open page up to date: each event brings the page's part anew, its id is the hub's revision.
(() => {
  "use strict";
  const part = document.querySelector("main[data-live]");
  const state = document.querySelector(".state");
  if (!part) return;
  const QUIET = 45000; // the hub beats every 15 s
  let newest = part.dataset.revision;
  let heard = Date.now();
  let lost = false;
  let source;

  const told = () => {
    heard = Date.now();
    lost = false;
    show();
  };

  function show() {
    if (!state) return;
    const seconds = Math.round((Date.now() - heard) / 1000);
    const age = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
    state.classList.toggle("live", !lost);
    state.classList.toggle("lost", lost);
    state.querySelector("span").textContent = lost ? state.dataset.lost.replace("%", age) : state.dataset.live;
  }

  function connect() {
    const page = encodeURIComponent(location.pathname);
    source = new EventSource(`/events?page=${page}&after=${encodeURIComponent(newest)}`);
    source.addEventListener("part", (event) => {
      newest = event.lastEventId;
      const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
      part.innerHTML = event.data;
      part.dataset.revision = newest;
      for (const id of open) document.getElementById(id)?.setAttribute("open", "");
      turn(0);
      told();
    });
    source.addEventListener("beat", told);
    source.onopen = told;
    source.onerror = () => {
      lost = true;
      show();
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, 3000); // refused: the browser has given up
    };
  }

  let tried = Date.now();
  setInterval(() => {
    if (Date.now() - Math.max(heard, tried) > QUIET) {
      lost = true;
      tried = Date.now();
      source.close();
      connect();
    }
    show();
  }, 5000);

  // The big screen: one slide after the other; while a result is under review it stands still.
  let at = 0;
  function turn(step) {
    const slides = [...part.querySelectorAll(".slide")];
    if (!slides.length) return;
    const frozen = part.querySelector("[data-frozen]") !== null;
    at = (at + (frozen ? 0 : step)) % slides.length;
    slides.forEach((slide, number) => slide.classList.toggle("on", number === at));
    part.querySelectorAll(".dots i").forEach((dot, number) => dot.classList.toggle("on", number === at));
  }
  if (part.dataset.turn) setInterval(() => turn(1), Number(part.dataset.turn) * 1000);
  turn(0);
  connect();
})();
