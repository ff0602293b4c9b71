// Keeps the live parts of a desk page up to date: loads them again every few seconds. A part in which something is
// being filled in waits. Several parts of one page have an id each.
(() => {
  "use strict";
  const parts = [...document.querySelectorAll("[data-desk]")];
  if (!parts.length) return;
  const POLL = 5000; // ms
  const clockOffset = Number(parts[0].dataset.now ?? Date.now() / 1000) * 1000 - Date.now();
  const sound = () => localStorage.getItem("desk-sound") === "1";
  let context = null; // browsers let a page sound only after a tap
  let known = alerts();

  function alerts() {
    return new Map([...document.querySelectorAll("[data-desk] [data-alert]")].map((each) => [each.dataset.alert, each.textContent.trim()]));
  }

  // Someone fills in a form: what is open, changed or focused must not be taken away.
  function busy(part) {
    const fields = [...part.querySelectorAll("input:not([type=hidden]):not([data-sound]), select, textarea")];
    const changed = (field) =>
      field.type === "radio" || field.type === "checkbox"
        ? field.checked !== field.defaultChecked
        : field.tagName === "SELECT"
          ? [...field.options].some((option) => option.selected !== option.defaultSelected && field.selectedIndex > 0)
          : field.value !== field.defaultValue;
    return part.querySelector("details[open]") !== null || part.querySelector("[role=alert]") !== null || fields.some(changed);
  }

  function beep() {
    if (!sound() || !context) return;
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    gain.gain.value = 0.2;
    tone.frequency.value = 880;
    tone.connect(gain).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + 0.25);
  }

  function show() {
    const now = (Date.now() + clockOffset) / 1000;
    document.querySelectorAll("[data-desk] [data-since]").forEach((each) => {
      const minutes = Math.floor((now - Number(each.dataset.since)) / 60);
      each.textContent = minutes < 1 ? "< 1 min" : `${minutes} min`;
    });
    const box = document.querySelector("[data-sound]");
    if (box) box.checked = sound();
  }

  function announce() {
    const open = alerts();
    const fresh = [...open.keys()].filter((each) => !known.has(each));
    known = open;
    if (!fresh.length) return;
    document.querySelector("[data-announce]").textContent = fresh.map((each) => open.get(each)).join(" ");
    beep();
  }

  // The place of the keyboard is kept: the link or button that does the same has the focus, never its neighbour.
  const focusables = (part) => [...part.querySelectorAll("a, button, input, select, summary, [tabindex]")];
  const focusKey = (stop) => {
    if (stop.id) return stop.id;
    const area = stop.closest("[aria-label], [aria-labelledby]");
    const place = area && (area.getAttribute("aria-label") ?? area.getAttribute("aria-labelledby"));
    const sent = stop.form ? new URLSearchParams(new FormData(stop.form)) : "";
    return [stop.tagName, stop.name, stop.className, stop.getAttribute("href"), place, sent].join(" ");
  };

  function renew(part, found) {
    if (!found || busy(part) || found.innerHTML === last.get(part)) return;
    const focused = focusables(part).find((stop) => stop === document.activeElement);
    const wanted = focused && focusKey(focused);
    last.set(part, found.innerHTML);
    part.replaceChildren(...found.childNodes);
    if (focused) (focusables(part).find((stop) => focusKey(stop) === wanted) ?? part).focus({ preventScroll: true });
  }

  async function poll() {
    if (document.hidden || parts.every(busy)) return;
    try {
      const answer = await fetch(location.pathname, { cache: "no-store", redirect: "error" });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      parts.forEach((part) => renew(part, page.getElementById(part.id)));
      const count = page.querySelector("[data-count]");
      if (count) document.querySelector("[data-count]").replaceWith(count);
      show();
      announce();
    } catch {
      // the hub is away: the next poll tries again
    }
  }
  const last = new Map(parts.map((part) => [part, part.innerHTML]));

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-sound]")) localStorage.setItem("desk-sound", event.target.checked ? "1" : "0");
  });
  addEventListener("click", () => (context ??= new AudioContext()), { once: true });
  addEventListener("keydown", () => (context ??= new AudioContext()), { once: true });
  show();
  setInterval(show, 5000);
  setInterval(poll, POLL);
})();
