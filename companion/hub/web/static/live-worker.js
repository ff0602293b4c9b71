// Follows all open pages of a browser with one event stream: a browser opens six connections to a hub at most.
"use strict";
const MOST_PAGES = 40; // of one stream; the hub refuses more
const GONE = 150000; // ms without a sign of a page: it is closed (a hidden page may sign once a minute only)
const QUIET = 45000; // ms; the hub beats every 15 s
const SETTLE = 100; // ms in which pages that open together are taken together
const RETRY = 3000; // ms
const ports = new Map(); // port -> {path, newest, heard}
let source = null;
let heard = Date.now();
let followed = ""; // the paths of the open stream
let timer = 0;

const send = (message) => ports.forEach((_, port) => port.postMessage(message));

// The oldest revision that an open page shows, by path.
function wanted() {
  const paths = new Map();
  for (const { path, newest } of ports.values()) {
    if (paths.has(path) || paths.size < MOST_PAGES) paths.set(path, Math.min(newest, paths.get(path) ?? newest));
  }
  return paths;
}

function told() {
  heard = Date.now();
  send({ kind: "beat" });
}

function open() {
  timer = 0;
  source?.close();
  source = null;
  const paths = wanted();
  followed = [...paths.keys()].join("\n");
  if (!paths.size) return;
  const query = new URLSearchParams({ language: self.name });
  paths.forEach((after, path) => {
    query.append("page", path);
    query.append("after", after);
  });
  source = new EventSource(`/events?${query}`);
  source.onopen = told;
  source.addEventListener("beat", told);
  for (const path of paths.keys()) {
    source.addEventListener(paths.size === 1 ? "part" : `part ${path}`, (event) => {
      heard = Date.now();
      const id = Number(event.lastEventId);
      ports.forEach((page, port) => {
        if (page.path !== path || id <= page.newest) return;
        page.newest = id;
        port.postMessage({ kind: "part", id: event.lastEventId, html: event.data });
      });
    });
  }
  // Always begun anew, never by the browser: it would tell the newest id of all pages instead of each page's own.
  source.onerror = () => {
    source.close();
    send({ kind: "lost" });
    later(RETRY);
  };
}

function later(pause) {
  clearTimeout(timer);
  timer = setTimeout(open, pause);
}

function leave(port) {
  ports.delete(port);
  if ([...wanted().keys()].join("\n") !== followed) later(SETTLE);
}

self.onconnect = (event) => {
  const port = event.ports[0];
  port.onmessage = ({ data }) => {
    if (data.kind === "leave") return leave(port);
    const known = ports.get(port);
    if (known) known.heard = Date.now();
    if (data.kind !== "follow") return;
    ports.set(port, { path: data.path, newest: Number(data.newest), heard: Date.now() });
    later(SETTLE);
  };
};

setInterval(() => {
  const now = Date.now();
  ports.forEach((page, port) => {
    if (now - page.heard > GONE) leave(port);
  });
  if (ports.size && now - heard > QUIET) {
    heard = now;
    send({ kind: "lost" });
    later(0);
  }
}, 5000);
