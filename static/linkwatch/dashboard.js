// The dashboard as it changes. Without this it is a still page.
"use strict";

const FIRST_SUMMARY = 15000; // ms that the first one of a connection may take

const views = {}; // live counts by id: newer than those in what the server renders
let watched = new Set();
let silence, isStill = false; // until no summary comes any more, whatever else does
let patience = 0; // ms without news

function show(name, text) {
  if (name === "live" && "counting" in board.dataset) return;
  if (name === "live" && isStill) [name, text] = ["stale", "figures stand still"];
  say(name, text);
}

function hear(message) {
  if (message.type === "summary") {
    if ("counting" in board.dataset) return location.reload();
    take(message);
  } else if (message.type === "still") {
    wait(patience);
  } else if (message.type === "stale") {
    standStill();
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

function wait(ms) { // for news
  clearTimeout(silence);
  silence = setTimeout(standStill, ms);
  isStill = false;
  show("live", "live");
}

function take(message) {
  const at = Date.parse(message.now);
  setClock(at);
  patience = 1000 * message.patience;
  wait(Math.max(0, at + patience - serverTime));
  const wasWell = !engineFails();
  placeAll(message.sections);
  if (wasWell && engineFails()) document.querySelector(".engine").open = true;
  chart.draw(message.rates);
  showViews();
  watch();
}

const engineFails = () => document.querySelector("#engine [data-is=failure]") !== null;

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
  lookForSignIn(attempts);
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
const send = follow(path, { hear, show, lost, quiet: QUIET, question: () => ({ subscribe: [...idsShown()] }) });
