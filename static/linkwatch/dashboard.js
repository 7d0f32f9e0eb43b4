// Updates the dashboard live. Without this script it is a static page.
"use strict";

const FIRST_SUMMARY = 15000; // ms to wait for the first summary of a connection

// As the server writes times on hover, in the reader's zone.
const exactTime = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "long", timeZone: board.dataset.zone });

const views = {}; // live counts by id, newer than those in rendered sections
let watched = new Set();
let silence, isStill = false; // the timer that detects missing summaries
let patience = 0; // ms without a summary

function show(name, text) {
  if (name === "live" && "counting" in board.dataset) return;
  if (name === "live" && isStill) [name, text] = ["stale", "not updating"];
  say(name, text);
}

function hear(message) {
  if (message.type === "summary") {
    if ("counting" in board.dataset) return location.reload();
    take(message);
  } else if (message.type === "still") {
    wait(patience);
  } else if (message.type === "stale") {
    markStale();
  } else if (message.counts) {
    silence ??= setTimeout(markStale, FIRST_SUMMARY);
    Object.assign(views, message.counts);
    showViews();
  }
}

function markStale() {
  isStill = true;
  show("live", "live");
}

function wait(ms) { // for the next summary
  clearTimeout(silence);
  silence = setTimeout(markStale, ms);
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
  showExactTimes();
  if (wasWell && engineFails()) document.querySelector(".engine").open = true;
  showViews();
  watch();
}

function showExactTimes() { // all readers receive the same sections, with times in UTC
  for (const time of board.querySelectorAll("time[title]")) time.title = exactTime.format(new Date(time.dateTime));
}

const engineFails = () => document.querySelector("#engine [data-is=failure]") !== null;

function showViews() {
  for (const place of board.querySelectorAll("[data-views]")) {
    const count = views[place.dataset.views];
    if (count !== undefined) place.textContent = count.toLocaleString("en");
  }
}

const idsShown = () => new Set([...board.querySelectorAll("[data-views]")].map((place) => place.dataset.views));

function watch() { // the live counts of the displayed items
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

const send = follow(path, { hear, show, lost, quiet: QUIET, question: () => ({ subscribe: [...idsShown()] }) });
