// The dashboard as it changes. Without this it is a still page.
"use strict";

const TICK = 5000; // ms between looks at the relative times
const FIRST_SUMMARY = 15000; // ms that the first one of a connection may take
const UNITS = [[31536000, "year", 2], [2592000, "month", 2], [86400, "day", 2], [3600, "hour", 2], [60, "minute", 2], [1, "second", 0]];

const board = document.querySelector("[data-board]");
const pulse = document.querySelector("[data-pulse]");
const views = {}; // live counts by id: newer than those in what the server renders
const held = {}; // sections that wait until nobody selects text in them
let watched = new Set();
let silence, isStill = false; // until no summary comes any more, whatever else does

// The server's clock, whatever this machine's says.
let serverTime = Date.parse(board.dataset.now), heardAt = performance.now();
const now = () => serverTime + performance.now() - heardAt;

function relative(time) { // as the server words it
  const distance = Math.round((time - now()) / 1000), span = Math.abs(distance);
  if (span < 5) return "just now";
  const [unit, name] = UNITS.find(([unit, , least]) => span >= least * unit);
  const count = Math.floor(span / unit) || 1;
  const words = `${count} ${name}${count === 1 ? "" : "s"}`;
  return distance > 0 ? `in ${words}` : `${words} ago`;
}

function tick() {
  for (const time of board.querySelectorAll("time")) {
    const text = relative(Date.parse(time.dateTime));
    if (time.textContent !== text) time.textContent = text;
  }
}

function show(name, text) {
  if (name === "live" && "counting" in board.dataset) return;
  if (name === "live" && isStill) [name, text] = ["stale", "figures stand still"];
  if (pulse.textContent === text) return;
  pulse.dataset.is = name;
  pulse.textContent = text;
}

function hear(message) {
  if (message.type === "summary") {
    if ("counting" in board.dataset) return location.reload();
    take(message);
  } else if (message.counts) {
    silence ??= setTimeout(standStill, FIRST_SUMMARY);
    Object.assign(views, message.counts);
    showViews();
  }
}

function standStill() {
  isStill = true;
  show("live", "live");
}

function take(message) {
  const at = Date.parse(message.now);
  serverTime = Math.max(at, now()); // after a connection was lost it may be an old one
  heardAt = performance.now();
  clearTimeout(silence);
  silence = setTimeout(standStill, Math.max(0, at + 1000 * message.patience - serverTime));
  isStill = false;
  show("live", "live");
  Object.assign(held, message.sections);
  for (const id of Object.keys(held)) place(id);
  chart.draw(message.rates);
  tick();
  showViews();
  watch();
}

function place(id) {
  const section = document.getElementById(id);
  const selection = getSelection();
  if (!selection.isCollapsed && section.contains(selection.anchorNode)) return;
  const known = new Set(keysIn(section).keys());
  const focused = section.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  section.innerHTML = held[id]; // the server has escaped what is not its own
  delete held[id];
  for (const [key, row] of keysIn(section)) row.classList.toggle("new", !known.has(key));
  if (focused) [...section.querySelectorAll("a")].find((a) => a.getAttribute("href") === focused)?.focus({ preventScroll: true });
}

function keysIn(section) {
  return new Map([...section.querySelectorAll("[data-key]")].map((row) => [row.dataset.key, row]));
}

function showViews() {
  for (const place of board.querySelectorAll("[data-views]")) {
    const count = views[place.dataset.views];
    if (count !== undefined) place.textContent = count.toLocaleString("en");
  }
}

const idsShown = () => new Set([...board.querySelectorAll("[data-views]")].map((place) => place.dataset.views));

function watch() { // the live counts of what is shown
  const shown = idsShown();
  const subscribe = [...shown].filter((id) => !watched.has(id));
  const unsubscribe = [...watched].filter((id) => !shown.has(id));
  if (subscribe.length || unsubscribe.length) send({ subscribe, unsubscribe });
  watched = shown;
}

function path() {
  watched = idsShown();
  return `/ws/dashboard/?ids=${[...watched]}`;
}

function lost(attempts) {
  clearTimeout(silence);
  silence = undefined;
  isStill = false;
  if (attempts < 3) return;
  // Signed out meanwhile? Then the page would lead to the sign-in.
  fetch("/", { redirect: "manual" }).then((answer) => answer.type === "opaqueredirect" && location.reload(), () => {});
}

// The chart: checks a second as an area, the share that failed as a line. Its colours are the page's.
const chart = {
  place: document.querySelector("[data-chart]"),
  columns: null,

  draw(columns) {
    this.columns = columns;
    const { at, checks, failures, inconclusive } = columns;
    if (this.plot) this.plot.setData([at, checks, failures, inconclusive]);
    else this.begin();
    const most = Math.max(...checks);
    this.place.setAttribute("aria-label", `Checks of the last hour: at most ${most.toFixed(2)} a second.`);
    this.place.classList.toggle("quiet", most === 0);
  },

  begin() {
    if (!this.place || !window.uPlot) return;
    this.plot?.destroy();
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const [accent, bad, unsure, muted, line] = ["--accent", "--bad", "--unsure", "--muted", "--line"].map(colour);
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const axis = { stroke: muted, font, ticks: { stroke: line, size: 4 }, grid: { stroke: line, width: 1 } };
    const { at, checks, failures, inconclusive } = this.columns;
    const newest = (write) => (plot, value, series, place) => { // where nobody points, the newest
      const shown = place == null ? plot.data[series].at(-1) : value;
      return shown == null ? "–" : write(shown);
    };
    const minute = uPlot.fmtDate("{HH}:{mm} UTC");
    this.plot = new uPlot({
      width: this.place.clientWidth,
      height: this.height(),
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      cursor: { y: false, points: { size: 7 } },
      legend: { live: true },
      scales: {
        y: { range: (_, __, most) => [0, (most || 0.1) * 1.15] },
        share: { range: (_, __, most) => [0, Math.min(100, Math.max(10, (most || 0) * 1.15))] },
      },
      axes: [
        { ...axis, grid: { show: false }, values: [[60, "{HH}:{mm}", null, null, null, null, null, null, 1]], size: 34, space: 70 },
        { ...axis, size: 46 },
        { ...axis, scale: "share", side: 1, size: 46, grid: { show: false }, values: (_, marks) => marks.map((mark) => `${mark} %`) },
      ],
      series: [
        { label: "Minute", value: newest((seconds) => minute(uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"))) },
        { label: "Checks a second", stroke: accent, width: 1.5, fill: `${accent}26`, points: { show: false }, value: newest((rate) => rate.toFixed(rate < 10 ? 2 : 0)) },
        { label: "Failed", scale: "share", stroke: bad, width: 1.5, dash: [4, 3], points: { show: false }, value: newest((share) => `${share.toFixed(1)} %`) },
        { label: "Inconclusive", scale: "share", stroke: unsure, width: 1.5, dash: [1, 3], points: { show: false }, value: newest((share) => `${share.toFixed(1)} %`) },
      ],
    }, [at, checks, failures, inconclusive], this.place);
  },

  height() { return this.place.clientWidth < 480 ? 170 : 220; },

  follow() {
    if (!this.place) return;
    this.place.setAttribute("role", "img");
    new ResizeObserver(() => this.plot?.setSize({ width: this.place.clientWidth, height: this.height() })).observe(this.place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.plot && this.begin());
    this.draw(JSON.parse(document.getElementById("rates").textContent));
  },
};

chart.follow();
const send = follow(path, { hear, show, lost, question: () => ({ subscribe: [...idsShown()] }) });
setInterval(tick, TICK);
