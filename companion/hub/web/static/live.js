// Keeps the open page up to date: each event brings the page's part anew, its id is the hub's revision.
(() => {
  "use strict";
  const part = document.querySelector("main[data-live]");
  const state = document.querySelector(".state");
  if (!part) return;
  const QUIET = 45000; // the hub beats every 15 s
  const POLL = 10000; // ms between two loads of the page while no stream brings it
  let newest = part.dataset.revision;
  let heard = Date.now();
  let lost = false;

  const told = () => {
    heard = Date.now();
    lost = false;
    show();
  };

  const missed = () => {
    lost = true;
    show();
  };

  function show() {
    if (!state) return;
    const seconds = Math.round((Date.now() - heard) / 1000);
    const age = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
    state.classList.toggle("live", !lost);
    state.classList.toggle("lost", lost);
    const ended = part.querySelector("[data-ended]")?.dataset.ended;
    state.classList.toggle("over", !lost && ended !== undefined);
    state.querySelector("span").textContent = lost ? state.dataset.lost.replace("%", age) : (ended ?? state.dataset.live);
  }

  // The selector by which the link or summary that has the focus is found again, null outside of the part.
  function placeOf(stop) {
    if (stop === part || !part.contains(stop)) return null;
    if (stop.matches("summary")) return `#${CSS.escape(stop.parentElement.id)} > summary`;
    return `a[href="${CSS.escape(stop.getAttribute("href") ?? "")}"]`;
  }

  function replace(html, revision) {
    newest = revision;
    const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
    const place = placeOf(document.activeElement);
    part.innerHTML = html;
    part.dataset.revision = newest;
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (place) (part.querySelector(place) ?? part).focus({ preventScroll: true });
    turn(0);
    tick();
    tellCall();
    told();
  }

  // One stream for all pages of the browser, held by a worker that they share.
  function share() {
    const worker = new SharedWorker("/live-worker.js", { name: document.documentElement.lang });
    const { port } = worker;
    worker.onerror = connect; // its script was not loaded
    const follow = () => port.postMessage({ kind: "follow", path: location.pathname, newest });
    port.onmessage = ({ data }) => {
      if (data.kind === "part") replace(data.html, data.id);
      else if (data.kind === "beat") told();
      else missed();
    };
    setInterval(() => port.postMessage({ kind: "here" }), 15000);
    addEventListener("pagehide", () => port.postMessage({ kind: "leave" }));
    addEventListener("pageshow", (event) => event.persisted && follow());
    follow();
  }

  // A browser without shared workers (a phone): only the page that is seen has a stream.
  function connect() {
    let source = null;
    const close = () => {
      source?.close();
      source = null;
    };
    const open = () => {
      close();
      if (document.hidden) return;
      const page = encodeURIComponent(location.pathname);
      source = new EventSource(`/events?page=${page}&after=${encodeURIComponent(newest)}`);
      source.addEventListener("part", (event) => replace(event.data, event.lastEventId));
      source.addEventListener("beat", told);
      source.onopen = told;
      source.onerror = () => {
        missed();
        if (source?.readyState === EventSource.CLOSED) setTimeout(open, 3000); // refused: the browser has given up
      };
    };
    let tried = Date.now();
    setInterval(() => {
      if (document.hidden || Date.now() - Math.max(heard, tried) <= QUIET) return;
      missed();
      tried = Date.now();
      open();
    }, 5000);
    document.addEventListener("visibilitychange", open);
    open();
  }

  // A player's page: the call to a table is told by the page's title, a vibration, and where allowed a notification.
  // Browsers allow notifications on pages by HTTPS only.
  const title = document.title;
  const calls = () => new Map([...part.querySelectorAll("[data-call]")].map((each) => [each.dataset.match, each.dataset.call]));
  let known = calls();
  const canNotify = "Notification" in window && "serviceWorker" in navigator && isSecureContext;

  function tellCall() {
    const open = calls();
    document.title = open.size ? `● ${[...open.values()][0]}` : title;
    for (const [match, text] of open) if (!known.has(match)) notify(text);
    known = open;
    const offer = part.querySelector("[data-notify]");
    if (offer) offer.hidden = !canNotify || Notification.permission !== "default";
  }

  async function notify(text) {
    navigator.vibrate?.([200, 100, 200]);
    if (!canNotify || Notification.permission !== "granted") return;
    const worker = await navigator.serviceWorker.register("/notifications.js");
    await navigator.serviceWorker.ready;
    worker.showNotification(title, { body: text, icon: "/icon.svg", tag: location.pathname, data: location.href });
  }

  part.addEventListener("click", async (event) => {
    if (!event.target.closest("[data-notify] button")) return;
    if ((await Notification.requestPermission()) === "granted") await navigator.serviceWorker.register("/notifications.js");
    tellCall();
  });
  tellCall();

  // While no stream comes (the hub limits them), the page is loaded now and then.
  async function poll() {
    if (document.hidden || Date.now() - heard < POLL || (!lost && Date.now() - heard < QUIET)) return;
    try {
      const answer = await fetch(location.pathname, { cache: "no-store" });
      const found = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main[data-live]");
      if (!answer.ok || !found) return;
      if (Number(found.dataset.revision) > Number(newest)) replace(found.innerHTML, found.dataset.revision);
      else told();
    } catch {
      missed();
    }
  }
  setInterval(poll, POLL);
  setInterval(show, 5000);
  show();

  // The big screen: one slide after the other; while a result is under review it stands still.
  let at = 0;
  function turn(step) {
    const slides = [...part.querySelectorAll(".slide")];
    if (!slides.length) return;
    const frozen = part.querySelector("[data-frozen]") !== null;
    at = (at + (frozen ? 0 : step)) % slides.length;
    slides.forEach((slide, number) => slide.classList.toggle("on", number === at));
    part.querySelectorAll(".dots i").forEach((dot, number) => dot.classList.toggle("on", number === at));
    fit(slides[at]);
  }

  // The largest text with which a slide fits the screen, in px.
  const SMALLEST = 12;
  const LARGEST = 0.11; // of the screen's height: ten lines
  function fit(slide) {
    let [least, most] = [SMALLEST, Math.max(SMALLEST, Math.floor(innerHeight * LARGEST))];
    const fits = (size) => {
      slide.style.fontSize = `${size}px`;
      return slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth;
    };
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (fits(middle)) least = middle;
      else most = middle - 1;
    }
    slide.style.fontSize = `${least}px`;
  }

  // The clocks of the big screen, by the hub's time: of the hall, and what is left of the round.
  const zone = Number(part.dataset.zone) * 1000; // the hub's, before UTC
  const skew = Number(part.dataset.now) * 1000 - Date.now();
  function tick() {
    const now = Date.now() + skew;
    document.querySelectorAll("[data-clock]").forEach((clock) => {
      clock.textContent = new Date(now + zone).toISOString().slice(11, 16);
    });
    part.querySelectorAll("[data-until]").forEach((clock) => {
      const seconds = Math.round(Number(clock.dataset.until) - now / 1000);
      const [minutes, rest] = [Math.floor(Math.abs(seconds) / 60), Math.abs(seconds) % 60];
      clock.textContent = `${seconds < 0 ? "+" : ""}${minutes}:${String(rest).padStart(2, "0")}`;
      clock.classList.toggle("late", seconds < 0);
    });
  }
  tick();
  setInterval(tick, 1000);
  if (document.body.classList.contains("screen")) {
    addEventListener("resize", () => turn(0));
    document.fonts.ready.then(() => turn(0));
  }
  if (part.dataset.turn) setInterval(() => turn(1), Number(part.dataset.turn) * 1000);
  turn(0);
  if (window.SharedWorker) share();
  else connect();
})();
