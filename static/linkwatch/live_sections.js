// Live pages behind sign-in: inserts sections that the server has rendered.
"use strict";

const TICK = 5000; // ms between updates of relative times
const QUIET = 75000; // ms without a message; an idle page receives one each minute
const UNITS = [[31536000, "year", 2], [2592000, "month", 2], [86400, "day", 2], [3600, "hour", 2], [60, "minute", 2], [1, "second", 0]];

const board = document.querySelector("[data-board]");
const pulse = document.querySelector("[data-pulse]");
const held = {}; // sections that are inserted once no text in them is selected

// The server's time, regardless of this machine's clock.
let serverTime = Date.parse(board.dataset.now), heardAt = performance.now();
const now = () => serverTime + performance.now() - heardAt;

function setClock(at) { // after a reconnection it may be an earlier time
  serverTime = Math.max(at, now());
  heardAt = performance.now();
}

function relative(time) { // in the same words as the server
  const distance = Math.round((time - now()) / 1000), span = Math.abs(distance);
  if (span < 5) return distance > 0 ? "in a few seconds" : "just now";
  const [unit, name] = UNITS.find(([unit, , least]) => span >= least * unit);
  const count = Math.floor(span / unit + (distance > 0 ? 0.5 : 0)) || 1;
  const words = `${count} ${name}${count === 1 ? "" : "s"}`;
  return distance > 0 ? `in ${words}` : `${words} ago`;
}

function tick() {
  for (const time of board.querySelectorAll("time:not([data-clock], [data-date])")) {
    const words = relative(Date.parse(time.dateTime));
    const text = "lasting" in time.dataset ? words.replace(/^(just now|in a few seconds)$/, "for a few seconds").replace(/^in (.*)$/, "for another $1").replace(/^(.*) ago$/, "for $1") : words;
    if (time.textContent !== text) time.textContent = text;
  }
}

function placeAll(sections) {
  Object.assign(held, sections);
  for (const id of Object.keys(held)) place(id);
  tick();
}

function place(id) {
  const section = document.getElementById(id);
  if (!section) return void delete held[id]; // this page does not have it
  const selection = getSelection();
  if (!selection.isCollapsed && section.contains(selection.anchorNode)) return;
  const known = keysIn(section);
  const back = whereFocusIs(section);
  const turned = new Map([...known].filter(([, row]) => row.tagName === "DETAILS" && row.open !== ("open" in row.dataset)).map(([key, row]) => [key, row.open]));
  section.innerHTML = held[id]; // escaped by the server
  delete held[id];
  const rows = [...keysIn(section)]; // newest first; rows added at the end are older ones
  const last = rows.findLastIndex(([key]) => known.has(key));
  rows.forEach(([key, row], at) => {
    row.classList.toggle("new", known.size > 0 && !known.has(key) && (last < 0 || at < last));
    if (turned.has(key)) row.open = turned.get(key); // opened or closed by the reader
  });
  back?.()?.focus({ preventScroll: true });
}

function keysIn(section) {
  return new Map([...section.querySelectorAll("[data-key]")].map((row) => [row.dataset.key, row]));
}

function whereFocusIs(section) { // returns a selector for the focused element
  const at = document.activeElement;
  if (!section.contains(at)) return null;
  const key = at.closest("[data-key]")?.dataset.key, href = at.getAttribute("href");
  if (href) return () => [...section.querySelectorAll("a")].find((a) => a.getAttribute("href") === href);
  return () => keysIn(section).get(key)?.querySelector("summary");
}

function say(name, text) {
  if (pulse.textContent === text) return;
  pulse.dataset.is = name;
  pulse.textContent = text;
}

function lookForSignIn(attempts) { // if the user has signed out, redirect to the sign-in page
  if (attempts < 3) return;
  fetch(location.href, { redirect: "manual" }).then((answer) => answer.type === "opaqueredirect" && location.reload(), () => {});
}

setInterval(tick, TICK);
